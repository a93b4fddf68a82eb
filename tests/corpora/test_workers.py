import os
import signal

import pytest

from mailgym.core.errors import StoreError
from mailgym.corpora.workers import Workers
from mailgym.mail.prepare import RawMessage

MAILS = [RawMessage(f"Message-ID: <{number}@x>\nSubject: s\n\nt\n".encode()) for number in range(6)]


@pytest.mark.parametrize("count", [1, 2])
def test_chunks_come_back_in_their_order(count):
    with Workers(count, b"") as workers:
        for mail in MAILS[:3]:
            workers.put([mail])
        assert workers.waiting == 3
        ids = [workers.get().messages[0].message_id for _ in range(3)]
    assert ids == ["0@x", "1@x", "2@x"]


def test_a_queue_is_full_when_all_workers_have_more_to_do():
    with Workers(1, b"") as workers:
        workers.put(MAILS[:1])
        assert not workers.is_full
        workers.put(MAILS[:1])
        assert workers.is_full


def test_a_worker_that_is_killed_is_told_with_what_to_do():
    with Workers(2, b"") as workers:
        workers.put(MAILS)
        assert len(workers.get().messages) == 6
        for process_id in list(workers._pool._processes):
            os.kill(process_id, signal.SIGKILL)
        with pytest.raises(StoreError, match="--workers 1"):  # noqa: PT012
            for _ in range(50):
                workers.put(MAILS)
                workers.get()
