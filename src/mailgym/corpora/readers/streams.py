"""Bytes from wherever they lie, read in order: plain or compressed, with a look ahead at what they begin with."""

import bz2
import io
import lzma
import zipfile
import zlib
from collections.abc import Callable
from typing import Protocol

import zstandard

HEAD_BYTES = 4096
"""How much of a stream is looked at to find out what it is."""
_READ_BYTES = 1 << 16
_MOST_INPUT_BYTES = 1 << 15
_LEAST_INPUT_BYTES = 1 << 9
_GZIP_WINDOW = 31  # zlib's number for a gzip header and the largest window
_MOST_LAYERS = 2

STREAM_ERRORS = (
    OSError,
    EOFError,
    lzma.LZMAError,
    zlib.error,
    zstandard.ZstdError,
    zipfile.BadZipFile,
    NotImplementedError,  # what zipfile raises for a compression method that it does not know
)
"""What reading a damaged, encrypted or vanished stream may raise."""


class StreamError(OSError):
    """A stream that cannot be read, and why, as a short phrase."""


class Readable(Protocol):
    """Anything that gives bytes in order."""

    def read(self, size: int = -1, /) -> bytes:
        """Return up to ``size`` bytes, none at the end."""
        ...


class PeekedStream:
    """A stream whose first bytes can be seen before they are read.

    Attributes:
        head: Its first bytes, :data:`HEAD_BYTES` of them unless it is shorter.
    """

    def __init__(self, stream: Readable) -> None:
        """Look at the beginning of a stream."""
        self._stream = stream
        self.head = _fill(stream, HEAD_BYTES)
        self._ahead = self.head

    def read(self, size: int = -1, /) -> bytes:
        """Return up to ``size`` bytes, all that is left for -1, none at the end."""
        if not self._ahead:
            return self._stream.read(size)
        if size < 0:
            data, self._ahead = self._ahead, b""
            return data + self._stream.read()
        data, self._ahead = self._ahead[:size], self._ahead[size:]
        return data


class _RawAdapter(io.RawIOBase):
    """Makes a stream of bytes what the standard library's text and line readers ask for."""

    def __init__(self, stream: Readable) -> None:
        super().__init__()
        self._stream = stream

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: "bytearray | memoryview") -> int:  # type: ignore[override]
        data = self._stream.read(len(buffer))
        buffer[: len(data)] = data
        return len(data)


def buffered(stream: Readable) -> io.BufferedReader:
    """Return a stream with lines and buffering, as ``io.TextIOWrapper`` and ``readline`` need it."""
    return io.BufferedReader(_RawAdapter(stream), _READ_BYTES)


class _Pieces(Protocol):
    """What decompresses a piece at a time."""

    def read1(self, size: int = -1, /) -> bytes:
        """Return some bytes, none at the end."""
        ...


class _Decompressed:
    """Fills up what is asked for from pieces; where a piece is damaged, the ones before it are given first."""

    def __init__(self, pieces: _Pieces) -> None:
        self._pieces = pieces
        self._error: BaseException | None = None

    def read(self, size: int = -1, /) -> bytes:
        parts: list[bytes] = []
        have = 0
        while (size < 0 or have < size) and self._error is None:
            try:
                data = self._pieces.read1(_READ_BYTES if size < 0 else size - have)
            except STREAM_ERRORS as error:
                self._error = error
                break
            if not data:
                break
            parts.append(data)
            have += len(data)
        if self._error is not None and (size < 0 or not parts):
            raise self._error
        return b"".join(parts)


