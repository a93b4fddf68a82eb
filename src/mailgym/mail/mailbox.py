"""Reads one owner's mailbox: search, read, threads, walk through. Nothing here can change it."""

import copy
import json
import sqlite3
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from pathlib import Path
from typing import Literal, Self

import numpy as np
from numpy.typing import NDArray

from mailgym.core.errors import QueryError, UnknownMessage
from mailgym.mail.columns import NO_DATE
from mailgym.mail.files import MailboxFile
from mailgym.mail.index import Index, Mask
from mailgym.mail.message import Message
from mailgym.mail.query import (
    Filters,
    Terms,
    Who,
    read_filters,
    read_horizon,
    read_keywords,
    read_page,
)
from mailgym.mail.rank import in_order, rank
from mailgym.mail.stored import Hit, read_fields, read_hits, read_members, read_message, read_raw, utc
from mailgym.mail.terms import Stems, words_of
from mailgym.mail.thread import Thread, ThreadMember, gather

NO_HORIZON = float("inf")
MAX_LOOKED_UP = 10_000
"""Messages that one search reads for its phrases, which takes about a second."""
NO_FILTERS = Filters()


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


class Mailbox:
    """One owner's mailbox, opened read-only, as it was on a date.

    Search, threads and reading all keep to the date: later messages, and messages without any date, do not exist for
    a mailbox that was opened with ``as_of``, in the statistics behind the ranking neither.

    It may be used from several threads, survives a fork, and can be pickled: each thread and process opens
    the file for itself.
    """

    def __init__(self, path: Path, as_of: date | None = None) -> None:
        """Open a mailbox file; see :meth:`open`."""
        self.path = Path(path)
        self.as_of = as_of
        self._horizon_s = read_horizon(as_of)
        self._file = MailboxFile(self.path)
        with self._file.reading() as connection:
            about = dict(connection.execute("SELECT key, value FROM about").fetchall())
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
        other.as_of, other._horizon_s = as_of, read_horizon(as_of)
        return other

    def close(self) -> None:
        """Close the file in every thread that opened it; using the mailbox afterwards is an error."""
        self._file.close()

    def __len__(self) -> int:
        """Return the number of messages up to the as-of date."""
        with self._file.reading() as connection:
            return self._file.index(connection).view(connection, self._horizon_s).count

    def __iter__(self) -> Iterator[Message]:
        """Walk through the messages from the oldest to the newest; those without a date come first."""
        with self._file.reading() as connection:
            index = self._file.index(connection)
            docs = np.flatnonzero(_visible(index, connection, self._horizon_s))
        for doc in docs[np.lexsort((docs, index.dates_s[docs]))].tolist():
            with self._file.reading() as connection:
                message = read_message(connection, self._file.unpacker(connection), doc + 1)
            yield message

    def read(self, message_id: str) -> Message:
        """Return one message by its Message-ID, with or without angle brackets.

        Raises:
            UnknownMessage: This mailbox has no such message up to its as-of date.
        """
        with self._file.reading() as connection:
            number = self._number(connection, message_id)
            return read_message(connection, self._file.unpacker(connection), number)

    def read_raw(self, message_id: str) -> bytes:
        """Return the raw bytes of one message as they were imported.

        Raises:
            UnknownMessage: This mailbox has no such message up to its as-of date.
        """
        with self._file.reading() as connection:
            number = self._number(connection, message_id)
            return read_raw(connection, self._file.unpacker(connection), number)

    def thread(self, message_id: str) -> Thread:
        """Return the conversation that a message belongs to, as far as it went by the as-of date.

        Raises:
            UnknownMessage: This mailbox has no such message up to its as-of date.
        """
        with self._file.reading() as connection:
            number = self._number(connection, message_id)
            known = _Threads(connection, self._file.index(connection), self._horizon_s)
            return gather(known.members([number])[0], known)

    def _number(self, connection: sqlite3.Connection, message_id: str) -> int:
        if not isinstance(message_id, str):
            raise UnknownMessage(f"message_id is {message_id!r:.80}: write the id of a message that a search found")
        wanted = message_id.strip().removeprefix("<").removesuffix(">").encode("utf-8", errors="replace").decode()
        row = connection.execute("SELECT number, date_s FROM messages WHERE message_id = ?", (wanted,)).fetchone()
        if row is None or not self._exists(row[1]):
            raise UnknownMessage(f"no message {message_id!r:.80} in this mailbox: use an id that a search returned")
        return int(row[0])

    def _exists(self, date_s: int | None) -> bool:
        return self._horizon_s == NO_HORIZON or (date_s is not None and date_s < self._horizon_s)

    def ids_beginning_with(self, beginning: str, limit: int = 10) -> list[str]:
        """Return the Message-IDs that begin so, in the order of their characters, ``limit`` of them at most."""
        wanted = beginning.encode("utf-8", errors="replace").decode()
        sql = "SELECT message_id, date_s FROM messages WHERE message_id >= ? AND message_id < ? ORDER BY message_id"
        found: list[str] = []
        with self._file.reading() as connection:
            for message_id, date_s in connection.execute(sql, (wanted, wanted + "\U0010ffff")):
                if self._exists(date_s):
                    found.append(message_id)
                if len(found) == limit:
                    break
        return found

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

        Words match by their stem, whatever their case and accents, in subject, people, text, quoted text and
        attachment names.

        Args:
            keywords: A string of words (phrases in double quotes), or a list of words and phrases. Words
                with other characters between (``e-mail``) are a phrase too. Only the first 64 different terms are
                searched.
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
                which. Or a phrase was not found after 10,000 messages that hold its words were read.

        Source: BM25 with weighted fields; see :mod:`mailgym.mail.rank` and :mod:`mailgym.mail.postings`.
        """
        read_page(limit, offset, sort)
        terms = read_keywords(keywords, match)
        filters = read_filters(
            from_=from_, to=to, after=after, before=before, folder=folder, has_attachment=has_attachment
        )
        if terms is None and filters == NO_FILTERS:
            raise QueryError("the search is empty: give keywords, or a filter (from, to, after, before, folder)")
        with self._file.reading() as connection:
            index = self._file.index(connection)
            mask = _filtered(index, connection, filters, self._horizon_s)
            ranked = self._ranked(connection, index, terms, mask, offset + limit, by_date=sort == "date")[offset:]
            numbered = [(doc + 1, score) for doc, score in ranked]
            return read_hits(connection, self._file.unpacker(connection), numbered, terms.words if terms else ())

    def _ranked(
        self,
        connection: sqlite3.Connection,
        index: Index,
        terms: Terms | None,
        mask: Mask | None,
        most: int,
        *,
        by_date: bool,
    ) -> list[tuple[int, float]]:
        view = index.view(connection, self._horizon_s)
        if terms is None:
            docs = np.flatnonzero(_visible(index, connection, self._horizon_s) if mask is None else mask)
            newest = in_order(docs, np.zeros(len(docs)), index.dates_s, most)
            return [(doc, 0.0) for doc in newest.tolist()]
        phrases = _Phrases(connection, self._file)
        return rank(index, connection, view, terms, mask, most, by_date=by_date, holds=phrases.holds)

    def stats(self) -> MailboxStats:
        """Count what the mailbox holds up to its as-of date."""
        condition, parameters = ("date_s < ?", (self._horizon_s,)) if self._horizon_s != NO_HORIZON else ("true", ())
        totals = f"""SELECT count(*), sum(date_s IS NULL), sum(attachments != ''), sum(defects != ''), min(date_s),
            max(date_s), count(DISTINCT from_address), sum(size_bytes) FROM messages WHERE {condition}"""
        by_folder = f"SELECT folder, count(*) FROM messages WHERE {condition} GROUP BY folder ORDER BY 2 DESC, 1"
        with self._file.reading() as connection:
            row = connection.execute(totals, parameters).fetchone()
            folders = dict(connection.execute(by_folder, parameters).fetchall())
        count, undated, attached, with_defects, first_s, last_s, people, size_bytes = row
        return MailboxStats(
            messages=count,
            undated=undated or 0,
            with_attachment=attached or 0,
            with_defects=with_defects or 0,
            first=utc(first_s),
            last=utc(last_s),
            folders=folders,
            people=people,
            size_bytes=size_bytes or 0,
        )


def _visible(index: Index, connection: sqlite3.Connection, horizon_s: float) -> Mask:
    visible = index.view(connection, horizon_s).visible
    return np.ones(len(index), bool) if visible is None else visible


def _filtered(index: Index, connection: sqlite3.Connection, filters: Filters, horizon_s: float) -> Mask | None:
    """Return which messages exist and pass the filters, shape (N,); None where all do."""
    masks: list[Mask] = []
    if filters.after_s is not None:
        masks.append(index.dates_s >= filters.after_s)
    if filters.before_s is not None:
        masks.append((index.dates_s < filters.before_s) & (index.dates_s != NO_DATE))
    if filters.from_ is not None:
        masks.append(index.having(connection, "authors", _address_ids(connection, filters.from_)))
    if filters.to is not None:
        masks.append(index.having(connection, "recipients", _address_ids(connection, filters.to)))
    if filters.folder is not None:
        wanted = filters.folder.strip().casefold()
        folders = connection.execute("SELECT id, name FROM folders").fetchall()
        chosen = [number for number, name in folders if name.casefold() == wanted]
        masks.append(index.having(connection, "folders", np.array(chosen, np.int64)))
    if filters.has_attachment is not None:
        masks.append((index.column(connection, "attached") > 0) == filters.has_attachment)
    visible = index.view(connection, horizon_s).visible
    if visible is not None:
        masks.append(visible)
    return np.logical_and.reduce(masks) if masks else None


def _address_ids(connection: sqlite3.Connection, who: Who) -> NDArray[np.int64]:
    if who.address:
        ids = "SELECT id FROM addresses WHERE address IN (?, ?)"
        parameters = [who.address, who.address.strip("'.")]  # as a sentence holds it; a few addresses begin so
    else:
        one = "SELECT address_id AS id FROM address_words WHERE word >= ? AND word < ?"
        ids = " INTERSECT ".join([one] * len(who.words))
        parameters = [bound for word in who.words for bound in (word, word + "\U0010ffff")]
    row = connection.execute(f"SELECT group_concat(id) FROM ({ids})", parameters).fetchone()
    return np.fromstring(row[0] or "", np.int64, sep=",")  # thousands of numbers: one string is read fastest


class _Phrases:
    """Looks phrases up in messages, each of which is read once."""

    def __init__(self, connection: sqlite3.Connection, file: MailboxFile) -> None:
        self._connection = connection
        self._unpacker = file.unpacker(connection)
        self._stem = Stems().__getitem__
        self._found: dict[int, list[list[str]]] = {}

    def holds(self, doc: int, phrase: tuple[str, ...]) -> bool:
        fields = self._found.get(doc)
        if fields is None:
            if len(self._found) == MAX_LOOKED_UP:
                raise QueryError(
                    f"the words of the phrase {' '.join(phrase)!r} stand in too many messages, and hardly ever "
                    "together: search for them without quotes, or add a filter"
                )
            texts = read_fields(self._connection, self._unpacker, doc + 1)
            fields = self._found[doc] = [list(map(self._stem, words_of(text))) for text in texts]
        return any(_contains(stems, phrase) for stems in fields)


def _contains(stems: list[str], phrase: tuple[str, ...]) -> bool:
    start, first, length = 0, phrase[0], len(phrase)
    while True:
        try:
            start = stems.index(first, start)
        except ValueError:
            return False
        if tuple(stems[start : start + length]) == phrase:
            return True
        start += 1


class _Threads:
    """What :func:`mailgym.mail.thread.gather` asks, answered from a mailbox up to a moment."""

    def __init__(self, connection: sqlite3.Connection, index: Index, horizon_s: float) -> None:
        self._connection = connection
        self._index = index
        self._visible = _visible(index, connection, horizon_s)

    def by_links(self, hashes: Collection[int], /) -> list[int]:
        docs = self._index.linked(self._connection, np.array(list(hashes), np.int64))
        return [doc + 1 for doc in docs[self._visible[docs]].tolist()]

    def by_subject(self, key_hash: int, /) -> list[int]:
        docs = self._index.of_subject(self._connection, key_hash)
        return [doc + 1 for doc in docs[self._visible[docs]].tolist()]

    def members(self, numbers: Sequence[int], /) -> list[ThreadMember]:
        return read_members(self._connection, numbers)
