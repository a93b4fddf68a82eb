"""A run is a folder: what was asked, what was played, what was measured.

    config.toml        frozen: written once, last of all, when the folder is made
    episodes.jsonl     append-only; one record {"phase", "key", "trajectory"} a line
    metrics.jsonl      append-only; one record {"phase", "update", ...} a line
    provenance.jsonl   one line each time the run was opened for writing: command, machine, versions
    checkpoints/       the trainer's
    report/            the report's

Records are keyed, and readers keep the last attempt, so that a kill at any moment loses at most the line in
flight and a resumed run adds nothing twice. One writer holds the lock; readers need none.
"""

import json
import os
import socket
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple, Self

import tomli_w
from filelock import FileLock, Timeout

from mailgym.core.config import Config, flatten, freeze, parse_toml
from mailgym.core.episode import Trajectory
from mailgym.core.errors import RunError
from mailgym.core.files import (
    append_line,
    cut_torn_line,
    damaged,
    decode_line,
    is_unfinished,
    read_lines,
    write_atomically,
)
from mailgym.core.provenance import command_line, provenance

CONFIG_FILE = "config.toml"
EPISODES_FILE = "episodes.jsonl"
METRICS_FILE = "metrics.jsonl"
PROVENANCE_FILE = "provenance.jsonl"
LOCK_FILE = ".lock"
WRITER_FILE = ".writer.json"

_TRAJECTORY_MARK = b', "trajectory": {'


class EpisodeKey(NamedTuple):
    """What makes an episode's record unique in its run; a later attempt replaces an earlier one."""

    phase: str
    env: str
    agent: str
    update: int
    task_id: str
    sample: int


class EpisodeRecord(NamedTuple):
    """One episode of a run, and the phase it was played in (``before``, ``train``, ``after`` …)."""

    phase: str
    trajectory: Trajectory


