"""What an owner would remember of a message: who, roughly when, and about what."""

import calendar
import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from random import Random

from mailgym.corpora.known_item.templates import MONTHS, STOP_WORDS
from mailgym.corpora.owner import name_from_address
from mailgym.mail.message import Address, Message

_EDGES = ".,;:!?()[]{}\"'`*…"
_CLEAN_WORD = re.compile(r"[^\W\d_]{3,14}")
_NAME_WORD = re.compile(r"[^\W\d_]{2,20}")
_HAS_VOWEL = re.compile(r"[aeiouyäöüàâéèêëîïôûù]", re.IGNORECASE)
_SEASONS = {"winter": (12, 1, 2), "spring": (3, 4, 5), "summer": (6, 7, 8), "autumn": (9, 10, 11)}
SUBJECT_BONUS = 2.0


def clean_words(text: str) -> list[str]:
    """Return the words of a text that a person would say: letters only, no addresses, no links, no function words."""
    words = (token.strip(_EDGES).casefold() for token in text.split())
    return [w for w in words if w not in STOP_WORDS and _CLEAN_WORD.fullmatch(w) and _HAS_VOWEL.search(w)]


@dataclass(frozen=True, slots=True)
class Who:
    """Somebody as a question names them: full name and first name."""

    full: str
    first: str


def remembered_person(person: Address) -> Who | None:
    """Return how a person is called; None where no clean first and last name is known (lists, companies)."""
    name = person.name or name_from_address(person.address)
    words = [word for word in re.split(r"[\s.]+", name) if len(word) > 1]
    if len(words) != 2 or not all(_NAME_WORD.fullmatch(word) and word[0].isupper() for word in words):
        return None
    return Who(" ".join(words), words[0])


@dataclass(frozen=True, slots=True)
class When:
    """A time as it is remembered.

    Attributes:
        text: Such as ``in early May 2001``.
        after: The first day it can mean. before: the day after the last.
    """

    text: str
    after: date
    before: date


def remembered_time(day: date, rng: Random) -> When:
    """Remember a day roughly: a part of its month, around a day near it, its month, or its season."""
    form = rng.choice(("part", "around", "month", "month", "season"))
    month = f"{MONTHS[day.month - 1]} {day.year}"
    first = day.replace(day=1)
    last = day.replace(day=calendar.monthrange(day.year, day.month)[1])
    if form == "part":
        part, start, end = (
            ("early", 1, 10) if day.day <= 10 else ("mid", 11, 20) if day.day <= 20 else ("late", 21, last.day)
        )
        return When(f"in {part} {month}", day.replace(day=start), day.replace(day=end) + timedelta(days=1))
    if form == "around":
        told = day + timedelta(days=rng.randint(-2, 2))
        text = f"around the {ordinal(told.day)} of {MONTHS[told.month - 1]} {told.year}"
        return When(text, told - timedelta(days=3), told + timedelta(days=4))
    if form == "month":
        return When(f"in {month}", first, last + timedelta(days=1))
    return _season(day)


def _season(day: date) -> When:
    name = next(name for name, months in _SEASONS.items() if day.month in months)
    first_month = _SEASONS[name][0]
    first = date(day.year - (name == "winter" and day.month < 3), first_month, 1)
    before = date(first.year + (name == "winter"), (first_month + 2) % 12 + 1, 1)
    years = f"{first.year} to {before.year}" if name == "winter" else str(first.year)
    return When(f"in the {name} of {years}", first, before)


def ordinal(number: int) -> str:
    """Return ``1st``, ``2nd``, ``11th`` …."""
    if number % 100 in (11, 12, 13):
        return f"{number}th"
    return f"{number}{ {1: 'st', 2: 'nd', 3: 'rd'}.get(number % 10, 'th') }"


@dataclass(frozen=True, slots=True)
class What:
    """Words as they are remembered: ``told`` in the question, of which ``true`` stand in the message."""

    told: tuple[str, ...]
    true: tuple[str, ...]


def remembered_words(
    message: Message, document_counts: dict[str, int], vocabulary: Sequence[str], counts: Sequence[int], rng: Random
) -> What | None:
    """Draw two to four words of a message, telling words rather than common ones, a share of them misremembered.

    Each word is drawn without replacement with a chance that falls with its number of messages; words of the
    subject count double. Then each word but the first is, with a chance of 1 in 4, replaced by a word of other mail.

    Args:
        message: The message; only its new text and subject are read.
        document_counts: In how many messages each word stands.
        vocabulary: The words of all mail, one entry for each message that has it: the noise.
        counts: How many words to draw: one of these.
        rng: The randomness.

    Returns:
        The words; None where the message has too few.
    """
    excluded = {w.casefold() for p in (message.from_, *message.to) for w in re.findall(r"[^\W\d_]+", str(p))}
    subject = set(clean_words(message.subject))
    present = list(dict.fromkeys([*clean_words(message.subject), *clean_words(message.new_text)]))
    pool = [w for w in present if w not in excluded and document_counts.get(w, 0) >= LEAST_MESSAGES_OF_WORD]
    if len(pool) < LEAST_WORDS:
        return None
    weights = {w: (SUBJECT_BONUS if w in subject else 1.0) / document_counts[w] ** RARITY for w in pool}
    count = rng.choice(counts)
    true = [_draw(weights, rng) for _ in range(min(count, len(pool)))]
    told = list(true)
    for index in range(1, len(told)):
        if rng.random() < NOISE_SHARE:
            noise = rng.choice(vocabulary)
            if noise not in present and noise not in told:
                told[index] = noise
    kept = tuple(word for word in true if word in told)
    rng.shuffle(told)
    return What(tuple(told), kept)


LEAST_WORDS = 4
LEAST_MESSAGES_OF_WORD = 3
RARITY = 0.25
NOISE_SHARE = 0.3


def _draw(weights: dict[str, float], rng: Random) -> str:
    word = rng.choices(list(weights), list(weights.values()))[0]
    del weights[word]
    return word
