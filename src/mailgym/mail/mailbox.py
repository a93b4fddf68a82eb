"""Reads one owner's mailbox: search, read, walk through. Nothing here can change it."""

import copy
import json
import os
import sqlite3
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any, Literal, Self

from mailgym.core.errors import QueryError, StoreError, UnknownMessage
from mailgym.mail.message import Address, Attachment, Message
from mailgym.mail.query import (
    COLUMN_WEIGHTS,
    Filters,
    Terms,
    read_filters,
    read_horizon,
    read_keywords,
    read_page,
)
from mailgym.mail.schema import connect_read_only
from mailgym.mail.snippet import make_snippet

_WEIGHTS = ", ".join(str(weight) for weight in COLUMN_WEIGHTS.values())
_MESSAGE_COLUMNS = """message_id, date_s, date_original, subject, from_name, from_address, recipients, text, new_text,
    quoted_text, attachment_list, folder, flags, in_reply_to, refs, defects, size_bytes"""
_HIT_COLUMNS = "number, message_id, date_s, from_name, from_address, recipients, subject, new_text, quoted_text"
NO_HORIZON = float("inf")


@dataclass(frozen=True, slots=True)
class Hit:
    """One message that a search found.

    Attributes:
        date: When it was sent, UTC; None where unknown.
        to: Its recipients, copies left out.
        snippet: A stretch of its text around the keywords, on one line.
        score: BM25, higher is better; 0 for searches without keywords.
    """

    message_id: str
    date: datetime | None
    from_: Address
    to: tuple[Address, ...]
    subject: str
    snippet: str
    score: float


@dataclass(frozen=True, slots=True)
class MailboxStats:
    """What a mailbox holds, up to its as-of date.

    Attributes:
        messages: Number of messages. undated: those without a date. with_attachment: those with attachments.
        with_defects: Those that could not be read as they claim to be.
        first: Date of the oldest. last: date of the newest. None where there is none.
        folders: Messages by folder, the largest first.
        people: Number of different addresses that wrote.
        size_bytes: Size of all raw messages.
    """

    messages: int
    undated: int
    with_attachment: int
    with_defects: int
    first: datetime | None
    last: datetime | None
    folders: dict[str, int]
    people: int
    size_bytes: int


