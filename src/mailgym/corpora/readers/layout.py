"""What has to be known of a whole tree before its mail is read: its Maildirs, their keywords, MH's sequences."""

from mailgym.corpora.readers import maildir, mh
from mailgym.corpora.readers.source import Unreadable
from mailgym.corpora.readers.streams import STREAM_ERRORS
from mailgym.corpora.readers.tree import Directory, File, Files, is_hidden_folder, is_mail_name, is_set_aside, number_of

Parts = tuple[str, ...]
_MOST_INDEX_BYTES = 1 << 24
_LEAST_ROOMS = 2
_INDEX_FILES = frozenset({mh.SEQUENCES_FILE, maildir.KEYWORDS_FILE})


class Layout:
    """The folders of a tree. It grows with the folders, not with the mails.

    Attributes:
        size_bytes: Size of all files, uncompressed.
        files: How many files there are that are not set aside.
    """

    def __init__(self, wrapper: Parts = ()) -> None:
        """Know nothing yet, but for the folders that only wrap the tree, if that is known."""
        self.size_bytes = 0
        self.files = 0
        self._rooms: dict[Parts, set[str]] = {}
        self._maildirs: set[Parts] = set()
        self._keywords: dict[Parts, dict[str, str]] = {}
        self._sequences: dict[Parts, mh.Sequences] = {}
        self._tops: set[str] = set()
        self._has_mail_at_top = False
        self._hidden: dict[Parts, bool] = {}
        self._wrapper = wrapper
        self._outermost: tuple[Parts, ...] | None = None

    def note(self, item: File | Directory | Unreadable) -> None:
        """Take in a file or folder; a small file that says something of others is read."""
        if isinstance(item, Unreadable):
            return
        if isinstance(item, Directory):
            self._note_room(item.parts, "")
            return
        folder, name = item.parts[:-1], item.parts[-1]
        self.size_bytes += item.size_bytes
        self._note_room(folder, name)
        if name in _INDEX_FILES and item.size_bytes <= _MOST_INDEX_BYTES:
            self._read_index(item)
        elif not is_set_aside(name) and not self.is_hidden(folder):
            self.files += 1
            self._tops.add(item.parts[0] if folder else "")
            if len(folder) == 1 and is_mail_name(name):
                self._has_mail_at_top = True

    def finish(self, may_be_wrapped: bool) -> None:
        """Find, once all is noted, whether one top folder is only the wrapping of an archive.

        It is, where all lies in it and no single mail lies in it directly, which would make it a folder of mail.
        """
        is_one = len(self._tops) == 1 and "" not in self._tops
        if may_be_wrapped and is_one and not self._has_mail_at_top:
            self._wrapper = tuple(self._tops)

    def is_hidden(self, folder: Parts) -> bool:
        """Return whether a folder lies in a hidden one that is no Maildir."""
        has_hidden_part = self._hidden.get(folder)
        if has_hidden_part is None:
            has_hidden_part = self._hidden[folder] = any(is_hidden_folder(part) for part in folder)
        return has_hidden_part and self.maildir_of(folder) is None

    def maildir_of(self, folder: Parts) -> Parts | None:
        """Return the Maildir whose room (cur, new, tmp) a folder is, None where it is none."""
        if folder and folder[-1] in maildir.ROOMS and folder[:-1] in self._maildirs:
            return folder[:-1]
        return None

    def maildir_folder(self, path: Parts) -> Parts:
        """Return what the folder of a Maildir is called: ``INBOX`` for the top one, below it its own name."""
        if self._outermost is None:
            self._outermost = tuple(
                sorted(p for p in self._maildirs if not any(p[:n] in self._maildirs for n in range(len(p))))
            )
        top = next((p for p in self._outermost if path[: len(p)] == p), path)
        is_only_one = len(self._outermost) == 1 and not (top and top[-1].startswith("."))
        below = path[len(top) :] if is_only_one else self.shown(path)
        return maildir.folder_name(below) or (maildir.INBOX,)

    def keywords(self, path: Parts) -> dict[str, str]:
        """Return the labels that letters stand for in a Maildir; its own, or those of the one above it."""
        return next((self._keywords[path[:n]] for n in range(len(path), -1, -1) if path[:n] in self._keywords), {})

    def marks(self, folder: Parts, name: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Return the flags and labels of a mail in an MH folder; none where the folder has no sequences."""
        number = number_of(name)
        sequences = self._sequences.get(folder)
        return sequences.marks(number) if sequences is not None and number is not None else ((), ())

    def is_mh(self, folder: Parts) -> bool:
        """Return whether a folder has sequences as MH keeps them."""
        return folder in self._sequences

    def shown(self, path: Parts) -> Parts:
        """Return a path without the wrapping of its archive."""
        return path[len(self._wrapper) :] if path[: len(self._wrapper)] == self._wrapper else path

    def _note_room(self, folder: Parts, name: str) -> None:
        if not folder or folder[-1] not in maildir.ROOMS:
            return
        path, room = folder[:-1], folder[-1]
        rooms = self._rooms.setdefault(path, set())
        rooms.add(room)
        is_delivered = room != "tmp" and maildir.is_file_name(name) and not is_mail_name(name)
        if path not in self._maildirs and (is_delivered or len(rooms) >= _LEAST_ROOMS):
            self._maildirs.add(path)
            self._outermost = None

    def _read_index(self, item: File) -> None:
        folder, name = item.parts[:-1], item.parts[-1]
        try:
            with item.open() as stream:
                content = stream.read()
        except STREAM_ERRORS:
            return  # the walk that reads the mail meets it again and reports it
        if name == mh.SEQUENCES_FILE:
            self._sequences[folder] = mh.read_sequences(content)
        else:
            self._keywords[folder] = maildir.read_keywords(content)


def survey(files: Files) -> Layout:
    """Walk through a tree once and return what is to be known of it; where it is damaged, what is before that place."""
    layout = Layout()
    try:
        for item in files:
            layout.note(item)
    except STREAM_ERRORS:
        pass  # the walk that reads the mail comes to the same place, and says so
    layout.finish(files.may_be_wrapped)
    return layout
