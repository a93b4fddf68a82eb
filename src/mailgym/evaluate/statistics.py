"""Means and differences with intervals that know about clusters, and tests that know about pairs.

Questions from one template, or about one mailbox, succeed and fail together. Treating them as independent
gives intervals that are too narrow, so that here clusters are drawn, not questions:

- no clusters: questions are drawn;
- one way (by template): whole clusters are drawn;
- two ways, crossed (by template and by mailbox): both are drawn independently and a question counts the
  product of its clusters' counts (the pigeonhole bootstrap).

A way with a single cluster says nothing about how clusters differ and is left out. Everything is seeded.

Source:
    Owen 2007, "The pigeonhole bootstrap", Annals of Applied Statistics 1(2): for crossed random effects its
    variance is right for the clusters' shares and up to three times too large for the questions' own share:
    it errs on the wide side. Deviation: a draw in which no question is left is dropped.
    Efron 1987, "Better bootstrap confidence intervals" (BCa). Hesterberg 2015, "What teachers should know
    about the bootstrap": percentiles are widened for few clusters, from the normal to Student's
    t, with the factor sqrt(k / (k - 1)); not for two ways, which are wide already. Holm 1979 for several
    tests at once.
"""

from collections.abc import Hashable, Sequence
from dataclasses import asdict, dataclass
from statistics import NormalDist
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from mailgym.core.seeds import numpy_stream

Floats = NDArray[np.float64]
Ways = Sequence[Sequence[Hashable]]
Method = Literal["percentile", "bca"]

RESAMPLES = 10_000
EXACT_CLUSTERS = 14
_CHUNK_CELLS = 4_000_000
_NORMAL = NormalDist()


