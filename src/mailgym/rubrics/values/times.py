"""Times of day as answers write them, with their zone."""

import re
from dataclasses import dataclass, replace
from itertools import islice

from mailgym.rubrics.values.mention import MOST_MENTIONS, Mention, Relation
from mailgym.rubrics.values.number_words import SMALL

DAY_MIN = 24 * 60
_HOUR_WORDS = {word: number for word, number in SMALL.items() if 1 <= number <= 12}
_MINUTE_WORDS = {
    "five": 5,
    "ten": 10,
    "twenty": 20,
    "twenty-five": 25,
    "twenty five": 25,
    "a quarter": 15,
    "quarter": 15,
    "half": 30,
}
# Hours from UTC in winter; where a name stands for both summer and winter they are compared by this one.
_ZONES = {
    "eastern": -5, "et": -5, "est": -5, "edt": -5, "central": -6, "ct": -6, "cst": -6, "cdt": -6,
    "mountain": -7, "mt": -7, "mst": -7, "mdt": -7, "pacific": -8, "pt": -8, "pst": -8, "pdt": -8,
    "gmt": 0, "utc": 0, "z": 0, "bst": 0, "cet": 1, "cest": 1, "mez": 1, "mesz": 1, "eet": 2, "eest": 2,
    "ist": 5.5, "jst": 9, "sgt": 8, "hkt": 8, "aest": 10, "aedt": 10,
}  # fmt: skip
_SUMMER = {"edt", "cdt", "mdt", "pdt", "bst", "cest", "mesz", "eest", "aedt"}
# Names of one zone in summer and in winter, which people mix up; all American zones, which change on one day.
_FAMILIES = (
    {name for name in _ZONES if name[0] in "ecmp" and name not in ("cet", "cest", "mez", "mesz", "eet", "eest")},
    {"cet", "cest", "mez", "mesz"},
    {"eet", "eest"},
    {"aest", "aedt"},
)
_EXACT = {"gmt", "utc", "z", "ist", "jst", "sgt", "hkt", "est", "cst", "mst", "pst", "cet", "mez", "eet", *_SUMMER}
_MONTH_NAMES = "january|february|march|april|may|june|july|august|september|october|november|december"
_WORD_HOUR = "|".join(sorted(_HOUR_WORDS, key=len, reverse=True))
_HOUR = r"(?:[01]?\d|2[0-4])"
_TIME = re.compile(
    rf"""
    (?P<clock>(?<![\d:.$,/-])(?P<h1>{_HOUR})
        (?:[:h](?P<min1>[0-5]\d)(?::[0-5]\d)?(?!\d)|\.(?P<min2>[0-5]\d)(?=\s?(?:[ap]\.?m\b|uhr|hrs|h\b)))
        \s*(?:[ap]\.?\s?m\b\.?)?)
    |(?P<hour>(?<![\d:.$,/])(?P<h2>1[0-2]|0?[1-9])\s?(?:[ap]\.?\s?m\b\.?))
    |(?P<name>\b(?:noon|midday|midnight)\b)
    |(?P<oclock>\b(?P<h3>1[0-2]|[1-9]|{_WORD_HOUR})(?:\s?o'?\s?clock\b|(?=\s(?:in\sthe\s(?:morning|afternoon|evening)|at\snight))))
    |(?P<spoken>\b(?:(?P<part>half|a\squarter|quarter)\s(?P<side>past|after|to|before|till|of)
            |(?P<part_2>twenty[ -]five|five|ten|twenty|[1-5]?\d)\sminutes\s(?P<side_2>past|after|to|before|till|of)
            |(?P<part_3>twenty[ -]five|five|ten|twenty|[1-5]?[05])\spast)
        \s(?P<h4>1[0-2]|[1-9]|{_WORD_HOUR}|noon|midnight)(?![\w:])(?:\s?[ap]\.?m\b\.?)?)
    |(?P<military>\b(?P<h5>[01]\d|2[0-3])(?P<min5>[0-5]\d)\s?(?:hrs\b|hours\b|h\b|z\b|(?=utc|gmt)))
    |(?P<word_half>\b(?P<h6>{_WORD_HOUR})(?:[ -](?P<min6>thirty|fifteen|forty-five|o'clock))?\s?(?:[ap]\.?\s?m\b\.?))
    """,
    re.IGNORECASE | re.VERBOSE,
)
_BARE = re.compile(
    rf"""
    (?:\b(?:at|by|from|until|till|to|around|about|before|after|between|for)\s+|@\s*)
    (?P<bare>(?:1[0-2]|[1-9])(?![\w:/%]|[.,]\d)|(?:{_WORD_HOUR})(?:[ -](?:thirty|fifteen))?\b)
    (?!\s+(?:people|days?|weeks?|hours?|minutes?|months?|years?|percent|of|mails?|dollars|euros|seats|points|{_MONTH_NAMES})\b)
    """,
    re.IGNORECASE | re.VERBOSE,
)
_WORDS_TO_THE_HOUR = re.compile(
    rf"\b(?P<left>twenty[ -]five|five|ten|twenty)\s(?:to|before|till)\s(?P<hour>{_WORD_HOUR})\b", re.IGNORECASE
)
_DOTTED = re.compile(
    r"(?<![\d:.$€£,/-])(?P<h>[01]?\d|2[0-3])\.(?P<m>[0-5]\d)(?![\d.,%]|\s?(?:usd|eur|gbp|dollars|euros)\b)",
    re.IGNORECASE,
)
_RANGE_START = re.compile(
    r"(?<![\d:.$,/-])(?P<h>1[0-2]|0?[1-9])(?::(?P<m>[0-5]\d))?\s*(?:-|to|until|till|and|or|/)\s*\Z", re.IGNORECASE
)
_TAIL = re.compile(
    r"""
    \s*(?:in\sthe\s(?P<part>morning|afternoon|evening)|(?P<night>at\snight))?[\s,(]*
    (?P<zone>(?:eastern|central|mountain|pacific|[ecmp]t|[ecmp][sd]t|gmt|utc|bst|cet|cest|mez|mesz|eet|eest|ist|jst
        |sgt|hkt|aest|aedt|z)\b(?:\s?[+-]\s?\d{1,2}(?::?\d\d)?\b)?|[+-]\d\d:?\d\d\b)?
    """,
    re.IGNORECASE | re.VERBOSE,
)


