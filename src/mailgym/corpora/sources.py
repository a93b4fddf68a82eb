"""Stores made when they are first needed, and kept in the cache: simulated companies, and a person's own mail.

A store is kept under a hash of everything that decides it (seed, sizes, the mail itself, the code that writes it), so
that another seed, a changed mailbox or a newer version makes a new one, and nothing stale is ever read.
"""

import hashlib
import json
import shutil
from collections.abc import Callable
from dataclasses import asdict, dataclass
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING

from filelock import FileLock

from mailgym.core.errors import ConfigError, SourceError
from mailgym.core.machine import cache_root
from mailgym.corpora.question import QUESTIONS_FILE, write_questions
from mailgym.mail.schema import MAILBOX_SUFFIX

if TYPE_CHECKING:
    from mailgym.corpora.simulate.store import Size

Progress = Callable[[str, int, int | None], None]
"""Called with what is being done, how much of it is done, and how much there is (None where unknown)."""

WRITERS = ("mailgym.mail", "mailgym.corpora")
"""Packages whose code decides what a store holds."""


@dataclass(frozen=True, slots=True)
class QuestionCounts:
    """Most questions to make from a mailbox, by split."""

    train: int = 800
    validation: int = 64
    test: int = 240


def simulated_store(
    seed: int = 0, size: str = "demo", progress: Progress | None = None, cache: Path | None = None
) -> Path:
    """Return a store with simulated companies, writing it when there is none yet.

    Args:
        seed: Decides the companies.
        size: ``demo``, ``small``, ``full``, or people and days such as ``30x600``.
        progress: Called for every mailbox written.
        cache: The cache's root, None for :func:`mailgym.core.machine.cache_root`.

    Raises:
        ConfigError: The size is not one.
    """
    from mailgym.corpora.simulate.store import write_store

    chosen = read_size(size)
    deciding = {"kind": "simulated", "seed": seed, "size": asdict(chosen)}
    return _kept(deciding, "simulated", cache, lambda store: write_store(store, seed, chosen, progress))


def read_size(text: str) -> "Size":
    """Read a size: ``demo``, ``small``, ``full``, or people and days such as ``30x600``.

    Raises:
        ConfigError: It is none of these.
    """
    from mailgym.corpora.simulate.store import SIZES, Size

    if text in SIZES:
        return SIZES[text]()
    people, cross, days = text.partition("x")
    if not (cross and people.isdecimal() and days.isdecimal()):
        raise ConfigError(f"no size {text!r}: write {', '.join(SIZES)}, or people and days such as 30x600")
    return Size.of(int(people), int(days))


def mailbox_store(
    source: Path,
    seed: int = 0,
    counts: QuestionCounts | None = None,
    *,
    owner: str | None = None,
    progress: Progress | None = None,
    cache: Path | None = None,
) -> Path:
    """Return a store with a person's own mail and known-item questions about it, making it when there is none yet.

    An mbox is imported; a mailbox file stays where it is, and the store points at it.

    Args:
        source: An mbox (plain, ``.xz``, ``.gz``, ``.bz2``) or a ``.mailbox`` file.
        seed: Decides the questions.
        counts: Most questions of each split; small mailboxes give fewer.
        owner: The owner's address; found from the mails when not given.
        progress: Called while mail is imported and questions are made.
        cache: The cache's root, None for :func:`mailgym.core.machine.cache_root`.

    Raises:
        SourceError: The source cannot be read, or holds too little mail for questions.
        StoreError: The mailbox file is damaged or of another schema version.
    """
    source = source.expanduser()
    if not source.is_file():
        what = "is a folder" if source.is_dir() else "does not exist"
        raise SourceError(f"{source} {what}: give an mbox file (plain or .xz), or a {MAILBOX_SUFFIX} file")
    chosen = counts or QuestionCounts()
    deciding = {
        "kind": "mailbox",
        "seed": seed,
        "counts": asdict(chosen),
        "owner": owner,
        "name": source.name,
        "mail": _file_digest(source),
    }

    def write(store: Path) -> None:
        from mailgym.corpora.known_item import known_item_questions
        from mailgym.mail.mailbox import Mailbox

        path = _bring(source, store, owner, progress)
        if progress is not None:
            progress("making questions", 0, None)
        with Mailbox.open(path) as mailbox:
            questions = known_item_questions(mailbox, chosen.train, chosen.validation, chosen.test, seed)
        write_questions(store, questions)

    return _kept(deciding, source.name.split(".")[0] or "mailbox", cache, write)


def _bring(source: Path, store: Path, owner: str | None, progress: Progress | None) -> Path:
    from mailgym.corpora.import_mail import import_mail
    from mailgym.corpora.readers.detect import open_source

    store.mkdir(parents=True, exist_ok=True)
    if source.suffix == MAILBOX_SUFFIX:
        path = store / source.name
        try:
            path.symlink_to(source.resolve())
        except OSError:  # a file system without links
            shutil.copyfile(source, path)
        return path

    def report(_: int, position: int, size_bytes: int | None) -> None:
        if progress is not None:
            progress(f"importing {source.name}", position, size_bytes)

    done = import_mail(open_source(source), store, owner=owner, progress=report)
    if not done.mailboxes:
        raise SourceError(f"{source} holds no mail that can be read: name another file")
    if len(done.mailboxes) > 1:
        names = ", ".join(one.name for one in done.mailboxes[:5])
        raise SourceError(
            f"{source} holds {len(done.mailboxes)} mailboxes ({names}, …): import it with  mailgym mail "
            "import  and name one of the mailbox files"
        )
    (one,) = done.mailboxes
    if not one.owner.addresses:
        raise SourceError(f"the owner of {source} cannot be found from its mails: name it with --owner ADDRESS")
    return one.path


def _kept(deciding: dict[str, object], label: str, cache: Path | None, write: Callable[[Path], object]) -> Path:
    text = json.dumps({**deciding, "code": _code_digest()}, sort_keys=True)
    name = f"{label}-{hashlib.sha256(text.encode()).hexdigest()[:12]}"
    folder = (cache or cache_root()) / "stores"
    store = folder / name
    folder.mkdir(parents=True, exist_ok=True)
    with FileLock(folder / f".{name}.lock"):
        if not (store / QUESTIONS_FILE).exists():
            partial = folder / f".{name}.partial"
            if partial.exists():
                shutil.rmtree(partial)
            write(partial)
            partial.rename(store)
    return store


def _code_digest() -> str:
    digest = hashlib.sha256()
    for package in WRITERS:
        root = Path(str(resources.files(package)))
        for path in sorted(root.rglob("*.py")):
            digest.update(f"{path.relative_to(root)}\0".encode() + path.read_bytes())
    return digest.hexdigest()


def _file_digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
