from datetime import datetime
from pathlib import Path

import pytest
from contestants import art_e
from contestants.art_e import Email

DAY = datetime(2001, 5, 14, 9, 30)


def mail(number: int, **changes: object) -> Email:
    values = {
        "message_id": f"<{number}@x.example>",
        "subject": f"Subject {number}",
        "from_": "dana@x.example",
        "to": ("lee@x.example",),
        "cc": (),
        "bcc": (),
        "date": DAY.replace(day=number),
        "body": f"The harvest report number {number}",
    }
    return Email(**{**values, **changes})  # type: ignore[arg-type]


@pytest.fixture
def database(tmp_path: Path) -> Path:
    path = tmp_path / "art_e.db"
    art_e.load(path, [mail(n) for n in range(1, 15)])
    return path


def test_a_mail_is_parsed_with_its_headers_decoded() -> None:
    parsed = art_e.parse(
        b"Message-ID: <1@x.example>\nFrom: Dana <dana@x.example>\nTo: lee@x.example, Ana <ana@x.example>\n"
        b"Cc: \nDate: Mon, 14 May 2001 02:30:00 -0700\nSubject: =?utf-8?q?caf=C3=A9?= today\n"
        b'Content-Type: multipart/mixed; boundary="b"\n\n--b\nContent-Type: text/plain; charset=latin-1\n\ncaf\xe9\n'
        b"--b\nContent-Type: application/pdf\nContent-Disposition: attachment\n\nno text\n--b--\n"
    )
    assert parsed == Email(
        message_id="<1@x.example>",
        subject="café today",
        from_="dana@x.example",
        to=("lee@x.example", "ana@x.example"),
        cc=(),
        bcc=(),
        date=DAY,
        body="café",
    )


def test_what_cannot_be_decoded_or_dated_stops_nothing() -> None:
    parsed = art_e.parse(b"From: a@x.example\nDate: some day\nContent-Type: text/plain; charset=none-such\n\n\xff\n")
    assert parsed.date is None
    assert parsed.body == "\ufffd\n"


def test_its_rules_leave_mails_out_and_each_is_counted(tmp_path: Path) -> None:
    mails = [
        mail(1),
        mail(2, body="x" * 5_001),
        mail(3, body="x" * 5_000),
        mail(4, cc=tuple(f"{n}@x.example" for n in range(30))),
        mail(5, cc=tuple(f"{n}@x.example" for n in range(29))),
        mail(6, subject="Subject 1", body="The harvest report number 1"),
        mail(7, date=None),
        mail(8, message_id="<1@x.example>"),
    ]
    assert art_e.load(tmp_path / "a.db", mails) == {
        "added": 3,
        "long body": 1,
        "many recipients": 1,
        "same subject, body and author": 1,
        "no date or author": 1,
        "same Message-ID": 1,
    }


def test_its_search_wants_all_words_and_gives_the_newest_ten(database: Path) -> None:
    search = art_e.Search(database)
    assert [hit[0] for hit in search(["harvest", "report"])] == [f"<{n}@x.example>" for n in range(14, 4, -1)]
    assert [hit[0] for hit in search(["harvest", "7"])] == ["<7@x.example>"]
    assert search(["harvest", "none"]) == []
    assert "<b>harvest</b>" in search(["harvest"])[0][1]
    search.close()


def test_its_filters_narrow(database: Path) -> None:
    search = art_e.Search(database)
    assert len(search(["harvest"], after="2001-05-13")) == 2
    assert [hit[0] for hit in search(["harvest"], before="2001-05-02")] == ["<1@x.example>"]
    assert search(["harvest"], from_="lee@x.example") == []
    assert len(search(["harvest"], to="lee@x.example")) == 10
    assert search(['quo"te'], from_="dana@x.example") == []
    search.close()
