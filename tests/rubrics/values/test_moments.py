from datetime import date

import pytest

from mailgym.rubrics.values.dates import DateParts, find_dates, relate_dates, resolve
from mailgym.rubrics.values.moments import Moment, find_moments, relate_moments
from mailgym.rubrics.values.times import find_times, relate_times


def dates(text: str) -> list[tuple[int | None, int, int]]:
    return [(m.value.year, m.value.month, m.value.day) for m in find_dates(text)]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("2001-05-14", [(2001, 5, 14)]),
        ("May 14th, 2001", [(2001, 5, 14)]),
        ("the 14th of May", [(None, 5, 14)]),
        ("14 May '01", [(2001, 5, 14)]),
        ("12-May-01", [(2001, 5, 12)]),
        ("May fourteenth", [(None, 5, 14)]),
        ("14/5", [(None, 5, 14)]),
        ("5/14/99", [(1999, 5, 14)]),
        ("May 2001", [(2001, 5, 0)]),
        ("in May", [(None, 5, 0)]),
        ("it may rain on 14 may", [(None, 5, 14)]),
        ("a march of May 3", [(None, 5, 3)]),
        ("May 14-16", [(None, 5, 14), (None, 5, 16)]),
        ("May 3, 5 and 7", [(None, 5, 3), (None, 5, 5), (None, 5, 7)]),
        ("the 14th to the 18th of May", [(None, 5, 14), (None, 5, 18)]),
        ("Monday the 14th", [(None, 0, 14)]),
        ("1999", [(1999, 0, 0)]),
        ("5/6 and 13/13", [(None, 5, 6)]),
        ("$2,001 for 14 people", []),
        ("the 3rd floor on 5th Avenue", []),
        ("192.168.10.12", []),
        ("she sat in the sun", []),
        ("", []),
    ],
)
def test_dates_are_read(text: str, found: list[tuple[int | None, int, int]]) -> None:
    assert dates(text) == found


def test_weekday_date_and_year_that_touch_are_one() -> None:
    (mention,) = find_dates("Thursday (17 May), 2001")
    assert mention.value == DateParts(2001, ((5, 17),), 3)


def test_days_that_no_calendar_has_have_no_weekday() -> None:
    (mention,) = find_dates("February 30, 2001")
    assert mention.value.day_in_full() is None
    assert mention.value.known_weekday() is None


@pytest.mark.parametrize(
    ("right", "given", "relation"),
    [
        ("May 14, 2001", "May 14", "same"),
        ("May 14", "May 14, 2001", "same"),
        ("May 14, 2000", "May 14, 2001", "other"),
        ("May 14", "Monday, May 14", "same"),
        ("Monday, May 14, 2001", "Tuesday, May 14, 2001", "maybe"),
        ("Thursday", "Thursday, May 17", "same"),
        ("Thursday", "May 17, 2001", "maybe"),
        ("Thursday", "May 18, 2001", "other"),
        ("May 14", "the 14th", "maybe"),
        ("the 14th", "May 14", "same"),
        ("May", "May 14", "maybe"),
        ("June 5, 2001", "5/6/2001", "maybe"),
        ("May 6, 2001", "5/6/2001", "same"),
        ("June 5, 2001", "5.6.2001", "same"),
        ("Q2 2001", "May 2001", "maybe"),
        ("Q2 2001", "July 2001", "other"),
        ("Q2 2001", "second quarter", "same"),
        ("Q2", "Q3", "other"),
        ("2001", "2001", "same"),
        ("2001", "2002", "other"),
        ("2001", "May 2001", "maybe"),
        ("2001", "May", "none"),
        ("May 14", "2001", "maybe"),
        ("May 14", "next week", "maybe"),
        ("May 14, 2001", "next Tuesday", "other"),
        ("next week", "next week", "same"),
    ],
)
def test_dates_compared(right: str, given: str, relation: str) -> None:
    (one,), (other,) = find_dates(right), find_dates(given)
    assert relate_dates(one.value, other.value) == relation


@pytest.mark.parametrize(
    ("words", "expected"),
    [("in a week", date(2001, 5, 16)), ("three days ago", date(2001, 5, 6)), ("10 days from now", date(2001, 5, 19))],
)
def test_relative_days_are_counted(words: str, expected: date) -> None:
    assert resolve(words, date(2001, 5, 9)).day_in_full() == expected


def times(text: str, *, bare: bool = False) -> list[int]:
    return [m.value.minute for m in find_times(text, bare=bare)]