class RunFolder:
    """One run on disk. Made by :meth:`create`, read by :meth:`open`, continued by :meth:`resume`."""

    def __init__(self, path: Path, config: Config, lock: FileLock | None = None) -> None:
        """Hold a folder; use :meth:`create`, :meth:`open` or :meth:`resume`, which check it."""
        self.path = path
        self.config = config
        self._lock = lock

    @classmethod
    def create(cls, path: str | Path, config: Mapping[str, Any], command: str | None = None) -> "RunFolder":
        """Make a run folder and open it for writing.

        Args:
            path: The folder; it must be empty or not exist.
            config: What was asked; it is frozen into ``config.toml``.
            command: The command that repeats it; this process's own by default.

        Raises:
            RunError: The folder holds a run or other files, or another process writes to it.
            ConfigError: The configuration holds what TOML cannot.
        """
        path = Path(path)
        frozen = freeze(config)
        if path.exists() and not path.is_dir():
            raise RunError(f"{path} is a file: choose another folder for the run")
        if (path / CONFIG_FILE).exists():
            raise RunError(f"{path} already holds a run: continue it with --resume, or choose another folder")
        own = {EPISODES_FILE, METRICS_FILE, PROVENANCE_FILE, LOCK_FILE, WRITER_FILE, "checkpoints", "report"}
        names = sorted(p.name for p in path.iterdir()) if path.exists() else []
        foreign = [name for name in names if name not in own and not is_unfinished(name)]
        if foreign:
            raise RunError(f"{path} holds other files ({', '.join(foreign[:3])}): choose an empty folder")
        path.mkdir(parents=True, exist_ok=True)
        run = cls(path, frozen, _take_lock(path))
        try:
            run.checkpoints.mkdir(exist_ok=True)
            for name in (EPISODES_FILE, METRICS_FILE, PROVENANCE_FILE):
                (path / name).write_bytes(b"")
            run._record_opening(command)
            write_atomically(path / CONFIG_FILE, tomli_w.dumps(frozen))
        except BaseException:
            run.close()
            raise
        return run

    @classmethod
    def open(cls, path: str | Path) -> "RunFolder":
        """Open a run for reading; needs no lock and may read while another process writes.

        Raises:
            RunError: There is no run, or its config.toml is damaged.
        """
        path = Path(path)
        file = path / CONFIG_FILE
        if not file.is_file():
            raise RunError(f"{path} is not a run (no {CONFIG_FILE}): mailgym runs list  shows what there is")
        return cls(path, parse_toml(file.read_bytes(), str(file)))

    @classmethod
    def resume(
        cls,
        path: str | Path,
        config: Mapping[str, Any] | None = None,
        may_differ: Collection[str] = (),
        command: str | None = None,
    ) -> "RunFolder":
        """Open a run for writing again: take the lock, and cut a line that a kill tore off.

        Args:
            path: The run's folder.
            config: What is asked now; None takes the run's own.
            may_differ: Dotted keys that may differ from the run's configuration (the run's own stay).
            command: The command that resumes it; this process's own by default.

        Raises:
            RunError: There is no run, another process writes to it, or its configuration is another one.
        """
        run = cls.open(path)
        if config is not None:
            _check_same(run.path, run.config, freeze(config), may_differ)
        run._lock = _take_lock(run.path)
        try:
            for name in (EPISODES_FILE, METRICS_FILE, PROVENANCE_FILE):
                cut_torn_line(run.path / name)
            run._record_opening(command)
        except BaseException:
            run.close()
            raise
        return run

    @property
    def name(self) -> str:
        """The folder's name."""
        return self.path.resolve().name

    @property
    def checkpoints(self) -> Path:
        """Where the trainer keeps its checkpoints."""
        return self.path / "checkpoints"

    @property
    def report(self) -> Path:
        """Where the report is written."""
        return self.path / "report"

    def close(self) -> None:
        """Let go of the lock; the run can still be read."""
        if self._lock is not None:
            (self.path / WRITER_FILE).unlink(missing_ok=True)
            self._lock.release()
            self._lock = None

    def __enter__(self) -> Self:
        """Return the run itself."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close the run."""
        self.close()

    def append_episode(self, trajectory: Trajectory, phase: str) -> None:
        """Append one episode.

        Args:
            trajectory: What was played, failures included.
            phase: When in the run: ``before``, ``train``, ``validation``, ``after``, ``baseline``.

        Raises:
            RunError: The run is not open for writing.
        """
        self._need_lock()
        t = trajectory
        key = [t.env, t.agent, t.update, t.task_id, t.sample, t.attempt]
        append_line(self.path / EPISODES_FILE, {"phase": phase, "key": key, "trajectory": t.to_json()})

    def append_metrics(self, record: Mapping[str, Any]) -> None:
        """Append one record of measurements; it needs a ``phase``, and ``update`` where there is one.

        Raises:
            RunError: The run is not open for writing, or the record has no phase.
        """
        self._need_lock()
        if not isinstance(record.get("phase"), str):
            raise RunError(f"a record of metrics needs a phase (before, train, after …): {dict(record)!r}")
        append_line(self.path / METRICS_FILE, dict(record))

    def episode_keys(self, phase: str | None = None) -> set[EpisodeKey]:
        """Return the keys of the episodes that are on disk: what a resumed run need not play again."""
        return {key for key, _ in self._last_offsets(phase=phase)}

    def episodes(
        self,
        phase: str | None = None,
        agent: str | None = None,
        env: str | None = None,
        update: int | None = None,
    ) -> Iterator[EpisodeRecord]:
        """Yield episodes in the order played, the last attempt of each key, one in memory at a time.

        Args:
            phase: Only of this phase.
            agent: Only of this agent.
            env: Only of this environment.
            update: Only of this update.

        Raises:
            RunError: A line in the middle of the file is damaged.
        """
        path = self.path / EPISODES_FILE
        chosen = self._last_offsets(phase=phase, agent=agent, env=env, update=update)
        if not chosen:
            return
        with path.open("rb") as file:
            for _, offset in chosen:
                file.seek(offset)
                record = decode_line(path, offset, file.readline())
                try:
                    episode = EpisodeRecord(record["phase"], Trajectory.from_json(record["trajectory"]))
                except (KeyError, TypeError, ValueError, AttributeError) as error:
                    raise damaged(path, offset, f"no episode: {error!r}") from error
                yield episode

    def _last_offsets(self, **wanted: str | int | None) -> list[tuple[EpisodeKey, int]]:
        path = self.path / EPISODES_FILE
        last: dict[EpisodeKey, tuple[int, int]] = {}
        for offset, line in read_lines(path):
            key, attempt = _read_key(path, offset, line)
            if any(value is not None and getattr(key, name) != value for name, value in wanted.items()):
                continue
            if key not in last or attempt >= last[key][0]:
                last[key] = (attempt, offset)
        return sorted(((key, offset) for key, (_, offset) in last.items()), key=lambda item: item[1])

    def metrics(self, phase: str | None = None) -> Iterator[dict[str, Any]]:
        """Yield records of measurements, the last of each (phase, update, agent), in the order first written.

        Raises:
            RunError: A line in the middle of the file is damaged.
        """
        path = self.path / METRICS_FILE
        last: dict[tuple[Any, ...], dict[str, Any]] = {}
        for offset, line in read_lines(path):
            record = decode_line(path, offset, line)
            key = (record.get("phase"), record.get("update"), record.get("agent"))
            if not all(part is None or isinstance(part, str | int) for part in key):
                raise damaged(path, offset, "no measurement: phase, update or agent is of another type")
            if phase is None or record.get("phase") == phase:
                last[key] = record
        yield from last.values()

    def openings(self) -> list[dict[str, Any]]:
        """Return one record for each time the run was opened for writing: command, machine, versions."""
        path = self.path / PROVENANCE_FILE
        return [decode_line(path, offset, line) for offset, line in read_lines(path)]

    def _record_opening(self, command: str | None) -> None:
        record = provenance(command_line() if command is None else command)
        append_line(self.path / PROVENANCE_FILE, record)

    def _need_lock(self) -> None:
        if self._lock is None:
            raise RunError(f"{self.path} is open for reading only: RunFolder.resume opens it for writing")


