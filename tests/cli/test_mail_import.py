import json
import os
import sys
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from tests.cli.conftest import DANA, TOM, raw_mail
from tests.cli.terminal import Terminal

from mailgym.cli.mail import bring
from mailgym.core.errors import SourceError
from mailgym.corpora.readers import detect, download
from mailgym.corpora.readers.source import SourceMessage, Unreadable

DATE = "Tue, 4 Mar 2025 09:00:00 +0000"
MAILS = tuple(
    raw_mail(f"m{n}@x.example", DATE, DANA, f"Note {n}", f"Hello {n}", to="Tom Becker <tom@ember.example>")
    for n in range(3)
)
MBOX = b"".join(
    b"From dana@x.example Tue Mar  4 09:00:00 2025\n" + raw.replace(b"\r\n", b"\n") + b"\n\n" for raw in MAILS
)
OWNER = ("--owner", "tom@ember.example")


class FakeSource:
    """A source of given items, which may fail at its end."""

    name = "fake"
    kind = "list of mails"

    def __init__(self, items: Any, failure: Exception | None = None, size_bytes: int | None = None) -> None:
        self.items, self.failure, self.size_bytes = items, failure, size_bytes

    def resume(self, marks: Mapping[str, str]) -> None:
        """Begin at the beginning."""

    def __iter__(self) -> Iterator[SourceMessage | Unreadable]:
        yield from self.items
        if self.failure is not None:
            raise self.failure


@pytest.fixture
def mbox(tmp_path: Path) -> Path:
    path = tmp_path / "tom.mbox"
    path.write_bytes(MBOX)
    return path


def use(monkeypatch: pytest.MonkeyPatch, source: FakeSource) -> None:
    monkeypatch.setattr(detect, "open_source", lambda text, *, by=None: source)


def test_every_message_is_counted_once_and_a_second_time_as_known(mailgym: Any, mbox: Path, tmp_path: Path) -> None:
    store = tmp_path / "store"
    first = mailgym("mail", "import", mbox, "--store", store, *OWNER)
    assert first.code == 0
    lines = first.out.splitlines()
    assert lines[0].startswith("tom (mbox): 3 messages read in ")
    assert lines[1] == "3 added, 0 duplicates, 0 skipped"
    assert f"next: mailgym mail search WORDS --store {store}" in lines
    assert f"or:   mailgym eval find --mailbox {store / 'tom.mailbox'}" in lines
    again = mailgym("mail", "import", mbox, "--store", store, "--json").data
    assert (again["read"], again["added"], again["duplicates"], again["skipped"]) == (3, 0, 3, {})
    (mailbox,) = again["mailboxes"]
    assert mailbox["file"] == str(store / "tom.mailbox")
    assert mailbox["addresses"] == ["tom@ember.example"]
    assert mailbox["owner_was_found"] is False
    assert mailbox["messages"] == 3


def test_an_owner_that_was_found_is_said_to_be(mailgym: Any, mbox: Path, tmp_path: Path) -> None:
    result = mailgym("mail", "import", mbox, "--store", tmp_path / "s", "--json").data["mailboxes"][0]
    assert result["owner_was_found"] is True
    out = mailgym("mail", "import", mbox, "--store", tmp_path / "t").out
    assert "(found)" in out
    assert "(found)" not in mailgym("mail", "import", mbox, "--store", tmp_path / "u", *OWNER).out


def test_a_name_of_its_own(mailgym: Any, mbox: Path, tmp_path: Path) -> None:
    assert mailgym("mail", "import", mbox, "--store", tmp_path / "s", "--name", "work", *OWNER).code == 0
    assert [path.name for path in (tmp_path / "s").iterdir()] == ["work.mailbox"]


