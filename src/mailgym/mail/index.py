"""The index of one mailbox as it stands in the file: columns of all messages, and where each term stands.

Messages are counted here from 0, in the order in which they came (their numbers in the file, less one).
"""

import sqlite3
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mailgym.mail.columns import NO_DATE, read_column
from mailgym.mail.postings import Postings, split_row
from mailgym.mail.segments import unpack_postings

K1 = 1.2
B = 0.75
QUARTER = 0.25
MAX_VIEWS = 32

Docs = NDArray[np.int64]
Mask = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class View:
    """The messages that exist at one moment.

    Attributes:
        visible: Shape (N,): whether each message exists; None where all do.
        count: How many do.
        norms: Shape (N,): what BM25 adds to a term's frequency for the message's length.
    """

    visible: Mask | None
    count: int
    norms: NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Term:
    """Where one term stands.

    Attributes:
        docs: Shape (n,): messages, ascending.
        frequencies: Shape (n,): weighted frequencies.
    """

    docs: Docs
    frequencies: NDArray[np.float32]


class Index:
    """One generation of a mailbox's index; it never changes, and may be used from several threads.

    Each call brings the connection to read by, which must see the same generation.
    """

    def __init__(self, connection: sqlite3.Connection, generation: int) -> None:
        """Read what every search needs."""
        self.generation = generation
        self._columns: dict[str, NDArray[Any]] = {}
        self._views: dict[float, View] = {}
        self._owners: dict[str, Docs] = {}
        self._in_order: dict[str, _Sorted] = {}
        self._segments = [row[0] for row in connection.execute("SELECT first_number FROM segments ORDER BY 1")]
        self._fresh: list[tuple[int, Postings, dict[str, int]]] = []
        for first, blob in connection.execute("SELECT first_number, postings FROM fresh ORDER BY 1"):
            postings = unpack_postings(blob)
            self._fresh.append((first, postings, {term: place for place, term in enumerate(postings.terms)}))
        self.dates_s = self.column(connection, "dates_s")

    def __len__(self) -> int:
        """Return the number of messages in the file."""
        return len(self.dates_s)

    def column(self, connection: sqlite3.Connection, name: str) -> NDArray[Any]:
        """Return one column of all messages; see :class:`mailgym.mail.columns.Columns`."""
        known = self._columns.get(name)
        if known is None:
            rows = connection.execute(f"SELECT {name} FROM pieces ORDER BY first_number").fetchall()
            known = self._columns[name] = read_column(name, [row[0] for row in rows])
        return known

    def owners(self, connection: sqlite3.Connection, counts: str) -> Docs:
        """Return to which message each entry of a flat column belongs, by the name of its counts."""
        known = self._owners.get(counts)
        if known is None:
            known = self._owners[counts] = np.repeat(np.arange(len(self)), self.column(connection, counts))
        return known

    def view(self, connection: sqlite3.Connection, horizon_s: float) -> View:
        """Return the messages before a moment (infinity: all, those without a date too).

        Source: S. Robertson and H. Zaragoza (2009), "The Probabilistic Relevance Framework: BM25 and Beyond",
            equation 3.14, with k1 = 1.2 and b = 0.75; the average length is that of the visible messages.
        """
        known = self._views.get(horizon_s)
        if known is None:
            lengths = self.column(connection, "lengths").astype(np.float32)
            visible = None
            if horizon_s != float("inf"):
                visible = (self.dates_s < horizon_s) & (self.dates_s != NO_DATE)
            seen = lengths if visible is None else lengths[visible]
            mean = float(seen.mean()) if len(seen) and seen.any() else 1.0
            known = View(visible, len(seen), np.float32(K1) * (np.float32(1 - B) + np.float32(B / mean) * lengths))
            if len(self._views) >= MAX_VIEWS:
                self._views.clear()
            self._views[horizon_s] = known
        return known

    def term(self, connection: sqlite3.Connection, stem: str) -> Term:
        """Return where a stem stands; nowhere gives empty arrays."""
        docs: list[NDArray[Any]] = []
        weights: list[NDArray[Any]] = []
        for segment in self._segments:
            found = connection.execute(
                "SELECT row FROM postings WHERE segment = ? AND term = ?", (segment, stem)
            ).fetchone()
            if found is not None:
                offsets, quarters = split_row(found[0])
                docs.append(offsets.astype(np.int64) + (segment - 1))
                weights.append(quarters)
        for first, postings, places in self._fresh:
            place = places.get(stem)
            if place is not None:
                start, end = int(postings.starts[place]), int(postings.starts[place + 1])
                docs.append(postings.docs[start:end].astype(np.int64) + (first - 1))
                weights.append(postings.weights[start:end])
        if not docs:
            return Term(np.zeros(0, np.int64), np.zeros(0, np.float32))
        return Term(np.concatenate(docs), np.concatenate(weights).astype(np.float32) * np.float32(QUARTER))

    def having(self, connection: sqlite3.Connection, column: str, wanted: NDArray[np.int64]) -> Mask:
        """Return which messages have one of these numbers in a column (``authors``, ``folders``, ``recipients``).

        Returns:
            Shape (N,).
        """
        numbers = self.column(connection, column)
        table = np.zeros(int(numbers.max(initial=0)) + 1, bool)
        table[wanted[wanted < len(table)]] = True
        if column != "recipients":
            return np.asarray(table[numbers])
        mask = np.zeros(len(self), bool)
        mask[self.owners(connection, "recipient_counts")[table[numbers]]] = True
        return mask

    def linked(self, connection: sqlite3.Connection, hashes: NDArray[np.int64]) -> Docs:
        """Return the messages with one of these link hashes."""
        known = self._in_order.get("links")
        if known is None:
            known = _Sorted(self.column(connection, "links"), self.owners(connection, "link_counts"))
            self._in_order["links"] = known
        return known.holders(hashes)

    def of_subject(self, connection: sqlite3.Connection, key_hash: int) -> Docs:
        """Return the messages whose subject's key has this hash."""
        known = self._in_order.get("subjects")
        if known is None:
            known = self._in_order["subjects"] = _Sorted(self.column(connection, "subjects"), np.arange(len(self)))
        return known.holders(np.array([key_hash], np.int64))


class _Sorted:
    """Hashes in order, each with the message that has it: looking some up costs little however large the mailbox."""

    def __init__(self, hashes: NDArray[np.int64], docs: Docs) -> None:
        order = np.argsort(hashes, kind="stable")
        self._hashes, self._docs = hashes[order], docs[order]

    def holders(self, hashes: NDArray[np.int64]) -> Docs:
        """Return the messages with one of these hashes, ascending."""
        starts = np.searchsorted(self._hashes, hashes, "left").tolist()
        ends = np.searchsorted(self._hashes, hashes, "right").tolist()
        found = [self._docs[start:end] for start, end in zip(starts, ends, strict=True) if end > start]
        return np.unique(np.concatenate(found)) if found else np.zeros(0, np.int64)
