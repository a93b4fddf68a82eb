"""Dates as answers write them: in full, in part, in digits, in words, and relative to a day."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date, timedelta
from itertools import islice

from mailgym.rubrics.values.mention import MOST_MENTIONS, Mention, Relation
from mailgym.rubrics.values.number_words import ORDINALS

_MONTH_WORDS = (
    "january jan|february feb|march mar|april apr|may|june jun|july jul|august aug|september sept sep|october oct"
    "|november nov|december dec"
)
_WEEKDAY_WORDS = "monday mon|tuesday tues tue|wednesday wed|thursday thurs thur thu|friday fri|saturday sat|sunday sun"
MONTHS = {name: number for number, names in enumerate(_MONTH_WORDS.split("|"), 1) for name in names.split()}
WEEKDAYS = {name: number for number, names in enumerate(_WEEKDAY_WORDS.split("|")) for name in names.split()}

_MONTH = rf"(?:{'|'.join(sorted(MONTHS, key=len, reverse=True))})"
_DAY = (
    r"(?:[12]\d|3[01]|0?[1-9])(?:\s?(?:st|nd|rd|th))?"
    r"(?![\d:]|\.\d|,\d{3}|\s*(?:[ap]\.?m\b|%|people\b|hours?\b|days?\b|mails?\b))"
)
_WORD_DAY = rf"(?:{'|'.join(sorted(ORDINALS, key=len, reverse=True))})"
_YEAR = r"(?:(?:19|20)\d\d|'\d\d)(?!\d)"
_MORE_DAYS = rf"(?:\s*(?:,|and|&|-|to|or|through)\s*{_DAY}(?!\s*(?:{_MONTH})\b)){{0,6}}"
_WEEKDAY = rf"(?:{'|'.join(sorted(WEEKDAYS, key=len, reverse=True))})"
_HOLIDAY = r"(?:christmas|new\ year's|easter|thanksgiving|labor\ day|memorial\ day|halloween|good\ friday)"
_SOME = r"(?:\w+|a\ few)\ (?:day|week|month|year)s?"
_NO_NTH = r"(?!\s+(?:floor|street|avenue|ave|st|time|quarter|grade|draft|version)\b)"
_PATTERN = re.compile(
    rf"""
    (?P<iso>\b(?:19|20)\d\d[-/.](?:1[0-2]|0?[1-9])[-/.](?:3[01]|[12]\d|0?[1-9])(?!\d))
    |(?P<month_day>\b(?P<m1>{_MONTH})\.?\s*(?:the\s+)?(?P<d1>{_DAY}{_MORE_DAYS}|{_WORD_DAY}\b)
        (?:,?\s+(?:of\s+|in\s+)?(?P<y1>{_YEAR}))?)
    |(?P<day_month>\b(?P<d2>{_DAY}|{_WORD_DAY})(?P<d2_more>{_MORE_DAYS})[\s-]*(?:day\s+)?(?:of\s+)?
        (?P<m2>{_MONTH})\b\.?,?(?:[\s-]*(?P<y2>{_YEAR}|(?<=-)\d\d\b))?)
    |(?P<digits>(?<![\d/.$-])(?P<n1>\d{{1,2}})(?P<mark>[/.-])(?P<n2>\d{{1,2}})
        (?:(?P=mark)(?P<y3>(?:19|20)\d\d|\d\d))?(?![\d/%-]|\.\d))
    |(?P<month_year>\b(?P<m4>{_MONTH})\b\.?,?\s*(?:of\s+)?(?P<y4>{_YEAR}))
    |(?P<month>\b(?P<m5>{_MONTH})\b\.?)
    |(?P<quarter>\b(?:q(?P<q1>[1-4])|(?P<q2>first|second|third|fourth|1st|2nd|3rd|4th)\ quarter)\b
        (?:,?\s*(?:of\s+)?(?P<y7>(?:19|20)\d\d|'\d\d))?)
    |(?P<relative>\b(?:the\ day\ (?:before|after)(?:\ tomorrow|\ yesterday)?|tomorrow|yesterday|today|tonight
        |(?:next|last|this|coming|following|the\ following)\ (?:week|month|year|quarter|weekend|{_WEEKDAY})\b
        |(?:in|within)\ {_SOME}(?:\ time)?|{_SOME}\ (?:ago|later|earlier|from\ now|before|after)
        |{_HOLIDAY}(?:\ eve|\ day|\ monday|\ weekend)?|(?:the\ )?weekend
        |(?:the\ )?(?:end|beginning|middle|start)\ of\ (?:the\ )?(?:week|month|year|quarter)|mid-?month|eo[mwy])\b)
    |(?P<weekday>\b(?P<w>{_WEEKDAY})s?\b\.?)
    |(?P<day>\b(?:on\s+)?the\s+(?P<d6>(?:[12]\d|3[01]|[1-9])(?:st|nd|rd|th)|{_WORD_DAY})\b{_NO_NTH}
        (?!\s+(?:one|day|week|largest|party|best|most|of\ (?!this))\b))
    |(?P<nth>\b(?P<d7>(?:[12]\d|3[01]|[1-9])(?:st|nd|rd|th))\b{_NO_NTH})
    |(?P<year>(?<![\d.,$€£\#/-])(?P<y8>(?:19|20)\d\d)(?![\d%]|[.,/-]\d|\s?(?:hrs|hours|h\b|dollars|usd|eur)))
    """,
    re.IGNORECASE | re.VERBOSE,
)
_TO_THE_NEXT = re.compile(r"\s*(?:-|,|to|and|until|till|through|or|and on|or on)?\s*(?:the\s+)?", re.IGNORECASE)
_JOIN = re.compile(r"[\s,.(]*(?:(?:the|of|on|in|-)\s+)?[\s,.()]*\Z")


@dataclass(frozen=True, slots=True)
class DateParts:
    """What is known of a date.

    Attributes:
        year: The year, None where it is not said.
        days: Readings as (month, day), the likeliest first; a part that is not said is 0. Empty where neither is.
        weekday: 0 is Monday, None where it is not said.
        quarter: 1 to 4, 0 where none is said.
        relative: Words that need a day to count from, empty where there are none.
        is_open: Whether it means one of several days and does not tell which ("next Friday" on a Wednesday).
    """

    year: int | None = None
    days: tuple[tuple[int, int], ...] = ()
    weekday: int | None = None
    quarter: int = 0
    relative: str = ""
    is_open: bool = False

    @property
    def month(self) -> int:
        """The month of the likeliest reading, 0 where it is not said."""
        return self.days[0][0] if self.days else 0

    @property
    def day(self) -> int:
        """The day of the likeliest reading, 0 where it is not said."""
        return self.days[0][1] if self.days else 0

    def day_in_full(self) -> date | None:
        """Return the date of the likeliest reading where year, month and day are known and there is such a day."""
        if self.year is None or not self.month or not self.day:
            return None
        try:
            return date(self.year, self.month, self.day)
        except ValueError:
            return None

    def known_weekday(self) -> int | None:
        """Return the weekday that is said, else the one that follows from the date."""
        full = self.day_in_full()
        return self.weekday if self.weekday is not None else full.weekday() if full else None


def find_dates(text: str, today: date | None = None) -> list[Mention[DateParts]]:
    """Return the dates of a text, in order; "Thursday, 14 May" is one.

    Args:
        text: The cleaned text.
        today: The day that words such as "tomorrow" count from; without it they stay open.
    """
    pieces: list[Mention[DateParts]] = []
    for match in islice(_PATTERN.finditer(text), 4 * MOST_MENTIONS):
        pieces += _read(text, match, today)
    merged: list[Mention[DateParts]] = []
    for piece in pieces[:MOST_MENTIONS]:
        joined = _joined(text, merged[-1], piece) if merged else None
        if joined is not None:
            merged[-1] = joined
        else:
            merged.append(piece)
    return _with_months(text, merged)


def _with_months(text: str, found: list[Mention[DateParts]]) -> list[Mention[DateParts]]:
    """Give "the 14th" in "the 14th to the 18th of May" its month."""
    out = list(found)
    for number in range(len(out) - 2, -1, -1):
        day, full = out[number], out[number + 1]
        lacks = day.value.day and not day.value.month and day.value.year is None
        if lacks and full.value.month and full.value.day and _TO_THE_NEXT.fullmatch(text[day.end : full.start]):
            days = ((full.value.month, day.value.day),)
            out[number] = replace(day, value=replace(day.value, days=days, year=full.value.year))
    return out


def _read(text: str, match: re.Match[str], today: date | None) -> Iterator[Mention[DateParts]]:
    start, end = match.span()
    group = match.groupdict()
    if group["iso"]:
        year, month, day = (int(number) for number in re.split(r"[-/.]", group["iso"]))
        yield Mention(DateParts(year, ((month, day),)), start, end)
    elif group["month_day"] or group["day_month"]:
        month = MONTHS[(group["m1"] or group["m2"]).lower()]
        days = _days_of(group["d1"] or (group["d2"] + (group["d2_more"] or "")))
        link = "range" if re.search(r"-|\bto\b|through", group["d1"] or group["d2_more"] or "") else ""
        for number, day in enumerate(days):
            parts = DateParts(_year_of(group["y1"] or group["y2"]), ((month, day),))
            yield Mention(
                parts,
                start + number,
                end if number == len(days) - 1 else start + number + 1,
                link="range" if number and link else "",
            )
    elif group["digits"]:
        yield from _read_digits(match)
    elif group["month_year"] or group["month"]:
        word = group["m4"] or group["m5"]
        if group["month_year"] or _is_month(text, word, start, end):
            yield Mention(DateParts(_year_of(group["y4"]), ((MONTHS[word.lower()], 0),)), start, end)
    elif group["weekday"]:
        if _is_weekday(text, group["w"], end):
            yield Mention(DateParts(weekday=WEEKDAYS[group["w"].lower()]), start, end)
    elif group["quarter"]:
        number = (
            int(group["q1"] or 0)
            or ("first", "second", "third", "fourth", "1st", "2nd", "3rd", "4th").index(group["q2"].lower()) % 4 + 1
        )
        yield Mention(DateParts(_year_of(group["y7"]), quarter=number), start, end)
    elif group["relative"]:
        yield Mention(resolve(group["relative"].lower(), today), start, end)
    elif group["day"] or group["nth"]:
        yield Mention(DateParts(days=((0, _days_of(group["d6"] or group["d7"])[0]),)), start, end)
    elif group["year"]:
        yield Mention(DateParts(int(group["y8"])), start, end)


def _days_of(words: str) -> list[int]:
    spelled = ORDINALS.get(words.lower())
    return [spelled] if spelled else [int(number) for number in re.findall(r"\d{1,2}", words)] or [0]


def _year_of(digits: str | None) -> int | None:
    if not digits:
        return None
    year = int(digits.lstrip("'"))
    return year if year >= 100 else year + (2000 if year < 50 else 1900)


def _read_digits(match: re.Match[str]) -> Iterator[Mention[DateParts]]:
    first, second, mark = int(match["n1"]), int(match["n2"]), match["mark"]
    if not match["y3"] and mark != "/":
        return
    american, european = (first, second), (second, first)
    order = [european, american] if mark == "." else [american, european]
    readings = tuple(dict.fromkeys(r for r in order if 1 <= r[0] <= 12 and 1 <= r[1] <= 31))
    if readings:
        yield Mention(DateParts(_year_of(match["y3"]), readings), match.start(), match.end())


def _is_month(text: str, word: str, start: int, end: int) -> bool:
    if word.lower() not in ("may", "march", "mar", "jan", "dec", "sep", "jun"):
        return True
    before = text[max(0, start - 12) : start].lower()
    if word.lower() in ("may", "march"):
        return word[0].isupper() and (
            not re.match(r"\s+[a-z]+", text[end:])
            or bool(re.search(r"\b(?:in|of|by|since|until|during|this|last|next|early|late|mid)[\s-]\Z", before))
        )
    return word[0].isupper()


def _is_weekday(text: str, word: str, end: int) -> bool:
    if word.lower() not in ("sat", "sun", "wed", "mon", "fri", "thu", "tue"):
        return True
    return word[0].isupper() or bool(re.match(r"[\s,.]*(?:at\s+)?\d", text[end : end + 8]))


def _joined(text: str, before: Mention[DateParts], piece: Mention[DateParts]) -> Mention[DateParts] | None:
    gap = text[before.end : piece.start]
    if len(gap) > 8 or not _JOIN.match(gap) or piece.link:
        return None
    a, b = before.value, piece.value
    if a.relative or b.relative or (a.year is not None and b.year is not None) or (a.quarter and b.quarter):
        return None
    if (a.days and b.days) or (a.weekday is not None and b.weekday is not None):
        return None
    if "-" in gap and not (a.weekday is not None or b.weekday is not None):
        return None
    value = DateParts(
        a.year if a.year is not None else b.year,
        a.days or b.days,
        a.weekday if a.weekday is not None else b.weekday,
        a.quarter or b.quarter,
    )
    return replace(before, value=value, end=piece.end)


def resolve(words: str, today: date | None) -> DateParts:  # noqa: PLR0911 (one return a form)
    """Return the date that relative words mean on a day; open where there is no day or no rule for them."""
    offsets_days = {
        "today": 0,
        "tonight": 0,
        "tomorrow": 1,
        "yesterday": -1,
        "the day after tomorrow": 2,
        "the day before yesterday": -2,
    }
    lead, _, last = words.rpartition(" ")
    weekday = WEEKDAYS.get(last)
    if today is None:
        return DateParts(weekday=weekday, relative=words)
    if words in offsets_days:
        return _on(today + timedelta(days=offsets_days[words]))
    if weekday is not None and lead in ("this", "coming", "next", "following", "the following"):
        ahead = (weekday - today.weekday()) % 7 or 7
        first, second = today + timedelta(days=ahead), today + timedelta(days=ahead + 7)
        if lead == "next" and ahead < 7 - today.weekday():  # of this week, or of the next one
            days = ((first.month, first.day), (second.month, second.day))
            return DateParts(days=days, weekday=weekday, is_open=True)
        return _on(first)
    if weekday is not None and lead == "last":
        return _on(today - timedelta(days=(today.weekday() - weekday) % 7 or 7))
    counted = re.fullmatch(r"in (a|one|two|three|four|five|six|seven|\d{1,2}) (day|week)s?(?: time)?", words)
    ago = re.fullmatch(r"(a|one|two|three|four|five|six|seven|\d{1,2}) (day|week)s? (ago|from now)", words)
    found = counted or ago
    if found:
        number = {"a": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7}.get(
            found[1]
        ) or int(found[1])
        days_away = number * (7 if found[2] == "week" else 1)
        return _on(today + timedelta(days=-days_away if ago and ago[3] == "ago" else days_away))
    return DateParts(relative=words)


def _on(day: date) -> DateParts:
    return DateParts(day.year, ((day.month, day.day),), day.weekday())


def relate_dates(  # noqa: PLR0911 (one return a rule)
    right: DateParts, given: DateParts, today: date | None = None
) -> Relation:
    """Compare a right date with a given one; a year that either leaves out does not count."""
    if right.relative and right.relative == given.relative:
        return "same"
    if right.year is not None and given.year is not None and right.year != given.year:
        return "other"
    if right.quarter or given.quarter:
        return _relate_quarters(right, given)
    weekdays = right.known_weekday(), given.known_weekday()
    said = right.weekday is not None or given.weekday is not None
    differ = None not in weekdays and weekdays[0] != weekdays[1]
    if right.days and given.days:
        return _relate_days(right, given, clash=said and differ and _same_day(right, given))
    if given.relative or right.relative:
        return "other" if differ else "maybe"
    if None not in weekdays and said:
        if differ:
            return "other"
        if right.weekday is not None and given.weekday is not None and not right.days:
            return "same"
        return "same" if _within_a_week(right if right.days else given, today) else "maybe"
    if right.year is not None and not right.days and right.weekday is None:
        return (
            "same" if given.year == right.year and not given.days else "maybe" if given.year == right.year else "none"
        )
    return "maybe"


def _same_day(right: DateParts, given: DateParts) -> bool:
    return bool(set(right.days) & set(given.days))


def _within_a_week(parts: DateParts, today: date | None) -> bool:
    full = parts.day_in_full()
    return today is not None and full is not None and abs((full - today).days) <= 6


def _relate_days(right: DateParts, given: DateParts, *, clash: bool) -> Relation:
    best: Relation = "other"
    for month, day in right.days:
        for rank, (given_month, given_day) in enumerate(given.days):
            if (month and given_month and month != given_month) or (day and given_day and day != given_day):
                continue
            covered = bool(given_month or not month) and bool(given_day or not day)
            exact = not (given_day and not day)
            first = not given.is_open and (rank == 0 or given.weekday is not None)
            if covered and exact and first and not clash:
                return "same"
            best = "maybe"
    return best


def _relate_quarters(right: DateParts, given: DateParts) -> Relation:
    if right.quarter and given.quarter:
        return "same" if right.quarter == given.quarter else "other"
    month = right.month or given.month
    if month and (month - 1) // 3 + 1 != (right.quarter or given.quarter):
        return "other"
    return "maybe"
