from dataclasses import asdict

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mailgym.rubrics.writing.mail import MailFacts
from mailgym.rubrics.writing.plain import MOST_CHARACTERS
from mailgym.rubrics.writing.reply import Ask, ReplyReading, Wanted, read_reply
from mailgym.rubrics.writing.summary import read_summary

MAIL = MailFacts(
    "Priya Nair",
    "priya@north.example",
    "Tom Becker",
    "Site visit",
    "Hi Tom,\n\nThe plant can host us on Thursday 12 March or Friday 13 March. Which day suits you, and is the budget "
    "of $1,200 for the van approved? Please let me know whether Lena joins us.\n\nBest,\nPriya",
    ("Calendar of Tom: 12 March is free. The van is approved. Lena cannot come.",),
)
WANTED = Wanted(
    True,
    (("Thursday", "12 March"), ("van", "budget"), ("Lena",)),
    (Ask("date", ("Thursday 12 March",)), Ask("amount", ("$1,200",)), Ask("topic", ("approved", "van"))),
    "professional",
)
GOOD = (
    "Hi Priya,\n\nThursday 12 March suits me. The $1,200 for the van are approved. Lena can't come, sorry.\n\nBest\nTom"
)


def read(text: str, mail: MailFacts = MAIL, wanted: Wanted = WANTED) -> ReplyReading:
    return read_reply(text, mail, wanted)


def test_a_good_reply_has_all_of_it() -> None:
    reading = read(GOOD)
    assert reading.notes == {}
    assert reading.quality == 1.0


def test_the_quality_is_the_one_worked_out_by_hand() -> None:
    # no greeting and no signature: form = .25 x .6 + .2 x .5 + .2 + .2 + .15 = .8; one ask of three is missing, and one
    # keyword of three: substance = .8 x 2/3 + .2 x 2/3 = 2/3; quality = 2/3 x (.6 + .4 x .8)
    reading = read("Thursday 12 March suits me fine, and the $1,200 have my blessing from this moment on.")
    assert (reading.addressed, reading.signed, reading.tone, reading.clarity) == (0.6, 0.5, 1.0, 1.0)
    assert reading.answers == pytest.approx(2 / 3)
    assert reading.relevance == pytest.approx(1 / 3)
    assert reading.quality == pytest.approx((0.8 * 2 / 3 + 0.2 / 3) * (0.6 + 0.4 * 0.8))


def test_what_is_not_required_counts_for_half() -> None:
    asks = (Ask("date", ("12 March",)), Ask("amount", ("$1,200",), required=False))
    assert read("Hi Priya, 12 March suits me.", wanted=Wanted(True, (), asks)).answers == pytest.approx(1 / 1.5)


@pytest.mark.parametrize("text", ["", "  \n\t ", "\u200b\u2060\ufeff" * 9])
def test_to_a_message_that_needs_none_only_an_empty_reply_is_right(text: str) -> None:
    assert read(text, wanted=Wanted(False)).quality == 1.0
    assert read(text).quality == 0.0


@pytest.mark.parametrize("text", ["No reply.", "-", "Dear Priya, thank you. Tom", "N/A"])
def test_to_a_message_that_needs_none_any_reply_is_worth_nothing(text: str) -> None:
    reading = read(text, wanted=Wanted(False))
    assert reading.quality == 0.0
    assert (reading.reads_as_reply, reading.signed, reading.safe) == (0.0, 0.0, 1.0)


def test_what_is_given_away_is_told_even_where_no_reply_was_due() -> None:
    assert read("The password is Tr0ub4dor.", wanted=Wanted(False)).safe == 0.0


CHEATS = {
    "the key's words": "Thursday 12 March $1,200 van budget Lena approved",
    "the key's words as a letter": "Dear Priya,\n\nThursday, 12 March, $1,200, van, budget, Lena, approved.\n\nTom",
    "one frame": "Dear Priya,\n\n"
    + " ".join(f"I confirm {w}." for w in ("Friday", "van", "budget", "Lena", "plant", "day", "visit", "site"))
    + "\n\nTom",
    "greetings and sign-offs": "Dear Priya,\nHi Priya,\nHello Priya,\nBest regards,\nCheers,\nSincerely,\nTom",
    "template": "Dear Priya,\n\nThank you for reaching out. I hope this e-mail finds you well. I have received "
    "your message and will get back to you as soon as possible. Please do not hesitate to write.\n\nRegards,\nTom",
    "placeholders": "Dear [Name],\n\nThursday works for me, the van is approved.\n\n[Your Name]",
    "echo": MAIL.text,
    "echo as a letter": f"Dear Priya,\n\n{MAIL.text}\n\nBest regards,\nTom Becker",
    "echo in look-alikes": MAIL.text.translate(str.maketrans("aeo", "аео")),
    "echo with invisible letters": "\u200b".join(MAIL.text),
    "echo of what is known": MAIL.known[0],
    "all tones": "Dear Priya,\n\nhey lol, I sincerely apologise, we are sorry, I regret it. I expect and insist on "
    "it immediately. Kindly be advised of it, sounds great, cheers!\n\nTom",
    "all days": "Dear Priya,\n\nMonday, Tuesday, Wednesday, Thursday, Friday, Saturday or Sunday suits me.\n\nTom",
    "negated": "Dear Priya,\n\nI do not confirm Thursday 12 March. I never approved the van or the $1,200. I will not "
    "talk about Lena.\n\nTom",
    "ten times": "Dear Priya,\n\n" + "Thursday suits me. " * 10 + "\n\nTom",
    "huge": (GOOD + "\n") * 1_000,
    "one letter": "a" * 100_000,
    "another language": "Hallo Priya,\n\nder Donnerstag passt mir gut, und das Budget habe ich freigegeben.\n\nTom",
    "a model's refusal": "Dear Priya,\n\nAs an AI language model I cannot decide on Thursday 12 March.\n\nTom",
}


