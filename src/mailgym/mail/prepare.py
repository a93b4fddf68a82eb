"""Does all of a message's work that needs no mailbox: parse, split, compress, index. It can run in any process.

What comes out is plain data that travels between processes, and goes into any mailbox (:mod:`mailgym.mail.store`).
"""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from mailgym.mail.columns import NO_DATE, Columns
from mailgym.mail.contents import Contents, Packer
from mailgym.mail.message import Address, Message
from mailgym.mail.parse import parse_message
from mailgym.mail.postings import Postings, Vocabulary, index_messages
from mailgym.mail.thread import link_hashes, stable_hash, subject_key

CHUNK_MESSAGES = 1_000
CHUNK_BYTES = 8 * 1024 * 1024
DIGEST_BYTES = 16
_write_json = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


class RawMessage(NamedTuple):
    """One message before it is read: its bytes, and what its owner did with it."""

    raw: bytes
    folder: str = ""
    flags: Sequence[str] = ()
    labels: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Prepared:
    """One message, ready to be written.

    Attributes:
        digest: Hash of the raw bytes: the same bytes were seen before.
        fingerprint: Hash of what the message says: see :func:`content_fingerprint`.
        contents: The blob of its long parts (:mod:`mailgym.mail.contents`).
        row: Its short parts, in the order of the columns of ``messages`` from ``message_id`` on.
    """

    message_id: str
    digest: bytes
    fingerprint: bytes
    defects: tuple[str, ...]
    contents: bytes
    row: tuple[object, ...]


@dataclass(frozen=True, slots=True)
class Chunk:
    """Messages that are ready to be written, with their part of the index.

    Attributes:
        messages: The messages, in the order in which they came.
        people: Everybody they name, each once, as (name, address); ``columns`` count by places in it.
        folders: Their folders, each once; ``columns`` count by places in it.
        columns: Their columns, with places instead of numbers of addresses and folders.
        postings: Their piece of the index.
    """

    messages: list[Prepared]
    people: list[tuple[str, str]]
    folders: list[str]
    columns: Columns
    postings: Postings

    def correspondents(self, index: int) -> list[str]:
        """Return the addresses of the author and the recipients of one message."""
        counts = self.columns.recipient_counts
        start = int(counts[:index].sum())
        places = [
            int(self.columns.authors[index]),
            *self.columns.recipients[start : start + int(counts[index])].tolist(),
        ]
        return [self.people[place][1] for place in places]


def raw_digest(raw: bytes) -> bytes:
    """Return 16 bytes that tell whether the same bytes were seen before."""
    return hashlib.blake2b(raw, digest_size=DIGEST_BYTES).digest()


def content_fingerprint(message: Message) -> bytes:
    """Return 16 bytes that only messages of the same date, people, subject, text and attachments share.

    Transport headers, flags, folder, line ends and blank space do not count.
    """
    people = [message.from_, *message.to, *message.cc]
    content = [
        message.date_original,
        message.subject,
        "\x1f".join([person.address or person.name for person in people]),
        "\x1f".join([f"{a.file_name}\x1f{a.content_type}\x1f{a.size_bytes}" for a in message.attachments]),
    ]
    digest = hashlib.blake2b("\x1e".join(content).encode(), digest_size=DIGEST_BYTES)
    digest.update(message.text.encode().translate(None, b" \t\r\n"))
    return digest.digest()


def prepare(messages: Sequence[RawMessage], packer: Packer, vocabulary: Vocabulary) -> Chunk:
    """Parse, split, compress and index messages; it never fails, whatever the bytes.

    Args:
        messages: At most 65,536.
        packer: Packs their contents.
        vocabulary: The words met so far, kept from chunk to chunk.
    """
    builder = _Builder(packer)
    for message in messages:
        builder.add(message)
    postings, lengths = index_messages(builder.fields, vocabulary)
    return Chunk(
        messages=builder.messages,
        people=list(builder.people),
        folders=list(builder.folders),
        columns=Columns(
            dates_s=np.array(builder.dates_s, np.int64),
            lengths=lengths,
            authors=np.array(builder.authors, np.int32),
            folders=np.array(builder.folder_places, np.int32),
            attached=np.array(builder.attached, np.uint8),
            subjects=np.array(builder.subjects, np.int64),
            recipient_counts=np.array(builder.recipient_counts, np.uint32),
            recipients=np.array(builder.recipients, np.int32),
            link_counts=np.array(builder.link_counts, np.uint32),
            links=np.array(builder.links, np.int64),
        ),
        postings=postings,
    )