class _Files:
    """One connection to the mailbox file for each thread, opened where it is first used, and anew after a fork."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._is_closed = False
        self._forget()

    def _forget(self) -> None:
        self._process_id = os.getpid()
        self._local = threading.local()
        self._opened: list[sqlite3.Connection] = []

    def connection(self) -> sqlite3.Connection:
        if self._is_closed:
            raise StoreError(f"{self._path} was closed: open it again with Mailbox.open")
        if self._process_id != os.getpid():
            self._forget()
        connection: sqlite3.Connection | None = getattr(self._local, "connection", None)
        if connection is None:
            connection = connect_read_only(self._path)
            self._local.connection = connection
            self._opened.append(connection)
        return connection

    def close(self) -> None:
        self._is_closed = True
        if self._process_id == os.getpid():
            for connection in self._opened:
                connection.close()
        self._forget()


class Mailbox:
    """One owner's mailbox, opened read-only, as it was on a date.

    Search and read both keep to the date: later messages, and messages without any date, do not exist for a
    mailbox that was opened with ``as_of``. Only the word statistics behind the ranking are those of the whole
    file.

    It may be used from several threads, survives a fork, and can be pickled: each thread and process opens
    the file for itself.
    """

    def __init__(self, path: Path, as_of: date | None = None) -> None:
        """Open a mailbox file; see :meth:`open`."""
        self.path = Path(path)
        self.as_of = as_of
        self._horizon_s = read_horizon(as_of)
        self._files = _Files(self.path)
        self._length: int | None = None
        about = dict(self._rows("SELECT key, value FROM about", ()))
        self.name: str = about["name"]
        self.owner_name: str = about["owner_name"]
        self.owner_addresses: tuple[str, ...] = tuple(json.loads(about["owner_addresses"]))

    @classmethod
    def open(cls, path: Path | str, as_of: date | datetime | None = None) -> "Mailbox":
        """Open a mailbox file read-only.

        Args:
            path: The mailbox file.
            as_of: Mail after it does not exist: after the end of the day (UTC) for a date, after the time
                itself for a time (UTC where it names no zone). None: all mail.

        Raises:
            StoreError: There is no such file, it is damaged, no mailbox, or of another schema version.
        """
        return cls(Path(path), as_of)

    def __reduce__(self) -> tuple[Callable[..., "Mailbox"], tuple[Path, date | None]]:
        return Mailbox, (self.path, self.as_of)

    def __copy__(self) -> "Mailbox":
        other = object.__new__(Mailbox)
        other.__dict__.update(self.__dict__)
        return other

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def at(self, as_of: date | datetime | None) -> "Mailbox":
        """Return the same mailbox as it was on another date. It shares the open file: closing one closes both."""
        other = copy.copy(self)
        other.as_of, other._horizon_s, other._length = as_of, read_horizon(as_of), None
        return other

    def close(self) -> None:
        """Close the file in every thread that opened it; using the mailbox afterwards is an error."""
        self._files.close()

    def _rows(self, sql: str, parameters: Sequence[object]) -> list[tuple[Any, ...]]:
        connection = self._files.connection()
        try:
            return connection.execute(sql, tuple(parameters)).fetchall()
        except sqlite3.Error as error:
            raise StoreError(f"{self.path} cannot be read ({error}): import its mail again") from error

    def _visible(self) -> Filters:
        """The condition that keeps to the as-of date."""
        if self._horizon_s == NO_HORIZON:
            return Filters((), ())
        return Filters(("m.date_s < ?",), (self._horizon_s,))

    def __len__(self) -> int:
        """Return the number of messages up to the as-of date."""
        if self._length is None:
            visible = self._visible()
            self._length = int(
                self._rows(f"SELECT count(*) FROM messages m{_where(visible)}", visible.parameters)[0][0]
            )
        return self._length

    def __iter__(self) -> Iterator[Message]:
        """Walk through the messages from the oldest to the newest; those without a date come first."""
        visible = self._visible()
        order = f"SELECT number FROM messages m{_where(visible)} ORDER BY date_s, number"
        for (number,) in self._rows(order, visible.parameters):
            yield _message(self._rows(f"SELECT {_MESSAGE_COLUMNS} FROM messages WHERE number = ?", (number,))[0])

    def read(self, message_id: str) -> Message:
        """Return one message by its Message-ID, with or without angle brackets.

        Raises:
            UnknownMessage: This mailbox has no such message up to its as-of date.
        """
        if not isinstance(message_id, str):
            raise UnknownMessage(f"message_id is {message_id!r:.80}: write the id of a message that a search found")
        wanted = message_id.strip().removeprefix("<").removesuffix(">")
        wanted = wanted.encode("utf-8", errors="replace").decode()
        visible = self._visible()
        sql = f"SELECT {_MESSAGE_COLUMNS} FROM messages m{_where(visible, 'm.message_id = ?')}"
        rows = self._rows(sql, (*visible.parameters, wanted))
        if not rows:
            raise UnknownMessage(f"no message {message_id!r:.80} in this mailbox: use an id that a search returned")
        return _message(rows[0])

    def read_raw(self, message_id: str) -> bytes:
        """Return the raw bytes of one message as they were imported.

        Raises:
            UnknownMessage: This mailbox has no such message up to its as-of date.
        """
        import zstandard

        message = self.read(message_id)
        sql = "SELECT zstd FROM raw JOIN messages USING (number) WHERE message_id = ?"
        return zstandard.decompress(self._rows(sql, (message.message_id,))[0][0])

    def ids_beginning_with(self, beginning: str, limit: int = 10) -> list[str]:
        """Return the Message-IDs that begin so, in the order of their characters, ``limit`` of them at most."""
        wanted = beginning.encode("utf-8", errors="replace").decode()
        visible = self._visible()
        where = _where(visible, "m.message_id >= ? AND m.message_id < ?")
        sql = f"SELECT message_id FROM messages m{where} ORDER BY message_id LIMIT ?"
        return [found for (found,) in self._rows(sql, (*visible.parameters, wanted, wanted + "\U0010ffff", limit))]

    def search(
        self,
        keywords: str | Sequence[str] | None = None,
        *,
        from_: str | None = None,
        to: str | None = None,
        after: str | date | None = None,
        before: str | date | None = None,
        folder: str | None = None,
        has_attachment: bool | None = None,
        limit: int = 10,
        offset: int = 0,
        sort: Literal["rank", "date"] = "rank",
        match: Literal["any", "all"] = "any",
    ) -> list[Hit]:
        """Find messages by keywords and filters.

        The time it takes goes with the number of messages that hold any of the words: words that nearly every
        message has cost most, and tell least.

        Args:
            keywords: A string of words (phrases in double quotes), or a list of words and phrases. Words
                match by their stem, in subject, people, text, quoted text and attachment names. Only the
                first 64 different terms are searched.
            from_: An author: an address, or words of the name or address, each by its beginning.
            to: A recipient (to, cc or bcc), in the same way.
            after: First day (``2001-05-14``) or moment (RFC 3339), included.
            before: Day or moment that ends the search, not included.
            folder: The whole name of a folder, in any case.
            has_attachment: Only messages with (True) or without (False) attachments.
            limit: Most hits, 1 to 10,000.
            offset: How many hits to leave out first.
            sort: ``rank``: best first by BM25, the newest first among equals, and newest first where there
                are no keywords. ``date``: newest first.
            match: Whether ``any`` keyword suffices or ``all`` must be there.

        Returns:
            The hits, best first. Empty strings count as not given.

        Raises:
            QueryError: There are neither keywords nor filters, or one of them cannot be understood; it says
                which.

        Source: S. Robertson and H. Zaragoza (2009), "The Probabilistic Relevance Framework: BM25 and Beyond",
            as FTS5 computes it, with column weights (``COLUMN_WEIGHTS``).
        """
        read_page(limit, offset, sort)
        terms = read_keywords(keywords, match)
        filters = read_filters(
            from_=from_,
            to=to,
            after=after,
            before=before,
            folder=folder,
            has_attachment=has_attachment,
            with_keywords=terms is not None,
        )
        if terms is None and not filters.conditions:
            raise QueryError("the search is empty: give keywords, or a filter (from, to, after, before, folder)")
        ranked = self._ranked(terms, filters, limit, offset, by_rank=sort == "rank")
        return self._hits(ranked, [word for phrase in terms.phrases for word in phrase] if terms else [])

    def _ranked(
        self, terms: Terms | None, filters: Filters, limit: int, offset: int, *, by_rank: bool
    ) -> list[tuple[int, float]]:
        visible = self._visible()
        parameters = (*visible.parameters, *filters.parameters)
        if terms is None:
            where = _where(visible, *filters.conditions)
            order = "m.date_s DESC, m.number"
            sql = f"SELECT m.number, 0.0 FROM messages m{where} ORDER BY {order} LIMIT ? OFFSET ?"
            return self._rows(sql, (*parameters, limit, offset))
        where = _where(visible, *filters.conditions, "search MATCH ?")
        order = "badness, m.date_s DESC, m.number" if by_rank else "m.date_s DESC, m.number"
        sql = (
            f"SELECT m.number, bm25(search, {_WEIGHTS}) AS badness FROM search CROSS JOIN messages m "
            f"ON m.number = search.rowid{where} ORDER BY {order} LIMIT ? OFFSET ?"
        )
        rows = self._rows(sql, (*parameters, terms.expression, limit, offset))
        return [(number, -badness) for number, badness in rows]

    def _hits(self, ranked: list[tuple[int, float]], words: list[str]) -> list[Hit]:
        if not ranked:
            return []
        marks = ", ".join("?" * len(ranked))
        rows = self._rows(
            f"SELECT {_HIT_COLUMNS} FROM messages WHERE number IN ({marks})", [number for number, _ in ranked]
        )
        by_number = {row[0]: row[1:] for row in rows}
        hits = []
        for number, score in ranked:
            message_id, date_s, name, address, recipients, subject, new_text, quoted_text = by_number[number]
            to = tuple(Address(*pair) for pair in json.loads(recipients)[0])
            snippet = make_snippet(new_text or quoted_text, words)
            hits.append(Hit(message_id, _utc(date_s), Address(name, address), to, subject, snippet, score))
        return hits

    def stats(self) -> MailboxStats:
        """Count what the mailbox holds up to its as-of date."""
        visible = self._visible()
        where = _where(visible)
        totals = self._rows(
            f"""SELECT count(*), sum(date_s IS NULL), sum(has_attachment), sum(defects != ''), min(date_s),
            max(date_s),
            count(DISTINCT from_address), sum(size_bytes) FROM messages m{where}""",
            visible.parameters,
        )[0]
        count, undated, attached, with_defects, first_s, last_s, people, size_bytes = totals
        folders = self._rows(
            f"SELECT folder, count(*) FROM messages m{where} GROUP BY folder ORDER BY 2 DESC, 1",
            visible.parameters,
        )
        return MailboxStats(
            messages=count,
            undated=undated or 0,
            with_attachment=attached or 0,
            with_defects=with_defects or 0,
            first=_utc(first_s),
            last=_utc(last_s),
            folders=dict(folders),
            people=people,
            size_bytes=size_bytes or 0,
        )


def _where(visible: Filters, *conditions: str) -> str:
    both = (*visible.conditions, *conditions)
    return " WHERE " + " AND ".join(both) if both else ""


def _utc(date_s: int | None) -> datetime | None:
    return None if date_s is None else datetime.fromtimestamp(date_s, UTC)


def _message(row: tuple[Any, ...]) -> Message:
    (message_id, date_s, date_original, subject, name, address, recipients, text, new_text, quoted_text,
    attachments,
     folder, flags, in_reply_to, refs, defects, size_bytes) = row  # fmt: skip
    to, cc, bcc = (tuple(Address(*pair) for pair in group) for group in json.loads(recipients))
    return Message(
        message_id=message_id,
        date=_utc(date_s),
        date_original=date_original,
        subject=subject,
        from_=Address(name, address),
        to=to,
        cc=cc,
        bcc=bcc,
        text=new_text if text is None else text,
        new_text=new_text,
        quoted_text=quoted_text,
        attachments=tuple(Attachment(*item) for item in _items(attachments)),
        folder=folder,
        flags=tuple(_items(flags)),
        labels=(),
        in_reply_to=in_reply_to,
        references=tuple(_items(refs)),
        defects=tuple(_items(defects)),
        size_bytes=size_bytes,
    )


def _items(text: str) -> list[Any]:
    return list(json.loads(text)) if text else []
