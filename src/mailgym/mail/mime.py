"""Takes a message apart: headers and body, media types and their parameters, transfer encodings, parts.

It reads bytes with LF lines, in time linear in their number, and accepts what real mail has where the
standards (RFC 5322, 2045, 2046, 2231) are broken; what is wrong goes into ``defects``. Nothing here raises.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from urllib.parse import unquote_to_bytes

from mailgym.mail.charset import decode_bytes

MOST_PARAMETER_CHARS = 10_000
MOST_CACHED_CHARS = 400
_HEADER = re.compile(r"^([!-9;-~]+)[ \t]*:[ \t]*(.*)$", re.MULTILINE)
_KNOWN_HEADER = re.compile(
    r"(?:from|to|cc|bcc|date|subject|sender|reply-to|message-id|in-reply-to|references|received|return-path|"
    r"mime-version|content-[a-z-]+|x-[!-9;-~]+|resent-[a-z-]+|list-[a-z-]+|delivered-to|status|lines|precedence|"
    r"errors-to|importance|priority|organi[sz]ation|user-agent|dkim-[a-z]+|arc-[a-z-]+|authentication-[a-z-]+)[ \t]*:",
    re.IGNORECASE,
)
_ENVELOPE = re.compile(r">?From ")
_PARAMETER = re.compile(r';\s*([^\s=;"]{1,80})\s*=\s*("(?:[^"\\]|\\.)*+"?|[^;]*)', re.DOTALL)
_LOOSE_PARAMETER = re.compile(r'[;\s]\s*([a-zA-Z][a-zA-Z0-9*-]{0,80})\s*=\s*("(?:[^"\\]|\\.)*+"?|[^;\s]*)', re.DOTALL)
_COMMENT = re.compile(r'("(?:[^"\\]|\\.)*+")|\([^()"]*\)')
_MEDIA_TYPE = re.compile(r"[a-z0-9!#$&^_.+-]{1,127}/[a-z0-9!#$&^_.+-]{1,127}")
_LIKELY_BOUNDARY = re.compile(rb"^--(\S{1,200})[ \t]*\n(?=[Cc]ontent-)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Media:
    """A value with parameters, as Content-Type and Content-Disposition have: the value in lower case."""

    value: str
    parameters: Mapping[str, str]


@dataclass(slots=True)
class Part:
    """A message or a part of one: its headers as they stand, names in lower case, and its body's bytes.

    Bytes of a header that are not UTF-8 stand there as lone surrogates.
    """

    headers: dict[str, list[str]]
    body: bytes
    media: Media
    disposition: Media

    @property
    def charset(self) -> str:
        """The charset it names, empty for none."""
        return self.media.parameters.get("charset", "")

    @property
    def encoding(self) -> str:
        """The transfer encoding it names, in lower case; empty for none."""
        values = self.headers.get("content-transfer-encoding")
        return values[0].strip().lower() if values else ""

    @property
    def file_name(self) -> str:
        """The file name it gives, as it is written."""
        return self.disposition.parameters.get("filename", "") or self.media.parameters.get("name", "")


_NO_MEDIA = Media("", MappingProxyType({}))
_PLAIN = Media("text/plain", MappingProxyType({}))
MESSAGE = Media("message/rfc822", MappingProxyType({}))


def with_lf(raw: bytes) -> bytes:
    """Return a message with LF lines, whether it came with CRLF, CR CR LF or, all of it, CR."""
    if b"\r" not in raw:
        return raw
    raw = raw.replace(b"\r\n", b"\n")
    if b"\n" not in raw:
        return raw.replace(b"\r", b"\n")
    return re.sub(rb"\r+\n", b"\n", raw) if b"\r\n" in raw else raw


def read_part(data: bytes, defects: list[str], default: Media = _PLAIN) -> Part:
    """Take a message or a part of one apart."""
    headers, body = _split_head(data, defects)
    types = headers.get("content-type")
    dispositions = headers.get("content-disposition")
    media = read_media(types[0]) if types else default
    if types and not _MEDIA_TYPE.fullmatch(media.value):
        if media.value.partition("/")[0] != "text" and media.value:
            defects.append("content type could not be read: taken as text")
        media = Media("text/plain", media.parameters)
    return Part(headers, body, media, read_media(dispositions[0]) if dispositions else _NO_MEDIA)


def _split_head(data: bytes, defects: list[str]) -> tuple[dict[str, list[str]], bytes]:
    if data.startswith(b"\n"):
        return {}, data[1:]
    end = data.find(b"\n\n")
    head, body = (data[:end], data[end + 2 :]) if end >= 0 else (data.removesuffix(b"\n"), b"")
    text = head.decode("utf-8", errors="surrogateescape")
    unfolded = text.replace("\n ", " ").replace("\n\t", "\t")
    found = _HEADER.findall(unfolded)
    if len(found) != unfolded.count("\n") + 1:
        found, junk = _read_lines(text.split("\n"), defects)
        if junk:
            body = junk.encode("utf-8", errors="surrogateescape") + (b"\n\n" + body if end >= 0 else b"")
    headers: dict[str, list[str]] = {}
    for written, value in found:
        name = written.lower()
        if name in headers:
            headers[name].append(value)
        else:
            headers[name] = [value]
    return headers, body


def _read_lines(lines: list[str], defects: list[str]) -> tuple[list[tuple[str, str]], str]:
    """Read a head in which not every line is a header.

    A line that is none goes to the header before it where known headers follow, as a line does that lost its
    white space; else the body begins there.

    Returns:
        The headers, and the text that is none of them.
    """
    known_after = [False] * (len(lines) + 1)
    for index in range(len(lines) - 1, -1, -1):
        known_after[index] = known_after[index + 1] or bool(_KNOWN_HEADER.match(lines[index]))
    found: list[tuple[str, list[str]]] = []
    before: list[str] = []
    rest: list[str] = []
    for index, line in enumerate(lines):
        header = _HEADER.match(line)
        if header:
            found.append((header[1], [header[2]]))
        elif line[:1] in (" ", "\t") and found and (line.strip() or known_after[index + 1]):
            found[-1][1].append(line)
        elif index == 0 and _ENVELOPE.match(line):
            continue
        elif not known_after[index + 1]:
            rest = lines[index:] if line.strip() else lines[index + 1 :]
            if found and line.strip():
                defects.append("no empty line between headers and body")
            break
        else:
            defects.append("a line among the headers is none")
            if found:
                found[-1][1].append(f" {line.strip()}")
            else:
                before.append(line)
    return [(name, "".join(pieces)) for name, pieces in found], "\n".join([*before, *rest])


def read_media(value: str) -> Media:
    """Read a value with parameters (RFC 2045, 5.1), also RFC 2231's long and encoded ones."""
    return _read_media_cached(value) if len(value) <= MOST_CACHED_CHARS else _read_media(value)


