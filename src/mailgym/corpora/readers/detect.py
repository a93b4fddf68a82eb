"""Finds out from its content what a source of mail is, and opens it."""

import re
import stat
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from mailgym.core.errors import SourceError
from mailgym.corpora.readers.collection import Collection, Found, Manner
from mailgym.corpora.readers.enron import is_person_path, is_release_path, release_wrapper
from mailgym.corpora.readers.forms import CONTAINERS, TABLES, Form, form_of
from mailgym.corpora.readers.layout import Layout, survey
from mailgym.corpora.readers.source import Source, SourceMessage, Unreadable
from mailgym.corpora.readers.streams import STREAM_ERRORS, PeekedStream, decompressed, explain
from mailgym.corpora.readers.tree import DiskFile, DiskFiles, is_mail_name, printable, without_suffixes

MOST_SHOWN_CHARACTERS = 300
WAYS = ("person", "address")
"""Ways to part a source into mailboxes: by the person in whose folder a mail lies, or (by the importer) by address."""
ENRON = "Enron release"

_URL = re.compile(r"([a-z][a-z0-9+.-]+)://", re.IGNORECASE)
_KINDS_OF_MAIL = {"mbox": "mbox files", "MH": "MH messages", "mail file": "mail files", "Maildir": "Maildir messages"}
_ADVICE = {
    Form.PST: "it is an Outlook data file: convert it with  readpst -o FOLDER  and import the folder",
    Form.OUTLOOK: "it is an Outlook message (.msg) or an old Office file: save the mail as .eml",
    Form.SEVEN_ZIP: "it is a 7z archive: unpack it and import the folder",
    Form.RAR: "it is a rar archive: unpack it and import the folder",
    Form.EMPTY: "it is empty: name a file that holds mail",
}
_WHAT_IT_TAKES = (
    "its first line must read  From SENDER DATE  (mbox) or be a header such as  From: NAME <ADDRESS>  (one mail)"
)
_WHAT_CAN_BE_READ = "name an mbox, a Maildir, an MH folder, a folder of .eml files, or an archive of these"


def open_source(text: str | Path, *, by: str | None = None) -> Source:
    """Open a source of mail, whatever it is.

    Known are mbox files, single mails, Maildir and Maildir++, MH folders, folder trees of mails (``.eml``, bare
    numbers, Apple Mail's ``.emlx``) and of mboxes, tables of mail (Parquet and JSONL with ART·E's columns, Kaggle's
    emails.csv), the Enron release, all of them compressed or in zip and tar archives as well, and IMAP folders. What
    a file is shows in its content.

    Args:
        text: A path, or an ``imaps://`` address.
        by: ``person``: mail is parted into mailboxes by the top folder it lies in; ``address``: the importer parts it,
            and folders are named in full; None: as the source is made, which is by person for the Enron release alone
            (as an archive, as a folder, or as emails.csv).

    Raises:
        SourceError: There is no mail to be read there; the error says what was found, and what would do.
        MissingExtra: It is a Parquet file, and pyarrow is not installed.
    """
    if by is not None and by not in WAYS:
        raise SourceError(f"mail cannot be parted by {by!r}: write one of {', '.join(WAYS)}")
    url = _URL.match(str(text)) if isinstance(text, str) else None
    if url is not None:
        return _open_url(str(text), url[1].lower())
    path, mode = _look_up(text)
    source: _FolderSource | _FileSource
    if stat.S_ISDIR(mode):
        source = _FolderSource(path, by or "")
    elif stat.S_ISREG(mode):
        source = _FileSource(path, by or "")
    else:
        raise SourceError(f"{_shown(path)} is neither a file nor a folder: {_WHAT_CAN_BE_READ}")
    source.look()
    return source


def _shown(path: str | Path) -> str:
    """Return a path as an error names it: printable, and in part where it is endless."""
    text = printable(str(path))
    return text if len(text) <= MOST_SHOWN_CHARACTERS else f"{text[: MOST_SHOWN_CHARACTERS - 1]}…"


def _look_up(text: str | Path) -> tuple[Path, int]:
    """Return a path and what lies there."""
    try:
        path = Path(text).expanduser()
        return path, path.stat().st_mode
    except (FileNotFoundError, NotADirectoryError, ValueError, RuntimeError) as error:
        raise SourceError(f"{_shown(text)} does not exist: check the path") from error
    except OSError as error:
        raise SourceError(f"{_shown(text)} {explain(error)}: check the path") from error


def _open_url(text: str, scheme: str) -> Source:
    if scheme in ("imap", "imaps"):
        from mailgym.corpora.readers.imap import open_imap

        return open_imap(text)
    raise SourceError(
        f"{_shown(text)} cannot be read over the net: download it, and name the file (IMAP goes by imaps://)"
    )


