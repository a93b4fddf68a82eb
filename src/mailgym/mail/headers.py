"""Reads header values: encoded words, addresses, dates, Message-IDs. Nothing here raises on bad input."""

import base64
import binascii
import codecs
import email.utils
import quopri
import re
from collections.abc import Sequence
from datetime import UTC, datetime
from functools import lru_cache

from mailgym.mail.message import Address

_ENCODED_WORD = re.compile(r"=\?([^?*\s]{1,60})(?:\*[^?\s]{0,60})?\?([bBqQ])\?([^?]*)\?=")
_BETWEEN_ENCODED_WORDS = re.compile(r"(\?=)\s+(=\?[^?\s]{1,120}\?[bBqQ]\?)")
_CONTROL = re.compile(r"[\x00-\x1f\x7f\x80-\x9f\u2028\u2029]+")
_SURROGATE = re.compile("[\ud800-\udfff]")
_ANGLE_ID = re.compile(r"<([^<>\s]{1,998})>")
_NAME_TAIL = re.compile(r"\s*<.*$", re.DOTALL)
FIRST_LIKELY_YEAR = 1982
LAST_LIKELY_YEAR = 2100


def decode_bytes(data: bytes, charset: str, defects: list[str]) -> str:
    """Decode text as well as can be; what is wrong with it goes into ``defects``."""
    try:
        text = data.decode(charset) if codecs.lookup(charset)._is_text_encoding else None
        if text is not None:
            return clean_text(text, defects)
    except (LookupError, ValueError):
        pass
    defects.append(f"text is not valid {printable(charset)[:40] or 'text'}")
    try:
        return clean_text(data.decode("utf-8"), defects)
    except UnicodeDecodeError:
        return clean_text(data.decode("cp1252", errors="replace"), defects)


def clean_text(text: str, defects: list[str]) -> str:
    """Remove what no text may hold: NUL characters and lone surrogates."""
    if "\x00" in text:
        defects.append("text held NUL characters")
        text = text.replace("\x00", "")
    if _SURROGATE.search(text):
        defects.append("text held lone surrogates")
        text = _SURROGATE.sub("\ufffd", text)
    return text


def printable(value: str) -> str:
    """Put a value on one line, without control characters or lone surrogates."""
    if not value.isprintable():
        value = _SURROGATE.sub("\ufffd", _CONTROL.sub(" ", value))
    return " ".join(value.split())


def unescape_8bit(value: str, defects: list[str]) -> str:
    """Turn a header value that the parser read as ASCII with escaped bytes into text."""
    if value.isascii():
        return value
    try:
        data = value.encode("utf-8", errors="surrogateescape")
    except UnicodeEncodeError:  # surrogates that stand for no byte, as UTF-7 can name them
        return clean_text(value, defects)
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        defects.append("header holds bytes of an unnamed charset")
        return data.decode("cp1252", errors="replace")


def decode_words(value: str, defects: list[str]) -> str:
    """Decode the encoded words of a header value (RFC 2047) and put it on one line."""
    if "=?" not in value:
        return printable(value)
    value = _BETWEEN_ENCODED_WORDS.sub(r"\1\2", value)
    pieces: list[str] = []
    pending, pending_charset, end = b"", "", 0
    for match in _ENCODED_WORD.finditer(value):
        charset = match[1].lower()
        if pending and (match.start() > end or charset != pending_charset):
            pieces.append(decode_bytes(pending, pending_charset, defects))
            pending = b""
        pieces.append(value[end : match.start()])
        pending += _word_bytes(match[2], match[3], defects)
        pending_charset, end = charset, match.end()
    if pending:
        pieces.append(decode_bytes(pending, pending_charset, defects))
    return printable("".join(pieces) + value[end:])


def _word_bytes(encoding: str, text: str, defects: list[str]) -> bytes:
    data = text.encode("utf-8", errors="replace")
    if encoding in "qQ":
        return quopri.decodestring(data, header=True)
    try:
        return base64.b64decode(data + b"=" * (-len(data) % 4))
    except binascii.Error:
        defects.append("encoded word is not valid base64")
        return data


def read_addresses(values: Sequence[str], defects: list[str]) -> tuple[Address, ...]:
    """Read the addresses of all headers of one name, in order, each (name, address) once."""
    found: dict[Address, None] = {}
    for value in values:
        try:
            pairs = _address_pairs(value)
        except (ValueError, IndexError, TypeError, RecursionError):
            defects.append("addresses could not be read")
            pairs = ((value, ""),)
        for name, address in pairs:
            read = Address(decode_words(name, defects).strip("'\" "), printable(address).lower())
            if read.address and "@" not in read.address and not read.name:
                read = Address(printable(address), "")
            if read.name or read.address:
                found[read] = None
    return tuple(found)


@lru_cache(maxsize=4096)
def _address_pairs(value: str) -> tuple[tuple[str, str], ...]:
    if getattr(email.utils, "supports_strict_parsing", False):  # newer Pythons drop odd lists whole unless told not to
        return tuple(email.utils.getaddresses([value], strict=False))  # type: ignore[call-arg,unused-ignore]
    return tuple(email.utils.getaddresses([value]))


def read_display_name(value: str, defects: list[str]) -> str:
    """Read the name from a directory entry such as ``Allen, Phillip K. </O=X/CN=PALLEN>`` (Exchange)."""
    name = _NAME_TAIL.sub("", decode_words(value, defects)).strip("\"' ")
    if "@" in name or "/" in name:
        return ""
    last, comma, first = name.partition(",")
    return f"{first.strip()} {last.strip()}" if comma and first.strip() and "," not in first else name


def read_date(value: str, defects: list[str]) -> datetime | None:
    """Read a date header; None, and a defect, where it holds no date."""
    try:
        date = email.utils.parsedate_to_datetime(printable(value))
        date = date.replace(tzinfo=UTC) if date.tzinfo is None else date.astimezone(UTC)
    except (ValueError, TypeError, IndexError, OverflowError):
        defects.append(f"date could not be read: {printable(value)[:60]!r}")
        return None
    if not FIRST_LIKELY_YEAR <= date.year <= LAST_LIKELY_YEAR:
        defects.append(f"unlikely date: year {date.year}")
    return date


def read_ids(value: str) -> tuple[str, ...]:
    """Read Message-IDs, without their angle brackets, in order."""
    value = printable(value)
    return tuple(dict.fromkeys(_ANGLE_ID.findall(value) or ([value.strip("<> ")] if value.strip("<> ") else [])))
