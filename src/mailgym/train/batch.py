"""From trajectories to what the loss needs: exact tokens, masks, old log-probabilities, advantages."""

from collections.abc import Sequence
from dataclasses import dataclass

from mailgym.core.episode import Trajectory


@dataclass(frozen=True, slots=True)
class Sample:
    """One trajectory as tokens.

    Attributes:
        prompt_ids: The opening prompt, shared by the group.
        tail_ids: Everything after it up to the last token the model wrote: its turns, and between them what it read.
        written: For each tail token whether the model wrote it; only those are trained on.
        old_logprobs: For each tail token the log-probability it was drawn with; 0 where it was not drawn.
        advantage: The reward relative to the group.
    """

    prompt_ids: tuple[int, ...]
    tail_ids: tuple[int, ...]
    written: tuple[bool, ...]
    old_logprobs: tuple[float, ...]
    advantage: float

    @property
    def n_written(self) -> int:
        """Number of tokens the model wrote."""
        return sum(self.written)


def to_sample(trajectory: Trajectory, advantage: float) -> Sample:
    """Line a trajectory's turns up as one row of tokens.

    Raises:
        ValueError: A turn has no exact tokens, or a later prompt does not begin with the earlier tokens.
    """
    generations = [step.decision.generation for step in trajectory.steps]
    prompt: tuple[int, ...] = ()
    tail: list[int] = []
    written: list[bool] = []
    logprobs: list[float] = []
    for index, generation in enumerate(generations):
        if generation is None:
            raise ValueError(f"task {trajectory.task_id}: a turn has no exact tokens, so it cannot be trained on")
        if index == 0:
            prompt = generation.prompt_ids
        seen = (*prompt, *tail)
        if generation.prompt_ids[: len(seen)] != seen:
            raise ValueError(f"task {trajectory.task_id}: turn {index} does not continue the tokens before it")
        read = generation.prompt_ids[len(seen) :]
        tail += [*read, *generation.completion_ids]
        written += [False] * len(read) + [True] * len(generation.completion_ids)
        logprobs += [0.0] * len(read) + list(generation.logprobs)
    return Sample(prompt, tuple(tail), tuple(written), tuple(logprobs), advantage)


def arrange(samples: Sequence[Sample]) -> list[list[Sample]]:
    """Bring samples of one prompt together; the order of first appearance decides, so it is the same in every run."""
    groups: dict[tuple[int, ...], list[Sample]] = {}
    for sample in samples:
        groups.setdefault(sample.prompt_ids, []).append(sample)
    return list(groups.values())
