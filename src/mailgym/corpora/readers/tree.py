"""A folder on disk as a tree of files, and the rules by which the names of files say what they are.

Set aside without a word are: hidden files (``.x``, ``,x`` as MH renames what it removes, ``x~``), files that mail
programs and systems keep beside mail (indexes, locks, settings), hidden folders that are no Maildir, ``tmp`` of a
Maildir, and what is neither a file nor a folder. Of the rest, a file that is no mail is reported where it lies in one
folder with mail, or where its name says that it is mail.
"""

import os
import re
import stat
from collections.abc import Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Protocol

from mailgym.corpora.readers.maildir import ROOMS
from mailgym.corpora.readers.source import Unreadable
from mailgym.corpora.readers.streams import Readable, explain

_MAIL_NAME = re.compile(r"(?:\d+\.?|.+\.(?:eml|mail))(?:\.(?:gz|xz|bz2|zst))?", re.IGNORECASE)
_COMPRESSION_SUFFIX = re.compile(r"\.(?:gz|xz|bz2|zst)$", re.IGNORECASE)
_MBOX_SUFFIX = re.compile(r"\.(?:mbox|mbx|mboxrd|mboxo|mboxcl2?)$", re.IGNORECASE)
_FOLDER_SUFFIX = re.compile(r"\.(?:sbd|mbox)$", re.IGNORECASE)
_SUFFIXES = re.compile(
    r"(?<=.)(?:\.(?:mbox|mbx|mboxrd|mboxo|mboxcl2?|eml|mail|txt|csv|jsonl?|ndjson|parquet|zip|tar|t[gx]z|tbz2?|tzst|gz|xz|bz2|zst))+$",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"(\d{1,15})\.?")
_SET_ASIDE = re.compile(
    r"[.,].*|.*~|.*\.(?:msf|lock|lck|index|ids|sorted|cmeta|ev-summary\S*|wdseml|ds_store|pid|dat|ini)"
    r"|dovecot\S*|maildirfolder|maildirsize|courierimap\S*|subscriptions|sieve|thumbs\.db|desktop\.ini|icon\r",
    re.IGNORECASE,
)
_UNPRINTABLE = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
_ESCAPED_BYTES = range(0xDC80, 0xDD00)  # how bytes that are not UTF-8 stand in a name
_MOST_BYTE = 0xFF
_HIDDEN_FOLDER = re.compile(r"\.(?!.*\.directory$)|__MACOSX$")


class File(Protocol):
    """One file of a tree, on disk or in an archive."""

    @property
    def parts(self) -> tuple[str, ...]:
        """Its path below the tree's root; a name that is not UTF-8 carries its bytes as surrogates."""
        ...

    @property
    def size_bytes(self) -> int:
        """Its size, uncompressed."""
        ...

    @property
    def can_reopen(self) -> bool:
        """Whether it can be opened more than once, and then read from any place."""
        ...

    def open(self) -> AbstractContextManager[Readable]:
        """Open it for reading.

        Raises:
            OSError: Or another of the STREAM_ERRORS (mailgym.corpora.readers.streams).
        """
        ...

    def tell(self) -> int:
        """Return how far the source was read by now, in bytes of it as it lies on disk."""
        ...


@dataclass(frozen=True, slots=True)
class Directory:
    """A folder of a tree, named because it may be empty."""

    parts: tuple[str, ...]


class Files(Protocol):
    """A tree of files that can be walked through more than once."""

    @property
    def may_be_wrapped(self) -> bool:
        """Whether all of it may lie in one top folder that is only its wrapping, as in many archives."""
        ...

    def __iter__(self) -> Iterator[File | Directory | Unreadable]:
        """Walk through it."""
        ...


def printable(text: str) -> str:
    """Return text that can be written anywhere: bytes that are not UTF-8 and control characters are spelled out."""
    return _UNPRINTABLE.sub(_spell, text)


def _spell(match: re.Match[str]) -> str:
    number = ord(match[0])
    if number in _ESCAPED_BYTES:
        number -= _ESCAPED_BYTES.start - 0x80
    return f"\\x{number:02x}" if number <= _MOST_BYTE else f"\\u{number:04x}"


def is_mail_name(name: str) -> bool:
    """Return whether a file's name says that it is one mail: ``x.eml``, ``x.mail``, a bare number, ``1.``."""
    return _MAIL_NAME.fullmatch(name) is not None


def is_mbox_name(name: str) -> bool:
    """Return whether a file is called as folders are: ``Inbox``, ``Work.mbox``; not ``00001.0a1b2c``, ``7.msg``."""
    plain = _COMPRESSION_SUFFIX.sub("", name)
    return ("." not in plain and not is_mail_name(plain)) or _MBOX_SUFFIX.search(plain) is not None