@dataclass(frozen=True, slots=True)
class DayTime:
    """A time of day.

    Attributes:
        minute: Minutes after midnight, as office hours suggest where morning or afternoon is not said.
        other_minute: The other reading, None where there is one reading only.
        zone: Name of the zone in lower case, or an offset such as ``+02:00``; empty where none is said.
    """

    minute: int
    other_minute: int | None = None
    zone: str = ""


def find_times(text: str, *, bare: bool = False) -> list[Mention[DayTime]]:
    """Return the times of a text, in order.

    Args:
        text: The cleaned text.
        bare: Whether a number alone, or behind "at", is a time: where a time is asked for.
    """
    found: list[Mention[DayTime]] = []
    for match in islice(_TIME.finditer(text), MOST_MENTIONS):
        if found and match.start() < found[-1].end:  # part of the zone of the time before
            continue
        mention = _read(text, match)
        if mention is not None:
            found += [*_range_start(text, mention, found), mention]
    if bare:
        found += _bare_times(text, found)
    return sorted(found, key=lambda mention: mention.start)[:MOST_MENTIONS]


def _read(text: str, match: re.Match[str]) -> Mention[DayTime] | None:
    group = match.groupdict()
    half = re.search(r"([ap])\.?\s?m\b\.?\Z", match[0], re.IGNORECASE)
    letter = half[1].lower() if half and not group["name"] else ""
    if group["name"]:
        hour, minute, letter = (0 if group["name"].lower() == "midnight" else 12), 0, "24"
    elif group["spoken"]:
        hour, minute, letter = _spoken(group, letter)
    elif group["military"]:
        hour, minute, letter = int(group["h5"]), int(group["min5"]), "24"
    else:
        word = group["h1"] or group["h2"] or group["h3"] or group["h6"]
        hour = _HOUR_WORDS.get(word.lower()) or int(word)
        minute = int(group["min1"] or group["min2"] or 0) or {"thirty": 30, "fifteen": 15, "forty-five": 45}.get(
            (group["min6"] or "").lower(), 0
        )
        if len(word) == 2 and word[0] == "0" and not letter:
            letter = "24"
    return _with_tail(text, match.start(), match.end(), hour, minute, letter)


def _spoken(group: dict[str, str | None], letter: str) -> tuple[int, int, str]:
    part = (group["part"] or group["part_2"] or group["part_3"] or "").lower()
    side = (group["side"] or group["side_2"] or "past").lower()
    away = _MINUTE_WORDS.get(part) or int(re.sub(r"\D", "", part) or 0)
    word = (group["h4"] or "").lower()
    named = {"noon": 12, "midnight": 0}.get(word)
    hour = named if named is not None else _HOUR_WORDS.get(word) or int(word)
    if named is not None:
        letter = "24"
    if side in ("past", "after"):
        return hour, away, letter
    if letter in ("a", "p"):
        hour = hour % 12 + (12 if letter == "p" else 0)
    total = (hour * 60 - away) % DAY_MIN
    return total // 60, total % 60, "24" if letter else ""


def _with_tail(text: str, start: int, end: int, hour: int, minute: int, letter: str) -> Mention[DayTime] | None:
    if hour > 24 or (letter in ("a", "p") and (hour > 12 and not 13 <= hour <= 23)):
        return None
    tail = _TAIL.match(text, end)
    zone = ""
    if tail:
        part = (tail["part"] or ("night" if tail["night"] else "")).lower()
        zone = (tail["zone"] or "").lower().replace(" ", "")
        if part or zone:
            end = tail.end()
        if part and not letter:
            letter = "a" if part == "morning" else "p"
    if letter in ("a", "p") and hour <= 12:
        hour = hour % 12 + (12 if letter == "p" else 0)
    if letter or hour > 12 or hour == 0:
        return Mention(DayTime((hour % 24) * 60 + minute, None, zone), start, end)
    primary = hour % 12 + (12 if hour in (12, 1, 2, 3, 4, 5, 6) else 0)
    return Mention(DayTime(primary * 60 + minute, ((primary + 12) % 24) * 60 + minute, zone), start, end)