@dataclass(frozen=True, slots=True)
class Interval:
    """A mean and the interval around it.

    Attributes:
        mean: Mean over the N questions.
        low: Lower end.
        high: Upper end.
        level: Share of such intervals that hold the true mean, 0.95 for 95 %.
        n: Number of questions N.
        clusters: Number of clusters in each way that was drawn; empty when questions were drawn.
    """

    mean: float
    low: float
    high: float
    level: float
    n: int
    clusters: tuple[int, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Return plain data."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class PairedDifference:
    """What one agent has more than another on the same questions.

    Attributes:
        interval: Mean difference with its interval.
        p_value: Two-sided, by flipping the signs of whole clusters.
        smallest_p: The least p-value that so few clusters can give; the test is blind where it exceeds the
            level.
    """

    interval: Interval
    p_value: float
    smallest_p: float

    def to_json(self) -> dict[str, Any]:
        """Return plain data."""
        return {"interval": self.interval.to_json(), "p_value": self.p_value, "smallest_p": self.smallest_p}


def bootstrap_mean(
    values_N: Sequence[float],
    ways: Ways = (),
    *,
    level: float = 0.95,
    resamples: int = RESAMPLES,
    seed: int = 0,
    method: Method = "percentile",
) -> Interval:
    """Return the mean of N values with a bootstrap interval.

    Args:
        values_N: One finite number a question.
        ways: Up to two clusterings; each gives the N questions' clusters.
        level: Share of such intervals that should hold the true mean.
        resamples: Number of bootstrap draws.
        seed: Decides the draws.
        method: ``percentile`` (widened for few clusters), or ``bca``, which corrects bias and skew and takes
            at most one way.

    Raises:
        ValueError: No values, a value that is not finite, a clustering of another length, or more ways than
            the method takes.
    """
    values = _finite_values(values_N)
    codes = _codes(ways, len(values))
    if len(codes) > (1 if method == "bca" else 2):
        raise ValueError(f"{method} takes at most {1 if method == 'bca' else 2} clusterings, got {len(codes)}")
    mean = float(values.mean())
    clusters = tuple(int(code.max()) + 1 for code in codes)
    if len(values) == 1:
        return Interval(mean, mean, mean, level, 1, clusters)
    means = resampled_means(values, codes, resamples, numpy_stream(seed, "bootstrap"))
    tails = _bca_tails(values, codes, means, level) if method == "bca" else _tails(level, codes, len(values))
    low, high = np.quantile(means, tails)
    return Interval(mean, float(low), float(high), level, len(values), clusters)


def paired_difference(
    first_N: Sequence[float],
    second_N: Sequence[float],
    ways: Ways = (),
    *,
    level: float = 0.95,
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> PairedDifference:
    """Return the mean of second minus first on the same N questions, with interval and p-value.

    The interval draws all the ways; the test flips the signs by the way with the most clusters (questions
    when there is none), since clusters of fewer than six cannot reach a p-value of 0.05.

    Args:
        first_N: The first agent's values.
        second_N: The second agent's values on the same questions, in the same order.
        ways: Up to two clusterings of the questions.
        level: Share of such intervals that should hold the true difference.
        resamples: Number of bootstrap draws, and of sign flips where they are not all tried.
        seed: Decides the draws.

    Raises:
        ValueError: The two are of different length, or as for :func:`bootstrap_mean`.
    """
    if len(first_N) != len(second_N):
        raise ValueError(f"a paired difference needs the same questions: got {len(first_N)} and {len(second_N)}")
    differences = _finite_values(second_N) - _finite_values(first_N)
    interval = bootstrap_mean(differences.tolist(), ways, level=level, resamples=resamples, seed=seed)
    codes = sorted(_codes(ways, len(differences)), key=lambda code: int(code.max()))
    clusters = codes[-1].tolist() if codes else None
    p_value = sign_flip_test(differences.tolist(), clusters, resamples=resamples, seed=seed)
    count = int(codes[-1].max()) + 1 if codes else len(differences)
    smallest = 2.0 ** (1 - count) if count <= EXACT_CLUSTERS else 1.0 / (resamples + 1)
    return PairedDifference(interval, p_value, smallest)


def sign_flip_test(
    differences_N: Sequence[float],
    clusters_N: Sequence[Hashable] | None = None,
    *,
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> float:
    """Return the two-sided p-value that differences centre on zero, flipping the signs of whole clusters.

    All flips are tried up to 14 clusters; beyond, ``resamples`` random ones with the observed one counted in.

    Raises:
        ValueError: No differences, one that is not finite, or a clustering of another length.
    """
    differences = _finite_values(differences_N)
    code = np.arange(len(differences)) if clusters_N is None else _encode(clusters_N, len(differences))
    sums_C = _sums(code, differences)
    observed = abs(float(sums_C.sum()))
    slack = 1e-12 * (1.0 + float(np.abs(sums_C).sum()))
    count = len(sums_C)
    if count <= EXACT_CLUSTERS:
        bits = (np.arange(2**count)[:, None] >> np.arange(count)) & 1
        return float(np.mean(np.abs((1.0 - 2.0 * bits) @ sums_C) >= observed - slack))
    rng = numpy_stream(seed, "sign flips")
    reached = 0
    for size in _chunks(resamples, count):
        signs = rng.integers(0, 2, size=(size, count), dtype=np.int8) * 2.0 - 1.0
        reached += int(np.sum(np.abs(signs @ sums_C) >= observed - slack))
    return (reached + 1) / (resamples + 1)


def holm(p_values: Sequence[float]) -> list[float]:
    """Return Holm's adjusted p-values, in the order given: compare each with the level for the whole family.

    Source: Holm 1979, "A simple sequentially rejective multiple test procedure".
    """
    order = sorted(range(len(p_values)), key=lambda index: p_values[index])
    adjusted = [0.0] * len(p_values)
    largest = 0.0
    for rank, index in enumerate(order):
        largest = max(largest, min(1.0, (len(p_values) - rank) * p_values[index]))
        adjusted[index] = largest
    return adjusted


def resampled_means(
    values_N: Floats, codes: Sequence[NDArray[np.intp]], resamples: int, rng: np.random.Generator
) -> Floats:
    """Return the means of the bootstrap draws, at most ``resamples`` of them (empty draws are dropped)."""
    if not codes:
        return _one_way(values_N, np.ones(len(values_N)), resamples, rng)
    if len(codes) == 1:
        counts_C = _sums(codes[0], np.ones(len(values_N)))
        return _one_way(_sums(codes[0], values_N), counts_C, resamples, rng)
    first, second = codes
    shape = (int(first.max()) + 1, int(second.max()) + 1)
    sums_AB, counts_AB = np.zeros(shape), np.zeros(shape)
    np.add.at(sums_AB, (first, second), values_N)
    np.add.at(counts_AB, (first, second), 1.0)
    means = []
    for size in _chunks(resamples, max(shape)):
        drawn_RA = _draw(shape[0], size, rng)
        drawn_RB = _draw(shape[1], size, rng)
        total_R = ((drawn_RA @ sums_AB) * drawn_RB).sum(axis=1)
        count_R = ((drawn_RA @ counts_AB) * drawn_RB).sum(axis=1)
        means.append(total_R[count_R > 0] / count_R[count_R > 0])
    return np.concatenate(means)


def _one_way(sums_C: Floats, counts_C: Floats, resamples: int, rng: np.random.Generator) -> Floats:
    means = []
    for size in _chunks(resamples, len(sums_C)):
        drawn_RC = _draw(len(sums_C), size, rng)
        means.append((drawn_RC @ sums_C) / (drawn_RC @ counts_C))
    return np.concatenate(means)


def _draw(clusters: int, resamples: int, rng: np.random.Generator) -> Floats:
    """Return how often each cluster is drawn: (resamples, clusters), rows summing to clusters."""
    drawn = rng.integers(0, clusters, size=(resamples, clusters))
    flat = (drawn + np.arange(resamples)[:, None] * clusters).ravel()
    return np.bincount(flat, minlength=resamples * clusters).reshape(resamples, clusters).astype(np.float64)


def _sums(code_N: NDArray[np.intp], values_N: Floats) -> Floats:
    return np.bincount(code_N, weights=values_N).astype(np.float64)


def _chunks(resamples: int, width: int) -> list[int]:
    size = max(1, min(resamples, _CHUNK_CELLS // max(width, 1)))
    whole, rest = divmod(resamples, size)
    return [size] * whole + ([rest] if rest else [])


def _finite_values(values: Sequence[float]) -> Floats:
    array = np.asarray(values, dtype=np.float64)
    if array.ndim != 1 or len(array) == 0:
        raise ValueError("no values: statistics need at least one episode that did not fail")
    if not np.isfinite(array).all():
        raise ValueError("a value is not finite: leave failed episodes out, and say how many")
    return array


def _codes(ways: Ways, length: int) -> list[NDArray[np.intp]]:
    codes = [_encode(way, length) for way in ways]
    return [code for code in codes if int(code.max()) > 0]


def _encode(clusters: Sequence[Hashable], length: int) -> NDArray[np.intp]:
    if len(clusters) != length:
        raise ValueError(f"a clustering needs one cluster a question: got {len(clusters)} for {length}")
    numbers: dict[Hashable, int] = {}
    return np.array([numbers.setdefault(cluster, len(numbers)) for cluster in clusters], dtype=np.intp)


def _tails(level: float, codes: Sequence[NDArray[np.intp]], length: int) -> list[float]:
    tail = (1 - level) / 2
    if len(codes) < 2:
        units = int(codes[0].max()) + 1 if codes else length
        quantile = student_t_quantile(1 - tail, units - 1)
        tail = _NORMAL.cdf(-quantile * (units / (units - 1)) ** 0.5)
    return [tail, 1 - tail]


def _bca_tails(values: Floats, codes: Sequence[NDArray[np.intp]], means: Floats, level: float) -> list[float]:
    code = codes[0] if codes else np.arange(len(values))
    sums, counts = _sums(code, values), _sums(code, np.ones(len(values)))
    left_out = (sums.sum() - sums) / (counts.sum() - counts)
    spread = left_out.mean() - left_out
    scale = float((spread**2).sum()) ** 1.5
    acceleration = float((spread**3).sum()) / (6 * scale) if scale > 0 else 0.0
    mean = values.mean()
    below = float(np.mean(means < mean) + np.mean(means == mean) / 2)
    bias = _NORMAL.inv_cdf(min(max(below, 1 / (len(means) + 1)), len(means) / (len(means) + 1)))
    tails = []
    for quantile in (_NORMAL.inv_cdf((1 - level) / 2), _NORMAL.inv_cdf((1 + level) / 2)):
        shifted = bias + quantile
        tails.append(_NORMAL.cdf(bias + shifted / (1 - acceleration * shifted)))
    return tails


def student_t_quantile(probability: float, degrees: int) -> float:
    """Return the quantile of Student's t with this many degrees of freedom, to about six digits.

    Args:
        probability: Between 0.5 and 0.9999.
        degrees: Degrees of freedom, at least 1.
    """
    # t = sqrt(degrees) * tan(angle): the density of the angle is cos(angle) ** (degrees - 1), on (-pi/2,
    # pi/2).
    angles = np.linspace(0.0, np.pi / 2, 20_001)
    density = np.cos(angles) ** (degrees - 1)
    cumulated = np.concatenate([[0.0], np.cumsum((density[1:] + density[:-1]) / 2)])
    angle = float(np.interp(2 * probability - 1, cumulated / cumulated[-1], angles))
    return float(np.sqrt(degrees) * np.tan(angle))
