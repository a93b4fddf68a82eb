import pytest

from mailgym.rubrics.writing.mail import MailFacts
from mailgym.rubrics.writing.summary import SummaryReading, read_summary

TEXT = (
    "Hello Joseph, the lift in building C has been out of order since Monday, and the tenants on the upper floors are "
    "complaining loudly. The technician from Nordlift came twice, but he needs a new control board, which costs 2,400 "
    "EUR and takes ten working days to deliver. I would like you to approve the order by Friday 6 March, because Mrs "
    "Albrecht on the fifth floor cannot leave her flat without the lift. We could also ask the second supplier, but he "
    "has let us down before. Please call me if anything is unclear. Kind regards, Dilys"
)
MAIL = MailFacts("Dilys Pugh", "dilys@house.example", "Joseph Amadi", "Lift in building C", TEXT)
FACTS = (
    ("2,400 EUR", "2400 euros"),
    ("Friday 6 March", "6 March"),
    ("lift",),
    ("control board",),
    ("approve", "approval"),
)


def read(text: str, facts: tuple[tuple[str, ...], ...] = FACTS) -> SummaryReading:
    return read_summary(text, MAIL, facts)


def test_a_good_summary_has_all_of_it() -> None:
    reading = read("Dilys needs approval by 6 March for a 2,400 EUR control board, so that the broken lift runs again.")
    assert (reading.carried, reading.short, reading.original, reading.quality) == (1.0, 1.0, 1.0, 1.0)


def test_facts_count_one_by_one_and_by_value() -> None:
    reading = read("The lift is broken and the board costs €2400.")
    assert reading.carried == pytest.approx(2 / 5)
    assert reading.notes["carried"] == "lacks Friday 6 March, control board, approve"


def test_a_denied_fact_is_not_carried() -> None:
    assert read("Joseph need not approve anything, he does not approve it.", (("approve",),)).carried == 0.0


@pytest.mark.parametrize("words", [24, 36, 48])
def test_beyond_a_quarter_of_the_mail_it_falls_to_nothing_at_half(words: int) -> None:
    # the mail has 98 words: room for 24; at 36 words 2 - 36/24 = .5, at 48 nothing
    assert len(TEXT.split()) == 98
    assert read(" ".join(["lift"] * words)).short == pytest.approx({24: 1.0, 36: 0.5, 48: 0.0}[words])


def test_a_short_mail_leaves_room_for_twenty_words() -> None:
    mail = MailFacts("Ann", "", "Bo", "Lunch", "Lunch at noon?")
    assert read_summary("Ann asks Bo whether they could have lunch together at noon.", mail, (("lunch",),)).short == 1.0


@pytest.mark.parametrize(
    "text",
    [
        "",
        "\u200b ",
        TEXT,
        TEXT.partition(". ")[0],
        "The lift in building C has been out of order since Monday, and the tenants on the upper floors are",
        MAIL.subject,
        "lift control board 2,400 EUR Friday 6 March approve",
        "Lift, control board, 2,400 EUR, 6 March, approve.",
        "This e-mail is about something important that needs your attention.",
        "a" * 100_000,
        "The lift needs approval. " * 200,
    ],
)
def test_copies_lists_and_empty_words_earn_little(text: str) -> None:
    assert read(text).quality < 0.15


def test_a_copied_stretch_takes_off_by_its_length() -> None:
    # ten words in a row are the message's: (14 - 10) / (14 - 6)
    text = "In short, Dilys says: the lift in building C has been out of order, and we must quickly buy one spare part."
    assert read(text).original == pytest.approx(0.5)


def test_without_facts_it_must_speak_of_the_message() -> None:
    assert read("The tenants complain about the broken lift.", ()).carried == 1.0
    assert read("It is a nice day for a walk outside.", ()).quality == 0.0
