"""The files of zip and tar archives, read in order as streams; nothing is unpacked to disk."""

import zipfile
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import IO, cast

from mailgym.corpora.readers.source import Unreadable
from mailgym.corpora.readers.streams import Readable, StreamError
from mailgym.corpora.readers.tar import TarEntry, TarReader
from mailgym.corpora.readers.tree import Directory, printable

LINK = "a link in an archive"
ENCRYPTED = "encrypted"
_UTF8_NAME = 0x800
_IS_ENCRYPTED = 0x1
_DEVICE_KIND = "a file of a special kind in an archive"


class TarMember:
    """A file in a tar archive; it can be opened once, before the next one is reached."""

    can_reopen = False

    def __init__(self, entry: TarEntry, parts: tuple[str, ...], reader: TarReader, tell: Callable[[], int]) -> None:
        """Name the member that the reader has reached."""
        self.parts, self.size_bytes, self.tell = parts, entry.size_bytes, tell
        self._reader = reader

    @contextmanager
    def open(self) -> Iterator[Readable]:
        """Open it for reading."""
        yield self._reader


class TarFiles:
    """The members of a tar archive."""

    def __init__(self, open_archive: Callable[[], AbstractContextManager[Readable]], tell: Callable[[], int]) -> None:
        """Say how to open the archive, uncompressed, and how far it was read."""
        self._open, self._tell = open_archive, tell
        self.may_be_wrapped = True

    def __iter__(self) -> Iterator[TarMember | Directory | Unreadable]:
        """Walk through the archive from its beginning.

        Raises:
            OSError: Or another of the STREAM_ERRORS: it is damaged; what came before is good.
        """
        with self._open() as stream:
            reader = TarReader(stream)
            for entry in reader:
                parts = _parts(entry.name)
                if entry.name.startswith("./"):
                    self.may_be_wrapped = False
                if entry.kind == "folder":
                    yield Directory(parts)
                elif entry.kind == "file" and parts:
                    yield TarMember(entry, parts, reader, self._tell)
                elif parts:
                    reason = LINK if entry.kind == "link" else _DEVICE_KIND
                    yield Unreadable(printable("/".join(parts)), reason, self._tell())


class ZipMember:
    """A file in a zip archive."""

    can_reopen = True

    def __init__(
        self, archive: zipfile.ZipFile, info: zipfile.ZipInfo, parts: tuple[str, ...], tell: Callable[[], int]
    ) -> None:
        """Name the member."""
        self.parts, self.size_bytes, self.tell = parts, info.file_size, tell
        self._archive, self._info = archive, info

    def open(self) -> IO[bytes]:
        """Open it for reading.

        Raises:
            StreamError: It is encrypted.
        """
        if self._info.flag_bits & _IS_ENCRYPTED:
            raise StreamError(ENCRYPTED)
        return self._archive.open(self._info)


class ZipFiles:
    """The members of a zip archive, in the order in which they lie in it."""

    may_be_wrapped = True

    def __init__(self, file: IO[bytes], tell: Callable[[], int]) -> None:
        """Read the archive's own list of members.

        Args:
            file: The archive, readable from any place.
            tell: Tells how far the source was read.

        Raises:
            BadZipFile: It is damaged or cut off.
        """
        self._archive, self._tell = zipfile.ZipFile(file), tell

    def __iter__(self) -> Iterator[ZipMember | Directory]:
        """Walk through the archive."""
        for info in sorted(self._archive.infolist(), key=lambda info: info.header_offset):
            parts = _parts(_name(info))
            if info.filename.endswith("/"):
                yield Directory(parts)
            elif parts:
                yield ZipMember(self._archive, info, parts, self._tell)


def _name(info: zipfile.ZipInfo) -> str:
    """Return a member's name; one without the flag for UTF-8 is often UTF-8 all the same."""
    if info.flag_bits & _UTF8_NAME:
        return info.filename
    try:
        return info.filename.encode("cp437").decode("utf-8")
    except UnicodeError:
        return info.filename


def _parts(name: str) -> tuple[str, ...]:
    return tuple(part for part in name.replace("\\", "/").split("/") if part not in ("", ".", ".."))


def as_file(stream: Readable) -> IO[bytes]:
    """Return what is known to be a seekable binary file as one."""
    return cast("IO[bytes]", stream)