def run_paths(root: str | Path) -> list[Path]:
    """Return the folders of the runs directly under a folder, by name; an empty list when it does not exist."""
    root = Path(root)
    if not root.is_dir():
        return []
    folders = sorted(path for path in root.iterdir() if (path / CONFIG_FILE).is_file())
    return [path for path in folders if (path / EPISODES_FILE).is_file()]


def _read_key(path: Path, offset: int, line: bytes) -> tuple[EpisodeKey, int]:
    # No JSON string holds the mark's quotes unescaped: it is found only where the trajectory starts.
    mark = line.find(_TRAJECTORY_MARK)
    record = decode_line(path, offset, line[:mark] + b"}" if mark >= 0 else line)
    try:
        env, agent, update, task_id, sample, attempt = record["key"]
        key = EpisodeKey(record["phase"], env, agent, update, task_id, sample)
    except (KeyError, ValueError, TypeError) as error:
        raise damaged(path, offset, "no key") from error
    if not all(isinstance(part, str) for part in (key.phase, env, agent, task_id)):
        raise damaged(path, offset, "no key: a name is not a text")
    if not all(isinstance(part, int) for part in (update, sample, attempt)):
        raise damaged(path, offset, "no key: a number is not a whole one")
    return key, attempt


def _take_lock(path: Path) -> FileLock:
    lock = FileLock(path / LOCK_FILE, timeout=0, thread_local=False)
    try:
        lock.acquire()
    except Timeout:
        todo = "wait for it, stop it, or use another folder"
        raise RunError(f"{path} is being written by {_writer(path)}: {todo}") from None
    holder = {"process": os.getpid(), "machine": socket.gethostname()}
    write_atomically(path / WRITER_FILE, json.dumps(holder))
    return lock


def _writer(path: Path) -> str:
    try:
        holder = json.loads((path / WRITER_FILE).read_text(encoding="utf-8"))
        return f"process {holder['process']} on {holder['machine']}"
    except (OSError, ValueError, KeyError):
        return "another process"


def _check_same(path: Path, old: Config, new: Config, may_differ: Collection[str]) -> None:
    was, now = flatten(old), flatten(new)
    differing = [
        f"{key} was {was.get(key, 'not set')!r} and is now {now.get(key, 'not set')!r}"
        for key in sorted(was.keys() | now.keys())
        if was.get(key) != now.get(key) and key not in may_differ
    ]
    if differing:
        shown = "; ".join(differing[:5]) + (f"; and {len(differing) - 5} more" if len(differing) > 5 else "")
        todo = "Resume it as it was, or use another folder"
        raise RunError(f"{path} has another configuration: {shown}. {todo}")
