"""The scorecard: agents in all environments of a frozen suite, one number an environment and none over them.

Rewards of different environments are on different scales, and an average over them would hide what an agent cannot do:
so there is none.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from mailgym.core.episode import AnswerKey, Task, Trajectory
from mailgym.core.protocols import Agent
from mailgym.envs.base import DEFAULT_PROFILE, TaskSet
from mailgym.envs.registry import EnvSpec
from mailgym.evaluate.benchmark import BenchmarkRow, BenchmarkTable, tabulate
from mailgym.evaluate.suite import Suite
from mailgym.rollout.engine import EpisodeRequest, play_episodes

if TYPE_CHECKING:
    from rich.table import Table

BASELINE, RULES = "baseline", "rules"
WALL_CLOCK = "latency_s"


@dataclass(frozen=True)
class ScorecardEntry:
    """One environment's figures.

    Attributes:
        env: Its id.
        turns: Turns of an episode.
        stands_for: The player that ``baseline`` is there.
        table: The figures of the agents that play there, as ``mailgym eval`` has them.
    """

    env: str
    turns: int
    stands_for: str
    table: BenchmarkTable

    def row(self, agent: str) -> BenchmarkRow | None:
        """Return an agent's row; None where it does not play."""
        return next((row for row in self.table.rows if row.agent == agent), None)


@dataclass(frozen=True)
class Scorecard:
    """All of them.

    Attributes:
        suite: The suite's name. digest: its contents'.
        whole: Whether all of the suite's tasks were played.
        agents: In the order asked for.
    """

    suite: str
    digest: str
    whole: bool
    profile: str
    seed: int
    agents: tuple[str, ...]
    entries: tuple[ScorecardEntry, ...]

    @property
    def header(self) -> str:
        """What was measured, in one line."""
        part = "" if self.whole else ", its first tasks alone: not the suite's figures"
        return f"suite {self.suite} ({self.digest}){part}; profile {self.profile}; seed {self.seed}"

    def to_json(self) -> dict[str, Any]:
        """Return plain data, without what the clock measured: the same on every machine for agents without a model."""
        return {
            "suite": self.suite,
            "digest": self.digest,
            "whole": self.whole,
            "profile": self.profile,
            "seed": self.seed,
            "agents": list(self.agents),
            "environments": [_entry_json(entry) for entry in self.entries],
        }

    def to_rich(self) -> "Table":
        """Return a table for the terminal: an environment a row, an agent a column, mean rewards with intervals."""
        from rich import box
        from rich.table import Table

        table = Table(title="Scorecard: mean reward [95 % interval]", caption=self.header, caption_justify="left")
        table.box, table.pad_edge, table.collapse_padding = box.SIMPLE_HEAD, False, True
        table.add_column("environment", no_wrap=True)
        table.add_column("tasks", justify="right")
        for agent in self.agents:
            table.add_column(agent, justify="right")
        for entry in self.entries:
            cells = [_cell(entry.row(agent)) for agent in self.agents]
            table.add_row(f"{entry.env}, {entry.turns} turn{'s' * (entry.turns > 1)}", str(entry.table.tasks), *cells)
        return table


def baseline_of(spec: EnvSpec) -> str:
    """Return the honest player that ``baseline`` stands for: ``rules``, or the last of the heuristics without it."""
    return RULES if RULES in spec.heuristics else spec.heuristics[-1]


def play_scorecard(
    suite: Suite,
    tasks: Mapping[str, TaskSet[Task, AnswerKey]],
    specs: Mapping[str, EnvSpec],
    agents: Sequence[str],
    open_agent: Callable[[str, EnvSpec, TaskSet[Task, AnswerKey]], Agent | None],
    *,
    whole: bool = True,
    profile: str = DEFAULT_PROFILE,
    seed: int = 0,
    progress: Callable[[str, int], None] | None = None,
) -> Scorecard:
    """Play agents on a suite.

    Args:
        suite: The suite.
        tasks: Its tasks, by environment.
        specs: Its environments, by id.
        agents: Names of who plays.
        open_agent: Opens an agent of this name for an environment; None where it has none.
        whole: Whether ``tasks`` are all of the suite's.
        profile: Rules and reward.
        seed: Decides every random draw, and the bootstrap.
        progress: Called with an environment's id and the number of its episodes that have just ended.
    """
    entries = []
    for entry in suite.entries:
        spec, chosen = specs[entry.env], tasks[entry.env]
        make = partial(spec.make, chosen, profile=profile)
        requests = [EpisodeRequest(task_id) for task_id in chosen.task_ids]
        report = None if progress is None else partial(progress, entry.env)
        played: dict[str, list[Trajectory]] = {}
        for name in agents:
            agent = open_agent(name, spec, chosen)
            if agent is not None:
                played[name] = play_episodes(make, agent, requests, seed, entry.env, progress=report)
        table = tabulate(played, env_id=entry.env, seed=seed, figures=spec.figures)
        entries.append(ScorecardEntry(entry.env, spec.default_turns, baseline_of(spec), table))
    return Scorecard(suite.name, suite.digest, whole, profile, seed, tuple(agents), tuple(entries))


def _cell(row: BenchmarkRow | None) -> str:
    if row is None:
        return "–"
    failed = f", {sum(row.failures.values())} failed" * bool(row.failures)
    if row.reward is None:
        return f"none{failed}"
    return f"{row.reward.mean:.3f} [{row.reward.low:.3f}, {row.reward.high:.3f}]{failed}"


def _entry_json(entry: ScorecardEntry) -> dict[str, Any]:
    timed = {figure.title for figure in entry.table.figures if WALL_CLOCK in figure.names}
    rows = []
    for row in entry.table.rows:
        data = row.to_json()
        data["means"] = {name: mean for name, mean in data["means"].items() if name != WALL_CLOCK}
        data["figures"] = {title: value for title, value in data["figures"].items() if title not in timed}
        rows.append(data)
    return {
        "env": entry.env,
        "turns": entry.turns,
        "tasks": entry.table.tasks,
        "baseline": entry.stands_for,
        "rows": rows,
    }
