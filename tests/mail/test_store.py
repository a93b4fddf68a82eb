import signal
import sqlite3
import subprocess
import sys
import textwrap

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mailgym.core.errors import StoreError
from mailgym.mail.mailbox import Mailbox
from mailgym.mail.parse import derive_id, parse_message
from mailgym.mail.prepare import RawMessage, content_fingerprint
from mailgym.mail.store import MailboxWriter


def full_disk():
    error = sqlite3.OperationalError("database or disk is full")
    error.sqlite_errorcode = sqlite3.SQLITE_FULL
    return error


def raw(number: int, text: str = "hello", extra: str = "") -> bytes:
    return (
        f"From: Dana <dana@x.example>\nTo: bob@x.example\nMessage-ID: <{number}@x>\n{extra}"
        f"Date: Mon, 14 May 2001 10:00:{number % 60:02} +0000\nSubject: number {number}\n\n{text}\n"
    ).encode()


@pytest.fixture
def path(tmp_path):
    return tmp_path / "dana.mailbox"


def writer(path, **kwargs):
    return MailboxWriter(path, "dana", ["Dana@X.example", "d@y.example"], "Dana Whitfield", **kwargs)


def test_what_is_added_can_be_read_again(path):
    with writer(path) as box:
        assert box.add(raw(1), "inbox", ("seen",)) == "added"
        assert box.count() == 1
    mailbox = Mailbox.open(path)
    assert (mailbox.name, mailbox.owner_name) == ("dana", "Dana Whitfield")
    assert mailbox.owner_addresses == ("dana@x.example", "d@y.example")
    assert mailbox.read_raw("1@x") == raw(1)
    assert (mailbox.read("1@x").folder, mailbox.read("1@x").flags) == ("inbox", ("seen",))


def test_same_content_is_a_duplicate_whatever_the_transport(path):
    with writer(path) as box:
        counts = box.add_many(
            [RawMessage(raw(1), "a"), RawMessage(raw(1), "b"), RawMessage(raw(1).replace(b"\n", b"\r\n")),
             RawMessage(raw(1, extra="Status: RO\n")), RawMessage(raw(2))]
        )  # fmt: skip
    assert counts == {"added": 2, "duplicate": 3}
    with writer(path) as box:
        assert box.add(raw(1)) == "duplicate"


def test_same_id_with_other_content_is_kept_and_says_so(path):
    with writer(path) as box:
        assert [box.add(raw(1)), box.add(raw(1, "other")), box.add(raw(1, "third"))] == ["added"] * 3
        assert [box.add(raw(1, "other")), box.add(raw(1, "third"))] == ["duplicate"] * 2
    messages = list(Mailbox.open(path))
    assert sorted(message.text for message in messages) == ["hello", "other", "third"]
    assert len({message.message_id for message in messages}) == 3
    derived = [message for message in messages if message.message_id != "1@x"]
    assert all("another message has the same Message-ID" in message.defects[-1] for message in derived)


def test_a_failed_block_loses_its_batch_whole_and_nothing_before(path):
    with writer(path) as box:
        box.add(raw(1))

    def fail() -> None:
        with writer(path) as box:
            box.add(raw(2))
            box.flush()
            box.add(raw(3))
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail()
    assert [message.message_id for message in Mailbox.open(path)] == ["1@x", "2@x"]


def test_batches_are_written_as_they_fill(path, monkeypatch):
    monkeypatch.setattr("mailgym.mail.store.CHUNK_MESSAGES", 2)
    with writer(path) as box:
        box.add_many([RawMessage(raw(number)) for number in range(5)])
        assert len(Mailbox.open(path)) == 4
    assert len(Mailbox.open(path)) == 5


