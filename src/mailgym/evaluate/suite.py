"""Frozen suites: which tasks of which environments a scorecard is measured on, by their contents.

A suite is a file in ``suites/`` beside this module. It names tasks by id, each with the digest of its task and key, so
that a task which has changed since is an error and never a different figure under the same name. A suite that is
frozen stays as it is: environments that come later join the next one.

What a digest does not hold: the mail that a simulated company consists of. That is made from the size and the seed in
the file, by this version's generator.
"""

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from mailgym.core.episode import AnswerKey, Task
from mailgym.core.errors import UserError
from mailgym.envs.base import TaskSet, plain
from mailgym.envs.registry import EnvSpec

SUITES = Path(__file__).parent / "suites"
DEFAULT_SUITE = "v1"
TASKS = 200
SPLIT = "test"
DIGEST_CHARS = 16


@dataclass(frozen=True, slots=True)
class SuiteEntry:
    """One environment's tasks in a suite.

    Attributes:
        env: The environment's id.
        split: The split they are of.
        source: Where they come from: ``{"own": true}``, or size and seed of the simulated companies.
        tasks: Digest by task id, in the order they are played.
    """

    env: str
    split: str
    source: Mapping[str, Any]
    tasks: Mapping[str, str] = field(repr=False)

    def first(self, n: int | None) -> "SuiteEntry":
        """Return the entry with its first ``n`` tasks, all for None."""
        return self if n is None else replace(self, tasks=dict(list(self.tasks.items())[:n]))


@dataclass(frozen=True, slots=True)
class Suite:
    """A suite: its name and its entries, in the order of the table."""

    name: str
    entries: tuple[SuiteEntry, ...]

    @property
    def digest(self) -> str:
        """The digest of all that is in it."""
        return _digest([_entry_record(entry) for entry in self.entries])

    def to_json(self) -> dict[str, Any]:
        """Return what its file holds."""
        entries = [_entry_record(entry) for entry in self.entries]
        return {"suite": self.name, "digest": self.digest, "environments": entries}


def suite_names(folder: Path = SUITES) -> list[str]:
    """Return the names of the suites that are frozen."""
    return sorted(path.stem for path in folder.glob("*.json"))


def read_suite(name: str = DEFAULT_SUITE, folder: Path = SUITES) -> Suite:
    """Read a suite.

    Raises:
        UserError: There is none of this name, or its file was changed after it was frozen.
    """
    if name not in suite_names(folder):
        known = ", ".join(suite_names(folder)) or "none yet: python scripts/freeze_suite.py v1"
        raise UserError(f"no suite {name!r}: there is {known}")
    path = folder / f"{name}.json"
    data = json.loads(path.read_text(encoding="utf-8"))
    entries = tuple(SuiteEntry(one["env"], one["split"], one["source"], one["tasks"]) for one in data["environments"])
    suite = Suite(name, entries)
    if suite.digest != data["digest"]:
        raise UserError(f"{path} was changed after it was frozen: restore it, or freeze a suite of another name")
    return suite


def freeze(name: str, specs: Mapping[str, EnvSpec], load: Callable[[EnvSpec], TaskSet[Any, Any]], seed: int) -> Suite:
    """Make a suite of tasks as they are now.

    Args:
        name: Its name.
        specs: The environments, by id.
        load: Returns the tasks of an environment that the suite names.
        seed: Seed of the simulated companies that ``load`` takes where an environment needs mail.
    """
    entries = []
    for env, spec in specs.items():
        tasks = load(spec)
        source = {"simulated": spec.simulated_size, "seed": seed} if spec.needs_mail else {"own": True}
        digests = {task_id: task_digest(tasks, task_id) for task_id in tasks.task_ids}
        entries.append(SuiteEntry(env, tasks.split, source, digests))
    return Suite(name, tuple(entries))


def load_entry(entry: SuiteEntry, spec: EnvSpec, folder: Path) -> TaskSet[Task, AnswerKey]:
    """Load the tasks that an entry names, and check that they are the ones it was frozen with.

    Args:
        entry: The entry.
        spec: Its environment.
        folder: Where its tasks come from.

    Raises:
        UserError: A task is missing, or is another one than when the suite was frozen.
    """
    everything = spec.load_tasks(folder, entry.split)
    missing = [task_id for task_id in entry.tasks if task_id not in everything.tasks]
    if missing:
        raise UserError(f"{_of(entry, missing)} not there (any more): {_remedy()}")
    changed = [task_id for task_id, digest in entry.tasks.items() if task_digest(everything, task_id) != digest]
    if changed:
        raise UserError(f"{_of(entry, changed)} not what was frozen: {_remedy()}")
    return replace(
        everything,
        tasks={task_id: everything.tasks[task_id] for task_id in entry.tasks},
        keys={task_id: everything.keys[task_id] for task_id in entry.tasks},
    )


def task_digest(tasks: TaskSet[Any, Any], task_id: str) -> str:
    """Return the digest of a task and its key: the same wherever both have the same contents."""
    return _digest({"task": plain(tasks.tasks[task_id]), "key": plain(tasks.keys[task_id])})


def _of(entry: SuiteEntry, ids: list[str]) -> str:
    return f"{len(ids)} of the {len(entry.tasks)} tasks of {entry.env} ({', '.join(ids[:3])}) are"


def _remedy() -> str:
    return (
        "figures would not be the suite's. Take the version of mailgym that it was frozen with, or freeze a new suite "
        "(scripts/freeze_suite.py)"
    )


def _entry_record(entry: SuiteEntry) -> dict[str, Any]:
    return {"env": entry.env, "split": entry.split, "source": dict(entry.source), "tasks": dict(entry.tasks)}


def _digest(data: Any) -> str:
    text = json.dumps(data, sort_keys=True, ensure_ascii=True, allow_nan=False)
    return hashlib.sha256(text.encode()).hexdigest()[:DIGEST_CHARS]