@pytest.mark.parametrize(
    ("text", "minutes"),
    [
        ("3pm", [900]),
        ("3 p.m.", [900]),
        ("15:00", [900]),
        ("3.30 pm", [930]),
        ("15h30", [930]),
        ("12am", [0]),
        ("12pm", [720]),
        ("noon and midnight", [720, 0]),
        ("half past three", [930]),
        ("quarter to noon", [705]),
        ("quarter past 4 pm", [975]),
        ("quarter to 4 pm", [945]),
        ("ten minutes to nine", [530]),
        ("5 past 8", [485]),
        ("eight o'clock", [480]),
        ("3 in the afternoon", [900]),
        ("8 in the evening", [1200]),
        ("9 at night", [1260]),
        ("three thirty pm", [930]),
        ("1530 hrs", [930]),
        ("3-4pm", [900, 960]),
        ("11 to 1pm", [660, 780]),
        ("10:30 - 11 am", [630, 660]),
        ("14:61, 25:00 and 3:5", []),
        ("ten to four people", []),
        ("1:2 on 3", []),
    ],
)
def test_times_are_read(text: str, minutes: list[int]) -> None:
    assert times(text) == minutes


@pytest.mark.parametrize(
    ("text", "minutes"),
    [
        ("3", [900]),
        ("at 9", [540]),
        ("by five", [1020]),
        ("at 3 people", []),
        ("ten to four", [950]),
        ("at nine thirty", [570]),
    ],
)
def test_numbers_are_times_where_a_time_is_asked_for(text: str, minutes: list[int]) -> None:
    assert times(text, bare=True) == minutes


@pytest.mark.parametrize(
    ("right", "given", "relation"),
    [
        ("3pm", "3:00", "same"),
        ("3am", "3:00", "maybe"),
        ("3:00", "3am", "same"),
        ("3am", "03:00", "same"),
        ("3pm", "03:00", "other"),
        ("3pm CST", "4pm EST", "same"),
        ("3pm CT", "3pm ET", "other"),
        ("3pm CST", "3pm CDT", "same"),  # people mix them up
        ("3pm PT", "11pm UTC", "maybe"),  # in winter
        ("3pm PT", "10pm UTC", "maybe"),  # in summer
        ("3pm PT", "9pm UTC", "other"),
        ("3pm PDT", "10pm UTC", "same"),
        ("3pm GMT+2", "1pm UTC", "same"),
        ("3pm +05:30", "9:30am UTC", "same"),
        ("3pm BST", "2pm GMT", "same"),
        ("3pm CET", "2pm GMT", "same"),
        ("3pm", "3pm CET", "same"),
    ],
)
def test_times_compared(right: str, given: str, relation: str) -> None:
    (one,), (other,) = find_times(right), find_times(given)
    assert relate_times(one.value, other.value) == relation


def test_a_date_and_a_time_that_touch_are_one_moment() -> None:
    for text in ("Thursday at 3pm", "3pm on Thursday", "Thursday, 3pm", "Thursday (15:00)", "3pm, Thursday"):
        (mention,) = find_moments(text)
        assert mention.value.date is not None
        assert mention.value.time is not None


def test_an_iso_date_with_time_is_one_moment() -> None:
    (mention,) = find_moments("2001-05-14T15:00")
    assert (mention.value.date, mention.value.time) != (None, None)
    assert mention.value.time is not None
    assert mention.value.time.minute == 900


def test_the_mails_own_date_stands_beside() -> None:
    text = "In the mail of May 3 it says May 14"
    assert [m.standing for m in find_moments(text)] == ["beside", "holds"]
    assert [m.standing for m in find_moments(text, "When was it sent?")] == ["holds", "holds"]
    assert [m.standing for m in find_moments("Dana's May 3 mail says May 14")] == ["beside", "holds"]


def test_parts_that_the_right_moment_lacks_say_nothing() -> None:
    (both,), (day,), (hour,) = find_moments("Thursday 3pm"), find_moments("Thursday"), find_moments("3pm")
    assert relate_moments(day.value, both.value) == "same"
    assert relate_moments(hour.value, both.value) == "same"
    assert relate_moments(both.value, day.value) == "maybe"
    assert relate_moments(day.value, hour.value) == "none"
    assert relate_moments(Moment(), both.value) == "none"


def test_limits_are_no_moments() -> None:
    (limit,), (day,) = find_moments("after Thursday"), find_moments("Friday")
    assert relate_moments(day.value, limit.value) == "maybe"
    (kept,) = find_moments("no later than Thursday")
    assert not kept.value.is_limit
