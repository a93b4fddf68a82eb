"""The upper bound: a player that the owner's side hands the answer keys."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict

from mailgym.core.episode import Decision, Turn
from mailgym.envs.playing import call, opening_of
from mailgym.envs.reply.tasks import ReplyKey


class Oracle:
    """Says the right labels, then sends the reply that was written with the mail; none where none is due."""

    def __init__(self, keys: Mapping[str, ReplyKey]) -> None:
        """Play with these answer keys, by task id."""
        self._keys = keys

    @property
    def name(self) -> str:
        """The name shown in tables."""
        return "oracle"

    def act(self, turns: Sequence[Turn]) -> list[Decision]:
        """Classify in the first turn, draft in the second."""
        return [self._decide(turn) for turn in turns]

    def _decide(self, turn: Turn) -> Decision:
        key = self._keys[opening_of(turn)["task_id"]]
        if not turn.steps:
            return call("classify", {**asdict(key.labels), "reason": key.good_reason})
        return call("draft", {"tone": key.wanted.tone or "none", "reply_text": key.good_reply})