def test_a_kill_leaves_whole_batches(path):
    program = f"""
        from pathlib import Path
        from mailgym.mail.prepare import RawMessage
        from mailgym.mail.store import MailboxWriter
        with MailboxWriter(Path({str(path)!r}), "dana", ["d@x"]) as box:
            mails = [f"Message-ID: <{{n}}@x>\\nSubject: s\\n\\nt".encode() for n in range(1, 1501)]
            box.add_many([RawMessage(mail) for mail in mails])
            box._open().execute("PRAGMA cache_spill = ON")
            box._open().execute("PRAGMA cache_size = 1")
            box.add(b"Message-ID: <last@x>\\n\\n" + b"long text " * 100_000)
            print("ready", flush=True)
            input()
    """
    process = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(program)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert process.stdout.readline() == b"ready\n"
    process.send_signal(signal.SIGKILL)
    process.wait()
    process.stdin.close()
    process.stdout.close()
    assert path.with_name(path.name + "-journal").exists()  # the batch in flight had begun to reach the file
    mailbox = Mailbox.open(path)
    assert len(mailbox) == 1000
    assert mailbox.search("s", limit=2000)
    mailbox.close()
    with writer(path) as box:
        assert box.add(raw(1001)) == "added"
    with sqlite3.connect(path) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    connection.close()


def test_a_finished_mailbox_is_one_file(path):
    with writer(path) as box:
        box.add(raw(1))
    assert [file.name for file in path.parent.iterdir()] == ["dana.mailbox"]
    with sqlite3.connect(path) as connection:
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("delete",)
    connection.close()


def test_the_owner_may_be_named_later_and_stays(path):
    with MailboxWriter(path, "dana", []) as box:
        assert box.owner() == ((), "")
        box.add(raw(1), "sent")
        assert ("Dana", "dana@x.example", "sent", 1, 0) in box.correspondents()
        assert ("", "bob@x.example", "sent", 0, 1) in box.correspondents()
        box.set_owner(["Dana@x.example"], "Dana")
    with MailboxWriter(path, "dana", []) as box:
        assert box.owner() == (("dana@x.example",), "Dana")


def test_errors_say_what_to_do(path, tmp_path, monkeypatch):
    with pytest.raises(StoreError, match="must end in"):
        MailboxWriter(tmp_path / "dana.db", "dana", ["d@x"])
    with pytest.raises(StoreError, match="not open for writing"):
        writer(path).add(raw(1))
    path.write_bytes(b"no database, but long enough to be looked at" * 50)
    with pytest.raises(StoreError, match="cannot be written"), writer(path):
        pass
    foreign = tmp_path / "foreign.mailbox"
    with sqlite3.connect(foreign) as connection:
        connection.execute("CREATE TABLE t (x)")
    connection.close()
    with pytest.raises(StoreError, match="is not a mailbox"), writer(foreign):
        pass
    (tmp_path / "folder.mailbox").mkdir()
    with pytest.raises(StoreError, match="cannot be written"), writer(tmp_path / "folder.mailbox"):
        pass
    monkeypatch.setattr("mailgym.mail.store.BUSY_TIMEOUT_S", 0.05)
    busy = tmp_path / "busy.mailbox"
    with writer(busy), pytest.raises(StoreError, match="another import"), writer(busy):
        pass


@pytest.mark.parametrize("error", [sqlite3.OperationalError("it broke"), KeyboardInterrupt(), MemoryError()])
def test_half_a_batch_is_never_kept_even_where_its_failure_is_passed_over(path, monkeypatch, error):
    def broken(*_):
        raise error

    with pytest.raises(StoreError), writer(path) as box:  # noqa: PT012
        box.add(raw(1))
        box.flush()
        box.add(raw(2))
        with monkeypatch.context() as patched:
            patched.setattr("mailgym.mail.store.insert_piece", broken)  # what is new is noted, its columns are not
            with pytest.raises((StoreError, KeyboardInterrupt, MemoryError)):
                box.add(raw(3))
        with pytest.raises(StoreError, match=r"cannot be written|is not open"):
            box.add(raw(4))
    with writer(path) as box:
        assert [box.add(raw(number)) for number in (1, 2, 3)] == ["duplicate", "added", "added"]
    mailbox = Mailbox.open(path)
    assert len(list(mailbox)) == len(mailbox.search("hello")) == 3


def test_why_a_file_cannot_be_written_is_told(path, tmp_path):
    (tmp_path / "file").write_text("mail")
    with pytest.raises(StoreError, match="cannot be a store"):
        writer(tmp_path / "file" / "dana.mailbox").open()
    path.write_text("no database " * 100)
    with pytest.raises(StoreError, match="is damaged, or no mailbox: delete it"):
        writer(path).open()
    path.unlink()
    with writer(path), pytest.MonkeyPatch.context() as patched:
        patched.setattr("mailgym.mail.store.BUSY_TIMEOUT_S", 0.01)
        with pytest.raises(StoreError, match="another import is at work on it"):
            writer(path).open()


