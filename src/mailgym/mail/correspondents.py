"""Counts who wrote to the owner of a mailbox and who was written to, by folder."""

import sqlite3

import numpy as np
from numpy.typing import NDArray

from mailgym.mail.columns import read_column


def count_correspondents(connection: sqlite3.Connection) -> list[tuple[str, str, str, int, int]]:
    """Return (name, address, folder, messages written, messages received) of everybody, by number of the address."""
    rows = connection.execute(
        "SELECT authors, folders, recipient_counts, recipients FROM pieces ORDER BY first_number"
    ).fetchall()
    blobs = list(zip(*rows, strict=True)) if rows else [()] * 4
    names = ("authors", "folders", "recipient_counts", "recipients")
    authors, folders, counts, recipients = (
        read_column(name, column).astype(np.int64) for name, column in zip(names, blobs, strict=True)
    )
    written = _count(authors, folders)
    received = _count(recipients, np.repeat(folders, counts))
    people = {number: (name, address) for number, name, address in connection.execute("SELECT * FROM addresses")}
    folder_names = dict(connection.execute("SELECT id, name FROM folders").fetchall())
    keys = sorted(written.keys() | received.keys())
    return [
        (*people[person], folder_names[folder], written.get((person, folder), 0), received.get((person, folder), 0))
        for person, folder in keys
    ]


def _count(people: NDArray[np.int64], folders: NDArray[np.int64]) -> dict[tuple[int, int], int]:
    keys, counts = np.unique(people << 32 | folders, return_counts=True)
    return {(key >> 32, key & 0xFFFFFFFF): count for key, count in zip(keys.tolist(), counts.tolist(), strict=True)}
