"""Reads one raw message. :func:`parse_message` is the only door: another parser can take its place behind it.

It stands on the standard library's parser with its lenient policy, and never raises whatever the bytes: what
cannot be read as it claims to be is kept as well as can be, and named in ``Message.defects``.
"""

import email
import email.message
import email.parser
import email.policy
import hashlib
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime

from mailgym.mail.headers import (
    decode_bytes,
    decode_words,
    printable,
    read_addresses,
    read_date,
    read_display_name,
    read_ids,
    unescape_8bit,
)
from mailgym.mail.html import html_to_text
from mailgym.mail.message import Address, Attachment, Message
from mailgym.mail.quotes import split_quotes

MAX_DEPTH = 30
MAX_PARAMETER_CHARS = 10_000
Part = email.message.Message


class _BoundedPolicy(email.policy.Compat32):
    """Cuts the headers whose parameters the standard library reads in quadratic time, which a sender can abuse."""

    def header_source_parse(self, sourcelines: list[str]) -> tuple[str, str]:
        name, value = super().header_source_parse(sourcelines)
        return name, value[:MAX_PARAMETER_CHARS] if name.lower().startswith("content-") else value


_POLICY = _BoundedPolicy()


def parse_message(
    raw: bytes, folder: str = "", flags: Sequence[str] = (), labels: Sequence[str] = ()
) -> Message:
    """Read a raw message (RFC 5322 and MIME).

    Args:
        raw: The whole message as it was sent or stored, headers first; LF or CRLF lines.
        folder: Where its owner kept it.
        flags: Its owner's flags.
        labels: Its owner's labels.

    Returns:
        The message. It never raises: what is wrong is named in ``defects``. A message without Message-ID gets
        one derived from its bytes (their line ends apart), so that the same bytes always have the same id.
    """
    defects: list[str] = []
    try:
        part: Part = email.message_from_bytes(raw, policy=_POLICY)
        body = _Body(defects)
        body.add(part, 0)
    except Exception as error:  # the promise of this function: whatever the parser trips over, the text is kept
        defects.append(f"structure could not be read ({type(error).__name__}): the whole body is taken as text")
        head, _, rest = raw.replace(b"\r\n", b"\n").partition(b"\n\n")
        part = email.message_from_bytes(head + b"\n\n", policy=_POLICY)
        body = _Body(defects, texts=[decode_bytes(rest, "utf-8", defects)])
    defects.extend(_parser_defects(part))
    headers = _headers(part, defects)
    text = _tidy("\n\n".join(text for text in body.texts if text.strip()))
    split = split_quotes(text)
    attached = _tidy("\n\n".join(text for text in body.attached_texts if text.strip()))
    ids = read_ids(headers["message-id"][0]) if headers["message-id"] else ()
    if not ids:
        defects.append("no Message-ID: derived from the content")
    reply_ids = read_ids(headers["in-reply-to"][0]) if headers["in-reply-to"] else ()
    return Message(
        message_id=ids[0] if ids else derive_id(raw),
        date=_date(headers, defects),
        date_original=printable(headers["date"][0]) if headers["date"] else "",
        subject=decode_words(headers["subject"][0], defects) if headers["subject"] else "",
        from_=_author(headers, defects),
        to=read_addresses(headers["to"], defects),
        cc=read_addresses(headers["cc"], defects),
        bcc=read_addresses(headers["bcc"], defects),
        text=text,
        new_text=split.new_text,
        quoted_text="\n\n".join(piece for piece in (split.quoted_text, attached) if piece),
        attachments=tuple(body.attachments),
        folder=printable(folder),
        flags=tuple(printable(flag) for flag in flags),
        labels=tuple(printable(label) for label in labels),
        in_reply_to=reply_ids[0] if reply_ids else "",
        references=read_ids(" ".join(headers["references"])),
        defects=tuple(dict.fromkeys(defects)),
        size_bytes=len(raw),
    )


def derive_id(content: bytes) -> str:
    """Return a Message-ID that depends on the content alone, its line ends apart."""
    digest = hashlib.sha256(content.replace(b"\r\n", b"\n").rstrip(b"\n")).hexdigest()
    return f"sha256-{digest[:40]}@derived.invalid"


def _headers(part: Part, defects: list[str]) -> defaultdict[str, list[str]]:
    headers: defaultdict[str, list[str]] = defaultdict(list)
    for name, value in part.raw_items():
        headers[name.lower()].append(unescape_8bit(str(value), defects))
    return headers


def _author(headers: defaultdict[str, list[str]], defects: list[str]) -> Address:
    authors = read_addresses(headers["from"] or headers["sender"], defects)
    if not authors:
        defects.append("no author")
        return Address("", "")
    author = authors[0]
    if not author.name and headers["x-from"]:
        return Address(read_display_name(headers["x-from"][0], defects), author.address)
    return author


