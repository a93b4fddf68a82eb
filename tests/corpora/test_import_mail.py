import lzma
import sqlite3

import pytest

from mailgym.core.errors import SourceError, StoreError
from mailgym.corpora.import_mail import EMPTY_REASON, import_mbox
from mailgym.mail.mailbox import Mailbox
from mailgym.mail.store import MailboxWriter


def entry(number: int, folder: str, from_: str, to: str) -> bytes:
    return (
        f"From dana/{folder} Mon May 14 10:00:00 2001\nMessage-ID: <{number}@x>\nFrom: {from_}\nTo: {to}\n"
        f"Date: Mon, 14 May 2001 10:{number:02}:00 +0000\nSubject: s{number}\n\ntext {number}\n\n"
    ).encode()


DANA, BOB = "Dana Whitfield <dana@x.example>", "bob@x.example"
ENTRIES = [entry(1, "sent", DANA, BOB), entry(2, "inbox", BOB, DANA), entry(3, "inbox", BOB, DANA)]
EMPTY = b"From dana/inbox Mon May 14 10:00:00 2001\n\n\n"


@pytest.fixture
def source(tmp_path):
    path = tmp_path / "dana's mail.mbox.xz"
    path.write_bytes(lzma.compress(b"".join([*ENTRIES, ENTRIES[0], EMPTY])))
    return path


def test_every_message_is_counted_once(source, tmp_path):
    calls = []
    report = import_mbox(source, tmp_path / "store", progress=lambda done, total: calls.append((done, total)))
    assert report.path == tmp_path / "store" / "dana-s-mail.mailbox"
    assert (report.added, report.duplicates, report.skipped) == (3, 1, {EMPTY_REASON: 1})
    assert report.total == 5
    assert report.messages == 3
    assert report.owner_was_found
    assert report.owner.addresses == ("dana@x.example",)
    assert report.owner.name == "Dana Whitfield"
    assert len(calls) == 5
    size = source.stat().st_size
    assert calls[-1] == (size, size)
    with Mailbox.open(report.path) as mailbox:
        assert (len(mailbox), mailbox.name) == (3, "dana-s-mail")
        assert mailbox.owner_addresses == ("dana@x.example",)
        assert mailbox.stats().folders == {"inbox": 2, "sent": 1}


def test_again_adds_only_what_is_new_and_keeps_the_owner(source, tmp_path):
    import_mbox(source, tmp_path, owner="Me <me@x.example>, other@x.example", name="mine")
    more = tmp_path / "more.mbox"
    more.write_bytes(b"".join([*ENTRIES, entry(4, "sent", DANA, BOB)]))
    report = import_mbox(more, tmp_path, name="mine")
    assert (report.added, report.duplicates, report.messages) == (1, 3, 4)
    assert not report.owner_was_found
    assert report.owner.addresses == ("me@x.example", "other@x.example")
    assert report.owner.name == "Me"


def test_a_given_owner_gets_a_name_from_the_address(source, tmp_path):
    report = import_mbox(source, tmp_path, owner="dana.whitfield@x.example", name="a/b")
    assert report.owner.name == "Dana Whitfield"
    assert report.path.name == "a-b.mailbox"


def test_what_cannot_be_imported_leaves_nothing_behind(tmp_path):
    store = tmp_path / "store"
    bad = tmp_path / "bad.mbox"
    bad.write_bytes(b"no mbox\n")
    for path, expected in [(bad, "not an mbox"), (tmp_path, "folder"), (tmp_path / "none", "does not exist")]:
        with pytest.raises(SourceError, match=expected):
            import_mbox(path, store)
    assert not store.exists()


def test_owner_and_name_are_checked(source, tmp_path):
    with pytest.raises(SourceError, match="write an address"):
        import_mbox(source, tmp_path, owner="Dana")
    with pytest.raises(SourceError, match="give one with --name"):
        import_mbox(source, tmp_path, name="///")


def test_an_owner_that_cannot_be_found_must_be_named(tmp_path):
    source = tmp_path / "anonymous.mbox"
    source.write_bytes(b"From a Mon May 14 10:00:00 2001\nSubject: s\n\ntext\n")
    with pytest.raises(SourceError, match="name it with --owner"):
        import_mbox(source, tmp_path)
    assert not (tmp_path / "anonymous.mailbox").exists()
    assert import_mbox(source, tmp_path, owner="a@x.example").added == 1


def test_a_source_that_breaks_off_keeps_its_whole_batches(tmp_path, monkeypatch):
    monkeypatch.setattr("mailgym.mail.store.BATCH_MESSAGES", 2)
    entries = [entry(number, "inbox", BOB, DANA) for number in range(50)]
    source = tmp_path / "dana.mbox.xz"
    source.write_bytes(b"".join(lzma.compress(one) for one in entries)[:-30])
    with pytest.raises(SourceError, match="cannot be read beyond"):
        import_mbox(source, tmp_path)
    with Mailbox.open(tmp_path / "dana.mailbox") as mailbox:
        assert len(mailbox) == 48
    source.write_bytes(lzma.compress(b"".join(entries)))
    report = import_mbox(source, tmp_path)
    assert (report.added, report.duplicates) == (2, 48)
    assert report.owner_was_found


def test_a_full_disk_leaves_no_empty_mailbox(tmp_path, monkeypatch):
    source = tmp_path / "dana.mbox"
    source.write_bytes(b"From a@x Mon Jan  1 10:00:00 2024\nFrom: a@x.example\n\nhello\n")

    def full(self, connection, raw, message):
        raise sqlite3.OperationalError("database or disk is full")

    monkeypatch.setattr(MailboxWriter, "_insert", full)
    with pytest.raises(StoreError, match="space left"):
        import_mbox(source, tmp_path / "store")
    assert list((tmp_path / "store").iterdir()) == []
