"""Packs a message's texts and its raw bytes into one blob.

New text, quoted text, whole text and raw message say much of the same, so that together they compress to hardly more
than the raw message alone; a dictionary trained on mail of the same kind saves another third.
"""

import struct
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import zstandard

from mailgym.core.errors import StoreError

COMPRESSION_LEVEL = 3
DICTIONARY_BYTES = 64 * 1024
LEAST_SAMPLES = 500
"""Below as many messages a dictionary costs more than it saves."""
MAX_SAMPLES = 1_000
_MAX_SAMPLE_BYTES = 64 * 1024
MAX_WHOLE_BYTES = 1 << 20
"""Of larger contents only what is asked for is unpacked."""
_HEAD = struct.Struct("<III")
_SAME = 0xFFFFFFFF


@dataclass(frozen=True, slots=True)
class Contents:
    """The long parts of a message."""

    text: str
    new_text: str
    quoted_text: str
    raw: bytes


def train_dictionary(raws: Sequence[bytes]) -> bytes:
    """Train a compression dictionary on raw messages; empty where they are too few to gain by one."""
    if len(raws) < LEAST_SAMPLES:
        return b""
    step = max(1, len(raws) // MAX_SAMPLES)
    samples: list[bytes | bytearray | memoryview] = [raw[:_MAX_SAMPLE_BYTES] for raw in raws[::step]]
    try:
        return zstandard.train_dictionary(DICTIONARY_BYTES, samples).as_bytes()
    except zstandard.ZstdError:  # the samples are too small or too much alike to find anything in
        return b""


def dictionary_id(dictionary: bytes) -> int:
    """Return the number by which compressed blobs name their dictionary; 0 for none."""
    return zstandard.ZstdCompressionDict(dictionary).dict_id() if dictionary else 0


class Packer:
    """Packs contents, with a dictionary or without."""

    def __init__(self, dictionary: bytes = b"") -> None:
        """Take the bytes of a trained dictionary; empty for none."""
        trained = zstandard.ZstdCompressionDict(dictionary) if dictionary else None
        if trained is not None:
            trained.precompute_compress(level=COMPRESSION_LEVEL)
        self._compressor = zstandard.ZstdCompressor(level=COMPRESSION_LEVEL, dict_data=trained)

    def pack(self, contents: Contents) -> bytes:
        """Return one blob: the lengths of the texts in bytes, then a zstd frame."""
        new, quoted = contents.new_text.encode(), contents.quoted_text.encode()
        is_same = contents.text == contents.new_text
        text = b"" if is_same else contents.text.encode()
        head = _HEAD.pack(len(new), len(quoted), _SAME if is_same else len(text))
        return head + self._compressor.compress(b"".join((new, quoted, text, contents.raw)))


class Unpacker:
    """Unpacks blobs, each by the dictionary that it names. It may be used from several threads."""

    def __init__(self, dictionaries: Mapping[int, bytes]) -> None:
        """Take the dictionaries of a mailbox by their numbers."""
        self._dictionaries = dict(dictionaries)
        self._local = threading.local()

    def _decompressor(self, dictionary: int) -> zstandard.ZstdDecompressor:
        """Return this thread's decompressor: one that two threads use at once gives nonsense."""
        known: dict[int, zstandard.ZstdDecompressor] | None = getattr(self._local, "by_dictionary", None)
        if known is None:
            known = self._local.by_dictionary = {0: zstandard.ZstdDecompressor()}
        if dictionary not in known:
            trained = zstandard.ZstdCompressionDict(self._dictionaries[dictionary])
            known[dictionary] = zstandard.ZstdDecompressor(dict_data=trained)
        return known[dictionary]

    def unpack(self, blob: bytes) -> Contents:
        """Return what :meth:`Packer.pack` was given.

        Raises:
            StoreError: The blob is damaged, or its dictionary is missing.
        """
        head = _read_head(blob)
        new, quoted, text, raw = head.split(self._read(blob))
        return Contents(new.decode() if head.is_same else text.decode(), new.decode(), quoted.decode(), raw)

    def texts(self, blob: bytes) -> tuple[str, str, str]:
        """Return the whole text, the new text and the quoted text, whatever the size of the raw message.

        Raises:
            StoreError: As :meth:`unpack`.
        """
        head = _read_head(blob)
        new, quoted, text, _ = head.split(self._read(blob, head.raw_start))
        return new.decode() if head.is_same else text.decode(), new.decode(), quoted.decode()

    def shown_text(self, blob: bytes, max_bytes: int) -> str:
        """Return the beginning of the new text, or of the quoted text where nothing is new.

        Raises:
            StoreError: As :meth:`unpack`.
        """
        head = _read_head(blob)
        shown = min(head.new_bytes or head.quoted_bytes, max_bytes)
        return self._read(blob, shown)[:shown].decode(errors="ignore")

    def _read(self, blob: bytes, least_bytes: int | None = None) -> bytes:
        """Return all of the content, or of one that is large only so many bytes from its beginning."""
        try:
            frame = memoryview(blob)[_HEAD.size :]
            parameters = zstandard.get_frame_parameters(frame)
            decompressor = self._decompressor(parameters.dict_id)
            if least_bytes is None or parameters.content_size <= MAX_WHOLE_BYTES:
                content = decompressor.decompress(frame)
            else:
                with decompressor.stream_reader(frame) as stream:
                    content = stream.read(least_bytes) if least_bytes else b""
        except (zstandard.ZstdError, KeyError) as error:
            raise _damaged(error) from error
        if len(content) < (least_bytes or 0):
            raise _damaged(EOFError(f"{len(content)} bytes"))
        return content


@dataclass(frozen=True, slots=True)
class _Head:
    """Where the parts of a content lie."""

    new_bytes: int
    quoted_bytes: int
    text_bytes: int
    is_same: bool

    @property
    def raw_start(self) -> int:
        return self.new_bytes + self.quoted_bytes + self.text_bytes

    def split(self, content: bytes) -> tuple[bytes, bytes, bytes, bytes]:
        """Return new text, quoted text, whole text (empty where it is the new text) and the raw message."""
        end = self.new_bytes + self.quoted_bytes
        return (
            content[: self.new_bytes],
            content[self.new_bytes : end],
            content[end : self.raw_start],
            content[self.raw_start :],
        )


def _read_head(blob: bytes) -> _Head:
    try:
        new_bytes, quoted_bytes, text_bytes = _HEAD.unpack_from(blob)
    except struct.error as error:
        raise _damaged(error) from error
    is_same = text_bytes == _SAME
    return _Head(new_bytes, quoted_bytes, 0 if is_same else text_bytes, is_same)


def _damaged(error: Exception) -> StoreError:
    return StoreError(f"a message's content is damaged ({error!r}): import its mail again")
