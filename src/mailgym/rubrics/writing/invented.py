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
from mailgym.rubrics.values.number_words import ORDINALS
from mailgym.rubrics.values.quantities import Quantity, find_quantities
from mailgym.rubrics.values.times import DayTime, relate_times
from mailgym.rubrics.values.wording import clean
from mailgym.rubrics.writing.asks import same_quantity
from mailgym.rubrics.writing.english import FUNCTION_WORDS, INTERJECTIONS, VERBS
from mailgym.rubrics.writing.phrases import word_set
from mailgym.rubrics.writing.values_in import values_in

FREE_NUMBER = 3
"""Bare counts up to this one are no facts: "two options", "one moment"."""
_OPEN = re.compile(
    r"\b(?:how about|what about|would|could|should|shall|can you|may i|might|perhaps|maybe|suggest|propose|if|either"
    r"|or)\b|\?",
    re.IGNORECASE,
)
_SOON = re.compile(
    r"\A(?:tomorrow|this (?:week|month|morning|afternoon|evening)|(?:the )?(?:end|beginning|start) of (?:the )?"
    r"(?:week|month)|(?:the )?weekend|(?:next|this|(?:the )?following|last|coming) (?:week|month|year|weekend|time)"
    r"|eo[mw]|(?:in|within) .*|.* (?:later|earlier|from now|ago|before|after)|the day (?:before|after).*)\Z",
    re.IGNORECASE,
)
_IS_ORDINAL = re.compile(rf"(?:on )?(?:the )?(?:{'|'.join(ORDINALS)})", re.IGNORECASE)
_CAPITAL = re.compile(r"[^\W\d_][\w'’-]*")
_COMMON_CAPITALS = (
    word_set(
        """
    i ok pdf ceo cfo cto hr it asap fyi eta rsvp tbd tba am pm url faq usb tv usa uk eu us english mr mrs ms dr prof
    miss sir madam god christmas easter thanksgiving monday re fwd cc po eod zoom teams google excel word outlook
    internet ps p.s mum mom dad grandma grandpa granny team all everyone both folks
    """
    )
    | set(MONTHS)
    | set(WEEKDAYS)
)
_THIS_DAY = ("today", "tonight")
_LINK = re.compile(
    r"\b(?:https?://|www\.)[^\s<>()]{1,300}"
    r"|\b(?:[a-z0-9-]{1,40}\.){1,4}(?:com|net|org|io|co|info|biz|ru|xyz)(?:/\S{0,200})?\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Invented:
    """What a reply states that no source has.

    Attributes:
        values: Numbers, dates, times, addresses and links that it states as facts or promises.
        names: Names.
        soft: Vague times ("tomorrow", "within two days", a weekday alone), and values that it asks about or proposes.
    """

    values: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    soft: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Known:
    dates: tuple[DateParts, ...]
    times: tuple[DayTime, ...]
    quantities: tuple[Quantity, ...]
    numbers: frozenset[Fraction]
    words: frozenset[str]


@lru_cache(maxsize=128)
def _known(sources: tuple[str, ...]) -> _Known:
    parts = [values_in(source) for source in sources]
    quantities = tuple(dict.fromkeys(value for part in parts for value in part.quantities))
    numbers = list(dict.fromkeys(quantity.values[0] for quantity in quantities))[:30]
    derived = {n for a, b in combinations(numbers, 2) for n in (a + b, abs(a - b), a * b)} | {sum(numbers, Fraction(0))}
    hours = {Fraction(minute // 60 % 12) for part in parts for time in part.times for minute in (time.minute,)}
    return _Known(
        tuple(dict.fromkeys(value for part in parts for value in part.dates)),
        tuple(dict.fromkeys(value for part in parts for value in part.times)),
        quantities,
        frozenset(derived.union(hours, *(part.numbers for part in parts))),
        frozenset(word for source in sources for word in words_of(source)),
    )


def find_invented(sentences: Iterable[str], sources: tuple[str, ...]) -> Invented:
    """Return what sentences state that no source does.

    Not counted: bare counts of up to three, sums, differences and products of two numbers that the sources have, words
    that are capitals in any text, and capitals at the start of a sentence. What a sentence only asks or proposes is
    soft, and so are vague times.

    Args:
        sentences: Of the reply, plain.
        sources: Plain texts whose values may be used.
    """
    known = _known(sources)
    written = " ".join("\n".join(sources).lower().split())
    values: dict[str, None] = {}
    names: dict[str, None] = {}
    soft: dict[str, None] = {}
    for sentence in sentences:
        bare = clean(sentence)
        is_open = bool(_OPEN.search(bare))
        letters = list(bare)
        for moment in find_moments(bare, EVERY_DATE):
            said = bare[moment.start : moment.end]
            if _IS_ORDINAL.fullmatch(said):
                continue
            letters[moment.start : moment.end] = " " * len(said)
            if said.lower() not in written and not _is_known_moment(moment.value, known):
                is_vague = bool(_SOON.match(said)) or _is_vague(moment.value)
                (soft if is_open or is_vague else values)[said] = None
        for mention in find_quantities(bare, "".join(letters)):
            said = bare[mention.start : mention.end]
            if not _is_known_quantity(mention.value, known) and not _holds(written, said):
                is_soft = is_open or mention.value.unit in ("time", "months", "work")
                (soft if is_soft else values)[said] = None
        names |= dict.fromkeys(_unknown_names(bare, known.words))
        values |= dict.fromkeys(_unknown_addresses(bare, sources))
    return Invented(tuple(values), tuple(names), tuple(soft))


def _is_vague(moment: Moment) -> bool:
    """Whether it is a day such as "tomorrow", or a weekday without its date and hour: a plan rather than a fact."""
    day = moment.date
    return day is not None and moment.time is None and not day.days and (bool(day.relative) or day.weekday is not None)


def _holds(written: str, said: str) -> bool:
    """Whether a source has a number in the very same letters, with no digit beside it."""
    return bool(re.search(rf"(?<![\d.,]){re.escape(said.lower())}(?![\d]|[.,]\d)", written))


def _is_known_moment(moment: Moment, known: _Known) -> bool:
    day, time = moment.date, moment.time
    has_day = day is None or day.relative in _THIS_DAY or any(_says_no_more(day, other) for other in known.dates)
    if time is None or any(relate_times(other, time) in ("same", "maybe") for other in known.times):
        return has_day
    hours = [minute // 60 for minute in (time.minute, time.other_minute) if minute is not None and minute % 60 == 0]
    return has_day and any(Fraction(hour) in known.numbers or Fraction(hour % 12) in known.numbers for hour in hours)


def _says_no_more(day: DateParts, known: DateParts) -> bool:
    """Whether a date has nothing that a known one lacks or has otherwise; a weekday may follow from the date."""
    if day.relative or known.relative:
        return day.relative == known.relative or (day.weekday is not None and day.weekday == known.weekday)
    if day.quarter or known.quarter:
        return day.quarter == known.quarter
    if day.year is not None and known.year is not None and day.year != known.year:
        return False
    weekdays = day.known_weekday(), known.known_weekday()
    if None not in weekdays and weekdays[0] != weekdays[1]:
        return False
    if not day.days:
        return day.weekday is None or weekdays[1] is not None
    return any(
        (not a[0] or not b[0] or a[0] == b[0]) and (not a[1] or a[1] == b[1]) for a in day.days for b in known.days
    )


def _is_known_quantity(given: Quantity, known: _Known) -> bool:
    if not given.currency and not given.unit and given.values[0].denominator == 1 and given.values[0] <= FREE_NUMBER:
        return True
    if given.unit == "time" and given.values[0] <= 3600 and not given.currency:
        return True
    if any(same_quantity(other, given) for other in known.quantities):
        return True
    return any(value in known.numbers for value in (*given.values, *given.written))


def _unknown_names(sentence: str, words: frozenset[str]) -> list[str]:
    """Return capitalised words that no source has, in any case."""
    found = []
    for match in _CAPITAL.finditer(sentence):
        word = match[0].removesuffix("'s")
        plain = word.lower()
        if not word[0].isupper() or len(word) < 2 or "'" in word:
            continue
        before = sentence[: match.start()].rstrip()
        starts = not before or before[-1] in '.!?:;"(-,'
        if starts:
            continue
        if plain in _COMMON_CAPITALS or plain in FUNCTION_WORDS or plain in INTERJECTIONS or plain in VERBS:
            continue
        if all(part in words for part in words_of(word)):
            continue
        found.append(word)
    return found


def _unknown_addresses(sentence: str, sources: Iterable[str]) -> list[str]:
    given = [*ADDRESS.findall(sentence), *links_in(sentence)]
    joined = "\n".join(sources).lower()
    return [text for text in given if text.lower().rstrip("/.,") not in joined]


def links_in(text: str) -> list[str]:
    """Return the links of a text, those without ``http`` too."""
    bare = ADDRESS.sub(" ", text)
    return [match[0].rstrip(".,;:!?") for match in _LINK.finditer(bare)]
