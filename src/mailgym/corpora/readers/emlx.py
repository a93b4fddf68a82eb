"""Apple Mail's own files: a mail with its length above it and a property list below, which has the flags."""

import re

from mailgym.corpora.readers.marks import in_order

_LENGTH = re.compile(rb"[ \t]*(\d{1,12})[ \t]*\r?\n")
_FLAGS = re.compile(rb"<key>flags</key>\s*<integer>(\d{1,20})</integer>")
_BITS = ((0, "seen"), (1, "deleted"), (2, "answered"), (4, "flagged"), (6, "draft"), (8, "forwarded"), (24, "spam"))
_FOLDER_SUFFIX = ".mbox"


def mail_begin(head: bytes) -> int:
    """Return where a mail would begin in a file of Apple Mail: after a line with its length; -1 without one."""
    length = _LENGTH.match(head)
    return length.end() if length else -1


def read_emlx(content: bytes) -> tuple[bytes, tuple[str, ...]]:
    """Return the mail and its flags.

    Source: the format as Jamie Zawinski and others describe it; Apple documents none. Bits of the flags: 0 seen, 1
    deleted, 2 answered, 4 flagged, 6 draft, 8 forwarded, 24 junk.

    Args:
        content: A file that begins with a line of digits.
    """
    length = _LENGTH.match(content)
    if length is None:
        return content, ()
    end = length.end() + int(length[1])
    found = _FLAGS.search(content, end)
    bits = int(found[1]) if found else 0
    return content[length.end() : end], in_order(flag for bit, flag in _BITS if bits >> bit & 1)


def folder_of_emlx(folder: tuple[str, ...]) -> tuple[str, ...]:
    """Return the folder a mail lies in: ``Work.mbox/1A2B/Data/Messages`` is ``Work``."""
    named = tuple(part.removesuffix(_FOLDER_SUFFIX) for part in folder if part.endswith(_FOLDER_SUFFIX))
    return named or folder
