"""Finds in the text of mails the sentence, and the value in it, that answers a question; no model, only rules."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from mailgym.envs.search.players.asked import Asked, root, stems_of
from mailgym.envs.search.players.matter import Matter, Sentence, sentences
from mailgym.rubrics.values.cues import judge_mentions
from mailgym.rubrics.values.dates import DateParts, find_dates
from mailgym.rubrics.values.mention import Mention
from mailgym.rubrics.values.moments import find_moments
from mailgym.rubrics.values.names import find_names
from mailgym.rubrics.values.quantities import Quantity, find_quantities
from mailgym.rubrics.values.times import DayTime, find_times

MAX_ANSWER_CHARS = 160
CANCELLED = re.compile(
    r"\b(?:cancel\w*|called off|calls? off|is off|off the table|no longer|will not (?:take place|happen)|"
    r"not take place|"
    r"declin\w*|refus\w*|reject\w*|withdr[ae]w\w*|refund\w*|scrapped|dropp?ed|falls? through|fell through|"
    r"gave the \w+ back|gives? up)\b",
    re.IGNORECASE,
)
NEGATED = re.compile(
    r"\b(?:not|never|no|nobody|cannot|postpon\w*|delay\w*|late|stuck|bad news|dela[yi]\w*|holding back|back:|"
    r"disput\w*|object\w*|without|still (?:open|waiting|missing)|unpaid|yet)\b|n't\b",
    re.IGNORECASE,
)
CHANGED = re.compile(
    r"\b(?:mov(?:e|es|ed)|shift\w*|postpon\w*|re(?:schedul|book)\w*|put off|push\w*|bring\w* forward|chang\w+|instead|"
    r"is now|now have|off my calendar|cannot make|can't make|new (?:day|date|time|figure|departure)|delay\w*|is late|"
    r"stuck|bad news)\b",
    re.IGNORECASE,
)
FROM_TO = re.compile(r"\b(?:shift|mov|push|postpon|re-?schedul|re-?book|chang|brought|bring)\w*\b", re.IGNORECASE)
PARTLY_PAID = re.compile(
    r"\b(?:instal\w*|deposit|first (?:part|transfer|payment)|part(?:ly|ial)?|received|transferred|went out|has reached|"
    r"on account|paid|down payment)\b",
    re.IGNORECASE,
)
DONE_WORDS = (
    ("pay paid owe", re.compile(r"\b(?:paid|transferred|settled|full sum|account is closed|came in|cleared)\b", re.I)),
    (
        "deliver arriv come came get",
        re.compile(r"\b(?:arrived|delivered|(?:is|are) here|came in|unloaded|in the (?:hall|yard|store))\b", re.I),
    ),
    ("sign agre approv", re.compile(r"\b(?:signed|agreed|shake hands|approved|accepted|said yes)\b", re.I)),
    ("fix solv clos end", re.compile(r"\b(?:fixed|solved|closed|works again|back up|running again|gone)\b", re.I)),
)
DECLINED = re.compile(
    r"\b(?:pass on|sorry|not (?:come|coming|there|this time)|no .{2,30} for me|decline|cannot)\b|n't\b", re.I
)
STILL_ON = re.compile(r"\bstill\b|\bon\?", re.IGNORECASE)
NEGATIVE_QUESTION = re.compile(r"\bnot\b|n't\b|\bcancel\w*|\bcalled off\b|\bpostponed\b|\bdelayed\b", re.IGNORECASE)
DOTTED_TIME = re.compile(r"(?<![\d.,€$£])([01]?\d|2[0-3])\.([0-5]\d)(?![\d.%])")
BEFORE_TIME = re.compile(r"(?:\bat|\bfrom|\buntil|\bby|,|\d)\s*\Z", re.IGNORECASE)
NUMBER_WORDS = frozenset(
    re.findall(r"\w+", "one two three four five six seven eight nine ten eleven twelve fifteen twenty thirty")
)
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
class Candidate:
    """A possible answer.

    Attributes:
        text: The answer.
        sentence: Where it stands.
        score: How well it fits; the higher the better.
        standing: What the sentence says of it: it holds, is new, is old.
        day: The day it names, where it names one.
    """

    text: str
    sentence: Sentence
    score: float
    standing: str = "holds"
    day: DateParts | None = None


def candidates(matter: Matter, mails: Sequence[dict[str, Any]], owner: str) -> list[Candidate]:
    """Return the possible answers in some mails or hits, best first.

    Args:
        matter: What is asked, and which of its words are rare.
        mails: Observations of mails that were read, and hits.
        owner: Name of the one who asks.
    """
    found = [
        candidate
        for mail in mails
        for sentence in sentences(matter, mail)
        for candidate in _in_sentence(matter.asked, sentence, owner)
    ]
    return sorted(found, key=lambda candidate: -candidate.score)


def _in_sentence(asked: Asked, sentence: Sentence, owner: str) -> Iterator[Candidate]:
    for text, standing, fit in _VALUES[asked.sort](asked, sentence, owner):
        if standing in ("denied", "beside", "doubted") or (standing == "old" and not asked.wants_old):
            continue
        days = find_dates(text) if asked.sort in ("date", "moment") else []
        day = days[0].value if days else None
        yield Candidate(text[:MAX_ANSWER_CHARS], sentence, sentence.weight * fit, standing, day)


Value = tuple[str, str, float]
"""An answer's text, its standing, and how well its form fits, 0 to 1."""


