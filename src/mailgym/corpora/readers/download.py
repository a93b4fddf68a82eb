"""Gets CMU's release of the Enron mail: a download that goes on where it broke off, and an archive that is checked."""

import contextlib
import gzip
import hashlib
import http.client
import os
import re
import time
import urllib.error
import urllib.request
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mailgym.core.errors import SourceError
from mailgym.core.files import write_atomically
from mailgym.corpora.readers.tar import BLOCK_BYTES, is_header

ENRON_URL = "https://www.cs.cmu.edu/~enron/enron_mail_20150507.tar.gz"
"""Where Carnegie Mellon University keeps the release of 2015-05-07."""

Progress = Callable[[int, int | None], None]
"""Called with the bytes that are there, and the bytes there will be (None while that is not known)."""

_CHUNK_BYTES = 1 << 18
_TIMEOUT_S = 30.0
_TRIES = 4
_PAUSE_S = 2.0
_RANGE = re.compile(r"bytes (\d+)-\d+/(\d+)")
_PARTIAL_CONTENT, _RANGE_NOT_SATISFIABLE = 206, 416
_NET_ERRORS = (urllib.error.URLError, http.client.HTTPException, OSError)


def get_enron(
    folder: Path,
    progress: Progress | None = None,
    url: str = ENRON_URL,
    pause: Callable[[float], None] = time.sleep,
) -> Path:
    """Download the release into a folder, or check the one that is there.

    What was downloaded before a break is kept beside it as ``NAME.partial`` and gone on with, if the server still has
    the same file (If-Range with its ETag or date). The archive takes its name only once it is whole: its size is the
    server's, its gzip checksums are right, and it is a tar archive. Its SHA-256 is recorded then, as ``NAME.sha256``,
    and compared whenever it is checked again. An archive that somebody put there by hand is checked and recorded too.

    Args:
        folder: Where to put it; made if there is none.
        progress: Called as it comes in.
        url: Where it is.
        pause: Waits so many seconds before a broken download is tried again.

    Returns:
        The archive.

    Raises:
        SourceError: The net does not answer, or what came or lies there is damaged; it says what to do.
    """
    target = folder / url.rsplit("/", 1)[-1]
    if not target.exists():
        folder.mkdir(parents=True, exist_ok=True)
        partial = target.with_name(f"{target.name}.partial")
        _Download(url, target, partial, progress, pause).run()
        try:
            digest = check_archive(partial)
        except SourceError as error:
            partial.unlink()
            raise SourceError(f"what came from {url} is no whole archive ({error}): run it again") from error
        partial.replace(target)
        _mark_path(partial).unlink(missing_ok=True)
        _record(target, digest)
        return target
    _check_known(target)
    return target


def check_archive(path: Path) -> str:
    """Read a compressed tar archive whole and return the SHA-256 of the file.

    Raises:
        SourceError: It is damaged, cut off, or no such archive.
    """
    try:
        with path.open("rb") as file:
            hashed = _Hashed(file)
            with gzip.GzipFile(fileobj=hashed) as archive:  # type: ignore[call-overload]
                first = archive.read(BLOCK_BYTES)
                while archive.read(_CHUNK_BYTES):
                    pass
            while hashed.read(_CHUNK_BYTES):
                pass
    except (OSError, EOFError, zlib.error) as error:
        raise SourceError(f"{path} is damaged or cut off: {error}") from error
    if len(first) < BLOCK_BYTES or not is_header(first):
        raise SourceError(f"{path} is no tar archive")
    return hashed.digest.hexdigest()


def _check_known(target: Path) -> None:
    """Check an archive that is there against the hash recorded for it, or record that one if there is none yet."""
    try:
        digest = check_archive(target)
    except SourceError as error:
        raise SourceError(f"{error}: remove it and get it again") from error
    kept = _hash_path(target)
    known = kept.read_text("utf-8", errors="replace").partition(" ")[0].strip() if kept.exists() else ""
    if not known:
        _record(target, digest)
    elif known != digest:
        raise SourceError(
            f"{target} is not what was downloaded first (SHA-256 {digest}, and {kept.name} says {known}): remove both"
            " and get it again"
        )


def _record(target: Path, digest: str) -> None:
    write_atomically(_hash_path(target), f"{digest}  {target.name}\n")


def _mark_path(partial: Path) -> Path:
    """Return where the state of the server's file (its ETag or date) is kept, of which the partial file is a part."""
    return partial.with_name(f"{partial.name}.etag")


def _hash_path(target: Path) -> Path:
    return target.with_name(f"{target.name}.sha256")


