"""The upper bound: a player that the owner's side hands the answer keys."""

from typing import Any

from mailgym.core.episode import Decision, Turn
from mailgym.envs.playing import KeyedPlayer, call, opening_of
from mailgym.envs.triage.tasks import Label, TriageKey


class Oracle(KeyedPlayer[TriageKey]):
    """Submits the right label of every mail at once, with the hand-written draft where one is due."""

    def decide(self, turn: Turn) -> Decision:
        """Decide all mails of each inbox."""
        with_drafts = opening_of(turn)["form"] == "email-triage-full"
        labels = self.key_of(turn).labels
        return call("submit", {"email_actions": [_as_decided(label, with_drafts) for label in labels], "done": True})


def _as_decided(label: Label, with_draft: bool) -> dict[str, Any]:
    decision: dict[str, Any] = {
        "email_id": label.email_id,
        "category": label.category,
        "priority": label.rank,
        "action": label.action,
    }
    return {**decision, "response": label.draft} if with_draft and label.draft else decision
