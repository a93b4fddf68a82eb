"""Moments: a date, a time, or both, where an answer says when something is."""

import re
from dataclasses import dataclass, replace
from datetime import date

from mailgym.rubrics.values.dates import DateParts, find_dates, relate_dates
from mailgym.rubrics.values.mention import MOST_MENTIONS, Mention, Relation
from mailgym.rubrics.values.times import DayTime, find_times, relate_times

_JOIN = re.compile(
    r"[\s,.(]*(?:(?:at|from|by|on|in the|@|the|starting|around|about|of|-|,|in)\s*){0,2}[\s,(]*t?\Z", re.IGNORECASE
)
_LIMIT = re.compile(
    r"\b(?:after|before|(?<!no )(?<!not )(?:later|earlier) than|prior to|following)\s+(?:the\s+)?\Z", re.IGNORECASE
)
_SOURCE_BEFORE = re.compile(
    r"\b(?:e-?mails?|mails?|messages?|memo|letter|note|reply|replied|thread|sent|dated|wrote|written|received|forwarded"
    r"|as of)\b[^.;,!?]{0,30}\Z",
    re.IGNORECASE,
)
_SAYS = re.compile(
    r"\b(?:says?|said|puts?|states?|gives?|mentions?|confirms?|sets?|moves?|that|is|was|it)\b", re.IGNORECASE
)
_SOURCE_AFTER = re.compile(r"\W{0,3}(?:'s )?(?:\w+ )?(?:e-?mail|mail|message|memo|note|thread)\b", re.IGNORECASE)
_ASKS_ABOUT_MAIL = re.compile(
    r"\b(?:sent|wrote|written|e-?mailed|mailed|received|forwarded|replied|dated)\b"
    r"|\bdid\b.{0,60}\b(?:send|write|e-?mail|mail|receive|forward|reply|answer)\b"
    r"|\b(?:date|day) of .{0,40}\b(?:e-?mail|mail|message|letter|memo|note|reply)\b",
    re.IGNORECASE,
)


EVERY_DATE = "When was it sent?"  # a question to which the date of a mail is an answer like any other


@dataclass(frozen=True, slots=True)
class Moment:
    """A date, a time, or both; at least one of them.

    Attributes:
        date: The date.
        time: The time of day.
        is_limit: Whether it only bounds another moment ("after Thursday").
    """

    date: DateParts | None = None
    time: DayTime | None = None
    is_limit: bool = False


def find_moments(
    text: str, question: str = "", today: date | None = None, *, bare_times: bool = False
) -> list[Mention[Moment]]:
    """Return the moments of a text, in order; "Thursday at 3pm" is one.

    The date of the mail in which something was read stands beside the answer, unless the question asks about mail.
    """
    dates = find_dates(text, today)
    times = find_times(text, bare=bare_times)
    pieces: list[Mention[Moment]] = [Mention(Moment(date=d.value), d.start, d.end, link=d.link) for d in dates]
    pieces += [
        Mention(Moment(time=t.value), t.start, t.end)
        for t in times
        if not any(t.start < d.end and d.start < t.end for d in dates)
    ]
    merged: list[Mention[Moment]] = []
    for piece in sorted(pieces, key=lambda mention: mention.start):
        joined = _joined(text, merged[-1], piece) if merged else None
        if joined is not None:
            merged[-1] = joined
        else:
            merged.append(piece)
    merged = [_limit(text, mention) for mention in merged]
    if _ASKS_ABOUT_MAIL.search(question):
        return merged[:MOST_MENTIONS]
    ends = [0, *(mention.end for mention in merged)]
    return [_source(text, mention, end) for mention, end in zip(merged[:MOST_MENTIONS], ends, strict=False)]


def _joined(text: str, before: Mention[Moment], piece: Mention[Moment]) -> Mention[Moment] | None:
    gap = text[before.end : piece.start]
    if len(gap) > 24 or not _JOIN.match(gap) or piece.link:
        return None
    a, b = before.value, piece.value
    if (a.date is not None and b.date is not None) or (a.time is not None and b.time is not None):
        return None
    return replace(before, value=Moment(a.date or b.date, a.time or b.time), end=piece.end)


def _limit(text: str, mention: Mention[Moment]) -> Mention[Moment]:
    if _LIMIT.search(text[max(0, mention.start - 20) : mention.start]):
        return replace(mention, value=replace(mention.value, is_limit=True))
    return mention


def _source(text: str, mention: Mention[Moment], begin: int) -> Mention[Moment]:
    before = text[max(begin, mention.start - 60) : mention.start]
    after = text[mention.end : mention.end + 30]
    source = _SOURCE_BEFORE.search(before)
    if (source and not _SAYS.search(source[0])) or (mention.value.time is None and _SOURCE_AFTER.match(after)):
        return mention.at("beside")
    return mention


def relate_moments(right: Moment, given: Moment, today: date | None = None) -> Relation:
    """Compare a right moment with a given one: parts that the right one lacks say nothing."""
    if given.is_limit and not right.is_limit:
        return "maybe"
    relations: list[Relation] = []
    lacking = False
    if right.date is not None:
        if given.date is not None:
            relations.append(relate_dates(right.date, given.date, today))
        else:
            lacking = True
    if right.time is not None:
        if given.time is not None:
            relations.append(relate_times(right.time, given.time))
        else:
            lacking = True
    if not relations:
        return "none"
    for relation in ("other", "none", "maybe"):
        if relation in relations:
            return relation
    return "maybe" if lacking else "same"


def together(mentions: list[Mention[Moment]]) -> list[Mention[Moment]]:
    """Join one date and one time that stand apart ("The call is on Thursday. It starts at 4pm.") into one moment."""
    standing = [m for m in mentions if m.standing in ("holds", "new")]
    dates = [m for m in standing if m.value.time is None]
    times = [m for m in standing if m.value.date is None]
    if len(dates) == 1 and len(times) == 1 and len(standing) == 2:
        whole = replace(times[0], value=Moment(dates[0].value.date, times[0].value.time))
        return [m for m in mentions if m not in (dates[0], times[0])] + [whole]
    return mentions
