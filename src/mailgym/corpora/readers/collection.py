"""Reads the mail out of files of any form: single mails, mboxes, tables, and archives of them."""

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, nullcontext
from dataclasses import dataclass, replace
from io import BytesIO
from itertools import chain
from typing import IO

from mailgym.corpora.readers import maildir
from mailgym.corpora.readers.archive import TarFiles, ZipFiles, as_file
from mailgym.corpora.readers.emlx import folder_of_emlx, read_emlx
from mailgym.corpora.readers.enron import split_path
from mailgym.corpora.readers.forms import CONTAINERS, TABLES, Form, form_of
from mailgym.corpora.readers.layout import Layout, Parts, survey
from mailgym.corpora.readers.mbox import is_program_note, read_messages, without_from_line
from mailgym.corpora.readers.source import SourceMessage, Unreadable
from mailgym.corpora.readers.streams import (
    STREAM_ERRORS,
    PeekedStream,
    Readable,
    StreamError,
    decompressed,
    explain,
)
from mailgym.corpora.readers.table import read_table
from mailgym.corpora.readers.tree import (
    Directory,
    File,
    Files,
    folder_of_mbox,
    is_mail_name,
    is_mbox_name,
    is_set_aside,
    printable,
    says_it_is_mail,
)

Found = SourceMessage | Unreadable
NOT_MAIL = "not a mail file"
PROGRAM_NOTE = "a note of the mail program to itself"
TOO_DEEP = "an archive in an archive in an archive: unpack the outer one first"
MOST_DEPTH = 2
"""Archives in archives: an archive, and one level of archives in it."""
MOST_HELD_BYTES = 1 << 27
"""Most of a file that can only be read from any place (a zip in a tar) that is held in memory for it."""
_WHAT_TO_DO = {
    Form.PST: "an Outlook data file: convert it with readpst",
    Form.OUTLOOK: "an Outlook message (.msg): save it as .eml",
    Form.SEVEN_ZIP: "a 7z archive: unpack it first",
    Form.RAR: "a rar archive: unpack it first",
}


@dataclass(frozen=True, slots=True)
class Manner:
    """How a source is read.

    Attributes:
        by: ``person``: the first folder names the mailbox; ``address``: no mailbox is named, folders are whole; empty:
            as ``address``, but tables of the Enron release (``file``, ``message``) go by person.
        is_live: Whether the folders of archives are learned of while their mail is read, for a source that cannot be
            walked twice, that is only looked into, or whose folders are known to hold no surprise.
        wrapper: The folders that only wrap what an archive holds, where that is known beforehand.
    """

    by: str = ""
    is_live: bool = False
    wrapper: Parts = ()


