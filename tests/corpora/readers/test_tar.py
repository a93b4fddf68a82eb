import io
import tarfile

import pytest

from mailgym.corpora.readers.streams import StreamError
from mailgym.corpora.readers.tar import BLOCK_BYTES, TarReader, is_header

NAMES = ["a/1.", "a/" + "long" * 40 + "/" + "n" * 90, "Grüße/1.eml", "x/" + "y" * 120 + "ü"]


def archive(members: dict[str, bytes], form: int = tarfile.GNU_FORMAT, **other: tarfile.TarInfo) -> bytes:
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w", format=form) as tar:
        for name, content in members.items():
            info = tarfile.TarInfo(name)
            info.size = len(content)
            tar.addfile(info, io.BytesIO(content))
        for info in other.values():
            tar.addfile(info)
    return file.getvalue()


def contents(data: bytes) -> dict[str, bytes]:
    reader = TarReader(io.BytesIO(data))
    return {entry.name: reader.read() for entry in reader}


@pytest.mark.parametrize("form", [tarfile.GNU_FORMAT, tarfile.PAX_FORMAT])
def test_every_form_of_tar_is_read_as_it_was_written(form):
    members = {name: name.encode() * count for name, count in zip(NAMES, (0, 1, 40, 300), strict=True)}
    assert contents(archive(members, form)) == members


def test_ustar_with_a_prefix():
    name = "p" * 100 + "/" + "n" * 90
    assert contents(archive({name: b"x"}, tarfile.USTAR_FORMAT)) == {name: b"x"}


def test_members_that_are_not_read_are_passed_over():
    reader = TarReader(io.BytesIO(archive({"a": b"1" * 2000, "b": b"2" * 700, "c": b"3"})))
    seen = []
    for entry in reader:
        seen.append((entry.name, entry.size_bytes, reader.read(3) if entry.name == "b" else b""))
    assert seen == [("a", 2000, b""), ("b", 700, b"222"), ("c", 1, b"")]
    assert reader.read() == b""


def test_links_and_folders_say_what_they_are():
    link, folder, pipe = tarfile.TarInfo("l"), tarfile.TarInfo("f"), tarfile.TarInfo("p")
    link.type, link.linkname, folder.type, pipe.type = tarfile.SYMTYPE, "k" * 200, tarfile.DIRTYPE, tarfile.FIFOTYPE
    data = archive({"a": b"x"}, link=link, folder=folder, pipe=pipe)
    assert [(entry.name, entry.kind) for entry in TarReader(io.BytesIO(data))] == [
        ("a", "file"),
        ("l", "link"),
        ("f/", "folder"),
        ("p", "other"),
    ]


def test_numbers_too_large_for_octal():
    block = bytearray(archive({"big": b""})[:BLOCK_BYTES])
    block[124:136] = b"\x80" + (9 << 30).to_bytes(11, "big")
    block[148:156] = b"%06o\0 " % (sum(block) - sum(block[148:156]) + 8 * 32)
    (entry,) = [next(iter(TarReader(io.BytesIO(bytes(block)))))]
    assert entry.size_bytes == 9 << 30


def test_names_that_are_not_utf8_are_kept():
    data = archive({"gr\udcfc\udcdfe": b"x"})
    assert list(contents(data)) == ["gr\udcfc\udcdfe"]


def test_an_archive_without_its_end_mark_is_whole():
    assert contents(archive({"a": b"x" * 512})[:1024]) == {"a": b"x" * 512}


@pytest.mark.parametrize("cut_bytes", [10, 600, 700, 1536])
def test_a_cut_or_broken_archive_is_an_error_and_never_a_quiet_end(cut_bytes):
    data = archive({"a": b"x" * 600, "b": b"y" * 600})
    broken = data[:1536] + b"\x01" * 512 if cut_bytes == 1536 else data[:cut_bytes]
    with pytest.raises(StreamError, match="damaged"):
        contents(broken)


def test_damaged_extra_headers_are_errors():
    data = archive({NAMES[3]: b"x"}, tarfile.PAX_FORMAT)
    with pytest.raises(StreamError, match="damaged"):
        contents(data[:512] + b"xx nonsense\n".ljust(512, b"\0") + data[1024:])


def test_a_header_is_known_by_its_checksum():
    block = archive({"a": b""})[:BLOCK_BYTES]
    assert is_header(block)
    assert not is_header(b"Subject: s\n".ljust(BLOCK_BYTES, b" "))
    assert not is_header(b"b" + block[1:])
