"""Undoes transfer encodings (RFC 2045, 6), damaged ones as far as they can be. Nothing here raises."""

import binascii
import re

_NOT_QUOTED = re.compile(rb"=(?![0-9A-Fa-f]{2}|\n|$)")
_LOOSE_SOFT_BREAK = re.compile(rb"=[ \t]+(?=\n|$)")
_NOT_BASE64 = bytes(sorted(set(range(256)) - set(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=")))
_BASE64_LINE = re.compile(rb"\s*[A-Za-z0-9+/][A-Za-z0-9+/=]*(?:\s*|(?<==)\s.*)")
_BEHIND_PADDING = re.compile(rb"(?<==)\s+[^\s].*")
_PADDING = re.compile(rb"=+")
_INNER_SPACE = re.compile(rb"[^\s] +[^\s]")
_LEAST_LINE_BYTES = 40
_LARGE_BYTES = 100_000
_WHITE = b" \t\n\r\f\v"
UU_BEGIN = re.compile(rb"^begin [0-7]{3,4} ([^\n]{1,250})\n", re.MULTILINE)
_AS_THEY_ARE = frozenset(("", "7bit", "8bit", "binary", "7-bit", "8-bit", "none", "8bits", "7bits", "unencoded"))


def decode_transfer(body: bytes, encoding: str, defects: list[str]) -> bytes:
    """Undo a part's transfer encoding.

    Args:
        body: The part's body with LF lines.
        encoding: What Content-Transfer-Encoding says, in lower case; empty for nothing.
        defects: Takes what is wrong.

    Returns:
        The content; of a damaged one what can be decoded, or the body as it stands.
    """
    if encoding in _AS_THEY_ARE:
        return body
    words = encoding.strip("\"'").replace(";", " ").replace("(", " ").split()
    encoding = words[0] if words else ""
    if encoding == "quoted-printable":
        return decode_quoted(body, defects)
    if encoding == "base64":
        return decode_base64(body, defects)
    if encoding in ("x-uuencode", "uuencode", "x-uue", "uue"):
        begin = UU_BEGIN.search(body)
        file = decode_uu(body, begin.end()) if begin else None
        if file is not None:
            return file[0]
    if encoding not in _AS_THEY_ARE:
        defects.append("transfer encoding could not be read: taken as it stands")
    return body


def decode_quoted(body: bytes, defects: list[str]) -> bytes:
    """Decode quoted-printable; an ``=`` that begins no code is kept as it stands."""
    if b"= " in body or b"=\t" in body:
        body = _LOOSE_SOFT_BREAK.sub(b"=", body)
    if _NOT_QUOTED.search(body):
        defects.append("quoted-printable is damaged")
    return binascii.a2b_qp(body)


def decode_base64(body: bytes, defects: list[str]) -> bytes:
    """Decode base64: also several pieces with their own padding, and plain text that stands behind them."""
    if b" " not in body or not _INNER_SPACE.search(body):  # words in a row are text, whatever they decode to
        try:
            return binascii.a2b_base64(body.translate(None, _WHITE), strict_mode=True)
        except binascii.Error:
            pass
    defects.append("base64 is damaged")
    if len(body) > _LARGE_BYTES and b" " not in body:  # no text stands behind it
        return decode_base64_runs(body)
    lines = body.split(b"\n")
    last = _base64_end(lines)
    if not last:
        return body
    content = decode_base64_runs(b"".join(_BEHIND_PADDING.sub(b"", line) for line in lines[:last]))
    rest = b"\n".join(lines[last:]).strip()
    return content + (b"\n" + rest if rest else b"")


def decode_base64_runs(data: bytes) -> bytes:
    """Decode runs of base64, each with its own padding or none; other bytes, and a last odd digit, are left out."""
    pieces: list[bytes] = []
    for run in _PADDING.split(data.translate(None, _NOT_BASE64)):
        whole = run[:-1] if len(run) % 4 == 1 else run
        pieces.append(binascii.a2b_base64(whole + b"=" * (-len(whole) % 4)))
    return b"".join(pieces)


def _base64_end(lines: list[bytes]) -> int:
    """Return behind which line base64 ends and plain text begins, as list software appends; 0 where none stands."""
    end, count, is_before = 0, 0, True
    for index, line in enumerate(lines):
        bare = line.strip()
        if bare:
            is_long = len(bare) >= _LEAST_LINE_BYTES or b"=" in bare
            is_before = _BASE64_LINE.fullmatch(line) is not None and (is_before or is_long)
            if is_before:
                end, count = index + 1, count + len(bare)
    is_all = not any(line.strip() for line in lines[end:])
    return end if is_all or 2 * count > _LEAST_LINE_BYTES else 0


def decode_uu(data: bytes, start: int) -> tuple[bytes, int] | None:
    """Decode uuencoded lines.

    Args:
        data: What holds them.
        start: Where the first of them begins, behind the ``begin`` line.

    Returns:
        The content, and where the text behind its ``end`` line begins; None where no such lines stand there.
    """
    pieces: list[bytes] = []
    position = start
    while position < len(data):
        line_end = data.find(b"\n", position)
        line_end = len(data) if line_end < 0 else line_end
        line = data[position:line_end].rstrip(b"\r")
        if line == b"end":
            return b"".join(pieces), min(line_end + 1, len(data))
        decoded = _uu_line(line)
        if decoded is None:
            break
        pieces.append(decoded)
        position = line_end + 1
    return (b"".join(pieces), min(position, len(data))) if len(pieces) > 1 else None


def _uu_line(line: bytes) -> bytes | None:
    if not line.strip():
        return b"" if line else None
    count = (line[0] - 32) & 63
    digits = len(line) - 1
    wanted = (count + 2) // 3 * 4
    if line[0] > 96 or count > 45 or not wanted - 3 <= digits <= wanted + 2:
        return None
    try:
        return binascii.a2b_uu(line[: wanted + 1])
    except binascii.Error:
        return None
