"""Who plays `reply` without a model: rules written by hand, an oracle that knows the keys, and cheats."""

from collections.abc import Callable

from mailgym.core.protocols import Agent
from mailgym.envs.base import TaskSet
from mailgym.envs.reply.players.cheats import cheats
from mailgym.envs.reply.players.oracle import Oracle
from mailgym.envs.reply.players.rules import Rules
from mailgym.envs.reply.tasks import ReplyKey, ReplyTask

__all__ = ["HEURISTICS", "cheats", "players"]

HEURISTICS = ("rules",)


def players(tasks: TaskSet[ReplyTask, ReplyKey]) -> dict[str, Callable[[], Agent]]:
    """Return the rules and the oracle by name. Only the oracle is given the keys."""
    return {"rules": Rules, "oracle": lambda: Oracle(tasks.keys)}
