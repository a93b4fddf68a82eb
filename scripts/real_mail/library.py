"""Compares mailgym's reading of a message with that of Python's own parser, which reads all well-formed mail."""

import email
import email.message
import email.policy
import email.utils
import re
from collections.abc import Iterator
from datetime import UTC, datetime

from mailgym.mail.headers import decode_words
from mailgym.mail.message import Message
from real_mail.expected import Difference, is_same, lost, words

_MARKUP = re.compile(r"<[^>]*>")


def from_library(file: str, raw: bytes, message: Message) -> Iterator[Difference]:
    """Compare text, files, people, subject and date with what Python's parser makes of the same bytes."""
    theirs = email.message_from_bytes(raw, policy=email.policy.compat32)
    found = "\n".join((message.text, message.quoted_text, *(f.file_name for f in message.attachments)))
    missing = lost(_plain_words(theirs), found)
    if missing:
        yield Difference(file, "text", str(missing[:20]), found)
    files = [name for part in theirs.walk() if (name := _file_name(part))]
    names = {attachment.file_name for attachment in message.attachments}
    unnamed = [name for name in files if name not in names and not name.startswith("=?")]
    if unnamed:
        yield Difference(file, "attachments", str(unnamed), str(names))
    for field, people in (("from", (message.from_,)), ("to", message.to), ("cc", message.cc), ("bcc", message.bcc)):
        values = [_as_text(value) for value in theirs.get_all(field, [])]
        addresses = {_ascii(a) for _, a in email.utils.getaddresses(values) if "@" in a}
        ours = {_ascii(person.address) for person in people}
        wrong = addresses - ours if field != "from" or not ours & addresses else set()
        if wrong:
            yield Difference(file, field, str(sorted(wrong)), str(sorted(ours)))
    subject = decode_words(_as_text(theirs.get("subject", "")), [])
    if theirs.get("subject") and not is_same(subject, message.subject):
        yield Difference(file, "subject", subject, message.subject)
    date = _date(theirs)
    if date is not None and date != message.date:
        yield Difference(file, "date", str(date), str(message.date))


def _plain_words(theirs: email.message.Message) -> Iterator[str]:
    for part in theirs.walk():
        if part.get_content_type() != "text/plain" or part.is_multipart() or _file_name(part):
            continue
        if part.get_content_disposition() == "attachment":
            continue
        content = part.get_payload(decode=True)
        if isinstance(content, bytes):
            yield from words(_decoded(content, part.get_content_charset() or "utf-8"))


def _decoded(content: bytes, charset: str) -> str:
    for name in (charset, "utf-8"):
        try:
            return content.decode(name)
        except (LookupError, ValueError):
            continue
    return content.decode("cp1252", errors="replace")


def _as_text(value: object) -> str:
    data = str(value).encode("utf-8", errors="surrogateescape")
    return _decoded(data, "utf-8")


def _ascii(address: str) -> str:
    return address.strip("'").lower().encode("ascii", errors="ignore").decode()


def _file_name(part: email.message.Message) -> str:
    try:
        name = part.get_filename()
    except (LookupError, ValueError):
        return ""
    return decode_words(_as_text(name), []) if name else ""


def _date(theirs: email.message.Message) -> datetime | None:
    try:
        date = email.utils.parsedate_to_datetime(_as_text(theirs.get("date", "")))
    except (ValueError, TypeError, IndexError, OverflowError):
        return None
    return date.replace(tzinfo=UTC) if date.tzinfo is None else date.astimezone(UTC)
