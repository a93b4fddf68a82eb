import pytest

from mailgym.mail.quotes import split_quotes

OUTLOOK = "New.\n\n-----Original Message-----\nFrom: Dana\nSent: Monday\nTo: Bob\n\nOld."
OUTLOOK_BARE = "New.\n\nFrom: Dana Whitfield\nSent: Monday, May 14, 2001\nTo: Bob\nSubject: x\n\nOld."
NOTES = "New.\n\nDana Whitfield@ECT\n05/14/2001 10:00 AM\nTo: Bob Ray/HOU/ECT@ECT\ncc:  \nSubject: x\n\nOld."
FORWARDED = "New.\n---------------------- Forwarded by Dana/HOU/ECT on 12/11/99 ------\nOld."
APPLE = "New.\n\nOn Mon, 14 May 2001, Dana Whitfield\n<d@x.example> wrote:\n\nOld without marks."
BEGIN = "New.\n\nBegin forwarded message:\n\nOld."
GERMAN = "New.\n\nAm 14.05.2001 um 10:00 schrieb Dana:\nOld."


@pytest.mark.parametrize("text", [OUTLOOK, OUTLOOK_BARE, NOTES, FORWARDED, APPLE, BEGIN, GERMAN])
def test_everything_below_the_older_message_begins_is_quoted(text):
    split = split_quotes(text)
    assert split.new_text == "New."
    assert "Old" in split.quoted_text


def test_answers_between_quoted_lines_are_new():
    split = split_quotes("On Monday, Dana wrote:\n> first?\nYes.\n> second?\nNo.")
    assert split.new_text == "Yes.\nNo."
    assert split.quoted_text == "On Monday, Dana wrote:\n> first?\n> second?"


def test_the_signature_is_not_new():
    split = split_quotes("New.\n\n-- \nDana\n555-0100\n\n> old")
    assert split.new_text == "New."
    assert "555-0100" in split.quoted_text


def test_dashes_far_above_the_end_are_no_signature():
    text = "\n".join(["intro", "--", *(f"item {i}" for i in range(30))])
    assert split_quotes(text).new_text == text


@pytest.mark.parametrize(
    "text",
    [
        "On Monday we meet.\nTo: be clear\nno subject here",
        "From: now on we pay cash.\nSecond line",
        "To: do list\n\nbuy paper",
        "",
    ],
)
def test_ordinary_sentences_stay_new(text):
    assert split_quotes(text).new_text == text
    assert split_quotes(text).quoted_text == ""


def test_long_input_takes_linear_time():
    assert split_quotes("On and on\n" * 20_000).quoted_text == ""
