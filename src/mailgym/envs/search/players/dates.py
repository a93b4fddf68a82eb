"""Dates as people remember them ("in early March", "around the 12th of March") as ranges of days."""

import re
from dataclasses import dataclass
from datetime import date, timedelta

MONTHS = {
    name: number
    for number, names in enumerate(
        (
            ("january", "jan"), ("february", "feb"), ("march", "mar"), ("april", "apr"), ("may",), ("june", "jun"),
            ("july", "jul"), ("august", "aug"), ("september", "sept", "sep"), ("october", "oct"),
            ("november", "nov"), ("december", "dec"),
        ),
        1,
    )
    for name in names
}  # fmt: skip
SEASON_STARTS = {"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12}
AROUND_DAYS = 5

_MONTH = rf"(?P<month>{'|'.join(sorted(MONTHS, key=len, reverse=True))})\b"
_YEAR = r"(?:,? (?:of )?(?P<year>(?:19|20)\d\d))?"
_DAY = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?"
_LEAD = r"(?:\b(?:sometime |somewhere |back )*(?:in|on|at|from|since|during|around|about|towards?|near|of) )?(?:the )?"
_PART = (
    r"(?P<part>early|mid(?:dle of)?|late|(?:the )?(?:beginning|start|first half|second half|end) of|"
    r"(?:the )?(?:first|last) days (?:of|in)|(?:the )?(?:first|second|third|fourth|last) week (?:of|in))[ -]"
)
_PATTERNS = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"{_LEAD}{_PART}{_MONTH}{_YEAR}",
        rf"{_LEAD}{_DAY} (?:of )?{_MONTH}{_YEAR}",
        rf"{_LEAD}{_MONTH} (?:the )?{_DAY}(?!\d){_YEAR}",
        rf"(?:\b(?:sometime |back )?(?:in|during|since|last|this) ){_MONTH}{_YEAR}",
        rf"(?:\b(?:in|during|since|last|this)(?: the)? )(?P<season>{'|'.join(SEASON_STARTS)})\b{_YEAR}",
    )
)


@dataclass(frozen=True, slots=True)
class DateRange:
    """Days from ``after`` (inclusive) to ``before`` (exclusive), and where in the text the phrase stands."""

    after: date
    before: date
    span: tuple[int, int]

    def without_phrase(self, text: str) -> str:
        """Return the text that the range was found in, without its phrase."""
        return f"{text[: self.span[0]]} {text[self.span[1] :]}"


def find_date_range(text: str, today: date) -> DateRange | None:
    """Return the range that the first date phrase of a text means, None when there is none.

    Without a year it is the latest one in which the range has begun by ``today``.
    """
    for pattern in _PATTERNS:
        for match in pattern.finditer(text):
            days = _latest_begun(match.groupdict(), today)
            if days is not None:
                return DateRange(*days, match.span())
    return None


def _latest_begun(found: dict[str, str | None], today: date) -> tuple[date, date] | None:
    year = found.get("year")
    if year is not None:
        return _range(found, int(year))
    for candidate in (today.year, today.year - 1):
        days = _range(found, candidate)
        if days is not None and days[0] <= today:
            return days
    return None


def _range(found: dict[str, str | None], year: int) -> tuple[date, date] | None:
    season = found.get("season")
    if season is not None:
        start = date(year, SEASON_STARTS[season.lower()], 1)
        return start, _first_of_month(start.year, start.month + 3)
    month = MONTHS[(found["month"] or "").lower()]
    first, end = date(year, month, 1), _first_of_month(year, month + 1)
    day = found.get("day")
    if day is not None:
        if not 1 <= int(day) <= (end - first).days:
            return None
        middle = date(year, month, int(day))
        return middle - timedelta(days=AROUND_DAYS), middle + timedelta(days=AROUND_DAYS + 1)
    part = (found.get("part") or "").lower().removeprefix("the ")
    return _part_of_month(part, first, end)


def _part_of_month(part: str, first: date, end: date) -> tuple[date, date]:
    weeks = {"first week": 0, "second week": 7, "third week": 14, "fourth week": 21}
    for name, offset_days in weeks.items():
        if part.startswith(name):
            return first + timedelta(days=offset_days - 1), first + timedelta(days=offset_days + 8)
    if part.startswith("last week"):
        return end - timedelta(days=8), end + timedelta(days=1)
    if part.startswith("mid"):
        return first.replace(day=9), first.replace(day=22)
    if part.startswith(("early", "beginning", "start", "first")):
        return first, first.replace(day=16)
    if part.startswith(("late", "end", "second", "last")):
        return first.replace(day=15), end
    return first, end


def _first_of_month(year: int, month: int) -> date:
    return date(year + (month - 1) // 12, (month - 1) % 12 + 1, 1)