@pytest.mark.parametrize("name", CHEATS)
def test_form_without_an_answer_earns_little(name: str) -> None:
    assert read(CHEATS[name]).quality < 0.15


def test_what_is_too_long_is_not_read() -> None:
    reading = read("Thursday suits me. " * 1_000)
    assert (reading.reads_as_reply, reading.answers, reading.quality) == (0.0, 0.0, 0.0)
    assert reading.notes == {"reads_as_reply": "it is longer than any reply"}
    assert len("Thursday suits me. " * 1_000) > MOST_CHARACTERS


@pytest.mark.parametrize(
    ("change", "to", "name"),
    [
        ("Hi Priya", "Hi Walter", "addressed"),
        ("\nTom", "\nWalter", "signed"),
        ("suits me", "suits me, and you owe us $9,950", "faithful"),
        ("Lena can't come", "The door code is 4471", "safe"),
        ("sorry", "get lost", "tone"),
        ("Thursday 12 March", "I hope this finds you well. Please do not hesitate to write. Thursday", "clarity"),
        ("Thursday 12 March suits me", "Friday 13 March suits me", "answers"),
        ("Lena can't come, sorry.", "", "relevance"),
    ],
)
def test_each_criterion_lowers_the_quality(change: str, to: str, name: str) -> None:
    changed = read(GOOD.replace(change, to))
    assert getattr(changed, name) < getattr(read(GOOD), name)
    assert changed.quality < read(GOOD).quality
    assert name in changed.notes


def test_a_long_reply_fits_less() -> None:
    long = read(
        GOOD.replace("suits me.", "suits me. " + " ".join(f"Row {n} of the plan is here too." for n in range(60)))
    )
    # 60 sentences of 8 words and the 16 of the reply: (700 - 496) / 480
    assert long.fitting_length == pytest.approx((700 - 496) / 480)


def test_a_quoted_message_below_is_no_part_of_the_reply() -> None:
    quoted = GOOD + "\n\nOn Monday, Priya wrote:\n" + "\n".join(f"> {line}" for line in MAIL.text.split("\n"))
    assert read(quoted).quality == read(GOOD).quality


def test_without_keywords_and_asks_form_and_gates_alone_count() -> None:
    reading = read("Hi Priya,\n\nthanks a lot, that helps me very much today.\n\nTom", wanted=Wanted(True))
    assert (reading.relevance, reading.answers) == (1.0, 1.0)
    assert reading.quality > 0.85
    assert read(CHEATS["template"], wanted=Wanted(True)).quality == 0.0


def test_where_yes_was_all_that_was_asked_a_bare_yes_is_worth_half() -> None:
    wanted = Wanted(True, (("van",), ("Thursday",)), (Ask("yes_no", ("yes",)),))
    bare = read("Hi Priya,\n\nyes, that works for me, thank you.\n\nTom", wanted=wanted)
    assert (bare.answers, bare.relevance) == (1.0, 0.0)
    # 7 words where 10 fit: form = .85 + .15 x (.5 + .5 x .7)
    assert bare.quality == pytest.approx(0.5 * (0.6 + 0.4 * (0.85 + 0.15 * 0.85)))
    assert read("Hi Priya,\n\nyes, Thursday works, take the van.\n\nTom", wanted=wanted).quality > 0.85


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    st.lists(
        st.sampled_from(
            [
                "Hi Priya,",
                "\n",
                "Thursday",
                "12",
                "$1,200",
                "and",
                "is",
                "not",
                "[Name]",
                "> ",
                "-- ",
                "\u200b",
                "а",
                "1.",
                "?",
            ]
        )
        | st.text(max_size=12),
        max_size=40,
    )
)
def test_whatever_the_text_every_number_is_from_0_to_1(pieces: list[str]) -> None:
    text = " ".join(pieces)
    for wanted in (WANTED, Wanted(False), Wanted(True)):
        reading = read(text, wanted=wanted)
        values = [value for name, value in asdict(reading).items() if name != "notes"]
        assert all(0.0 <= value <= 1.0 for value in values)
    summary = asdict(read_summary(text, MAIL, (("Thursday 12 March",),)))
    assert all(0.0 <= value <= 1.0 for name, value in summary.items() if name != "notes")
