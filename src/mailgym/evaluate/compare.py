"""Two agents on the same tasks, paired: the difference, whether it is chance, and where it comes from."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from mailgym.core.episode import Trajectory
from mailgym.evaluate.benchmark import clusters_of, reward_of
from mailgym.evaluate.statistics import RESAMPLES, PairedDifference, holm, paired_difference


@dataclass(frozen=True, slots=True)
class EpisodePair:
    """One task as two agents played it."""

    before: Trajectory
    after: Trajectory
    difference: float


@dataclass(frozen=True, slots=True)
class Comparison:
    """What ``after`` has more than ``before`` on the tasks both played.

    Attributes:
        before: Name of the one compared with.
        after: Name of the other.
        difference: Mean paired difference with interval and p-value; None when no pair is left.
        pairs: The pairs, in the order of ``before``.
        left_out: Tasks that only one of them played, or that one of them failed on (as a failure, not a low
            reward).
    """

    before: str
    after: str
    difference: PairedDifference | None
    pairs: tuple[EpisodePair, ...]
    left_out: int

    def most_improved(self, count: int = 3) -> list[EpisodePair]:
        """Return the pairs that gained most, best first; only pairs that gained."""
        gained = [pair for pair in self.pairs if pair.difference > 0]
        return sorted(gained, key=lambda pair: -pair.difference)[:count]

    def most_worsened(self, count: int = 3) -> list[EpisodePair]:
        """Return the pairs that lost most, worst first; only pairs that lost."""
        lost = [pair for pair in self.pairs if pair.difference < 0]
        return sorted(lost, key=lambda pair: pair.difference)[:count]

    def counts(self) -> tuple[int, int, int]:
        """Return how many pairs gained, stayed the same and lost."""
        gained = sum(pair.difference > 0 for pair in self.pairs)
        lost = sum(pair.difference < 0 for pair in self.pairs)
        return gained, len(self.pairs) - gained - lost, lost

    def to_json(self) -> dict[str, Any]:
        """Return the figures as plain data, without the episodes."""
        gained, same, lost = self.counts()
        return {
            "before": self.before,
            "after": self.after,
            "difference": self.difference.to_json() if self.difference else None,
            "pairs": len(self.pairs),
            "left_out": self.left_out,
            "gained": gained,
            "same": same,
            "lost": lost,
        }


def compare(
    before: Sequence[Trajectory],
    after: Sequence[Trajectory],
    *,
    names: tuple[str, str] = ("before", "after"),
    failed_reward: float | None = None,
    seed: int = 0,
    resamples: int = RESAMPLES,
) -> Comparison:
    """Pair two agents' episodes by task and sample, and measure the difference.

    The interval draws templates and mailboxes (:mod:`mailgym.evaluate.statistics`). A pair in which an
    episode failed is left out and counted, unless ``failed_reward`` says what a failure counts.

    Args:
        before: The episodes to compare with.
        after: The other agent's episodes.
        names: What to call the two.
        failed_reward: What a failed episode counts; None leaves its pair out.
        seed: Decides the draws.
        resamples: Number of bootstrap draws.

    Raises:
        ValueError: One of them has two episodes of the same task and sample.
    """
    first, second = _by_key(before, names[0]), _by_key(after, names[1])
    pairs, rewards = [], []
    for key, trajectory in first.items():
        other = second.get(key)
        was = reward_of(trajectory, failed_reward)
        now = reward_of(other, failed_reward) if other is not None else None
        if other is not None and was is not None and now is not None:
            pairs.append(EpisodePair(trajectory, other, now - was))
            rewards.append((was, now))
    difference = None
    if pairs:
        befores, afters = zip(*rewards, strict=True)
        ways = clusters_of([pair.before if pair.before.key else pair.after for pair in pairs])
        difference = paired_difference(befores, afters, ways, seed=seed, resamples=resamples)
    left_out = len(first.keys() | second.keys()) - len(pairs)
    return Comparison(names[0], names[1], difference, tuple(pairs), left_out)


def compare_all(
    reference: Sequence[Trajectory],
    others: Mapping[str, Sequence[Trajectory]],
    *,
    name: str,
    failed_reward: float | None = None,
    seed: int = 0,
    resamples: int = RESAMPLES,
) -> list[tuple[Comparison, float | None]]:
    """Compare a reference with several agents; each p-value comes with Holm's adjustment for their number.

    Each difference is the reference's reward minus the other's: above zero, the reference is better.
    """
    comparisons = [
        compare(
            episodes,
            reference,
            names=(other, name),
            failed_reward=failed_reward,
            seed=seed,
            resamples=resamples,
        )
        for other, episodes in others.items()
    ]
    tested = [comparison for comparison in comparisons if comparison.difference is not None]
    p_values = [comparison.difference.p_value for comparison in tested if comparison.difference is not None]
    adjusted = dict(zip((id(comparison) for comparison in tested), holm(p_values), strict=True))
    return [(comparison, adjusted.get(id(comparison))) for comparison in comparisons]


def by_kind(trajectories: Sequence[Trajectory]) -> dict[str, list[Trajectory]]:
    """Return the episodes by the kind of their task, kinds in alphabetical order."""
    kinds: dict[str, list[Trajectory]] = {}
    for trajectory in trajectories:
        kinds.setdefault(str(trajectory.key.get("kind", "")) or "unknown", []).append(trajectory)
    return dict(sorted(kinds.items()))


def _by_key(trajectories: Sequence[Trajectory], name: str) -> dict[tuple[str, int], Trajectory]:
    keyed: dict[tuple[str, int], Trajectory] = {}
    for trajectory in trajectories:
        key = (trajectory.task_id, trajectory.sample)
        if key in keyed:
            raise ValueError(f"{name} has two episodes of task {key[0]} sample {key[1]}: keep one attempt of each")
        keyed[key] = trajectory
    return keyed
