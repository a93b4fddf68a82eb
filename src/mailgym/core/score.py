"""What a rubric returns: a score of named parts, and the one reward that follows from it."""

from dataclasses import dataclass
from typing import Any


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
class Score:
    """The parts of one episode's score, in the rubric's order."""

    parts: tuple[Part, ...]

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