def _spans(text: str, mentions: Sequence[Mention[Any]], asked: Asked, fit: float) -> Iterator[Value]:
    for mention in _judged(text, mentions, asked):
        yield text[mention.start : mention.end].strip(" ,.("), mention.standing, fit


def _judged(text: str, mentions: Sequence[Mention[Any]], asked: Asked) -> list[Mention[Any]]:
    """Return mentions with their standing; of "moved from A to B", A held before."""
    judged = judge_mentions(text, list(mentions), asked.text)
    for number, mention in enumerate(judged):
        if number and mention.link == "range" and FROM_TO.search(text[: mention.start]):
            judged[number - 1 : number + 1] = [judged[number - 1].at("old"), mention.at("new")]
    return judged


def _dates(asked: Asked, sentence: Sentence, owner: str) -> Iterator[Value]:  # noqa: ARG001
    dates = [mention for mention in find_dates(sentence.text) if _names_a_day(mention.value)]
    yield from _spans(sentence.text, dates, asked, 1.0)


def _names_a_day(parts: DateParts) -> bool:
    return not parts.relative and bool(parts.day or parts.weekday is not None)


def _times(asked: Asked, sentence: Sentence, owner: str) -> Iterator[Value]:  # noqa: ARG001
    times: list[Mention[Any]] = list(clock_times(sentence.text))
    dates: list[Mention[Any]] = [
        date
        for date in find_dates(sentence.text)
        if not any(date.start < time.end and time.start < date.end for time in times)
    ]
    for mention in _judged(sentence.text, sorted([*dates, *times], key=lambda found: found.start), asked):
        if isinstance(mention.value, DayTime):
            yield sentence.text[mention.start : mention.end].strip(" ,.("), mention.standing, 1.0


def clock_times(text: str) -> list[Mention[DayTime]]:
    """Return the times of a text, those with a full stop ("10.00") among them where they follow "at" or a date."""
    known = find_times(text)
    dotted = [
        Mention(DayTime(60 * int(match[1]) + int(match[2])), match.start(), match.end())
        for match in DOTTED_TIME.finditer(text)
        if BEFORE_TIME.search(text[max(0, match.start() - 14) : match.start()])
        and not any(match.start() < time.end and time.start < match.end() for time in known)
    ]
    return sorted([*known, *dotted], key=lambda mention: mention.start)


def _moments(asked: Asked, sentence: Sentence, owner: str) -> Iterator[Value]:  # noqa: ARG001
    mentions = find_moments(sentence.text, asked.text)
    for mention in _judged(sentence.text, mentions, asked):
        moment = mention.value
        fit = 1.0 if moment.date is not None and _names_a_day(moment.date) else 0.6
        yield sentence.text[mention.start : mention.end].strip(" ,.("), mention.standing, fit


def _quantities(sentence: Sentence) -> list[Mention[Quantity]]:
    """Return the quantities of a sentence that are no parts of dates or times."""
    masked = sentence.text
    spans = [(mention.start, mention.end) for mention in find_dates(masked)]
    spans += [(mention.start, mention.end) for mention in find_times(masked)]
    for start, end in spans:
        masked = masked[:start] + " " * (end - start) + masked[end:]
    return find_quantities(sentence.text, masked)


def amounts_in(sentence: Sentence) -> list[Mention[Quantity]]:
    """Return the amounts of money of a sentence, with what it says of each."""
    return judge_mentions(sentence.text, [mention for mention in _quantities(sentence) if mention.value.currency])


def counts_in(sentence: Sentence) -> list[Fraction]:
    """Return the plain numbers of a sentence that it does not deny, in order."""
    plain = [mention for mention in _quantities(sentence) if not mention.value.currency and not mention.value.unit]
    judged = judge_mentions(sentence.text, [mention for mention in plain if mention_is_number(sentence.text, mention)])
    return [mention.value.values[0] for mention in judged if mention.standing in ("holds", "new")]