class _Hashed:
    """A file that is hashed as it is read."""

    def __init__(self, file: Any) -> None:
        self._file = file
        self.digest = hashlib.sha256()

    def read(self, size: int = -1, /) -> bytes:
        data: bytes = self._file.read(size)
        self.digest.update(data)
        return data


class _BrokenOffError(Exception):
    """The connection ended before the file did."""


@dataclass(frozen=True, slots=True)
class _Download:
    """One download into a partial file."""

    url: str
    target: Path
    partial: Path
    progress: Progress | None
    pause: Callable[[float], None]

    def run(self) -> None:
        """Bring in the whole file, in as many tries as each gets further, and a few that do not.

        Raises:
            SourceError: It cannot be had.
        """
        failures = 0
        while True:
            before_bytes = self._have()[0]
            try:
                return self._try_once()
            except urllib.error.HTTPError as error:
                error.close()
                raise self._give_up(f"the server answers {error.code} {error.reason}") from error
            except (_BrokenOffError, *_NET_ERRORS) as error:
                failures = 0 if self._have()[0] > before_bytes else failures + 1
                if failures >= _TRIES or (failures and isinstance(error, urllib.error.URLError)):
                    raise self._give_up(str(getattr(error, "reason", error)) or type(error).__name__) from error
                self.pause(_PAUSE_S)

    def _give_up(self, why: str) -> SourceError:
        have_bytes = self._have()[0]
        kept = (
            f" (the {have_bytes:,} bytes that came are kept, and the next run goes on from there)" if have_bytes else ""
        )
        return SourceError(
            f"{self.url} cannot be downloaded: {why}{kept}. Run it again, or get the file with a browser from that"
            f" address, put it at {self.target}, and run it again"
        )

    @property
    def _mark(self) -> Path:
        return _mark_path(self.partial)

    def _have(self) -> tuple[int, str]:
        """Return how much is there of which state of the file: nothing where the server named no state."""
        if not (self.partial.exists() and self._mark.exists()):
            return 0, ""
        return self.partial.stat().st_size, self._mark.read_text("utf-8").strip()

    def _try_once(self) -> None:
        have_bytes, state = self._have()
        headers = {"User-Agent": "mailgym", "Accept-Encoding": "identity"}
        if have_bytes:
            headers |= {"Range": f"bytes={have_bytes}-", "If-Range": state}
        request = urllib.request.Request(self.url, headers=headers)
        try:
            with urllib.request.urlopen(request, timeout=_TIMEOUT_S) as response:
                self._receive(response, have_bytes)
        except urllib.error.HTTPError as error:
            if error.code != _RANGE_NOT_SATISFIABLE or not have_bytes:
                raise
            error.close()
            if error.headers.get("Content-Range", "").strip() != f"bytes */{have_bytes}":  # it is not all of the file
                self._forget()
                raise _BrokenOffError("what came before is not a part of the file that is there now") from error

    def _receive(self, response: Any, have_bytes: int) -> None:
        begin_bytes, total_bytes = _extent(response)
        if begin_bytes not in (0, have_bytes):
            self._forget()
            raise _BrokenOffError("the server went on at another place")
        state = response.headers.get("ETag") or response.headers.get("Last-Modified") or ""
        if begin_bytes == 0:
            self._forget()
            if state and not state.startswith("W/"):  # a weak one does not promise the same bytes
                write_atomically(self._mark, state)
        with self.partial.open("ab" if begin_bytes else "wb") as file:
            done_bytes = begin_bytes
            for data in _chunks(response):
                file.write(data)
                done_bytes += len(data)
                if self.progress is not None:
                    self.progress(done_bytes, total_bytes)
            file.flush()
            os.fsync(file.fileno())
        if total_bytes is not None and done_bytes != total_bytes:
            raise _BrokenOffError(f"it broke off after {done_bytes:,} of {total_bytes:,} bytes")

    def _forget(self) -> None:
        self.partial.unlink(missing_ok=True)
        self._mark.unlink(missing_ok=True)


def _extent(response: Any) -> tuple[int, int | None]:
    """Return where the answer begins in the file, and the file's size."""
    length = response.headers.get("Content-Length")
    if response.status == _PARTIAL_CONTENT:
        found = _RANGE.fullmatch(response.headers.get("Content-Range", "").strip())
        return (int(found[1]), int(found[2])) if found else (-1, None)
    return 0, int(length) if length and length.isdecimal() else None


def _chunks(response: Any) -> Iterator[bytes]:
    with contextlib.suppress(http.client.IncompleteRead):  # what came is kept; the size tells that it is not all
        while data := response.read(_CHUNK_BYTES):
            yield data
