import bz2
import gzip
import lzma
import tracemalloc

import pytest

from mailgym.core.errors import SourceError
from mailgym.corpora.mbox import read_mbox

TWO = (
    b"From dana-w/sent_items Mon May 14 23:39:00 2001\nSubject: one\n\nhello\n>From here on\n>>From there\n\n"
    b"From bob@x.example Tue May 15 08:00:00 2001\nSubject: two\n\nFrom now on we pay.\n\nFrom me: 10:30, see you\n\n"
)


@pytest.fixture
def write(tmp_path):
    def write(content: bytes, name: str = "a.mbox"):
        path = tmp_path / name
        path.write_bytes(content)
        return path

    return write


def test_messages_folders_and_escapes(write):
    one, two = read_mbox(write(TWO))
    assert one.raw == b"Subject: one\n\nhello\nFrom here on\n>From there\n"
    assert two.raw == b"Subject: two\n\nFrom now on we pay.\n\nFrom me: 10:30, see you\n"
    assert (one.folder, two.folder) == ("sent_items", "")
    assert two.source_bytes == len(TWO)


def test_crlf_lines(write):
    entries = list(read_mbox(write(TWO.replace(b"\n", b"\r\n"))))
    assert [entry.raw.replace(b"\r\n", b"\n") for entry in entries] == [entry.raw for entry in read_mbox(write(TWO))]


@pytest.mark.parametrize("compress", [lzma.compress, gzip.compress, bz2.compress])
def test_compressed_files_are_known_by_their_content(write, compress):
    data = compress(TWO)
    entries = list(read_mbox(write(data, "a.bin")))
    assert len(entries) == 2
    assert entries[-1].source_bytes == len(data)


def test_odd_from_lines(write):
    lines = [
        b"From - Mon May 14 10:00:00 2001",
        b"From 12@xxx Mon May 14 10:00:00 +0000 2001",
        b"From a 2001-05-14 10:00",
    ]
    content = b"\n\n" + b"".join(line + b"\nSubject: s\n\nt\n\n" for line in lines)
    assert len(list(read_mbox(write(content)))) == 3


def test_a_from_line_needs_an_empty_line_before_it(write):
    inside = b"From a Mon May 14 10:00:00 2001\nSubject: s\n\ntext\nFrom b Mon May 14 10:00:00 2001\nmore\n"
    (entry,) = read_mbox(write(inside))
    assert entry.raw.endswith(b"text\nFrom b Mon May 14 10:00:00 2001\nmore\n")


def test_a_message_without_anything_is_still_an_entry(write):
    content = b"From a Mon May 14 10:00:00 2001\n\n\nFrom b Mon May 14 10:00:00 2001\nSubject: s\n\n"
    assert [entry.raw for entry in read_mbox(write(content))] == [b"\n", b"Subject: s\n"]


def test_very_long_lines_are_kept_whole(write):
    content = b"From a Mon May 14 10:00:00 2001\n\n" + b"y" * (3 << 20) + b"\n"
    (entry,) = read_mbox(write(content))
    assert len(entry.raw) == (3 << 20) + 2


def test_memory_is_that_of_one_message(write):
    path = write((b"From a Mon May 14 10:00:00 2001\n\n" + (b"w" * 999 + b"\n") * 100 + b"\n") * 60)
    tracemalloc.start()
    count = sum(1 for _ in read_mbox(path))
    peak_bytes = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert count == 60
    assert peak_bytes < path.stat().st_size / 3


def test_what_is_no_mbox_says_what_to_do(write, tmp_path):
    cases = [
        (tmp_path / "none.mbox", "does not exist"),
        (tmp_path, "is a folder"),
        (write(b""), "is empty"),
        (write(b"\n\n", "blank.mbox"), "is empty"),
        (write(b"Subject: one mail\n\nhello\n", "mail.eml"), "first line must read"),
        (write(lzma.compress(b""), "empty.xz"), "is empty"),
    ]
    for path, expected in cases:
        with pytest.raises(SourceError, match=expected):
            next(read_mbox(path))


@pytest.mark.parametrize("compress", [lzma.compress, gzip.compress, bz2.compress])
def test_a_damaged_file_says_how_far_it_was_read(write, compress):
    data = bytearray(compress(TWO * 50))
    with pytest.raises(SourceError, match="cannot be read beyond its first"):
        list(read_mbox(write(bytes(data[:-20]))))
