"""Which figures tell how an agent did in an environment, beside its reward; tables know no environment by name."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

Statistic = Literal["mean", "interval", "p50", "p95"]
Better = Literal["higher", "lower", "neither"]
MEASURED_BY_ROLLOUT = frozenset(
    {"turns", "latency_s", "prompt_tokens", "completion_tokens", "cost_usd", "judge_cost_usd"}
)
"""What trajectories measure beside the score: costs, none of them a component of what an agent achieved."""


@dataclass(frozen=True, slots=True)
class Figure:
    """One column of a benchmark's table.

    Attributes:
        title: Its heading.
        names: Parts of the score, ``reward``, or what the rollout measures (``turns``, ``latency_s``, ``cost_usd``): an
            episode's value is the sum of those it has; one that lacks the first is left out.
        statistic: What is made of the episodes' values.
        digits: Decimals shown.
        scale: What the result is multiplied by.
        failed: What an episode counts that the agent's side failed in; None leaves it out, as an episode is in which
            the judge failed: what it was worth is not known.
        better: Which way an agent improves; ``neither`` where a change says nothing. A comparison before and after
            training tests that no figure fell.
    """

    title: str
    names: tuple[str, ...]
    statistic: Statistic = "mean"
    digits: int = 2
    scale: float = 1.0
    failed: float | None = None
    better: Better = "higher"


@dataclass(frozen=True, slots=True)
class Published:
    """A row of somebody else's figures, on other tasks and machines: shown beside, never compared by a test.

    Attributes:
        name: What it is called in the table.
        cells: Cells by the title of their figure.
        source: Where the figures were published, and what they were measured on.
    """

    name: str
    source: str
    cells: Mapping[str, str] = field(default_factory=dict)
