"""Degenerate players of `routing`: what a policy might fall into if a reward let it."""

from collections.abc import Callable, Sequence

from mailgym.core.episode import Decision, Turn
from mailgym.core.protocols import Agent
from mailgym.envs.base import TaskSet
from mailgym.envs.playing import call
from mailgym.envs.routing.tasks import RoutingKey, RoutingTask


class Silence:
    """Decides nothing about any mail."""

    @property
    def name(self) -> str:
        """The name shown in tables."""
        return "silence"

    def act(self, turns: Sequence[Turn]) -> list[Decision]:
        """Skip every mail."""
        return [call("skip", {}) for _ in turns]


def cheats(tasks: TaskSet[RoutingTask, RoutingKey], turns: int) -> dict[str, Callable[[], Agent]]:  # noqa: ARG001
    """Return the degenerate players by name; they are given no key."""
    return {"silence": Silence}
