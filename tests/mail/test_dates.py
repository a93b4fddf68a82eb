import email.utils
from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mailgym.mail.dates import parse_date


def at(*parts: int) -> datetime:
    return datetime(*parts, tzinfo=UTC)  # type: ignore[misc,arg-type]


@pytest.mark.parametrize(
    ("value", "date"),
    [
        ("Mon, 14 May 2001 16:39:00 -0700 (PDT)", at(2001, 5, 14, 23, 39)),
        ("14 May 2001 16:39 +0000", at(2001, 5, 14, 16, 39)),
        ("mon, 14 may 2001 16:39:05 gmt", at(2001, 5, 14, 16, 39, 5)),
        ("Mon,14 May 2001 16:39:00 EST", at(2001, 5, 14, 21, 39)),
        ("Mon, 14 May 2001 16:39:00 CEST", at(2001, 5, 14, 14, 39)),
        ("14 May 01 10:00 GMT", at(2001, 5, 14, 10)),
        ("14 May 95 10:00 GMT", at(1995, 5, 14, 10)),
        ("Monday, 14-May-01 10:00:00 GMT", at(2001, 5, 14, 10)),
        ("Mon May 14 10:00:00 GMT 2001", at(2001, 5, 14, 10)),
        ("Mon May 14 10:00:00 2001 -0200", at(2001, 5, 14, 12)),
        ("May 14, 2001 10:00:00 PM PDT", at(2001, 5, 15, 5)),
        ("Mon, 14 May 2001 12:05:00 AM +0000", at(2001, 5, 14, 0, 5)),
        ("2001-05-14T10:00:00Z", at(2001, 5, 14, 10)),
        ("2001-05-14 10:00:00 +0100", at(2001, 5, 14, 9)),
        ("5/14/2001 10:00:00 GMT", at(2001, 5, 14, 10)),
        ("14/05/2001 10:00:00 GMT", at(2001, 5, 14, 10)),
        ("14.05.2001 10:00 GMT", at(2001, 5, 14, 10)),
        ("2001 May 14 10:00 GMT", at(2001, 5, 14, 10)),
        ("Mo, 14 Mai 2001 10:00:00 +0200", at(2001, 5, 14, 8)),
        ("mar., 14 août 2001 10:00:00 +0200", at(2001, 8, 14, 8)),
        ("Mon, 14 May 2001 10:00:60 +0000", at(2001, 5, 14, 10, 0, 59)),
        ("Mon, 14 May 2001 10:00:00 +-0500", at(2001, 5, 14, 15)),
        ("Mon, 14 May 2001 10:00:00 0530", at(2001, 5, 14, 4, 30)),
        ("Mon, 14 May 2001 10:00:00 +05:30", at(2001, 5, 14, 4, 30)),
        ("Mon, 14 May 2001 10:00:00.123 +0000", at(2001, 5, 14, 10)),
        ("Mon, 14 May 2001 10:00:00 (PDT)", at(2001, 5, 14, 17)),
        ("Mon, 14 May 101 10:00:00 +0000", at(2001, 5, 14, 10)),
        ("Mon, 14 May 0001 10:00:00 +0000", at(2001, 5, 14, 10)),
    ],
)
def test_dates_in_all_forms(value, date):
    assert parse_date(value) == (date, "")


@pytest.mark.parametrize(
    ("value", "date", "defect"),
    [
        ("Mon, 14 May 2001 10:00:00", at(2001, 5, 14, 10), "date has no zone: read as UTC"),
        ("Mon, 14 May 2001 10:00:00 XYZ", at(2001, 5, 14, 10), "date has an unknown zone: read as UTC"),
        ("Mon, 14 May 2001 10:00:00 +9900", at(2001, 5, 14, 10), "date has an impossible zone: read as UTC"),
        ("Mon, 14 May 2001 10:00:00 +0170", at(2001, 5, 14, 10), "date has an impossible zone: read as UTC"),
        ("14 May 2001", at(2001, 5, 14), "date has no zone: read as UTC"),
        ("1 Jan 1980 00:00:00 +0000", at(1980, 1, 1), "unlikely date: year 1980"),
        ("1 Jan 2222 00:00:00 +0000", at(2222, 1, 1), "unlikely date: year 2222"),
    ],
)
def test_odd_dates_are_kept_and_named(value, date, defect):
    assert parse_date(value) == (date, defect)


@pytest.mark.parametrize(
    "value",
    [
        "",
        "soon",
        "Mon, 32 Foo",
        "Mon, 32 May 2001 10:00:00 +0000",
        "31 Jun 2001 10:00:00 +0000",
        "14 May",
        "May 10:00:00",
        "May 14 10:00:00 +0000",
        "14 May 2001 25:00:00 +0000",
        "14 May 99999 10:00:00 +0000",
        "31 Dec 9999 23:00:00 -2300",
    ],
)
def test_what_holds_no_date_is_none(value):
    assert parse_date(value) == (None, f"date could not be read: {value!r}")


zones = st.integers(min_value=-14 * 60, max_value=14 * 60).map(lambda minutes: timezone(timedelta(minutes=minutes)))


@given(st.datetimes(min_value=datetime(1990, 1, 1), max_value=datetime(2090, 1, 1), timezones=zones))
def test_every_well_formed_date_is_read_as_it_was_written(moment):
    moment = moment.replace(microsecond=0)
    assert parse_date(email.utils.format_datetime(moment)) == (moment.astimezone(UTC), "")


@given(st.text(alphabet="MonMay 0123456789:+-(),/.TZ", max_size=40))
def test_no_text_breaks_it(value):
    date, defect = parse_date(value)
    assert date is not None or defect
