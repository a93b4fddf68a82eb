"""What a rubric is: trajectory facts and an answer key in, a score out."""

from typing import Protocol, TypeVar

from mailgym.core.score import Score

FactsT_contra = TypeVar("FactsT_contra", contravariant=True)
KeyT_contra = TypeVar("KeyT_contra", contravariant=True)


class Rubric(Protocol[FactsT_contra, KeyT_contra]):
    """Scores one episode.

    It is asked after every step, so it must give the score *so far*: the reward of a step is the difference
    between two scores. It knows the answer key and is never handed to an agent or a world.
    """

    def score(self, facts: FactsT_contra, key: KeyT_contra) -> Score:
        """Return the score of an episode of which ``facts`` is known so far."""
        ...
