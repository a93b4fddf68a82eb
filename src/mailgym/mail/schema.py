"""The mailbox file: one SQLite database per mailbox, and how to open it."""

import shlex
import sqlite3
from pathlib import Path

from mailgym.core.errors import StoreError

SCHEMA_VERSION = 2
APPLICATION_ID = 0x6D67796D  # "mgym": tells a mailbox from any other SQLite file
MAILBOX_SUFFIX = ".mailbox"
BUSY_TIMEOUT_S = 10.0
PAGE_BYTES = 8192
"""Contents and postings are blobs of a few kilobytes: pages of this size waste least of both."""
_PRIMARY = 0xFF  # the part of SQLite's extended codes that tells the kind of failure
_BUSY = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
_FULL = (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR)
_REFUSED = (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM, sqlite3.SQLITE_AUTH)
_DAMAGED = (sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT)

# messages   the short parts of each message; contents: its texts and raw bytes (mail/contents.py)
# same_id    messages that had to take another id because one with their own was there already
# seen       hashes of all raw bytes ever met, with the message they are
# pieces     ranges of messages with their columns (mail/columns.py); postings: their index (mail/postings.py)
# fresh      postings of the last batches, each in one blob, until they are merged into `postings`
# marks      where incremental sources begin the next time
SCHEMA = """
CREATE TABLE about (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE messages (
    number INTEGER PRIMARY KEY,
    message_id TEXT NOT NULL UNIQUE,
    date_s INTEGER,
    date_original TEXT NOT NULL,
    subject TEXT NOT NULL,
    from_name TEXT NOT NULL,
    from_address TEXT NOT NULL,
    recipients TEXT NOT NULL,
    folder TEXT NOT NULL,
    flags TEXT NOT NULL,
    labels TEXT NOT NULL,
    in_reply_to TEXT NOT NULL,
    refs TEXT NOT NULL,
    defects TEXT NOT NULL,
    attachments TEXT NOT NULL,
    size_bytes INTEGER NOT NULL,
    fingerprint BLOB NOT NULL
);
CREATE TABLE contents (number INTEGER PRIMARY KEY, packed BLOB NOT NULL);
CREATE TABLE dictionaries (id INTEGER PRIMARY KEY, bytes BLOB NOT NULL);
CREATE TABLE same_id (own_id TEXT NOT NULL, number INTEGER NOT NULL, PRIMARY KEY (own_id, number)) WITHOUT ROWID;
CREATE TABLE seen (digest BLOB PRIMARY KEY, number INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE marks (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE folders (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
CREATE TABLE addresses (
    id INTEGER PRIMARY KEY, name TEXT NOT NULL, address TEXT NOT NULL, UNIQUE (address, name)
);
CREATE TABLE address_words (
    word TEXT NOT NULL, address_id INTEGER NOT NULL, PRIMARY KEY (word, address_id)
) WITHOUT ROWID;
CREATE TABLE pieces (
    first_number INTEGER PRIMARY KEY, messages INTEGER NOT NULL,
    dates_s BLOB NOT NULL, lengths BLOB NOT NULL, authors BLOB NOT NULL, folders BLOB NOT NULL, attached BLOB NOT NULL,
    subjects BLOB NOT NULL, recipient_counts BLOB NOT NULL, recipients BLOB NOT NULL,
    link_counts BLOB NOT NULL, links BLOB NOT NULL
);
CREATE TABLE fresh (first_number INTEGER PRIMARY KEY, postings BLOB NOT NULL);
CREATE TABLE segments (first_number INTEGER PRIMARY KEY, messages INTEGER NOT NULL);
CREATE TABLE postings (
    segment INTEGER NOT NULL, term TEXT NOT NULL, row BLOB NOT NULL, PRIMARY KEY (segment, term)
) WITHOUT ROWID;
"""


def connect_read_only(path: Path) -> sqlite3.Connection:
    """Open a mailbox file for reading only, rolling back an interrupted import first where there is one.

    Raises:
        StoreError: There is no such file, it is no mailbox, or it is of another schema version.
    """
    if not path.is_file():
        raise StoreError(f"{path} is not a mailbox file: import mail with  mailgym mail import MBOX")
    journal = path.with_name(path.name + "-journal")
    if journal.exists() and journal.stat().st_size > 0:
        roll_back(path)
    try:
        connection = sqlite3.connect(
            f"{path.resolve().as_uri()}?mode=ro", uri=True, timeout=BUSY_TIMEOUT_S, check_same_thread=False
        )
    except sqlite3.Error as error:
        raise StoreError(f"{path} cannot be opened ({error}): {what_to_do(error)}") from error
    try:
        connection.execute("PRAGMA query_only = ON")
        connection.execute("PRAGMA mmap_size = 268435456")
        check_version(connection, path)
    except sqlite3.Error as error:
        connection.close()
        raise StoreError(f"{path} cannot be read as a mailbox ({error}): {what_to_do(error)}") from error
    except StoreError:
        connection.close()
        raise
    return connection


def roll_back(path: Path) -> None:
    """Undo what an interrupted import left half done, which a connection for reading only may not do.

    Raises:
        StoreError: The file may not be written, or an import is at work on it all the time.
    """
    try:
        connection = sqlite3.connect(f"{path.resolve().as_uri()}?mode=rw", uri=True, timeout=BUSY_TIMEOUT_S)
        try:
            connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
        finally:
            connection.close()
    except sqlite3.Error as error:
        if is_busy(error) or getattr(error, "sqlite_errorcode", 0) & _PRIMARY in _DAMAGED:
            raise StoreError(f"{path} cannot be read ({error}): {what_to_do(error)}") from error
        raise StoreError(
            f"{path} was left by an interrupted import and cannot be put right ({error}): "
            "make its folder writable and open it again"
        ) from error


def needs_roll_back(error: sqlite3.Error) -> bool:
    """Tell whether reading failed only because an import was interrupted since the file was opened."""
    return getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_READONLY_ROLLBACK


def is_busy(error: sqlite3.Error) -> bool:
    """Tell whether something failed only because somebody else is at work on the file."""
    return getattr(error, "sqlite_errorcode", 0) & _PRIMARY in _BUSY


def what_to_do(error: sqlite3.Error) -> str:
    """Return what somebody can do about a failure of the database."""
    code = getattr(error, "sqlite_errorcode", 0) & _PRIMARY
    if is_busy(error):
        return "another import is at work on it, or a program that reads it: wait until it is done, and try again"
    if code in _FULL:
        return "make room on the disk and import again; what was kept before is whole"
    if code in _REFUSED:
        return "are the file and its folder yours to open and write, and are there not too many open files?"
    if code in _DAMAGED:
        return "it is damaged, or no mailbox: delete it and import its mail again"
    return "import its mail again"


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
            f"{path} has schema version {version}, this mailgym reads {SCHEMA_VERSION}: "
            + (
                f"delete it (mailgym mail rm {shlex.quote(path.stem)} --store {shlex.quote(str(path.parent))}) and "
                "import its mail again"
                if version < SCHEMA_VERSION
                else "a newer mailgym made it: update this one"
            )
        )
