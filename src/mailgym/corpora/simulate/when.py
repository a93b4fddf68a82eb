"""How people remember a date, and the range of days that they mean by it.

The patterns are the same in all splits: reading them is the skill to be learned. No phrase names the year: it is the
last such time before the day on which the question is asked.
"""

import calendar
import random
from dataclasses import dataclass
from datetime import date, timedelta

AROUND_DAYS = 4
MISREMEMBERED_DAYS = 2
EARLY_LAST_DAY, LATE_FIRST_DAY = 10, 21


@dataclass(frozen=True, slots=True)
class When:
    """A remembered date.

    Attributes:
        phrase: As it is said, such as ``in early March``.
        after: First day meant.
        before: The day after the last day meant.
    """

    phrase: str
    after: date
    before: date


def remember(day: date, rng: random.Random) -> When:
    """Return one of the phrases that are true of a day."""
    return rng.choice(phrases_for(day, day + timedelta(days=rng.randint(-MISREMEMBERED_DAYS, MISREMEMBERED_DAYS))))


def phrases_for(day: date, near_day: date) -> list[When]:
    """Return every phrase that is true of a day, from the roughest to the sharpest.

    Args:
        day: The day.
        near_day: The day that is named where the phrase is "around ...", at most four days off.
    """
    month = day.strftime("%B")
    first = day.replace(day=1)
    length = calendar.monthrange(day.year, day.month)[1]
    next_first = first + timedelta(days=length)
    near = (near_day - timedelta(days=AROUND_DAYS), near_day + timedelta(days=AROUND_DAYS + 1))
    named = near_day.strftime("%B")
    said = [When(f"in {month}", first, next_first)]
    if day.day <= EARLY_LAST_DAY:
        said.append(When(f"in early {month}", first, first.replace(day=EARLY_LAST_DAY + 1)))
    elif day.day >= LATE_FIRST_DAY:
        said.append(When(f"in late {month}", first.replace(day=LATE_FIRST_DAY), next_first))
    else:
        middle = (first.replace(day=EARLY_LAST_DAY + 1), first.replace(day=LATE_FIRST_DAY))
        said.append(When(f"in the middle of {month}", *middle))
    if day.day <= 7:
        said.append(When(f"in the first week of {month}", first, first.replace(day=8)))
    if day.day > length - 7:
        said.append(When(f"in the last week of {month}", next_first - timedelta(days=7), next_first))
    said += [When(f"around {near_day.day} {named}", *near), When(f"around {named} {near_day.day}", *near)]
    said.append(When(f"around the {near_day.day}{_ordinal(near_day.day)} of {named}", *near))
    return said


def _ordinal(day: int) -> str:
    if 10 < day < 14:
        return "th"
    return {1: "st", 2: "nd", 3: "rd"}.get(day % 10, "th")
