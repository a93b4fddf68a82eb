"""Reads the dates of mail: RFC 5322's own form at once, everything else that senders write by its pieces."""

import re
from datetime import UTC, datetime, timedelta
from functools import lru_cache

FIRST_LIKELY_YEAR = 1982
LAST_LIKELY_YEAR = 2100
_MONTH_NAMES = "jan feb mar apr may jun jul aug sep oct nov dec"
_MONTHS = {name: number for number, name in enumerate(_MONTH_NAMES.split(), 1)}
_OTHER_MONTHS = {
    "mär": 3, "mrz": 3, "mai": 5, "okt": 10, "dez": 12,
    "fév": 2, "fev": 2, "avr": 4, "juin": 6, "juil": 7, "aoû": 8, "aou": 8, "déc": 12,
    "ene": 1, "abr": 4, "ago": 8, "set": 9, "dic": 12, "gen": 1, "mag": 5, "giu": 6, "lug": 7, "ott": 10, "out": 10,
}  # fmt: skip
_ZONES_MIN = {
    "ut": 0, "utc": 0, "gmt": 0, "z": 0, "wet": 0, "west": 60, "bst": 60, "cet": 60, "cest": 120, "met": 60,
    "mest": 120, "mez": 60, "mesz": 120, "eet": 120, "eest": 180, "msk": 180, "msd": 240, "jst": 540, "kst": 540,
    "hkt": 480, "sgt": 480, "aest": 600, "aedt": 660, "nzst": 720, "nzdt": 780, "ast": -240, "adt": -180,
    "est": -300, "edt": -240, "cst": -360, "cdt": -300, "mst": -420, "mdt": -360, "pst": -480, "pdt": -420,
    "akst": -540, "akdt": -480, "hst": -600,
}  # fmt: skip
_USUAL = re.compile(
    r"(?:[A-Za-z]{3}, {1,3})?(\d{1,2}) ([A-Za-z]{3}) (\d{4}) (\d\d):(\d\d)(?::(\d\d))? ([+-]\d{4})(?: \([A-Za-z ]*\))?",
    re.ASCII,
)
_ISO = re.compile(r"\b(\d{4})[-/](\d{1,2})[-/](\d{1,2})(?!\d)", re.ASCII)
_TIME = re.compile(
    r"(?<!\d)(\d{1,2}):(\d{1,2})(?::(\d{1,2})(?:[.,]\d+)?)?(?!\d)(?:\s*([ap])\.?m\b)?", re.IGNORECASE | re.ASCII
)
_SIGNED_ZONE = re.compile(r"([+-])\s?(\d{1,2}):?(\d{2})(?!\d)|()\b([01]\d)([0-5]\d)\b", re.ASCII)
_WORD = re.compile(r"[^\W\d_]+")
_NUMBER = re.compile(r"\d{1,9}", re.ASCII)
_NUMERIC_DAY = re.compile(r"(?<![\d/.])(\d{1,2})([/.])(\d{1,2})\2(\d{4}|\d{2})(?![\d/])", re.ASCII)


def parse_date(value: str) -> tuple[datetime | None, str]:
    """Read a date header.

    Two-digit years are of 1950 to 2049 (RFC 5322, 4.3), three-digit ones count from 1900. A zone that is missing,
    unknown or impossible reads as UTC.

    Args:
        value: The value, on one line.

    Returns:
        The date in UTC, None where it holds none; and what is wrong with it, empty where nothing is.
    """
    usual = _USUAL.fullmatch(value)
    try:
        if usual:
            day, month, year, hour, minute, second, zone = usual.groups()
            number = _MONTHS.get(month.lower())
            if number is not None and year >= "0100":
                moment = datetime(int(year), number, int(day), int(hour), int(minute), min(int(second or 0), 59))
                return _in_utc(moment, *_signed_zone(zone))
        return _read_pieces(value)
    except (ValueError, OverflowError):
        return None, f"date could not be read: {value[:60]!r}"


