"""The mailbox file: one SQLite database per mailbox, and how to open it."""

import re
import sqlite3
import unicodedata
from pathlib import Path

from mailgym.core.errors import StoreError

SCHEMA_VERSION = 1
APPLICATION_ID = 0x6D67796D  # "mgym": tells a mailbox from any other SQLite file
MAILBOX_SUFFIX = ".mailbox"
BUSY_TIMEOUT_S = 10.0

# Short columns stand first, so that filters do not read through long texts. The columns that `search` names
# are the ones it indexes: FTS5 keeps no second copy of them (external content).
SCHEMA = """
CREATE TABLE about (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE messages (
    number INTEGER PRIMARY KEY,
    date_s INTEGER,
    author_id INTEGER NOT NULL,
    has_attachment INTEGER NOT NULL,
    folder TEXT NOT NULL,
    message_id TEXT NOT NULL UNIQUE,
    own_id TEXT NOT NULL,
    fingerprint BLOB NOT NULL,
    size_bytes INTEGER NOT NULL,
    date_original TEXT NOT NULL,
    from_name TEXT NOT NULL,
    from_address TEXT NOT NULL,
    in_reply_to TEXT NOT NULL,
    flags TEXT NOT NULL,
    refs TEXT NOT NULL,
    defects TEXT NOT NULL,
    attachment_list TEXT NOT NULL,
    recipients TEXT NOT NULL,
    subject TEXT NOT NULL,
    people TEXT NOT NULL,
    attachments TEXT NOT NULL,
    new_text TEXT NOT NULL,
    quoted_text TEXT NOT NULL,
    text TEXT
);
CREATE INDEX messages_by_date ON messages (date_s DESC, number);
CREATE INDEX messages_by_folder ON messages (folder COLLATE NOCASE);
CREATE INDEX messages_by_own_id ON messages (own_id);
CREATE TABLE raw (number INTEGER PRIMARY KEY, zstd BLOB NOT NULL);
CREATE TABLE addresses (
    id INTEGER PRIMARY KEY, name TEXT NOT NULL, address TEXT NOT NULL, UNIQUE (address, name)
);
CREATE TABLE address_words (
    word TEXT NOT NULL, address_id INTEGER NOT NULL, PRIMARY KEY (word, address_id)
) WITHOUT ROWID;
CREATE INDEX messages_by_author ON messages (author_id, date_s DESC);
CREATE TABLE recipients (
    number INTEGER NOT NULL, address_id INTEGER NOT NULL, PRIMARY KEY (number, address_id)
) WITHOUT ROWID;
CREATE INDEX recipients_by_address ON recipients (address_id, number);
CREATE VIRTUAL TABLE search USING fts5 (subject, people, new_text, quoted_text, attachments,
    content='messages', content_rowid='number', tokenize='porter unicode61 remove_diacritics 2');
"""

_WORD = re.compile(r"[^\W_]+")


def name_words(text: str) -> list[str]:
    """Return the words of a name or address as indexed: no case, no diacritics, split at punctuation."""
    if not text.isascii():
        text = "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))
    return list(dict.fromkeys(_WORD.findall(text.casefold())))


def connect_read_only(path: Path) -> sqlite3.Connection:
    """Open a mailbox file for reading only, rolling back an interrupted import first where there is one.

    Raises:
        StoreError: There is no such file, it is no mailbox, or it is of another schema version.
    """
    if not path.is_file():
        raise StoreError(f"{path} is not a mailbox file: import mail with  mailgym mail import MBOX")
    journal = path.with_name(path.name + "-journal")
    if journal.exists() and journal.stat().st_size > 0:
        _roll_back(path)
    connection = sqlite3.connect(
        f"{path.resolve().as_uri()}?mode=ro", uri=True, timeout=BUSY_TIMEOUT_S, check_same_thread=False
    )
    try:
        connection.execute("PRAGMA query_only = ON")
        connection.execute("PRAGMA mmap_size = 268435456")
        check_version(connection, path)
    except sqlite3.Error as error:
        connection.close()
        raise StoreError(f"{path} cannot be read as a mailbox ({error}): import its mail again") from error
    except StoreError:
        connection.close()
        raise
    return connection


def _roll_back(path: Path) -> None:
    try:
        connection = sqlite3.connect(f"{path.resolve().as_uri()}?mode=rw", uri=True, timeout=BUSY_TIMEOUT_S)
        try:
            connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
        finally:
            connection.close()
    except sqlite3.Error as error:
        raise StoreError(
            f"{path} was left by an interrupted import and cannot be put right ({error}): "
            "make its folder writable and open it again"
        ) from error


def check_version(connection: sqlite3.Connection, path: Path) -> None:
    """Refuse what is no mailbox, or a mailbox of another schema version.

    Raises:
        StoreError: It is one of these.
    """
    application_id = connection.execute("PRAGMA application_id").fetchone()[0]
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    if application_id != APPLICATION_ID:
        raise StoreError(f"{path} is not a mailbox file: import its mail with  mailgym mail import")
    if version != SCHEMA_VERSION:
        raise StoreError(
            f"{path} has schema version {version}, this mailgym reads {SCHEMA_VERSION}: import its mail again"
        )
