import bz2
import gzip
import io
import lzma
import os

import pytest
import zstandard

from mailgym.corpora.readers.streams import (
    HEAD_BYTES,
    STREAM_ERRORS,
    PeekedStream,
    StreamError,
    buffered,
    compression_of,
    decompressed,
    explain,
)

DATA = b"".join(b"line %d of some text\n" % number for number in range(30_000))
COMPRESS = {
    "gzip": gzip.compress,
    "xz": lzma.compress,
    "bzip2": bz2.compress,
    "zstd": lambda data: zstandard.ZstdCompressor().compress(data),
}


def test_a_look_ahead_loses_nothing():
    stream = PeekedStream(io.BytesIO(DATA))
    assert stream.head == DATA[:HEAD_BYTES]
    assert stream.read(10) + stream.read(5000) + stream.read(1) + stream.read() == DATA
    assert stream.read() == stream.read(5) == b""
    assert PeekedStream(io.BytesIO(b"abc")).read() == b"abc"
    assert list(buffered(PeekedStream(io.BytesIO(DATA)))) == DATA.splitlines(keepends=True)


@pytest.mark.parametrize("name", COMPRESS)
def test_compression_is_known_by_its_content_and_undone(name):
    compress = COMPRESS[name]
    stream, found = decompressed(PeekedStream(io.BytesIO(compress(DATA[:9000]) + compress(DATA[9000:]))))
    assert found == name == compression_of(compress(b"x"))
    assert stream.read(1) + stream.read(70_000) + stream.read() == DATA


def test_plain_is_left_and_two_layers_are_undone():
    assert decompressed(PeekedStream(io.BytesIO(b"plain")))[1] == ""
    stream, found = decompressed(PeekedStream(io.BytesIO(gzip.compress(lzma.compress(DATA)))))
    assert (stream.read(), found) == (DATA, "gzip")


@pytest.mark.parametrize("name", COMPRESS)
def test_what_is_cut_off_is_an_error_and_never_a_quiet_end(name):
    data = COMPRESS[name](os.urandom(100_000) + DATA)
    with pytest.raises(STREAM_ERRORS) as caught:
        read_in_pieces(data[:-30])
    assert explain(caught.value).startswith("damaged")


def read_in_pieces(data: bytes) -> None:
    stream, _ = decompressed(PeekedStream(io.BytesIO(data)))
    while stream.read(10_000):
        pass


def test_reasons_are_few_and_short():
    assert explain(PermissionError(13, "Permission denied")) == "cannot be read: permission denied"
    assert explain(StreamError("encrypted")) == "encrypted"
    assert explain(EOFError()) == "damaged: it is cut off"
    assert explain(NotImplementedError()) == "compressed in a way that cannot be read"
    assert explain(lzma.LZMAError("x")) == "damaged: it cannot be read to its end"
