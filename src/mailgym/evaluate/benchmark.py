"""Agents on the same tasks, side by side: means with intervals, and every failure counted as a failure."""

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from mailgym.core.episode import Trajectory
from mailgym.core.protocols import Agent, Environment
from mailgym.envs.figures import Figure, Published
from mailgym.evaluate.statistics import RESAMPLES, Interval, bootstrap_mean
from mailgym.rollout.engine import EpisodeRequest, play_episodes

if TYPE_CHECKING:
    from rich.table import Table

CLUSTERED_BY = ("template", "mailbox")
"""Fields of the answer key by which questions hang together."""


@dataclass(frozen=True, slots=True)
class BenchmarkRow:
    """One agent's figures.

    Attributes:
        agent: Its name.
        episodes: Episodes played, failures included.
        failures: Episodes that failed, by the boundary that failed; they are in no other figure but the mean
            reward, and there only where the table says so.
        reward: Mean reward with its interval; None when every episode failed.
        hit_at_1: Share of episodes in which the right mail was ranked first; None where the rubric ranks
            nothing.
        found_at_10: Share in which it was among the results at all; None where the rubric ranks nothing.
        parts: Mean of every part of the score, metrics included.
        means: Mean turns, tokens, seconds and cost an episode, where known.
        stop_reasons: How episodes ended.
        figures: The environment's own figures by title: a mean with its interval, a number, or None where no episode
            has it.
    """

    agent: str
    episodes: int
    failures: dict[str, int]
    reward: Interval | None
    hit_at_1: float | None
    found_at_10: float | None
    parts: dict[str, float]
    means: dict[str, float]
    stop_reasons: dict[str, int]
    figures: dict[str, Interval | float | None] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """Return plain data."""
        return {
            "agent": self.agent,
            "episodes": self.episodes,
            "failures": self.failures,
            "reward": self.reward.to_json() if self.reward else None,
            "hit_at_1": self.hit_at_1,
            "found_at_10": self.found_at_10,
            "parts": self.parts,
            "means": self.means,
            "stop_reasons": self.stop_reasons,
            "figures": {
                title: value.to_json() if isinstance(value, Interval) else value
                for title, value in self.figures.items()
            },
        }


@dataclass(frozen=True, slots=True)
class BenchmarkTable:
    """Several agents on the same tasks.

    Attributes:
        env: The environment's id.
        tasks: Number of tasks.
        seed: Decides the episodes and the bootstrap.
        failed_reward: What a failed episode counts in the mean reward; None leaves it out.
        rows: One an agent, in the order given.
        figures: The environment's own columns; empty for :data:`COLUMNS`.
        published: Rows of others' figures.
    """

    env: str
    tasks: int
    seed: int
    failed_reward: float | None
    rows: tuple[BenchmarkRow, ...]
    figures: tuple[Figure, ...] = ()
    published: tuple[Published, ...] = ()

    @property
    def columns(self) -> tuple[str, ...]:
        """The headings."""
        return ("agent", *(figure.title for figure in self.figures), "failed") if self.figures else COLUMNS

    def cells(self, row: BenchmarkRow) -> list[str]:
        """Return a row's cells as text, in the order of the columns; a figure that is not known is a dash."""
        if not self.figures:
            return row_cells(row)
        shown = [_shown(row.figures[figure.title], figure.digits) for figure in self.figures]
        return [row.agent, *shown, _failed_cell(row)]

    def published_cells(self, row: Published) -> list[str]:
        """Return the cells of a row of others' figures."""
        return [row.name, *(row.cells.get(figure.title, "–") for figure in self.figures), "–"]

    @property
    def notes(self) -> list[str]:
        """What the table says below itself, line by line: how it was measured, and where published rows are from."""
        return [self.header, *(f"{row.name}: {row.source}" for row in self.published)]

    @property
    def header(self) -> str:
        """What was measured and how, in one line."""
        failed = (
            "failed episodes are left out of the mean"
            if self.failed_reward is None
            else f"failed episodes count {self.failed_reward:g} in the mean"
        )
        return f"{self.env}: {self.tasks} tasks, seed {self.seed}; {describe_interval(self.rows)}; {failed}"

    def to_json(self) -> dict[str, Any]:
        """Return plain data."""
        return {
            "env": self.env,
            "tasks": self.tasks,
            "seed": self.seed,
            "failed_reward": self.failed_reward,
            "header": self.header,
            "rows": [row.to_json() for row in self.rows],
            "published": [{"name": row.name, "cells": dict(row.cells), "source": row.source} for row in self.published],
        }

    def to_rich(self) -> "Table":
        """Return a table for the terminal."""
        from rich import box
        from rich.table import Table

        rows = [self.cells(row) for row in self.rows]
        others = [self.published_cells(published) for published in self.published]
        table = Table(caption="\n".join(self.notes), caption_justify="left")
        if self.figures:  # many columns: no frame, and headings broken between words
            table.box, table.pad_edge, table.collapse_padding = box.SIMPLE_HEAD, False, True
        for index, column in enumerate(self.columns):
            texts = [*column.split(), *(cells[index] for cells in [*rows, *others])]
            widest = max(map(len, texts)) if self.figures else None
            justify: Literal["left", "right"] = "left" if index == 0 else "right"
            table.add_column(column, justify=justify, no_wrap=index < 2, min_width=widest)
        for cells in rows:
            table.add_row(*cells)
        if others:
            table.add_section()
        for cells in others:
            table.add_row(*cells)
        return table


