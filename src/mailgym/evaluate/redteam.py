"""The red team: every cheat of an environment against its rubric, beside the players that deserve their reward.

A rubric that can be farmed is found here before a policy finds it. The *exploit ratio* of a profile and form is
(best cheat − null) / (oracle − null): 0 when no cheat is worth more than doing nothing, 1 when cheating is worth as
much as knowing the answers. The goal, for ``hardened``: a ratio of at most :data:`GOAL_RATIO`, and no cheat worth as
much as the honest rules.

Beside the written cheats stands, where it is asked for, the best template that an optimiser finds
(:mod:`mailgym.evaluate.templates`).

What a ratio does not say: that no other cheat does better. It is of the cheats that were played, on the tasks that were
played; the best of many cheats is picked on these tasks, so that it errs on the high side for each of them.
"""

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from statistics import median
from typing import TYPE_CHECKING, Any, Literal

from mailgym.agents.finder import find_agent
from mailgym.core.episode import AnswerKey, Task, Trajectory
from mailgym.core.errors import UserError
from mailgym.core.protocols import Agent
from mailgym.envs.base import DEFAULT_PROFILE, PROFILES, TaskSet, check_profile
from mailgym.envs.registry import EnvSpec
from mailgym.rollout.engine import EpisodeRequest, play_episodes

if TYPE_CHECKING:
    from rich.table import Table

Kind = Literal["null", "honest", "oracle", "cheat", "template"]
CHEATING: tuple[Kind, ...] = ("cheat", "template")
GOAL_RATIO = 0.35
RULES = "rules"


@dataclass(frozen=True, slots=True)
class RedTeamRow:
    """One player under one profile in one form.

    Attributes:
        kind: ``null``, ``honest``, ``oracle``, ``cheat``, or ``template`` for one that the optimiser found.
        reward_mean: Mean reward of the episodes that did not fail.
        reward_best: The best single episode.
        episodes: Episodes played to their end.
        failures: Episodes that failed; they are in neither mean nor best.
    """

    player: str
    kind: Kind
    profile: str
    turns: int
    reward_mean: float
    reward_best: float
    episodes: int
    failures: int


@dataclass(frozen=True, slots=True)
class RedTeamVerdict:
    """What one profile and form came to.

    Attributes:
        best_cheat: The cheat with the highest mean reward, found templates included.
        best_honest: The honest player with the highest.
        median_honest_reward: Median over the honest players' mean rewards.
        baseline: The honest player that no cheat may reach: ``rules``, or the best one where none has this name.
        exploit_ratio: (best cheat − null) / (oracle − null); None when the oracle is worth no more than null.
        holds: Whether the goal is met: a ratio of at most :data:`GOAL_RATIO`, and every cheat below the baseline.
    """

    profile: str
    turns: int
    best_cheat: str
    best_cheat_reward: float
    best_honest: str
    best_honest_reward: float
    median_honest_reward: float
    baseline: str
    baseline_reward: float
    null_reward: float
    oracle_reward: float
    exploit_ratio: float | None
    holds: bool

    @property
    def missed(self) -> list[str]:
        """What the goal asks for and was not met, in words; empty when it holds."""
        ratio, reasons = self.exploit_ratio, []
        if ratio is None:
            reasons.append("the oracle is worth no more than doing nothing")
        elif ratio > GOAL_RATIO:
            reasons.append(f"the exploit ratio {ratio:.3f} is above {GOAL_RATIO:g}")
        if self.best_cheat_reward >= self.baseline_reward:
            reasons.append(f"{self.best_cheat} is worth as much as {self.baseline} or more")
        return reasons


@dataclass(frozen=True, slots=True)
class FoundTemplate:
    """The best template that an optimiser found under one profile in one form.

    Attributes:
        trials: Templates tried.
        train_tasks: How many tasks the last choice was made on; none of them is among those measured.
        train_reward: Its mean reward there.
        plan: The tool of each turn; the last one goes on.
        fillings: What it puts into each field of these tools, by ``tool.field``.
    """

    profile: str
    turns: int
    trials: int
    train_tasks: int
    train_reward: float
    plan: tuple[str, ...]
    fillings: dict[str, str]


