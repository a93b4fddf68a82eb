"""What a person sees while an experiment runs: a progress line a phase, and a live dashboard while it trains.

Without a terminal (a pipe, CI) the same is said in plain lines, one an update.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.panel import Panel
from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TextColumn, TimeRemainingColumn
from rich.table import Table

Record = dict[str, Any]
BARS = "▁▂▃▄▅▆▇█"


class PhaseProgress:
    """One phase's progress line."""

    def __init__(self, update: Callable[[str | None, int | None, int | None], None]) -> None:
        """Report through ``update(what, done, total)``."""
        self._update = update
        self._done = 0

    def advance(self, count: int) -> None:
        """Say that ``count`` more are done."""
        self._done += count
        self._update(None, self._done, None)

    def describe(self, what: str) -> None:
        """Say what is being done now."""
        self._update(what, None, None)

    def say(self, what: str, done: int, total: int | None) -> None:
        """Say what is being done now, and how much of it."""
        self._done = done
        self._update(what, done, total)


class Display:
    """Progress and dashboard on one console."""

    def __init__(self, console: Console | None = None, clock: Callable[[], float] = time.monotonic) -> None:
        """Write to ``console`` (standard error by default, so that ``--json`` stays clean)."""
        self.console = console or Console(stderr=True)
        self._clock = clock

    def note(self, text: str) -> None:
        """Say one thing."""
        self.console.print(text, highlight=False, markup=False)

    @contextmanager
    def phase(self, name: str, total: int | None) -> Iterator[PhaseProgress]:
        """Show a phase's progress while the block runs; nothing is shown for a phase with nothing to do."""
        if total == 0:
            yield PhaseProgress(_show_nothing)
            return
        started = self._clock()
        columns = (
            SpinnerColumn(),
            TextColumn("{task.description}", markup=False),
            BarColumn(),
            MofNCompleteColumn(),
            TimeRemainingColumn(),
        )
        with Progress(*columns, console=self.console, transient=True, disable=not self.console.is_terminal) as bars:
            task = bars.add_task(name, total=total)

            def update(what: str | None, done: int | None, whole: int | None) -> None:
                description = None if what is None else f"{name}: {what}"
                bars.update(task, description=description, completed=done, total=whole)

            yield PhaseProgress(update)
        self.note(f"{name}: {self._clock() - started:.1f} s")

    @contextmanager
    def training(self, updates: int, earlier: Sequence[Record]) -> Iterator["Dashboard"]:
        """Show the dashboard while the block trains."""
        dashboard = Dashboard(updates, earlier)
        if not self.console.is_terminal:

            def say(record: Record | None) -> None:
                if record is not None:
                    self.note(plain_line(record, updates))

            dashboard.on_change = say
            yield dashboard
            return
        with Live(dashboard.render(), console=self.console, refresh_per_second=4, transient=False) as live:

            def redraw(_: Record | None) -> None:
                live.update(dashboard.render())

            dashboard.on_change = redraw
            yield dashboard


def _show_nothing(*_: object) -> None:
    """Take progress that nobody sees."""


def _keep_still(_: Record | None) -> None:
    """Take a change that nobody sees."""


class Dashboard:
    """Reward and validation curve, entropy, live groups, seconds per phase, time left."""

    def __init__(self, updates: int, earlier: Sequence[Record]) -> None:
        """Begin with the records of an earlier part of the run, if any."""
        self.updates = updates
        self.train: list[Record] = [record for record in earlier if record.get("phase") == "train"]
        self.validation: list[Record] = [record for record in earlier if record.get("phase") == "validation"]
        self.on_change: Callable[[Record | None], None] = _keep_still
        self._phase = ("starting", 0)

    def begin(self, phase: str, update: int) -> None:
        """Note that a phase begins."""
        self._phase = (phase, update)
        self.on_change(None)

    def record(self, record: Record) -> None:
        """Note a record of an update or a validation."""
        kept = self.train if record.get("phase") == "train" else self.validation
        kept[:] = [old for old in kept if old.get("update") != record.get("update")] + [record]
        self.on_change(record)

    def seconds_left(self) -> float | None:
        """Return the seconds that the rest of the training will take, by the mean so far; None before the first."""
        if not self.train:
            return None
        each = [float(sum(record["seconds"].values())) for record in self.train]
        left: float = (self.updates - len(self.train)) * sum(each) / len(each)
        checked = [float(record["seconds"]["validate"]) for record in self.validation if record.get("update")]
        if checked:
            left += (self.updates - len(self.train)) * sum(checked) / len(self.train)
        return left

    def render(self) -> RenderableType:
        """Return the dashboard as it stands."""
        grid = Table.grid(padding=(0, 2))
        grid.add_column(style="dim")
        grid.add_column()
        last = self.train[-1] if self.train else {}
        grid.add_row("update", f"{last.get('update', 0)} of {self.updates}   now: {self._phase[0]} {self._phase[1]}")
        grid.add_row("reward, sampled", _curve([record["reward_mean"] for record in self.train]))
        grid.add_row("validation, greedy", _curve([record["reward_mean"] for record in self.validation]))
        grid.add_row("entropy", _curve([record["entropy"] for record in self.train]))
        if last:
            dead = {name: last.get(f"dead_{name}", 0) for name in ("best", "zero", "tied")}
            causes = ", ".join(f"{count} {_DEAD[name]}" for name, count in dead.items() if count)
            grid.add_row(
                "live groups", f"{last['live_groups']} of {last['groups']}" + (f" ({causes})" if causes else "")
            )
            seconds = ", ".join(f"{name} {value:.1f} s" for name, value in last["seconds"].items())
            grid.add_row("seconds", seconds)
        left = self.seconds_left()
        grid.add_row("time left", "measuring" if left is None else _duration(left))
        return Group(Panel(grid, title="training", title_align="left", expand=False))


_DEAD = {"best": "all right", "zero": "all at 0 or below", "tied": "all alike"}


def plain_line(record: Record, updates: int) -> str:
    """Return a record as one line."""
    if record.get("phase") == "validation":
        return (
            f"validation after update {record['update']}: {record['reward_mean']:.3f} "
            f"[{record['low']:.3f}, {record['high']:.3f}] on {record['n']}"
        )
    seconds = ", ".join(f"{name} {value:.1f}" for name, value in record["seconds"].items())
    return (
        f"update {record['update']} of {updates}: reward {record['reward_mean']:.3f}, entropy {record['entropy']:.2f}, "
        f"live groups {record['live_groups']} of {record['groups']}, tokens {record['completion_tokens']:.0f}, "
        f"seconds: {seconds}"
    )


def warm_start_line(records: Sequence[Record]) -> str:
    """Return the records of a warm start as one line: updates, loss with its curve, tokens, seconds."""
    tokens = sum(record["trained_tokens"] for record in records)
    seconds = sum(record["seconds"]["imitate"] for record in records)
    curve = _curve([record["loss"] for record in records])
    return f"warm start, {len(records)} updates: loss {curve}, {tokens} tokens, {_duration(seconds)}"


def sparkline(values: Sequence[float]) -> str:
    """Return values as a line of bars, the lowest and the highest filling the height."""
    if not values:
        return ""
    low, high = min(values), max(values)
    span = (high - low) or 1.0
    return "".join(BARS[min(len(BARS) - 1, int((value - low) / span * len(BARS)))] for value in values)


def _curve(values: Sequence[float]) -> str:
    shown = list(values)[-60:]
    return f"{sparkline(shown)}  {values[0]:.3f} → {values[-1]:.3f}" if values else "–"


def _duration(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes} min {rest:02d} s" if minutes else f"{rest} s"
