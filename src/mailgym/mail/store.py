"""Writes mailboxes: one SQLite file each, in batches of which each is kept whole or not at all."""

import hashlib
import json
import sqlite3
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import astuple, replace
from pathlib import Path
from types import TracebackType
from typing import Literal, Self

import zstandard

from mailgym.core.errors import StoreError
from mailgym.mail.message import Address, Message
from mailgym.mail.parse import derive_id, parse_message
from mailgym.mail.schema import (
    APPLICATION_ID,
    BUSY_TIMEOUT_S,
    MAILBOX_SUFFIX,
    SCHEMA,
    SCHEMA_VERSION,
    check_version,
    name_words,
)

Outcome = Literal["added", "duplicate"]
RawMessage = tuple[bytes, str, Sequence[str]]
BATCH_MESSAGES = 1_000
BATCH_BYTES = 32 * 1024 * 1024
COMPRESSION_LEVEL = 3

_INSERT = """INSERT INTO messages (date_s, author_id, has_attachment, folder, message_id, own_id, fingerprint,
    size_bytes, date_original, from_name, from_address, in_reply_to, flags, refs, defects, attachment_list, recipients,
    subject, people, attachments, new_text, quoted_text, text)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"""
_INDEX = "INSERT INTO search (rowid, subject, people, new_text, quoted_text, attachments) VALUES (?, ?, ?, ?, ?, ?)"
_CORRESPONDENTS = """SELECT name, address, folder, sum(is_author), sum(1 - is_author) FROM (
        SELECT author_id AS id, folder, 1 AS is_author FROM messages
        UNION ALL SELECT address_id, folder, 0 FROM recipients JOIN messages USING (number)
    ) JOIN addresses USING (id) GROUP BY id, folder ORDER BY id, folder"""


