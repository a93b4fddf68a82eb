"""Reads mbox as a stream, in every dialect there is, with no more in memory than the message in hand and a chunk."""

import re
from collections.abc import Callable, Iterator

from mailgym.corpora.readers.marks import marked_headers, read_marks
from mailgym.corpora.readers.source import SourceMessage
from mailgym.corpora.readers.streams import Readable

CHUNK_BYTES = 1 << 16  # small blocks of memory are used again, large ones are fetched and given back each time
FROM_LINE_BYTES = 400
"""How much of a ``From `` line is looked at for its date."""
_MOST_CLAIMED_BYTES = 1 << 26
_FROM = re.compile(rb"From ")  # on bytes, its search is faster than find
_FIELD = rb"[!-9;-~]{1,80}[ \t]*:"
_FROM_LINE = re.compile(
    rb"From [^\r\n]*\d{1,2}:\d{2}[^\r\n]*\d{4}|From [^\r\n]*\d{4}[^\r\n]*\d{1,2}:\d{2}"
    rb"|From [ \t-]*(?:\r\n?|\n)" + _FIELD
)
_INNER_FROM_LINE = re.compile(rb">?From [^\r\n]*(?:\r\n?|\n)(?=" + _FIELD + rb")")
_FOLDER = re.compile(rb"From [^\s/@]+/(\S+) ")
_ESCAPED = re.compile(rb"(?<![^\n])>(?=>*From )")
_ESCAPED_CR = re.compile(rb"(?<![^\r])>(?=>*From )")
_CLAIM = re.compile(rb"(?<![^\r\n])Content-Length:[ \t]*(\d{1,12})[ \t]*(?![^\r\n])", re.IGNORECASE)
_BLANK = b" \t\r\n\xef\xbb\xbf"
_BEGINNINGS = _BLANK + b"F"
_LINE_END = re.compile(rb"\r\n|\n|\r")
_EMPTY_LINES = re.compile(rb"(?:\r?\n|\r){0,2}")
_ENVELOPES = (b"From ", b">From ")
_LF, _CR, _GREATER = b"\n\r>"
_LINE_END_BYTES = (_LF, _CR)


class NoMboxError(Exception):
    """What was read does not begin as an mbox does."""


def starts_as_mbox(head: bytes) -> bool:
    """Return whether bytes begin with a ``From `` line, blank lines before it or not; see :func:`split_mbox`."""
    if head[:1] not in _BEGINNINGS:
        return False  # as most mail: a quick look
    begin = len(head) - len(head.lstrip(_BLANK))
    return _FROM_LINE.match(head, begin, begin + FROM_LINE_BYTES) is not None


def is_program_note(raw: bytes) -> bool:
    """Return whether a message is the one that UW-IMAP and Alpine keep at the beginning of an mbox for themselves."""
    headers = marked_headers(raw)
    return b"FOLDER INTERNAL DATA" in headers and b"X-IMAP" in headers


def without_from_line(raw: bytes) -> bytes:
    """Take the ``From `` line off a message that was kept on its own, if it begins with one."""
    if not raw.startswith(_ENVELOPES):
        return raw
    end = _LINE_END.search(raw)
    return raw[end.end() :] if end else b""


def read_messages(
    stream: Readable, origin: str, folder: str = "", tell: Callable[[], int] = lambda: 0, chunk_bytes: int = CHUNK_BYTES
) -> Iterator[SourceMessage]:
    """Read the messages of an mbox one by one.

    Args:
        stream: The mbox.
        origin: What to call it; each message's origin is this, ``#`` and its number from 1.
        folder: Where the mbox itself lies. A message's folder is this, and below it what its
            ``From PERSON/FOLDER DATE`` line says; what Gmail's labels say takes the place of both.
        tell: Tells how far the source was read.
        chunk_bytes: How much is read at once; the messages do not depend on it.

    Raises:
        NoMboxError: The stream does not begin with a ``From `` line.
    """
    splitter = _Splitter(stream, chunk_bytes, tell)
    for number, (from_line, raw, headers) in enumerate(splitter, start=1):
        own, flags, labels = read_marks(headers)
        if own is None:
            own = folder
            if b"/" in from_line and (named := _FOLDER.match(from_line)):
                name = named[1].decode("utf-8", "replace")
                own = f"{folder}/{name}" if folder else name
        yield SourceMessage(raw, own, flags, labels, f"{origin}#{number}", splitter.position)


