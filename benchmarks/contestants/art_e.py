"""A loader and a search built as those of ART·E (OpenPipe ART, ``art-e``), written anew after its public code.

What was taken over, as facts: the tables ``emails``, ``recipients`` and ``emails_fts`` (FTS5 over subject and body,
external content, the default tokenizer) with seven indexes and three triggers; one process; everything inserted in one
transaction with ``synchronous = OFF`` and ``journal_mode = MEMORY``, indexes, triggers and the full-text index made
after it; and its rules: a mail with a body over 5,000 characters or more than 30 recipients is left out, and so is one
whose (subject, body, author) was seen before. Its search: all keywords must match, the newest ten first, a snippet of
15 tokens, no ranking; filters by author, recipient and day.

Deviations, each in its favour: it parses with mailparser, which wraps Python's ``email``; ``parse`` here calls
``email`` (the older, quicker policy) alone, and ``parse_with_mailparser`` does as it does. Its mails come as a table
already cut; here an mbox is cut in memory. A Message-ID seen before, which would stop its loader, is left out and
counted. Its search also keeps to one person's address, which costs it one more condition a hit; here the whole
database is the mailbox.
"""

import email
import email.header
import email.message
import email.utils
import importlib
import sqlite3
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

MOST_BODY_CHARACTERS = 5_000
MOST_RECIPIENTS = 30
MOST_HITS = 10

_TABLES = """
CREATE TABLE emails (id INTEGER PRIMARY KEY AUTOINCREMENT, message_id TEXT UNIQUE, subject TEXT, from_address TEXT,
    date TEXT, body TEXT, file_name TEXT);
CREATE TABLE recipients (email_id INTEGER, recipient_address TEXT, recipient_type TEXT,
    FOREIGN KEY (email_id) REFERENCES emails (id) ON DELETE CASCADE);
"""
_INDEXES_AND_TRIGGERS = """
CREATE INDEX emails_from ON emails (from_address);
CREATE INDEX emails_date ON emails (date);
CREATE INDEX emails_message_id ON emails (message_id);
CREATE INDEX recipients_address ON recipients (recipient_address);
CREATE INDEX recipients_type ON recipients (recipient_type);
CREATE INDEX recipients_email ON recipients (email_id);
CREATE INDEX recipients_address_email ON recipients (recipient_address, email_id);
CREATE VIRTUAL TABLE emails_fts USING fts5 (subject, body, content='emails', content_rowid='id');
CREATE TRIGGER emails_inserted AFTER INSERT ON emails BEGIN
    INSERT INTO emails_fts (rowid, subject, body) VALUES (new.id, new.subject, new.body); END;
CREATE TRIGGER emails_deleted AFTER DELETE ON emails BEGIN
    DELETE FROM emails_fts WHERE rowid = old.id; END;
CREATE TRIGGER emails_updated AFTER UPDATE ON emails BEGIN
    UPDATE emails_fts SET subject = new.subject, body = new.body WHERE rowid = old.id; END;
INSERT INTO emails_fts (rowid, subject, body) SELECT id, subject, body FROM emails;
"""


@dataclass(frozen=True, slots=True)
class Email:
    """One row of its dataset; the date is in UTC, without a zone."""

    message_id: str
    subject: str
    from_: str
    to: tuple[str, ...]
    cc: tuple[str, ...]
    bcc: tuple[str, ...]
    date: datetime | None
    body: str
    file_name: str = ""


def parse(raw: bytes) -> Email:
    """Parse one mail with Python's ``email``."""
    mail = email.message_from_bytes(raw)
    return Email(
        message_id=_header(mail, "Message-ID").strip(),
        subject=_header(mail, "Subject"),
        from_=next(iter(_addresses(mail, "From")), ""),
        to=_addresses(mail, "To"),
        cc=_addresses(mail, "Cc"),
        bcc=_addresses(mail, "Bcc"),
        date=_date(mail),
        body=_body(mail),
    )


def parse_with_mailparser(raw: bytes) -> Email:
    """Parse one mail with the library that ART·E parses with; some authors it does not find."""
    mailparser: Any = importlib.import_module("mailparser")
    mail = mailparser.parse_from_string(raw.decode("utf-8", errors="replace"))
    author = mail.from_[0][1] if mail.from_ else ""
    to, cc, bcc = (tuple(address for _, address in people) for people in (mail.to, mail.cc, mail.bcc))
    return Email(mail.message_id, mail.subject, author, to, cc, bcc, mail.date, mail.body)


def _header(mail: email.message.Message, name: str) -> str:
    value = mail.get(name, "")
    if isinstance(value, str) and "=?" not in value:
        return value
    parts = email.header.decode_header(value)
    return "".join(part if isinstance(part, str) else _decoded(part, charset) for part, charset in parts)


