"""Writes small trees of mail, on disk and in archives, for the tests of readers."""

import io
import tarfile
import zipfile
from collections.abc import Mapping
from pathlib import Path

from mailgym.corpora.readers.detect import open_source
from mailgym.corpora.readers.source import SourceMessage, Unreadable

MAIL = b"From: Dana <dana@ember.example>\nTo: tom@ember.example\nSubject: %s\n\ntext\n"
FROM_LINE = b"From dana@ember.example Mon May 14 10:00:00 2001\n"


def mail(subject: str) -> bytes:
    """Return a small mail."""
    return MAIL % subject.encode()


def mbox(*subjects: str) -> bytes:
    """Return an mbox of small mails."""
    return b"".join(FROM_LINE + mail(subject) + b"\n" for subject in subjects)


def write_tree(root: Path, files: Mapping[str, bytes | None]) -> Path:
    """Write files below a folder; a path with None is an empty folder."""
    for name, content in files.items():
        path = root / name
        if content is None:
            path.mkdir(parents=True, exist_ok=True)
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
    return root


def zipped(files: Mapping[str, bytes | None], top: str = "") -> bytes:
    """Return a zip archive of files, all below a top folder if one is named."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            if content is None:
                archive.mkdir(top + name)
            else:
                archive.writestr(top + name, content)
    return file.getvalue()


def tarred(files: Mapping[str, bytes | None], top: str = "", mode: str = "w") -> bytes:
    """Return a tar archive of files, all below a top folder if one is named."""
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode=mode) as archive:  # type: ignore[call-overload]
        for name, content in files.items():
            info = tarfile.TarInfo(top + name)
            info.size = len(content or b"")
            if content is None:
                info.type = tarfile.DIRTYPE
            archive.addfile(info, io.BytesIO(content or b""))
    return file.getvalue()


def read(path: Path | str, by: str | None = None) -> list[SourceMessage]:
    """Return all messages of a source in which everything can be read."""
    found = list(open_source(path, by=by))
    assert [item for item in found if isinstance(item, Unreadable)] == []
    return [item for item in found if isinstance(item, SourceMessage)]


def facts(path: Path | str, by: str | None = None) -> list[tuple[str, str, tuple[str, ...], tuple[str, ...]]]:
    """Return subject, folder, flags and labels of each message, sorted."""
    return sorted((subject(item.raw), item.folder, item.flags, item.labels) for item in read(path, by))


def unread(path: Path) -> list[tuple[str, str]]:
    """Return origin and reason of all that cannot be read."""
    return [(item.origin, item.reason) for item in open_source(path) if isinstance(item, Unreadable)]


def subject(raw: bytes) -> str:
    """Return the subject of a small mail."""
    return raw.partition(b"Subject: ")[2].splitlines()[0].decode()
