import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from mailgym.cli.main import main
from mailgym.mail.store import MailboxWriter


class Outcome(NamedTuple):
    """What one command came to."""

    code: int
    out: str
    err: str

    @property
    def data(self) -> Any:
        """Standard output as JSON: it must be nothing else."""
        return json.loads(self.out)


Run = Callable[..., Outcome]


@pytest.fixture
def mailgym(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> Run:
    """Run a command in an empty folder with an empty cache, and return its code and what it printed."""
    monkeypatch.chdir(tmp_path_factory.mktemp("work"))
    monkeypatch.setenv("MAILGYM_CACHE", str(tmp_path_factory.mktemp("cache")))

    def run(*arguments: str | Path) -> Outcome:
        capsys.readouterr()
        code = main([str(argument) for argument in arguments])
        printed = capsys.readouterr()
        return Outcome(code, printed.out, printed.err)

    return run


def raw_mail(message_id: str, date: str, sender: str, subject: str, text: str, *more: str, to: str = "") -> bytes:
    """Return one message as mail programs send it; ``more`` are further header lines."""
    head = [f"Message-ID: <{message_id}>", f"Date: {date}", f"From: {sender}", f"To: {to or 'maya@ember.example'}"]
    return "\r\n".join([*head, f"Subject: {subject}", *more, "", *text.split("\n")]).encode()


DANA, TOM = "Dana Whitfield <dana@ember.example>", "Tom Becker <tom@ember.example>"
EVIL_ID = "evil@x.example"
EVIL_SUBJECT = "=?utf-8?q?=1b=5d0;owned=07=e2=80=ae_tfel_ot_thgir?="
EVIL_TEXT = "red \x1b[31mtext\x1b[0m \x9b2J\u202eback\u2066\x07 end\n[bold]not markup[/bold] :smile:"
MIXED = "Content-Type: multipart/mixed; boundary=b"
WITH_PLAN = """--b
Content-Type: text/plain

The plan for the harbour is attached.
--b
Content-Type: application/pdf
Content-Disposition: attachment; filename="plan.pdf"
Content-Transfer-Encoding: base64

JVBERi0xLjQK
--b--"""
ANSWER = """I agree with the harbour plan.

> The plan for the harbour is attached.
> Please say yes.
"""
MAYAS = (
    # folder, flags, raw
    (
        "inbox",
        ("seen",),
        raw_mail("plan-1@ember.example", "Tue, 4 Mar 2025 09:00:00 +0100", DANA, "Harbour plan", WITH_PLAN, MIXED),
    ),
    (
        "inbox",
        (),
        raw_mail(
            "plan-2@ember.example",
            "Wed, 5 Mar 2025 10:00:00 +0000",
            TOM,
            "Re: Harbour plan",
            ANSWER,
            "In-Reply-To: <plan-1@ember.example>",
            "References: <plan-1@ember.example>",
        ),
    ),
    (
        "sent",
        (),
        raw_mail(
            "-dash$1@ember.example",
            "Thu, 6 Mar 2025 10:00:00 +0000",
            "Maya Lind <maya@ember.example>",
            "Lunch",
            "Tapas at noon?",
            to=TOM,
        ),
    ),
    ("inbox", (), raw_mail(EVIL_ID, "Fri, 7 Mar 2025 10:00:00 +0000", DANA, EVIL_SUBJECT, EVIL_TEXT)),
)
TOMS = (
    ("inbox", (), raw_mail("tom-1@ember.example", "Sat, 8 Mar 2025 10:00:00 +0000", DANA, "Harbour dues", "400 euro.")),
    MAYAS[1],
)


def write_mailbox(path: Path, owner: str, mails: Any) -> Path:
    """Write a mailbox of these mails (folder, flags, raw)."""
    name = owner.partition("@")[0]
    with MailboxWriter(path, name, [owner], name.capitalize()) as writer:
        for folder, flags, raw in mails:
            writer.add(raw, folder, flags)
    return path


@pytest.fixture
def maya_store(tmp_path: Path) -> Path:
    """Return a store with Maya's mailbox alone."""
    store = tmp_path / "mayas"
    store.mkdir()
    write_mailbox(store / "maya.mailbox", "maya@ember.example", MAYAS)
    return store


@pytest.fixture
def two_store(maya_store: Path) -> Path:
    """Return a store with Maya's and Tom's mailboxes, which share one message."""
    write_mailbox(maya_store / "tom.mailbox", "tom@ember.example", TOMS)
    return maya_store
