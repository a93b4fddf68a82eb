"""The matcher against cases written by hand, and what it promises of any text."""

import functools
from datetime import date

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tests.rubrics.answer_cases import DEVELOPMENT, HELD_OUT, HELD_OUT_AGAIN, MET_LATER, AnswerCase
from tests.timing import computed_soon

from mailgym.rubrics.answers import ANSWER_TYPES, is_dont_know, match_answer

CASES = [*DEVELOPMENT, *HELD_OUT, *MET_LATER, *HELD_OUT_AGAIN]
NAMES = {"R": "right", "W": "wrong", "U": "unsure"}
# Right and wrong answers on which the rules may end; every one of them is a reason to ask a judge.
UNDECIDED = {
    ("Alice came", "3"),
    ("Tom asked for June 1, but Dana insisted on June 8.", "June 8"),
    ("Monday, Wednesday, Thursday and Friday", "Mon, Wed, Fri"),
    ("It costs nothing", "I don't know"),
    ("The price per unit is $12.50; for 200 units that makes $2,500.", "$12.50"),
    ("There were 11 at first, but two cancelled, so 9 are left.", "9"),
    ("The contract has no end date", "I don't know"),
    ("the ninth", "June 9"),
    ("Gas Daily", "the Gas Daily index"),
}


@functools.cache
def verdict(case: AnswerCase) -> str:
    return match_answer(case.given, case.right, case.answer_type, case.question).verdict


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.given[:40]!r} for {case.right[:20]!r}")
def test_the_verdict_is_a_careful_readers(case: AnswerCase) -> None:
    expected = "unsure" if (case.given, case.right) in UNDECIDED else NAMES[case.verdict]
    assert verdict(case) == expected


def test_the_table_is_large_and_seldom_undecided() -> None:
    verdicts = [verdict(case) for case in CASES]
    assert len(CASES) >= 550
    assert verdicts.count("unsure") < 0.10 * len(CASES)
    assert {case.answer_type for case in CASES} == {*ANSWER_TYPES, ""}
    for answer_type in ANSWER_TYPES:
        assert {case.verdict for case in CASES if case.answer_type == answer_type} >= {"R", "W"}


@pytest.mark.parametrize("case", [case for case in CASES if case.verdict == "R"], ids=lambda case: case.right[:30])
def test_the_right_answer_is_right_for_itself(case: AnswerCase) -> None:
    assert match_answer(case.right, case.right, case.answer_type, case.question).verdict == "right"


NOISE = [
    lambda text: f"  {text}  ",
    lambda text: f"{text}.",
    lambda text: f'"{text}"',
    lambda text: f"**{text}**",
    lambda text: f"`{text}`",
    lambda text: f"Answer: {text}",
    lambda text: f"The answer is: {text}",
    lambda text: text.replace(" ", "  "),
    lambda text: text.replace(" ", "\u00a0"),
    lambda text: text.replace("'", "\u2019").replace(" - ", " \u2013 "),
    lambda text: f"{text} [1]",
    lambda text: f"{text} <CAF123.45@mail.ember.example>",
    lambda text: text.replace("a", "\uff41", 1),
    lambda text: text.replace(" ", " \u200b", 1),
]


@pytest.mark.parametrize("number", range(len(NOISE)))
def test_formatting_changes_no_verdict_on_either_side(number: int) -> None:
    noise = NOISE[number]
    changed = [
        (case, side)
        for case in CASES[number % 5 :: 5]
        if case.given
        for side, found in (
            ("given", match_answer(noise(case.given), case.right, case.answer_type, case.question)),
            ("right", match_answer(case.given, noise(case.right), case.answer_type, case.question)),
        )
        if found.verdict != verdict(case)
    ]
    assert changed == []


PARTS = (
    "not no or and to from moved May 14 3pm $500 12 Thursday next Dana Whitfield yes never half dozen million but now"
    " was instead of a week 2001 5/6 ; ( ) the 14th one don't know about more than Room 4B"
)
texts = st.one_of(
    st.text(max_size=60),
    st.text(alphabet="0123456789 .,:/-$€%apm\n", max_size=40),
    st.lists(st.sampled_from(PARTS.split()), max_size=14).map(" ".join),
)