@dataclass(frozen=True, slots=True)
class RedTeamReport:
    """Every player's row, a verdict for each profile and form, and the templates that were searched for."""

    env: str
    tasks: int
    seed: int
    rows: tuple[RedTeamRow, ...]
    verdicts: tuple[RedTeamVerdict, ...]
    templates: tuple[FoundTemplate, ...] = ()

    def verdict(self, profile: str, turns: int) -> RedTeamVerdict:
        """Return the verdict of one profile and form.

        Raises:
            UserError: It was not played.
        """
        for verdict in self.verdicts:
            if (verdict.profile, verdict.turns) == (profile, turns):
                return verdict
        raise UserError(f"profile {profile!r} with {turns} turns was not played: ask red_team for it")

    def to_json(self) -> dict[str, Any]:
        """Return plain data."""
        return asdict(self)

    @property
    def holds(self) -> bool:
        """Whether the goal is met under ``hardened`` in every form that was played."""
        return all(verdict.holds for verdict in self.verdicts if verdict.profile == DEFAULT_PROFILE)

    def with_template(self, found: FoundTemplate, row: RedTeamRow) -> "RedTeamReport":
        """Return the report with a template that was found, its row, and the verdicts that follow."""
        rows = (*self.rows, row)
        verdicts = tuple(_verdict(rows, verdict.profile, verdict.turns) for verdict in self.verdicts)
        return replace(self, rows=rows, verdicts=verdicts, templates=(*self.templates, found))

    def to_rich(self) -> "Table":
        """Return a table for the terminal: a row a player, a column a profile and form, cheats last."""
        from rich.table import Table

        columns = [(verdict.profile, verdict.turns) for verdict in self.verdicts]
        cells = {(row.player, row.kind, row.profile, row.turns): row for row in self.rows}
        players = sorted(dict.fromkeys((row.player, row.kind) for row in self.rows), key=lambda p: p[1] in CHEATING)
        table = Table(title=f"Red team of {self.env}: mean reward over {self.tasks} tasks (seed {self.seed})")
        table.add_column("player")
        table.add_column("kind")
        for profile, turns in columns:
            table.add_column(f"{profile}, {turns} turn{'s' * (turns > 1)}", justify="right")
        for player, kind in players:
            found = [cells.get((player, kind, profile, turns)) for profile, turns in columns]
            table.add_row(player, kind, *("" if row is None else _cell(row) for row in found))
        table.add_section()
        verdicts = self.verdicts
        table.add_row("best cheat", "", *(f"{found.best_cheat_reward:.3f}" for found in verdicts))
        table.add_row("median honest", "", *(f"{found.median_honest_reward:.3f}" for found in verdicts))
        table.add_row("rules baseline", "", *(f"{found.baseline_reward:.3f}" for found in verdicts))
        table.add_row("exploit ratio", "", *(format_ratio(found.exploit_ratio) for found in verdicts))
        table.add_row("goal met", "", *("yes" if found.holds else "NO" for found in verdicts))
        return table


def summarise(reports: Sequence[RedTeamReport]) -> "Table":
    """Return one table of several environments: a row a profile and form."""
    from rich import box
    from rich.table import Table

    columns = ("null", "best cheat", "", "template", "median honest", "rules", "oracle", "ratio", "goal met")
    title = "Red team: mean rewards, and (best cheat − null) ÷ (oracle − null)"
    table = Table(title=title, box=box.SIMPLE_HEAD, pad_edge=False, collapse_padding=True)
    for column in ("environment", "profile, turns", *columns):
        texts = column in ("environment", "profile, turns", "best cheat")
        table.add_column(column, justify="left" if texts else "right", no_wrap=texts)
    for report in reports:
        for verdict in report.verdicts:
            found = [
                f"{row.reward_mean:.3f}"
                for row in report.rows
                if (row.kind, row.profile, row.turns) == ("template", verdict.profile, verdict.turns)
            ]
            table.add_row(
                report.env,
                f"{verdict.profile}, {verdict.turns}",
                f"{verdict.null_reward:.3f}",
                verdict.best_cheat,
                f"{verdict.best_cheat_reward:.3f}",
                *(found or ["–"]),
                f"{verdict.median_honest_reward:.3f}",
                f"{verdict.baseline_reward:.3f}",
                f"{verdict.oracle_reward:.3f}",
                format_ratio(verdict.exploit_ratio),
                "yes" if verdict.holds else "NO",
            )
    return table


