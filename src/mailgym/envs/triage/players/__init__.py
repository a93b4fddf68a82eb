"""Who plays ``triage`` without a language model."""

from mailgym.envs.base import TaskSet
from mailgym.envs.registry import PlayerFactory
from mailgym.envs.triage.players.cheats import cheats
from mailgym.envs.triage.players.oracle import Oracle
from mailgym.envs.triage.players.rules import Rules
from mailgym.envs.triage.tasks import TriageKey, TriageTask

HEURISTICS = ("rules",)


def players(tasks: TaskSet[TriageTask, TriageKey]) -> dict[str, PlayerFactory]:
    """Return the honest players and the oracle by name."""
    return {"rules": Rules, "oracle": lambda: Oracle(tasks.keys)}


__all__ = ["HEURISTICS", "Oracle", "Rules", "cheats", "players"]
