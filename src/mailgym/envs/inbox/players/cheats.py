"""Degenerate players of `inbox`: what a policy might fall into, or farm, if the rubric let it; for the red team."""

from collections.abc import Callable, Sequence
from typing import Any

from mailgym.core.episode import Decision, Turn
from mailgym.core.protocols import Agent
from mailgym.envs.playing import call


class Silence:
    """Leaves every mail undecided."""

    name = "silence"

    def act(self, turns: Sequence[Turn]) -> list[Decision]:
        """Skip each turn's mail."""
        return [call("skip", {}) for _ in turns]


def cheats(tasks: Any, turns: int) -> dict[str, Callable[[], Agent]]:  # noqa: ARG001 (they are given no key)
    """Return the degenerate players by name."""
    return {"silence": Silence}
