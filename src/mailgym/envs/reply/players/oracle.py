"""The upper bound: a player that the owner's side hands the answer keys."""

from dataclasses import asdict

from mailgym.core.episode import Decision, Turn
from mailgym.envs.playing import KeyedPlayer, call
from mailgym.envs.reply.tasks import ReplyKey


class Oracle(KeyedPlayer[ReplyKey]):
    """Says the right labels, then sends the reply that was written with the mail; none where none is due."""

    def decide(self, turn: Turn) -> Decision:
        """Classify in the first turn, draft in the second."""
        key = self.key_of(turn)
        if not turn.steps:
            return call("classify", {**asdict(key.labels), "reason": key.good_reason})
        return call("draft", {"tone": key.wanted.tone or "none", "reply_text": key.good_reply})
