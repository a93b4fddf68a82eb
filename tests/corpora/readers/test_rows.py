from datetime import UTC, date, datetime, timedelta, timezone

import pytest

from mailgym.corpora.readers.rows import raw_message, read_time
from mailgym.mail.message import Address
from mailgym.mail.parse import parse_message

ROW = {
    "message_id": "<1.x@ember.example>",
    "subject": "Prüfung: the plan, again",
    "from": "dana@ember.example",
    "to": ["tom@ember.example", "Lee, Ines <ines@ember.example>", 'Jo "J" Ek <jo@ember.example>'],
    "cc": ["Zoë <zoe@ember.example>"],
    "bcc": [],
    "date": "2001-05-14 16:39:00",
    "body": "First line\n\nFrom here: „on“ 🙂\n",
}


def read(row):
    return parse_message(raw_message(row))


def test_a_row_reads_as_the_row_says():
    message = read(ROW)
    assert message.message_id == "1.x@ember.example"
    assert message.subject == ROW["subject"]
    assert message.from_ == Address("", "dana@ember.example")
    assert message.to == (
        Address("", "tom@ember.example"),
        Address("Lee, Ines", "ines@ember.example"),
        Address('Jo "J" Ek', "jo@ember.example"),
    )
    assert message.cc == (Address("Zoë", "zoe@ember.example"),)
    assert message.bcc == ()
    assert message.date == datetime(2001, 5, 14, 16, 39, tzinfo=UTC)
    assert message.text.strip() == ROW["body"].strip()
    assert message.defects == ()


def test_values_that_are_missing_or_odd_break_no_header():
    message = read({"subject": "a\r\nBcc: evil@x.example\x00b", "to": "a@x.example, b@x.example", "body": None})
    assert message.subject == "a Bcc: evil@x.example b"
    assert [person.address for person in message.to] == ["a@x.example", "b@x.example"]
    assert message.bcc == ()
    assert message.text == ""


@pytest.mark.parametrize(
    ("written", "name", "address"),
    [
        ("<a@x.example>", "", "a@x.example"),
        ('"Lee, Ines" <i@x.example>', "Lee, Ines", "i@x.example"),
        ("Lee, Ines", "Lee, Ines", ""),
        ("a@x.example <a@x.example>", "a@x.example", "a@x.example"),
    ],
)
def test_people_are_written_as_headers_write_them(written, name, address):
    person = read({"from": written, "subject": "s"}).from_
    assert (person.name in (name, ""), person.address) == (True, address)


@pytest.mark.parametrize(
    "value",
    [
        "2001-05-14T10:00:00+02:00",
        "2001-05-14T08:00:00Z",
        "2001-05-14 08:00:00",
        datetime(2001, 5, 14, 8),
        datetime(2001, 5, 14, 10, tzinfo=timezone(timedelta(hours=2))),
        989827200,
        989827200.0,
        989827200_000,
        989827200_000_000,
        989827200_000_000_000,
    ],
)
def test_times_of_every_writing_are_one(value):
    assert read_time(value) == datetime(2001, 5, 14, 8, tzinfo=UTC)
    assert read({"subject": "s", "date": value}).date == datetime(2001, 5, 14, 8, tzinfo=UTC)


def test_a_day_is_its_beginning_and_what_is_no_time_stays_as_it_is_written():
    assert read_time(date(2001, 5, 14)) == datetime(2001, 5, 14, tzinfo=UTC)
    assert read_time("soon") is read_time(None) is read_time(True) is read_time(float("nan")) is None
    assert b"Date: soon\n" in raw_message({"date": "soon"})
