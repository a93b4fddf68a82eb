"""What every hand-made player needs: its calls as decisions, its episode's first observation, one turn at a time."""

import json
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Generic, TypeVar

from mailgym.core.episode import NO_TOKENS, AnswerKey, Decision, Turn

KeyT = TypeVar("KeyT", bound=AnswerKey)


def opening_of(turn: Turn) -> dict[str, Any]:
    """Return the first observation of the episode."""
    return turn.steps[0].observation if turn.steps else turn.observation


def call(name: str, arguments: Mapping[str, Any]) -> Decision:
    """Return the decision to call a tool."""
    action = {"name": name, "arguments": dict(arguments)}
    return Decision(action, text=json.dumps(action, ensure_ascii=False), usage=dict(NO_TOKENS))


class Player(ABC):
    """An agent that decides each turn by itself, whatever else it is asked at once."""

    name: str
    """The name shown in tables."""

    def act(self, turns: Sequence[Turn]) -> list[Decision]:
        """Decide each turn."""
        return [self.decide(turn) for turn in turns]

    @abstractmethod
    def decide(self, turn: Turn) -> Decision:
        """Decide one turn."""


class FunctionPlayer(Player):
    """A player that is one function of the turn."""

    def __init__(self, name: str, play: Callable[[Turn], Decision]) -> None:
        """Play by ``play``."""
        self.name = name
        self._play = play

    def decide(self, turn: Turn) -> Decision:
        """Play the turn."""
        return self._play(turn)


class KeyedPlayer(Player, Generic[KeyT]):
    """An upper bound: a player that the owner's side hands the answer keys."""

    name = "oracle"

    def __init__(self, keys: Mapping[str, KeyT]) -> None:
        """Play with these answer keys, by task id."""
        self._keys = keys

    def key_of(self, turn: Turn) -> KeyT:
        """Return the key of the episode's task."""
        return self._keys[opening_of(turn)["task_id"]]
