"""Plain SQLite FTS5 over the same mails, ranked and stemmed: the bound of an index that needs no code of one's own.

Every mail is in it. Columns, weights and stemming are near this project's; the ten best are found first, and only they
get a snippet.
"""

import sqlite3
from collections.abc import Iterable, Sequence
from pathlib import Path

from contestants.art_e import Email

MOST_HITS = 10
_TABLES = """
CREATE TABLE mails (number INTEGER PRIMARY KEY, message_id TEXT, date TEXT, from_address TEXT, subject TEXT,
    people TEXT, body TEXT);
CREATE TABLE recipients (number INTEGER, address TEXT, PRIMARY KEY (address, number)) WITHOUT ROWID;
CREATE VIRTUAL TABLE search USING fts5 (subject, people, body, content='mails', content_rowid='number',
    tokenize='porter unicode61 remove_diacritics 2');
INSERT INTO search (search, rank) VALUES ('rank', 'bm25(2.5, 1.5, 1.0)');
"""


def load(path: Path, mails: Iterable[Email]) -> None:
    """Write the database, its index in one piece."""
    connection = sqlite3.connect(path, isolation_level=None)
    try:
        connection.executescript(f"PRAGMA synchronous = OFF; PRAGMA journal_mode = MEMORY;{_TABLES}BEGIN;")
        for mail in mails:
            people = (mail.from_, *mail.to, *mail.cc, *mail.bcc)
            date = "" if mail.date is None else f"{mail.date:%Y-%m-%d %H:%M:%S}"
            row = (mail.message_id, date, mail.from_, mail.subject, "\n".join(people), mail.body)
            cursor = connection.execute(
                "INSERT INTO mails (message_id, date, from_address, subject, people, body) VALUES (?, ?, ?, ?, ?, ?)",
                [value.encode("utf-8", errors="replace").decode() for value in row],
            )
            rows = [(cursor.lastrowid, address.encode("utf-8", errors="replace").decode()) for address in people[1:]]
            connection.executemany("INSERT OR IGNORE INTO recipients VALUES (?, ?)", rows)
        connection.execute("COMMIT")
        for command in ("rebuild", "optimize"):
            connection.execute("INSERT INTO search (search) VALUES (?)", (command,))
    finally:
        connection.close()


class Search:
    """Searches over one database, opened read-only."""

    def __init__(self, path: Path) -> None:
        """Open the database."""
        self._connection = sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)
        self._connection.execute("PRAGMA mmap_size = 1073741824")

    def close(self) -> None:
        """Close the database."""
        self._connection.close()

    def __call__(
        self, keywords: Sequence[str], match: str, from_: str = "", to: str = "", after: str = "", before: str = ""
    ) -> list[tuple[str, str]]:
        """Return (message_id, snippet) of the best ten mails in which any or all of the keywords stand."""
        joint = " OR " if match == "any" else " AND "
        expression = joint.join('"' + keyword.replace('"', '""') + '"' for keyword in keywords)
        conditions, values = ["search MATCH ?"], [expression]
        if from_:
            conditions.append("m.from_address = ?")
            values.append(from_)
        if to:
            conditions.append("EXISTS (SELECT 1 FROM recipients r WHERE r.address = ? AND r.number = m.number)")
            values.append(to)
        for day, sign in ((after, ">="), (before, "<")):
            if day:
                conditions.append(f"m.date {sign} ?")
                values.append(f"{day} 00:00:00")
        join = "" if len(conditions) == 1 else " CROSS JOIN mails m ON m.number = search.rowid"
        sql = f"SELECT search.rowid FROM search{join} WHERE {' AND '.join(conditions)} ORDER BY rank LIMIT {MOST_HITS}"
        best = [row[0] for row in self._connection.execute(sql, values)]
        return [self._shown(number, expression) for number in best]

    def _shown(self, number: int, expression: str) -> tuple[str, str]:
        row: tuple[str, str] = self._connection.execute(
            "SELECT m.message_id, snippet(search, -1, '', '', ' ... ', 15) FROM search CROSS JOIN mails m"
            " ON m.number = search.rowid WHERE search MATCH ? AND search.rowid = ?",
            (expression, number),
        ).fetchone()
        return row
