"""What a rubric returns: a score of named parts, and the one reward that follows from it."""

from dataclasses import dataclass
from typing import Any, Literal


@dataclass(frozen=True, slots=True)
class Part:
    """One named part of a score.

    Attributes:
        name: What is measured, as one word_with_underscores.
        value: The measurement.
        weight: What one unit of it adds to the reward; a part of weight 0 is a metric.
        note: Why the value is what it is. Owner's side only.
    """

    name: str
    value: float
    weight: float = 0.0
    note: str = ""


@dataclass(frozen=True, slots=True)
class Judgement:
    """An answer that a judge may be asked about; the owner's side, like all of a score.

    Where the rubric's own matcher could not tell (``matched`` is ``unsure``), the score that carries it is worth
    neither a right nor a wrong answer, and the two scores it would be are here. The rollout asks the judge and puts one
    of them in its place; without a judge the score stays as it is, and says that it is unsure.

    Attributes:
        question: What was asked.
        right: The right answer.
        given: The answer that was given.
        answer_type: What sort of thing the right answer is; empty where it is not said.
        matched: What the matcher made of it.
        if_right: The score for an answer that the judge finds right; None unless ``matched`` is ``unsure``.
        if_wrong: The score for one that it finds wrong; None unless ``matched`` is ``unsure``.
    """

    question: str
    right: str
    given: str
    answer_type: str
    matched: Literal["right", "wrong", "unsure"]
    if_right: "Score | None" = None
    if_wrong: "Score | None" = None


@dataclass(frozen=True, slots=True)
class Score:
    """The parts of one episode's score, in the rubric's order.

    Attributes:
        parts: The parts.
        judgement: The answer that a judge may be asked about, None where there is none. It is not recorded: what came
            of it is in the parts.
    """

    parts: tuple[Part, ...]
    judgement: Judgement | None = None

    @property
    def reward(self) -> float:
        """The weighted sum of all parts: one float."""
        return float(sum(part.weight * part.value for part in self.parts))

    @property
    def values(self) -> dict[str, float]:
        """Every part's value by name."""
        return {part.name: part.value for part in self.parts}

    def to_json(self) -> list[dict[str, Any]]:
        """Return the parts as plain data."""
        return [{"name": p.name, "value": p.value, "weight": p.weight, "note": p.note} for p in self.parts]

    @classmethod
    def from_json(cls, data: list[dict[str, Any]]) -> "Score":
        """Read what :meth:`to_json` wrote."""
        return cls(tuple(Part(d["name"], d["value"], d["weight"], d.get("note", "")) for d in data))
