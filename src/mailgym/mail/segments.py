"""Keeps the index in the mailbox file: postings of new messages, and their merging into few segments.

A batch writes its postings as one blob (a row of ``fresh``). When they are many, or the import ends, they are merged
into a segment: one row a term. A segment takes in the one before it as long as that is at most twice its size, so
that many small imports leave few segments (sizes at least double from the newest to the oldest).

Source: P. O'Neil and others (1996), "The log-structured merge-tree", as inverted indexes use it.
"""

import sqlite3
import struct
from collections.abc import Iterable

import numpy as np
import zstandard

from mailgym.mail.columns import TYPES
from mailgym.mail.postings import BYTES_PER_POSTING, Postings, merge, split_row

MERGE_POSTINGS = 1_500_000
"""A merge takes about a hundred bytes of memory for each."""
MERGE_MESSAGES = 32_768
_HEAD = struct.Struct("<III")
_COLUMN_NAMES = ", ".join(TYPES)


def pack_postings(postings: Postings) -> bytes:
    """Write postings as one blob."""
    terms = "\n".join(postings.terms).encode()
    head = _HEAD.pack(len(terms), len(postings.terms), len(postings))
    arrays = (postings.starts.astype("<u4"), postings.docs.astype("<u2"), postings.weights)
    return zstandard.compress(b"".join((head, terms, *(array.tobytes() for array in arrays))), 1)


def unpack_postings(blob: bytes) -> Postings:
    """Read what :func:`pack_postings` wrote."""
    data = zstandard.decompress(blob)
    terms_bytes, terms, count = _HEAD.unpack_from(data)
    at = _HEAD.size + terms_bytes
    words = data[_HEAD.size : at].decode().split("\n") if terms else []
    starts = np.frombuffer(data, "<u4", terms + 1, at)
    docs = np.frombuffer(data, "<u2", count, at + starts.nbytes)
    return Postings(words, starts, docs, np.frombuffer(data, np.uint8, count, at + starts.nbytes + docs.nbytes))


def merge_fresh(connection: sqlite3.Connection) -> None:
    """Merge all fresh postings, and the small segments before them, within the transaction in hand."""
    fresh = connection.execute(
        "SELECT first_number, messages, postings FROM fresh JOIN pieces USING (first_number) ORDER BY first_number"
    ).fetchall()
    if not fresh:
        return
    first_number = fresh[0][0]
    messages = sum(row[1] for row in fresh)
    pieces = [(number, unpack_postings(blob)) for number, _, blob in fresh]
    count = sum(len(postings) for _, postings in pieces)
    older = connection.execute("SELECT first_number, messages FROM segments ORDER BY first_number DESC").fetchall()
    for number, size in older:
        if size > 2 * messages or size + messages > MERGE_MESSAGES:
            break
        count += _count_postings(connection, number)
        if count > MERGE_POSTINGS:
            break
        pieces.insert(0, (number, _read_segment(connection, number)))
        first_number, messages = number, messages + size
        connection.execute("DELETE FROM postings WHERE segment = ?", (number,))
        connection.execute("DELETE FROM segments WHERE first_number = ?", (number,))
    whole = merge((number - first_number, postings) for number, postings in pieces)
    connection.execute("INSERT INTO segments VALUES (?, ?)", (first_number, messages))
    connection.executemany(f"INSERT INTO postings VALUES ({first_number}, ?, ?)", whole.rows())
    connection.execute("DELETE FROM fresh")
    _join_pieces(connection, first_number)


def should_merge(messages: int, postings: int) -> bool:
    """Tell whether so many fresh messages and postings are to be merged before more come."""
    return messages >= MERGE_MESSAGES or postings >= MERGE_POSTINGS


def _count_postings(connection: sqlite3.Connection, number: int) -> int:
    row = connection.execute("SELECT sum(length(row)) FROM postings WHERE segment = ?", (number,)).fetchone()
    return int(row[0] or 0) // BYTES_PER_POSTING


def _read_segment(connection: sqlite3.Connection, number: int) -> Postings:
    rows = connection.execute("SELECT term, row FROM postings WHERE segment = ? ORDER BY term", (number,)).fetchall()
    parts = [split_row(row) for _, row in rows]
    starts = np.zeros(len(rows) + 1, np.uint32)
    np.cumsum([len(docs) for docs, _ in parts], out=starts[1:])
    none = np.zeros(0)
    docs = np.concatenate([none.astype(np.uint16), *(docs for docs, _ in parts)])
    weights = np.concatenate([none.astype(np.uint8), *(weights for _, weights in parts)])
    return Postings([term for term, _ in rows], starts, docs, weights)


def _join_pieces(connection: sqlite3.Connection, first_number: int) -> None:
    """Join the columns of all messages from one number on into one piece."""
    rows = connection.execute(
        f"SELECT messages, {_COLUMN_NAMES} FROM pieces WHERE first_number >= ? ORDER BY first_number", (first_number,)
    ).fetchall()
    if len(rows) > 1:
        blobs = [b"".join(column) for column in zip(*(row[1:] for row in rows), strict=True)]
        connection.execute("DELETE FROM pieces WHERE first_number >= ?", (first_number,))
        insert_piece(connection, first_number, sum(row[0] for row in rows), blobs)


def insert_piece(connection: sqlite3.Connection, first_number: int, messages: int, blobs: Iterable[bytes]) -> None:
    """Write the columns of new messages, in the order of ``TYPES``."""
    marks = ", ".join("?" * (2 + len(TYPES)))
    connection.execute(
        f"INSERT INTO pieces (first_number, messages, {_COLUMN_NAMES}) VALUES ({marks})",
        (first_number, messages, *blobs),
    )
