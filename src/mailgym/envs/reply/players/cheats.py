"""Degenerate players of `reply`, for the red team; they are given no key."""

from collections.abc import Callable, Sequence

from mailgym.core.episode import Decision, Turn
from mailgym.core.protocols import Agent
from mailgym.envs.base import TaskSet
from mailgym.envs.playing import call
from mailgym.envs.reply.tasks import ReplyKey, ReplyTask

Play = Callable[[Turn], Decision]


class Cheat:
    """A player that is one function of the turn."""

    def __init__(self, name: str, play: Play) -> None:
        """Play by ``play``."""
        self._name = name
        self._play = play

    @property
    def name(self) -> str:
        """The name shown in tables."""
        return self._name

    def act(self, turns: Sequence[Turn]) -> list[Decision]:
        """Play each turn on its own."""
        return [self._play(turn) for turn in turns]


def silence(turn: Turn) -> Decision:
    """Call every mail spam, and answer none."""
    if not turn.steps:
        reason = "It looks like spam and needs no answer."
        return call("classify", {"urgency": "low", "category": "spam", "requires_reply": False, "reason": reason})
    return call("draft", {"tone": "none", "reply_text": ""})


def cheats(tasks: TaskSet[ReplyTask, ReplyKey], turns: int) -> dict[str, Callable[[], Agent]]:  # noqa: ARG001
    """Return the degenerate players by name; they are given no key."""
    return {play.__name__: _factory(play) for play in (silence,)}


def _factory(play: Play) -> Callable[[], Agent]:
    return lambda: Cheat(play.__name__, play)
