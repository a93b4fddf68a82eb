"""Compares a given answer with the right one by rules, and says so where rules cannot tell.

What it does: it reads numbers, money, dates, times, names, yes or no, lists, places and "I don't know" in the forms in
which people and models write them, sees which value an answer says holds (not the one it denies, nor the one that held
before), and gives ``right`` or ``wrong`` only where one reading is left.

What it does not do: it knows no synonyms, no geography beyond a few names, and no language but English; where another
wording could mean the same, the verdict is ``unsure``, and a judge (:mod:`mailgym.rubrics.judge`) may be asked.

Source: ART·E (document 000) asks a language model about every answer; mailgym asks one only where these rules end.
"""

import re
from collections.abc import Callable
from datetime import date

from mailgym.rubrics.by_value import match_date, match_name, match_quantity, match_time, match_yes_no
from mailgym.rubrics.by_words import contains_words, match_place, match_text
from mailgym.rubrics.dont_know import dont_know_kind, speaks_of_not_knowing
from mailgym.rubrics.items import is_name, match_items, split_items
from mailgym.rubrics.values.dates import find_dates
from mailgym.rubrics.values.mention import Match
from mailgym.rubrics.values.moments import find_moments
from mailgym.rubrics.values.polarity import has_negation, polarity
from mailgym.rubrics.values.quantities import find_quantities
from mailgym.rubrics.values.times import find_times
from mailgym.rubrics.values.wording import MOST_CHARACTERS, Texts, clean, content_words, folded

__all__ = ["ANSWER_TYPES", "Match", "is_dont_know", "match_answer"]

ANSWER_TYPES = ("date", "time", "amount", "name", "count", "place", "yes_no", "text", "list", "unknown")

_HOW_LONG = re.compile(r"\bhow (?:long|old)\b|\bhow many (?:minutes|hours|days|weeks|months|years)\b")
_ASKS_WHEN = re.compile(r"\b(?:when|what (?:date|day|time)|which (?:date|day)|until when|by when)\b")
_ASKS_HOW_MUCH = re.compile(
    r"\bhow much|\bwhat (?:is|was|were|are) the (?:\w+ )?(?:price|cost|amount|total|fee|rate)\b"
)
_ASKS_WHO = re.compile(r"(?:who|whom|whose|with whom|to whom|by whom|from whom)\b")


def match_answer(given: str, right: str, answer_type: str = "", question: str = "", today: date | None = None) -> Match:
    """Compare a given answer with the right one.

    Args:
        given: What was answered.
        right: The right answer.
        answer_type: One of :data:`ANSWER_TYPES`; empty lets the right answer and the question tell.
        question: What was asked: it says what a number counts, and which names and dates are no answer.
        today: The day on which it was asked, for "tomorrow"; without it such words are ``unsure``.

    Returns:
        The verdict; it never raises.
    """
    if len(given) > MOST_CHARACTERS or len(right) > MOST_CHARACTERS:
        return Match("unsure", f"an answer of more than {MOST_CHARACTERS} characters is not read")
    texts = Texts(clean(given), clean(right), clean(question[:MOST_CHARACTERS]), today)
    if not folded(texts.right):
        return Match("unsure", "there is no right answer to compare with")
    if not folded(texts.given):
        return Match("wrong", "the answer is empty")
    if answer_type == "unknown" or dont_know_kind(texts.right):
        return _match_unknown(texts.given)
    if folded(texts.given) == folded(texts.right):
        return Match("right", "the answer is the right one word for word")
    kind = _kind(answer_type, texts.right, texts.question.lower())
    return _unless_unknown(texts, kind, _MATCHERS[kind](texts))


def is_dont_know(text: str) -> bool:
    """Return whether a text says that the answer is not known, in any form, and gives none beside it."""
    return bool(dont_know_kind(text))


