"""Ranks the messages that hold keywords.

A phrase counts as a term of its own: it is as frequent in a message as the least frequent of its words, and as rare in
the mailbox as the messages that hold them all. Whether its words stand together is looked up in the message itself,
best candidates first, and only until enough hits are sure.
"""

import heapq
import sqlite3
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mailgym.mail.index import K1, Docs, Index, Mask, Term, View
from mailgym.mail.query import Terms

FIRST_LOOK = 1_000
"""How many of the best candidates are put in order before the others are."""
Scores = NDArray[np.float64]
Holds = Callable[[int, tuple[str, ...]], bool]
"""Tells whether a message holds a phrase."""


@dataclass(frozen=True, slots=True)
class _Phrase:
    """A phrase that is yet to be looked up: messages that hold all its words, and what it would add to their score."""

    stems: tuple[str, ...]
    docs: Docs
    scores: Scores

    def score(self, doc: int) -> float:
        place = int(np.searchsorted(self.docs, doc))
        return float(self.scores[place]) if place < len(self.docs) and self.docs[place] == doc else 0.0


def rank(
    index: Index,
    connection: sqlite3.Connection,
    view: View,
    terms: Terms,
    mask: Mask | None,
    most: int,
    *,
    by_date: bool,
    holds: Holds,
) -> list[tuple[int, float]]:
    """Return the best messages with their scores, best first; the newest first among equals.

    Args:
        index: The mailbox's index.
        connection: To read it by.
        view: The messages that exist.
        terms: The keywords.
        mask: Shape (N,): which messages the filters let through; None for all that exist.
        most: How many to return.
        by_date: The newest first, instead of the best.
        holds: Looks up a phrase in a message.
    """
    found: list[tuple[Docs, Scores]] = []
    phrases: list[_Phrase] = []
    for stems in terms.phrases:
        term = _together([index.term(connection, stem) for stem in stems])
        added = _score(term, view)
        found.append((term.docs, added))
        if len(stems) > 1:
            phrases.append(_Phrase(stems, term.docs, added))
    all_docs = np.concatenate([docs for docs, _ in found])
    scores: Scores = np.bincount(all_docs, np.concatenate([added for _, added in found]), len(index)).astype(float)
    counts = np.bincount(all_docs, minlength=len(index)).astype(np.int64) if terms.is_all or phrases else None
    is_hit = counts == len(terms.phrases) if counts is not None and terms.is_all else scores > 0
    allowed = view.visible if mask is None else mask
    candidates = np.flatnonzero(is_hit if allowed is None else is_hit & allowed)
    keys: Scores = np.zeros(len(candidates)) if by_date else scores[candidates]
    if counts is None or not phrases:
        ordered = in_order(candidates, keys, index.dates_s, most)
        return [(doc, float(scores[doc])) for doc in ordered.tolist()]
    check = _Check(terms, phrases, scores, counts, holds)
    return list(_sure(candidates, keys, index.dates_s, check, most, by_date=by_date))


def _together(parts: list[Term]) -> Term:
    """Return the messages in which all parts stand, as often as the least frequent of them."""
    whole = parts[0]
    for part in parts[1:]:
        docs, left, right = np.intersect1d(whole.docs, part.docs, assume_unique=True, return_indices=True)
        whole = Term(docs, np.minimum(whole.frequencies[left], part.frequencies[right]))
    return whole


def _score(term: Term, view: View) -> Scores:
    """Return what a term adds to the score of each of its messages.

    Source: BM25 as in :meth:`mailgym.mail.index.Index.view`, with the inverse document frequency
        log(1 + (N - n + 0.5) / (n + 0.5)), which is never negative.
    """
    count = len(term.docs) if view.visible is None else int(view.visible[term.docs].sum())
    rarity = np.float32((K1 + 1) * np.log1p((view.count - count + 0.5) / (count + 0.5)))
    return (rarity * term.frequencies / (term.frequencies + view.norms[term.docs])).astype(np.float64)


def in_order(docs: Docs, keys: Scores, dates_s: NDArray[np.int64], most: int | None = None) -> Docs:
    """Return messages by falling key, then from the newest to the oldest, then as they came.

    Args:
        docs: Shape (n,): ascending.
        keys: Shape (n,).
        dates_s: Dates of all messages.
        most: How many to return; None for all.
    """
    if most is not None and len(docs) > most:
        least = np.partition(keys, len(keys) - most)[len(keys) - most]
        sure = keys > least
        tied = docs[keys == least]
        rest = most - int(sure.sum())
        if len(tied) > rest:  # of those with the same key the newest get in
            ages = -dates_s[tied]
            tied = tied[np.argpartition(ages, rest - 1)[:rest]] if _is_clear(ages, rest) else tied
        kept = np.concatenate([docs[sure], tied])
        kept_keys = np.concatenate([keys[sure], np.full(len(tied), least, keys.dtype)])
        docs, keys = kept, kept_keys
    return docs[np.lexsort((docs, -dates_s[docs], -keys))][:most]


def _is_clear(ages: NDArray[np.int64], rest: int) -> bool:
    """Tell whether no two messages of one age stand on both sides of the cut."""
    parted = np.partition(ages, (rest - 1, rest))
    return bool(parted[rest - 1] != parted[rest])


class _Check:
    """Makes a candidate's score sure by looking its phrases up."""

    def __init__(self, terms: Terms, phrases: list[_Phrase], scores: Scores, counts: Docs, holds: Holds) -> None:
        self._is_all = terms.is_all
        self._phrases = phrases
        self._scores = scores
        self._counts = counts
        self._holds = holds

    def __call__(self, doc: int) -> float | None:
        """Return the score, None where the message is no hit."""
        score, count = float(self._scores[doc]), int(self._counts[doc])
        for phrase in self._phrases:
            added = phrase.score(doc)
            if added and not self._holds(doc, phrase.stems):
                score -= added
                count -= 1
                if self._is_all or not count:
                    return None
        return score


def _sure(
    candidates: Docs, keys: Scores, dates_s: NDArray[np.int64], check: _Check, most: int, *, by_date: bool
) -> Iterator[tuple[int, float]]:
    """Walk through the hits, best first; ``keys`` are upper bounds of their scores."""
    waiting: list[tuple[float, int, int, float]] = []
    given = 0
    for bound, doc in _from_the_best(candidates, keys, dates_s):
        newest = -int(dates_s[doc])
        while waiting and waiting[0] <= (-bound, newest, doc, 0.0):
            _, _, ready, score = heapq.heappop(waiting)
            yield ready, score
            given += 1
            if given == most:
                return
        sure = check(doc)
        if sure is not None:
            heapq.heappush(waiting, (0.0 if by_date else -sure, newest, doc, sure))
    while waiting and given < most:
        _, _, ready, score = heapq.heappop(waiting)
        yield ready, score
        given += 1


def _from_the_best(candidates: Docs, keys: Scores, dates_s: NDArray[np.int64]) -> Iterator[tuple[float, int]]:
    """Walk through (key, message) in order; the first thousand are sorted before the others are."""
    first = in_order(candidates, keys, dates_s, FIRST_LOOK)
    by_doc = np.zeros(len(dates_s))
    by_doc[candidates] = keys
    for doc in first.tolist():
        yield float(by_doc[doc]), doc
    if len(first) < len(candidates):
        rest = np.setdiff1d(candidates, first, assume_unique=True)
        for doc in in_order(rest, by_doc[rest], dates_s).tolist():
            yield float(by_doc[doc]), doc