def test_a_disk_too_full_to_begin_leaves_no_file(path, monkeypatch):
    def full(self, connection):
        connection.execute("BEGIN IMMEDIATE")
        raise full_disk()

    with monkeypatch.context() as patched:
        patched.setattr(MailboxWriter, "_set_up", full)
        with pytest.raises(StoreError, match="room on the disk"):
            writer(path).open()
    assert not path.exists()
    path.touch()  # as a kill at the very beginning leaves it: another import may be at work on it
    with writer(path) as box:
        assert box.add(raw(1)) == "added"


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 2), st.integers(0, 1)), max_size=12), max_size=5))
def test_whatever_comes_in_whatever_order_is_there_once(path, runs):
    path.unlink(missing_ok=True)
    kept = set()
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("mailgym.mail.store.CHUNK_MESSAGES", 3)
        patched.setattr("mailgym.mail.segments.MERGE_MESSAGES", 8)
        for run in runs:
            mails = [(number, text, raw(number, f"text{text}", "X-Way: b\n" * way)) for number, text, way in run]
            new = {mail[:2] for mail in mails} - kept
            with writer(path) as box:
                counts = box.add_many(RawMessage(mail[2]) for mail in mails)
            assert (counts["added"], counts["duplicate"]) == (len(new), len(mails) - len(new))
            kept |= new
            with Mailbox.open(path) as mailbox:
                messages = list(mailbox)
                texts = sorted((message.subject, message.text) for message in messages)
                assert texts == sorted((f"number {number}", f"text{text}") for number, text in kept)
                assert len({message.message_id for message in messages}) == len(mailbox) == len(kept)
                assert len(mailbox.search("number", limit=100)) == len(kept)


def test_giving_up_twice_does_nothing(path):
    box = writer(path)
    box.give_up()
    box.open()
    box.give_up()
    box.give_up()
    assert len(Mailbox.open(path)) == 0


def test_a_message_may_claim_the_id_that_another_was_given(path):
    derived = derive_id(b"1@x" + content_fingerprint(parse_message(raw(1, "second"))))
    claim = raw(1, "claim").replace(b"<1@x>", f"<{derived}>".encode())
    for order in ([raw(1), raw(1, "second"), claim], [raw(1), claim, raw(1, "second")]):
        path.unlink(missing_ok=True)
        with writer(path) as box:
            assert [box.add(message) for message in order] == ["added"] * 3
            assert [box.add(message) for message in order] == ["duplicate"] * 3
        assert len({message.message_id for message in Mailbox.open(path)}) == 3


@pytest.mark.parametrize("moment", ["add", "set_owner"])
def test_a_full_disk_is_told_and_keeps_the_batches_before(path, moment):
    with writer(path) as box:
        box.add(raw(1))
    with pytest.raises(StoreError, match="room on the disk"), writer(path) as box:  # noqa: PT012
        pages = box._open().execute("PRAGMA page_count").fetchone()[0]
        box._open().execute(f"PRAGMA max_page_count = {pages}")
        if moment == "add":
            box.add(raw(2, "\n".join(f"w{number}" for number in range(50_000))))
        else:
            box.set_owner(["x" * 200_000 + "@x.example"], "")
    assert [message.subject for message in Mailbox.open(path)] == ["number 1"]


def test_a_disk_that_is_full_at_the_end_loses_the_last_batch_alone(path):
    class FullAtTheEnd:
        def __init__(self, connection):
            self.connection = connection

        def __getattr__(self, name):
            return getattr(self.connection, name)

        def execute(self, sql, *parameters):
            if sql == "COMMIT":
                raise full_disk()
            return self.connection.execute(sql, *parameters)

    with writer(path) as box:
        box.add(raw(1))
    with pytest.raises(StoreError, match=r"disk is full.*room on the disk"), writer(path) as box:  # noqa: PT012
        box.add(raw(2))
        box._connection = FullAtTheEnd(box._connection)
    assert [message.subject for message in Mailbox.open(path)] == ["number 1"]
