"""An import that is killed at any moment loses nothing and doubles nothing once it is run again."""

import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from datetime import UTC, datetime, timedelta

import pytest

from mailgym.mail.mailbox import Mailbox

MAILS = 6_000
START = datetime(2001, 5, 14, 8, tzinfo=UTC)
COMMAND = "from mailgym.cli.main import main; main()"


def write_mbox(path, seed):
    rng = random.Random(seed)
    with path.open("wb") as file:
        for number in range(MAILS):
            words = " ".join(rng.choice(("gas", "storage", "invoice", "meeting")) for _ in range(rng.randrange(5, 200)))
            file.write(
                f"From x Mon May 14 10:00:00 2001\nMessage-ID: <{number}@x.example>\nFrom: p{number % 50}@x.example\n"
                f"To: me@x.example\nDate: {START + timedelta(seconds=number):%a, %d %b %Y %H:%M:%S +0000}\n"
                f"Subject: only{number}\n\n{words} every\n\n".encode()
            )


def start(source, store, workers):
    arguments = ["mail", "import", str(source), "--store", str(store), "--workers", str(workers), "--json"]
    return subprocess.Popen(
        [sys.executable, "-c", COMMAND, *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )


def check_whole_batches(path):
    """What is there is consistent: every message can be read and found, and its index is neither short nor long."""
    with Mailbox.open(path) as mailbox:
        ids = [message.message_id for message in mailbox]
        assert len(ids) == len(set(ids)) == len(mailbox)
        assert len(mailbox.search("every", limit=10_000)) == len(ids)
    with sqlite3.connect(path) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        seen = connection.execute("SELECT count(*), count(DISTINCT number) FROM seen").fetchone()
        assert seen == (len(ids), len(ids))
    connection.close()
    return len(ids)


def import_through_kills(tmp_path, kills, workers, seed):
    rng = random.Random(seed)
    source, store = tmp_path / "big.mbox", tmp_path / "store"
    write_mbox(source, seed)
    path = store / "big.mailbox"
    kept = 0
    for _ in range(kills):
        process = start(source, store, workers)
        time.sleep(rng.uniform(0.2, 2.5))
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        if path.exists() and path.stat().st_size:
            now = check_whole_batches(path)
            assert now >= kept
            kept = now
    process = start(source, store, workers)
    _, errors = process.communicate()
    assert process.returncode == 0, errors.decode()
    assert check_whole_batches(path) == MAILS
    with Mailbox.open(path) as mailbox:
        assert Counter(message.message_id for message in mailbox) == Counter(f"{n}@x.example" for n in range(MAILS))
        assert [hit.subject for hit in mailbox.search("only1234")] == ["only1234"]
        assert mailbox.owner_addresses == ("me@x.example",)


def test_a_few_kills_lose_and_double_nothing(tmp_path):
    import_through_kills(tmp_path, kills=3, workers=2, seed=1)


@pytest.mark.soak
@pytest.mark.parametrize("workers", [1, 2])
def test_many_kills_lose_and_double_nothing(tmp_path, workers):
    import_through_kills(tmp_path, kills=40, workers=workers, seed=workers)
