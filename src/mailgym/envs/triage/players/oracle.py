"""The upper bound: a player that the owner's side hands the answer keys."""

from collections.abc import Mapping, Sequence
from typing import Any

from mailgym.core.episode import Decision, Turn
from mailgym.envs.playing import call, opening_of
from mailgym.envs.triage.tasks import Label, TriageKey


class Oracle:
    """Submits the right label of every mail at once, with the hand-written draft where one is due."""

    def __init__(self, keys: Mapping[str, TriageKey]) -> None:
        """Play with these answer keys, by task id."""
        self._keys = keys

    @property
    def name(self) -> str:
        """The name shown in tables."""
        return "oracle"

    def act(self, turns: Sequence[Turn]) -> list[Decision]:
        """Decide all mails of each inbox."""
        return [self._decide(turn) for turn in turns]

    def _decide(self, turn: Turn) -> Decision:
        opening = opening_of(turn)
        with_drafts = opening["form"] == "email-triage-full"
        labels = self._keys[opening["task_id"]].labels
        return call("submit", {"email_actions": [_as_decided(label, with_drafts) for label in labels], "done": True})


def _as_decided(label: Label, with_draft: bool) -> dict[str, Any]:
    decision: dict[str, Any] = {
        "email_id": label.email_id,
        "category": label.category,
        "priority": label.rank,
        "action": label.action,
    }
    return {**decision, "response": label.draft} if with_draft and label.draft else decision