def _in_utc(moment: datetime, offset: timedelta, wrong: str) -> tuple[datetime, str]:
    date = (moment - offset).replace(tzinfo=UTC)
    if not FIRST_LIKELY_YEAR <= date.year <= LAST_LIKELY_YEAR:
        wrong = f"unlikely date: year {date.year}"
    return date, wrong


@lru_cache(maxsize=256)
def _signed_zone(zone: str) -> tuple[timedelta, str]:
    minutes = int(zone[1:3]) * 60 + int(zone[3:5])
    if minutes >= 24 * 60 or int(zone[3:5]) > 59:
        return timedelta(0), "date has an impossible zone: read as UTC"
    return timedelta(minutes=-minutes if zone[0] == "-" else minutes), ""


def _read_pieces(value: str) -> tuple[datetime | None, str]:
    """Read a date by what stands in it, in whatever order: a time, a month's name or an ISO date, a zone."""
    bare, _, comment = value.partition("(")
    clock = _TIME.search(bare)
    before, after = (bare[: clock.start()], bare[clock.end() :]) if clock else (bare, "")
    year, month, day, rest = _day_of(before, after)
    hour, minute, second = _clock_of(clock)
    offset, wrong = _zone_of(rest, comment)
    return _in_utc(datetime(year, month, day, hour, minute, second), offset, wrong)


def _clock_of(clock: re.Match[str] | None) -> tuple[int, int, int]:
    if clock is None:
        return 0, 0, 0
    hour = int(clock[1])
    if clock[4]:
        hour = hour % 12 + (12 if clock[4] in "pP" else 0)
    return hour, int(clock[2]), min(int(clock[3] or 0), 59)


def _day_of(before: str, after: str) -> tuple[int, int, int, str]:
    """Return year, month, day, and what stands behind the time without them.

    Raises:
        ValueError: There is none.
    """
    iso = _ISO.search(before)
    if iso:
        return int(iso[1]), int(iso[2]), int(iso[3]), after
    numeric = _NUMERIC_DAY.search(before)
    if numeric:
        first, second = int(numeric[1]), int(numeric[3])
        is_month_first = numeric[2] == "/" and first <= 12
        month, day = (first, second) if is_month_first else (second, first)
        return _year_of(numeric[4]), month, day, after
    month = next((number for word in reversed(_WORD.findall(before)) if (number := _month_of(word))), 0)
    numbers = _NUMBER.findall(before)
    if not month or not numbers:
        raise ValueError("no day")
    if len(numbers) == 1:  # Mon May 14 10:00:00 PDT 2001
        late = re.search(r"(?<![\d+-])\d{4}(?!\d)", after)
        if late is None:
            raise ValueError("no year")
        return int(late[0]), month, int(numbers[0]), after[: late.start()] + " " + after[late.end() :]
    day, year = numbers[:2] if len(numbers[0]) <= 2 else (numbers[1], numbers[0])
    return _year_of(year), month, int(day), after


def _month_of(word: str) -> int:
    name = word.lower()
    return _MONTHS.get(name[:3]) or _OTHER_MONTHS.get(name[:3]) or _OTHER_MONTHS.get(name[:4]) or 0


def _year_of(digits: str) -> int:
    year = int(digits)
    if len(digits) <= 2 or year < 100:
        return year + (2000 if year < 50 else 1900)
    return year + 1900 if len(digits) == 3 else year


def _zone_of(rest: str, comment: str) -> tuple[timedelta, str]:
    signed = _SIGNED_ZONE.search(rest)
    if signed:
        return _signed_zone(f"{signed[1]}{signed[2]:0>2}{signed[3]}" if signed[1] else f"+{signed[5]}{signed[6]}")
    words = _WORD.findall(rest)
    for word in (*words, *_WORD.findall(comment)):
        minutes = _ZONES_MIN.get(word.lower())
        if minutes is not None:
            return timedelta(minutes=minutes), ""
    return timedelta(0), "date has an unknown zone: read as UTC" if words else "date has no zone: read as UTC"
