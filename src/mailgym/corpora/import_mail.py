"""Brings mail into a store: every message of a source is counted once as added, duplicate or skipped."""

import gc
import hashlib
import re
from collections import Counter, deque
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Self

from mailgym.core.errors import SourceError, StoreError
from mailgym.core.machine import usable_cores
from mailgym.corpora.import_report import ImportReport, MailboxReport, Record
from mailgym.corpora.owner import Correspondent, Owner, find_owner, name_from_address
from mailgym.corpora.readers.source import Source, SourceMessage, Unreadable
from mailgym.corpora.workers import Workers
from mailgym.mail.contents import train_dictionary
from mailgym.mail.headers import read_addresses
from mailgym.mail.mailbox import Mailbox
from mailgym.mail.prepare import CHUNK_BYTES, CHUNK_MESSAGES, RawMessage, raw_digest
from mailgym.mail.schema import MAILBOX_SUFFIX
from mailgym.mail.store import MailboxWriter, Outcome

Progress = Callable[[int, int, int | None], None]
"""Called with (messages done, bytes of the source read, its size in bytes or None)."""
Route = Callable[[Collection[str]], Sequence[str]]
"""Names the mailboxes of a message by the addresses of its author and recipients."""
MAX_OPEN_MAILBOXES = 48
MAX_NAME_BYTES = 200
"""Of a mailbox: file systems end at 255, and what SQLite keeps beside a file has longer names."""
GC_THRESHOLD = 200_000
LEAST_MESSAGES_FOR_WORKERS = 3_000
"""Starting a process costs as much as parsing a thousand messages."""
EMPTY_REASON = "empty: no header and no text"
SAME_BYTES = "the same bytes as this message"
SAME_CONTENT = "the same Message-ID and content as this message"
NOBODY_REASON = "from and to nobody who was asked for"
_UNSAFE = re.compile(r"[^\w.+-]+")


def import_mail(
    source: Source,
    store: Path,
    *,
    owner: str | Mapping[str, str] | None = None,
    name: str | None = None,
    route: Route | None = None,
    progress: Progress | None = None,
    workers: int | None = 1,
    record: Callable[[Record], None] | None = None,
) -> ImportReport:
    """Import a source into ``store/NAME.mailbox``, or into one file for each mailbox that it holds.

    Importing again adds only what is new. Batches (1,000 messages or 8 MiB) are kept whole or not at all, so an
    import that was broken off at any moment goes on when it is started again.

    Args:
        source: From :func:`mailgym.corpora.readers.detect.open_source`.
        store: The folder of mailboxes; made if there is none.
        owner: Address of the owner (``Name <address>``, or several, with commas between), or one for each mailbox
            name; found from the mails where it is not given (see :func:`mailgym.corpora.owner.find_owner`).
        name: Name of the mailbox, for a source that holds one; the source's name by default.
        route: Where messages go, for a source that holds mail of many people.
        progress: Called after each batch, and after each 1,000 messages that need none.
        workers: Processes that parse; 1 parses in this one, None takes as many as there are cores.
        record: Called once for every input message.

    Raises:
        SourceError: The source fails (what came before is kept), an owner is no address, or no name can be made.
        StoreError: A mailbox cannot be written (what was flushed before is kept).
    """
    count = usable_cores() if workers is None else workers
    job = _Import(source, store, _given_owners(owner), _safe_name(name or source.name), count)
    with _rare_collections(), job:
        job.route, job.progress, job.record = route, progress, record
        job.run()
        return job.report()


@contextmanager
def _rare_collections() -> Iterator[None]:
    """Look for cycles in memory seldom: an import makes much that lives for a while, and next to no cycles."""
    before = gc.get_threshold()
    gc.set_threshold(GC_THRESHOLD, *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)


def _given_owners(owner: str | Mapping[str, str] | None) -> Mapping[str, Owner]:
    if owner is None:
        return {}
    if isinstance(owner, str):
        return {"": _read_owner(owner)}
    return {mailbox: _read_owner(address) for mailbox, address in owner.items()}


def _read_owner(owner: str) -> Owner:
    people = [person for person in read_addresses([owner], []) if "@" in person.address]
    if not people:
        raise SourceError(f"owner is {owner!r}: write an address, such as  dana@example.com")
    addresses = tuple(dict.fromkeys(person.address for person in people))
    return Owner(addresses, people[0].name or name_from_address(addresses[0]))


def _safe_name(name: str) -> str:
    """Return a name as a file can bear it; of one that is too long its beginning and a mark that tells it apart."""
    safe = _UNSAFE.sub("-", name).strip("-.")
    if not safe:
        raise SourceError(f"no mailbox name can be made from {name!r:.80}: give one with --name")
    return safe if len(safe.encode()) <= MAX_NAME_BYTES else _marked(safe, safe)


def _marked(safe: str, name: str) -> str:
    """Return the beginning of a name as a file can bear it, with a mark made of the name itself."""
    mark = hashlib.blake2b(name.encode(errors="surrogatepass"), digest_size=4).hexdigest()
    return f"{safe.encode()[: MAX_NAME_BYTES - len(mark) - 1].decode(errors='ignore')}-{mark}"


