"""Answers that no single mail says: sums, rests, differences, a time before another, how often something changed."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from fractions import Fraction
from typing import Any

from mailgym.envs.search.players.asked import Asked, stems_of
from mailgym.envs.search.players.evidence import (
    CHANGED,
    PARTLY_PAID,
    Candidate,
    amounts_in,
    clock_times,
    counts_in,
    measures_in,
    plain_number,
)
from mailgym.envs.search.players.matter import Matter, Sentence, sentences
from mailgym.rubrics.values.dates import DateParts

PER_PIECE = re.compile(r"\b(?:per|each|apiece|a piece|an? (?:unit|head|person))\b|/ ?(?:piece|unit)", re.IGNORECASE)
AHEAD = re.compile(r"\b(?:before|ahead|prior|in advance|earlier)\b", re.IGNORECASE)
DAY_S, HOUR_MIN = 86_400, 60


@dataclass(frozen=True, slots=True)
class Composed:
    """An answer that several mails make together.

    Attributes:
        text: The answer.
        message_ids: The mails it stands on.
    """

    text: str
    message_ids: tuple[str, ...]


def must_compose(asked: Asked) -> bool:
    """Return whether a question asks for what has to be worked out, so that no value read from a mail answers it."""
    return asked.counts_events or (asked.sort == "amount" and (asked.is_rest or asked.is_difference or asked.is_total))


def compose(  # noqa: PLR0911 (one return a kind of question)
    matter: Matter, mails: Sequence[dict[str, Any]], best: Candidate | None
) -> Composed | None:
    """Return what the mails of one thread make together; None where they make nothing.

    Args:
        matter: What is asked.
        mails: The mails or hits of the thread.
        best: The best value that one of them says, if any does.
    """
    asked = matter.asked
    told = [sentence for mail in _by_day(mails) for sentence in sentences(matter, mail)]
    if asked.counts_events:
        return _events(matter, told)
    if asked.sort == "amount" and asked.is_rest:
        return _rest(told)
    if asked.sort == "amount" and asked.is_difference:
        return _difference(told)
    if asked.sort == "amount" and asked.is_total:
        return _product(told)
    if asked.sort == "count" and asked.is_total:
        return _sum(matter, told)
    if asked.sort in ("date", "time", "moment") and best is not None:
        return _ahead(matter, told, best)
    return None


def _by_day(mails: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    return sorted(mails, key=lambda mail: str(mail["date"])[:10])


def _ids(*said: Sentence) -> tuple[str, ...]:
    return tuple(dict.fromkeys(str(sentence.mail["message_id"]) for sentence in said))


def _events(matter: Matter, told: Sequence[Sentence]) -> Composed | None:
    """Count the mails that tell of a change, in words that are not the name of what changes."""
    subjects = stems_of(" ".join(str(sentence.mail["subject"]) for sentence in told)) | matter.asked.stems
    ids = _ids(
        *(
            sentence
            for sentence in told
            if any(not stems_of(cue[0]) & subjects for cue in CHANGED.finditer(sentence.text))
        )
    )
    return Composed(str(len(ids)), ids) if ids else None


def _amounts(told: Sequence[Sentence]) -> Iterator[tuple[Fraction, str, Sentence]]:
    for sentence in told:
        for mention in amounts_in(sentence):
            if mention.standing not in ("old", "denied", "doubted"):
                yield mention.value.values[0], mention.value.currency, sentence


def _rest(told: Sequence[Sentence]) -> Composed | None:
    """Take what was paid in part off the latest full amount."""
    full = [one for one in _amounts(told) if not PARTLY_PAID.search(one[2].text)]
    paid = [one for one in _amounts(told) if PARTLY_PAID.search(one[2].text)]
    if not full or not paid:
        return None
    whole, currency, where = full[-1]
    parts = {(value, str(sentence.mail["message_id"])): (value, sentence) for value, _, sentence in paid}
    left = whole - sum(value for value, _ in parts.values())
    if left <= 0:
        return None
    return Composed(_money(left, currency), _ids(where, *(sentence for _, sentence in parts.values())))


def _difference(told: Sequence[Sentence]) -> Composed | None:
    """Take the last amount off the first."""
    amounts = list(_amounts(told))
    if len({value for value, _, _ in amounts}) < 2:
        return None
    (first, currency, one), (last, _, other) = amounts[0], amounts[-1]
    return Composed(_money(abs(first - last), currency), _ids(one, other))


def _product(told: Sequence[Sentence]) -> Composed | None:
    """Multiply the latest price of one by the latest count."""
    prices = [one for one in _amounts(told) if PER_PIECE.search(one[2].text)]
    counts = [(count, sentence) for sentence in told for count in counts_in(sentence) if count > 1]
    if not prices or not counts:
        return None
    price, currency, one = prices[-1]
    count, other = counts[-1]
    return Composed(_money(price * count, currency), _ids(other, one))


def _sum(matter: Matter, told: Sequence[Sentence]) -> Composed | None:
    """Add up what each mail says: its last count, once for each author."""
    by_author: dict[str, tuple[Fraction, Sentence]] = {}
    for sentence in told:
        if matter.share(stems_of(sentence.text)) > 0:
            for count in counts_in(sentence):
                by_author[str(sentence.mail["from"])] = (count, sentence)
    if len(by_author) < 2:
        return None
    total = sum(count for count, _ in by_author.values())
    return Composed(plain_number(Fraction(total)), _ids(*(sentence for _, sentence in by_author.values())))


def _ahead(matter: Matter, told: Sequence[Sentence], best: Candidate) -> Composed | None:
    """Take a lead ("two days before we meet") off the day or time of the event, where the question is about it."""
    leads = [sentence for sentence in told if AHEAD.search(sentence.text) and measures_in(sentence)]
    if not leads:
        return None
    lead = max(leads, key=lambda sentence: matter.share(stems_of(sentence.text)))
    event = matter.share(stems_of(best.sentence.text))
    if best.sentence.text == lead.text or matter.share(stems_of(lead.text)) <= event:
        return None
    seconds = measures_in(lead)[-1]
    if matter.asked.sort == "time" or (matter.asked.sort == "moment" and seconds < DAY_S):
        return _earlier_time(seconds, lead, best)
    return _earlier_day(seconds, lead, best)


def _earlier_time(seconds: Fraction, lead: Sentence, best: Candidate) -> Composed | None:
    times = clock_times(best.sentence.text)
    if not times or seconds >= DAY_S:
        return None
    minute = (times[-1].value.minute - int(seconds) // HOUR_MIN) % (24 * 60)
    return Composed(f"{minute // 60}:{minute % 60:02d}", _ids(best.sentence, lead))


def _earlier_day(seconds: Fraction, lead: Sentence, best: Candidate) -> Composed | None:
    day = best.day
    if day is None or seconds < DAY_S:
        return None
    written = _full_day(day, str(best.sentence.mail["date"])[:10])
    if written is None:
        return None
    return Composed((written - timedelta(days=int(seconds) // DAY_S)).isoformat(), _ids(best.sentence, lead))


def _full_day(parts: DateParts, sent_on: str) -> date | None:
    """Return the date that a mail means; without a year the first one from the day of the mail on."""
    whole = parts.day_in_full()
    if whole is not None or not parts.month or not parts.day:
        return whole
    try:
        sent = date.fromisoformat(sent_on)
        this_year = date(sent.year, parts.month, parts.day)
        return this_year if this_year >= sent else date(sent.year + 1, parts.month, parts.day)
    except ValueError:
        return None


def _money(value: Fraction, currency: str) -> str:
    return f"{plain_number(value)} {currency}".strip()
