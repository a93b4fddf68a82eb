"""Whether a sentence denies the words that stand in it."""

import re

from mailgym.mail.terms import words_of
from mailgym.rubrics.writing.english import roots

REACH_WORDS = 4
_DENYING = frozenset(("not", "never", "neither", "nor", "cannot"))
_HARMLESS = re.compile(
    r"\bnot (?:only|just|to mention)\b"
    r"|\b(?:do not|don't) (?:hesitate|worry|forget)\b|\bno later than\b|\bwhy not\b|\bif not\b",
    re.IGNORECASE,
)
_SHORT = re.compile(r"\b(\w+)n't\b", re.IGNORECASE)
_CLAUSE = re.compile(r"[;:.!?()]|,\s|\s-\s|\b(?:but|however|though|because|since|so|and then)\b", re.IGNORECASE)


def is_denied(sentence: str, phrase: str) -> bool:
    """Whether every place of a sentence where a phrase stands is denied: "not" or "never" shortly before it.

    Shortly is within four words of the same clause. "No medicine" and "without the wall" state something, and deny no
    word. A phrase that denies something itself is taken as it is.
    """
    wanted = roots(phrase)
    if not wanted or _DENYING & set(words_of(_SHORT.sub(r"\1 not", phrase))):
        return False
    places = denials = 0
    for clause in _CLAUSE.split(_HARMLESS.sub(" ", _SHORT.sub(r"\1 not", sentence))):
        words, stems = words_of(clause), roots(clause)
        for n in range(len(stems) - len(wanted) + 1):
            if stems[n : n + len(wanted)] == wanted:
                places += 1
                denials += bool(_DENYING & set(words[max(0, n - REACH_WORDS) : n]))
    return places > 0 and denials == places
