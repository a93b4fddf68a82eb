"""Letters taken apart, prose told from lists, tone, clarity, and what hides in a text."""

import pytest

from mailgym.rubrics.writing.clarity import filler, read_clarity
from mailgym.rubrics.writing.denial import is_denied
from mailgym.rubrics.writing.echo import borrowed_share, copied_share, longest_copy
from mailgym.rubrics.writing.english import words_in
from mailgym.rubrics.writing.letter import Letter, read_letter
from mailgym.rubrics.writing.mail import MailFacts
from mailgym.rubrics.writing.people import read_addressed, read_signed
from mailgym.rubrics.writing.plain import plain
from mailgym.rubrics.writing.sentences import is_sentence, placeholders, read_prose
from mailgym.rubrics.writing.tone import TONES, read_tone

MAIL = MailFacts(
    "Accounts, Pelham Print", "accounts@pelham.example", "Joseph Amadi", "Invoice", "Please pay.\n\nDilys Pugh"
)


@pytest.mark.parametrize(
    ("text", "letter"),
    [
        (
            "Dear Ms Pugh,\n\nwe paid it. Please check.\n\nKind regards\nJoseph Amadi\nBuying",
            Letter(("Ms Pugh",), ("we paid it.", "Please check."), ("Kind regards",), "Joseph Amadi\nBuying"),
        ),
        ("Works for me. Cheers, Tom", Letter((), ("Works for me.",), ("Cheers",), "Tom")),
        (
            "Priya - it is fine.\n\nP.",
            Letter(("Priya",), ("it is fine.",), (), "P."),
        ),
        (
            "Anders,\n1. 650 it is.\n2. Galvanised.\nMarta",
            Letter(("Anders",), ("650 it is.", "Galvanised."), (), "Marta"),
        ),
        ("hey Zoe! yes, we come. and call Mr. Bell, ext. 12, first.", Letter(
            ("Zoe",), ("yes, we come.", "and call Mr. Bell, ext. 12, first."), (), "")),
        ("Thank you very much!", Letter((), ("Thank you very much",), (), "")),
        ("Hi,\n\nok.\n\nOn Monday, Ann wrote:\n> Is it ok?", Letter(("",), ("ok.",), (), "")),
        ("Hannah, Luca, YES!! I come.", Letter(("Hannah and Luca",), ("YES!!", "I come."), (), "")),
        ("Exactly, that is it.", Letter((), ("Exactly, that is it.",), (), "")),
    ],
)  # fmt: skip
def test_a_letter_is_taken_apart(text: str, letter: Letter) -> None:
    assert read_letter(text) == letter


@pytest.mark.parametrize(
    "text",
    [
        "Works for me.",
        "Thursday works.",
        "Yes, Thursday.",
        "I have sent the file to Ann.",
        "Thursday 12 March suits me.",
        "Done.",
    ],
)
def test_sentences(text: str) -> None:
    assert is_sentence(words_in(text), text.count(","))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "meeting Thursday budget confirm report",
        "I confirm meeting, Thursday, budget, report, plan, room, van",
        "Der Termin am Donnerstag passt mir gut",
        "I confirm the meeting and the budget and the room and the van and the plan",
        "the " * 50 + "is",
    ],
)
def test_no_sentences(text: str) -> None:
    assert not is_sentence(words_in(text), text.count(","))


def test_the_share_in_sentences_is_counted_in_words() -> None:
    # 5 words in a sentence, 5 said again, 2 in a second greeting
    prose = read_prose(Letter(("Ann", "Ann"), ("I will send it today.", "I will send it today."), (), ""))
    assert prose.share == pytest.approx(5 / 12)
    assert prose.note == "5 words said again, 2 for greetings or sign-offs too many"
    assert read_prose(Letter((), (), (), "")).share == 0.0


def test_fragments_count_for_half_beside_sentences() -> None:
    prose = read_prose(Letter((), ("I will send it today.", "Galvanised."), (), ""))
    assert prose.share == pytest.approx(5.5 / 6)
    assert prose.counted == ("I will send it today.", "Galvanised.")
    assert read_prose(Letter((), ("Galvanised.",), (), "")).counted == ()


def test_one_frame_again_and_again_is_little_prose() -> None:
    frames = tuple(f"I confirm the {word} of today." for word in ("plan", "van", "room", "price", "date"))
    # of 20 threes of words 4 + 3 x 5 - 3 differ ... the openings: 1 of 5, where .6 would do
    assert read_prose(Letter((), frames, (), "")).share <= 1 / 5 / 0.6


def test_open_places_of_a_template() -> None:
    assert placeholders("Dear [Name], {date} <your name> ____ (insert date)") == [
        "[Name]", "{date}", "<your name>", "____", "(insert date)",
    ]  # fmt: skip
    assert placeholders("See [1], <ann@x.example> and " + "_" * 60) == []


def test_whom_a_letter_addresses() -> None:
    def addressed(text: str) -> float:
        return read_addressed(read_letter(text), MAIL)[0]

    assert addressed("Dear Ms Pugh,\n\nit is paid.") == 1.0
    assert addressed("It is paid, Dilys.") == 1.0
    assert addressed("Hi there,\n\nit is paid.") == 0.6
    assert addressed("It is paid.") == 0.6
    assert addressed("Dear Walter,\n\nit is paid.") == 0.0
    assert addressed("Dear Walter,\nDear Dilys,\n\nit is paid.") == 0.6
    assert read_addressed(read_letter("It is paid."), MailFacts("", "", "", "", ""))[0] == 1.0


