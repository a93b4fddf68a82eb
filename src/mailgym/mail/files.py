"""Holds a mailbox file open for reading: one connection a thread, anew after a fork."""

import os
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from mailgym.core.errors import StoreError
from mailgym.mail.contents import Unpacker
from mailgym.mail.index import Index
from mailgym.mail.schema import connect_read_only


class MailboxFile:
    """A mailbox file, and what was read of it so far: its index and its dictionaries."""

    def __init__(self, path: Path) -> None:
        """Name the file; it is opened where it is first used."""
        self.path = path
        self._is_closed = False
        self._index: Index | None = None
        self._unpacker: Unpacker | None = None
        self._forget()

    def _forget(self) -> None:
        self._process_id = os.getpid()
        self._local = threading.local()
        self._opened: list[sqlite3.Connection] = []

    def _connection(self) -> sqlite3.Connection:
        if self._is_closed:
            raise StoreError(f"{self.path} was closed: open it again with Mailbox.open")
        if self._process_id != os.getpid():
            self._forget()
        connection: sqlite3.Connection | None = getattr(self._local, "connection", None)
        if connection is None:
            connection = connect_read_only(self.path)
            self._local.connection = connection
            self._opened.append(connection)
        return connection

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """Read within one transaction: all that is read belongs to one moment of the file.

        Raises:
            StoreError: The file was closed, is gone, or is damaged.
        """
        connection = self._connection()
        is_outermost = not connection.in_transaction
        try:
            if is_outermost:
                connection.execute("BEGIN")
            yield connection
        except sqlite3.Error as error:
            raise StoreError(f"{self.path} cannot be read ({error}): import its mail again") from error
        finally:
            if is_outermost and connection.in_transaction:
                connection.rollback()

    def index(self, connection: sqlite3.Connection) -> Index:
        """Return the index as this connection sees it."""
        row = connection.execute("SELECT value FROM about WHERE key = 'generation'").fetchone()
        generation = int(row[0])
        index = self._index
        if index is None or index.generation != generation:
            index = self._index = Index(connection, generation)
        return index

    def unpacker(self, connection: sqlite3.Connection) -> Unpacker:
        """Return what unpacks the contents of this file's messages."""
        unpacker = self._unpacker
        if unpacker is None:
            dictionaries = connection.execute("SELECT id, bytes FROM dictionaries").fetchall()
            unpacker = self._unpacker = Unpacker(dict(dictionaries))
        return unpacker

    def close(self) -> None:
        """Close the file in every thread that opened it."""
        self._is_closed = True
        if self._process_id == os.getpid():
            for connection in self._opened:
                connection.close()
        self._forget()
