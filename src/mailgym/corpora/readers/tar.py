"""Reads tar archives in order, without going back and without forgetting what is damaged.

The standard library's reader keeps every member it has seen in memory, and ends without a word where a header in the
middle is damaged; mail archives have half a million members, and mail must not be lost without a word.

Source: POSIX.1-2001 (pax), the ustar header, and GNU tar's manual for long names and numbers in base 256.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from mailgym.corpora.readers.streams import Readable, StreamError

BLOCK_BYTES = 512
_MOST_EXTRA_BYTES = 1 << 20
_CHUNK_BYTES = 1 << 18
_OCTAL = re.compile(rb"[ \0]*([0-7]*)[ \0]*")
_CUT_OFF = "damaged: it is cut off"
_DAMAGED = "damaged: a member's header is broken"
_WITH_CONTENT = (b"0", b"\0", b"7", b"S")
_PAX, _PAX_GLOBAL, _GNU_NAME, _GNU_LINK, _FOLDER = b"x", b"g", b"L", b"K", b"5"


@dataclass(frozen=True, slots=True)
class TarEntry:
    """One member.

    Attributes:
        name: Its path as written; bytes that are not UTF-8 are surrogates.
        kind: ``file``, ``folder``, ``link`` or ``other``.
        size_bytes: Its size.
    """

    name: str
    kind: str
    size_bytes: int


def is_header(block: bytes) -> bool:
    """Return whether a block of 512 bytes is a member's header: whether its checksum is right."""
    written = _OCTAL.fullmatch(block[148:156])
    if written is None or not written[1]:
        return False
    total = sum(block) - sum(block[148:156]) + 8 * ord(" ")
    return int(written[1], 8) == total


class TarReader:
    """The members of a tar archive, one after another; each can be read until the next is asked for."""

    def __init__(self, stream: Readable) -> None:
        """Read from the beginning of an archive."""
        self._stream = stream
        self._left_bytes = 0  # of the member in hand
        self._padding_bytes = 0

    def __iter__(self) -> Iterator[TarEntry]:
        """Yield the members.

        Raises:
            StreamError: A header is damaged, or the archive ends within a member.
        """
        extra: dict[str, str] = {}
        while True:
            self._skip(self._left_bytes + self._padding_bytes)
            block = self._exactly(BLOCK_BYTES, may_end=True)
            if not block or block.count(0) == BLOCK_BYTES:
                return
            if not is_header(block):
                raise StreamError(_DAMAGED)
            kind, size_bytes = block[156:157], _number(block[124:136])
            if kind in (_PAX, _PAX_GLOBAL, _GNU_NAME, _GNU_LINK):
                content = self._extra(size_bytes)
                if kind == _PAX:
                    extra.update(_pax_records(content))
                elif kind == _GNU_NAME:
                    extra["path"] = _text(content)
                continue
            if extra.get("size", "").isdecimal():
                size_bytes = int(extra["size"])
            self._left_bytes = size_bytes if kind in _WITH_CONTENT else 0
            self._padding_bytes = -self._left_bytes % BLOCK_BYTES
            yield TarEntry(extra.get("path") or _name(block), _kind(kind, block, extra), self._left_bytes)
            extra = {}

    def read(self, size: int = -1, /) -> bytes:
        """Return up to ``size`` bytes of the member in hand, all that is left of it for -1."""
        wanted = self._left_bytes if size < 0 else min(size, self._left_bytes)
        data = self._exactly(wanted) if size < 0 else self._stream.read(wanted) if wanted else b""
        if wanted and not data:
            raise StreamError(_CUT_OFF)
        self._left_bytes -= len(data)
        return data

    def _extra(self, size_bytes: int) -> bytes:
        if size_bytes > _MOST_EXTRA_BYTES:
            raise StreamError(_DAMAGED)
        content = self._exactly(size_bytes)
        self._left_bytes, self._padding_bytes = 0, -size_bytes % BLOCK_BYTES
        return content

    def _exactly(self, size: int, may_end: bool = False) -> bytes:
        data = self._stream.read(size) if size else b""
        while len(data) < size:
            more = self._stream.read(size - len(data))
            if not more:
                if may_end and not data:
                    return b""
                raise StreamError(_CUT_OFF)
            data += more
        return data

    def _skip(self, size: int) -> None:
        while size > 0:
            data = self._stream.read(min(size, _CHUNK_BYTES))
            if not data:
                raise StreamError(_CUT_OFF)
            size -= len(data)
        self._left_bytes = self._padding_bytes = 0


def _kind(kind: bytes, block: bytes, extra: dict[str, str]) -> str:
    if kind == _FOLDER or (kind in (b"0", b"\0") and _name(block).endswith("/")):
        return "folder"
    if kind in (b"1", b"2"):
        return "link"
    if kind in (b"0", b"\0", b"7") and not any(key.startswith("GNU.sparse") for key in extra):
        return "file"
    return "other"


def _number(field: bytes) -> int:
    if field[0] & 0x80:
        return int.from_bytes(bytes([field[0] & 0x7F]) + field[1:], "big")
    written = _OCTAL.fullmatch(field)
    if written is None:
        raise StreamError(_DAMAGED)
    return int(written[1] or b"0", 8)


def _text(field: bytes) -> str:
    return field.partition(b"\0")[0].decode("utf-8", "surrogateescape")


def _name(block: bytes) -> str:
    name = _text(block[:100])
    prefix = _text(block[345:500]) if block[257:263] == b"ustar\0" else ""
    return f"{prefix}/{name}" if prefix else name


def _pax_records(content: bytes) -> dict[str, str]:
    records = {}
    while content and content[0] != 0:
        length, _, _ = content.partition(b" ")
        if not length.isdigit() or not 0 < int(length) <= len(content):
            raise StreamError(_DAMAGED)
        record = content[len(length) + 1 : int(length)].removesuffix(b"\n")
        key, _, value = record.partition(b"=")
        records[key.decode("utf-8", "surrogateescape")] = value.decode("utf-8", "surrogateescape")
        content = content[int(length) :]
    return records