def red_team(
    spec: EnvSpec,
    tasks: TaskSet[Task, AnswerKey],
    profiles: Sequence[str] = PROFILES,
    *,
    turn_forms: Sequence[int] | None = None,
    seed: int = 0,
    progress: Callable[[int], None] | None = None,
) -> RedTeamReport:
    """Play null, the honest players, the oracle and every cheat on all tasks.

    Args:
        spec: The environment.
        tasks: The tasks; each player plays each once under each profile in each form.
        profiles: Which profiles.
        turn_forms: Which numbers of turns; by default the forms that the environment names.
        seed: Decides every random draw.
        progress: Called with the number of episodes that have just ended.

    Raises:
        UserError: A profile or a number of turns that does not exist, or nothing to play.
    """
    forms = tuple(spec.turns(turns) for turns in (spec.turn_forms if turn_forms is None else turn_forms))
    for profile in profiles:
        check_profile(profile)
    if not forms or not profiles:
        raise UserError("nothing to play: name at least one profile and one number of turns")
    rows: list[RedTeamRow] = []
    for turns in forms:
        for profile in profiles:
            for player, kind in _players(spec, tasks, turns):
                agent = find_agent(player, spec, tasks, turns=turns)
                rows.append(play_row(spec, tasks, player, agent, kind, profile, turns, seed=seed, progress=progress))
    verdicts = tuple(_verdict(rows, profile, turns) for turns in forms for profile in profiles)
    return RedTeamReport(spec.id, len(tasks), seed, tuple(rows), verdicts)


def play_row(
    spec: EnvSpec,
    tasks: TaskSet[Task, AnswerKey],
    player: str,
    agent: Agent,
    kind: Kind,
    profile: str,
    turns: int,
    *,
    seed: int = 0,
    progress: Callable[[int], None] | None = None,
) -> RedTeamRow:
    """Play one agent, called ``player`` in the table, on all tasks under one profile in one form.

    Raises:
        UserError: Every episode failed.
    """
    make = partial(spec.make, tasks, profile=profile, turns=turns)
    requests = [EpisodeRequest(task_id) for task_id in tasks.task_ids]
    played = play_episodes(make, agent, requests, seed, spec.id, progress=progress)
    return _row(played, player, kind, profile, turns)


def episode_count(spec: EnvSpec, tasks: TaskSet[Task, AnswerKey], profiles: Sequence[str], forms: Sequence[int]) -> int:
    """Return how many episodes :func:`red_team` will play, for a progress bar."""
    return len(profiles) * len(tasks) * sum(len(_players(spec, tasks, turns)) for turns in forms)


def _players(spec: EnvSpec, tasks: TaskSet[Task, AnswerKey], turns: int) -> list[tuple[str, Kind]]:
    """Return who plays and as what; an honest player that is also a cheat plays once, as a cheat."""
    cheats = spec.cheats(tasks, turns)
    honest: list[tuple[str, Kind]] = [(name, "honest") for name in spec.heuristics if name not in cheats]
    return [("null", "null"), *honest, ("oracle", "oracle"), *((name, "cheat") for name in cheats)]


def _row(played: Sequence[Trajectory], player: str, kind: Kind, profile: str, turns: int) -> RedTeamRow:
    rewards = [trajectory.reward for trajectory in played if trajectory.reward is not None]
    if not rewards:
        reasons = {trajectory.failure.message for trajectory in played if trajectory.failure is not None}
        raise UserError(f"every episode of {player} failed: {'; '.join(sorted(reasons))}")
    return RedTeamRow(
        player=player,
        kind=kind,
        profile=profile,
        turns=turns,
        reward_mean=sum(rewards) / len(rewards),
        reward_best=max(rewards),
        episodes=len(rewards),
        failures=len(played) - len(rewards),
    )


def _verdict(rows: Sequence[RedTeamRow], profile: str, turns: int) -> RedTeamVerdict:
    played = [row for row in rows if (row.profile, row.turns) == (profile, turns)]
    (null,) = [row.reward_mean for row in played if row.kind == "null"]
    (oracle,) = [row.reward_mean for row in played if row.kind == "oracle"]
    honest = [row for row in played if row.kind == "honest"]
    cheat = max((row for row in played if row.kind in CHEATING), key=lambda row: row.reward_mean)
    best = max(honest, key=lambda row: row.reward_mean)
    baseline = next((row for row in honest if row.player == RULES), best)
    verdict = RedTeamVerdict(
        profile=profile,
        turns=turns,
        best_cheat=cheat.player,
        best_cheat_reward=cheat.reward_mean,
        best_honest=best.player,
        best_honest_reward=best.reward_mean,
        median_honest_reward=median(row.reward_mean for row in honest),
        baseline=baseline.player,
        baseline_reward=baseline.reward_mean,
        null_reward=null,
        oracle_reward=oracle,
        exploit_ratio=(cheat.reward_mean - null) / (oracle - null) if oracle > null else None,
        holds=False,
    )
    return replace(verdict, holds=not verdict.missed)


def format_ratio(ratio: float | None) -> str:
    """Return an exploit ratio as text."""
    return "undefined" if ratio is None else f"{ratio:.3f}"


def _cell(row: RedTeamRow) -> str:
    failed = f" ({row.failures} failed)" if row.failures else ""
    return f"{row.reward_mean:.3f}{failed}"
