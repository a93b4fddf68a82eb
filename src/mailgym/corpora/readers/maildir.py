"""Maildir and Maildir++: which folders are such, what they are called, what the names of their files say."""

import base64
import binascii
import re

from mailgym.corpora.readers.marks import in_order, sort_keywords

ROOMS = ("cur", "new", "tmp")
"""The folders of a Maildir; what lies in tmp is not mail yet, and is never read."""
KEYWORDS_FILE = "dovecot-keywords"
INBOX = "INBOX"

_INFO = re.compile(r"[:;!]2,([A-Za-z]*)$")
_UNIQUE = re.compile(r"\d{6,}\.[^.]+\..+")
_FLAGS = {"P": "forwarded", "R": "answered", "S": "seen", "T": "deleted", "D": "draft", "F": "flagged"}
_SHIFTED = re.compile(r"&([A-Za-z0-9+,]*)-")
_KMAIL_SUFFIX = ".directory"


def is_file_name(name: str) -> bool:
    """Return whether a file is called as programs that deliver call a mail: ``TIME.UNIQUE.HOST``, with flags or not."""
    return _UNIQUE.match(name) is not None or _INFO.search(name) is not None


def read_flags(name: str, keywords: dict[str, str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Read flags and labels from a file's name.

    Source: cr.yp.to/proto/maildir.html for the flags; Dovecot's documents for letters a to z, which stand for keywords.

    Args:
        name: Such as ``1015.M1P2.host:2,FS``; ``;`` and ``!`` take the place of ``:`` where a disk forbids it.
        keywords: The label that each small letter stands for.

    Returns:
        Flags, and labels.
    """
    info = _INFO.search(name)
    letters = info[1] if info else ""
    keyword_flags, labels = sort_keywords(keywords[letter] for letter in letters if letter in keywords)
    return in_order({_FLAGS[letter] for letter in letters if letter in _FLAGS} | keyword_flags), labels


def read_keywords(content: bytes) -> dict[str, str]:
    """Read a ``dovecot-keywords`` file: lines of a number from 0 and a keyword; number 0 is letter a."""
    keywords = {}
    for line in content.decode("utf-8", "replace").splitlines():
        number, _, keyword = line.partition(" ")
        if number.isdecimal() and int(number) < 26 and keyword.strip():
            keywords[chr(ord("a") + int(number))] = keyword.strip()
    return keywords


def folder_name(parts: tuple[str, ...]) -> tuple[str, ...]:
    """Return the parts of a folder's name from its path below the top Maildir: ``.Work.Bills`` is ``Work``, ``Bills``.

    Dots part the names of Maildir++ folders, each in modified UTF-7; KMail's ``.Work.directory/Bills`` is read too.
    """
    names: list[str] = []
    for part in parts:
        if part.startswith("."):
            names += part.removesuffix(_KMAIL_SUFFIX)[1:].split(".")
        else:
            names.append(part)
    return tuple(decode_modified_utf7(name) for name in names if name)


def decode_modified_utf7(name: str) -> str:
    """Decode a folder name as IMAP servers write it (``Entw&APw-rfe``); one that is not so written stays as it is.

    Source: RFC 3501, 5.1.3.
    """
    try:
        return _SHIFTED.sub(_decode_shifted, name)
    except (binascii.Error, UnicodeDecodeError):
        return name


def _decode_shifted(match: re.Match[str]) -> str:
    if not match[1]:
        return "&"
    padding = "=" * (-len(match[1]) % 4)
    return base64.b64decode(match[1].replace(",", "/") + padding, validate=True).decode("utf-16-be")