def _range_start(text: str, mention: Mention[DayTime], found: list[Mention[DayTime]]) -> list[Mention[DayTime]]:
    """Return the first time of "3-4pm" or "11 to 1 pm", which has its half of the day from the second."""
    begin = max(found[-1].end if found else 0, mention.start - 16)
    first = _RANGE_START.search(text[begin : mention.start])
    if not first:
        return []
    hour, minute = int(first["h"]) % 12, int(first["m"] or 0)
    readings = [hour * 60 + minute, hour * 60 + minute + 720]
    before = [reading for reading in readings if reading < mention.value.minute]
    if mention.value.other_minute is not None or not before:
        return []
    return [
        Mention(
            DayTime(before[-1], None, mention.value.zone),
            begin + first.start(),
            begin + first.end("h") + len(f":{first['m']}" if first["m"] else ""),
        )
    ]


def _to_the_hour(match: re.Match[str]) -> Mention[DayTime]:
    """Read "ten to four", which is a range of numbers where no time is asked for."""
    minutes_left = _MINUTE_WORDS[match["left"].lower().replace("-", " ")]
    minute = (_HOUR_WORDS[match["hour"].lower()] * 60 - minutes_left) % 720
    afternoon = minute + 720 if minute // 60 in (0, 1, 2, 3, 4, 5, 6) else minute
    return Mention(DayTime(afternoon, (afternoon + 720) % DAY_MIN), match.start(), match.end())


def _bare_times(text: str, found: list[Mention[DayTime]]) -> list[Mention[DayTime]]:
    alone = re.fullmatch(
        rf"\s*(?P<bare>1[0-2]|[1-9]|(?:{_WORD_HOUR})(?:[ -](?:thirty|fifteen))?)\s*", text, re.IGNORECASE
    )
    spoken = [_to_the_hour(match) for match in islice(_WORDS_TO_THE_HOUR.finditer(text), MOST_MENTIONS)]
    for match in islice(_DOTTED.finditer(text), MOST_MENTIONS):
        mention = _with_tail(
            text, *match.span(), int(match["h"]), int(match["m"]), "24" if match["h"][0] == "0" else ""
        )
        spoken += (
            [mention] if mention and not any(mention.start < m.end and m.start < mention.end for m in found) else []
        )
    bare = [*spoken]
    found = [*found, *spoken]
    for match in [alone] if alone else list(islice(_BARE.finditer(text), MOST_MENTIONS)):
        start, end = match.span("bare")
        if any(start < m.end and m.start < end for m in found):
            continue
        word, _, more = match["bare"].lower().replace("-", " ").partition(" ")
        hour = _HOUR_WORDS.get(word) or int(word)
        mention = _with_tail(text, start, end, hour, {"thirty": 30, "fifteen": 15}.get(more, 0), "")
        if mention is not None:
            bare.append(mention)
    return bare


def relate_times(right: DayTime, given: DayTime) -> Relation:
    """Compare a right time with a given one; a zone that either leaves out does not count."""
    shift, sure = _shift_min(right.zone, given.zone)
    rights = [minute for minute in (right.minute, right.other_minute) if minute is not None]
    moved = replace(
        given,
        minute=(given.minute + shift) % DAY_MIN,
        other_minute=None if given.other_minute is None else (given.other_minute + shift) % DAY_MIN,
    )
    if moved.minute in rights:
        return "same" if sure else "maybe"
    if moved.other_minute is not None and moved.other_minute in rights:
        return "maybe"
    if not sure and any((minute - moved.minute) % DAY_MIN in (60, DAY_MIN - 60) for minute in rights):
        return "maybe"
    return "other"


def _shift_min(right: str, given: str) -> tuple[int, bool]:
    """Return the minutes from the given zone to the right one, and whether that holds all year round."""
    if not right or not given or right == given:
        return 0, True
    a, b = _offset_h(right), _offset_h(given)
    if a is None or b is None:
        return 0, False
    alike = any(right in names and given in names for names in _FAMILIES)
    if not alike:  # a name of summer time beside one that has none
        a, b = a + (right in _SUMMER), b + (given in _SUMMER)
    exact = all(re.split(r"[+-]", zone)[0] in ("", *_EXACT) for zone in (right, given))
    return round((a - b) * 60), alike or exact


def _offset_h(zone: str) -> float | None:
    signed = re.search(r"([+-])(\d{1,2}):?(\d\d)?\Z", zone)
    base = zone[: signed.start()] if signed else zone
    if base and base not in _ZONES:
        return None
    hours = float(_ZONES.get(base, 0))
    if signed:
        hours += (-1 if signed[1] == "-" else 1) * (int(signed[2]) + int(signed[3] or 0) / 60)
    return hours
