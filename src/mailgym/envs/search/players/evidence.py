"""Finds in the text of mails the sentence, and the value in it, that answers a question; no model, only rules."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from mailgym.envs.search.players.asked import Asked, root, stems_of
from mailgym.rubrics.values.cues import judge_mentions
from mailgym.rubrics.values.dates import find_dates
from mailgym.rubrics.values.mention import Mention
from mailgym.rubrics.values.moments import find_moments
from mailgym.rubrics.values.names import find_names
from mailgym.rubrics.values.quantities import Quantity, find_quantities
from mailgym.rubrics.values.times import find_times
from mailgym.rubrics.values.wording import clean

MAX_SENTENCE_CHARS = 400
MAX_SENTENCES_A_MAIL = 80
MAX_ANSWER_CHARS = 160
NEGATED = re.compile(
    r"\b(?:not|never|no longer|nobody|cannot|can't|won't|n't|cancel\w*|called off|calls? off|off the table|declin\w*|"
    r"refus\w*|reject\w*|withdr[ae]w\w*|postpon\w*|delay\w*|late|holding back|disput\w*|drop(?:s|ped)?|falls? through|"
    r"fell through|without|still open|still waiting|unpaid|refund\w*|scrapped|no )\b|n't\b",
    re.IGNORECASE,
)
QUOTE_START = re.compile(
    r"^\s*(?:>|-{2,} ?(?:Original|Forwarded)|_{5,}|On .{5,120}wrote:\s*$|(?:From|Von|De): .+@|Begin forwarded)",
    re.IGNORECASE,
)
SENTENCE_END = re.compile(r"(?<=[.!?])\s+(?=[A-Z\"'(\d])|\n+")
PLACE = re.compile(
    r"\b(?:in|at|to|into|of|then|is|near|inside|sleep at|stay at|place:|room:|where:)\s+((?:the |our )?"
    r"(?:(?:[A-Z][\w&'’-]*|\d+[A-Za-z]?|of|du|de|la|am|im|zum)(?: |\b)){1,5})"
    r"|\b((?:[A-Z][\w&'’-]* ){0,3}"
    r"(?:Room|Hall|Hotel|House|Lounge|Office|Inn|Café|Cafe|Bar|Restaurant|Building|Court|Studio)"
    r"(?: (?:[A-Z][\w’'-]*|\d+[A-Za-z]?)){0,2})"
    r"|\b((?:room|floor|desk|gate|building|hall|seat|terminal) [A-Z\d][\w.-]*)"
)
FIRST_PERSON = re.compile(r"\b(?:I|I'll|I've|I'm|me|my|mine)\b")


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence of a mail.

    Attributes:
        text: As written, without markup.
        mail: The mail it stands in, as its observation.
        place: Its number in the mail, from 0; the subject is -1.
        weight: How much of the question's matter it, and less so its mail, speaks of: 0 to about 1.
    """

    text: str
    mail: dict[str, Any]
    place: int
    weight: float


@dataclass(frozen=True, slots=True)
class Candidate:
    """A possible answer.

    Attributes:
        text: The answer.
        sentence: Where it stands.
        score: How well it fits; the higher the better.
        standing: What the sentence says of it: it holds, is new, is old …
    """

    text: str
    sentence: Sentence
    score: float
    standing: str = "holds"


def own_text(mail: dict[str, Any]) -> str:
    """Return what the author of a mail wrote, up to the first quoted or forwarded line."""
    lines = []
    for line in mail["text"].splitlines():
        if QUOTE_START.match(line) or line.strip() == "--":
            break
        lines.append(line)
    return "\n".join(lines)


def matter_share(asked: Asked, stems: frozenset[str], rarity: dict[str, float]) -> float:
    """Return how much of a question's matter a set of stems covers, each stem counted by its rarity: 0 to 1."""
    whole = sum(rarity.get(stem, 1.0) for stem in asked.stems)
    return sum(rarity.get(stem, 1.0) for stem in asked.stems & stems) / whole if whole else 0.0


def mail_stems(mail: dict[str, Any]) -> frozenset[str]:
    """Return the stems of a mail: people, subject and its author's own text."""
    people = " ".join(str(mail.get(name, "")) for name in ("from", "to", "cc"))
    return stems_of(f"{people} {mail['subject']} {own_text(mail)}")


def sentences(asked: Asked, mail: dict[str, Any], rarity: dict[str, float]) -> list[Sentence]:
    """Return the sentences of a mail with their weights; a mail's own share counts for each of its sentences."""
    base = matter_share(asked, mail_stems(mail), rarity)
    pieces = [piece.strip() for piece in SENTENCE_END.split(own_text(mail)) if piece.strip()]
    found = []
    before = 0.0
    for place, piece in enumerate(pieces[:MAX_SENTENCES_A_MAIL]):
        share = matter_share(asked, stems_of(piece), rarity)
        weight = 0.5 * base + 0.4 * share + 0.1 * before
        found.append(Sentence(clean(piece[:MAX_SENTENCE_CHARS]), mail, place, weight))
        before = share
    return found


def candidates(asked: Asked, mails: Sequence[dict[str, Any]], owner: str, rarity: dict[str, float]) -> list[Candidate]:
    """Return the possible answers in some mails, best first.

    Args:
        asked: What is asked.
        mails: Observations of mails that were read.
        owner: Name of the one who asks.
        rarity: How rare a stem is among the mails that were seen, 0 to 1.
    """
    found = [
        candidate
        for mail in mails
        for sentence in sentences(asked, mail, rarity)
        for candidate in _in_sentence(asked, sentence, owner)
    ]
    return sorted(found, key=lambda candidate: -candidate.score)


