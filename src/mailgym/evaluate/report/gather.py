"""Reads a run and works out everything its report says; knows nothing of HTML, Markdown or plots."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import tomli_w

from mailgym.core.config import flatten
from mailgym.core.episode import Trajectory
from mailgym.core.runs import RunFolder
from mailgym.envs.registry import figures_of
from mailgym.evaluate.benchmark import BenchmarkRow, BenchmarkTable, tabulate
from mailgym.evaluate.compare import Comparison, EpisodePair, by_kind, compare, compare_all
from mailgym.evaluate.report.curves import Curves, read_curves
from mailgym.evaluate.report.episodes import EpisodeStory, tell

BEFORE, BASELINE, WARM, AFTER, EVALUATION = "before", "baseline", "warm_start", "after", "eval"
HELD_OUT_PHASES = (BEFORE, BASELINE, WARM, AFTER, EVALUATION)
NOT_HEURISTIC = ("null", "random", "oracle")
"""Baselines that do not try their best without the key: the floors and the ceiling."""

SHOWN_EPISODES = 3
ALL_KINDS = "all"


@dataclass(frozen=True, slots=True)
class Standing:
    """One line of the table of held-out episodes.

    Attributes:
        role: ``before``, ``warm_start``, ``after``, ``model``, ``heuristic``, ``null``, ``random`` or ``oracle``.
        row: Its figures.
        ahead: The trained agent's reward minus this one's, paired; None for the trained agent itself.
        adjusted_p: That comparison's p-value after Holm, over all baselines.
    """

    role: str
    row: BenchmarkRow
    ahead: Comparison | None = None
    adjusted_p: float | None = None


@dataclass(frozen=True, slots=True)
class KindLine:
    """Mean rewards on one kind of question; None where an agent has no whole episode of it."""

    kind: str
    questions: int
    before: float | None
    after: float | None
    heuristic: float | None


@dataclass(frozen=True, slots=True)
class HabitLine:
    """Mean of one part of the score, metrics included: what an agent does, beside what it gets."""

    name: str
    before: float | None
    after: float | None
    heuristic: float | None


@dataclass(frozen=True, slots=True)
class Report:
    """Everything a report says.

    Attributes:
        name: The run's name.
        env: The environment's id.
        config: The run's configuration, by dotted keys.
        config_toml: The same as the run folder holds it.
        private: Whether the mail is real and its text is left out.
        real_mail: Whether the mail is real.
        table: Figures of all agents on the held-out tasks; None when none were played.
        standings: The table's lines in the order shown, the trained agent first.
        gain: After against before, paired; None while one of them is missing.
        imitation: After the warm start against before, paired; None where there is none.
        reinforcement: After against after the warm start, paired; None where there is none.
        best_heuristic: Name of the heuristic with the highest mean reward.
        kinds: Breakdown by kind of question, all together last.
        habits: Breakdown by part of the score.
        improved: Episodes that gained most.
        worsened: Episodes that lost most.
        curves: What the trainer measured update by update.
        openings: Each time the run was opened for writing: command, machine, versions.
    """

    name: str
    env: str
    config: dict[str, Any]
    config_toml: str
    private: bool
    real_mail: bool
    table: BenchmarkTable | None
    standings: tuple[Standing, ...]
    gain: Comparison | None
    imitation: Comparison | None
    reinforcement: Comparison | None
    best_heuristic: str | None
    kinds: tuple[KindLine, ...]
    habits: tuple[HabitLine, ...]
    improved: tuple[EpisodeStory, ...]
    worsened: tuple[EpisodeStory, ...]
    curves: Curves
    openings: tuple[dict[str, Any], ...]

    def standing(self, role: str) -> Standing | None:
        """Return the first line of this role."""
        return next((standing for standing in self.standings if standing.role == role), None)

    @property
    def best(self) -> Standing | None:
        """The best heuristic's line."""
        return next((s for s in self.standings if s.row.agent == self.best_heuristic), None)

    def to_json(self) -> dict[str, Any]:
        """Return the figures as plain data, without any episode."""
        against = {s.row.agent: s for s in self.standings if s.ahead is not None}
        return {
            "name": self.name,
            "env": self.env,
            "table": self.table.to_json() if self.table else None,
            "gain": self.gain.to_json() if self.gain else None,
            "imitation": self.imitation.to_json() if self.imitation else None,
            "reinforcement": self.reinforcement.to_json() if self.reinforcement else None,
            "best_heuristic": self.best_heuristic,
            "trained_against": {
                agent: {**standing.ahead.to_json(), "adjusted_p": standing.adjusted_p}
                for agent, standing in against.items()
                if standing.ahead is not None
            },
        }


def gather(run: RunFolder, with_mail: bool = False) -> Report:
    """Read a run and work out its report.

    Args:
        run: The run; it may still be going on.
        with_mail: Show the text of real mail, and of questions made from it.

    Raises:
        RunError: The run's records are damaged.
    """
    config = flatten(run.config)
    real_mail = config.get("data.source") != "simulated"
    private = real_mail and not with_mail
    played = _held_out(run)
    seed = int(config.get("run.seed", config.get("eval.seed", 0)))
    env = str(config.get("run.env", config.get("eval.env", "")))
    names = {label: episodes for (_, label), episodes in played.items()}
    table = tabulate(names, env_id=env, seed=seed, figures=figures_of(env)) if names else None
    roles = {label: _role(phase, episodes) for (phase, label), episodes in played.items()}
    before, warm, after = (_of_role(role, roles, names) for role in (BEFORE, WARM, AFTER))
    standings = _standings(table, roles, names, seed) if table else ()
    best = _best_heuristic(standings)
    heuristic = names[best] if best else []
    gain = compare(before, after, seed=seed) if before and after else None
    return Report(
        name=run.name,
        env=env,
        config=config,
        config_toml=tomli_w.dumps(run.config),
        private=private,
        real_mail=real_mail,
        table=table,
        standings=standings,
        gain=gain,
        imitation=compare(before, warm, names=(BEFORE, WARM), seed=seed) if before and warm else None,
        reinforcement=compare(warm, after, names=(WARM, AFTER), seed=seed) if warm and after else None,
        best_heuristic=best,
        kinds=_kinds(before, after, heuristic),
        habits=_habits(table, roles, best),
        improved=_stories(_improved(gain, heuristic), heuristic, private),
        worsened=_stories(gain.most_worsened(SHOWN_EPISODES) if gain else [], heuristic, private),
        curves=read_curves(run),
        openings=tuple(run.openings()),
    )


