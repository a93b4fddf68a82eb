"""Reads mbox files as a stream: plain or compressed (xz, gzip, bzip2), one message in memory at a time."""

import bz2
import gzip
import lzma
import re
import zlib
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from mailgym.core.errors import SourceError

_CHUNK_BYTES = 1 << 20
_FROM_LINE_BYTES = 400
Stream = BinaryIO | lzma.LZMAFile | gzip.GzipFile | bz2.BZ2File
_DECOMPRESSORS: tuple[tuple[bytes, Callable[[BinaryIO], Stream]], ...] = (
    (b"\xfd7zXZ\x00", lzma.LZMAFile),
    (b"\x1f\x8b", lambda file: gzip.GzipFile(fileobj=file)),
    (b"BZh", bz2.BZ2File),
)
_FROM_LINE = re.compile(rb"From .*\d{1,2}:\d{2}.*\d{4}|From .*\d{4}.*\d{1,2}:\d{2}")
_FOLDER = re.compile(rb"From [^\s/@]+/(\S+) ")
_ESCAPED = re.compile(rb">+From ")


@dataclass(frozen=True, slots=True)
class MboxEntry:
    """One message of an mbox file.

    Attributes:
        raw: The message, its ``From `` line and one level of ``>From `` escapes taken off.
        folder: The folder, where the ``From `` line reads ``From PERSON/FOLDER DATE``; else empty.
        source_bytes: How far the source file was read by then, compressed bytes for a compressed file.
    """

    raw: bytes
    folder: str
    source_bytes: int


def read_mbox(source: Path) -> Iterator[MboxEntry]:
    """Read the messages of an mbox file one by one.

    A message begins at a ``From `` line with a date, at the start of the file or after an empty line (mboxrd,
    which reads mboxo and mboxcl too); LF and CRLF lines are both read. No more is held in memory than the
    message in hand.

    Raises:
        SourceError: There is no such file, it is a folder, it is empty, no mbox, or damaged.
    """
    if source.is_dir():
        raise SourceError(f"{source} is a folder: name one mbox file in it")
    if not source.is_file():
        raise SourceError(f"{source} does not exist: check the path")
    count = 0
    try:
        with ExitStack() as stack:
            file = stack.enter_context(source.open("rb"))
            stream = _decompressed(file)
            stack.callback(stream.close)
            for entry in _split(stream, file, source):
                count += 1
                yield entry
    except (lzma.LZMAError, zlib.error, EOFError, OSError) as error:
        raise SourceError(
            f"{source} cannot be read beyond its first {count} messages ({error}): get the file again"
        ) from error


def _decompressed(file: BinaryIO) -> Stream:
    magic = file.read(6)
    file.seek(0)
    for beginning, decompressor in _DECOMPRESSORS:
        if magic.startswith(beginning):
            return decompressor(file)
    return file


def _split(stream: Stream, file: BinaryIO, source: Path) -> Iterator[MboxEntry]:
    lines: list[bytes] = []
    from_line: bytes | None = None
    is_after_empty, is_line_start = True, True
    while line := stream.readline(_CHUNK_BYTES):
        if is_line_start and is_after_empty and _FROM_LINE.match(line[:_FROM_LINE_BYTES]):
            if from_line is not None:
                yield _entry(from_line, lines[:-1], file.tell())  # without the empty line that parts them
            from_line, lines = line, []
        elif from_line is not None:
            lines.append(line[1:] if is_line_start and _ESCAPED.match(line) else line)
        elif line.strip():
            raise SourceError(f"{source} is not an mbox file: its first line must read  From SENDER DATE")
        is_after_empty = is_line_start and line in (b"\n", b"\r\n")
        is_line_start = line.endswith(b"\n")
    if from_line is None:
        raise SourceError(f"{source} is empty: name an mbox file that holds mail")
    yield _entry(from_line, lines[:-1] if is_after_empty else lines, file.tell())


def _entry(from_line: bytes, lines: list[bytes], source_bytes: int) -> MboxEntry:
    folder = _FOLDER.match(from_line)
    return MboxEntry(
        raw=b"".join(lines),
        folder=folder[1].decode("utf-8", errors="replace") if folder else "",
        source_bytes=source_bytes,
    )