@given(texts, texts, st.sampled_from(["", "nonsense", *ANSWER_TYPES]), texts, st.sampled_from([None, date(2001, 5, 9)]))
@settings(max_examples=300, deadline=None)
@example("", "", "", "", None)
@example("99/99/9999", "31 February 2001", "date", "", date(2001, 12, 31))
@example("9" * 400, "9" * 400 + "1", "amount", "", None)
@example("25:99", "24:60 pm", "time", "", None)
@example("½½½", "¾", "count", "how many", None)
@example("@@@", "a@b.c", "name", "", None)
@example("İİİ May 3", "ß", "text", "", None)
def test_it_never_raises_and_always_says_why(
    said: str, right: str, answer_type: str, question: str, today: date | None
) -> None:
    match = match_answer(said, right, answer_type, question, today)
    assert match.verdict in ("right", "wrong", "unsure")
    assert match.note
    assert isinstance(is_dont_know(said), bool)


@given(texts, st.sampled_from(ANSWER_TYPES[:-1]))
@settings(max_examples=100, deadline=None)
def test_an_answer_is_never_wrong_for_itself(text: str, answer_type: str) -> None:
    assert match_answer(text, text, answer_type).verdict != "wrong"


@given(st.integers(0, 10**9), st.integers(0, 10**9))
@settings(max_examples=100, deadline=None)
def test_two_numbers_are_the_same_answer_or_not(a: int, b: int) -> None:
    for one, other in ((f"{a:,}", str(b)), (str(a), f"{b:,}"), (f"It was {a:,}.", str(b))):
        assert match_answer(one, other, "count").verdict == ("right" if a == b else "wrong")


@given(st.dates(date(1990, 1, 1), date(2049, 12, 31)), st.dates(date(1990, 1, 1), date(2049, 12, 31)))
@settings(max_examples=100, deadline=None)
def test_two_dates_are_the_same_answer_or_not(a: date, b: date) -> None:
    forms = ["%Y-%m-%d", "%B %d, %Y", "%d %b %Y", "%A, %d %B %Y", "%d.%m.%Y", "the %dth of %B, %Y"]
    for form in forms:
        found = match_answer(a.strftime(form), b.isoformat(), "date").verdict
        assert found == ("right" if a == b else "wrong") or (form == "%d.%m.%Y" and a.day <= 12 and found == "unsure")


@given(st.integers(0, 1439), st.integers(0, 1439))
@settings(max_examples=100, deadline=None)
def test_two_times_are_the_same_answer_or_not(a: int, b: int) -> None:
    hour, minute = divmod(a, 60)
    for form in (f"{hour:02}:{minute:02}", f"{hour % 12 or 12}:{minute:02} {'am' if hour < 12 else 'pm'}"):
        found = match_answer(form, f"{b // 60:02}:{b % 60:02}", "time").verdict
        if a == b:
            assert found == "right"
        elif (a - b) % 720:
            assert found == "wrong"
        else:
            assert found != "right"


CHANGES = [
    "It was moved from {old} to {new}.",
    "Originally {old}, it is now {new}.",
    "It is {new}, not {old}.",
    "not {old} but {new}",
    "{new} instead of {old}",
    "{old} -> {new}",
    "It is no longer {old}; it is {new} now.",
    "It changed from {old} to {new} last month",
]


@given(st.sampled_from(CHANGES), st.data())
@settings(max_examples=200, deadline=None)
def test_of_two_values_the_one_that_holds_counts(change: str, data: st.DataObject) -> None:
    answer_type = data.draw(st.sampled_from(["date", "time", "amount", "count"]))
    a, b = data.draw(st.lists(st.integers(1, 27), min_size=2, max_size=2, unique=True))
    old, new = (
        {"date": f"May {n}", "time": f"{n % 24:02}:{n:02}", "amount": f"${n * 100:,}", "count": str(n)}[answer_type]
        for n in (a, b)
    )
    said = change.format(old=old, new=new)
    assert match_answer(said, new, answer_type).verdict == "right"
    assert match_answer(said, old, answer_type).verdict == "wrong"


@given(
    st.sampled_from(["{a} or {b}", "either {a} or {b}", "{a}, or maybe {b}", "It is {a} or possibly {b}."]), st.data()
)
@settings(max_examples=100, deadline=None)
def test_offering_two_values_is_wrong_for_either(hedge: str, data: st.DataObject) -> None:
    answer_type = data.draw(st.sampled_from(["date", "amount", "count", "name"]))
    numbers = data.draw(st.lists(st.integers(1, 27), min_size=2, max_size=2, unique=True))
    people = ["Dana Whitfield", "Tom Becker", "Ines Vance"]
    forms = {"date": "May {}", "amount": "${}00", "count": "{}"}
    values = (
        [forms[answer_type].format(n) for n in numbers] if answer_type in forms else data.draw(st.permutations(people))
    )
    said = hedge.format(a=values[0], b=values[1])
    for right in values[:2]:
        assert match_answer(said, right, answer_type, "Which one?").verdict == "wrong"


