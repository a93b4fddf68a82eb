"""How well mails are put in order: two rank correlations, by scipy, with ties and missing ranks defined.

What both have in common: a mail that was given no rank stands in the middle, at (n + 1) / 2, tied with the others
without one; an order that is constant, as is one of no ranks at all, has no correlation, which counts as 0.
"""

from collections.abc import Sequence

GivenRank = int | None


def spearman(given: Sequence[GivenRank], right: Sequence[int]) -> float:
    """Return Spearman's rank correlation of the ranks given with the right ones, in [-1, 1]; 0 for a constant.

    Ties get the mean of the ranks that they take up. It weighs every place alike: to exchange the first two mails costs
    just what it costs to exchange the last two.

    Args:
        given: A rank a mail, 1 for the first; None where none was given.
        right: The right ranks, in the same order.
    """
    if _no_order(given, right):
        return 0.0
    from scipy.stats import spearmanr

    return _bounded(float(spearmanr(_filled(given), right).statistic))


def top_weighted(given: Sequence[GivenRank], right: Sequence[int]) -> float:
    """Return the weighted tau of the ranks given with the right ones, in [-1, 1]; 0 for a constant.

    Two mails in the wrong order cost the more the nearer they are to the top: a pair weighs the sum of 1 / (place) of
    its mails, the mean over the places given and the right ones. Ties are handled as in Kendall's tau-b.

    Args:
        given: A rank a mail, 1 for the first; None where none was given.
        right: The right ranks, in the same order.

    Source: Vigna, A weighted correlation index for rankings with ties (2015); ``scipy.stats.weightedtau`` with its
    additive hyperbolic weighting.
    """
    if _no_order(given, right):
        return 0.0
    from scipy.stats import weightedtau

    return _bounded(float(weightedtau([-rank for rank in _filled(given)], [-rank for rank in right]).statistic))


def share_ranked(given: Sequence[GivenRank]) -> float:
    """Return the share of mails that were given a rank."""
    return sum(rank is not None for rank in given) / len(given)


def _no_order(given: Sequence[GivenRank], right: Sequence[int]) -> bool:
    return len(set(_filled(given))) < 2 or len(set(right)) < 2


def _filled(given: Sequence[GivenRank]) -> list[float]:
    middle = (len(given) + 1) / 2
    return [middle if rank is None else float(rank) for rank in given]


def _bounded(value: float) -> float:
    return max(-1.0, min(1.0, value))
