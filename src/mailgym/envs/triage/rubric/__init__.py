"""The reward of an inbox that is sorted: ``classic`` as the document has it, and ``hardened``."""

from typing import Protocol

from mailgym.core.score import Score
from mailgym.envs.triage.rubric.classic import ClassicRubric, response_quality
from mailgym.envs.triage.rubric.hardened import HardenedRubric, balanced
from mailgym.envs.triage.rubric.ranking import share_ranked, spearman, top_weighted
from mailgym.envs.triage.rubric.weights import WEIGHTS, Weights
from mailgym.envs.triage.tasks import TriageKey
from mailgym.envs.triage.world import TriageFacts


class TriageRubric(Protocol):
    """Scores an inbox, and says whether the agent is told its rewards in words."""

    @property
    def tells_rewards(self) -> bool:
        """Whether every answer repeats the reward."""
        ...

    def score(self, facts: TriageFacts, key: TriageKey) -> Score:
        """Return the score so far."""
        ...


__all__ = [
    "WEIGHTS",
    "ClassicRubric",
    "HardenedRubric",
    "TriageRubric",
    "Weights",
    "balanced",
    "response_quality",
    "share_ranked",
    "spearman",
    "top_weighted",
]
