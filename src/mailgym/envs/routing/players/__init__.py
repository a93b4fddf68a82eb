"""Who plays `routing` without a model: a heuristic by rules, an oracle that knows the keys, and cheats."""

from collections.abc import Callable

from mailgym.core.protocols import Agent
from mailgym.envs.base import TaskSet
from mailgym.envs.routing.players.cheats import cheats
from mailgym.envs.routing.players.oracle import Oracle
from mailgym.envs.routing.players.rules import RulesPlayer
from mailgym.envs.routing.tasks import RoutingKey, RoutingTask

HEURISTICS = ("rules",)

__all__ = ["HEURISTICS", "cheats", "players"]


def players(tasks: TaskSet[RoutingTask, RoutingKey]) -> dict[str, Callable[[], Agent]]:
    """Return the heuristic and the oracle by name. Only the oracle is given the keys."""
    return {"rules": RulesPlayer, "oracle": lambda: Oracle(tasks.keys)}