def _read_media(value: str) -> Media:
    value = value[:MOST_PARAMETER_CHARS]
    if "(" in value:
        value = _COMMENT.sub(lambda match: match[1] or " ", value)
    main = value.partition(";")[0].strip()
    pattern = _PARAMETER
    if any(character in main for character in " \t="):  # a semicolon is missing
        main, pattern = main.split()[0] if main.split() else "", _LOOSE_PARAMETER
    found: dict[str, str] = {}
    for name, raw in pattern.findall(value):
        found.setdefault(name.lower(), _unquoted(raw.strip()))
    if any("*" in name for name in found):
        found = _joined(found)
    return Media("".join(main.lower().split()).strip('"'), MappingProxyType(found))


_read_media_cached = lru_cache(maxsize=4096)(_read_media)


def _unquoted(value: str) -> str:
    if not value.startswith('"'):
        return value
    return value[1:].removesuffix('"').replace("\\\\", "\\").replace('\\"', '"')


def _joined(found: dict[str, str]) -> dict[str, str]:
    """Put RFC 2231's parameters together: ``name*0*``, ``name*1``, ``name*``."""
    pieces: dict[str, list[tuple[int, bool, str]]] = {}
    whole: dict[str, str] = {}
    for full, value in found.items():
        name, star, rest = full.partition("*")
        index = rest.removesuffix("*")
        if not star or (index and not index.isdecimal()):
            whole[full] = value
        else:
            is_encoded = full.endswith("*")
            pieces.setdefault(name, []).append((int(index[:6] or 0), is_encoded, value))
    for name, numbered in pieces.items():
        numbered.sort(key=lambda piece: piece[0])
        data, charset = b"", ""
        for position, (_, is_encoded, value) in enumerate(numbered):
            text = value
            if is_encoded and position == 0 and value.count("'") >= 2:
                charset, _, text = value.split("'", 2)
            data += unquote_to_bytes(_as_bytes(text)) if is_encoded else _as_bytes(text)
        whole[name] = decode_bytes(data, charset or "utf-8", [])
    return whole


def _as_bytes(value: str) -> bytes:
    return value.encode("utf-8", errors="surrogateescape")


@dataclass(frozen=True, slots=True)
class Split:
    """The parts of a multipart body, and the text before the first and behind the last."""

    preamble: bytes
    parts: list[bytes]
    epilogue: bytes


def split_multipart(body: bytes, boundary: str, defects: list[str]) -> Split:
    """Split a multipart body at its boundary (RFC 2046, 5.1).

    One that is never closed ends with the body. Parts that follow the closing boundary are taken all the same.

    Returns:
        The parts, none where the boundary does not appear.
    """
    marker = b"--" + boundary.rstrip().encode("utf-8", errors="surrogateescape")
    pieces: list[bytes] = []
    outside: list[bytes] = []
    start, is_part, is_closed = 0, False, False
    position = 0 if body.startswith(marker) else body.find(b"\n" + marker) + 1 or -1
    while position >= 0:
        line_end = body.find(b"\n", position)
        line_end = len(body) if line_end < 0 else line_end
        rest = body[position + len(marker) : line_end].rstrip()
        if rest in (b"", b"--"):
            (pieces if is_part else outside).append(body[start : max(start, position - 1)])
            start, is_part, is_closed = min(line_end + 1, len(body)), not rest, bool(rest)
        position = body.find(b"\n" + marker, line_end) + 1 or -1
    (pieces if is_part else outside).append(body[start:])
    if pieces and not is_closed:
        defects.append("multipart is not closed")
    return Split(outside[0], pieces, b"\n".join(outside[1:]))


def likely_boundary(body: bytes) -> str:
    """Return what looks like the boundary of a multipart that does not tell it, empty where nothing does."""
    found = _LIKELY_BOUNDARY.search(body)
    return found[1].decode("utf-8", errors="surrogateescape") if found else ""
