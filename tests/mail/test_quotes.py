from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.timing import computed_soon

from mailgym.mail.quotes import split_quotes

OUTLOOK = "New.\n\n-----Original Message-----\nFrom: Dana\nSent: Monday\nTo: Bob\n\nOld."
OUTLOOK_BARE = "New.\n\nFrom: Dana Whitfield\nSent: Monday, May 14, 2001\nTo: Bob\nSubject: x\n\nOld."
NETSCAPE = "New.\n\nSubject: x\nDate: Mon, 14 May 2001\nFrom: Dana <d@x.example>\nTo: Bob\n\nOld."
NOTES = "New.\n\nDana Whitfield@ECT\n05/14/2001 10:00 AM\nTo: Bob Ray/HOU/ECT@ECT\ncc:  \nSubject: x\n\nOld."
NOTES_INDENTED = (
    "New.\n\n\tDana Whitfield\n\t05/14/2001 10:00 AM\n\t\t \n\t\t To: Bob Ray\n\t\t cc:\n\t\t Subject: x\n\nOld."
)
NOTES_ADDRESS = (
    'New.\n\n"Dana W" <d@x.example> on 05/14/2001 10:00:15 AM\nPlease respond to <d@x.example>\n'
    "To: Bob\ncc:  \nSubject: x\n\nOld."
)
NOTES_FROM = "New.\n\n\tFrom:  Dana   05/14/2001 10:00 AM\n\t\n\nTo: Bob\ncc:\nSubject: x\n\nOld."
NOTES_ONE_LINE = "New.\n\n\tDana W/ENRON 05/14/2001 10:00 AM \t   To: Bob Ray/HOU  cc:   Subject: x\n\nOld."
NOTES_NO_DATE = "New.\n\nTo: Bob Ray\ncc: Ann\nSubject: x\n\nOld."
FORWARDED = "New.\n---------------------- Forwarded by Dana/HOU/ECT on 12/11/99 ------\nOld."
APPLE = "New.\n\nOn Mon, 14 May 2001, Dana Whitfield\n<d@x.example> wrote:\n\nOld without marks."
BEGIN = "New.\n\nBegin forwarded message:\n\nOld."
GERMAN = "New.\n\nAm 14.05.2001 um 10:00 schrieb Dana:\nOld."
OLDER = [
    OUTLOOK, OUTLOOK_BARE, NETSCAPE, NOTES, NOTES_INDENTED, NOTES_ADDRESS, NOTES_FROM, NOTES_ONE_LINE, NOTES_NO_DATE,
    FORWARDED, APPLE, BEGIN, GERMAN,
]  # fmt: skip
LIST_FOOTER = "_______________________________________________\nPumps mailing list\nPumps@lists.example.org"
USUAL_S = 1.5  # what grows faster than the text takes minutes
PIECES = [
    "", " ", "New.", "> old", ">", ">> older", "| old", ": old", "Dana> old", "-- ", "--", "-----Original Message-----",
    "---- Forwarded by Dana", "--- end forwarded text", "From: Dana", "Sent: Monday", "To: Bob", "cc: Ann",
    "Subject: x", "Date: 14 May 2001", "05/14/2001 10:00 AM", "On Mon, 14 May 2001, Dana", "<d@x.example> wrote:",
    "Dana wrote:", "[Dana Whitfield]", "Sent from my iPhone", "_" * 40, "http://x.example/mailman/listinfo/y",
    "Begin forwarded message:", "a line with a colon: here", "ends with one:", "*From:* Dana", "\ttabbed", "写道：",
    "\r", "D 05/14/2001 10:00 AM   To: Bob cc: Subject: x", "[snip]", "Pumps mailing list",
]  # fmt: skip


def lines_of(*texts):
    return Counter(line.strip() for text in texts for line in text.split("\n") if line.strip())


