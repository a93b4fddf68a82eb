"""What filters, ranking and threads ask of every message, as arrays: a few bytes a message.

A piece of columns covers messages with consecutive numbers, in the order of their numbers. Lists (recipients, links to
other messages) are flat, with a count for each message.
"""

from collections.abc import Sequence
from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

NO_DATE = int(np.iinfo(np.int64).min) + 1
"""Stands for a missing date: earlier than any."""

TYPES = {
    "dates_s": "<i8",
    "lengths": "<u4",
    "authors": "<i4",
    "folders": "<i4",
    "attached": "|u1",
    "subjects": "<i8",
    "recipient_counts": "<u4",
    "recipients": "<i4",
    "link_counts": "<u4",
    "links": "<i8",
}
"""The columns, and how their numbers lie in the file."""


@dataclass(frozen=True, slots=True)
class Columns:
    """Columns of N messages.

    Attributes:
        dates_s: Shape (N,): seconds since 1970 in UTC, ``NO_DATE`` where there is none.
        lengths: Shape (N,): words.
        authors: Shape (N,): address number of the author.
        folders: Shape (N,): number of the folder.
        attached: Shape (N,): number of attachments, at most 255.
        subjects: Shape (N,): hash of the subject's key (:func:`mailgym.mail.thread.subject_key`).
        recipient_counts: Shape (N,): how many recipients (to, cc, bcc) each message has.
        recipients: Shape (their sum,): address numbers.
        link_counts: Shape (N,): how many links each message has.
        links: Shape (their sum,): hashes of the Message-IDs that tie it to its thread.
    """

    dates_s: NDArray[np.int64]
    lengths: NDArray[np.uint32]
    authors: NDArray[np.int32]
    folders: NDArray[np.int32]
    attached: NDArray[np.uint8]
    subjects: NDArray[np.int64]
    recipient_counts: NDArray[np.uint32]
    recipients: NDArray[np.int32]
    link_counts: NDArray[np.uint32]
    links: NDArray[np.int64]

    def __len__(self) -> int:
        """Return the number of messages."""
        return len(self.dates_s)

    def blobs(self) -> tuple[bytes, ...]:
        """Return each column as bytes, in the order of ``TYPES``."""
        return tuple(getattr(self, name).astype(kind, copy=False).tobytes() for name, kind in TYPES.items())

    def select(self, keep: NDArray[np.bool_]) -> "Columns":
        """Return the columns of some of the messages. Shape of ``keep``: (N,)."""
        kept = {field.name: getattr(self, field.name) for field in fields(self)}
        for counts, flat in (("recipient_counts", "recipients"), ("link_counts", "links")):
            kept[flat] = kept[flat][np.repeat(keep, kept[counts])]
        for name, column in kept.items():
            if name not in ("recipients", "links"):
                kept[name] = column[keep]
        return Columns(**kept)


def read_column(name: str, blobs: Sequence[bytes]) -> NDArray[np.int64]:
    """Join one column of several pieces; its numbers have the type that ``TYPES`` gives them."""
    return np.frombuffer(b"".join(blobs), TYPES[name])


def join(pieces: Sequence[Columns]) -> Columns:
    """Join pieces in the order of their messages."""
    return Columns(*(np.concatenate([getattr(piece, name) for piece in pieces]) for name in TYPES))