def measures_in(sentence: Sentence) -> list[Fraction]:
    """Return the lengths of time of a sentence, in seconds."""
    return [m.value.values[0] for m in find_quantities(sentence.text) if m.value.unit == "time"]


def _amounts(asked: Asked, sentence: Sentence, owner: str) -> Iterator[Value]:  # noqa: ARG001
    quantities = [mention for mention in _quantities(sentence) if mention.value.currency]
    in_part = bool(PARTLY_PAID.search(sentence.text)) and not PARTLY_PAID.search(asked.text)
    yield from _spans(sentence.text, quantities, asked, 0.7 if in_part else 1.0)


def _counts(asked: Asked, sentence: Sentence, owner: str) -> Iterator[Value]:  # noqa: ARG001
    for mention in judge_mentions(sentence.text, _quantities(sentence), asked.text):
        quantity = mention.value
        if quantity.currency or quantity.unit:
            continue
        after = [root(word) for word in re.findall(r"[a-z]+", sentence.text[mention.end : mention.end + 40].lower())]
        matches = not asked.counted or root(asked.counted) in (root(quantity.noun), *after[:4])
        fit = 1.0 if matches else 0.75
        value = quantity.values[0]
        if not matches and (value <= 0 or value.denominator != 1 or not mention_is_number(sentence.text, mention)):
            continue
        yield plain_number(value), mention.standing, fit


def mention_is_number(text: str, mention: Mention[Any]) -> bool:
    """Return whether a mention is written as a number, and not as "twice" or "nobody"."""
    written = text[mention.start : mention.end].strip().lower()
    return bool(re.match(r"\d", written)) or written in NUMBER_WORDS


def plain_number(value: Fraction) -> str:
    """Return a number as people write it: whole, or with its decimals."""
    return str(value.numerator) if value.denominator == 1 else f"{float(value):.2f}"


def _durations(asked: Asked, sentence: Sentence, owner: str) -> Iterator[Value]:  # noqa: ARG001
    quantities = [mention for mention in _quantities(sentence) if mention.value.unit]
    yield from _spans(sentence.text, quantities, asked, 1.0)


def _names(asked: Asked, sentence: Sentence, owner: str) -> Iterator[Value]:
    text = sentence.text
    mine = stems_of(owner)
    author = re.sub(r"\s*<.*", "", str(sentence.mail["from"])).strip()
    speaks = bool(author) and not stems_of(author) <= (mine | stems_of(asked.text))
    if NEGATED.search(asked.text):
        if speaks and DECLINED.search(text):
            yield author, "holds", 1.0
        return
    for mention in judge_mentions(text, find_names(text, question=asked.text), asked.text):
        name = text[mention.start : mention.end]
        if not stems_of(name) <= mine and not find_dates(name):
            yield name, mention.standing, 1.0 if " " in name else 0.8
    if speaks and FIRST_PERSON.search(text):
        yield author, "holds", 0.85


def _places(asked: Asked, sentence: Sentence, owner: str) -> Iterator[Value]:
    known = stems_of(f"{asked.text} {owner}")
    for match in PLACE.finditer(sentence.text):
        place = next(group for group in match.groups() if group).strip(" ,.")
        if not re.search(r"[A-Za-z]{2}", place):
            continue
        if find_dates(place) or find_times(place) or stems_of(place) <= known or len(place) < 2:
            continue
        before = sentence.text[max(0, match.start() - 20) : match.start(match.lastindex or 0)].lower()
        denied = bool(re.search(r"\b(?:not|instead of|rather than|no longer)\b[^,.;]*\Z", before))
        yield place, "denied" if denied else "holds", 1.0 if match[2] or match[3] else 0.9


def _yes_or_no(asked: Asked, sentence: Sentence, owner: str) -> Iterator[Value]:  # noqa: ARG001
    """Answer no where something is called off, put off or denied, or not said to be done; put off is still on."""
    text = sentence.text
    negative = bool(CANCELLED.search(text))
    if not STILL_ON.search(asked.text):
        done = next((said for verbs, said in DONE_WORDS if asked.stems & frozenset(verbs.split())), None)
        is_past = re.match(r"(?:did|have|has|had|was|were)\b", asked.text.lower())
        negative |= bool(NEGATED.search(text)) or bool(is_past and done and not done.search(text))
    yield ("No" if negative != bool(NEGATIVE_QUESTION.search(asked.text)) else "Yes"), "holds", 1.0


def _whole(asked: Asked, sentence: Sentence, owner: str) -> Iterator[Value]:  # noqa: ARG001
    yield sentence.text, "holds", 1.0


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