def _in_sentence(asked: Asked, sentence: Sentence, owner: str) -> Iterator[Candidate]:
    for text, standing, fit in _VALUES[asked.sort](asked, sentence, owner):
        if standing in ("denied", "beside", "doubted") or (standing == "old" and not asked.wants_old):
            continue
        yield Candidate(text[:MAX_ANSWER_CHARS], sentence, sentence.weight * fit, standing)


Value = tuple[str, str, float]
"""An answer's text, its standing, and how well its form fits, 0 to 1."""


def _spans(text: str, mentions: Sequence[Mention[Any]], question: str, fit: float) -> Iterator[Value]:
    for mention in judge_mentions(text, list(mentions), question):
        yield text[mention.start : mention.end].strip(" ,.("), mention.standing, fit


def _dates(asked: Asked, sentence: Sentence, owner: str) -> Iterator[Value]:  # noqa: ARG001
    yield from _spans(sentence.text, find_dates(sentence.text, _day(sentence)), asked.text, 1.0)


def _times(asked: Asked, sentence: Sentence, owner: str) -> Iterator[Value]:  # noqa: ARG001
    yield from _spans(sentence.text, find_times(sentence.text), asked.text, 1.0)


def _moments(asked: Asked, sentence: Sentence, owner: str) -> Iterator[Value]:  # noqa: ARG001
    mentions = find_moments(sentence.text, asked.text, _day(sentence))
    for mention in judge_mentions(sentence.text, mentions, asked.text):
        fit = 1.0 if mention.value.date is not None else 0.6
        yield sentence.text[mention.start : mention.end].strip(" ,.("), mention.standing, fit


def _quantities(sentence: Sentence) -> list[Mention[Quantity]]:
    """Return the quantities of a sentence that are no parts of dates or times."""
    masked = sentence.text
    spans = [(mention.start, mention.end) for mention in find_dates(masked)]
    spans += [(mention.start, mention.end) for mention in find_times(masked)]
    for start, end in spans:
        masked = masked[:start] + " " * (end - start) + masked[end:]
    return find_quantities(sentence.text, masked)


def _amounts(asked: Asked, sentence: Sentence, owner: str) -> Iterator[Value]:  # noqa: ARG001
    quantities = [mention for mention in _quantities(sentence) if mention.value.currency]
    yield from _spans(sentence.text, quantities, asked.text, 1.0)


def _counts(asked: Asked, sentence: Sentence, owner: str) -> Iterator[Value]:  # noqa: ARG001
    for mention in judge_mentions(sentence.text, _quantities(sentence), asked.text):
        quantity = mention.value
        if quantity.currency or quantity.unit:
            continue
        after = [root(word) for word in re.findall(r"[a-z]+", sentence.text[mention.end : mention.end + 40].lower())]
        fit = 1.0 if asked.counted and asked.counted in (quantity.noun, *after[:4]) else 0.7
        value = quantity.values[0]
        yield str(value) if value.denominator == 1 else str(float(value)), mention.standing, fit


def _durations(asked: Asked, sentence: Sentence, owner: str) -> Iterator[Value]:  # noqa: ARG001
    quantities = [mention for mention in _quantities(sentence) if mention.value.unit]
    yield from _spans(sentence.text, quantities, asked.text, 1.0)


def _names(asked: Asked, sentence: Sentence, owner: str) -> Iterator[Value]:
    text = sentence.text
    mine = stems_of(owner)
    for mention in judge_mentions(text, find_names(text, question=asked.text), asked.text):
        name = text[mention.start : mention.end]
        if not stems_of(name) <= mine and not find_dates(name):
            yield name, mention.standing, 1.0 if " " in name else 0.8
    author = re.sub(r"\s*<.*", "", str(sentence.mail["from"])).strip()
    if FIRST_PERSON.search(text) and author and not stems_of(author) <= (mine | stems_of(asked.text)):
        yield author, "holds", 0.85


def _places(asked: Asked, sentence: Sentence, owner: str) -> Iterator[Value]:
    known = stems_of(f"{asked.text} {owner}")
    for match in PLACE.finditer(sentence.text):
        place = next(group for group in match.groups() if group).strip(" ,.")
        if find_dates(place) or find_times(place) or stems_of(place) <= known or len(place) < 2:
            continue
        before = sentence.text[max(0, match.start() - 20) : match.start(match.lastindex or 0)].lower()
        denied = bool(re.search(r"\b(?:not|instead of|rather than|no longer)\b[^,.;]*\Z", before))
        yield place, "denied" if denied else "holds", 1.0 if match[2] or match[3] else 0.9


def _yes_or_no(asked: Asked, sentence: Sentence, owner: str) -> Iterator[Value]:  # noqa: ARG001
    asks_negative = bool(NEGATED.search(asked.text))
    says_negative = bool(NEGATED.search(sentence.text))
    yield ("No" if says_negative != asks_negative else "Yes"), "holds", 1.0


def _whole(asked: Asked, sentence: Sentence, owner: str) -> Iterator[Value]:  # noqa: ARG001
    yield sentence.text, "holds", 1.0


def _day(sentence: Sentence) -> date | None:
    """Return the day a mail was sent, which "tomorrow" is read from."""
    try:
        return date.fromisoformat(str(sentence.mail["date"])[:10])
    except ValueError:
        return None


_VALUES = {
    "date": _dates,
    "time": _times,
    "moment": _moments,
    "amount": _amounts,
    "count": _counts,
    "duration": _durations,
    "name": _names,
    "place": _places,
    "yes_no": _yes_or_no,
    "text": _whole,
}