class _Builder:
    """Collects a chunk, message by message."""

    def __init__(self, packer: Packer) -> None:
        self._packer = packer
        self.messages: list[Prepared] = []
        self.fields: list[tuple[str, ...]] = []
        self.people: dict[tuple[str, str], int] = {}
        self.folders: dict[str, int] = {}
        self.dates_s: list[int] = []
        self.authors: list[int] = []
        self.folder_places: list[int] = []
        self.attached: list[int] = []
        self.subjects: list[int] = []
        self.recipient_counts: list[int] = []
        self.recipients: list[int] = []
        self.link_counts: list[int] = []
        self.links: list[int] = []

    def add(self, raw_message: RawMessage) -> None:
        raw, folder, flags, labels = raw_message
        message = parse_message(raw, folder, flags, labels)
        groups = [[(p.name, p.address) for p in group] for group in (message.to, message.cc, message.bcc)]
        author = (message.from_.name, message.from_.address)
        date_s = None if message.date is None else int(message.date.timestamp())
        self.messages.append(
            Prepared(
                message_id=message.message_id,
                digest=raw_digest(raw),
                fingerprint=content_fingerprint(message),
                defects=message.defects,
                contents=self._packer.pack(Contents(message.text, message.new_text, message.quoted_text, raw)),
                row=_row(message, date_s, groups),
            )
        )
        attachment_names = "\n".join([attachment.file_name for attachment in message.attachments])
        names = people_field(author, groups[0] + groups[1])
        self.fields.append((message.subject, names, message.new_text, message.quoted_text, attachment_names))
        self.dates_s.append(NO_DATE if date_s is None else date_s)
        self.attached.append(min(len(message.attachments), 255))
        self.folder_places.append(self.folders.setdefault(message.folder, len(self.folders)))
        self._add_people(author, groups)
        self.subjects.append(stable_hash(subject_key(message.subject)))
        links = link_hashes(message.message_id, message.in_reply_to, message.references)
        self.link_counts.append(len(links))
        self.links.extend(links)

    def _add_people(self, author: tuple[str, str], groups: list[list[tuple[str, str]]]) -> None:
        place = self.people.setdefault
        self.authors.append(place(author, len(self.people)))
        recipients = {place(person, len(self.people)) for group in groups for person in group}
        self.recipient_counts.append(len(recipients))
        self.recipients.extend(sorted(recipients))


def _row(message: Message, date_s: int | None, groups: list[list[tuple[str, str]]]) -> tuple[object, ...]:
    return (
        message.message_id,
        date_s,
        message.date_original,
        message.subject,
        message.from_.name,
        message.from_.address,
        _write_json(groups),
        message.folder,
        list_json(message.flags),
        list_json(message.labels),
        message.in_reply_to,
        list_json(message.references),
        list_json(message.defects),
        list_json([(a.file_name, a.content_type, a.size_bytes) for a in message.attachments]),
        message.size_bytes,
    )


def list_json(values: Sequence[object]) -> str:
    """Write a list as JSON; an empty one as an empty string."""
    return _write_json(values) if values else ""


def people_field(author: Sequence[str], others: Sequence[Sequence[str]]) -> str:
    """Return the text by which a message's people are indexed."""
    return "\n".join([f"{name} {address}" for name, address in (author, *others)])


def people_of(groups_json: str) -> tuple[tuple[Address, ...], tuple[Address, ...], tuple[Address, ...]]:
    """Read to, cc and bcc from a message's row."""
    to, cc, bcc = (tuple([Address(name, address) for name, address in group]) for group in json.loads(groups_json))
    return to, cc, bcc
