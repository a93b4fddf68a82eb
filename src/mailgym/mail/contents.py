"""Packs a message's texts and its raw bytes into one blob.

New text, quoted text, whole text and raw message say much of the same, so that together they compress to hardly more
than the raw message alone; a dictionary trained on mail of the same kind saves another third.
"""

import struct
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
    """Unpacks blobs, each by the dictionary that it names."""

    def __init__(self, dictionaries: Mapping[int, bytes]) -> None:
        """Take the dictionaries of a mailbox by their numbers."""
        self._by_id = {
            number: zstandard.ZstdDecompressor(dict_data=zstandard.ZstdCompressionDict(dictionary))
            for number, dictionary in dictionaries.items()
        }
        self._by_id[0] = zstandard.ZstdDecompressor()

    def unpack(self, blob: bytes) -> Contents:
        """Return what :meth:`Packer.pack` was given.

        Raises:
            StoreError: The blob is damaged, or its dictionary is missing.
        """
        new, quoted, text, raw = self._parts(blob)
        new_text = new.decode()
        return Contents(new_text if text is None else text.decode(), new_text, quoted.decode(), raw)

    def shown_text(self, blob: bytes, max_bytes: int) -> str:
        """Return the beginning of the new text, or of the quoted text where nothing is new.

        Raises:
            StoreError: As :meth:`unpack`.
        """
        new, quoted, _, _ = self._parts(blob)
        return (new or quoted)[:max_bytes].decode(errors="ignore")

    def _parts(self, blob: bytes) -> tuple[bytes, bytes, bytes | None, bytes]:
        try:
            new_bytes, quoted_bytes, text_bytes = _HEAD.unpack_from(blob)
            frame = memoryview(blob)[_HEAD.size :]
            whole = self._by_id[zstandard.get_frame_parameters(frame).dict_id].decompress(frame)
        except (struct.error, zstandard.ZstdError, KeyError) as error:
            raise StoreError(f"a message's content is damaged ({error!r}): import its mail again") from error
        end = new_bytes + quoted_bytes
        is_same = text_bytes == _SAME
        raw_start = end + (0 if is_same else text_bytes)
        text = None if is_same else whole[end:raw_start]
        return whole[:new_bytes], whole[new_bytes:end], text, whole[raw_start:]
