"""Finds what a reply states and nobody told it: numbers, dates, times, names, addresses."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import combinations

from mailgym.mail.terms import words_of
from mailgym.rubrics.by_words import ADDRESS
from mailgym.rubrics.values.dates import MONTHS, WEEKDAYS, DateParts
from mailgym.rubrics.values.moments import EVERY_DATE, Moment, find_moments
from mailgym.rubrics.values.quantities import Quantity, find_quantities
from mailgym.rubrics.values.times import relate_times
from mailgym.rubrics.values.wording import clean
from mailgym.rubrics.writing.asks import same_date, same_quantity
from mailgym.rubrics.writing.english import FUNCTION_WORDS, INTERJECTIONS, VERBS
from mailgym.rubrics.writing.values_in import Values, values_in

FREE_NUMBER = 3
"""Bare counts up to this one are no facts: "two options", "one moment"."""
_OPEN = re.compile(
    r"\b(?:how about|what about|would|could|should|shall|can you|may i|might|perhaps|maybe|suggest|propose|if|either|or)\b|\?",
    re.IGNORECASE,
)
_SOON = re.compile(
    r"\A(?:today|tonight|tomorrow|this (?:week|month|morning|afternoon|evening)|(?:the )?(?:end|beginning|start) of (?:the )?(?:week|month)"
    r"|(?:the )?weekend|(?:next|this|the following|following|last|coming) (?:week|month|year|weekend|time)|eo[mw]"
    r"|(?:in|within) .*|.* (?:later|earlier|from now|ago|before|after)|the day (?:before|after).*)\Z",
    re.IGNORECASE,
)
_CAPITAL = re.compile(r"[^\W\d_][\w'’-]*")
_COMMON_CAPITALS = (
    frozenset(
        "i ok pdf ceo cfo cto hr it asap fyi eta rsvp tbd tba am pm url faq usb tv usa uk eu us english mr mrs ms dr prof miss sir"
        " madam god christmas easter thanksgiving monday re fwd cc po eod zoom teams google excel word outlook internet ps p.s"
        " mum mom dad grandma grandpa granny team all everyone both folks".split()
    )
    | set(MONTHS)
    | set(WEEKDAYS)
)
_LINK = re.compile(
    r"\b(?:https?://|www\.)[^\s<>()]{1,300}|\b[a-z0-9-]{2,40}\.(?:com|net|org|io|co|info|biz|ru|xyz)(?:/\S{0,200})?\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Invented:
    """What a reply states that no source has.

    Attributes:
        hard: Values and names that it states as facts or promises.
        soft: Vague times ("tomorrow", "within two days"), and values that it only asks about or proposes.
    """

    hard: tuple[str, ...] = ()
    soft: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Known:
    values: Values
    words: frozenset[str]
    sums: frozenset[Fraction]


@lru_cache(maxsize=128)
def _known(sources: tuple[str, ...]) -> _Known:
    parts = [values_in(source) for source in sources]
    values = Values(
        tuple(value for part in parts for value in part.dates),
        tuple(value for part in parts for value in part.times),
        tuple(value for part in parts for value in part.quantities),
    )
    numbers = list(dict.fromkeys(q.values[0] for q in values.quantities))[:30]
    sums = {n for a, b in combinations(numbers, 2) for n in (a + b, abs(a - b), a * b)} | {sum(numbers, Fraction(0))}
    words = frozenset(word for source in sources for word in words_of(source))
    return _Known(values, words, frozenset(sums))


def find_invented(sentences: Iterable[str], sources: tuple[str, ...]) -> Invented:
    """Return what sentences state that no source does.

    Not counted: bare counts of up to three, sums, differences and products of two numbers that the sources have, words
    that are capitals in any text, and names at the start of a sentence that are ordinary words. What a sentence only
    asks or proposes is soft, and so are vague times.

    Args:
        sentences: Of the reply, plain.
        sources: Plain texts whose values may be used.
    """
    known = _known(sources)
    hard: dict[str, None] = {}
    soft: dict[str, None] = {}
    for sentence in sentences:
        bare = clean(sentence)
        is_open = bool(_OPEN.search(bare))
        letters = list(bare)
        for moment in find_moments(bare, EVERY_DATE, bare_times=True):
            said = bare[moment.start : moment.end]
            letters[moment.start : moment.end] = " " * len(said)
            if not _is_known_moment(moment.value, known.values):
                is_vague = bool(_SOON.match(said)) or (moment.value.date is not None and _is_vague(moment.value.date))
                (soft if is_open or is_vague else hard)[said] = None
        for mention in find_quantities(bare, "".join(letters)):
            said = bare[mention.start : mention.end]
            if not _is_known_quantity(mention.value, known):
                (soft if is_open or mention.value.unit in ("time", "months", "work") else hard)[said] = None
        hard |= dict.fromkeys(_unknown_names(bare, known.words))
        hard |= dict.fromkeys(_unknown_addresses(bare, sources))
    return Invented(tuple(hard), tuple(soft))


def _is_vague(date: DateParts) -> bool:
    return bool(date.relative) and date.weekday is None


def _is_known_moment(moment: Moment, known: Values) -> bool:
    day, time = moment.date, moment.time
    has_day = day is None or any(same_date(day, other) or same_date(other, day) for other in known.dates)
    if not has_day and day is not None and not day.relative:
        has_day = _follows(day, known.dates)
    has_time = time is None or any(relate_times(other, time) in ("same", "maybe") for other in known.times)
    return has_day and has_time


def _follows(day: DateParts, known: Iterable[DateParts]) -> bool:
    """Whether a weekday or day lies within reach of a dated weekday: "Friday" where "Thursday 12 March" is known."""
    return any(
        other.weekday is not None
        and other.day
        and day.day
        and day.weekday is not None
        and day.month in (0, other.month)
        and (day.day - other.day - day.weekday + other.weekday) % 7 == 0
        for other in known
    )


def _is_known_quantity(given: Quantity, known: _Known) -> bool:
    if not given.currency and not given.unit and not given.values[0].denominator > 1 and given.values[0] <= FREE_NUMBER:
        return True
    if given.unit == "time" and given.values[0] <= 3600 and not given.currency:
        return True
    if any(same_quantity(other, given) for other in known.values.quantities):
        return True
    return any(value in known.sums for value in given.values)


def _unknown_names(sentence: str, words: frozenset[str]) -> list[str]:
    """Return capitalised words that no source has, in any case."""
    found = []
    matches = list(_CAPITAL.finditer(sentence))
    for number, match in enumerate(matches):
        word = match[0].removesuffix("'s")
        plain = word.lower()
        if not word[0].isupper() or len(word) < 2 or "'" in word:
            continue
        before = sentence[: match.start()].rstrip()
        starts = not before or before[-1] in '.!?:;"(-,'
        if starts and not _goes_on(sentence, match, matches, number):
            continue
        if plain in _COMMON_CAPITALS or plain in FUNCTION_WORDS or plain in INTERJECTIONS or plain in VERBS:
            continue
        if all(part in words for part in words_of(word)):
            continue
        found.append(word)
    return found


def _goes_on(sentence: str, match: re.Match[str], matches: list[re.Match[str]], number: int) -> bool:
    """Whether another word with a capital follows at once: "Anna Petrova called"."""
    if number + 1 >= len(matches):
        return False
    after = matches[number + 1]
    return (
        after[0][0].isupper()
        and after[0] != "I"
        and not after[0].startswith("I'")
        and sentence[match.end() : after.start()] == " "
    )


def _unknown_addresses(sentence: str, sources: Iterable[str]) -> list[str]:
    given = [*ADDRESS.findall(sentence), *links_in(sentence)]
    joined = "\n".join(sources).lower()
    return [text for text in given if text.lower().rstrip("/.,") not in joined]


def links_in(text: str) -> list[str]:
    """Return the links of a text, those without ``http`` too."""
    bare = ADDRESS.sub(" ", text)
    return [match[0].rstrip(".,;:!?") for match in _LINK.finditer(bare)]