class Collection:
    """Mail of one tree of files.

    Attributes:
        forms: How many messages came out of files of each form.
        others: How many files had no mail in them, by their form.
    """

    def __init__(self, origin: str, layout: Layout, manner: Manner, depth: int = 0, base: Parts = ()) -> None:
        """Say what is read.

        Args:
            origin: What to call the tree; a file's origin is this, ``/`` and its path.
            layout: What is known of it.
            manner: How it is read.
            depth: How many archives it lies in.
            base: The folder in which the archive lies that holds the tree.
        """
        self._origin, self._layout, self._manner, self._depth, self._base = origin, layout, manner, depth, base
        self.forms: Counter[str] = Counter()
        self.others: Counter[Form] = Counter()
        self._strangers: dict[Parts | None, list[Unreadable]] = {}
        self._folders_of_mail: set[Parts] = set()
        self._places: dict[tuple[Parts, bool], tuple[str, str]] = {}

    def walk(self, files: Files, tell: Callable[[], int] | None = None, is_unknown: bool = False) -> Iterator[Found]:
        """Read all mail of a tree.

        Args:
            files: The tree.
            tell: Tells how far the source was read, where the files cannot.
            is_unknown: Whether its folders are learned of only now, while the mail is read.

        Raises:
            OSError: Or another of the STREAM_ERRORS: the tree is an archive that is damaged; what came before is good.
        """
        for item in files:
            if is_unknown:
                self._layout.note(item)
            if isinstance(item, Unreadable):
                yield replace(item, origin=f"{self._origin}/{item.origin}")
            elif not isinstance(item, Directory):
                yield from self.read(item, tell or item.tell)
        for folder, strangers in self._strangers.items():
            if folder is None or folder in self._folders_of_mail:
                yield from strangers

    def read(self, file: File, tell: Callable[[], int]) -> Iterator[Found]:
        """Read the mail of one file; a file that fails is an :class:`Unreadable`, after what could be read of it."""
        folder, name = file.parts[:-1], file.parts[-1]
        path = self._layout.maildir_of(folder)
        if path is not None:
            if folder[-1] == "tmp" or name.startswith("."):
                return
        elif is_set_aside(name) or self._layout.is_hidden(folder):
            return
        origin = f"{self._origin}/{printable('/'.join(file.parts))}"
        try:
            with file.open() as stream:
                if path is not None:
                    yield self._maildir_message(file, stream, path, origin, tell)
                else:
                    yield from self.read_content(file, stream, origin, tell)
        except STREAM_ERRORS as error:
            yield Unreadable(origin, explain(error), tell())

    def read_content(self, file: File, stream: Readable, origin: str, tell: Callable[[], int]) -> Iterator[Found]:
        """Read the mail of one file that is open.

        Raises:
            OSError: Or another of the STREAM_ERRORS: it is damaged; what came before is good.
        """
        folder, name = file.parts[:-1], file.parts[-1]
        opened, compression = decompressed(PeekedStream(stream))
        form = form_of(opened.head, is_mail_name(name))
        if form is Form.MAIL:
            yield self._single(opened.read(), folder, name, origin, tell)
        elif form is Form.EMLX:
            yield self._emlx(opened.read(), folder, origin, tell)
        elif form is Form.MBOX:
            yield from self._mbox(opened, folder, name, origin, tell)
        elif form in TABLES:
            yield from self._table(form, file, opened, compression, origin, tell)
        elif form in CONTAINERS:
            yield from self._archive(form, file, opened, compression, origin, tell)
        elif form is not Form.EMPTY:
            if form is Form.OUTLOOK and not name.lower().endswith(".msg"):
                form = Form.OTHER  # old files of Office begin in the same way
            self._stranger(form, file, Unreadable(origin, _WHAT_TO_DO.get(form, NOT_MAIL), tell()))

    def _maildir_message(
        self, file: File, stream: Readable, path: Parts, origin: str, tell: Callable[[], int]
    ) -> SourceMessage:
        raw = without_from_line(decompressed(PeekedStream(stream))[0].read())
        flags, labels = maildir.read_flags(file.parts[-1], self._layout.keywords(path))
        self.forms["Maildir"] += 1
        mailbox, folder = self._placed((*self._base, *self._layout.maildir_folder(path)))
        return SourceMessage(raw, folder, flags, labels, origin, tell(), mailbox)

    def _single(self, raw: bytes, folder: Parts, name: str, origin: str, tell: Callable[[], int]) -> SourceMessage:
        self._folders_of_mail.add(folder)
        self.forms["MH" if self._layout.is_mh(folder) else "mail file"] += 1
        flags, labels = self._layout.marks(folder, name)
        mailbox, shown = self._placed((*self._base, *self._layout.shown(folder)))
        return SourceMessage(without_from_line(raw), shown, flags, labels, origin, tell(), mailbox)

    def _emlx(self, content: bytes, folder: Parts, origin: str, tell: Callable[[], int]) -> SourceMessage:
        self._folders_of_mail.add(folder)
        self.forms[Form.EMLX] += 1
        raw, flags = read_emlx(content)
        mailbox, shown = self._placed((*self._base, *folder_of_emlx(self._layout.shown(folder))))
        return SourceMessage(raw, shown, flags, (), origin, tell(), mailbox)

    def _mbox(
        self, stream: Readable, folder: Parts, name: str, origin: str, tell: Callable[[], int]
    ) -> Iterator[Found]:
        shown = (*self._base, *self._layout.shown(folder))
        is_only_one = self._layout.files == 1 and not self._base
        own = "/".join(printable(part) for part in (() if is_only_one else folder_of_mbox(shown, name)))
        messages = read_messages(stream, origin, own, tell)
        if not is_mbox_name(name):
            first, second = next(messages), next(messages, None)
            if second is None:
                yield self._single_of_mbox(first, own, folder, name)
                return
            messages = chain((first, second), messages)
        for number, message in enumerate(messages):
            if number == 0 and is_program_note(message.raw):
                yield Unreadable(message.origin, PROGRAM_NOTE, message.position)
                continue
            self.forms["mbox"] += 1
            if self._manner.by == "person":
                mailbox, in_mailbox = self._placed(tuple(message.folder.split("/")))
                yield replace(message, folder=in_mailbox, mailbox=mailbox)
            else:
                yield message

    def _single_of_mbox(self, message: SourceMessage, own: str, folder: Parts, name: str) -> SourceMessage:
        """Return a mail kept on its own with its ``From `` line: its file is not a folder, but what that lies in is."""
        self._folders_of_mail.add(folder)
        self.forms["mail file"] += 1
        flags, labels = self._layout.marks(folder, name)
        mailbox, shown = self._placed((*self._base, *self._layout.shown(folder)))
        if not message.folder.startswith(own) or not own:  # the message itself names its folder
            shown = message.folder or shown
        return replace(
            message, folder=shown, flags=message.flags or flags, labels=message.labels or labels, mailbox=mailbox
        )

    def _table(
        self, form: Form, file: File, opened: PeekedStream, compression: str, origin: str, tell: Callable[[], int]
    ) -> Iterator[Found]:
        is_by_person = self._manner.by == "person" or (not self._manner.by and form is Form.CSV)
        with self._seekable(file, opened, compression) if form is Form.PARQUET else nullcontext() as seekable:
            for row in read_table(form, opened, seekable, origin, tell):
                if isinstance(row, Unreadable):
                    yield row
                    continue
                self.forms[form] += 1
                folder = tuple(part for part in row.path.split("/")[:-1] if part)
                mailbox, shown = self._placed(folder, is_by_person)
                yield SourceMessage(row.raw, shown, (), (), f"{origin}#{row.number}", tell(), mailbox)

    def _archive(
        self, form: Form, file: File, opened: PeekedStream, compression: str, origin: str, tell: Callable[[], int]
    ) -> Iterator[Found]:
        if self._depth >= MOST_DEPTH:
            yield Unreadable(origin, TOO_DEEP, tell())
            return
        with ExitStack() as stack:
            files: Files
            if form is Form.ZIP:
                files = ZipFiles(stack.enter_context(self._seekable(file, opened, compression)), tell)
            elif file.can_reopen:
                files = TarFiles(lambda: _uncompressed(file), tell)
            else:
                files = TarFiles(lambda: nullcontext(opened), tell)
            is_live = self._manner.is_live or not (file.can_reopen or form is Form.ZIP)
            layout = Layout(self._manner.wrapper) if is_live else survey(files)
            base = (*self._base, *self._layout.shown(file.parts[:-1]))
            inner = Collection(origin, layout, replace(self._manner, is_live=is_live), self._depth + 1, base)
            inner.forms, inner.others = self.forms, self.others
            is_empty = True
            for found in inner.walk(files, tell, is_live):
                is_empty = False
                yield found
            if is_empty:
                self._stranger(form, file, Unreadable(origin, NOT_MAIL, tell()))

    @contextmanager
    def _seekable(self, file: File, opened: PeekedStream, compression: str) -> Iterator[IO[bytes]]:
        """Give a file that can be read from any place: opened again, or held in memory where that cannot be.

        Raises:
            StreamError: It cannot be opened again, and is too large to hold.
        """
        if file.can_reopen and not compression:
            with file.open() as again:
                yield as_file(again)
            return
        content = opened.read(MOST_HELD_BYTES + 1)
        while len(content) <= MOST_HELD_BYTES and (more := opened.read(MOST_HELD_BYTES + 1 - len(content))):
            content += more
        if len(content) > MOST_HELD_BYTES:
            raise StreamError("too large to be read inside an archive: unpack the archive first")
        yield BytesIO(content)

    def _placed(self, folder: Parts, is_by_person: bool | None = None) -> tuple[str, str]:
        """Return the mailbox and the folder of a mail that lies in a folder; by person where the manner says so."""
        is_by_person = self._manner.by == "person" if is_by_person is None else is_by_person
        placed = self._places.get((folder, is_by_person))
        if placed is None:
            mailbox, below = split_path(folder) if is_by_person else ("", folder)
            placed = self._places[folder, is_by_person] = (
                printable(mailbox),
                "/".join(printable(part) for part in below),
            )
        return placed

    def _stranger(self, form: Form, file: File, report: Unreadable) -> None:
        """Remember a file that is no mail: it is reported if its folder has mail too, or if it claims to be mail."""
        self.others[form] += 1
        folder = None if says_it_is_mail(file.parts[-1]) or form in _WHAT_TO_DO else file.parts[:-1]
        self._strangers.setdefault(folder, []).append(report)


@contextmanager
def _uncompressed(file: File) -> Iterator[Readable]:
    with file.open() as stream:
        yield decompressed(PeekedStream(stream))[0]
