"""Names the files inside a ``winmail.dat`` (TNEF), which Outlook sends where it was told to keep its formats.

Source: Microsoft, [MS-OXTNEF], sections 2.1.1 to 2.1.3: a signature, a key, then attributes, each with its
    level, id, length, data and check sum. Only the names and sizes of attached files and a plain text body are read.
"""

import struct
from collections.abc import Iterator
from dataclasses import dataclass

_SIGNATURE = 0x223E9F78
_RENDER_DATA, _TITLE, _DATA, _PROPERTIES = 0x00069002, 0x00018010, 0x0006800F, 0x00069005
_BODY, _CODE_PAGE = 0x0002800C, 0x00069007
_LONG_NAME = 0x3707
_UNICODE, _STRING = 0x001F, 0x001E
_FIXED_BYTES = {0x0002: 4, 0x0003: 4, 0x0004: 4, 0x0005: 8, 0x0006: 8, 0x0007: 8, 0x000A: 4, 0x000B: 4, 0x0014: 8,
                0x0040: 8, 0x0048: 16}  # fmt: skip
_VARIABLE = frozenset((0x000D, 0x001E, 0x001F, 0x0102))


@dataclass(frozen=True, slots=True)
class InnerFile:
    """A file inside: its name, empty where it has none, and its size in bytes."""

    name: str
    size_bytes: int


@dataclass(frozen=True, slots=True)
class Tnef:
    """What is read of a TNEF file: the files inside and the plain text, as far as it is whole."""

    files: tuple[InnerFile, ...]
    text: bytes
    code_page: str


def read_tnef(data: bytes) -> Tnef | None:
    """Read a TNEF file; None where it is none. Of a cut one, what is whole is read."""
    if len(data) < 6 or struct.unpack_from("<I", data)[0] != _SIGNATURE:
        return None
    names: list[str] = []
    sizes: list[int] = []
    text, code_page = b"", "cp1252"
    for attribute, content in _attributes(data):
        if attribute == _CODE_PAGE and len(content) >= 4:
            code_page = f"cp{struct.unpack_from('<I', content)[0]}"
        elif attribute == _BODY:
            text = content.rstrip(b"\x00")
        elif attribute == _RENDER_DATA:
            names.append("")
            sizes.append(0)
        elif attribute == _TITLE and names:
            names[-1] = names[-1] or content.rstrip(b"\x00").decode("cp1252", errors="replace")
        elif attribute == _DATA and names:
            sizes[-1] = len(content)
        elif attribute == _PROPERTIES and names:
            names[-1] = _long_name(content) or names[-1]
    files = tuple(InnerFile(name, size) for name, size in zip(names, sizes, strict=True))
    return Tnef(files, text, code_page)


def _attributes(data: bytes) -> Iterator[tuple[int, bytes]]:
    position = 6
    while position + 9 <= len(data):
        attribute, length = struct.unpack_from("<II", data, position + 1)
        start = position + 9
        if start + length > len(data):
            return
        yield attribute, data[start : start + length]
        position = start + length + 2


def _long_name(content: bytes) -> str:
    """Return the long file name among an attachment's properties, empty where it cannot be found."""
    try:
        position = 4
        for _ in range(struct.unpack_from("<I", content)[0]):
            kind, number = struct.unpack_from("<HH", content, position)
            position += 4
            if number >= 0x8000:
                position = _after_name(content, position)
            if kind & 0x0FFF in _FIXED_BYTES and not kind & 0x1000:
                position += _FIXED_BYTES[kind & 0x0FFF]
                continue
            if kind & 0x0FFF not in _VARIABLE and not kind & 0x1000:
                return ""
            values, position = _values(content, position, kind)
            if number == _LONG_NAME and values:
                codec = "utf-16-le" if kind & 0x0FFF == _UNICODE else "cp1252"
                return values[0].decode(codec, errors="replace").rstrip("\x00")
    except struct.error:
        pass
    return ""


def _after_name(content: bytes, position: int) -> int:
    """Return where a named property's value begins: behind its set's GUID and its number or name."""
    is_string = struct.unpack_from("<I", content, position + 16)[0] == 1
    if not is_string:
        return position + 24
    length = struct.unpack_from("<I", content, position + 20)[0]
    return position + 24 + _padded(int(length))


def _values(content: bytes, position: int, kind: int) -> tuple[list[bytes], int]:
    count = int(struct.unpack_from("<I", content, position)[0])
    position += 4
    if kind & 0x0FFF in _FIXED_BYTES:
        return [], position + count * _FIXED_BYTES[kind & 0x0FFF]
    values: list[bytes] = []
    for _ in range(count):
        length = int(struct.unpack_from("<I", content, position)[0])
        values.append(content[position + 4 : position + 4 + length])
        position += 4 + _padded(length)
    return values, position


def _padded(length: int) -> int:
    return (length + 3) // 4 * 4