def _match_unknown(answer: str) -> Match:
    if dont_know_kind(answer):
        return Match("right", "nothing says so, and the answer says that")
    if has_negation(answer) and not speaks_of_not_knowing(answer) and not polarity(answer) and not _has_value(answer):
        return Match("unsure", "the answer may mean that nothing says so")
    return Match("wrong", "nothing says so, and the answer claims to know")


def _has_value(text: str) -> bool:
    return bool(find_quantities(text) or find_moments(text, bare_times=True))


def _unless_unknown(texts: Texts, kind: str, match: Match) -> Match:
    """Turn the verdict on an answer that says it does not know."""
    unknown = dont_know_kind(texts.given)
    if not unknown:
        return match
    none_counts = (kind == "count" and _is_zero(texts.right)) or (kind == "yes_no" and polarity(texts.right) == "no")
    repeated = contains_words(content_words(texts.right), content_words(texts.given)) >= 0
    if match.verdict == "right" or (match.verdict == "unsure" and repeated) or (unknown == "not found" and none_counts):
        return Match("unsure", "the answer says that it found nothing, or doubts the right value")
    return Match("wrong", "the answer says that it does not know")


def _is_zero(truth: str) -> bool:
    return any(0 in mention.value.values for mention in find_quantities(truth))


def _kind(answer_type: str, truth: str, question: str) -> str:
    """Return how to compare: the stated type where the right answer can be read as one, else what it looks like."""
    readable: dict[str, Callable[[], bool]] = {
        "date": lambda: bool(find_dates(truth)),
        "time": lambda: bool(find_times(truth, bare=True) or find_dates(truth)),
        "amount": lambda: bool(find_quantities(truth)),
        "count": lambda: bool(find_quantities(truth)),
        "yes_no": lambda: polarity(truth) in ("yes", "no"),
        "list": lambda: len(split_items(truth)) > 1,
    }
    if answer_type in readable and readable[answer_type]():
        return answer_type
    if answer_type in ("name", "place"):
        return "list" if answer_type == "name" and len(split_items(truth)) > 1 else answer_type
    if answer_type == "text":
        return "text"
    return _guessed_kind(truth, question)


def _guessed_kind(truth: str, question: str) -> str:  # noqa: PLR0911 (one return a kind)
    if polarity(truth) in ("yes", "no") and re.match(r"(?:yes|no)\b", truth.lower()):
        return "yes_no"
    if _ASKS_WHEN.search(question) and find_moments(truth):
        return "time"
    if _ASKS_HOW_MUCH.search(question) and find_quantities(truth):
        return "amount"
    if (re.search(r"\bhow many\b", question) or _HOW_LONG.search(question)) and find_quantities(truth):
        return "count"
    moments = find_moments(truth)
    if moments and _is_covered(truth, [(m.start, m.end) for m in moments]):
        return "time"
    quantities = find_quantities(truth)
    if quantities and _is_covered(truth, [(m.start, m.end) for m in quantities]):
        return "amount" if quantities[0].value.currency else "count"
    if len(split_items(truth)) > 1:
        return "list"
    if _ASKS_WHO.match(question) and len(truth.split()) <= 4:
        return "name"
    return "text"


def _is_covered(text: str, spans: list[tuple[int, int]]) -> bool:
    rest = "".join(" " if any(a <= n < b for a, b in spans) else letter for n, letter in enumerate(text[:500]))
    return len(text) <= 500 and len(content_words(rest)) == 0


def _match_list(texts: Texts) -> Match:
    def compare(given: str, right: str) -> Match:
        kind = "name" if is_name(right) and not find_moments(right) else ""
        return match_answer(given, right, kind, texts.question, texts.today)

    return match_items(texts.given, texts.right, texts.question, compare)


_MATCHERS: dict[str, Callable[[Texts], Match]] = {
    "date": match_date,
    "time": match_time,
    "amount": match_quantity,
    "count": match_quantity,
    "name": match_name,
    "place": match_place,
    "yes_no": match_yes_no,
    "text": match_text,
    "list": _match_list,
}
