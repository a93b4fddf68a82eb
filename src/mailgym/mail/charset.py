"""Decodes text by the charset it names, by the one it means, or as well as can be. Nothing here raises."""

import codecs
import re
from functools import lru_cache

_SURROGATE = re.compile("[\ud800-\udfff]")
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.:()$+-]{0,60}")
_STATEFUL = ("iso2022", "hz", "utf_7", "utf-7", "utf_16", "utf-16", "utf_32", "utf-32")
_JAPANESE_ESCAPES = (b"\x1b$B", b"\x1b$@", b"\x1b(J")
_NO_NAMES = frozenset(("", "unknown", "x-unknown", "unknown-8bit", "default", "none", "x-user-defined", "binary"))

# What mail calls charsets, and the codec that reads all of what senders put under that name: a superset where
# mail programs take the name for one (https://encoding.spec.whatwg.org, "Names and labels").
_CODECS = {
    "ansi": "cp1252",
    "ansi_x3.4-1968": "ascii",
    "ansi_x3.4-1986": "ascii",
    "ascii": "ascii",
    "big5": "big5hkscs",
    "big5-hkscs": "big5hkscs",
    "chinese": "gb18030",
    "cn-big5": "big5hkscs",
    "cn-gb": "gb18030",
    "dos-874": "cp874",
    "euc-kr": "cp949",
    "euckr": "cp949",
    "gb2312": "gb18030",
    "gb_2312-80": "gb18030",
    "gbk": "gb18030",
    "hebrew": "iso8859_8",
    "iso-2022-jp": "iso2022_jp_ext",
    "iso-8859-1": "cp1252",
    "iso-8859-8-e": "iso8859_8",
    "iso-8859-8-i": "iso8859_8",
    "iso-8859-9": "cp1254",
    "iso-8859-11": "cp874",
    "iso8859-1": "cp1252",
    "iso_8859-1": "cp1252",
    "iso_8859-1:1987": "cp1252",
    "koi8": "koi8_r",
    "ks_c_5601": "cp949",
    "ks_c_5601-1987": "cp949",
    "ks_c_5601-1989": "cp949",
    "ksc5601": "cp949",
    "ksc_5601": "cp949",
    "latin1": "cp1252",
    "latin-1": "cp1252",
    "logical": "iso8859_8",
    "macintosh": "mac_roman",
    "shift-jis": "cp932",
    "shift_jis": "cp932",
    "sjis": "cp932",
    "tis-620": "cp874",
    "unicode-1-1-utf-7": "utf_7",
    "unicode-1-1-utf-8": "utf_8",
    "unicode-2-0-utf-8": "utf_8",
    "us-ascii": "ascii",
    "utf8mb4": "utf_8",
    "visual": "iso8859_8",
    "windows-31j": "cp932",
    "windows-874": "cp874",
    "windows-949": "cp949",
    "x-big5": "big5hkscs",
    "x-cp1250": "cp1250",
    "x-cp1251": "cp1251",
    "x-cp1252": "cp1252",
    "x-euc-jp": "euc_jp",
    "x-gbk": "gb18030",
    "x-mac-ce": "mac_latin2",
    "x-mac-cyrillic": "mac_cyrillic",
    "x-mac-greek": "mac_greek",
    "x-mac-roman": "mac_roman",
    "x-mac-turkish": "mac_turkish",
    "x-sjis": "cp932",
    "x-unicode-2-0-utf-7": "utf_7",
    "x-windows-949": "cp949",
}


