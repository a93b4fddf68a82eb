"""Clocks are handed in: no result depends on the wall clock unless a caller says so."""

import time
from typing import Protocol


class Clock(Protocol):
    """Seconds that only go forward."""

    def now_s(self) -> float:
        """Return the seconds since some fixed point."""
        ...


class SystemClock:
    """The machine's monotonic clock."""

    def now_s(self) -> float:
        """Return the seconds since the machine started, or thereabouts."""
        return time.monotonic()


class FixedClock:
    """A clock that a test moves by hand."""

    def __init__(self, start_s: float = 0.0) -> None:
        """Start at ``start_s``."""
        self.time_s = start_s

    def now_s(self) -> float:
        """Return the time set last."""
        return self.time_s

    def advance(self, seconds: float) -> None:
        """Move the clock forward by ``seconds``."""
        self.time_s += seconds