PIECES = (
    "1 |1,|1|lorem ipsum dolor sit |May 3, |Dana Smith, |not |(|a| |\n- x|a or |twenty |one and |3 to |a@|a.b-"
    "|'\"*_|moved from Tuesday to |i don't know |A|Ab |5-|$|the 4th |a hour |it is not |it w w w |n't |<a|[1]|½"
    "|3pm |1:30 |$5 or |word days |1.|,"
)


@pytest.mark.parametrize("answer_type", [*ANSWER_TYPES, ""])
def test_no_long_answer_takes_long(answer_type: str) -> None:
    rights = {"amount": "$500", "count": "3", "date": "May 14", "time": "3pm", "list": "a, b and c", "yes_no": "Yes"}
    right = rights.get(answer_type, "Dana Whitfield")
    for piece in PIECES.split("|"):
        for characters, usual_s in ((2_000, 0.2), (10_000, 0.05)):
            text = (piece * characters)[:characters]
            computed_soon(
                functools.partial(match_answer, text, right, answer_type, "How many people came to the call?"), usual_s
            )


def test_answers_too_long_to_read_are_left_to_the_judge() -> None:
    assert match_answer("Thursday " * 1_000, "Thursday", "date").verdict == "unsure"
    assert match_answer("Thursday", "Thursday " * 1_000, "date").verdict == "unsure"


def test_a_dump_of_values_is_not_right() -> None:
    every_day = ", ".join(f"May {day}" for day in range(1, 32))
    assert match_answer(every_day, "May 14", "date").verdict != "right"
    every_number = " ".join(map(str, range(60)))
    assert match_answer(every_number, "14", "count").verdict != "right"


def test_nothing_is_right_where_there_is_no_right_answer() -> None:
    assert match_answer("Thursday", "", "date").verdict == "unsure"
    assert match_answer("Thursday", " .. ", "date").verdict == "unsure"


TODAY = date(2001, 5, 9)  # a Wednesday


@pytest.mark.parametrize(
    ("given_answer", "right", "expected"),
    [
        ("today", "May 9", "right"),
        ("tomorrow", "2001-05-10", "right"),
        ("tomorrow at 3pm", "May 10", "right"),
        ("yesterday", "May 8", "right"),
        ("the day after tomorrow", "May 11", "right"),
        ("tomorrow", "May 11", "wrong"),
        ("this Friday", "May 11, 2001", "right"),
        ("next Tuesday", "May 15", "right"),
        ("next Friday", "May 11", "unsure"),  # of this week, or the one of next
        ("next Friday", "May 18", "unsure"),
        ("next Friday", "May 12", "wrong"),
        ("next Tuesday", "May 16", "wrong"),
        ("last Friday", "May 4", "right"),
        ("in two days", "May 11", "right"),
        ("a week ago", "May 2", "right"),
        ("3 days ago", "May 6", "right"),
        ("in a few days", "May 11", "unsure"),
        ("next week", "May 15", "unsure"),
        ("on Friday", "May 11, 2001", "right"),
        ("on Friday", "June 8, 2001", "unsure"),  # a Friday, and not the next one
        ("on Friday", "May 10, 2001", "wrong"),
        ("May 10", "tomorrow", "right"),
    ],
)
def test_relative_dates_count_from_the_day_of_the_question(given_answer: str, right: str, expected: str) -> None:
    assert match_answer(given_answer, right, "date", today=TODAY).verdict == expected


def test_without_a_day_relative_dates_are_left_open() -> None:
    assert match_answer("tomorrow", "tomorrow", "date").verdict == "right"
    assert match_answer("tomorrow", "May 10", "date").verdict == "unsure"


@pytest.mark.parametrize(
    "text",
    [
        *(case.given for case in CASES if case.answer_type == "unknown" and case.verdict == "R"),
        "I don't have the answer.",
        "I'm unable to find the hotel in the emails.",
        "Your mailbox does not contain this.",
        "dunno",
        "The search returned no results, so I don't know.",
    ],
)
def test_not_knowing_is_seen_in_any_form(text: str) -> None:
    assert is_dont_know(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Thursday",
        "No",
        "I don't know whether Tom came, but it is 5",
        "I'm not sure, but I think it's Thursday.",
        "I know: Thursday",
        "The price is unknown to Tom, but it is $5",
        "The venue is not available on Friday",
        "Lunch is not included.",
        "The order was not confirmed.",
        "Dana didn't say yes",
    ],
)
def test_what_answers_is_no_not_knowing(text: str) -> None:
    assert not is_dont_know(text)