COLUMNS = ("agent", "reward [interval]", "hit@1", "in top 10", "turns", "tokens", "latency s", "failed")


def row_cells(row: BenchmarkRow) -> list[str]:
    """Return a row's cells as text, in the order of :data:`COLUMNS`; a figure that is not known is a dash."""
    written = row.means.get("completion_tokens")
    return [
        row.agent,
        format_interval(row.reward),
        _figure(row.hit_at_1, 2),
        _figure(row.found_at_10, 2),
        _figure(row.means.get("turns"), 1),
        _figure(written, 0),
        _figure(row.means.get("latency_s"), 2),
        _failed_cell(row),
    ]


def _failed_cell(row: BenchmarkRow) -> str:
    failed = ", ".join(f"{count} {boundary}" for boundary, count in row.failures.items())
    return f"{sum(row.failures.values())} of {row.episodes} ({failed})" if failed else "0"


def _shown(value: Interval | float | None, digits: int) -> str:
    if isinstance(value, Interval):
        return f"{value.mean:.{digits}f} [{value.low:.{digits}f}, {value.high:.{digits}f}]"
    return _figure(value, digits)


def format_interval(interval: Interval | None, sign: bool = False) -> str:
    """Return a mean and its interval as text, such as ``0.512 [0.431, 0.588]``."""
    if interval is None:
        return "–"
    form = "+.3f" if sign else ".3f"
    return f"{interval.mean:{form}} [{interval.low:{form}}, {interval.high:{form}}]"


def describe_interval(rows: Sequence[BenchmarkRow]) -> str:
    """Return in words which interval the rows show."""
    intervals = [row.reward for row in rows if row.reward is not None]
    if not intervals:
        return "every episode failed"
    largest = max(intervals, key=lambda interval: interval.n)
    drawn = " × ".join(str(count) for count in largest.clusters)
    ways = "template and mailbox" if len(largest.clusters) == 2 else "template or mailbox, whichever has several"
    by = f"clustered by {ways} ({drawn} clusters)" if drawn else "by question"
    return f"{largest.level:.0%} bootstrap interval {by}"


def _figure(value: float | None, digits: int) -> str:
    return "–" if value is None else f"{value:.{digits}f}"


def benchmark(
    environments: Callable[[], Environment],
    agents: Iterable[Agent],
    task_ids: Sequence[str],
    *,
    env_id: str,
    seed: int = 0,
    samples: int = 1,
    failed_reward: float | None = None,
    progress: Callable[[str, int], None] | None = None,
    on_trajectory: Callable[[Trajectory], None] | None = None,
) -> BenchmarkTable:
    """Play every agent on the same tasks with the same seeds, and compare.

    Args:
        environments: Makes an environment.
        agents: Who plays, one after another.
        task_ids: The tasks.
        env_id: The environment's id.
        seed: Decides the episodes and the bootstrap.
        samples: Episodes a task.
        failed_reward: What a failed episode counts in the mean reward; None leaves it out, and the table says
            so.
        progress: Called with an agent's name and the number of its episodes that have just ended.
        on_trajectory: Called with every trajectory, to keep it.

    Raises:
        ValueError: No tasks, or two agents of one name.
    """
    if not task_ids:
        raise ValueError("a benchmark needs at least one task")
    requests = [EpisodeRequest(task_id, sample) for task_id in task_ids for sample in range(samples)]
    played: dict[str, list[Trajectory]] = {}
    for agent in agents:
        if agent.name in played:
            raise ValueError(f"two agents are named {agent.name}: names tell the rows apart")
        report = None if progress is None else _named(progress, agent.name)
        trajectories = play_episodes(environments, agent, requests, seed, env_id, progress=report)
        for trajectory in trajectories if on_trajectory is not None else ():
            assert on_trajectory is not None
            on_trajectory(trajectory)
        played[agent.name] = trajectories
    return tabulate(played, env_id=env_id, seed=seed, failed_reward=failed_reward)


def _named(progress: Callable[[str, int], None], name: str) -> Callable[[int], None]:
    return lambda count: progress(name, count)