@pytest.mark.parametrize("text", OLDER)
def test_everything_below_the_older_message_begins_is_quoted(text):
    split = split_quotes(text)
    assert split.new_text == "New."
    assert "Old" in split.quoted_text


@pytest.mark.parametrize("text", OLDER)
def test_a_forwarded_message_to_which_nothing_was_written_has_no_new_text(text):
    split = split_quotes(text.removeprefix("New.\n").lstrip("\n"))
    assert split.new_text == ""
    assert "Old" in split.quoted_text


def test_answers_between_quoted_lines_are_new():
    split = split_quotes("On Monday, Dana wrote:\n> first?\nYes.\n> second?\nNo.")
    assert split.new_text == "Yes.\nNo."
    assert split.quoted_text == "On Monday, Dana wrote:\n> first?\n> second?"


@pytest.mark.parametrize(
    "introduction",
    [
        "Once upon a time, Dana wrote :",
        "[Dana Whitfield]",
        "Dana (d@x.example) wrote*:",
        "At 4:34 PM -0400 on 10/2/02, D. Whitfield wrote:",
        "Dana wrote a piece of code:",
        "Quoting Dana <d@x.example>:",
        "On Tue, Aug 13, 2002 at 01:40:21AM +0200, Dana mentioned:",
    ],
)
def test_what_introduces_marked_lines_is_quoted_with_them(introduction):
    split = split_quotes(f"Hello.\n\n{introduction}\n> old\n\nNew.")
    assert split.new_text == "Hello.\n\n\nNew."
    assert split.quoted_text == f"{introduction}\n> old"


def test_a_sentence_above_marked_lines_stays_new():
    assert split_quotes("I think you are right here.\n> old").new_text == "I think you are right here."
    assert split_quotes("Two things\n\n\n\n> old").new_text == "Two things"
    assert split_quotes(f"{'a' * 400}:\n> old").new_text == f"{'a' * 400}:"


@pytest.mark.parametrize(("remark", "new"), [("[snipped]", "New."), ("(cut)", "(cut)\n\nNew.")])
def test_text_below_an_attribution_is_new_where_marked_lines_follow_a_remark(remark, new):
    split = split_quotes(f"On Mon, 19 Aug 2002, Dana <d@x.example> wrote:\n\n{remark}\n> Old.\n\nNew.")
    assert split.new_text == new


@pytest.mark.parametrize(
    ("quoted", "is_quote"),
    [
        ("Dana> first\nDana> second", True),
        ("Dana> alone", False),
        ("    >> deep", True),
        ("             > code", False),
        ("| one\n| two\n| three", True),
        ("Dana wrote:\n| one\n| two", True),
        ("| a | b |\n| c | d |\n| e | f |", False),
        ("| one\n| two", False),
        ("Dana wrote:\n: one\n: two", True),
        (": one\n: two\n: three", False),
    ],
)
def test_marks_other_than_the_usual_one_quote_only_where_several_stand_together(quoted, is_quote):
    split = split_quotes(f"{quoted}\n\nNew.")
    assert split.new_text == ("New." if is_quote else f"{quoted}\n\nNew.".strip())


def test_answers_below_a_marked_original_message_are_new():
    split = split_quotes("----- Original Message -----\nFrom: Dana\nSent: Monday\n\n> old\n\nNew.")
    assert split.new_text == "New."


def test_text_after_the_end_of_a_forwarded_message_is_new():
    split = split_quotes("Look:\n\n--- begin forwarded text\n\nOld.\n\n--- end forwarded text\n\nNew.")
    assert split.new_text == "Look:\n\n\nNew."
    assert split.quoted_text == "--- begin forwarded text\n\nOld.\n\n--- end forwarded text"


def test_the_rule_above_a_header_belongs_to_it():
    split = split_quotes("New.\n\n________________________________\nFrom: Dana\nSent: Monday\n\nOld.")
    assert split.new_text == "New."


