"""The values that a text of any length mentions: read in pieces, for the readers of values take short ones."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from mailgym.mail.sentence import split_sentences
from mailgym.rubrics.values.dates import DateParts
from mailgym.rubrics.values.moments import EVERY_DATE, find_moments
from mailgym.rubrics.values.quantities import Quantity, find_quantities
from mailgym.rubrics.values.times import DayTime
from mailgym.rubrics.values.wording import MOST_CHARACTERS, clean

MOST_PIECES = 400
_DIGITS = re.compile(r"(?<![\w.,])\d{1,12}(?:\.\d{1,4})?(?![\w])|\d{1,12}")


@dataclass(frozen=True, slots=True)
class Values:
    """The values of a text.

    Attributes:
        dates: Its dates.
        times: Its times of day.
        quantities: Its numbers, money and measures, dates and times left out.
        numbers: Every number in it as written, those of dates and times too.
    """

    dates: tuple[DateParts, ...]
    times: tuple[DayTime, ...]
    quantities: tuple[Quantity, ...]
    numbers: frozenset[Fraction]


def pieces_of(text: str) -> Iterator[str]:
    """Return the sentences of a plain text, each cleaned, long ones cut."""
    for number, sentence in enumerate(split_sentences(text)):
        if number >= MOST_PIECES:
            return
        for start in range(0, len(sentence), MOST_CHARACTERS):
            yield clean(sentence[start : start + MOST_CHARACTERS])


@lru_cache(maxsize=512)
def values_in(text: str) -> Values:
    """Return the values of a plain text."""
    dates: list[DateParts] = []
    times: list[DayTime] = []
    quantities: list[Quantity] = []
    numbers = {Fraction(digits) for digits in _DIGITS.findall(text)}
    for piece in pieces_of(text):
        letters = list(piece)
        for moment in find_moments(piece, EVERY_DATE, bare_times=True):
            if moment.value.date is not None:
                dates.append(moment.value.date)
            if moment.value.time is not None:
                times.append(moment.value.time)
            letters[moment.start : moment.end] = " " * (moment.end - moment.start)
        numbers |= {n for mention in find_quantities(piece) for n in (*mention.value.values, *mention.value.written)}
        quantities += [mention.value for mention in find_quantities(piece, "".join(letters))]
    return Values(
        tuple(dict.fromkeys(dates)), tuple(dict.fromkeys(times)), tuple(dict.fromkeys(quantities)), frozenset(numbers)
    )
