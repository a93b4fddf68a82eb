"""Reads messages and hits from the rows of a mailbox file."""

import json
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from mailgym.mail.contents import Unpacker
from mailgym.mail.message import Address, Attachment, Message
from mailgym.mail.prepare import people_field, people_of
from mailgym.mail.snippet import SEARCHED_CHARACTERS, make_snippet
from mailgym.mail.thread import ThreadMember

_MESSAGE_COLUMNS = """message_id, date_s, date_original, subject, from_name, from_address, recipients, folder, flags,
    labels, in_reply_to, refs, defects, attachments, size_bytes, packed"""
_HIT_COLUMNS = "number, message_id, date_s, from_name, from_address, recipients, subject, folder, packed"
_MEMBER_COLUMNS = "number, message_id, in_reply_to, refs, subject, from_name, from_address, recipients, date_s"


@dataclass(frozen=True, slots=True)
class Hit:
    """One message that a search found.

    Attributes:
        date: When it was sent, UTC; None where unknown.
        to: Its recipients, copies left out.
        folder: Where its owner kept it.
        snippet: A stretch of its text around the keywords, on one line.
        score: BM25, higher is better; 0 for searches without keywords.
    """

    message_id: str
    date: datetime | None
    from_: Address
    to: tuple[Address, ...]
    subject: str
    folder: str
    snippet: str
    score: float


def read_message(connection: sqlite3.Connection, unpacker: Unpacker, number: int) -> Message:
    """Read one message by its number in the file."""
    sql = f"SELECT {_MESSAGE_COLUMNS} FROM messages JOIN contents USING (number) WHERE number = ?"
    (message_id, date_s, date_original, subject, name, address, recipients, folder, flags, labels, in_reply_to, refs,
     defects, attachments, size_bytes, packed) = connection.execute(sql, (number,)).fetchone()  # fmt: skip
    to, cc, bcc = people_of(recipients)
    text, new_text, quoted_text = unpacker.texts(packed)
    return Message(
        message_id=message_id,
        date=utc(date_s),
        date_original=date_original,
        subject=subject,
        from_=Address(name, address),
        to=to,
        cc=cc,
        bcc=bcc,
        text=text,
        new_text=new_text,
        quoted_text=quoted_text,
        attachments=tuple(Attachment(*item) for item in _items(attachments)),
        folder=folder,
        flags=tuple(_items(flags)),
        labels=tuple(_items(labels)),
        in_reply_to=in_reply_to,
        references=tuple(_items(refs)),
        defects=tuple(_items(defects)),
        size_bytes=size_bytes,
    )


def read_raw(connection: sqlite3.Connection, unpacker: Unpacker, number: int) -> bytes:
    """Read the raw bytes of one message by its number in the file."""
    packed = connection.execute("SELECT packed FROM contents WHERE number = ?", (number,)).fetchone()[0]
    return unpacker.unpack(packed).raw


def read_hits(
    connection: sqlite3.Connection, unpacker: Unpacker, ranked: Sequence[tuple[int, float]], words: Sequence[str]
) -> list[Hit]:
    """Read what is shown of messages, given by their numbers in the file and scores, with snippets around words."""
    sql = f"SELECT {_HIT_COLUMNS} FROM messages JOIN contents USING (number) WHERE number IN ({_marks(ranked)})"
    by_number = {row[0]: row[1:] for row in connection.execute(sql, [number for number, _ in ranked])}
    hits = []
    for number, score in ranked:
        message_id, date_s, name, address, recipients, subject, folder, packed = by_number[number]
        text = unpacker.shown_text(packed, 4 * SEARCHED_CHARACTERS)
        to = tuple([Address(*pair) for pair in json.loads(recipients)[0]])
        snippet = make_snippet(text, words)
        hits.append(Hit(message_id, utc(date_s), Address(name, address), to, subject, folder, snippet, score))
    return hits


def read_members(connection: sqlite3.Connection, numbers: Sequence[int]) -> list[ThreadMember]:
    """Read what threads need to know of messages, given by their numbers in the file."""
    members = []
    for start in range(0, len(numbers), 1_000):
        some = numbers[start : start + 1_000]
        sql = f"SELECT {_MEMBER_COLUMNS} FROM messages WHERE number IN ({_marks(some)})"
        for row in connection.execute(sql, some):
            number, message_id, in_reply_to, refs, subject, name, address, recipients, date_s = row
            to, cc, _ = people_of(recipients)
            author, *others = (p.address or p.name.lower() for p in (Address(name, address), *to, *cc))
            members.append(
                ThreadMember(
                    number=number,
                    message_id=message_id,
                    in_reply_to=in_reply_to,
                    references=tuple(_items(refs)),
                    subject=subject,
                    people=frozenset((author, *others)) - {""},
                    date=utc(date_s),
                    author=author,
                )
            )
    return members


def read_fields(connection: sqlite3.Connection, unpacker: Unpacker, number: int) -> tuple[str, ...]:
    """Read the fields of a message that are indexed: subject, people, new text, quoted text and attachment names."""
    sql = """SELECT subject, from_name, from_address, recipients, attachments, packed
        FROM messages JOIN contents USING (number) WHERE number = ?"""
    subject, name, address, recipients, attachments, packed = connection.execute(sql, (number,)).fetchone()
    to, cc, _ = json.loads(recipients)
    _, new_text, quoted_text = unpacker.texts(packed)
    names = "\n".join(item[0] for item in _items(attachments))
    return subject, people_field((name, address), [*to, *cc]), new_text, quoted_text, names


def utc(date_s: int | None) -> datetime | None:
    """Return a moment of the file as a time."""
    return None if date_s is None else datetime.fromtimestamp(date_s, UTC)


def _marks(values: Sequence[object]) -> str:
    return ", ".join("?" * len(values))


def _items(text: str) -> list[Any]:
    return list(json.loads(text)) if text else []
