"""The record of made questions in a store: what came of every batch, kept as soon as it is known.

One file of JSON lines for each way of making them (model and options), in the folder ``questions-made``. A kill loses
at most the round in hand, and its calls that were answered are still in the cache of paid calls. The file stays when
the work is done: it says what became of every question, and how realistic each was said to be.
"""

import hashlib
import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout

from mailgym.core.errors import RunError
from mailgym.core.files import append_line, cut_torn_line, damaged, decode_line, read_lines
from mailgym.corpora.questions.item import Item
from mailgym.corpora.questions.meter import Usage
from mailgym.corpora.questions.options import Options
from mailgym.corpora.questions.write import Made

JOURNAL_FOLDER = "questions-made"
LOCK_FILE = ".questions.lock"
FORMAT = 1


@contextmanager
def writing_questions(store: Path) -> Iterator[None]:
    """Hold a store's questions for writing.

    Raises:
        RunError: Another process holds them.
    """
    lock = FileLock(store / LOCK_FILE, timeout=0)
    try:
        lock.acquire()
    except Timeout:
        raise RunError(f"the questions of {store} are being written: wait for that to end, or stop it") from None
    try:
        yield
    finally:
        lock.release()


class Journal:
    """What came of the batches of one way of making questions.

    Attributes:
        path: The file.
        made: What came of each batch, by its key.
        usage: What all calls used, earlier runs' included.
    """

    def __init__(self, store: Path, model: str, options: Options) -> None:
        """Read what there is.

        Raises:
            RunError: The file is damaged.
        """
        self._about = {"kind": "about", "format": FORMAT, "model": model, "options": options.to_json()}
        digest = hashlib.sha256(json.dumps(self._about, sort_keys=True).encode()).hexdigest()[:12]
        self.path = store / JOURNAL_FOLDER / f"generated-{digest}.jsonl"
        self.made: dict[str, Made] = {}
        self.usage = Usage()
        for offset, line in read_lines(self.path):
            self._take(offset, line)

    def check(self, resume: bool) -> None:
        """Check that what lies there fits what is asked.

        Args:
            resume: Whether work that lies there is gone on with.

        Raises:
            RunError: Work lies there and ``resume`` is not asked for, or the other way round.
        """
        if resume and not self.path.exists():
            raise RunError(f"nothing was begun with this model and these options yet ({self.path}): leave out --resume")
        if self.made and not resume:
            raise RunError(
                f"questions of {len(self.made)} batches were made with this model and these options already: go on "
                f"with --resume, take another --seed, or delete {self.path}"
            )

    def begin(self) -> None:
        """Make ready for writing."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        cut_torn_line(self.path)
        if not self.path.exists() or self.path.stat().st_size == 0:
            append_line(self.path, self._about)

    def keep(self, key: str, mailbox: str, made: Made) -> None:
        """Keep what came of a batch."""
        items = [item.to_json() for item in made.items]
        record = {"kind": "batch", "key": key, "mailbox": mailbox, "malformed": made.malformed, "note": made.note}
        append_line(self.path, {**record, "items": items})
        self.made[key] = made

    def keep_usage(self, usage: Usage) -> None:
        """Keep what a round of calls used."""
        append_line(self.path, {"kind": "usage", **usage.to_json()})
        self.usage.add(usage)

    def _take(self, offset: int, line: bytes) -> None:
        record = decode_line(self.path, offset, line)
        kind = record.pop("kind", None)
        try:
            if kind == "batch":
                items = tuple(Item.from_json(item) for item in record["items"])
                self.made[record["key"]] = Made(items, record["malformed"], record["note"])
            elif kind == "usage":
                cost = record.pop("cost_usd")
                self.usage.add(Usage(**record, cost_usd=cost or 0.0))
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise damaged(self.path, offset, f"not a record of made questions ({error})") from error


def kept_records(store: Path) -> Iterator[dict[str, Any]]:
    """Yield every record of made and imported questions of a store.

    Raises:
        RunError: A file is damaged.
    """
    for path in sorted((store / JOURNAL_FOLDER).glob("*.jsonl")):
        for offset, line in read_lines(path):
            yield decode_line(path, offset, line)
