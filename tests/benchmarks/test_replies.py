import sys
from pathlib import Path

import pytest
import replies as benchmark
from contestants.mails import write_mbox

from mailgym.mail.message import Address

ANSWERED = (
    "Tom, could you tell me by Friday whether the van for the site visit is booked, and who drives it? The plant needs "
    "all names at the gate."
)
HEAD = (
    "From: Tom Becker <tom@north.example>\nTo: Priya Nair <priya@north.example>\nDate: Mon, 9 Mar 2026 08:00:00 +0000\n"
)


def mail(subject: str, text: str, quoted: str) -> bytes:
    return f"{HEAD}Subject: {subject}\nMessage-ID: <{len(text)}@north.example>\n\n{text}\n\n{quoted}\n".encode()


QUOTED = f"-----Original Message-----\nFrom: Priya Nair\nSent: Friday\nTo: Tom Becker\nSubject: Van\n\n{ANSWERED}"
MAILS = [
    mail("Re: Van", "Priya,\n\nthe van is booked, and I will drive it myself on Friday.\n\nTom", QUOTED),
    mail("RE: Van", "ok", QUOTED),
    mail("Van", "The van is booked for the visit, and I will drive it on Friday myself.", QUOTED),
    mail("Re: Van", "The van is booked, and nobody else has asked for it so far.", "-----Original Message-----\n\nok?"),
]


@pytest.fixture
def mbox(tmp_path: Path) -> Path:
    write_mbox(tmp_path / "sent.mbox", MAILS)
    return tmp_path / "sent.mbox"


def test_replies_are_found_with_what_they_answer(mbox: Path) -> None:
    (pair,) = benchmark.find_pairs(benchmark.read_source(mbox))
    assert pair.reply.startswith("Priya,")
    assert pair.mail.text == ANSWERED
    assert (pair.mail.sender_name, pair.mail.owner_name, pair.mail.subject) == ("Priya Nair", "Tom Becker", "Van")


def test_quoted_lines_lose_their_marks() -> None:
    assert (
        benchmark.answered_text("On Monday, 9 March, Priya wrote:\n> Is it done?\n> Tell me.")
        == "Is it done?\nTell me."
    )


def test_who_has_no_name_is_named_by_the_address() -> None:
    assert benchmark.name_of(Address("", "tom.j.becker@north.example")) == "Tom Becker"
    assert benchmark.name_of(Address("Priya", "pn@north.example")) == "Priya"


def test_ties_count_for_half() -> None:
    assert benchmark.share_beaten([0.5, 0.5, 0.5, 0.5], [0.1, 0.5, 0.9, 0.2]) == 2.5 / 4


def test_the_table_is_printed(mbox: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys, "argv", ["replies.py", str(mbox), "--show", "1"])
    benchmark.main()
    lines = capsys.readouterr().out.splitlines()
    rows = {line.split(" | ")[0].removeprefix("| "): line.split(" | ") for line in lines if line.startswith("| ")}
    assert "1 replies found, 1 drawn" in lines
    assert set(rows) == {"1 messages", "---", "real replies", *benchmark.CHEATS}
    assert rows["echo"][-1].startswith("1.000")
    assert lines[-1] == "Tom"


def test_mail_without_replies_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_mbox(tmp_path / "none.mbox", MAILS[2:])
    monkeypatch.setattr(sys, "argv", ["replies.py", str(tmp_path / "none.mbox")])
    with pytest.raises(SystemExit, match="none of the messages is a reply"):
        benchmark.main()
