"""Whether a reply does what was asked of it: a date named, an amount confirmed, a question answered, by value."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Generic, Literal, TypeVar

from mailgym.rubrics.by_words import contains_words
from mailgym.rubrics.values.cues import judge_mentions
from mailgym.rubrics.values.dates import DateParts, find_dates
from mailgym.rubrics.values.mention import Mention
from mailgym.rubrics.values.moments import EVERY_DATE, find_moments
from mailgym.rubrics.values.names import Name, find_names, read_name, relate_names
from mailgym.rubrics.values.places import place_words
from mailgym.rubrics.values.quantities import Quantity, find_quantities
from mailgym.rubrics.values.times import DayTime, find_times, relate_times
from mailgym.rubrics.values.wording import clean
from mailgym.rubrics.writing.consent import says_yes_or_no
from mailgym.rubrics.writing.denial import is_denied
from mailgym.rubrics.writing.english import is_verb, roots

AskKind = Literal["date", "time", "amount", "number", "name", "place", "yes_no", "topic"]
MOST_OTHERS = 3
MAYBE = 0.5
_CONDITION = re.compile(r"\b(?:if|unless|in case|should)\b|\?\s*\Z", re.IGNORECASE)
_AND = re.compile(
    r"(?:\s*(?:at|around|from)?\s*[\d:.apmto-]{1,12}(?:\s?[ap]m)?)?\s*"
    r"(?:(?:,\s*)?(?:and|as well as|&|/|or)\s*(?:on|at|also)?\s*(?:the)?|,)\s*",
    re.IGNORECASE,
)
_MILLIMETRES = re.compile(r"(?<![$€£\d.,])(\d[\d.,]{0,12})(\s?)mm\b")  # elsewhere "mm" is a million
V = TypeVar("V")


@dataclass(frozen=True, slots=True)
class Ask:
    """One thing that a reply must do.

    Attributes:
        kind: What sort of thing it must say.
        accepted: What it may say, any of these; for ``yes_no`` "yes" or "no", for ``topic`` words that stand together
            in a sentence.
        required: Whether the reply is incomplete without it; else it counts for half as much.
    """

    kind: AskKind
    accepted: tuple[str, ...]
    required: bool = True


@dataclass(frozen=True, slots=True)
class _Sort(Generic[V]):
    """How values of one sort are found, how far one is the accepted one (0 to 1), and which ones stand against it.

    All others do where ``rivals`` is None.
    """

    find: Callable[[str], list[Mention[V]]]
    likeness: Callable[[V], float]
    rivals: Callable[[V], bool] | None = None
    most_others: int = MOST_OTHERS


def read_ask(
    ask: Ask, sentences: Sequence[str], right_as_well: Sequence[str] = (), *, denied_too: bool = False
) -> float:
    """Return how far the sentences of a reply do what was asked: 0 to 1.

    A value counts where a sentence states it and does not deny it. Offered beside another one, it counts for half:
    "12 or 13 March", and "12 March and 13 March" where only one is right. A date with less than was accepted ("the
    12th" for "12 March", "Thursday" for "Thursday 12 March") counts in full where nothing differs: the message it
    answers says the rest. A reply that states many other values of the same sort beside the accepted one chose none:
    more than three take away half, more than six all of it.

    Args:
        ask: What was asked.
        sentences: The reply's own, plain.
        right_as_well: Other accepted values, of other asks: to state them is not to offer another one.
        denied_too: Whether a topic counts that is denied: "we do not refund", where the right answer is no.
    """
    if ask.kind == "yes_no":
        return _read_yes_no(ask.accepted, sentences)
    if ask.kind == "topic":
        return max((_read_topic(words, sentences, denied_too) for words in ask.accepted), default=0.0)
    if ask.kind == "place":
        return max((_read_place(place, sentences) for place in ask.accepted), default=0.0)
    texts, too = [clean(text) for text in ask.accepted], [clean(text) for text in right_as_well]
    if ask.kind == "name":
        return _read_values(sentences, _names(texts), _names(too))
    if ask.kind in ("date", "time"):
        return _read_moments(ask.kind, sentences, texts, too)
    return _read_values(sentences, _quantities(texts), _quantities(too))


def _read_moments(kind: str, sentences: Sequence[str], texts: Sequence[str], too: Sequence[str]) -> float:
    if kind == "date":
        return _read_values(sentences, _dates(texts), _dates(too))
    return _read_values(sentences, _times(texts), _times(too))


def _read_yes_no(accepted: Sequence[str], sentences: Sequence[str]) -> float:
    said = says_yes_or_no(sentences)
    right = next(
        (word for word in ("yes", "no") if any(re.match(rf"\s*{word}\b", text.lower()) for text in accepted)), ""
    )
    if right and said:
        return 1.0 if said == right else MAYBE if said == "both" else 0.0
    others = [text for text in accepted if text.strip().lower() not in ("yes", "no")]
    return max((_read_topic(text, sentences) for text in others), default=0.0)


def _read_topic(words: str, sentences: Sequence[str], denied_too: bool = False) -> float:
    wanted = set(roots(words))
    said = [set(roots(sentence)) for sentence in sentences]
    holding = [sentence for sentence, have in zip(sentences, said, strict=True) if wanted and wanted <= have]
    if not holding:  # or in two sentences, one behind the other
        return float(any(wanted and wanted <= first | second for first, second in pairwise(said)))
    return float(any(denied_too or not is_denied(sentence, words) for sentence in holding))


def _read_place(place: str, sentences: Sequence[str]) -> float:
    wanted = place_words(place)
    stated = [sentence for sentence in sentences if contains_words(wanted, place_words(sentence)) >= 0]
    return float(any(not is_denied(sentence, place) for sentence in stated))


def _read_values(sentences: Sequence[str], sort: _Sort[V], too: _Sort[V]) -> float:
    best, denied = 0.0, False
    others: set[V] = set()
    for sentence in sentences:
        bare = clean(sentence)
        found = judge_mentions(bare, sort.find(bare))
        mentions = [
            m for m in found if sort.likeness(m.value) or (_is_rival(sort, m.value) and not too.likeness(m.value))
        ]
        likenesses = [sort.likeness(mention.value) for mention in mentions]
        for number, (mention, likeness) in enumerate(zip(mentions, likenesses, strict=True)):
            if not likeness:
                others |= {mention.value} if mention.standing in ("holds", "new") else set()
            elif mention.standing in ("denied", "old"):
                denied = denied or not _CONDITION.search(bare)
            else:
                is_sure = mention.standing != "doubted" and not _is_offered(bare, mentions, likenesses, number)
                best = max(best, likeness if is_sure else likeness * MAYBE)
    if (denied and best < 1.0) or len(others) > 2 * sort.most_others:
        return 0.0
    return best * (0.5 if denied or len(others) > sort.most_others else 1.0)


def _is_rival(sort: _Sort[V], value: V) -> bool:
    return sort.rivals is None or sort.rivals(value)


def _is_offered(text: str, mentions: Sequence[Mention[V]], likenesses: Sequence[float], number: int) -> bool:
    """Whether a value is one of several to choose from."""
    before = number > 0 and not likenesses[number - 1] and _are_offered(text, mentions[number - 1], mentions[number])
    rest = mentions[number + 1 : number + 2]
    return before or any(not likenesses[number + 1] and _are_offered(text, mentions[number], other) for other in rest)


def _are_offered(text: str, first: Mention[V], second: Mention[V]) -> bool:
    if "denied" in (first.standing, second.standing) or second.link == "range":
        return False
    return second.link == "or" or bool(_AND.fullmatch(text[first.end : second.start]))


def _dates(accepted: Sequence[str]) -> _Sort[DateParts]:
    wanted = [mention.value for text in accepted for mention in find_dates(text)]
    return _Sort(find_dates, lambda given: max((same_date(right, given) for right in wanted), default=0.0))


def same_date(right: DateParts, given: DateParts) -> float:
    """Return 1 where nothing of two dates differs and they share a day or a weekday, else 0."""
    if right.relative or given.relative:
        weekday = right.weekday is not None and right.weekday == given.weekday
        return float(weekday or (right.relative == given.relative and bool(right.relative)))
    if right.year is not None and given.year is not None and right.year != given.year:
        return 0.0
    if right.quarter or given.quarter:
        return float(right.quarter == given.quarter)
    weekdays = right.known_weekday(), given.known_weekday()
    if None not in weekdays and weekdays[0] != weekdays[1]:
        return 0.0
    if right.days and given.days:
        return float(any(_fits(a, b) for a in right.days for b in given.days))
    shared_year = not right.days and not given.days and right.year is not None and right.year == given.year
    return float((None not in weekdays) or shared_year)


def _fits(right: tuple[int, int], given: tuple[int, int]) -> bool:
    """Whether a month and day are others with no more than one part left out, and the day said where it is right."""
    months = right[0] == given[0] or 0 in (right[0], given[0])
    return months and (right[1] == given[1] or not right[1])


def _times(accepted: Sequence[str]) -> _Sort[DayTime]:
    wanted = [mention.value for text in accepted for mention in find_times(text, bare=True)]

    def find(sentence: str) -> list[Mention[DayTime]]:
        moments = find_moments(sentence, EVERY_DATE, bare_times=True)
        return [Mention(m.value.time, m.start, m.end) for m in moments if m.value.time is not None]

    def likeness(given: DayTime) -> float:
        return float(any(relate_times(right, given) in ("same", "maybe") for right in wanted))

    return _Sort(find, likeness)


def _quantities(accepted: Sequence[str]) -> _Sort[Quantity]:
    wanted = [mention.value for text in accepted for mention in find_quantities(text)]

    def find(sentence: str) -> list[Mention[Quantity]]:
        letters = list(_MILLIMETRES.sub(r"\1\2  ", sentence))
        for moment in find_moments(sentence, EVERY_DATE):
            letters[moment.start : moment.end] = " " * (moment.end - moment.start)
        found = find_quantities(sentence, "".join(letters))
        return [m for m in found if any(m.value.values) or sentence[m.start].isdigit()]  # "never" counts nothing

    def rivals(given: Quantity) -> bool:
        return any(bool(right.currency) == bool(given.currency) and right.unit == given.unit for right in wanted)

    return _Sort(find, lambda given: float(any(same_quantity(right, given) for right in wanted)), rivals)


def same_quantity(right: Quantity, given: Quantity) -> bool:
    """Whether two quantities have a reading in common; a currency or unit that either leaves out does not count."""
    if right.currency and given.currency and not _same_money(right.currency, given.currency):
        return False
    if right.unit and given.unit:
        return right.unit == given.unit and bool(set(right.values) & set(given.values))
    return bool({*right.values, *right.written} & {*given.values, *given.written})


def _same_money(a: str, b: str) -> bool:
    return a == b or ("$" in (a, b) and {a, b} <= {"$", "USD", "CAD", "AUD", "NZD"})


def _names(accepted: Sequence[str]) -> _Sort[Name]:
    wanted = [read_name(text) for text in accepted]

    def likeness(given: Name) -> float:
        given = Name(tuple(part for part in given.parts if not is_verb(part)) or given.parts)  # "Call Anke"
        return float(any(relate_names(right, given) in ("same", "maybe") for right in wanted))

    return _Sort(lambda sentence: find_names(sentence, wanted), likeness, most_others=20)
