import sqlite3
from itertools import pairwise

import pytest

from mailgym.mail.mailbox import Mailbox
from mailgym.mail.prepare import RawMessage
from mailgym.mail.store import MailboxWriter


def raw(number: int) -> RawMessage:
    return RawMessage(
        f"Message-ID: <{number}@x>\nFrom: p{number % 7}@x\nSubject: all w{number}\n\nt\n".encode(), f"f{number % 3}"
    )


def layout(path):
    with sqlite3.connect(path) as connection:
        segments = connection.execute("SELECT first_number, messages FROM segments ORDER BY 1").fetchall()
        pieces = connection.execute("SELECT first_number, messages FROM pieces ORDER BY 1").fetchall()
        fresh = connection.execute("SELECT count(*) FROM fresh").fetchone()[0]
    connection.close()
    return segments, pieces, fresh


def test_many_small_imports_leave_few_segments_that_hold_all(tmp_path):
    path = tmp_path / "m.mailbox"
    for number in range(60):
        with MailboxWriter(path, "m", ["a@x"]) as writer:
            writer.add_many([raw(number)])
        segments, pieces, fresh = layout(path)
        assert segments == pieces
        assert fresh == 0
        assert len(segments) <= 6
        sizes = [size for _, size in segments]
        assert all(older > 2 * newer for older, newer in pairwise(sizes))
        assert [first for first, _ in segments] == [1 + sum(sizes[:index]) for index in range(len(sizes))]
    with Mailbox.open(path) as mailbox:
        assert len(mailbox.search("all", limit=100)) == 60
        for number in range(60):
            assert [hit.message_id for hit in mailbox.search(f"w{number}")] == [f"{number}@x"]


def test_segments_are_bounded(tmp_path, monkeypatch):
    monkeypatch.setattr("mailgym.mail.segments.MERGE_MESSAGES", 10)
    monkeypatch.setattr("mailgym.mail.store.CHUNK_MESSAGES", 4)
    path = tmp_path / "m.mailbox"
    with MailboxWriter(path, "m", ["a@x"]) as writer:
        writer.add_many(raw(number) for number in range(50))
    segments, _, _ = layout(path)
    assert max(size for _, size in segments) <= 12
    with Mailbox.open(path) as mailbox:
        assert len(mailbox.search("all", limit=100)) == 50


@pytest.mark.parametrize("flushes", [1, 3])
def test_a_mailbox_that_is_being_written_can_be_searched_and_sees_what_is_flushed(tmp_path, flushes):
    path = tmp_path / "m.mailbox"
    with MailboxWriter(path, "m", ["a@x"]) as writer:
        writer.add_many([raw(0)])
        writer.flush()
        with Mailbox.open(path) as mailbox:
            for number in range(1, flushes + 1):
                writer.add_many([raw(number)])
                assert len(mailbox.search("all")) == number
                writer.flush()
                assert len(mailbox) == number + 1
                assert len(mailbox.search("all")) == number + 1
                assert len(mailbox.search(from_=f"p{number}@x")) == 1
        assert layout(path)[2] == flushes + 1
    with Mailbox.open(path) as mailbox:
        assert len(mailbox.search("all", folder="F1")) == 1
