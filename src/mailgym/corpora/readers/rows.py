"""Makes a raw message of a row of a table whose columns are those of ART·E's dataset."""

import re
from collections.abc import Mapping
from datetime import UTC, date, datetime
from email.utils import format_datetime, parseaddr
from typing import Any

_ADDRESS = re.compile(r"[^\s,;:<>()\[\]\"@]+@[^\s,;:<>()\[\]\"@]+")
_NAMED = re.compile(r"(.*?)\s*<\s*([^<>]*?)\s*>\s*", re.DOTALL)
_BREAK = re.compile(r"[\r\n]+[ \t]*|[\x00-\x08\x0b-\x1f\x7f]")
_LISTS = ("to", "cc", "bcc")
_MILLISECONDS_FROM = 10**11
_NANOSECONDS_FROM = 10**17
_MICROSECONDS_FROM = 10**14


def raw_message(row: Mapping[str, Any]) -> bytes:
    """Write a row as a message that reads as the row does: the same subject, addresses, date, text and Message-ID.

    Headers are UTF-8 (RFC 6532), each on one line: breaks and control characters in a value become spaces. Addresses
    that are written as ``Last, First <address>`` get the quotes that the comma needs.

    Args:
        row: message_id, subject, from, to, cc, bcc (lists or text), date (ISO text, a time, or seconds since 1970,
            milli-, micro- or nanoseconds where the number is that large) and body; any may be missing.
    """
    headers = [("Message-ID", _message_id(row.get("message_id")))]
    headers += [("Date", _date(row.get("date"))), ("From", ", ".join(_people(row.get("from"))))]
    headers += [(name.capitalize(), ", ".join(_people(row.get(name)))) for name in _LISTS]
    headers += [("Subject", _one_line(row.get("subject"))), ("MIME-Version", "1.0")]
    headers += [("Content-Type", "text/plain; charset=utf-8"), ("Content-Transfer-Encoding", "8bit")]
    lines = [f"{name}: {value}\n" for name, value in headers if value]
    text = row.get("body")
    return ("".join(lines) + "\n" + ("" if text is None else str(text))).encode("utf-8", "replace")


def _one_line(value: Any) -> str:
    return "" if value is None else _BREAK.sub(" ", str(value)).strip()


def _message_id(value: Any) -> str:
    text = _one_line(value)
    return text if not text or text.startswith("<") else f"<{text}>"


def _people(value: Any) -> list[str]:
    items = value if isinstance(value, list | tuple) else [] if value is None else [value]
    return [person for item in items if (person := _person(_one_line(item)))]


def _person(text: str) -> str:
    """Write one person as a header does; several in one text, as a header has them, are left as they are."""
    if not text or _ADDRESS.fullmatch(text):
        return text
    named = _NAMED.fullmatch(text)
    if named is None:
        return text if "@" in text or "," not in text else _quoted(text) + " <>"
    name, address = named[1].strip(), named[2]
    if not name:
        return f"<{address}>"
    if "@" in name:
        return text
    bare = parseaddr(f"{name} <x@x>")[0] if name.startswith('"') else name
    return f"{_quoted(bare or name)} <{address}>"


def _quoted(name: str) -> str:
    return '"' + name.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _date(value: Any) -> str:
    when = read_time(value)
    return _one_line(value) if when is None else format_datetime(when)


def read_time(value: Any) -> datetime | None:
    """Read a time: ISO text, a time of the standard library, or a number since 1970; without a zone it is in UTC.

    Returns:
        The time, None where it is none.
    """
    if isinstance(value, datetime):
        return value if value.tzinfo else value.replace(tzinfo=UTC)
    if isinstance(value, date):
        return datetime(value.year, value.month, value.day, tzinfo=UTC)
    if isinstance(value, int | float) and not isinstance(value, bool):
        return _from_number(value)
    try:
        when = datetime.fromisoformat(str(value).strip())
    except ValueError:
        return None
    return when if when.tzinfo else when.replace(tzinfo=UTC)


def _from_number(value: float) -> datetime | None:
    size = abs(value)
    for least, unit in ((_NANOSECONDS_FROM, 10**9), (_MICROSECONDS_FROM, 10**6), (_MILLISECONDS_FROM, 10**3)):
        if size >= least:
            value = value / unit
            break
    try:
        return datetime.fromtimestamp(value, UTC)
    except (ValueError, OverflowError, OSError):
        return None
