from mailgym.core.seeds import stream
from mailgym.corpora.simulate.people import Person
from mailgym.corpora.simulate.phrasebook import phrasebook, storybook
from mailgym.corpora.simulate.values import Habit
from mailgym.corpora.simulate.voice import WRAP_COLUMNS, Style, Voice, write_text

BOOK, STORY = phrasebook("train"), storybook("train")
ANN = Person("Ann", "Lee", "ann.lee@legal.example", "Legal", "counsel", 2)
HABIT = Habit("{day} {month}", "24h", "{amount:,} {code}", False)
CORE = "we pay 400 EUR. it is due on 3 May."


def style(**other: object) -> Style:
    plain = {
        "habit": HABIT,
        "greetings": ("Hi {first},",),
        "farewell": "Best,",
        "signature": ("Ann",),
        "wraps": False,
        "slips": False,
        "lower": False,
        "is_short": True,
    }
    return Style(**(plain | other))  # type: ignore[arg-type]


def texts(chosen: Style, **other: bool) -> list[str]:
    return [write_text(CORE, "Bob", chosen, STORY.fillers, stream(1, "text", n), **other) for n in range(120)]


def test_a_short_text_is_greeting_sentence_and_signature() -> None:
    assert set(texts(style())) == {"Hi Bob,\n\nWe pay 400 EUR. It is due on 3 May.\n\nBest,\nAnn"}


def test_those_who_write_small_letters_keep_names_large() -> None:
    lower = style(lower=True, greetings=("",), farewell="", signature=("Ann", "", "Sent from my phone"))
    assert set(texts(lower)) == {"we pay 400 EUR. It is due on 3 May.\n\nAnn\n\nSent from my phone"}
    assert texts(lower, begins_with_name=True)[0].startswith("We pay")


def test_small_talk_surrounds_the_sentence_and_leaves_it_whole() -> None:
    written = texts(style(is_short=False))
    assert all("We pay 400 EUR. It is due on 3 May." in text for text in written)
    lengths = [len(text.split()) for text in written]
    assert min(lengths) < 20
    assert max(lengths) > 90
    assert 0.4 < sum("Hi Bob,\n\nWe pay" in text for text in written) / len(written) < 0.95
    assert any(text.count("\n\n") > 3 for text in written), "long ones have paragraphs"


def test_slips_of_the_fingers_are_in_small_talk_alone() -> None:
    known = " ".join([*STORY.fillers, CORE, "Hi Bob, Best, Ann We It"]).split()
    clean = {word for text in texts(style(is_short=False)) for word in text.split()}
    slipped = {word for text in texts(style(is_short=False, slips=True)) for word in text.split()}
    assert clean <= set(known)
    assert len(slipped - set(known)) > 5
    assert all("We pay 400 EUR. It is due on 3 May." in text for text in texts(style(is_short=False, slips=True)))


def test_lines_are_broken_where_the_writer_does() -> None:
    wrapped = texts(style(is_short=False, wraps=True))
    assert max(len(line) for text in wrapped for line in text.split("\n")) <= WRAP_COLUMNS
    assert max(len(line) for text in texts(style(is_short=False)) for line in text.split("\n")) > WRAP_COLUMNS


def test_a_person_writes_in_two_ways_and_people_differ() -> None:
    voices = [Voice.draw(ANN, BOOK, STORY, stream(2, "voice", n)) for n in range(30)]
    assert len({voice.desk for voice in voices}) == 30
    for voice in voices:
        assert voice.desk.signature[0][0] == "A"
        assert not voice.desk.lower
        assert voice.phone.is_short
        chosen = [voice.choose(stream(3, "choice", n)) for n in range(60)]
        assert {id(one) for one in chosen} == {id(voice.desk), id(voice.phone)}
    assert any("Brightwell Logistics" in line for voice in voices for line in voice.desk.signature)
    assert any("Tel." in line for voice in voices for line in voice.desk.signature)
