"""What the trainer measured, update by update, as series that can be drawn; read leniently."""

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from mailgym.core.runs import RunFolder


@dataclass(frozen=True, slots=True)
class Series:
    """One measured quantity over updates; ``low`` and ``high`` are empty or as long as ``values``."""

    updates: tuple[int, ...] = ()
    values: tuple[float, ...] = ()
    low: tuple[float, ...] = ()
    high: tuple[float, ...] = ()

    def __bool__(self) -> bool:
        """Whether there is anything to draw."""
        return bool(self.updates)


@dataclass(frozen=True, slots=True)
class Curves:
    """Series by name.

    Attributes:
        train: Quantities of the training records, such as ``reward_mean``, ``entropy``, ``live_groups``.
        validation: The validation reward, with its interval where it was recorded.
        seconds: Seconds of each update by phase, those of its validation included.
        warm_start: The loss of the warm start over its own updates.
        warm_start_tokens: Written tokens it was trained on, epochs counted.
        warm_start_seconds: Seconds it took.
        stages: The validation reward of each stage of a curriculum before the run's last one.
    """

    train: dict[str, Series] = field(default_factory=dict)
    validation: Series = field(default_factory=Series)
    seconds: dict[str, Series] = field(default_factory=dict)
    warm_start: Series = field(default_factory=Series)
    warm_start_tokens: int = 0
    warm_start_seconds: float = 0.0
    stages: tuple[Series, ...] = ()

    @property
    def updates(self) -> int:
        """Number of training updates on record."""
        return max((len(series.updates) for series in self.train.values()), default=0)

    @property
    def best_update(self) -> int | None:
        """The update with the highest validation reward, the first of equals; None before any validation."""
        series = self.validation
        if not series:
            return None
        return series.updates[series.values.index(max(series.values))]

    def total_seconds(self) -> dict[str, float]:
        """Return the seconds spent in each phase in all."""
        return {name: sum(series.values) for name, series in self.seconds.items()}


def read_curves(run: RunFolder) -> Curves:
    """Read the series from a run's metrics; a value that is no finite number is left out of its series.

    Raises:
        RunError: The metrics are damaged.
    """
    train = sorted(run.metrics("train"), key=_update)
    validation = sorted(run.metrics("validation"), key=_update)
    warm_start = sorted(run.metrics("warm_start"), key=_update)
    stages = run.config.get("curriculum", {}).get("stages", [])
    timed = [*train, *validation]
    names = dict.fromkeys(name for record in train for name, value in record.items() if _number(value) is not None)
    phases = dict.fromkeys(name for record in timed for name in _seconds(record))
    return Curves(
        train={name: _series((_update(r), r.get(name)) for r in train) for name in names if name != "update"},
        validation=_validation(validation),
        seconds={name: _series((_update(r), _seconds(r).get(name)) for r in timed) for name in phases},
        stages=tuple(
            _validation(sorted(run.metrics(f"stage_{number}_validation"), key=_update))
            for number in range(1, len(stages) + 1)
        ),
        warm_start=_series((_update(r), r.get("loss")) for r in warm_start),
        warm_start_tokens=int(sum(_number(r.get("trained_tokens")) or 0 for r in warm_start)),
        warm_start_seconds=sum(_number(_seconds(r).get("imitate")) or 0.0 for r in warm_start),
    )


def _seconds(record: dict[str, Any]) -> dict[str, Any]:
    seconds = record.get("seconds")
    return seconds if isinstance(seconds, dict) else {}


def _validation(records: list[dict[str, Any]]) -> Series:
    points = [
        (_update(record), mean, _number(record.get("low")), _number(record.get("high")))
        for record in records
        if (mean := _number(record.get("reward_mean"))) is not None
    ]
    with_interval = all(low is not None and high is not None for _, _, low, high in points)
    return Series(
        tuple(update for update, *_ in points),
        tuple(mean for _, mean, *_ in points),
        tuple(low for _, _, low, _ in points if low is not None) if with_interval else (),
        tuple(high for *_, high in points if high is not None) if with_interval else (),
    )


def _series(points: Iterator[tuple[int, Any]]) -> Series:
    kept = [(update, number) for update, value in points if (number := _number(value)) is not None]
    return Series(tuple(update for update, _ in kept), tuple(value for _, value in kept))


def _number(value: Any) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        return None
    return float(value)


def _update(record: dict[str, Any]) -> int:
    number = _number(record.get("update"))
    return int(number) if number is not None else 0
