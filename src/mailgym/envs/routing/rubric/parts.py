"""How the worth of each mail becomes the parts of an episode's score, the same in both profiles."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from mailgym.core.score import Part, Score
from mailgym.envs.routing.schema import Level

COMPONENTS = ("label", "department", "summary", "reply")


@dataclass(frozen=True, slots=True)
class Worth:
    """What one mail was worth.

    Attributes:
        reward: Its reward.
        measured: By component, what was reached, 0 to 1; a component that the task does not ask for is missing.
        notes: By component, why.
    """

    reward: float
    measured: Mapping[str, float]
    notes: Mapping[str, str]


def score_of(levels: Sequence[Level], worths: Sequence[Worth], bad_calls: int, bad_call_price: float) -> Score:
    """Return the score of an episode: the mean of its mails' worth, those that are not handled yet counting 0.

    Parts: one by the name of each task, its mail's worth, weighted by one through the number of tasks; ``bad_calls``.
    Metrics: each component of each mail (``urgency_detection_reply``), and its mean over the mails that are asked for
    it (``reply``).

    Args:
        levels: The episode's tasks.
        worths: Of the mails handled so far, in the same order.
        bad_calls: How many actions were none.
        bad_call_price: What each costs.
    """
    parts: list[Part] = []
    metrics: list[Part] = []
    reached: dict[str, list[float]] = {}
    for number, level in enumerate(levels):
        worth = worths[number] if number < len(worths) else Worth(0.0, {}, {})
        parts.append(Part(level.part, worth.reward, 1.0 / len(levels)))
        for component, value in worth.measured.items():
            metrics.append(Part(f"{level.part}_{component}", value, 0.0, worth.notes.get(component, "")))
            reached.setdefault(component, []).append(value)
    means = [Part(component, sum(values) / len(values)) for component, values in reached.items()]
    return Score((*parts, Part("bad_calls", float(bad_calls), -bad_call_price), *means, *metrics))
