"""Reads tar archives in order, without going back and without forgetting what is damaged.

The standard library's reader keeps every member it has seen in memory, and ends without a word where a header in the
middle is damaged; mail archives have half a million members, and mail must not be lost without a word.

Source: POSIX.1-2001 (pax), the ustar header, and GNU tar's manual for long names and numbers in base 256.
"""

import re
import zlib
from collections.abc import Iterator
from typing import NamedTuple

from mailgym.corpora.readers.streams import Readable, StreamError

BLOCK_BYTES = 512
_MOST_EXTRA_BYTES = 1 << 20
_CHUNK_BYTES = 1 << 16
_OCTAL = re.compile(rb"[ \0]*([0-7]*)[ \0]*")
_CUT_OFF = "damaged: it is cut off"
_DAMAGED = "damaged: a member's header is broken"
_REGULAR = (b"0", b"\0", b"7")
_WITH_CONTENT = (*_REGULAR, b"S")
_LINKS = (b"1", b"2")
_ADLER = 65_521
_PAX, _PAX_GLOBAL, _GNU_NAME, _GNU_LINK, _FOLDER = b"x", b"g", b"L", b"K", b"5"


class TarEntry(NamedTuple):
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
    """Return whether a block of 512 bytes is a member's header: whether its checksum is right.

    The sum of the bytes is taken from Adler-32, which has it modulo 65,521 and is much faster than adding them up.
    """
    written = _OCTAL.fullmatch(block[148:156])
    if written is None or not written[1]:
        return False
    checked = zlib.adler32(block[:148] + b"        " + block[156:]) & 0xFFFF
    return (int(written[1], 8) + 1) % _ADLER == checked


class TarReader:
    """The members of a tar archive, one after another; each can be read until the next is asked for."""

    def __init__(self, stream: Readable) -> None:
        """Read from the beginning of an archive."""
        self._stream = stream
        self._buffer = b""  # read ahead
        self._at = 0  # how much of it is used
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
            block = self._take(BLOCK_BYTES)
            if not block or block.count(0) == BLOCK_BYTES:
                return
            if len(block) < BLOCK_BYTES:
                raise StreamError(_CUT_OFF)
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
            name = extra.get("path") or _name(block)
            yield TarEntry(name, _kind(kind, name, extra), self._left_bytes)
            extra = {}

    def read(self, size: int = -1, /) -> bytes:
        """Return up to ``size`` bytes of the member in hand, all that is left of it for -1."""
        wanted = self._left_bytes if size < 0 else min(size, self._left_bytes)
        data = self._take(wanted)
        self._left_bytes -= len(data)
        if wanted and (not data or (size < 0 and len(data) < wanted)):
            raise StreamError(_CUT_OFF)
        return data

    def _extra(self, size_bytes: int) -> bytes:
        if size_bytes > _MOST_EXTRA_BYTES:
            raise StreamError(_DAMAGED)
        content = self._take(size_bytes)
        if len(content) < size_bytes:
            raise StreamError(_CUT_OFF)
        self._left_bytes, self._padding_bytes = 0, -size_bytes % BLOCK_BYTES
        return content

    def _take(self, size: int) -> bytes:
        """Return the next bytes, fewer only at the archive's end."""
        end = self._at + size
        if end <= len(self._buffer):
            data, self._at = self._buffer[self._at : end], end
            return data
        parts = [self._buffer[self._at :]]
        missing = size - len(parts[0])
        self._buffer, self._at = b"", 0
        while missing > 0:
            self._buffer = self._stream.read(_CHUNK_BYTES)
            if not self._buffer:
                break
            parts.append(self._buffer[:missing])
            self._at = len(parts[-1])
            missing -= self._at
        return b"".join(parts)

    def _skip(self, size: int) -> None:
        while size > 0:
            skipped = len(self._take(min(size, _CHUNK_BYTES)))
            if not skipped:
                raise StreamError(_CUT_OFF)
            size -= skipped
        self._left_bytes = self._padding_bytes = 0


def _kind(kind: bytes, name: str, extra: dict[str, str]) -> str:
    if kind in _REGULAR:
        is_sparse = extra and any(key.startswith("GNU.sparse") for key in extra)
        return "other" if is_sparse else "folder" if name.endswith("/") else "file"
    return "folder" if kind == _FOLDER else "link" if kind in _LINKS else "other"


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