def says_it_is_mail(name: str) -> bool:
    """Return whether a file's name says that it is a mail or an mbox."""
    return is_mail_name(name) or _MBOX_SUFFIX.search(_COMPRESSION_SUFFIX.sub("", name)) is not None


def folder_of_mbox(folder: tuple[str, ...], name: str) -> tuple[str, ...]:
    """Return the folder that an mbox is: its path without suffixes, as Thunderbird, Apple Mail and others lay it out.

    ``Inbox.sbd/Work`` is ``Inbox/Work``, ``Work.mbox/mbox`` is ``Work``.
    """
    parts = tuple(_FOLDER_SUFFIX.sub("", part) for part in folder)
    own = _SUFFIXES.sub("", name)
    if own.lower() == "mbox" and folder and folder[-1].lower().endswith(".mbox"):
        return parts
    return (*parts, own)


def without_suffixes(name: str) -> str:
    """Return a file's name without the suffixes that only say how mail is kept: ``inbox`` for ``inbox.mbox.xz``."""
    return _SUFFIXES.sub("", name) or name


def number_of(name: str) -> int | None:
    """Return the number that a file is called by, None where it is called otherwise."""
    match = _NUMBER.fullmatch(name)
    return int(match[1]) if match else None


def is_set_aside(name: str) -> bool:
    """Return whether a file is passed over without a word: hidden, or kept beside mail by programs."""
    return _SET_ASIDE.fullmatch(name) is not None


def is_hidden_folder(name: str) -> bool:
    """Return whether a folder is hidden; KMail's ``.Work.directory`` is not."""
    return _HIDDEN_FOLDER.match(name) is not None


def name_order(name: str) -> tuple[int, int, str]:
    """Return by what names are sorted: numbers first and by their size, then the others."""
    number = number_of(name)
    return (1, 0, name) if number is None else (0, number, name)


class DiskFile:
    """A file on disk."""

    can_reopen = True

    def __init__(self, path: str, parts: tuple[str, ...], size_bytes: int, begins_at: int) -> None:
        """Name a file whose bytes begin at this place of the whole tree's."""
        self.parts, self.size_bytes = parts, size_bytes
        self._path, self._begins_at = path, begins_at
        self._file: BinaryIO | None = None

    def open(self) -> BinaryIO:
        """Open it for reading."""
        self._file = open(self._path, "rb")  # noqa: PTH123, SIM115 -- a million times, and the caller closes it
        return self._file

    def tell(self) -> int:
        """Return how far the tree was read by now."""
        if self._file is None or self._file.closed:
            return self._begins_at + self.size_bytes
        return self._begins_at + self._file.tell()


class DiskFiles:
    """All files below a folder, in order of their names, files before folders; loops of links are walked once."""

    may_be_wrapped = False

    def __init__(self, root: Path) -> None:
        """Name the folder."""
        self._root = root

    def __iter__(self) -> Iterator[DiskFile | Directory | Unreadable]:
        """Walk through the tree."""
        done_bytes = 0
        seen: set[tuple[int, int]] = set()
        waiting: list[tuple[str, tuple[str, ...]]] = [(os.fspath(self._root), ())]
        while waiting:
            path, parts = waiting.pop()
            try:
                identity = os.stat(path)  # noqa: PTH116
                if (identity.st_dev, identity.st_ino) in seen:
                    continue
                seen.add((identity.st_dev, identity.st_ino))
                with os.scandir(path) as entries:
                    names = sorted((entry.name for entry in entries), key=name_order)
            except OSError as error:
                yield Unreadable(printable("/".join(parts)) or ".", explain(error), done_bytes)
                continue
            yield Directory(parts)
            folders = []
            for name in names:
                inner = os.path.join(path, name)  # noqa: PTH118
                try:
                    status = os.stat(inner)  # noqa: PTH116
                except OSError as error:
                    if not is_set_aside(name):
                        yield Unreadable(printable("/".join((*parts, name))), explain(error), done_bytes)
                    continue
                if stat.S_ISDIR(status.st_mode):
                    if not is_hidden_folder(name) or _holds_maildir(inner):
                        folders.append((inner, (*parts, name)))
                elif stat.S_ISREG(status.st_mode):
                    yield DiskFile(inner, (*parts, name), status.st_size, done_bytes)
                    done_bytes += status.st_size
            waiting += reversed(folders)


def _holds_maildir(path: str) -> bool:
    return any(os.path.isdir(os.path.join(path, room)) for room in ROOMS[:2])  # noqa: PTH112, PTH118
