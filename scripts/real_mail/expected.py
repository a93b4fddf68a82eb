"""Compares mailgym's reading of parsers' own test mails with what those parsers expect of them."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, timezone
from typing import Any
from xml.etree import ElementTree

from mailgym.mail.headers import printable
from mailgym.mail.html import html_to_text
from mailgym.mail.message import Address, Message

_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Difference:
    """One field of one message, read in two ways."""

    file: str
    field: str
    expected: str
    ours: str


def words(text: str) -> list[str]:
    """Return the words of a text."""
    return _WORD.findall(text)


def lost(expected: Iterable[str], ours: str) -> list[str]:
    """Return which words are not found again, in order, each once; what a line end broke apart is whole."""
    there = set(words(ours))
    solid = "".join(ours.split())
    return [word for word in dict.fromkeys(expected) if word not in there and word not in solid]


def is_same(expected: str, ours: str) -> bool:
    """Return whether two texts have the same words; where the first has U+FFFD, by their ASCII characters alone."""
    if "\ufffd" in expected:
        expected, ours = (text.encode("ascii", errors="ignore").decode() for text in (expected, ours))
    return words(expected) == words(ours)


def from_stalwart(file: str, expected: dict[str, Any], message: Message) -> Iterator[Difference]:
    """Compare with the parsed message that stalwart's mail-parser expects, as JSON."""
    root = expected["parts"][0]
    for field, ours in (("from", (message.from_,)), ("to", message.to), ("cc", message.cc), ("bcc", message.bcc)):
        theirs = _addresses(_header(root, field))
        wanted, got = _shown(theirs[:1] if field == "from" else theirs), _shown(ours)
        if not is_same(wanted, got):
            yield Difference(file, field, wanted, got)
    subject = _header(root, "subject")
    if subject is not None and not is_same(_text(subject), message.subject):
        yield Difference(file, "subject", printable(_text(subject)), message.subject)
    date = _date(_header(root, "date"))
    if date != message.date:
        yield Difference(file, "date", str(date), str(message.date))
    text, nested = "\n".join(_shown_texts(expected)), "\n".join(_nested_texts(expected))
    if not is_same(text, message.text):
        yield Difference(file, "text", text, message.text)
    missing = lost(words(nested), message.text + message.quoted_text)
    if missing:
        yield Difference(file, "text of messages inside", str(missing), message.quoted_text)
    theirs_files, our_files = sorted(_files(expected)), sorted(_our_files(message))
    if not _are_same_files(theirs_files, our_files):
        yield Difference(file, "attachments", str(theirs_files), str(our_files))


def _header(part: dict[str, Any], name: str) -> Any:
    return next((header["value"] for header in part["headers"] if header["name"] == name), None)


def _text(value: Any) -> str:
    if isinstance(value, dict):
        value = value.get("Text", value.get("TextList", ""))
    return " ".join(value) if isinstance(value, list) else str(value) if value != "Empty" else ""


def _addresses(value: Any) -> list[Address]:
    if not isinstance(value, dict):
        return []
    content = value["Address"]
    people = content.get("List") or [person for group in content.get("Group", ()) for person in group["addresses"]]
    return [Address(person["name"] or "", (person["address"] or "").lower()) for person in people]


def _shown(people: Iterable[Address]) -> str:
    return "; ".join(str(person) for person in people if person.name or person.address)


def _date(value: Any) -> datetime | None:
    if not isinstance(value, dict):
        return None
    at = value["DateTime"]
    zone = timedelta(hours=at["tz_hour"], minutes=at["tz_minute"]) * (-1 if at["tz_before_gmt"] else 1)
    try:
        moment = datetime(at["year"], at["month"], at["day"], at["hour"], at["minute"], at["second"])
        return moment.replace(tzinfo=timezone(zone)).astimezone(UTC)
    except (ValueError, OverflowError):
        return None


def _shown_texts(expected: dict[str, Any]) -> Iterator[str]:
    for index in expected["text_body"]:
        body = expected["parts"][index]["body"]
        if "Text" in body:
            yield body["Text"]
        elif "Html" in body:
            yield html_to_text(body["Html"], [])


def _nested_texts(expected: dict[str, Any]) -> Iterator[str]:
    for part in expected["parts"]:
        inner = part["body"].get("Message")
        if isinstance(inner, dict):
            yield from _shown_texts(inner)
            yield from _nested_texts(inner)


def _files(expected: dict[str, Any]) -> Iterator[tuple[str, int]]:
    for index in expected["attachments"]:
        part = expected["parts"][index]
        (kind, content), *_ = part["body"].items()
        if kind == "Message":
            yield _file_name(part), -1
            yield from _files(content)
        else:
            yield _file_name(part), -1 if kind in ("Text", "Html") else len(content)


def _file_name(part: dict[str, Any]) -> str:
    for header, wanted in (("content_disposition", "filename"), ("content_type", "name")):
        value = _header(part, header)
        pairs = value["ContentType"]["attributes"] if isinstance(value, dict) else None
        for pair in pairs or ():
            if pair["name"] == wanted and pair["value"]:
                return printable(pair["value"])
    return ""


def _our_files(message: Message) -> Iterator[tuple[str, int]]:
    for file in message.attachments:
        is_counted = not file.content_type.startswith(("message/", "text/"))
        yield file.file_name, file.size_bytes if is_counted else -1


def _are_same_files(theirs: list[tuple[str, int]], ours: list[tuple[str, int]]) -> bool:
    """Return whether the files are the same; ours have names where none was given."""
    left = list(ours)
    for name, size in sorted(theirs, reverse=True):  # the named ones first
        match = next((own for own in left if own[1] == size and (not name or is_same(name, own[0]))), None)
        if match is None:
            return False
        left.remove(match)
    return not left


def from_mime4j(file: str, structure: str, decoded: dict[str, bytes], message: Message) -> Iterator[Difference]:
    """Compare with the decoded parts that mime4j expects, which its XML names."""
    root = ElementTree.fromstring(structure)
    found = message.text + "\n" + message.quoted_text + "\n" + "\n".join(f.file_name for f in message.attachments)
    sizes = {attachment.size_bytes for attachment in message.attachments}
    for element in root.iter():
        content = decoded.get(element.get("name", ""))
        if content is None:
            continue
        if element.tag == "text-body":
            text = content.decode("utf-8", errors="replace")
            text = html_to_text(text, []) if re.search(r"<html|<body|<p>|<br", text, re.IGNORECASE) else text
            missing = lost(words(text), found)
            is_file = len(content.replace(b"\r\n", b"\n")) in sizes or len(content) in sizes
            if missing and not is_file:
                yield Difference(file, f"text {element.get('name')}", str(missing), found)
        elif element.tag == "binary-body" and len(content) not in sizes:
            yield Difference(file, f"file {element.get('name')}", str(len(content)), str(sorted(sizes)))