@dataclass(slots=True)
class _Target:
    """One mailbox that is being written."""

    writer: MailboxWriter
    known: dict[bytes, int]
    is_new: bool
    added: int = 0
    duplicates: int = 0


@dataclass(slots=True)
class _Batch:
    """Messages that wait to be prepared and written, where they belong, and what to remember after them."""

    messages: list[SourceMessage] = field(default_factory=list)
    bytes: int = 0
    marks: dict[str, str] = field(default_factory=dict)
    position: int = 0


class _Import:
    """One run: walks through the source, and keeps the mailboxes that are being written open."""

    def __init__(self, source: Source, store: Path, owners: Mapping[str, Owner], name: str, workers: int) -> None:
        self.route: Route | None = None
        self.progress: Progress | None = None
        self.record: Callable[[Record], None] | None = None
        self._source = source
        self._store = store
        self._owners = owners
        self._name = name
        self._worker_count = workers
        self._mailboxes: dict[str, str] = {}
        self._taken_names: set[str] = set()
        self._targets: dict[str, _Target] = {}
        self._reports: dict[str, MailboxReport] = {}
        self._workers: Workers | None = None
        self._waiting: deque[_Batch] = deque()
        self._batch = _Batch()
        self._dictionary = b""
        self._skipped: Counter[str] = Counter()
        self._added = self._duplicates = 0
        self._settled = self._position = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, error_type: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End the workers; after a failure give up what was not flushed, and leave no empty mailbox behind."""
        if self._workers is not None:
            self._workers.__exit__(error_type, error, trace)
        for target in self._targets.values():
            target.writer.give_up()
            if target.is_new and _is_empty(target.writer.path):
                target.writer.path.unlink()

    def run(self) -> None:
        """Walk through the source to its end; what it gave before it failed is written all the same."""
        failure: SourceError | None = None
        if self.route is None and self._path(self._name).exists():
            self._source.resume(self._target(self._name).writer.marks())
        try:
            for item in self._source:
                self._take(item)
        except SourceError as error:
            failure = error
        if self._batch.messages or self._batch.marks:
            self._send(is_last=True)
        while self._waiting:
            self._write_oldest()
        if self._settled:
            self._tell(self._batch.position)
        for name in list(self._targets):
            self._finish(name)
        if failure is not None:
            kept = self._added + self._duplicates
            raise SourceError(f"{failure} (the {kept:,} messages before it are kept)" if kept else str(failure))

    def report(self) -> ImportReport:
        """Return what became of every message."""
        mailboxes = tuple(self._reports[name] for name in sorted(self._reports))
        return ImportReport(mailboxes, self._added, self._duplicates, dict(self._skipped))

    def _take(self, item: SourceMessage | Unreadable) -> None:
        """Judge one item at once if that is possible; else it waits in the batch."""
        mailbox = self._mailbox(item.mailbox)
        self._batch.position = item.position
        if isinstance(item, Unreadable):
            self._skip(item.origin, mailbox, item.reason)
            return
        if item.mark is not None:
            self._batch.marks[item.mark[0]] = item.mark[1]
        if not item.raw.strip():
            self._skip(item.origin, mailbox, EMPTY_REASON)
            return
        if self.route is None:
            target = self._target(mailbox)
            number = target.known.get(raw_digest(item.raw)) if target.known else None
            if number is not None:
                target.duplicates += 1
                self._duplicates += 1
                self._settle()
                if self.record is not None:
                    message_id = target.writer.message_id(number)
                    self.record(Record(item.origin, mailbox, "duplicate", message_id, SAME_BYTES))
                return
        self._batch.messages.append(item)
        self._batch.bytes += len(item.raw)
        if len(self._batch.messages) >= CHUNK_MESSAGES or self._batch.bytes >= CHUNK_BYTES:
            self._send(is_last=False)

    def _skip(self, origin: str, mailbox: str, reason: str) -> None:
        self._skipped[reason] += 1
        self._settle()
        if self.record is not None:
            self.record(Record(origin, mailbox, "skipped", "", reason))

    def _settle(self) -> None:
        """Note that one more message needs no writing; now and then say how far the import is."""
        self._settled += 1
        if self._settled == CHUNK_MESSAGES:
            self._tell(self._batch.position)

    def _tell(self, position: int) -> None:
        """Say how far the import is. Batches are written later than they are read: the furthest place counts."""
        self._settled = 0
        self._position = max(self._position, position)
        if self.progress is not None:
            done = self._added + self._duplicates + sum(self._skipped.values())
            self.progress(done, self._position, self._source.size_bytes)

    def _mailbox(self, name: str) -> str:
        """Return the mailbox of a name; two names that would share a file, as ``a b`` and ``a-b``, are kept apart."""
        known = self._mailboxes.get(name)
        if known is None:
            known = _safe_name(name) if name else self._name
            if known.casefold() in self._taken_names:
                known = _marked(known, name)
            self._taken_names.add(known.casefold())
            self._mailboxes[name] = known
        return known

    def _path(self, mailbox: str) -> Path:
        return self._store / f"{mailbox}{MAILBOX_SUFFIX}"

    def _target(self, mailbox: str) -> _Target:
        """Return the mailbox by its name, opened for writing; the one opened first is closed where they are many."""
        target = self._targets.get(mailbox)
        if target is None:
            if len(self._targets) >= MAX_OPEN_MAILBOXES:
                self._finish(next(iter(self._targets)))
            path = self._path(mailbox)
            given = self._owners.get(mailbox) or self._owners.get("") or Owner((), "")
            is_new = not path.exists()
            writer = MailboxWriter(path, mailbox, given.addresses, given.name)
            writer.open()
            known = {} if is_new or self.route is not None else dict(writer.known_digests())
            target = self._targets[mailbox] = _Target(writer, known, is_new)
        return target

    def _send(self, *, is_last: bool) -> None:
        """Give the batch to the workers, and begin another."""
        batch, self._batch = self._batch, _Batch(position=self._batch.position)
        if self._workers is None:
            count = 1 if is_last or self._is_nearly_done(batch) else self._worker_count
            self._workers = Workers(count, self._choose_dictionary(batch))
        self._workers.put([RawMessage(m.raw, m.folder, m.flags, m.labels) for m in batch.messages])
        self._waiting.append(batch)
        if self._workers.is_full:
            self._write_oldest()

    def _is_nearly_done(self, batch: _Batch) -> bool:
        """Tell, after the first batch, whether so little is left that starting workers would take longer."""
        size_bytes = self._source.size_bytes
        if not size_bytes or not batch.position:
            return False
        return (size_bytes / batch.position - 1) * len(batch.messages) < LEAST_MESSAGES_FOR_WORKERS

    def _choose_dictionary(self, batch: _Batch) -> bytes:
        """Return the dictionary of the mailbox that is there, or else one trained on the first batch."""
        if self.route is None and self._path(self._name).exists():
            kept = self._target(self._name).writer.dictionary()
            if kept:
                self._dictionary = kept
                return kept
        self._dictionary = train_dictionary([message.raw for message in batch.messages])
        return self._dictionary

    def _write_oldest(self) -> None:
        """Write the batch that was sent first, and keep it."""
        assert self._workers is not None, "a batch waits only once there are workers"
        batch, chunk = self._waiting.popleft(), self._workers.get()
        places: dict[str, list[int]] = {}
        for place, message in enumerate(batch.messages):
            names = self.route(chunk.correspondents(place)) if self.route else (message.mailbox,)
            for name in names:
                places.setdefault(self._mailbox(name), []).append(place)
        outcomes: dict[int, list[tuple[str, Outcome]]] = {place: [] for place in range(len(batch.messages))}
        for mailbox, chosen in places.items():
            target = self._target(mailbox)
            target.writer.use_dictionary(self._dictionary)
            for place, outcome in zip(chosen, target.writer.write(chunk, chosen), strict=True):
                outcomes[place].append((mailbox, outcome))
                target.added += outcome.kind == "added"
                target.duplicates += outcome.kind == "duplicate"
            target.writer.flush()
        for place, message in enumerate(batch.messages):
            self._count(message, outcomes[place])
        if batch.marks and self.route is None:
            target = self._target(self._name)
            target.writer.remember(batch.marks)
            target.writer.flush()
        self._tell(batch.position)

    def _count(self, message: SourceMessage, outcomes: list[tuple[str, Outcome]]) -> None:
        """Count one message that was written, and record it."""
        if not outcomes:
            self._skip(message.origin, "", NOBODY_REASON)
            return
        first = next((outcome for _, outcome in outcomes if outcome.kind == "added"), outcomes[0][1])
        self._added += first.kind == "added"
        self._duplicates += first.kind == "duplicate"
        if self.record is not None:
            mailboxes = ", ".join(mailbox for mailbox, _ in outcomes)
            detail = SAME_CONTENT if first.kind == "duplicate" else ""
            self.record(Record(message.origin, mailboxes, first.kind, first.message_id, detail))

    def _finish(self, mailbox: str) -> None:
        """Find the owner where none is known, close the mailbox, and report it."""
        target = self._targets[mailbox]
        known, found = Owner(*target.writer.owner()), None
        messages = target.writer.count()
        if not known.addresses and messages:
            found = find_owner(Correspondent(*row) for row in target.writer.correspondents())
            if found is not None:
                target.writer.set_owner(found.addresses, found.name)
        del self._targets[mailbox]
        target.writer.close()
        before = self._reports.get(mailbox)
        self._reports[mailbox] = MailboxReport(
            path=target.writer.path,
            name=mailbox,
            owner=found or known,
            owner_was_found=found is not None or (before is not None and before.owner_was_found),
            added=target.added + (before.added if before else 0),
            duplicates=target.duplicates + (before.duplicates if before else 0),
            messages=messages,
        )
        if not messages and target.is_new:
            target.writer.path.unlink()
            del self._reports[mailbox]


def _is_empty(path: Path) -> bool:
    try:
        with Mailbox.open(path) as mailbox:
            return len(mailbox) == 0
    except StoreError:  # what cannot be read is not known to be empty: it is left
        return False
