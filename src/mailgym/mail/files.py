"""Holds a mailbox file open for reading: one connection a thread, anew after a fork and where the file was replaced."""

import os
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from mailgym.core.errors import StoreError
from mailgym.mail.contents import Unpacker
from mailgym.mail.index import Index
from mailgym.mail.schema import connect_read_only, needs_roll_back, roll_back, what_to_do

_GENERATION = "SELECT value FROM about WHERE key = 'generation'"


@dataclass(frozen=True, slots=True)
class _Opened:
    """One thread's connection, and which file it has open: another may come to lie at the same path."""

    connection: sqlite3.Connection
    device: int
    inode: int
    thread: threading.Thread


@dataclass(frozen=True, slots=True)
class _Generation:
    """What was read of a file as it stood after one of its batches."""

    key: tuple[int, int, int]
    index: Index
    unpacker: Unpacker


class MailboxFile:
    """A mailbox file, and what was read of it so far: its index and its dictionaries."""

    def __init__(self, path: Path) -> None:
        """Name the file; it is opened where it is first used, and found wherever the process goes."""
        self.path = path
        self._absolute = path.absolute()
        self._is_closed = False
        self._generation: _Generation | None = None
        self._forget()

    def _forget(self) -> None:
        self._process_id = os.getpid()
        self._local = threading.local()
        self._opened: list[_Opened] = []

    def _connection(self) -> _Opened:
        """Return this thread's connection to the file that lies at the path now."""
        if self._is_closed:
            raise StoreError(f"{self.path} was closed: open it again with Mailbox.open")
        if self._process_id != os.getpid():
            self._forget()
        opened: _Opened | None = getattr(self._local, "opened", None)
        if opened is not None and opened.connection.in_transaction:
            return opened
        try:
            status = self._absolute.stat()
        except OSError as error:
            what = "is not a mailbox file" if opened is None else "is a mailbox file no more"
            todo = "import mail with  mailgym mail import MBOX"
            raise StoreError(f"{self.path} {what} ({error.strerror}): {todo}") from error
        if opened is not None and (opened.device, opened.inode) == (status.st_dev, status.st_ino):
            return opened
        if opened is not None:
            self._drop(opened)
        for other in [other for other in self._opened if not other.thread.is_alive()]:
            self._drop(other)
        connection = connect_read_only(self._absolute)
        opened = self._local.opened = _Opened(connection, status.st_dev, status.st_ino, threading.current_thread())
        self._opened.append(opened)
        return opened

    def _drop(self, opened: _Opened) -> None:
        opened.connection.close()
        if opened in self._opened:
            self._opened.remove(opened)

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """Read within one transaction: all that is read belongs to one moment of the file.

        Raises:
            StoreError: The file was closed, is gone, or is damaged.
        """
        connection = self._connection().connection
        is_outermost = not connection.in_transaction
        try:
            if is_outermost:
                self._begin(connection)
            yield connection
        except sqlite3.Error as error:
            raise StoreError(f"{self.path} cannot be read ({error}): {what_to_do(error)}") from error
        finally:
            if is_outermost and connection.in_transaction:
                connection.rollback()

    def _begin(self, connection: sqlite3.Connection) -> None:
        """Begin to read; after an import that was killed meanwhile, what it left half done is undone first."""
        connection.execute("BEGIN")
        try:
            connection.execute(_GENERATION).fetchone()
        except sqlite3.Error as error:
            if not needs_roll_back(error):
                raise
            connection.rollback()
            roll_back(self._absolute)
            connection.execute("BEGIN")

    def _read(self, connection: sqlite3.Connection) -> _Generation:
        """Return what this connection sees, read anew where the file has changed since it was last read."""
        opened: _Opened = self._local.opened
        key = (opened.device, opened.inode, int(connection.execute(_GENERATION).fetchone()[0]))
        known = self._generation
        if known is None or known.key != key:
            dictionaries = dict(connection.execute("SELECT id, bytes FROM dictionaries").fetchall())
            known = self._generation = _Generation(key, Index(connection, key[-1]), Unpacker(dictionaries))
        return known

    def index(self, connection: sqlite3.Connection) -> Index:
        """Return the index as this connection sees it."""
        return self._read(connection).index

    def unpacker(self, connection: sqlite3.Connection) -> Unpacker:
        """Return what unpacks the contents of the messages that this connection sees."""
        return self._read(connection).unpacker

    def close(self) -> None:
        """Close the file in every thread that opened it."""
        self._is_closed = True
        if self._process_id == os.getpid():
            for opened in self._opened:
                opened.connection.close()
        self._forget()
