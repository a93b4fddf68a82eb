import pytest
from tests.timing import computed_soon

from mailgym.mail.sentence import best_sentence, split_sentences

LETTER = """Hi Maya,

thanks for the call. The flight to Denver leaves on Tuesday at 7:45 from gate 12, and the one back on
Thursday at noon. Please bring the contract.

- hotel: Harbour Inn
- price: $1,200

> Did you book the flight to Denver?
> Dana
"""


def test_a_letter_is_split_at_full_stops_blank_lines_and_short_lines() -> None:
    assert split_sentences(LETTER) == [
        "Hi Maya,",
        "thanks for the call.",
        "The flight to Denver leaves on Tuesday at 7:45 from gate 12, and the one back on Thursday at noon.",
        "Please bring the contract.",
        "- hotel: Harbour Inn",
        "- price: $1,200",
        "Did you book the flight to Denver?",
        "Dana",
    ]
    assert split_sentences("At 3 p.m. we meet.\r\n\r\n \r\nBye") == ["At 3 p.m. we meet.", "Bye"]
    assert split_sentences(" \n\n") == []


@pytest.mark.parametrize(
    ("said", "asked", "sentence"),
    [
        (
            "Tuesday, 7:45",
            "When does my flight to Denver leave?",
            "The flight to Denver leaves on Tuesday at 7:45 from",
        ),
        ("$1,200", "What does it cost?", "- price: $1,200"),
        ("the Harbour Inn", "Where do I stay?", "- hotel: Harbour Inn"),
        ("no", "Did you book a flight to Denver?", "Did you book the flight to Denver?"),
        ("contracts", "", "Please bring the contract."),
        ("zebra", "xylophone", "Hi Maya,"),
    ],
)
def test_the_sentence_that_says_it_is_found(said: str, asked: str, sentence: str) -> None:
    assert best_sentence(LETTER, said, asked).startswith(sentence)


def test_a_long_sentence_is_cut_to_where_the_words_stand() -> None:
    text = "word " * 200 + "the answer is zebra " + "word " * 200
    found = best_sentence(text, "zebra")
    assert "zebra" in found
    assert len(found) <= 300 + 4
    assert best_sentence("-- \n***\n", "x") == ""
    assert best_sentence("", "x") == ""


@pytest.mark.parametrize("piece", ["> ", ". ", "a. B", "\n", " \n", "'\") "])
def test_time_is_bounded(piece: str) -> None:
    computed_soon(lambda: best_sentence(piece * (200_000 // len(piece)), "a", "b"), 1.5)
