"""What every reader gives: a stream of raw messages, whatever they lie in."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class SourceMessage:
    """One raw message as it lies in a source.

    Attributes:
        raw: The message, headers first, as it was sent or stored; a format's own envelope (``From `` line, ``>From ``
            escapes) taken off.
        folder: Where its owner kept it, parts joined by ``/``; empty where the source has no folders.
        flags: Of ``seen``, ``answered``, ``flagged``, ``forwarded``, ``draft``, ``deleted``, ``spam``, in this order.
        labels: The owner's labels or keywords, as written.
        origin: Where in the source it lies, for reports: ``mail.zip/inbox.mbox#17``.
        position: How far the source was read by then, in bytes of the file as it lies on disk.
        mailbox: The mailbox it belongs to where the source holds several; empty where it holds one.
        mark: What to remember, as (key, value), once this message and all before it are kept: an incremental source
            begins there the next time.
    """

    raw: bytes
    folder: str = ""
    flags: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()
    origin: str = ""
    position: int = 0
    mailbox: str = ""
    mark: tuple[str, str] | None = None


@dataclass(frozen=True, slots=True)
class Unreadable:
    """An input message that could not be got out of its source; it is reported as skipped.

    Attributes:
        origin: Where in the source it lies.
        reason: What is wrong, as a short phrase of few different wordings: reports count by it.
        position: How far the source was read by then, in bytes.
        mailbox: The mailbox it belongs to where the source holds several.
    """

    origin: str
    reason: str
    position: int = 0
    mailbox: str = ""


class Source(Protocol):
    """A source of mail that can be walked through once, in order, with one message in memory at a time.

    Attributes:
        name: What a mailbox made of it is called unless the user names it: ``inbox`` for ``inbox.mbox.xz``.
        kind: For people: ``mbox``, ``Maildir``, ``zip archive of mbox files``.
        size_bytes: Size on disk, against which ``position`` is shown; None where it is not known beforehand.
    """

    name: str
    kind: str
    size_bytes: int | None

    def resume(self, marks: Mapping[str, str]) -> None:
        """Take what earlier imports into the same mailbox remembered; a source without marks ignores it."""

    def __iter__(self) -> Iterator[SourceMessage | Unreadable]:
        """Walk through the messages.

        Raises:
            SourceError: The source itself fails (missing, damaged, no longer reachable): what came before is good.
        """
        ...