def _held_out(run: RunFolder) -> dict[tuple[str, str], list[Trajectory]]:
    """Return held-out episodes by phase and label; the label is the agent's name, with the phase where needed."""
    played: dict[tuple[str, str], list[Trajectory]] = {}
    for phase, trajectory in run.episodes():
        if phase in HELD_OUT_PHASES:
            played.setdefault((phase, trajectory.agent), []).append(trajectory)
    agents = [agent for _, agent in played]
    return {
        (phase, f"{agent} ({phase})" if agents.count(agent) > 1 else agent): episodes
        for (phase, agent), episodes in played.items()
    }


def _of_role(role: str, roles: Mapping[str, str], names: Mapping[str, list[Trajectory]]) -> list[Trajectory]:
    return next((names[label] for label, found in roles.items() if found == role), [])


def _role(phase: str, episodes: Sequence[Trajectory]) -> str:
    if phase in (BEFORE, WARM, AFTER):
        return phase
    if episodes[0].agent in NOT_HEURISTIC:
        return episodes[0].agent
    return "model" if any(episode.metrics.get("completion_tokens") for episode in episodes) else "heuristic"


def _standings(
    table: BenchmarkTable, roles: Mapping[str, str], names: Mapping[str, list[Trajectory]], seed: int
) -> tuple[Standing, ...]:
    trained = next((label for label, role in roles.items() if role == AFTER), None)
    against = {}
    if trained is not None:
        others = {label: episodes for label, episodes in names.items() if label != trained}
        for comparison, adjusted in compare_all(names[trained], others, name=trained, seed=seed):
            against[comparison.before] = (comparison, adjusted)
    order = [AFTER, WARM, BEFORE, "model", "heuristic", "random", "null", "oracle"]
    rows = sorted(table.rows, key=lambda row: (order.index(roles[row.agent]), -_mean(row)))
    return tuple(Standing(roles[row.agent], row, *against.get(row.agent, (None, None))) for row in rows)


def _mean(row: BenchmarkRow) -> float:
    return row.reward.mean if row.reward else float("-inf")


def _best_heuristic(standings: Sequence[Standing]) -> str | None:
    heuristics = [s.row for s in standings if s.role == "heuristic" and s.row.reward is not None]
    return max(heuristics, key=_mean).agent if heuristics else None


def _kinds(before: list[Trajectory], after: list[Trajectory], heuristic: list[Trajectory]) -> tuple[KindLine, ...]:
    groups = [by_kind(before), by_kind(after), by_kind(heuristic)]
    kinds = sorted(set().union(*groups))
    lines = [
        KindLine(kind, max(len(group.get(kind, [])) for group in groups), *(_reward(g.get(kind, [])) for g in groups))
        for kind in kinds
    ]
    if len(lines) > 1:
        everything = (before, after, heuristic)
        lines.append(KindLine(ALL_KINDS, max(map(len, everything)), *map(_reward, everything)))
    return tuple(lines)


def _reward(trajectories: Sequence[Trajectory]) -> float | None:
    rewards = [t.reward for t in trajectories if t.failure is None and t.reward is not None]
    return sum(rewards) / len(rewards) if rewards else None


def _habits(table: BenchmarkTable | None, roles: Mapping[str, str], best: str | None) -> tuple[HabitLine, ...]:
    if table is None:
        return ()
    by_role = {roles[row.agent]: row.parts for row in table.rows if roles[row.agent] in (BEFORE, AFTER)}
    columns = [by_role.get(BEFORE, {}), by_role.get(AFTER, {})]
    columns.append(next((row.parts for row in table.rows if row.agent == best), {}))
    names = dict.fromkeys(name for column in columns for name in column)
    lines = [HabitLine(name, *(column.get(name) for column in columns)) for name in names]
    return tuple(line for line in lines if any((line.before, line.after, line.heuristic)))


def _improved(gain: Comparison | None, heuristic: Sequence[Trajectory]) -> list[EpisodePair]:
    """Return the largest gains; among equals those first on which the heuristic did worst."""
    if gain is None:
        return []
    rewards = {(t.task_id, t.sample): t.reward or 0.0 for t in heuristic}
    pairs = gain.most_improved(len(gain.pairs))
    pairs.sort(key=lambda pair: (-pair.difference, rewards.get((pair.before.task_id, pair.before.sample), 0.0)))
    return pairs[:SHOWN_EPISODES]


def _stories(pairs: Sequence[EpisodePair], heuristic: Sequence[Trajectory], private: bool) -> tuple[EpisodeStory, ...]:
    heuristics = {(t.task_id, t.sample): t for t in heuristic}
    return tuple(tell(pair, heuristics.get((pair.before.task_id, pair.before.sample)), private) for pair in pairs)


def short_path(value: Any) -> str:
    """Return the name of a configured file, without its folders."""
    return Path(str(value)).name