class _ZstdPieces:
    """Decompresses zstd, several frames one after another; a frame that is cut off raises EOFError.

    How much goes in at once shrinks where much comes out, so that no input, however made, fills the memory.
    """

    def __init__(self, stream: Readable) -> None:
        self._stream = buffered(stream)
        self._frame = zstandard.ZstdDecompressor().decompressobj()
        self._is_in_frame = False
        self._input_bytes = _LEAST_INPUT_BYTES
        self._input = b""
        self._output = b""

    def read1(self, size: int = -1, /) -> bytes:
        while not self._output:
            self._input = self._input or self._stream.read(self._input_bytes)
            if not self._input:
                if self._is_in_frame:
                    raise EOFError("the compressed data ends in the middle")
                return b""
            self._is_in_frame = True
            self._output = self._frame.decompress(self._input)
            self._input = b""
            is_much = len(self._output) > _READ_BYTES
            self._input_bytes = _LEAST_INPUT_BYTES if is_much else min(2 * self._input_bytes, _MOST_INPUT_BYTES)
            if self._frame.eof:
                self._input = self._frame.unused_data
                self._frame = zstandard.ZstdDecompressor().decompressobj()
                self._is_in_frame = False
        data, self._output = (self._output, b"") if size < 0 else (self._output[:size], self._output[size:])
        return data


class _GzipPieces:
    """Decompresses gzip, several members one after another, with far fewer calls than the standard library's reader."""

    def __init__(self, stream: Readable) -> None:
        self._stream = stream
        self._member = zlib.decompressobj(_GZIP_WINDOW)
        self._is_in_member = False
        self._input = b""

    def read1(self, size: int = -1, /) -> bytes:
        most = _READ_BYTES if size < 0 else size
        while True:
            self._input = self._input or self._stream.read(_MOST_INPUT_BYTES)
            if not self._input:
                if self._is_in_member:
                    raise EOFError("the compressed data ends in the middle")
                return b""
            if not self._is_in_member:
                self._input = self._input.lstrip(b"\0")  # padding between members, and after the last
                if not self._input:
                    continue
            self._is_in_member = True
            data = self._member.decompress(self._input, most)
            self._input = self._member.unconsumed_tail
            if self._member.eof:
                self._input = self._member.unused_data
                self._member = zlib.decompressobj(_GZIP_WINDOW)
                self._is_in_member = False
            if data:
                return data


def _xz_pieces(stream: Readable) -> _Pieces:
    return lzma.LZMAFile(buffered(stream))


_COMPRESSIONS: tuple[tuple[bytes, str, Callable[[Readable], _Pieces]], ...] = (
    (b"\x1f\x8b\x08", "gzip", _GzipPieces),
    (b"\xfd7zXZ\x00", "xz", _xz_pieces),
    (b"BZh", "bzip2", lambda stream: bz2.BZ2File(buffered(stream))),
    (b"\x28\xb5\x2f\xfd", "zstd", _ZstdPieces),
)
_MAGIC = tuple(magic for magic, _, _ in _COMPRESSIONS)


def compression_of(head: bytes) -> str:
    """Return ``gzip``, ``xz``, ``bzip2`` or ``zstd`` where bytes begin as such, else nothing."""
    if not head.startswith(_MAGIC):
        return ""
    return next(name for magic, name, _ in _COMPRESSIONS if head.startswith(magic))


def decompressed(stream: PeekedStream) -> tuple[PeekedStream, str]:
    """Undo compression, whatever the file is called.

    Returns:
        The stream inside, and the compression's name (empty where there was none).

    Raises:
        OSError: Or another of :data:`STREAM_ERRORS`: what is compressed is damaged.
    """
    first = ""
    for _ in range(_MOST_LAYERS):
        name = compression_of(stream.head)
        if not name:
            break
        opener = next(opener for _, known, opener in _COMPRESSIONS if known == name)
        stream, first = PeekedStream(_Decompressed(opener(stream))), first or name
    return stream, first


def explain(error: BaseException) -> str:
    """Say in a short phrase why a stream cannot be read, the same phrase for the same cause."""
    if isinstance(error, OSError) and error.errno is not None:
        return f"cannot be read: {(error.strerror or 'input error').lower()}"
    if isinstance(error, StreamError):
        return str(error)
    if isinstance(error, NotImplementedError):
        return "compressed in a way that cannot be read"
    if isinstance(error, EOFError):
        return "damaged: it is cut off"
    return "damaged: it cannot be read to its end"


def _fill(stream: Readable, size: int) -> bytes:
    parts = []
    while size > 0 and (data := stream.read(size)):
        parts.append(data)
        size -= len(data)
    return b"".join(parts)