def _addresses(mail: email.message.Message, name: str) -> tuple[str, ...]:
    if name not in mail:
        return ()
    return tuple(address for _, address in email.utils.getaddresses([_header(mail, name)]) if address)


def _date(mail: email.message.Message) -> datetime | None:
    try:
        date = email.utils.parsedate_to_datetime(_header(mail, "Date"))
        return date.astimezone(UTC).replace(tzinfo=None) if date.tzinfo else date
    except (ValueError, OverflowError):
        return None


def _body(mail: email.message.Message) -> str:
    texts = []
    for part in mail.walk():
        if part.get_content_maintype() == "text" and part.get_content_disposition() != "attachment":
            payload = part.get_payload(decode=True)
            if isinstance(payload, bytes):
                texts.append(_decoded(payload, part.get_content_charset()))
    return "\n".join(texts)


def _decoded(data: bytes, charset: str | None) -> str:
    try:
        return data.decode(charset or "utf-8", errors="replace")
    except LookupError:
        return data.decode("utf-8", errors="replace")


def load(path: Path, emails: Iterable[Email]) -> Counter[str]:
    """Write the database.

    Returns:
        How many mails were ``added``, and how many left out, by reason.
    """
    connection = sqlite3.connect(path, isolation_level=None)
    try:
        connection.executescript(_TABLES)
        connection.execute("PRAGMA synchronous = OFF")
        connection.execute("PRAGMA journal_mode = MEMORY")
        connection.execute("BEGIN")
        seen: set[tuple[str, str, str]] = set()
        outcomes = Counter(_insert(connection, mail, seen) for mail in emails)
        connection.execute("COMMIT")
        connection.executescript(_INDEXES_AND_TRIGGERS)
    finally:
        connection.close()
    return outcomes


def _insert(connection: sqlite3.Connection, mail: Email, seen: set[tuple[str, str, str]]) -> str:
    if mail.date is None or not mail.from_:
        return "no date or author"
    if len(mail.body) > MOST_BODY_CHARACTERS:
        return "long body"
    if len(mail.to) + len(mail.cc) + len(mail.bcc) > MOST_RECIPIENTS:
        return "many recipients"
    key = (mail.subject, mail.body, mail.from_)
    if key in seen:
        return "same subject, body and author"
    seen.add(key)
    row = (mail.message_id, mail.subject, mail.from_, f"{mail.date:%Y-%m-%d %H:%M:%S}", mail.body, mail.file_name)
    cursor = connection.execute(
        "INSERT OR IGNORE INTO emails (message_id, subject, from_address, date, body, file_name)"
        " VALUES (?, ?, ?, ?, ?, ?)",
        [_storable(value) for value in row],
    )
    if not cursor.rowcount:
        return "same Message-ID"
    rows = [
        (cursor.lastrowid, _storable(address), kind)
        for kind, people in (("to", mail.to), ("cc", mail.cc), ("bcc", mail.bcc))
        for address in people
    ]
    connection.executemany("INSERT INTO recipients VALUES (?, ?, ?)", rows)
    return "added"


def _storable(text: str) -> str:
    return text if text.isascii() else text.encode("utf-8", errors="replace").decode("utf-8")


class Search:
    """Its search over one database, opened read-only."""

    def __init__(self, path: Path) -> None:
        """Open the database."""
        self._connection = sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)

    def close(self) -> None:
        """Close the database."""
        self._connection.close()

    def __call__(
        self,
        keywords: Sequence[str],
        from_: str | None = None,
        to: str | None = None,
        after: str | None = None,
        before: str | None = None,
    ) -> list[tuple[str, str]]:
        """Return (message_id, snippet) of the newest ten mails in which all keywords stand; days are ``YYYY-MM-DD``."""
        conditions = ["emails_fts MATCH ?"]
        values: list[object] = [" ".join('"' + keyword.replace('"', '""') + '"' for keyword in keywords)]
        if from_:
            conditions.append("e.from_address = ?")
            values.append(from_)
        if to:
            conditions.append("EXISTS (SELECT 1 FROM recipients r WHERE r.recipient_address = ? AND r.email_id = e.id)")
            values.append(to)
        for day, sign in ((after, ">="), (before, "<")):
            if day:
                conditions.append(f"e.date {sign} ?")
                values.append(f"{day} 00:00:00")
        sql = (
            "SELECT e.message_id, snippet(emails_fts, -1, '<b>', '</b>', ' ... ', 15)"
            " FROM emails e JOIN emails_fts ON e.id = emails_fts.rowid"
            f" WHERE {' AND '.join(conditions)} ORDER BY e.date DESC LIMIT ?"
        )
        return self._connection.execute(sql, [*values, MOST_HITS]).fetchall()
