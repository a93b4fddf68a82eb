"""Degenerate players: what a policy might fall into, or farm, if the rubric let it; for the red team."""

from collections.abc import Sequence
from typing import Any

from mailgym.core.episode import Decision, Turn
from mailgym.envs.playing import call
from mailgym.envs.registry import PlayerFactory


class Silence:
    """Submits nothing in every turn."""

    @property
    def name(self) -> str:
        """The name shown in tables."""
        return "silence"

    def act(self, turns: Sequence[Turn]) -> list[Decision]:
        """Decide about no mail."""
        return [call("submit", {"email_actions": [], "done": False}) for _ in turns]


def cheats(tasks: Any, turns: int) -> dict[str, PlayerFactory]:  # noqa: ARG001 (none of them looks)
    """Return the cheats by name."""
    return {"silence": Silence}
