"""The agent that does nothing: the zero that every reward is read against."""

from collections.abc import Mapping, Sequence
from typing import Any

from mailgym.core.episode import NO_TOKENS, Decision, Turn


class NullAgent:
    """Plays an environment's null action in every turn."""

    def __init__(self, action: Mapping[str, Any]) -> None:
        """Play ``action``: a valid one that is worth nothing."""
        self._action = dict(action)

    @property
    def name(self) -> str:
        """The name shown in tables."""
        return "null"

    def act(self, turns: Sequence[Turn]) -> list[Decision]:
        """Return the null action for each turn."""
        return [Decision(dict(self._action), text="", usage=dict(NO_TOKENS)) for _ in turns]
