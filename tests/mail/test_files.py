import sqlite3
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from mailgym.core.errors import StoreError
from mailgym.mail.contents import train_dictionary
from mailgym.mail.mailbox import Mailbox
from mailgym.mail.prepare import RawMessage
from mailgym.mail.store import MailboxWriter

OPEN_FILES = Path("/proc/self/fd")
KILLED_WHILE_WRITING = """
import os, sqlite3, sys
connection = sqlite3.connect(sys.argv[1], isolation_level=None)
connection.execute("PRAGMA cache_size = 2")
connection.execute("BEGIN IMMEDIATE")
connection.execute("CREATE TABLE half_done (content)")
for _ in range(200):
    connection.execute("INSERT INTO half_done VALUES (?)", (b"x" * 5000,))
os.kill(os.getpid(), 9)
"""


def raw(number):
    return (
        f"From: dana@x.example\nTo: bob@x.example\nMessage-ID: <{number}@x>\n"
        f"Date: Mon, 14 May 2001 10:00:{number % 60:02} +0000\nSubject: number {number}\n\nhello {number * 7919}\n"
    ).encode()


def write(path, numbers, dictionary=b""):
    with MailboxWriter(path, "dana", ("dana@x.example",)) as box:
        box.use_dictionary(dictionary)
        box.add_many(RawMessage(raw(number)) for number in numbers)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "dana.mailbox"


def ids(mailbox):
    return [hit.message_id for hit in mailbox.search("hello", sort="date")]


def test_a_dictionary_that_a_later_import_brings_is_found(path):
    write(path, [1])
    with Mailbox.open(path) as mailbox:
        assert mailbox.read("1@x").subject == "number 1"
        dictionary = train_dictionary([raw(number) for number in range(600)])
        assert dictionary
        write(path, [2], dictionary)
        assert mailbox.read("2@x").subject == "number 2"
        assert ids(mailbox) == ["2@x", "1@x"]


def test_a_mailbox_that_is_made_anew_is_read_anew_in_every_thread(path):
    write(path, [1])
    with Mailbox.open(path) as mailbox:
        seen = [ids(mailbox)]
        path.rename(path.with_name("old.mailbox"))
        write(path, [2])
        thread = threading.Thread(target=lambda: seen.append(ids(mailbox)))
        thread.start()
        thread.join()
        seen.append(ids(mailbox))
        path.unlink()
        with pytest.raises(StoreError, match="is a mailbox file no more"):
            ids(mailbox)
    assert seen == [["1@x"], ["2@x"], ["2@x"]]


def test_threads_that_ended_leave_no_file_open(path):
    write(path, [1])
    with Mailbox.open(path) as mailbox:
        ids(mailbox)
        before = len(list(OPEN_FILES.iterdir()))
        for _ in range(50):
            thread = threading.Thread(target=ids, args=(mailbox,))
            thread.start()
            thread.join()
        assert len(list(OPEN_FILES.iterdir())) <= before + 2


def test_an_import_that_is_killed_while_the_mailbox_is_open_does_not_stop_reading(path):
    write(path, [1])
    with Mailbox.open(path) as mailbox:
        assert ids(mailbox) == ["1@x"]
        killed = subprocess.run([sys.executable, "-c", KILLED_WHILE_WRITING, str(path)], check=False)
        assert killed.returncode == -9
        assert path.with_name(path.name + "-journal").stat().st_size > 0
        assert ids(mailbox) == ["1@x"]
        assert not path.with_name(path.name + "-journal").exists()


def test_an_open_mailbox_is_found_from_another_folder(path, tmp_path, monkeypatch):
    write(path, [1])
    monkeypatch.chdir(tmp_path)
    with Mailbox.open(path.name) as mailbox:
        (tmp_path / "other").mkdir()
        monkeypatch.chdir(tmp_path / "other")
        assert ids(mailbox) == ["1@x"]
        found = []
        thread = threading.Thread(target=lambda: found.append(ids(mailbox)))
        thread.start()
        thread.join()
        assert found == [["1@x"]]


def test_what_to_do_about_an_older_mailbox(path):
    write(path, [1])
    for version, advice in ((1, "mailgym mail rm dana --store .* import its mail again"), (99, "update this one")):
        with sqlite3.connect(path) as connection:
            connection.execute(f"PRAGMA user_version = {version}")
        connection.close()
        with pytest.raises(StoreError, match=f"schema version {version}.*{advice}"):
            Mailbox.open(path)