@lru_cache(maxsize=1024)
def codec_of(charset: str) -> str | None:
    """Return the codec for a charset as mail names it: empty where it names none, None where none is known."""
    named = _NAME.search(charset.strip().removeprefix("_"))
    name = (named[0] if named else "").lower()
    if name in _NO_NAMES:
        return ""
    for candidate in (name, name.split("http-equiv")[0], name.split("$")[0], name.removeprefix("x-")):
        known = _CODECS.get(candidate)
        if known is not None:
            return known
        try:
            found = codecs.lookup(candidate.replace(":", "-"))
        except (LookupError, ValueError):
            continue
        if found._is_text_encoding and found.name not in ("undefined", "idna", "punycode", "mbcs", "oem"):
            if found.name.endswith("escape"):
                return None
            return {"iso8859-1": "cp1252", "iso8859-9": "cp1254"}.get(found.name, found.name)
    return None


@lru_cache(maxsize=256)
def _keeps_ascii(codec: str) -> bool:
    """Return whether bytes below 128 mean the same in this codec as in ASCII, whatever their order."""
    if codec.startswith(_STATEFUL):
        return False
    every = bytes(range(1, 128))
    return every.decode(codec, errors="replace") == every.decode("ascii")


def decode_bytes(data: bytes, charset: str, defects: list[str]) -> str:
    """Decode text as well as can be; what is wrong with it goes into ``defects``.

    Bytes that name no charset, or one that is unknown or plainly wrong, are read as UTF-8 where they are valid
    UTF-8, else as Windows-1252.

    Args:
        data: The text's bytes, its transfer encoding undone.
        charset: The name that the message gives; empty for none.
        defects: Takes what is wrong.
    """
    codec = codec_of(charset)
    if codec is None:
        defects.append(f"unknown charset {_shown(charset)}")
        codec = ""
    if not data:
        return ""
    if data.isascii() and (not codec or _keeps_ascii(codec)):
        is_japanese = b"\x1b" in data and any(escape in data for escape in _JAPANESE_ESCAPES)
        text = _decode_strictly(data, "iso2022_jp_ext") if is_japanese else None
        return clean_text(data.decode("ascii") if text is None else text, defects)
    text = _decode_strictly(data, codec) if codec else None
    if text is None:
        text = _guess(data, charset, codec, defects)
    return clean_text(text.removeprefix("\ufeff"), defects)


def _decode_strictly(data: bytes, codec: str) -> str | None:
    if codec.startswith(("utf_16", "utf-16", "utf_32", "utf-32")) and data.isascii() and b"\x00" not in data:
        return None  # plain ASCII, whatever it says
    try:
        return data.decode(codec)
    except (UnicodeError, ValueError, LookupError):
        return None


def _guess(data: bytes, charset: str, codec: str, defects: list[str]) -> str:
    if codec == "cp1252":  # five bytes of it are unassigned: what a browser does with them
        return data.decode("cp1252", errors="latin1_bytes")
    if charset and codec:
        defects.append(f"text is not valid {_shown(charset)}")
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        text = ""
    if text:
        if not codec and not text.isascii():
            defects.append("text holds bytes of an unnamed charset")
        return text
    if codec and codec != "ascii":
        text = data.decode(codec, errors="replace")
        wrong = text.count("\ufffd")
        if 2 * wrong < sum(not character.isascii() for character in text) or not _keeps_ascii(codec):
            return text
    if not codec:
        defects.append("text holds bytes of an unnamed charset")
    return data.decode("cp1252", errors="latin1_bytes")


def _latin1_bytes(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeDecodeError):
        raise error
    return error.object[error.start : error.end].decode("latin-1"), error.end


codecs.register_error("latin1_bytes", _latin1_bytes)


def clean_text(text: str, defects: list[str]) -> str:
    """Remove what no text may hold: NUL characters and lone surrogates."""
    if "\x00" in text:
        defects.append("text held NUL characters")
        text = text.replace("\x00", "")
    if not text.isascii() and _SURROGATE.search(text):
        defects.append("text held lone surrogates")
        text = _SURROGATE.sub("\ufffd", text)
    return text


def _shown(charset: str) -> str:
    shown = "".join(character if character.isprintable() else " " for character in charset[:40])
    return " ".join(shown.encode("utf-8", errors="replace").decode("utf-8").split()) or "text"
