"""Numbers the people and folders of a mailbox file, so that columns hold numbers instead of names."""

import sqlite3
from dataclasses import replace

import numpy as np

from mailgym.mail.columns import Columns
from mailgym.mail.terms import words_of

Person = tuple[str, str]
"""A name and an address."""


class Numbering:
    """The numbers given out so far; new people and folders get theirs, and a row, when they are first met."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        """Read the folders that there are; people are looked up when they are met."""
        self._connection = connection
        self._people: dict[Person, int] = {}
        self._folders: dict[str, int] = dict(connection.execute("SELECT name, id FROM folders").fetchall())

    def apply(self, columns: Columns, people: list[Person], folders: list[str]) -> Columns:
        """Put the file's numbers in the place of places in these lists."""
        person_ids = np.zeros(len(people), np.int32)
        for place in np.unique(np.concatenate([columns.authors, columns.recipients])).tolist():
            person_ids[place] = self._person(people[place])
        folder_ids = np.zeros(len(folders), np.int32)
        for place in np.unique(columns.folders).tolist():
            folder_ids[place] = self._folder(folders[place])
        return replace(
            columns,
            authors=person_ids[columns.authors],
            recipients=person_ids[columns.recipients],
            folders=folder_ids[columns.folders],
        )

    def _person(self, person: Person) -> int:
        known = self._people.get(person)
        if known is None:
            sql = "SELECT id FROM addresses WHERE name = ? AND address = ?"
            row = self._connection.execute(sql, person).fetchone()
            known = self._people[person] = int(row[0]) if row else self._add(person)
        return known

    def _add(self, person: Person) -> int:
        cursor = self._connection.execute("INSERT INTO addresses (name, address) VALUES (?, ?)", person)
        number = int(cursor.lastrowid or 0)
        words = [(word, number) for word in dict.fromkeys(words_of(" ".join(person)))]
        self._connection.executemany("INSERT OR IGNORE INTO address_words VALUES (?, ?)", words)
        return number

    def _folder(self, name: str) -> int:
        known = self._folders.get(name)
        if known is None:
            cursor = self._connection.execute("INSERT INTO folders (name) VALUES (?)", (name,))
            known = self._folders[name] = int(cursor.lastrowid or 0)
        return known