def test_whose_name_a_letter_bears() -> None:
    def signed(text: str) -> float:
        return read_signed(read_letter(text), MAIL)[0]

    assert signed("It is paid.\n\nBest\nJoseph") == 1.0
    assert signed("It is paid.\n\nBest\nJoe") == 1.0
    assert signed("It is paid.\n\nJ.") == 1.0
    assert signed("It is paid.\n\nJA") == 1.0
    assert signed("It is paid.") == 0.5
    assert signed("It is paid.\n\nBest\nWalter") == 0.0
    assert signed("It is paid.\n\nBest\n[Your Name]") == 0.0
    assert read_signed(read_letter("It is paid."), MailFacts("", "", "", "", ""))[0] == 1.0


@pytest.mark.parametrize(
    ("tone", "right", "wrong"),
    [
        ("professional", "Please find the plan attached. Kind regards", "hey lol yep gonna send it xx"),
        ("friendly", "Hi! So glad to hear it, see you soon", "Kindly be advised of our policy. Yours faithfully"),
        ("assertive", "I expect the delivery by Friday, no later than noon.", "Perhaps it is possible, sorry to ask?"),
        ("apologetic", "I am sorry, that was my mistake.", "The order was sent on time."),
    ],
)
def test_a_tone_is_heard(tone: str, right: str, wrong: str) -> None:
    assert read_tone(right, tone) >= 0.8
    assert read_tone(right, tone) > read_tone(wrong, tone) + 0.2


def test_tones_worked_out_by_hand() -> None:
    # "sorry" and "mistake": .4 + .4 + .2; two rude words halve it twice
    assert read_tone("Sorry, my mistake.", "apologetic") == 1.0
    assert read_tone("Sorry, my mistake, you stupid idiot.", "apologetic") == 0.25
    # nine pleas, six too many: 1 - 6 x .15
    assert read_tone("sorry " * 8 + "my mistake", "apologetic") == pytest.approx(0.1)
    assert [read_tone("It is raining.", tone) for tone in ("", *TONES)] == [1.0, 1.0, 0.6, 0.6, 0.4]


def test_all_tones_at_once_are_none() -> None:
    text = "lol, I regret it and apologise, kindly be advised of our policy, I expect it at once, I insist."
    assert max(read_tone(text, tone) for tone in TONES) <= 0.5


def test_clarity_worked_out_by_hand() -> None:
    # three sentences, one a courtesy: (2 + .75) / 3; one of two is too long: 1 - .4 x 1/2
    assert read_clarity(["It is paid.", "Ann knows it.", "Please do not hesitate to ask."]) == pytest.approx(2.75 / 3)
    assert read_clarity(["It is paid.", "We " + "really " * 40 + "know."]) == pytest.approx(0.8)
    assert read_clarity(["Rest assured.", "It will be handled as soon as possible."]) == pytest.approx(0.75 / 2)
    assert read_clarity([]) == 0.0
    assert filler(["Do not hesitate, it is noted."]) == ["Do not hesitate", "noted"]


def test_copies_are_counted_in_words() -> None:
    source = "one two three four five six seven"
    assert copied_share("one two three four five and more", [source]) == pytest.approx((5 - 2) / 7)
    assert copied_share("one two three four five and now there is more", [source]) == 0.0
    assert copied_share(source, [source]) == 1.0
    assert copied_share("one two three four and more", [source]) == 0.0
    assert longest_copy("say one two three four five six now", [source]) == 6
    assert borrowed_share("seven six more", [source]) == pytest.approx(2 / 3)
    assert borrowed_share("10 30 noon", ["at 10:30"]) == pytest.approx(2 / 3)
    assert (copied_share("", [source]), borrowed_share("", [source])) == (0.0, 0.0)


@pytest.mark.parametrize(
    ("sentence", "phrase", "denied"),
    [
        ("I can not confirm Thursday.", "Thursday", True),
        ("We don't pay the refund.", "refund", True),
        ("He takes no medicine.", "medicine", False),
        ("Without the wall, please.", "wall", False),
        ("I don't mind. Thursday is fine.", "Thursday", False),
        ("Not only the plan is done.", "plan", False),
        ("We do not refund, but the refund law is clear.", "refund", False),
        ("We do not refund.", "not refund", False),
        ("Nothing about it.", "", False),
    ],
)
def test_what_is_denied(sentence: str, phrase: str, denied: bool) -> None:
    assert is_denied(sentence, phrase) is denied


def test_a_text_is_read_as_it_is_seen() -> None:
    assert plain("Thu\u200brs\u200bday").text == "Thursday"
    assert plain("Тhursdаy").text == "Thursday"
    assert plain("ｆｕｌｌ “quoted” – here…").text == 'full "quoted" - here...'
    assert plain("a\r\nb\u2028c\x07").text == "a\nb\nc"


def test_a_disguise_is_measured_by_the_word() -> None:
    assert plain("Тhursdаy suits me fine").disguised == pytest.approx(1 / 4)
    assert plain("Th\u200bursday suits me fine").disguised == pytest.approx(1 / 4)
    assert plain("Жанна suits me 👩\u200d💻 fine, naïve").disguised == 0.0


def test_a_text_is_cut_where_reading_ends() -> None:
    assert plain("a" * 12_001).is_cut
    assert not plain("a" * 12_000 + "  \n" * 9_000).is_cut