def split_mbox(stream: Readable, chunk_bytes: int = CHUNK_BYTES) -> Iterator[tuple[bytes, bytes]]:
    r"""Split an mbox into its messages.

    A message begins at a ``From `` line with a date, at the start of the file or after an empty line; or at one that
    says nothing more, as Thunderbird writes it, if a header field follows. Lines end with LF, CRLF or CR. One ``>`` is
    taken off ``>From `` (mboxrd, which reads mboxo too). A Content-Length is believed where another message, or the
    end of the file, follows what it counts (mboxcl, mboxcl2), and if it counts up to 64 MiB; where such a message has
    unescaped ``From `` lines, its writer escapes nothing, and nothing is unescaped. A second ``From `` line above the
    headers, as some programs leave there, is taken off as well.

    Source: RFC 4155 (the ``From `` line and the empty line before it); the four dialects as qmail's mbox(5) tells
    them apart.

    Args:
        stream: The mbox.
        chunk_bytes: How much is read at once; the messages do not depend on it.

    Yields:
        The ``From `` line and the message, its bytes as they are but for the envelope; the
        empty line that parts it from the next is not its own.

    Raises:
        NoMboxError: The stream does not begin with a ``From `` line.
    """
    return ((from_line, raw) for from_line, raw, _ in _Splitter(stream, chunk_bytes))