class MailboxWriter:
    """Adds messages to one mailbox file, which it makes if there is none.

    A context manager. What was added is written batch by batch (1,000 messages or 32 MiB) and when the block
    ends; an exception, or a kill at any moment, loses the batch in flight whole and nothing before it. A
    closed mailbox is one single file in rollback-journal mode, which also opens from a read-only folder.
    """

    def __init__(self, path: Path, name: str, owner_addresses: Sequence[str], owner_name: str = "") -> None:
        """Name the file and its owner.

        Args:
            path: The mailbox file, with the suffix ``.mailbox``.
            name: What the mailbox is called in tables.
            owner_addresses: The owner's addresses, the main one first. Where there is none, the file
                keeps the owner it has, or gets one by :meth:`set_owner`.
            owner_name: The owner's name.

        Raises:
            StoreError: The path has another suffix.
        """
        if path.suffix != MAILBOX_SUFFIX:
            raise StoreError(f"{path} must end in {MAILBOX_SUFFIX}")
        self.path = path
        self._about = {"name": name}
        if owner_addresses:
            self._about |= _owner_entries(owner_addresses, owner_name)
        self._compressor = zstandard.ZstdCompressor(level=COMPRESSION_LEVEL)
        self._connection: sqlite3.Connection | None = None
        self._address_ids: dict[Address, int] = {}
        self._batch_messages = self._batch_bytes = self._added = 0

    def __enter__(self) -> Self:
        """Open or make the file.

        Raises:
            StoreError: The file is no mailbox, of another schema version, or being written by someone else.
        """
        self.path.parent.mkdir(parents=True, exist_ok=True)
        try:
            connection = sqlite3.connect(self.path, timeout=BUSY_TIMEOUT_S, isolation_level=None)
        except sqlite3.Error as error:
            raise StoreError(f"{self.path} cannot be written ({error}): is its folder writable?") from error
        try:
            connection.execute("PRAGMA journal_mode = DELETE")
            connection.execute("PRAGMA synchronous = NORMAL")
            connection.execute("PRAGMA cache_size = -65536")
            connection.execute("PRAGMA cache_spill = OFF")
            connection.execute("BEGIN IMMEDIATE")
            if connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0] == 0:
                self._create(connection)
                self._about = _owner_entries((), "") | self._about
            else:
                check_version(connection, self.path)
            connection.executemany("INSERT OR REPLACE INTO about VALUES (?, ?)", self._about.items())
            connection.execute("COMMIT")
        except sqlite3.Error as error:
            connection.close()
            raise StoreError(f"{self.path} cannot be written ({error}): is another import at work on it?") from error
        except StoreError:
            connection.close()
            raise
        self._connection = connection
        self._begin()
        return self

    @staticmethod
    def _create(connection: sqlite3.Connection) -> None:
        for statement in SCHEMA.split(";\n"):
            if statement.strip():
                connection.execute(statement)
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")

    def __exit__(
        self, error_type: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Write the last batch, or give it up if the block failed, and close the file.

        Raises:
            StoreError: The last batch cannot be written; it is given up.
        """
        connection, self._connection = self._open(), None
        try:
            if error_type is None:
                self._optimize(connection)
                connection.execute("COMMIT")
            elif connection.in_transaction:  # a full disk has rolled back already
                connection.execute("ROLLBACK")
        except sqlite3.Error as failed:
            raise self._unwritable(failed) from failed
        finally:
            connection.close()

    def add(self, raw: bytes, folder: str = "", flags: Sequence[str] = ()) -> Outcome:
        """Add one message.

        A message whose Message-ID and content (date, people, subject, text, attachments) are already there is
        a duplicate, whatever its folder or transport headers. One that shares only the Message-ID is kept,
        under an id derived from its content, and says so in its defects.

        Returns:
            ``added`` or ``duplicate``.

        Raises:
            StoreError: The file cannot be written.
        """
        message = parse_message(raw, folder, flags)
        connection = self._open()
        try:
            outcome = self._insert(connection, raw, message)
            self._batch_messages += 1
            self._batch_bytes += len(raw)
            if self._batch_messages >= BATCH_MESSAGES or self._batch_bytes >= BATCH_BYTES:
                self.flush()
        except sqlite3.Error as error:
            raise self._unwritable(error) from error
        return outcome

    def _unwritable(self, error: sqlite3.Error) -> StoreError:
        return StoreError(f"{self.path} cannot be written ({error}): is there space left on the disk?")

    def add_many(self, messages: Iterable[RawMessage]) -> Counter[Outcome]:
        """Add messages (raw bytes, folder, flags) one after another; see :meth:`add`.

        Returns:
            How many were ``added`` and how many were a ``duplicate``.
        """
        return Counter(self.add(raw, folder, flags) for raw, folder, flags in messages)

    def set_owner(self, addresses: Sequence[str], name: str) -> None:
        """Say whose mail it is; written with the batch in flight."""
        entries = _owner_entries(addresses, name)
        try:
            self._open().executemany("INSERT OR REPLACE INTO about VALUES (?, ?)", entries.items())
        except sqlite3.Error as error:
            raise self._unwritable(error) from error

    def owner(self) -> tuple[tuple[str, ...], str]:
        """Return the owner's addresses and name as they stand in the file; empty where none is set."""
        about = dict(self._open().execute("SELECT key, value FROM about").fetchall())
        return tuple(json.loads(about["owner_addresses"])), about["owner_name"]

    def count(self) -> int:
        """Return the number of messages, those of the batch in flight included."""
        return int(self._open().execute("SELECT count(*) FROM messages").fetchone()[0])

    def correspondents(self) -> list[tuple[str, str, str, int, int]]:
        """Return (name, address, folder, messages written, messages received) of everybody."""
        return self._open().execute(_CORRESPONDENTS).fetchall()

    def flush(self) -> None:
        """Write the batch in flight now; the next message begins another."""
        self._open().execute("COMMIT")
        self._begin()

    def _begin(self) -> None:
        self._open().execute("BEGIN IMMEDIATE")
        self._batch_messages = self._batch_bytes = 0

    def _open(self) -> sqlite3.Connection:
        if self._connection is None:
            raise StoreError(f"{self.path} is not open for writing: use  with MailboxWriter(...) as writer")
        return self._connection

    def _insert(self, connection: sqlite3.Connection, raw: bytes, message: Message) -> Outcome:
        fingerprint = content_fingerprint(message)
        own_id = message.message_id
        known = connection.execute("SELECT fingerprint FROM messages WHERE own_id = ?", (own_id,))
        if fingerprint in {row[0] for row in known}:
            return "duplicate"
        free_id = own_id
        while connection.execute("SELECT 1 FROM messages WHERE message_id = ?", (free_id,)).fetchone():
            free_id = derive_id(free_id.encode("utf-8") + fingerprint)  # again where a sender foresaw a derived id
        if free_id != own_id:
            defect = "another message has the same Message-ID: this id is derived from the content"
            message = replace(message, message_id=free_id, defects=(*message.defects, defect))
        people = [message.from_, *message.to, *message.cc]
        indexed = (
            message.subject,
            "\n".join(str(person) for person in people if person.name or person.address),
            message.new_text,
            message.quoted_text,
            "\n".join(attachment.file_name for attachment in message.attachments),
        )
        author_id = self._address_id(connection, message.from_)
        row = _row(message, author_id, own_id, fingerprint, indexed)
        number = connection.execute(_INSERT, row).lastrowid
        connection.execute("INSERT INTO raw VALUES (?, ?)", (number, self._compressor.compress(raw)))
        connection.execute(_INDEX, (number, *indexed))
        others = {self._address_id(connection, person) for person in (*message.to, *message.cc, *message.bcc)}
        connection.executemany("INSERT INTO recipients VALUES (?, ?)", [(number, other) for other in others])
        self._added += 1
        return "added"

    def _address_id(self, connection: sqlite3.Connection, person: Address) -> int:
        known = self._address_ids.get(person)
        if known is not None:
            return known
        row = connection.execute("SELECT id FROM addresses WHERE name = ? AND address = ?", astuple(person)).fetchone()
        if row is None:
            cursor = connection.execute("INSERT INTO addresses (name, address) VALUES (?, ?)", astuple(person))
            address_id = int(cursor.lastrowid or 0)
            words = [(word, address_id) for word in name_words(f"{person.name} {person.address}")]
            connection.executemany("INSERT OR IGNORE INTO address_words VALUES (?, ?)", words)
        else:
            address_id = int(row[0])
        self._address_ids[person] = address_id
        return address_id

    def _optimize(self, connection: sqlite3.Connection) -> None:
        """Merge the search index into one segment where this run added much of it: searches get faster."""
        total = connection.execute("SELECT count(*) FROM messages").fetchone()[0]
        if self._added and self._added * 10 >= total:
            connection.execute("INSERT INTO search (search) VALUES ('optimize')")
            connection.execute("ANALYZE")


def _owner_entries(addresses: Sequence[str], name: str) -> dict[str, str]:
    return {"owner_addresses": json.dumps([address.lower() for address in addresses]), "owner_name": name}


def content_fingerprint(message: Message) -> bytes:
    """Return 16 bytes that only messages of the same date, people, subject, text and attachments share.

    Transport headers, flags, folder, line ends and blank space do not count.
    """
    people = [message.from_, *message.to, *message.cc]
    content = [
        message.date_original,
        message.subject,
        [person.address or person.name for person in people],
        " ".join(message.text.split()),
        [astuple(attachment) for attachment in message.attachments],
    ]
    return hashlib.sha256(json.dumps(content).encode()).digest()[:16]


def _row(
    message: Message, author_id: int, own_id: str, fingerprint: bytes, indexed: tuple[str, ...]
) -> tuple[object, ...]:
    subject, people, new_text, quoted_text, attachment_names = indexed
    return (
        None if message.date is None else int(message.date.timestamp()),
        author_id,
        int(bool(message.attachments)),
        message.folder,
        message.message_id,
        own_id,
        fingerprint,
        message.size_bytes,
        message.date_original,
        message.from_.name,
        message.from_.address,
        message.in_reply_to,
        _list_json(message.flags),
        _list_json(message.references),
        _list_json(message.defects),
        _list_json([astuple(attachment) for attachment in message.attachments]),
        json.dumps([[astuple(p) for p in group] for group in (message.to, message.cc, message.bcc)]),
        subject,
        people,
        attachment_names,
        new_text,
        quoted_text,
        message.text if message.text != new_text else None,
    )


def _list_json(values: Sequence[object]) -> str:
    return json.dumps(values, ensure_ascii=False) if values else ""