def test_the_signature_is_not_new():
    split = split_quotes("New.\n\n-- \nDana\n555-0100\n\n> old")
    assert split.new_text == "New."
    assert "555-0100" in split.quoted_text


def test_a_marked_signature_may_be_long():
    signature = "-- \n" + "\n".join(f"verse {number}" for number in range(30))
    assert split_quotes(f"New.\n\n{signature}").new_text == "New."


def test_a_pgp_signature_without_end_stays():
    text = "New.\n-----BEGIN PGP SIGNATURE-----\nabc"
    assert split_quotes(text).new_text == text


def test_dashes_far_above_the_end_are_no_signature():
    text = "\n".join(["intro", "--", *(f"item {i}" for i in range(30))])
    assert split_quotes(text).new_text == text


@pytest.mark.parametrize(
    "tail",
    [
        LIST_FOOTER,
        "http://lists.example.org/mailman/listinfo/pumps",
        f"-- \nDana\n555-0100\n{LIST_FOOTER}",
        f"----------------------------------------\nThis sf.net email is sponsored by: Pumps\n{LIST_FOOTER}",
        f"-- \nDana\n\n-- \nThe pump users' group\n{LIST_FOOTER}\n\nSent from my iPhone",
        "-----BEGIN PGP SIGNATURE-----\nVersion: 1\n\niD8DBQE\n=ZdI+\n-----END PGP SIGNATURE-----",
        "------------------------ Yahoo! Groups Sponsor ---------------------~-->\nFree pumps\n"
        "---------------------------------------------------------------------~->\n\n"
        "To unsubscribe from this group, send an email to:\npumps-unsubscribe@groups.example\n\n"
        "Your use of Yahoo! Groups is subject to http://docs.example/terms",
        "**********************\nThis e-mail may contain confidential material for the intended recipient.",
    ],
)
def test_footers_are_not_new_however_many_stand_below_each_other(tail):
    split = split_quotes(f"New.\nMore.\n\n{tail}\n")
    assert split.new_text == "New.\nMore."
    assert lines_of(split.quoted_text) == lines_of(tail)


@pytest.mark.parametrize(
    "text",
    [
        "On Monday we meet.\nTo: be clear\nno subject here",
        "From: now on we pay cash.\nSecond line",
        "From: Houston\nTo: Dallas\nDate: May 14\n\nSee you there.",
        "To: do list\n\nbuy paper",
        "Total\n--------------------\n42 pumps",
        "On Monday he wrote about three things:\n\nfirst, second, third",
        "Agenda:\n\n1. pumps\n2. pipes",
        "We cite:\n\n----\nsome text",
        "",
    ],
)
def test_ordinary_sentences_stay_new(text):
    assert split_quotes(text).new_text == text
    assert split_quotes(text).quoted_text == ""


@settings(max_examples=300, deadline=None)
@given(st.lists(st.one_of(st.sampled_from(PIECES), st.text(max_size=20)), max_size=30))
def test_no_line_is_lost_or_doubled(pieces):
    text = "\n".join(pieces)
    split = split_quotes(text)
    assert lines_of(split.new_text, split.quoted_text) == lines_of(text)


@settings(max_examples=40, deadline=None)
@given(st.lists(st.sampled_from(PIECES), min_size=1, max_size=4))
def test_no_pattern_of_lines_costs_more_than_its_length(pieces):
    pattern = "\n".join(pieces) + "\n"
    text = pattern * (50_000 // len(pattern))
    computed_soon(lambda: split_quotes(text), USUAL_S)


@pytest.mark.parametrize(
    "line", ["On and on\n", "From: x\n", "a:\n", "-- \n", "> a\n", "wrote: ", " ", "x\u00a0", "1/1/01 To: "]
)
def test_a_megabyte_takes_seconds_at_most(line):
    text = line * (1_000_000 // len(line))
    split = computed_soon(lambda: split_quotes(text), USUAL_S)
    assert lines_of(split.new_text, split.quoted_text) == lines_of(text)
