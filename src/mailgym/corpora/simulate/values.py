"""The values that facts have: how people write them, and the one form in which an answer key gives them."""

import random
from dataclasses import dataclass
from datetime import date, time

CURRENCIES = {"EUR": "€", "USD": "$", "GBP": "£"}
SMALL_NUMBERS = (
    *("zero", "one", "two", "three", "four", "five", "six"),
    *("seven", "eight", "nine", "ten", "eleven", "twelve"),
)


@dataclass(frozen=True, slots=True)
class Money:
    """An amount of money in whole units.

    Attributes:
        currency: ``EUR``, ``USD`` or ``GBP``.
    """

    units: int
    currency: str


Day = date
Value = date | time | Money | int | str
"""A day, a time of day, an amount, a count, or the name of a person or a place."""

DATE_STYLES = (
    "{weekday} {day} {month}",
    "{day} {month}",
    "{month} {day}",
    "{short_weekday} {day} {short_month}",
    "{day} {month} {year}",
    "{year}-{month_number:02d}-{day:02d}",
    "{weekday}, {month} {day}",
    "the {ordinal} of {month}",
)
NEAR_DAYS = 6
TIME_STYLES = ("24h", "dot", "am", "spaced am", "o'clock")
MONEY_STYLES = ("{code} {amount:,}", "{amount:,} {code}", "{sign}{amount:,}", "{sign}{amount:,}.00", "{amount} {code}")


@dataclass(frozen=True, slots=True)
class Habit:
    """How one person writes values.

    Attributes:
        date: One of ``DATE_STYLES``. time: one of ``TIME_STYLES``. money: one of ``MONEY_STYLES``.
        spells_numbers: Whether numbers up to twelve are written as words.
        says_near_days: Whether the next six days are written as ``tomorrow`` and by the day of the week alone.
    """

    date: str
    time: str
    money: str
    spells_numbers: bool
    says_near_days: bool = False

    @classmethod
    def draw(cls, rng: random.Random) -> "Habit":
        """Draw somebody's habit."""
        spells_numbers, says_near_days = rng.random() < 0.4, rng.random() < 0.7
        styles = (rng.choice(DATE_STYLES), rng.choice(TIME_STYLES), rng.choice(MONEY_STYLES))
        return cls(*styles, spells_numbers, says_near_days)

    def write(self, value: Value, sent: Day | None = None) -> str:
        """Write a value down.

        Args:
            value: The value.
            sent: The day on which it is written; None where it must not count.
        """
        if isinstance(value, date):
            days = (value - sent).days if sent is not None and self.says_near_days else 0
            if 1 <= days <= NEAR_DAYS:
                return "tomorrow" if days == 1 else value.strftime("%A")
            return _write_day(value, self.date)
        if isinstance(value, time):
            return _write_time(value, self.time)
        if isinstance(value, Money):
            sign = CURRENCIES[value.currency]
            return self.money.format(amount=value.units, code=value.currency, sign=sign)
        if isinstance(value, int):
            return SMALL_NUMBERS[value] if self.spells_numbers and value < len(SMALL_NUMBERS) else str(value)
        return value


def answer_text(value: Value) -> str:
    """Return a value as an answer key gives it: ``14 May 2024``, ``15:30``, ``1,250 EUR``, ``12``, or the name."""
    if isinstance(value, date):
        return f"{value.day} {value:%B %Y}"
    if isinstance(value, time):
        return f"{value:%H:%M}"
    if isinstance(value, Money):
        return f"{value.units:,} {value.currency}"
    return str(value)


def _write_day(day: date, style: str) -> str:
    return style.format(
        weekday=day.strftime("%A"),
        short_weekday=day.strftime("%a"),
        day=day.day,
        month=day.strftime("%B"),
        short_month=day.strftime("%b"),
        month_number=day.month,
        year=day.year,
        ordinal=f"{day.day}{ordinal_ending(day.day)}",
    )


def _write_time(moment: time, style: str) -> str:
    hour, half = moment.hour % 12 or 12, "am" if moment.hour < 12 else "pm"
    if style == "24h" or (style == "o'clock" and (moment.minute or not 8 <= moment.hour <= 12)):
        return f"{moment.hour}:{moment.minute:02d}"
    if style == "dot":
        return f"{moment.hour}.{moment.minute:02d}"
    if style == "o'clock":
        return f"{hour} o'clock"
    blank = " " if style == "spaced am" else ""
    return f"{hour}:{moment.minute:02d}{blank}{half}" if moment.minute else f"{hour}{blank}{half}"


def ordinal_ending(number: int) -> str:
    """Return the letters after an ordinal number: ``st``, ``nd``, ``rd`` or ``th``."""
    if 10 < number % 100 < 14:
        return "th"
    return {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
