"""How well a list names the right items."""

from collections.abc import Collection, Sequence


def rank_of_first(items: Sequence[str], right: Collection[str]) -> int | None:
    """Return the rank, counted from 1, of the first item that is right; None when none is."""
    return next((rank for rank, item in enumerate(items, 1) if item in right), None)


def reciprocal_rank(items: Sequence[str], right: Collection[str], depth: int = 10) -> float:
    """Return 1 / rank of the first right item among the first ``depth`` items, 0 when none of them is right.

    Source: the reciprocal rank of TREC-8's question answering track (Voorhees 1999), cut at ``depth``.
    """
    rank = rank_of_first(items[:depth], right)
    return 1.0 / rank if rank else 0.0


def citation_share(cited: Sequence[str], right: Collection[str]) -> float:
    """Return the number of right items cited divided by the number of citations, between 0 and 1.

    A right item counts once however often it is cited, while every citation is counted below the line:
    repeats and items that do not exist lower the share. Nothing cited gives 0.
    """
    if not cited:
        return 0.0
    return len(set(cited) & set(right)) / len(cited)


def citation_f1(cited: Sequence[str], right: Collection[str]) -> float:
    """Return the harmonic mean of how many citations are right and how many right items are cited, between 0 and 1.

    Precision is :func:`citation_share`, so repeats and items that do not exist lower it. Nothing cited is right where
    nothing could be, and gives 1 there; otherwise it gives 0.
    """
    if not cited or not right:
        return float(not cited and not right)
    precision = citation_share(cited, right)
    recall = len(set(cited) & set(right)) / len(set(right))
    return 2 * precision * recall / (precision + recall) if precision else 0.0
