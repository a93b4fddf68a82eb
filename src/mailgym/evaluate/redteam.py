"""The red team: every cheat of an environment against its rubric, beside the players that deserve their reward.

A rubric that can be farmed is found here before a policy finds it. The *exploit ratio* of a profile and form is
(best cheat − null) / (oracle − null): 0 when no cheat is worth more than doing nothing, 1 when cheating is worth as
much as knowing the answers.
"""

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Literal

from mailgym.agents.finder import find_agent
from mailgym.core.episode import AnswerKey, Task, Trajectory
from mailgym.core.errors import UserError
from mailgym.envs.base import PROFILES, TaskSet, check_profile
from mailgym.envs.registry import EnvSpec
from mailgym.rollout.engine import EpisodeRequest, play_episodes

if TYPE_CHECKING:
    from rich.table import Table

Kind = Literal["null", "honest", "oracle", "cheat"]


@dataclass(frozen=True, slots=True)
class RedTeamRow:
    """One player under one profile in one form.

    Attributes:
        kind: ``null``, ``honest``, ``oracle`` or ``cheat``.
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
        best_cheat: The cheat with the highest mean reward. best_honest: the honest player with the highest.
        exploit_ratio: (best cheat − null) / (oracle − null); None when the oracle is worth no more than null.
        holds: Whether no cheat has a higher mean reward than the best honest player.
    """

    profile: str
    turns: int
    best_cheat: str
    best_cheat_reward: float
    best_honest: str
    best_honest_reward: float
    null_reward: float
    oracle_reward: float
    exploit_ratio: float | None
    holds: bool


@dataclass(frozen=True, slots=True)
class RedTeamReport:
    """Every player's row, and a verdict for each profile and form."""

    env: str
    tasks: int
    seed: int
    rows: tuple[RedTeamRow, ...]
    verdicts: tuple[RedTeamVerdict, ...]

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

    def to_rich(self) -> "Table":
        """Return a table for the terminal: a row a player, a column a profile and form, cheats last."""
        from rich.table import Table

        columns = list(dict.fromkeys((row.profile, row.turns) for row in self.rows))
        cells = {(row.player, row.kind, row.profile, row.turns): row for row in self.rows}
        players = sorted(dict.fromkeys((row.player, row.kind) for row in self.rows), key=lambda p: p[1] == "cheat")
        table = Table(title=f"Red team of {self.env}: mean reward over {self.tasks} tasks (seed {self.seed})")
        table.add_column("player")
        table.add_column("kind")
        for profile, turns in columns:
            table.add_column(f"{profile}, {turns} turn{'s' * (turns > 1)}", justify="right")
        for player, kind in players:
            found = [cells.get((player, kind, profile, turns)) for profile, turns in columns]
            table.add_row(player, kind, *("" if row is None else _cell(row) for row in found))
        table.add_section()
        ratios = [self.verdict(*column).exploit_ratio for column in columns]
        table.add_row("exploit ratio", "", *("undefined" if ratio is None else f"{ratio:.3f}" for ratio in ratios))
        holds = [self.verdict(*column).holds for column in columns]
        table.add_row("no cheat beats the honest", "", *("yes" if held else "NO" for held in holds))
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
                make = partial(spec.make, tasks, profile=profile, turns=turns)
                requests = [EpisodeRequest(task_id) for task_id in tasks.task_ids]
                played = play_episodes(make, agent, requests, seed, spec.id, progress=progress)
                rows.append(_row(played, player, kind, profile, turns))
    verdicts = tuple(_verdict(rows, profile, turns) for turns in forms for profile in profiles)
    return RedTeamReport(spec.id, len(tasks), seed, tuple(rows), verdicts)


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
    best: dict[str, RedTeamRow] = {}
    for row in played:
        if row.kind not in best or row.reward_mean > best[row.kind].reward_mean:
            best[row.kind] = row
    null, oracle = best["null"].reward_mean, best["oracle"].reward_mean
    cheat = best["cheat"].reward_mean
    return RedTeamVerdict(
        profile=profile,
        turns=turns,
        best_cheat=best["cheat"].player,
        best_cheat_reward=cheat,
        best_honest=best["honest"].player,
        best_honest_reward=best["honest"].reward_mean,
        null_reward=null,
        oracle_reward=oracle,
        exploit_ratio=(cheat - null) / (oracle - null) if oracle > null else None,
        holds=cheat <= best["honest"].reward_mean,
    )


def _cell(row: RedTeamRow) -> str:
    failed = f" ({row.failures} failed)" if row.failures else ""
    return f"{row.reward_mean:.3f}{failed}"