def test_what_is_left_out_is_told_by_reason(mailgym: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    items = [SourceMessage(MAILS[0]), SourceMessage(b" \n"), Unreadable("a", "torn\x1b"), Unreadable("b", "torn\x1b")]
    use(monkeypatch, FakeSource(items))
    out = mailgym("mail", "import", "any", "--store", tmp_path / "s", *OWNER).out
    assert "1 added, 0 duplicates, 3 skipped" in out
    assert "  2 skipped: torn␛\n  1 skipped: empty" in out


def test_one_is_said_as_one(mailgym: Any, tmp_path: Path) -> None:
    (tmp_path / "one.eml").write_bytes(MAILS[0])
    lines = mailgym("mail", "import", tmp_path / "one.eml", "--store", tmp_path / "s", *OWNER).out.splitlines()
    assert lines[0].startswith("one (mail file): 1 message read in ")
    again = mailgym("mail", "import", tmp_path / "one.eml", "--store", tmp_path / "s").out.splitlines()
    assert again[1] == "0 added, 1 duplicate, 0 skipped"


def test_an_address_is_shown_whole_where_the_table_is_narrow(
    mailgym: Any, mbox: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    terminal, address = Terminal(), f"{'long-' * 9}name@ember.example"
    monkeypatch.setattr(sys, "stdout", terminal)
    monkeypatch.setenv("COLUMNS", "80")
    mailgym("mail", "import", mbox, "--store", tmp_path / "s", "--owner", address)
    rows = [line.split("│") for line in terminal.getvalue().splitlines() if line.startswith("│")]
    assert f"<{address}>" in "".join(row[2].strip() for row in rows)


def test_a_report_is_never_written_over_the_mail(mailgym: Any, tmp_path: Path) -> None:
    mail, store = tmp_path / "a.mbox", tmp_path / "s"
    mail.write_bytes(b"From x Mon May 14 10:00:00 2001\nFrom: a@x.example\nMessage-ID: <1@x>\n\nhello\n")
    before = mail.read_bytes()
    for report, why in ((mail, "is no report"), (tmp_path, "is no file"), (Path("/dev/null"), "is no file")):
        refused = mailgym("mail", "import", mail, "--store", store, "--report", report)
        assert (refused.code, refused.err.count("\n")) == (2, 1)
        assert why in refused.err
    assert mail.read_bytes() == before
    assert not store.exists()
    assert Path("/dev/null").is_char_device()
    for _ in range(2):  # over an older report it is
        assert mailgym("mail", "import", mail, "--store", store, "--report", tmp_path / "r.jsonl").code == 0


def test_a_report_names_every_message_and_is_there_only_when_all_is_done(
    mailgym: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    items = [
        SourceMessage(MAILS[0], origin="box#1"),
        SourceMessage(MAILS[0], origin="box#2"),
        Unreadable("box#3", "torn"),
    ]
    use(monkeypatch, FakeSource(items))
    report = tmp_path / "reports" / "import.jsonl"
    result = mailgym("mail", "import", "any", "--store", tmp_path / "s", "--report", report, *OWNER)
    assert f"what became of each message: {report}" in result.out
    records = [json.loads(line) for line in report.read_text().splitlines()]
    assert sorted((one["origin"], one["outcome"], one["message_id"]) for one in records) == [
        ("box#1", "added", "m0@x.example"),
        ("box#2", "duplicate", "m0@x.example"),
        ("box#3", "skipped", ""),
    ]
    assert {one["mailbox"] for one in records} == {"fake"}
    use(monkeypatch, FakeSource(items, SourceError("the source broke off: try again")))
    failed = mailgym("mail", "import", "any", "--store", tmp_path / "t", "--report", tmp_path / "no.jsonl", *OWNER)
    assert failed.code == 2
    assert "the source broke off" in failed.err
    assert not (tmp_path / "no.jsonl").exists()
    assert [path.name for path in report.parent.iterdir()] == ["import.jsonl"]


def test_a_dry_run_counts_against_what_is_there_and_writes_nothing(mailgym: Any, mbox: Path, tmp_path: Path) -> None:
    store = tmp_path / "s"
    out = mailgym("mail", "import", mbox, "--store", store, "--dry-run", *OWNER).out
    assert "3 would be added, 0 duplicates" in out
    assert "next:" not in out
    assert not store.exists()
    mailgym("mail", "import", mbox, "--store", store, *OWNER)
    before = (store / "tom.mailbox").read_bytes()
    mbox.write_bytes(MBOX + MBOX.replace(b"m0@", b"new@").replace(b"Hello", b"Goodbye"))
    planned = mailgym("mail", "import", mbox, "--store", store, "--dry-run", "--json").data
    assert planned["dry_run"] is True
    assert (planned["added"], planned["duplicates"]) == (3, 3)
    assert planned["mailboxes"][0]["file"] == str(store / "tom.mailbox")
    assert (store / "tom.mailbox").read_bytes() == before
    assert [path.name for path in store.iterdir()] == ["tom.mailbox"]


def test_a_source_that_is_not_there(mailgym: Any) -> None:
    result = mailgym("mail", "import", "none.mbox")
    assert result.code == 2
    assert "none.mbox" in result.err
    assert result.err.count("\n") == 1
    assert not Path("store").exists()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("x.mbox", "--by", "week"), "--by is 'week'"),
        (("x.mbox", "--by", "address"), "--by address needs to know which"),
        (("x.mbox", "--by", "person", "--address", "a@x.example"), "go with --by address"),
        (("x.mbox", "--split", "art-x"), "art-x"),
        (("x.mbox", "--address", "dana"), "--address is 'dana'"),
        (("x.mbox", "--address", "a@x.example", "--owner", "b@x.example"), "leave out --owner and --name"),
        (("x.mbox", "--token-command", "get token"), "--token-command opens a mail account"),
        (("imaps://a@x.example", "--token-command", "a", "--password-command", "b"), "one of them"),
    ],
)
def test_options_that_do_not_go_together(mailgym: Any, arguments: tuple[str, ...], words: str) -> None:
    result = mailgym("mail", "import", *arguments)
    assert result.code == 2
    assert words in result.err
    assert not Path("store").exists()


