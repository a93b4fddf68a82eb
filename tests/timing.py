"""Bounds on computing time that hold on any machine: they find what grows with the square, not what is slow."""

import time
from collections.abc import Callable
from typing import TypeVar

MARGIN = 12
"""Coverage and other work make code several times slower; what is meant to be found takes minutes."""

ResultT = TypeVar("ResultT")


def computed_soon(call: Callable[[], ResultT], usual_s: float) -> ResultT:
    """Return what ``call`` returns, and fail if it computes for more than ``MARGIN`` times its usual time.

    Args:
        call: What is measured: its process's computing time, not the clock's.
        usual_s: Seconds that it takes at most on a quiet machine.
    """
    started_s = time.process_time()
    result = call()
    took_s = time.process_time() - started_s
    assert took_s < MARGIN * usual_s, f"computed for {took_s:.1f} s, where {usual_s:g} s are usual"
    return result
