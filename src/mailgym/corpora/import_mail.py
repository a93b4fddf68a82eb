"""Brings mail into a store: one mailbox file for each source."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from mailgym.core.errors import SourceError, StoreError
from mailgym.corpora.mbox import MboxEntry, read_mbox
from mailgym.corpora.owner import Correspondent, Owner, find_owner, name_from_address
from mailgym.mail.headers import read_addresses
from mailgym.mail.mailbox import Mailbox
from mailgym.mail.schema import MAILBOX_SUFFIX
from mailgym.mail.store import MailboxWriter

Progress = Callable[[int, int | None], None]
_SUFFIXES = re.compile(r"(\.(mbox|mbx|txt|xz|gz|bz2))+$", re.IGNORECASE)
_UNSAFE = re.compile(r"[^\w.-]+")
EMPTY_REASON = "empty: no header and no text"


@dataclass(frozen=True, slots=True)
class ImportReport:
    """What became of every message of a source.

    Attributes:
        path: The mailbox file.
        owner: Whose mail it is.
        owner_was_found: True when the owner was found from the mails, False when it was given or known
            before.
        added: Messages that are new in the mailbox.
        duplicates: Messages that were there already.
        skipped: Messages left out, by reason.
        messages: Messages in the mailbox now.
    """

    path: Path
    owner: Owner
    owner_was_found: bool
    added: int
    duplicates: int
    skipped: dict[str, int]
    messages: int

    @property
    def total(self) -> int:
        """Messages that the source holds: each was added, a duplicate, or skipped."""
        return self.added + self.duplicates + sum(self.skipped.values())


def import_mbox(
    source: Path,
    store: Path,
    owner: str | None = None,
    name: str | None = None,
    progress: Progress | None = None,
) -> ImportReport:
    """Import an mbox file (plain, xz, gzip or bzip2) into ``store/NAME.mailbox``.

    Importing again adds only what is new. Batches of 1,000 messages are kept whole or not at all, so an
    import that was broken off at any moment goes on when it is started again.

    Args:
        source: The mbox file.
        store: The folder of mailboxes; made if there is none.
        owner: Address of the owner (``Name <address>``, or several, with commas between); found from the
            mails where it is not given (see :func:`mailgym.corpora.owner.find_owner`).
        name: Name of the mailbox; the file's name by default.
        progress: Called as (bytes of the source read, its size in bytes).

    Raises:
        SourceError: The source is missing, a folder, empty, no mbox or damaged; or its owner cannot be found.
        StoreError: The mailbox cannot be written.
    """
    given = _given_owner(owner) if owner is not None else None
    entries = read_mbox(source)
    first = next(entries)
    name = _mailbox_name(name or _SUFFIXES.sub("", source.name), source)
    path = store / f"{name}{MAILBOX_SUFFIX}"
    addresses, owner_name = (given.addresses, given.name) if given else ((), "")
    skipped: Counter[str] = Counter()
    is_new = not path.exists()
    with _nothing_left_behind(path, is_new), MailboxWriter(path, name, addresses, owner_name) as writer:
        watched = _watch(chain([first], entries), source.stat().st_size, progress)
        outcomes = writer.add_many(_usable(watched, skipped))
        known = writer.owner()
        found = None
        if not known[0]:
            found = find_owner(Correspondent(*row) for row in writer.correspondents())
            if found is None:
                raise SourceError(f"the owner of {source} cannot be found from its mails: name it with --owner ADDRESS")
            writer.set_owner(found.addresses, found.name)
        messages = writer.count()
    return ImportReport(
        path=path,
        owner=found or Owner(*known),
        owner_was_found=found is not None,
        added=outcomes["added"],
        duplicates=outcomes["duplicate"],
        skipped=dict(skipped),
        messages=messages,
    )


@contextmanager
def _nothing_left_behind(path: Path, is_new: bool) -> Iterator[None]:
    """Remove a new mailbox again where an import fails before its first message is kept."""
    try:
        yield
    except (SourceError, StoreError):
        if is_new and path.exists() and _is_empty(path):
            path.unlink()
        raise


def _is_empty(path: Path) -> bool:
    try:
        with Mailbox.open(path) as mailbox:
            return len(mailbox) == 0
    except StoreError:  # what cannot be read is not known to be empty: it is left
        return False


def _given_owner(owner: str) -> Owner:
    people = [person for person in read_addresses([owner], []) if "@" in person.address]
    if not people:
        raise SourceError(f"owner is {owner!r}: write an address, such as  dana@example.com")
    addresses = tuple(dict.fromkeys(person.address for person in people))
    return Owner(addresses, people[0].name or name_from_address(addresses[0]))


def _mailbox_name(name: str, source: Path) -> str:
    safe = _UNSAFE.sub("-", name).strip("-.")
    if not safe:
        raise SourceError(f"no mailbox name can be made from {source.name!r}: give one with --name")
    return safe


def _watch(entries: Iterable[MboxEntry], total_bytes: int, progress: Progress | None) -> Iterator[MboxEntry]:
    for entry in entries:
        yield entry
        if progress is not None:
            progress(entry.source_bytes, total_bytes)


def _usable(entries: Iterable[MboxEntry], skipped: Counter[str]) -> Iterator[tuple[bytes, str, tuple[str, ...]]]:
    for entry in entries:
        if entry.raw.strip():
            yield entry.raw, entry.folder, ()
        else:
            skipped[EMPTY_REASON] += 1
