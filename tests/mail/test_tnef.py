import struct

from hypothesis import given
from hypothesis import strategies as st

from mailgym.mail.tnef import InnerFile, read_tnef

RENDER_DATA, TITLE, DATA, PROPERTIES = 0x00069002, 0x00018010, 0x0006800F, 0x00069005


def attribute(number: int, content: bytes, level: int = 2) -> bytes:
    return struct.pack("<BII", level, number, len(content)) + content + struct.pack("<H", sum(content) & 0xFFFF)


def tnef(*attributes: bytes) -> bytes:
    return struct.pack("<IH", 0x223E9F78, 1) + b"".join(attributes)


def string_property(number: int, text: str, kind: int = 0x001F) -> bytes:
    data = text.encode("utf-16-le" if kind == 0x001F else "cp1252")
    padded = data + b"\0" * (-len(data) % 4)
    return struct.pack("<HHII", kind, number, 1, len(data)) + padded


def properties(*values: bytes) -> bytes:
    return struct.pack("<I", len(values)) + b"".join(values)


NUMBER = struct.pack("<HHI", 0x0003, 0x3705, 1)
TWO_NUMBERS = struct.pack("<HHIII", 0x1003, 0x3706, 2, 7, 8)
NAMED_BY_ID = struct.pack("<HH", 0x0003, 0x8001) + b"G" * 16 + struct.pack("<III", 0, 5, 1)
NAMED_BY_TEXT = (
    struct.pack("<HH", 0x0003, 0x8002) + b"G" * 16 + struct.pack("<II", 1, 5) + b"a\0b\0\0" + b"\0" * 3 + b"1234"
)


def test_files_inside_are_named_with_their_sizes():
    whole = tnef(
        attribute(0x00069007, struct.pack("<II", 1251, 0), level=1),
        attribute(0x0002800C, "Привет\0".encode("cp1251"), level=1),
        attribute(RENDER_DATA, b"\0" * 14),
        attribute(TITLE, b"PLAN~1.DOC\0"),
        attribute(DATA, b"x" * 100),
        attribute(
            PROPERTIES,
            properties(NUMBER, TWO_NUMBERS, NAMED_BY_ID, NAMED_BY_TEXT, string_property(0x3707, "Plan für 2001.doc")),
        ),
        attribute(RENDER_DATA, b"\0" * 14),
        attribute(TITLE, b"notes.txt\0"),
        attribute(DATA, b"y" * 7),
        attribute(PROPERTIES, properties(NUMBER)),
    )
    read = read_tnef(whole)
    assert read is not None
    assert read.files == (InnerFile("Plan für 2001.doc", 100), InnerFile("notes.txt", 7))
    assert read.text.decode(read.code_page) == "Привет"


def test_names_of_eight_bits_are_read():
    named = properties(string_property(0x3707, "café.txt", kind=0x001E))
    read = read_tnef(tnef(attribute(RENDER_DATA, b""), attribute(PROPERTIES, named)))
    assert read is not None
    assert read.files == (InnerFile("café.txt", 0),)


def test_of_a_cut_file_what_is_whole_is_read():
    whole = tnef(attribute(RENDER_DATA, b""), attribute(TITLE, b"a.txt\0"), attribute(DATA, b"x" * 100))
    read = read_tnef(whole[:-50])
    assert read is not None
    assert read.files == (InnerFile("a.txt", 0),)


def test_properties_that_cannot_be_read_cost_only_the_long_name():
    for odd in (
        b"",
        b"\xff" * 9,
        properties(struct.pack("<HHI", 0x0099, 1, 1)),
        properties(string_property(0x3001, "x")),
    ):
        read = read_tnef(tnef(attribute(RENDER_DATA, b""), attribute(TITLE, b"a.txt\0"), attribute(PROPERTIES, odd)))
        assert read is not None
        assert read.files == (InnerFile("a.txt", 0),)


def test_what_is_none_is_none():
    assert read_tnef(b"") is None
    assert read_tnef(b"not a TNEF file") is None


@given(st.binary(max_size=200))
def test_no_bytes_break_it(data):
    read_tnef(tnef(data))
    read_tnef(tnef(attribute(RENDER_DATA, b""), attribute(PROPERTIES, data)))