def test_by_address_each_message_goes_to_everybody_asked_for_who_wrote_or_got_it(
    mailgym: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = raw_mail("o@x.example", DATE, TOM, "Other", "x", to="ines@ember.example")
    use(monkeypatch, FakeSource([SourceMessage(raw) for raw in (*MAILS, other)]))
    addresses = ("--address", "dana@ember.example", "--address", "tom@ember.example")
    data = mailgym("mail", "import", "any", "--store", tmp_path, "--by", "address", *addresses, "--json").data
    counts = {mailbox["mailbox"]: (mailbox["added"], mailbox["addresses"]) for mailbox in data["mailboxes"]}
    assert counts == {"dana": (3, ["dana@ember.example"]), "tom": (4, ["tom@ember.example"])}
    assert data["read"] == data["added"] == 4


def test_a_split_names_its_inboxes() -> None:
    by, inboxes = bring._parting(None, ["a@x.example"], "art-e:test")
    assert by == "address"
    assert len(inboxes) == 9
    assert inboxes["karen.denne@enron.com"] == "karen.denne"
    assert len(bring._parting("address", [], "art-e")[1]) == 28
    assert bring._parting("person", [], None) == ("person", {})


def test_a_command_for_the_secret_is_set_for_this_import_alone(
    mailgym: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MAILGYM_IMAP_PASSWORD", "hidden")
    seen = {}

    def open_source(text: str, *, by: str | None = None) -> FakeSource:
        seen.update({name: value for name, value in os.environ.items() if name.startswith("MAILGYM_IMAP")})
        return FakeSource([SourceMessage(MAILS[0])])

    monkeypatch.setattr(detect, "open_source", open_source)
    url = "imaps://a@x.example/INBOX"
    result = mailgym("mail", "import", url, "--store", tmp_path, "--token-command", "get token", *OWNER)
    assert result.code == 0
    assert seen == {"MAILGYM_IMAP_TOKEN_COMMAND": "get token"}
    assert os.environ["MAILGYM_IMAP_PASSWORD"] == "hidden"
    assert "MAILGYM_IMAP_TOKEN_COMMAND" not in os.environ


@pytest.mark.parametrize(("size_bytes", "shown"), [(1000, "100%"), (None, "3 mails")])
def test_the_bar_counts_messages_with_and_without_a_size(
    monkeypatch: pytest.MonkeyPatch, size_bytes: int | None, shown: str
) -> None:
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "100")
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    with bring.import_bar("importing a[b]") as progress:
        for messages in (1, 2, 3):
            progress(messages, 100 * messages, size_bytes)
    assert "importing a[b]" in terminal.getvalue()
    assert "3 mails" in terminal.getvalue()
    assert "mails/s" in terminal.getvalue()
    assert shown in terminal.getvalue()


def test_the_bar_costs_little_a_message(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = []
    monkeypatch.setattr(time, "perf_counter", lambda: 0.0)
    monkeypatch.setattr("rich.progress.Progress.update", lambda *_, **fields: calls.append(fields["counted"]))
    with bring.import_bar("x") as progress:
        for messages in range(1000):
            progress(messages, messages, 1000)
    assert len(calls) == 1, "shown once in a while, and at the end"


def test_enron_is_fetched(mailgym: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def get(folder: Path, progress: Any) -> Path:
        progress(5, 10)
        path = folder / "enron's.tar.gz"
        path.write_bytes(b"x" * 10)
        return path

    monkeypatch.setattr(download, "get_enron", get)
    lines = mailgym("mail", "get", "enron", "--to", tmp_path).out.splitlines()
    assert lines[0] == f"{tmp_path}/enron's.tar.gz: 10 bytes"
    assert lines[1].startswith("next: mailgym mail import '")
    data = mailgym("mail", "get", "enron", "--to", tmp_path, "--json").data
    assert data == {"file": str(tmp_path / "enron's.tar.gz"), "bytes": 10}
