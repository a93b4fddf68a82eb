"""Reads one raw message. :func:`parse_message` is the only door: another parser can take its place behind it.

It never raises, whatever the bytes, and takes time linear in their number: what cannot be read as it claims to
be is kept as well as can be, and named in ``Message.defects``.
"""

import hashlib
from collections.abc import Sequence
from datetime import datetime

from mailgym.mail.body import Content
from mailgym.mail.charset import decode_bytes
from mailgym.mail.headers import (
    decode_words,
    printable,
    read_addresses,
    read_date,
    read_display_name,
    read_ids,
    unescape_8bit,
)
from mailgym.mail.message import Address, Message
from mailgym.mail.mime import Part, read_media, read_part, with_lf
from mailgym.mail.quotes import split_quotes

Headers = dict[str, list[str]]
_NONE: tuple[str, ...] = ()
_SINGLE_HEADERS = ("date", "from", "subject", "message-id", "content-type")


def parse_message(raw: bytes, folder: str = "", flags: Sequence[str] = (), labels: Sequence[str] = ()) -> Message:
    """Read a raw message (RFC 5322 and MIME).

    Args:
        raw: The whole message as it was sent or stored, headers first; LF, CRLF or CR lines.
        folder: Where its owner kept it.
        flags: Its owner's flags.
        labels: Its owner's labels.

    Returns:
        The message. It never raises: what is wrong is named in ``defects``. Of several headers that should be
        one, the first that can be read counts. A message without Message-ID gets one derived from its bytes
        (their line ends apart), so that the same bytes always have the same id.
    """
    defects: list[str] = []
    part, content = _content(with_lf(raw), defects)
    headers = _wanted(part.headers, content.charset, defects)
    text = _tidy(content.texts)
    split = split_quotes(text)
    attached = _tidy(content.attached_texts)
    ids = _first_ids(headers.get("message-id", _NONE))
    if not ids:
        defects.append("no Message-ID: derived from the content")
    reply_ids = _first_ids(headers.get("in-reply-to", _NONE))
    dates = headers.get("date", _NONE)
    references = headers.get("references")
    return Message(
        message_id=ids[0] if ids else derive_id(raw),
        date=_date(headers, defects),
        date_original=printable(dates[0]) if dates else "",
        subject=_subject(headers.get("subject", _NONE), defects),
        from_=_author(headers, defects),
        to=read_addresses(headers.get("to", _NONE), defects),
        cc=read_addresses(headers.get("cc", _NONE), defects),
        bcc=read_addresses(headers.get("bcc", _NONE), defects),
        text=text,
        new_text=split.new_text,
        quoted_text=f"{split.quoted_text}\n\n{attached}".strip("\n") if attached else split.quoted_text,
        attachments=tuple(content.attachments),
        folder=printable(folder),
        flags=tuple(map(printable, flags)),
        labels=tuple(map(printable, labels)),
        in_reply_to=reply_ids[0] if reply_ids else "",
        references=read_ids(" ".join(references)) if references else (),
        defects=tuple(dict.fromkeys(defects)) if defects else (),
        size_bytes=len(raw),
    )


def derive_id(content: bytes) -> str:
    """Return a Message-ID that depends on the content alone, its line ends apart."""
    digest = hashlib.sha256(content.replace(b"\r\n", b"\n").rstrip(b"\n")).hexdigest()
    return f"sha256-{digest[:40]}@derived.invalid"


def _content(data: bytes, defects: list[str]) -> tuple[Part, Content]:
    try:
        part = read_part(data, defects)
        content = Content(defects, part.charset)
        content.add(part)
    except Exception as error:  # the promise of parse_message: whatever it trips over, the text is kept
        defects.append(f"structure could not be read ({type(error).__name__}): the whole message is taken as text")
        part = Part({}, data, read_media(""), read_media(""))
        content = Content(defects, texts=[decode_bytes(data, "", defects)])
    return part, content


def _wanted(headers: Headers, charset: str, defects: list[str]) -> Headers:
    """Return the headers with their bytes made text; those that should be single and are not are defects."""
    for name in _SINGLE_HEADERS:
        if len(headers.get(name, _NONE)) > 1:
            defects.append(f"several {name.title().replace('-Id', '-ID')} headers")
    for values in headers.values():
        for index, value in enumerate(values):
            if not value.isascii():
                values[index] = unescape_8bit(value, charset, defects)
    return headers


def _first_ids(values: Sequence[str]) -> tuple[str, ...]:
    for value in values:
        ids = read_ids(value)
        if ids:
            return ids
    return ()


def _subject(values: Sequence[str], defects: list[str]) -> str:
    for value in values:
        subject = decode_words(value, defects)
        if subject:
            return subject
    return ""


def _author(headers: Headers, defects: list[str]) -> Address:
    authors = read_addresses(headers.get("from", _NONE), defects)
    if not authors:
        authors = read_addresses(headers.get("sender", _NONE), defects)
    if not authors:
        defects.append("no author")
        return Address("", "")
    author = next((author for author in authors if author.address), authors[0])
    names = headers.get("x-from")
    if not author.name and names:
        return Address(read_display_name(names[0], defects), author.address)
    return author


def _date(headers: Headers, defects: list[str]) -> datetime | None:
    dates = headers.get("date", _NONE)
    for value in dates:
        date = read_date(value, defects)
        if date is not None:
            return date
    if not dates:
        defects.append("no date")
    for value in headers.get("received", _NONE)[:1]:
        date = read_date(value.rpartition(";")[2], defects)
        if date is not None:
            defects.append("date taken from the last Received header")
            return date
    return None


def _tidy(texts: Sequence[str]) -> str:
    if not texts:
        return ""
    text = "\n\n".join(text for text in texts if text and not text.isspace())
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    return "\n".join([line if line == "-- " else line.rstrip() for line in text.split("\n")]).strip("\n")