def _date(headers: defaultdict[str, list[str]], defects: list[str]) -> datetime | None:
    date = read_date(headers["date"][0], defects) if headers["date"] else None
    if date is None and not headers["date"]:
        defects.append("no date")
    if date is None and headers["received"]:
        date = read_date(headers["received"][0].rpartition(";")[2], defects)
        if date is not None:
            defects.append("date taken from the last Received header")
    return date


def _parser_defects(part: Part) -> list[str]:
    names = {type(defect).__name__.removesuffix("Defect") for inner in part.walk() for defect in inner.defects}
    return [f"parser: {name}" for name in sorted(names)]


def _tidy(text: str) -> str:
    lines = [line.rstrip() if line != "-- " else line for line in text.replace("\r\n", "\n").split("\n")]
    return "\n".join(lines).strip("\n")


@dataclass
class _Body:
    """Collects the text and the attachments of a message, part by part."""

    defects: list[str]
    texts: list[str] = field(default_factory=list)
    attached_texts: list[str] = field(default_factory=list)
    attachments: list[Attachment] = field(default_factory=list)

    def add(self, part: Part, depth: int) -> None:
        """Take in one part and what it holds."""
        if depth > MAX_DEPTH:
            self.defects.append(f"parts nested deeper than {MAX_DEPTH} were left out")
            return
        content_type = part.get_content_type()
        if content_type == "message/rfc822" and part.is_multipart():
            self._add_message(part, depth)
        elif content_type == "multipart/alternative" and part.is_multipart():
            self._add_alternative(_inner(part), depth)
        elif part.is_multipart():
            for inner in _inner(part):
                self.add(inner, depth + 1)
        elif self._is_text(part):
            self.texts.append(self._text(part))
        else:
            self._add_attachment(part)

    def _is_text(self, part: Part) -> bool:
        if part.get_content_disposition() == "attachment":
            return False
        if part.get_content_type() in ("text/plain", "text/html"):
            return part.get_filename() is None or part.get_content_disposition() == "inline"
        return part.get_content_maintype() in ("text", "multipart") and part.get_filename() is None

    def _add_alternative(self, parts: list[Part], depth: int) -> None:
        plain = [p for p in parts if p.get_content_type() == "text/plain" and self._text(p).strip()]
        chosen = plain[:1] or [p for p in parts if p.get_content_maintype() in ("text", "multipart")][-1:]
        for part in parts:
            is_other_form = part.get_content_type() in ("text/plain", "text/html", "text/enriched")
            if part in chosen or not is_other_form:
                if part not in chosen and part.is_multipart() and chosen == plain[:1]:
                    self._add_files_only(part, depth + 1)
                else:
                    self.add(part, depth + 1)

    def _add_files_only(self, part: Part, depth: int) -> None:
        files = _Body(self.defects)
        files.add(part, depth)
        self.attachments.extend(files.attachments)

    def _add_message(self, part: Part, depth: int) -> None:
        inner = _inner(part)[0]
        subject = decode_words(unescape_8bit(str(inner.get("Subject", "")), self.defects), self.defects)
        inside = _Body(self.defects)
        inside.add(inner, depth + 1)
        size_bytes = sum(len(text.encode("utf-8", errors="replace")) for text in inside.texts)
        size_bytes += sum(attachment.size_bytes for attachment in inside.attachments)
        name = _file_name(part, self.defects) or f"{subject or 'message'}.eml"
        self.attachments.append(Attachment(name, "message/rfc822", size_bytes))
        self.attachments.extend(inside.attachments)
        self.attached_texts.extend([subject, *inside.texts, *inside.attached_texts])

    def _add_attachment(self, part: Part) -> None:
        content_type = part.get_content_type()
        content = _content(part)
        name = _file_name(part, self.defects) or f"unnamed.{content_type.rpartition('/')[2]}"
        self.attachments.append(Attachment(printable(name), printable(content_type), len(content)))

    def _text(self, part: Part) -> str:
        charset = part.get_content_charset() or ""
        text = decode_bytes(_content(part), charset or "utf-8", self.defects)
        return html_to_text(text, self.defects) if part.get_content_type() == "text/html" else text


def _inner(part: Part) -> list[Part]:
    payload = part.get_payload()
    return [inner for inner in payload if isinstance(inner, email.message.Message)] if isinstance(payload, list) else []


def _content(part: Part) -> bytes:
    content = part.get_payload(decode=True)
    return content if isinstance(content, bytes) else b""


def _file_name(part: Part, defects: list[str]) -> str:
    name = part.get_filename()
    return decode_words(unescape_8bit(name, defects), defects) if name else ""