def tabulate(
    played: Mapping[str, Sequence[Trajectory]],
    *,
    env_id: str,
    seed: int = 0,
    failed_reward: float | None = None,
    resamples: int = RESAMPLES,
    figures: Sequence[Figure] = (),
    published: Sequence[Published] = (),
) -> BenchmarkTable:
    """Return the table of trajectories that were played before, by agent.

    Args:
        played: Each agent's trajectories.
        env_id: The environment's id.
        seed: Decides the bootstrap.
        failed_reward: What a failed episode counts in the mean reward; None leaves it out.
        resamples: Number of bootstrap draws.
        figures: The environment's own columns; none for :data:`COLUMNS`.
        published: Rows of others' figures for these columns.
    """
    tasks = {trajectory.task_id for trajectories in played.values() for trajectory in trajectories}
    rows = tuple(_row(agent, list(ts), seed, failed_reward, resamples, figures) for agent, ts in played.items())
    return BenchmarkTable(env_id, len(tasks), seed, failed_reward, rows, tuple(figures), tuple(published))


def _row(
    agent: str,
    trajectories: list[Trajectory],
    seed: int,
    failed_reward: float | None,
    resamples: int,
    figures: Sequence[Figure],
) -> BenchmarkRow:
    whole = [trajectory for trajectory in trajectories if trajectory.failure is None]
    counted = whole if failed_reward is None else trajectories
    rewards = [reward for t in counted if (reward := reward_of(t, failed_reward)) is not None]
    ranks = [rank for t in whole if (rank := reciprocal_rank(t)) is not None]
    return BenchmarkRow(
        agent=agent,
        episodes=len(trajectories),
        failures=dict(Counter(t.failure.boundary for t in trajectories if t.failure is not None)),
        reward=bootstrap_mean(rewards, clusters_of(counted), seed=seed, resamples=resamples) if rewards else None,
        hit_at_1=sum(rank >= 1 for rank in ranks) / len(ranks) if ranks else None,
        found_at_10=sum(rank > 0 for rank in ranks) / len(ranks) if ranks else None,
        parts=_means([t.score.values for t in whole if t.score is not None]),
        means=_means([t.metrics for t in whole]),
        stop_reasons=dict(Counter(t.stop_reason for t in trajectories)),
        figures={figure.title: figure_of(figure, trajectories, seed, resamples) for figure in figures},
    )


def figure_of(
    figure: Figure, trajectories: Sequence[Trajectory], seed: int = 0, resamples: int = RESAMPLES
) -> Interval | float | None:
    """Return one figure of an agent's episodes; None where no episode has it.

    The interval is the one of the mean reward: clusters are drawn. Percentiles are the nearest rank.
    """
    measured = [(t, value) for t in trajectories if (value := value_of(figure, t)) is not None]
    if not measured:
        return None
    values = [value * figure.scale for _, value in measured]
    if figure.statistic == "interval":
        return bootstrap_mean(values, clusters_of([t for t, _ in measured]), seed=seed, resamples=resamples)
    if figure.statistic == "mean":
        return sum(values) / len(values)
    share = {"p50": 0.5, "p95": 0.95}[figure.statistic]
    return sorted(values)[max(0, math.ceil(share * len(values)) - 1)]


def value_of(figure: Figure, trajectory: Trajectory) -> float | None:
    """Return what an episode counts in a figure, unscaled; None where it is left out."""
    if trajectory.failure is not None:
        return None if trajectory.failure.boundary == "judge" else figure.failed
    known = {**(trajectory.score.values if trajectory.score else {}), **trajectory.metrics}
    if trajectory.reward is not None:
        known["reward"] = trajectory.reward
    if figure.names[0] not in known:
        return None
    return sum(known.get(name, 0.0) for name in figure.names)


def reward_of(trajectory: Trajectory, failed_reward: float | None = None) -> float | None:
    """Return an episode's reward; ``failed_reward`` for one that failed."""
    return failed_reward if trajectory.failure is not None else trajectory.reward


def reciprocal_rank(trajectory: Trajectory) -> float | None:
    """Return the reciprocal rank of the right mail in an episode; None where the rubric ranks nothing."""
    return trajectory.score.values.get("reciprocal_rank") if trajectory.score is not None else None


def clusters_of(trajectories: Sequence[Trajectory]) -> list[list[str]]:
    """Return the episodes' clusters, by template and by mailbox, as the statistics take them."""
    return [[str(t.key.get(field, "")) for t in trajectories] for field in CLUSTERED_BY]


def _means(records: Sequence[Mapping[str, float]]) -> dict[str, float]:
    names = dict.fromkeys(name for record in records for name in record)
    means = {}
    for name in names:
        values = [record[name] for record in records if name in record]
        means[name] = sum(values) / len(values)
    return means