class _Splitter:
    """The state of one walk: a buffer with the message in hand, from its ``From `` line on."""

    def __init__(self, stream: Readable, chunk_bytes: int, tell: Callable[[], int] = lambda: 0) -> None:
        self.position = 0  # how far the source was read, as it tells
        self._stream, self._tell = stream, tell
        self._chunk_bytes = chunk_bytes
        self._buffer = b""
        self._from = 0  # where the From line of the message in hand begins
        self._begin = 0  # where its text begins
        self._is_ended = False
        self._newline = b"\n"  # CR where lines end with a lone CR
        self._has_escapes = False  # the message in hand may have >From lines

    def __iter__(self) -> Iterator[tuple[bytes, bytes, bytes]]:
        """Yield each message's ``From `` line, its bytes, and its headers (empty where they have no marks)."""
        self._find_first()
        escaped = _ESCAPED if self._newline == b"\n" else _ESCAPED_CR
        following = 0
        while following >= 0:
            self._from = following
            self._begin = self._end_of_from_line()
            end, following = self._boundary()
            raw = self._buffer[self._begin : end]
            headers = marked_headers(raw)
            if headers and b"ontent-" in headers:
                end, following = self._end_by_length(headers, end, following)
                raw = self._buffer[self._begin : end]
            if self._has_escapes:
                raw = escaped.sub(b"", raw)
            if raw.startswith(_ENVELOPES):
                raw = raw[inner.end() :] if (inner := _INNER_FROM_LINE.match(raw)) else raw
            yield self._buffer[self._from : self._begin], raw, headers

    def _grow(self) -> int:
        """Read on; return by how much every place in the buffer has moved."""
        moved = self._from
        kept = self._buffer[moved:] if moved else self._buffer
        data = self._read(max(self._chunk_bytes, len(kept) // 2))
        self._buffer = kept + data
        self._from, self._begin = 0, self._begin - moved
        return moved

    def _read(self, size: int) -> bytes:
        data = self._stream.read(size)
        self._is_ended = not data
        self.position = self._tell()
        return data

    def _find_first(self) -> None:
        while not self._buffer and not self._is_ended:
            self._buffer = self._read(self._chunk_bytes).lstrip(_BLANK)
        while len(self._buffer) <= FROM_LINE_BYTES and not self._is_ended:
            self._grow()
        if not starts_as_mbox(self._buffer):
            raise NoMboxError(self._buffer[:FROM_LINE_BYTES].decode("utf-8", "replace"))
        while not self._is_ended and not _LINE_END.search(self._buffer, 0, len(self._buffer) - 1):
            self._grow()  # to one byte beyond the line end: an LF may follow a CR
        end = _LINE_END.search(self._buffer)
        self._newline = b"\r" if end is not None and end[0] == b"\r" else b"\n"

    def _end_of_from_line(self) -> int:
        scan = self._from
        while (end := self._buffer.find(self._newline, scan)) < 0:
            if self._is_ended:
                return len(self._buffer)
            scan = len(self._buffer)
            scan -= self._grow()
        return end + 1

    def _boundary(self) -> tuple[int, int]:
        """Return where the message in hand ends and the next ``From `` line begins (-1: the file ends)."""
        buffer, scan = self._buffer, self._begin
        self._has_escapes = False
        while True:
            found = _FROM.search(buffer, scan)
            if found is None:
                if self._is_ended:
                    return self._end_of_last(), -1
                scan = max(self._begin, len(buffer) - len(_FROM.pattern) + 1)
                scan -= self._grow()
                buffer = self._buffer
                continue
            at = found.start()
            scan = at + len(_FROM.pattern)
            before = buffer[at - 1]
            if before == _GREATER:
                self._has_escapes = True
            elif before in _LINE_END_BYTES:
                if len(buffer) - at < FROM_LINE_BYTES and not self._is_ended:
                    scan = at - self._grow()
                    buffer = self._buffer
                    continue
                end = self._end_before(at - 1)
                if end >= self._begin and _FROM_LINE.match(buffer, at, at + FROM_LINE_BYTES):
                    return end, at

    def _end_before(self, at: int) -> int:
        """Return where the empty line begins whose line end is at a place, -1 where that line is not empty."""
        before = self._buffer[at - 1]
        if self._newline == b"\r":
            return at if before == _CR and self._buffer[at] == _CR else -1
        if self._buffer[at] != _LF:
            return -1
        if before == _LF:
            return at
        return at - 1 if before == _CR and self._buffer[at - 2] == _LF else -1

    def _end_of_last(self) -> int:
        end = len(self._buffer)
        if end > self._begin and (empty := self._end_before(end - 1)) >= self._begin:
            return empty
        return end

    def _end_by_length(self, headers: bytes, end: int, following: int) -> tuple[int, int]:
        """Return the message's end and the next ``From `` line by its Content-Length; as given where that is wrong."""
        claim = _CLAIM.search(headers)
        body = _LINE_END.match(self._buffer, self._begin + len(headers))
        if claim is None or body is None or int(claim[1]) > _MOST_CLAIMED_BYTES:
            return end, following
        message_bytes = body.end() - self._begin + int(claim[1])
        if message_bytes <= end - self._begin:
            return end, following
        while not self._is_ended and len(self._buffer) < self._begin + message_bytes + FROM_LINE_BYTES + 4:
            moved = self._grow()
            end, following = end - moved, following - moved if following >= 0 else -1
        claimed = self._begin + message_bytes
        empty = _EMPTY_LINES.match(self._buffer, claimed)
        if claimed > len(self._buffer) or empty is None:
            return end, following
        after = empty.end()
        is_last = self._is_ended and after == len(self._buffer)
        is_line = self._buffer[after - 1] in (_CR, _LF)
        if is_last or (is_line and _FROM_LINE.match(self._buffer, after, after + FROM_LINE_BYTES)):
            has_bare = self._buffer.find(self._newline + b"From ", self._begin, claimed) >= 0
            self._has_escapes = not has_bare and self._buffer.find(b">From ", self._begin, claimed) >= 0
            return claimed, -1 if is_last else after
        return end, following
