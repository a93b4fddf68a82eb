"""Measures how much of a text is copied from others, in the order in which it stands there."""

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

from mailgym.rubrics.writing.english import words_in

SPAN_WORDS = 5
FREE_WORDS = 8
_READER = frozenset(("you", "your", "yours", "yourself"))
_PARTS = re.compile(r"[\W_]+")


@lru_cache(maxsize=64)
def spans(source: str) -> frozenset[tuple[str, ...]]:
    """Return every run of five words of a plain text."""
    words = words_in(source)
    return frozenset(tuple(words[n : n + SPAN_WORDS]) for n in range(len(words) - SPAN_WORDS + 1))


def copied(words: Sequence[str], sources: Iterable[str]) -> list[bool]:
    """Return for every word whether it stands in a run of at least five that a source has as well."""
    known = [spans(source) for source in sources]
    marks = [False] * len(words)
    for n in range(len(words) - SPAN_WORDS + 1):
        run = tuple(words[n : n + SPAN_WORDS])
        if any(run in source for source in known):
            marks[n : n + SPAN_WORDS] = [True] * SPAN_WORDS
    return marks


def copied_share(text: str, sources: Iterable[str]) -> float:
    """Return the share of a plain text's words that are copied; 0 for a text without words.

    Of the copied words the first eight count as the text's own where it has as many that are: an answer says again what
    it answers.
    """
    marks = copied(words_in(text), sources)
    taken = sum(marks)
    return max(0, taken - min(FREE_WORDS, len(marks) - taken)) / len(marks) if marks else 0.0


def longest_copy(text: str, sources: Iterable[str]) -> int:
    """Return how many words the longest copied stretch has."""
    longest = run = 0
    for mark in copied(words_in(text), sources):
        run = run + 1 if mark else 0
        longest = max(longest, run)
    return longest


def borrowed_share(text: str, sources: Iterable[str]) -> float:
    """Return the share of a plain text's words that its sources have too, in whatever order."""
    said = words_in(text)
    whole = {word for source in sources for word in words_in(source)}
    known = whole | {part for word in whole for part in _PARTS.split(word)}
    return sum(word in known for word in said) / len(said) if said else 0.0


def speaks_as(sentence: str, notes: Iterable[str]) -> bool:
    """Whether a sentence says *you* where notes to its author do: they are pasted, and tell somebody else what to do.

    Words that the notes do not have are passed over, so that a word put in between hides nothing; only *you* and the
    word after it must stand together.
    """
    known = list(notes)
    written = {word for note in known for word in words_in(note)}
    kept = [(place, word) for place, word in enumerate(words_in(sentence)) if word in written]
    for n in range(len(kept) - SPAN_WORDS + 1):
        run = tuple(word for _, word in kept[n : n + SPAN_WORDS])
        together = kept[n + 1][0] - kept[n][0] == 1
        if run[0] in _READER and together and any(run in spans(note) for note in known):
            return True
    return False