class _FolderSource:
    """A folder of mail of any form."""

    def __init__(self, path: Path, by: str) -> None:
        self.kind = ""
        self._path, self._by = path, by
        self._shown = _shown(path)
        self.name = printable(path.resolve().name) or "mail"
        self._layout = survey(DiskFiles(path))
        self.size_bytes: int | None = self._layout.size_bytes

    def resume(self, marks: Mapping[str, str]) -> None:
        """Take nothing: every file is read each time."""

    def look(self) -> None:
        """Read to the first mail and find out what the folder is."""
        collection = Collection(self.name, self._layout, Manner(self._by, is_live=True))
        unreadable: list[Unreadable] = []
        first = _first(collection.walk(DiskFiles(self._path)), unreadable)
        if first is None:
            raise SourceError(self._what_was_found(collection, unreadable))
        path = first.origin.removeprefix(f"{self.name}/")
        if is_person_path(path) or is_release_path(path):
            self.kind, self._by = ENRON, self._by or "person"
        elif "Maildir" in collection.forms:
            self.kind = "Maildir"
        else:
            self.kind = "folder of " + _kind_of_mail(collection)

    def __iter__(self) -> Iterator[Found]:
        """Walk through the messages."""
        collection = Collection(self.name, self._layout, Manner(self._by))
        return collection.walk(DiskFiles(self._path))

    def _what_was_found(self, collection: Collection, unreadable: list[Unreadable]) -> str:
        for form, advice in _ADVICE.items():
            if collection.others[form]:
                return f"{self._shown} holds no mail that can be read, but a file that may hold some: {advice}"
        if unreadable:
            return f"nothing in {self._shown} can be read ({_reasons(unreadable)}): {_WHAT_CAN_BE_READ}"
        if not self._layout.files:
            return f"{self._shown} is empty: {_WHAT_CAN_BE_READ}"
        return f"{self._shown} holds {self._layout.files:,} files, none of them mail: {_WHAT_CAN_BE_READ}"


class _FileSource:
    """One file: an mbox, a mail, a table, or an archive."""

    def __init__(self, path: Path, by: str) -> None:
        self.kind = ""
        self._path, self._manner = path, Manner(by)
        self._shown = _shown(path)
        self.name = printable(without_suffixes(path.name))
        self.size_bytes: int | None = path.stat().st_size

    def resume(self, marks: Mapping[str, str]) -> None:
        """Take nothing: the file is read each time."""

    def look(self) -> None:
        """Read to the first mail and find out what the file is."""
        file = self._file()
        try:
            with file.open() as stream:
                opened, compression = decompressed(PeekedStream(stream))
                form = form_of(opened.head, is_mail_name(self._path.name))
        except STREAM_ERRORS as error:
            raise SourceError(f"{self._shown} {_as_sentence(error)}: check it, or get it again") from error
        if form in _ADVICE or form is Form.OTHER:
            raise SourceError(f"{self._shown} is no mail: {_ADVICE.get(form, _WHAT_IT_TAKES)}")
        unreadable: list[Unreadable] = []
        collection = self._collection(replace(self._manner, is_live=True))
        first = _first(self._read(collection), unreadable)
        if first is None:
            raise SourceError(self._what_was_found(form, unreadable))
        self.kind = str(form) if form in TABLES else "mail file" if form is Form.MAIL else str(form)
        if form in CONTAINERS:
            self.kind += " of " + _kind_of_mail(collection)
        path_inside = first.origin.removeprefix(f"{self._path.name}/")
        if form in CONTAINERS and is_release_path(path_inside):
            self.kind = ENRON
            self._manner = Manner(self._manner.by or "person", is_live=True, wrapper=release_wrapper(path_inside))
        elif compression:
            self.kind += f", {compression}"

    def __iter__(self) -> Iterator[Found]:
        """Walk through the messages."""
        return self._read(self._collection(self._manner))

    def _file(self) -> DiskFile:
        return DiskFile(str(self._path), (self._path.name,), self.size_bytes or 0, 0)

    def _collection(self, manner: Manner) -> Collection:
        layout = Layout()
        layout.note(self._file())
        return Collection("", layout, manner)

    def _read(self, collection: Collection) -> Iterator[Found]:
        file, count = self._file(), 0
        try:
            with file.open() as stream:
                for found in collection.read_content(file, stream, printable(self._path.name), file.tell):
                    count += 1
                    yield found
        except STREAM_ERRORS as error:
            far = f"beyond its first {count:,} message{'s' if count > 1 else ''} " if count else ""
            raise SourceError(f"{self._shown} cannot be read {far}({explain(error)}): get the file again") from error

    def _what_was_found(self, form: Form, unreadable: list[Unreadable]) -> str:
        if unreadable and all(found.reason == "encrypted" for found in unreadable):
            return f"{self._shown} is encrypted: unpack it with its password, and import the folder"
        if unreadable:
            return f"nothing in {self._shown} can be read ({_reasons(unreadable)}): {_WHAT_CAN_BE_READ}"
        return f"{self._shown} is a {form} without mail in it: {_WHAT_CAN_BE_READ}"


def _first(found: Iterator[Found], unreadable: list[Unreadable]) -> SourceMessage | None:
    for item in found:
        if isinstance(item, SourceMessage):
            return item
        unreadable.append(item)
    return None


def _kind_of_mail(collection: Collection) -> str:
    form = next(iter(collection.forms))
    return _KINDS_OF_MAIL.get(form, f"{form}s")


def _reasons(unreadable: list[Unreadable]) -> str:
    return "; ".join(dict.fromkeys(item.reason for item in unreadable[:3]))


def _as_sentence(error: BaseException) -> str:
    reason = explain(error)
    return reason if reason.startswith("cannot") else f"cannot be read ({reason})"
