"""Writes mailboxes: one SQLite file each, in batches of which each is kept whole or not at all."""

import json
import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count as numbers_from
from itertools import islice
from pathlib import Path
from types import TracebackType
from typing import Literal, Self

import numpy as np

from mailgym.core.errors import StoreError
from mailgym.mail.contents import Packer, dictionary_id
from mailgym.mail.correspondents import count_correspondents
from mailgym.mail.numbering import Numbering
from mailgym.mail.parse import derive_id
from mailgym.mail.postings import Vocabulary
from mailgym.mail.prepare import CHUNK_MESSAGES, Chunk, Prepared, RawMessage, list_json, prepare
from mailgym.mail.schema import (
    APPLICATION_ID,
    BUSY_TIMEOUT_S,
    MAILBOX_SUFFIX,
    PAGE_BYTES,
    SCHEMA,
    SCHEMA_VERSION,
    check_version,
    is_busy,
    what_to_do,
)
from mailgym.mail.segments import insert_piece, merge_fresh, pack_postings, should_merge

_INSERT = f"INSERT INTO messages VALUES ({', '.join('?' * 17)})"
_DEFECTS = 12  # place of the defects in a prepared row
SAME_ID_DEFECT = "another message has the same Message-ID: this id is derived from the content"


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one message.

    Attributes:
        message_id: The id under which it stands in the mailbox; for a duplicate, the id of the message that it repeats.
    """

    kind: Literal["added", "duplicate"]
    message_id: str


class MailboxWriter:
    """Adds messages to one mailbox file, which it makes if there is none.

    A context manager. Each call of :meth:`write` (and each 1,000 messages of :meth:`add_many`) is one batch, which
    is kept whole at the next :meth:`flush` or when the block ends; an exception, or a kill at any moment, loses what
    was not flushed whole and nothing before it. A closed mailbox is one single file in rollback-journal mode, which
    also opens from a read-only folder.
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
        self._connection: sqlite3.Connection | None = None
        self._failure = ""
        self._numbering: Numbering | None = None
        self._packer: Packer | None = None
        self._vocabulary: Vocabulary | None = None
        self._next_number = 1
        self._fresh_messages = self._fresh_postings = 0

    def __enter__(self) -> Self:
        """Open or make the file.

        Raises:
            StoreError: The file is no mailbox, of another schema version, or being written by someone else.
        """
        self.open()
        return self

    def open(self) -> None:
        """Open or make the file, as the ``with`` statement does.

        Raises:
            StoreError: As there.
        """
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            is_new = not self.path.exists()
        except OSError as error:
            problem = f"{self.path.parent} cannot be a store ({error.strerror})"
            raise StoreError(f"{problem}: name a folder that you may write to") from error
        self._failure = ""
        try:
            self._connection = sqlite3.connect(self.path, timeout=BUSY_TIMEOUT_S, isolation_level=None)
            self._set_up(self._connection)
            self._begin()
        except sqlite3.Error as error:
            if is_new and not is_busy(error) and self.path.is_file() and not self.path.stat().st_size:
                self.path.unlink()
            raise self._failed(error) from error
        except BaseException:
            self.give_up()
            raise

    def _set_up(self, connection: sqlite3.Connection) -> None:
        connection.execute(f"PRAGMA page_size = {PAGE_BYTES}")
        connection.execute("PRAGMA journal_mode = DELETE")
        connection.execute("PRAGMA synchronous = NORMAL")
        connection.execute("PRAGMA cache_size = -65536")
        connection.execute("BEGIN IMMEDIATE")
        if connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0] == 0:
            for statement in SCHEMA.split(";\n"):
                if statement.strip():
                    connection.execute(statement)
            connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
            self._about = _owner_entries((), "") | {"generation": "0"} | self._about
        else:
            check_version(connection, self.path)
        connection.executemany("INSERT OR REPLACE INTO about VALUES (?, ?)", self._about.items())
        merge_fresh(connection)  # what an interrupted import has left
        connection.execute("COMMIT")
        self._next_number = 1 + connection.execute("SELECT coalesce(max(number), 0) FROM messages").fetchone()[0]
        self._numbering = None

    def __exit__(
        self, error_type: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close the file, or give up what was not flushed if the block failed.

        Raises:
            StoreError: The last batch cannot be written; it is given up.
        """
        if error_type is None:
            self.close()
        else:
            self.give_up()

    def close(self) -> None:
        """Write what was added, merge the index, and close the file.

        Raises:
            StoreError: The last batch cannot be written; it is given up.
        """
        connection = self._open()
        try:
            merge_fresh(connection)
            self._commit(connection)
        except sqlite3.Error as error:
            raise self._failed(error) from error
        finally:
            self.give_up()

    def give_up(self) -> None:
        """Close the file as it was at the last flush, if it is open."""
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.close()

    def add(
        self, raw: bytes, folder: str = "", flags: Sequence[str] = (), labels: Sequence[str] = ()
    ) -> Literal["added", "duplicate"]:
        """Add one message; many at once go much faster by :meth:`add_many`.

        A message whose Message-ID and content (date, people, subject, text, attachments) are already there is
        a duplicate, whatever its folder or transport headers. One that shares only the Message-ID is kept,
        under an id derived from its content, and says so in its defects.

        Returns:
            ``added`` or ``duplicate``.

        Raises:
            StoreError: The file cannot be written.
        """
        return self._add([RawMessage(raw, folder, flags, labels)])[0].kind

    def add_many(self, messages: Iterable[RawMessage]) -> Counter[Literal["added", "duplicate"]]:
        """Add messages in batches of 1,000; see :meth:`add`.

        Returns:
            How many were ``added`` and how many were a ``duplicate``.

        Raises:
            StoreError: The file cannot be written; what was flushed before is kept.
        """
        counts: Counter[Literal["added", "duplicate"]] = Counter()
        walk = iter(messages)
        while batch := list(islice(walk, CHUNK_MESSAGES)):
            counts.update(outcome.kind for outcome in self._add(batch))
            if len(batch) == CHUNK_MESSAGES:
                self.flush()
        return counts

    def _add(self, batch: list[RawMessage]) -> list[Outcome]:
        if self._packer is None or self._vocabulary is None:
            self._packer, self._vocabulary = Packer(self.dictionary()), Vocabulary()
        return self.write(prepare(batch, self._packer, self._vocabulary))

    def write(self, chunk: Chunk, places: Sequence[int] | None = None) -> list[Outcome]:
        """Add prepared messages; see :meth:`add` for what is a duplicate.

        Args:
            chunk: The messages. They must be packed without a dictionary or with one that the file has.
            places: Which of them to add; None for all.

        Returns:
            What became of each of them, in order.

        Raises:
            StoreError: The file cannot be written. All since the last flush is given up, and the file closed.
        """
        connection = self._open()
        try:
            chosen = range(len(chunk.messages)) if places is None else places
            outcomes, new = self._judge(connection, [(place, chunk.messages[place]) for place in chosen])
            if new:
                self._insert(connection, chunk, new)
            if should_merge(self._fresh_messages, self._fresh_postings):
                merge_fresh(connection)
                self._fresh_messages = self._fresh_postings = 0
        except sqlite3.Error as error:
            raise self._failed(error) from error
        except BaseException:  # Ctrl-C too: half a batch is never kept, even if whoever called goes on
            self.give_up()
            raise
        return outcomes

    def _judge(
        self, connection: sqlite3.Connection, candidates: list[tuple[int, Prepared]]
    ) -> tuple[list[Outcome], list[tuple[int, Prepared]]]:
        """Tell duplicates from new messages, and note all their digests; new ones get a free id."""
        ids = json.dumps([message.message_id for _, message in candidates])
        known: dict[str, dict[bytes, tuple[int, str]]] = {}
        for own_id, fingerprint, number, message_id in connection.execute(_SAME_ID, (ids, ids)):
            known.setdefault(own_id, {})[fingerprint] = (number, message_id)
        outcomes: list[Outcome] = []
        new: list[tuple[int, Prepared]] = []
        seen: list[tuple[bytes, int]] = []
        taken: set[str] = set()
        for place, message in candidates:
            own_id = message.message_id
            same = known.setdefault(own_id, {})
            twin = same.get(message.fingerprint)
            if twin is not None:
                outcomes.append(Outcome("duplicate", twin[1]))
                seen.append((message.digest, twin[0]))
                continue
            number = self._next_number + len(new)
            if same or own_id in taken:
                message = self._renamed(connection, message, taken)  # noqa: PLW2901
                connection.execute("INSERT INTO same_id VALUES (?, ?)", (own_id, number))
            taken.add(message.message_id)
            same[message.fingerprint] = (number, message.message_id)
            outcomes.append(Outcome("added", message.message_id))
            seen.append((message.digest, number))
            new.append((place, message))
        connection.executemany("INSERT OR IGNORE INTO seen VALUES (?, ?)", seen)
        return outcomes, new

    @staticmethod
    def _renamed(connection: sqlite3.Connection, message: Prepared, taken: set[str]) -> Prepared:
        free_id, same = message.message_id, "SELECT 1 FROM messages WHERE message_id = ?"
        while free_id in taken or connection.execute(same, (free_id,)).fetchone():  # again: an id may be foreseen
            free_id = derive_id(free_id.encode("utf-8") + message.fingerprint)
        row = list(message.row)
        row[0], row[_DEFECTS] = free_id, list_json((*message.defects, SAME_ID_DEFECT))
        return replace(message, message_id=free_id, row=tuple(row))

    def _insert(self, connection: sqlite3.Connection, chunk: Chunk, new: list[tuple[int, Prepared]]) -> None:
        first = self._next_number
        numbered = list(zip(numbers_from(first), (message for _, message in new), strict=False))
        connection.executemany(_INSERT, [(number, *m.row, m.fingerprint) for number, m in numbered])
        connection.executemany("INSERT INTO contents VALUES (?, ?)", [(number, m.contents) for number, m in numbered])
        columns, postings = chunk.columns, chunk.postings
        if len(new) < len(chunk.messages):
            keep = np.zeros(len(chunk.messages), bool)
            keep[[place for place, _ in new]] = True
            columns, postings = columns.select(keep), postings.select(keep)
        if self._numbering is None:
            self._numbering = Numbering(connection)
        columns = self._numbering.apply(columns, chunk.people, chunk.folders)
        insert_piece(connection, first, len(new), columns.blobs())
        connection.execute("INSERT INTO fresh VALUES (?, ?)", (first, pack_postings(postings)))
        self._next_number += len(new)
        self._fresh_messages += len(new)
        self._fresh_postings += len(postings)

    def known_digests(self) -> Iterator[tuple[bytes, int]]:
        """Walk through the digests of all raw messages ever met, with the numbers of the messages that they are."""
        yield from self._open().execute("SELECT digest, number FROM seen")

    def message_id(self, number: int) -> str:
        """Return the Message-ID of a message by its number in the file."""
        return str(self._open().execute("SELECT message_id FROM messages WHERE number = ?", (number,)).fetchone()[0])

    def dictionary(self) -> bytes:
        """Return the compression dictionary that the file has; empty for none."""
        row = self._open().execute("SELECT bytes FROM dictionaries ORDER BY id LIMIT 1").fetchone()
        return bytes(row[0]) if row else b""

    def use_dictionary(self, dictionary: bytes) -> None:
        """Keep a compression dictionary in the file, for chunks that are packed with it; empty does nothing."""
        if dictionary:
            row = (dictionary_id(dictionary), dictionary)
            self._execute("INSERT OR IGNORE INTO dictionaries VALUES (?, ?)", [row])

    def marks(self) -> dict[str, str]:
        """Return what :meth:`remember` kept."""
        return dict(self._open().execute("SELECT key, value FROM marks").fetchall())

    def remember(self, marks: Mapping[str, str]) -> None:
        """Keep where incremental sources begin the next time; written with the batch in flight."""
        self._execute("INSERT OR REPLACE INTO marks VALUES (?, ?)", marks.items())

    def set_owner(self, addresses: Sequence[str], name: str) -> None:
        """Say whose mail it is; written with the batch in flight."""
        self._execute("INSERT OR REPLACE INTO about VALUES (?, ?)", _owner_entries(addresses, name).items())

    def owner(self) -> tuple[tuple[str, ...], str]:
        """Return the owner's addresses and name as they stand in the file; empty where none is set."""
        about = dict(self._open().execute("SELECT key, value FROM about").fetchall())
        return tuple(json.loads(about["owner_addresses"])), about["owner_name"]

    def count(self) -> int:
        """Return the number of messages, those of the batch in flight included."""
        self._open()
        return self._next_number - 1

    def correspondents(self) -> list[tuple[str, str, str, int, int]]:
        """Return (name, address, folder, messages written, messages received) of everybody."""
        return count_correspondents(self._open())

    def flush(self) -> None:
        """Write what was added now; the next message begins another batch.

        Raises:
            StoreError: It cannot be written.
        """
        try:
            self._commit(self._open())
            self._begin()
        except sqlite3.Error as error:
            raise self._failed(error) from error

    @staticmethod
    def _commit(connection: sqlite3.Connection) -> None:
        connection.execute("UPDATE about SET value = value + 1 WHERE key = 'generation'")
        connection.execute("COMMIT")

    def _begin(self) -> None:
        self._open().execute("BEGIN IMMEDIATE")

    def _execute(self, sql: str, rows: Iterable[tuple[object, ...]]) -> None:
        try:
            self._open().executemany(sql, rows)
        except sqlite3.Error as error:
            raise self._failed(error) from error

    def _failed(self, error: sqlite3.Error) -> StoreError:
        """Give up what was not flushed, and return the error that says why; it is also what any later call raises."""
        self.give_up()
        self._failure = f"{self.path} cannot be written ({error}): {what_to_do(error)}"
        return StoreError(self._failure)

    def _open(self) -> sqlite3.Connection:
        if self._connection is None:
            unopened = f"{self.path} is not open for writing: use  with MailboxWriter(...) as writer"
            raise StoreError(self._failure or unopened)
        return self._connection


_SAME_ID = """
SELECT message_id, fingerprint, number, message_id FROM messages WHERE message_id IN (SELECT value FROM json_each(?))
UNION ALL
SELECT own_id, fingerprint, number, message_id FROM same_id JOIN messages USING (number)
WHERE own_id IN (SELECT value FROM json_each(?))
"""


def _owner_entries(addresses: Sequence[str], name: str) -> dict[str, str]:
    return {"owner_addresses": json.dumps([address.lower() for address in addresses]), "owner_name": name}
