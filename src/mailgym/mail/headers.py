"""Reads header values: encoded words, addresses, dates, Message-IDs. Nothing here raises on bad input."""

import binascii
import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from functools import lru_cache

from mailgym.mail.addresses import split_addresses
from mailgym.mail.charset import clean_text, codec_of, decode_bytes
from mailgym.mail.dates import parse_date
from mailgym.mail.message import Address
from mailgym.mail.transfer import decode_base64_runs

MOST_CACHED_CHARS = 2_000
_WORD_START = r"\?[^?*\s=]{1,60}(?:\*[^?\s]{0,60})?\?[bBqQ]\?"
_ENCODED_WORD = re.compile(
    rf"=\?([^?*\s]{{1,60}})(?:\*[^?\s]{{0,60}})?\?([bBqQ])\?((?:[^?=]++|=(?!{_WORD_START})|\?(?!=))*+)\?="
)
_OPEN_WORD = re.compile(r"=\?([^?*\s]{1,60})(?:\*[^?\s]{0,60})?\?([bBqQ])\?([^?]*)\??$")
_BETWEEN_ENCODED_WORDS = re.compile(r"(\?=)\s+(=\?[^?\s]{1,120}\?[bBqQ]\?)")
_CONTROL = re.compile(r"[\x00-\x1f\x7f\x80-\x9f\u2028\u2029]+")
_SURROGATE = re.compile("[\ud800-\udfff]")
_ANGLE_ID = re.compile(r"<([^<>]{1,998})>")
_NAME_TAIL = re.compile(r"\s*<.*$", re.DOTALL)


def printable(value: str) -> str:
    """Put a value on one line, without control characters or lone surrogates."""
    if not value.isprintable():
        value = _SURROGATE.sub("\ufffd", _CONTROL.sub(" ", value))
    return " ".join(value.split())


def unescape_8bit(value: str, charset: str, defects: list[str]) -> str:
    """Turn a header value that holds bytes which are not UTF-8, as lone surrogates, into text.

    They are read in the charset of the message's text where it names one, else as Windows-1252.
    """
    if value.isascii() or not _SURROGATE.search(value):
        return value
    try:
        data = value.encode("utf-8", errors="surrogateescape")
    except UnicodeEncodeError:  # surrogates that stand for no byte, as UTF-7 can name them
        return clean_text(value, defects)
    defects.append("header holds bytes of an unnamed charset")
    codec = codec_of(charset)
    if codec and codec not in ("ascii", "utf_8", "utf-8"):
        try:
            return clean_text(data.decode(codec), defects)
        except UnicodeError:
            pass
    return decode_bytes(data, "windows-1252", defects)


def decode_words(value: str, defects: list[str]) -> str:
    """Decode the encoded words of a header value (RFC 2047) and put it on one line."""
    if "=?" not in value:
        return printable(value)
    value = _BETWEEN_ENCODED_WORDS.sub(r"\1\2", value)
    pieces: list[str] = []
    pending, pending_charset, end = b"", "", 0
    words = list(_ENCODED_WORD.finditer(value))
    cut = _OPEN_WORD.search(value, words[-1].end() if words else 0)
    for match in [*words, cut] if cut else words:
        charset = match[1].lower()
        if pending and (match.start() > end or charset != pending_charset):
            pieces.append(decode_bytes(pending, pending_charset, defects))
            pending = b""
        pieces.append(value[end : match.start()])
        pending += _word_bytes(charset, match[2], match[3], defects)
        pending_charset, end = charset, match.end()
    if pending:
        pieces.append(decode_bytes(pending, pending_charset, defects))
    return printable("".join(pieces) + value[end:])


def _word_bytes(charset: str, encoding: str, text: str, defects: list[str]) -> bytes:
    data = text.encode("ascii" if text.isascii() else codec_of(charset) or "utf-8", errors="replace")
    if encoding in "qQ":
        return binascii.a2b_qp(data, header=True)
    if len(data.rstrip(b"= \t")) % 4 == 1:
        defects.append("encoded word is not valid base64")
    return decode_base64_runs(data) or data


def read_addresses(values: Sequence[str], defects: list[str]) -> tuple[Address, ...]:
    """Read the addresses of all headers of one name, in order, each (name, address) once."""
    if not values:
        return ()
    if len(values) == 1 and len(values[0]) <= MOST_CACHED_CHARS and "=?" not in values[0]:
        return _plain_addresses(values[0])
    return _once(read for value in values for read in _addresses(value, defects))


@lru_cache(maxsize=4096)
def _plain_addresses(value: str) -> tuple[Address, ...]:
    return _once(_addresses(value, []))


def _once(people: Iterable[Address]) -> tuple[Address, ...]:
    found: dict[tuple[str, str], Address] = {}
    for person in people:
        found.setdefault((person.name, person.address), person)
    return tuple(found.values())


def _addresses(value: str, defects: list[str]) -> Iterator[Address]:
    pairs = split_addresses(value)
    if "=?" in value and not any("@" in address for _, address in pairs):
        pairs = split_addresses(decode_words(value, defects))  # the whole header in encoded words
    for name, address in pairs:
        if "=?" in name or "=?" in address:
            read = _address(decode_words(name, defects), decode_words(address, defects))
        else:
            read = _address(name, address)
        if read.name or read.address:
            yield read


@lru_cache(maxsize=32_768)
def _address(name: str, address: str) -> Address:
    name = printable(name).strip("'\" ")
    if address and "@" not in address and not name:
        return Address(printable(address), "")
    return Address(name, printable(address).lower())


def read_display_name(value: str, defects: list[str]) -> str:
    """Read the name from a directory entry such as ``Allen, Phillip K. </O=X/CN=PALLEN>`` (Exchange)."""
    return _display_name(value) if "=?" not in value else _display_name(decode_words(value, defects))


@lru_cache(maxsize=4096)
def _display_name(value: str) -> str:
    name = _NAME_TAIL.sub("", printable(value)).strip("\"' ")
    if "@" in name or "/" in name:
        return ""
    last, comma, first = name.partition(",")
    return f"{first.strip()} {last.strip()}" if comma and first.strip() and "," not in first else name


def read_date(value: str, defects: list[str]) -> datetime | None:
    """Read a date header; None, and a defect, where it holds no date."""
    date, wrong = parse_date(printable(value))
    if wrong:
        defects.append(wrong)
    return date


def read_ids(value: str) -> tuple[str, ...]:
    """Read Message-IDs, without their angle brackets, in order; white space inside one is none of it."""
    value = printable(value)
    found = _ANGLE_ID.findall(value)
    if len(found) == 1 and " " not in found[0]:
        return (found[0],)
    if not found:
        bare = value.strip("<> ")
        words = [word.strip("<>,;") for word in bare.split(" ")]
        found = words if all("@" in word for word in words) else [bare]
    return tuple(dict.fromkeys(clean for item in found if (clean := item.replace(" ", ""))))
