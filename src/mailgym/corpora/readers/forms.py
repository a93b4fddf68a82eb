"""Tells from its first bytes what a file is."""

import csv
import re
from collections.abc import Callable
from enum import StrEnum

from mailgym.corpora.readers.emlx import mail_begin
from mailgym.corpora.readers.mbox import starts_as_mbox
from mailgym.corpora.readers.streams import HEAD_BYTES, compression_of
from mailgym.corpora.readers.tar import BLOCK_BYTES, is_header


class Form(StrEnum):
    """What a file is, as people call it."""

    MBOX = "mbox"
    MAIL = "mail"
    EMLX = "Apple Mail message"
    TAR = "tar archive"
    ZIP = "zip archive"
    CSV = "CSV table of mail"
    JSONL = "JSONL table of mail"
    PARQUET = "Parquet table"
    COMPRESSED = "compressed file"
    EMPTY = "empty file"
    PST = "Outlook data file"
    OUTLOOK = "Outlook message"
    SEVEN_ZIP = "7z archive"
    RAR = "rar archive"
    OTHER = "file of another kind"


CONTAINERS = frozenset({Form.TAR, Form.ZIP})
TABLES = frozenset({Form.CSV, Form.JSONL, Form.PARQUET})
CSV_COLUMNS = frozenset({"file", "message"})
ROW_COLUMNS = ("message_id", "subject", "from", "to", "cc", "bcc", "date", "body", "file_name")

_MAGIC = (
    (b"PK\x03\x04", Form.ZIP),
    (b"PK\x05\x06", Form.ZIP),
    (b"PAR1", Form.PARQUET),
    (b"!BDN", Form.PST),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", Form.OUTLOOK),
    (b"7z\xbc\xaf\x27\x1c", Form.SEVEN_ZIP),
    (b"Rar!\x1a\x07", Form.RAR),
)
_ALL_MAGIC = tuple(magic for magic, _ in _MAGIC)
_FIELD = re.compile(rb"([!-9;-~]+)[ \t]*:")
_FIELDS_OF_MAIL = frozenset(
    b"from to cc subject date message-id received return-path delivered-to reply-to sender mime-version in-reply-to"
    b" references content-type x-originating-ip envelope-to x-mailer".split()
)
_LEAST_FIELDS = 2
_LEAST_COLUMNS = 2
_COLUMN = re.compile(rb'"(' + "|".join(ROW_COLUMNS).encode() + rb')"\s*:')
_TEXT_BYTES = 1024


def form_of(head: bytes, is_called_mail: bool = False) -> Form:
    """Tell what a file is.

    Args:
        head: Its first :data:`mailgym.corpora.readers.streams.HEAD_BYTES` bytes, all of it if it is shorter.
        is_called_mail: Whether its name says that it is one mail. Then it is one if it is text, headers or not, and
            nothing else that its first bytes tell.
    """
    if not head:
        return Form.MAIL if is_called_mail else Form.EMPTY
    if compression_of(head):
        return Form.COMPRESSED
    if starts_as_mbox(head):
        return Form.MBOX
    if head.startswith(_ALL_MAGIC):
        return next(form for magic, form in _MAGIC if head.startswith(magic))
    if is_called_mail and b"\0" not in head[:_TEXT_BYTES]:
        return Form.MAIL
    return next((form for form, is_form in _LOOKS if is_form(head)), Form.OTHER)


def looks_like_mail(head: bytes) -> bool:
    """Return whether bytes begin with header fields, two of them such as mail has (From, Date, Received ...)."""
    lines = re.split(rb"\r\n|\n|\r", head.lstrip(b"\r\n\xef\xbb\xbf"))
    if len(head) >= HEAD_BYTES:
        lines.pop()  # it may go on beyond what is seen
    found = set()
    for place, line in enumerate(lines):
        if not line:
            break
        field = _FIELD.match(line)
        if field:
            found.add(field[1].lower())
        elif not (line[:1] in b" \t" and place > 0) and not (place == 0 and line.startswith((b"From ", b">From "))):
            return False
    return len(found & _FIELDS_OF_MAIL) >= _LEAST_FIELDS


def _is_tar(head: bytes) -> bool:
    block = head[:BLOCK_BYTES]
    return len(block) == BLOCK_BYTES and block[0] != 0 and is_header(block)


def _is_emlx(head: bytes) -> bool:
    begin = mail_begin(head)
    return begin > 0 and looks_like_mail(head[begin:] if len(head) < HEAD_BYTES else head[begin : head.rfind(b"\n")])


def _is_jsonl(head: bytes) -> bool:
    line, newline, _ = head.lstrip(b"\xef\xbb\xbf \t\r\n").partition(b"\n")
    if not line.startswith(b"{") or (newline and not line.rstrip().endswith(b"}")):
        return False
    return len(set(_COLUMN.findall(line))) >= _LEAST_COLUMNS


def _is_csv(head: bytes) -> bool:
    line = head.removeprefix(b"\xef\xbb\xbf").partition(b"\n")[0]
    if len(line) == len(head):
        return False
    try:
        (row,) = csv.reader([line.decode("utf-8", "replace").rstrip("\r")])
    except (csv.Error, ValueError):
        return False
    return CSV_COLUMNS.issubset(name.strip().lower() for name in row)


_LOOKS: tuple[tuple[Form, Callable[[bytes], bool]], ...] = (
    (Form.TAR, _is_tar),
    (Form.JSONL, _is_jsonl),
    (Form.MAIL, looks_like_mail),
    (Form.EMLX, _is_emlx),
    (Form.CSV, _is_csv),
)
