"""Named random streams, all derived from one seed.

A stream is named by what it decides (``stream(7, "batch", update)``), never by when it is drawn, so that neither
concurrency nor a resume changes what comes out.
"""

import hashlib
import random

import numpy as np

Name = str | int


def derive_seed(seed: int, *names: Name) -> int:
    """Return a 63-bit seed that depends on ``seed`` and every name, and on nothing else."""
    text = "\x1f".join([str(seed), *(f"{type(name).__name__}:{name}" for name in names)])
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big") >> 1


def stream(seed: int, *names: Name) -> random.Random:
    """Return the standard-library random stream of this name."""
    return random.Random(derive_seed(seed, *names))


def numpy_stream(seed: int, *names: Name) -> np.random.Generator:
    """Return the numpy random stream of this name."""
    return np.random.default_rng(derive_seed(seed, *names))
