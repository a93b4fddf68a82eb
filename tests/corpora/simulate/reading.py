"""Answers questions of ``search`` by reading: from the text of mails and the sentences of a storybook, from no record.

It turns the sentences that tell something into patterns, looks for them in what each mail's author wrote, and works the
answer out of what was said up to the day. It shares no code with what writes mail, facts or answers.
"""

import re
from calendar import isleap
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from functools import cache

from mailgym.corpora.question import Question
from mailgym.corpora.simulate.phrasebook import Plot, Storybook, phrasebook, storybook
from mailgym.mail.mailbox import Mailbox
from mailgym.mail.message import Address, Message

SMALL = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
NUMBERS = {word: number for number, word in enumerate(SMALL)}
MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)
MONTH = "(?:" + "|".join(f"{name}|{name[:3]}" for name in MONTHS) + ")"
WEEKDAY = r"(?:(?:Mon|Tues?|Wed(?:nes)?|Thu(?:rs)?|Fri|Sat(?:ur)?|Sun)(?:day)?)"
DAY = (
    rf"(?:\d{{4}}-\d\d-\d\d|(?:{WEEKDAY},? )?\d{{1,2}} {MONTH}(?: \d{{4}})?|(?:{WEEKDAY}, )?{MONTH} \d{{1,2}}"
    rf"|[Tt]he \d{{1,2}}(?:st|nd|rd|th) of {MONTH}|[Tt]omorrow|(?:Mon|Tues|Wednes|Thurs|Fri)day)"
)
TIME = r"(?:\d{1,2}[:.]\d\d ?[ap]m|\d{1,2} ?[ap]m|\d{1,2}[:.]\d\d|\d{1,2} o'clock)"
MONEY = r"(?:(?:EUR|USD|GBP) [\d,]+|[\d,]+ (?:EUR|USD|GBP)|[€$£][\d,]+(?:\.00)?)"
NUMBER = rf"(?:\d+|{'|'.join(NUMBERS)})"
NAME = r"[A-Z][\w'-]+ [A-Z][\w'-]+"
SLOTS = {
    **dict.fromkeys(("day", "due", "valid", "pay_day"), DAY),
    "time": TIME,
    **dict.fromkeys(("amount", "paid", "bid", "unit", "pay"), MONEY),
    **dict.fromkeys(("count", "ahead", "hours"), NUMBER),
    **dict.fromkeys(("name", "signer"), NAME),
}
TYPED = {"date": re.compile(DAY), "time": re.compile(rf"(?<![\d.:]){TIME}"), "amount": re.compile(MONEY)}
Value = date | time | tuple[int, str] | int | str


def value_of(slot: str, text: str, sent: date) -> Value:
    """Read a value as a person would: a date without a year is the one nearest to the mail's."""
    pattern = SLOTS.get(slot)
    if pattern == DAY:
        return _day(text, sent)
    if pattern == TIME:
        return _time(text)
    if pattern == MONEY:
        units = int(re.sub(r"\.00$|[^\d.]", "", text))
        return units, {"€": "EUR", "$": "USD", "£": "GBP"}.get(text[0]) or re.findall("[A-Z]{3}", text)[0]
    if pattern == NUMBER:
        return NUMBERS[text.lower()] if text.lower() in NUMBERS else int(text)
    return text


def _day(text: str, sent: date) -> date:
    if re.fullmatch(r"\d{4}-\d\d-\d\d", text):
        return date.fromisoformat(text)
    if text.lower() == "tomorrow":
        return sent + timedelta(days=1)
    if re.fullmatch(WEEKDAY, text):
        return next(day for n in range(1, 8) if (day := sent + timedelta(days=n)).strftime("%A") == text)
    number = int(re.findall(r"\d{1,2}(?!\d)", text)[0])
    month = next(n for n, name in enumerate(MONTHS, 1) if re.search(rf"\b{name[:3]}", text))
    year = re.search(r"\b\d{4}$", text)
    if year:
        return date(int(year[0]), month, number)
    years = [sent.year + shift for shift in (-1, 0, 1) if (month, number) != (2, 29) or isleap(sent.year + shift)]
    near = [date(year, month, number) for year in years]
    return min(near, key=lambda day: abs((day - sent).days))


def _time(text: str) -> time:
    hour, minute = (int(number) for number in re.fullmatch(r"(\d+)(?:[:.](\d\d))?.*", text).groups("0"))  # type: ignore[union-attr]
    if text.endswith("pm") and hour < 12:
        hour += 12
    return time(0 if text.endswith("am") and hour == 12 else hour, minute)


def written(value: Value) -> str:
    """Write a value as answer keys do."""
    if isinstance(value, date):
        return f"{value.day} {MONTHS[value.month - 1]} {value.year}"
    if isinstance(value, time):
        return f"{value.hour:02d}:{value.minute:02d}"
    return f"{value[0]:,} {value[1]}" if isinstance(value, tuple) else str(value)


@dataclass(frozen=True)
class Said:
    """One thing that a mail says."""

    kind: str
    step: str
    partner: str
    thing: str
    values: dict[str, Value]
    message_id: str
    sent: datetime
    author: str


def own_words(message: Message) -> tuple[str, Address]:
    """Return what a mail says beyond what it quotes, on one line, and who says it: with forwarded mail, its author."""
    text = message.text.split("-----Original Message-----")[0]
    text = re.split(r"\n[> ]*On \w{3}, .* wrote:\n", text)[0]
    lines = [line for line in text.split("\n") if not line.startswith(">")]
    forwarded = re.search(r"\n(?:Begin forwarded message:|-+ Forwarded message -+)\nFrom: (.*?) <(.*?)>", text)
    return " ".join(" ".join(lines).split()), Address(*forwarded.groups()) if forwarded else message.from_


class Reader:
    """Reads one mailbox of a split."""

    def __init__(self, split: str, mailbox: Mailbox) -> None:
        """Read every mail once."""
        self.story, self.book = storybook(split), phrasebook(split)
        self.messages = list(mailbox)
        people = {p.address: p.name for m in self.messages for p in (m.from_, *m.to, *m.cc)}
        topics = [name for group in self.book.topics.values() for name in group]
        self._topics = {topic.lower(): topic for topic in topics}
        self._places = {place.lower(): place for group in self.story.places.values() for place in group}
        self._units = {f"{self._unit(address)} {name.split()[0]}": name for address, name in people.items()}
        self.partners = sorted({*people.values(), *topics}, key=len, reverse=True)
        told = [(p, step, text) for p in self.story.plots for step, texts in p.told.items() for text in texts]
        self._sentences = [Sentence.of(self.story, plot, step, text, self.partners) for plot, step, text in told]
        self._subjects = [
            Sentence.of(self.story, plot, "", text, self.partners)
            for plot in self.story.plots
            for text in plot.subjects
            if "{partner}" in text
        ]
        self.said: dict[tuple[str, str, str], list[Said]] = defaultdict(list)
        for message in self.messages:
            for one in self._read(message):
                self.said[one.kind, one.partner, one.thing].append(one)

    def _unit(self, address: str) -> str:
        """Return whose address it is: the department, or the company, by its domain."""
        domain = address.partition("@")[2]
        for unit in self.book.roles:
            if domain == f"{unit}.{self.book.domain}".lower():
                return unit
        for company in (*self.book.topics["vendor"], *self.book.topics["customer"]):
            if domain == re.sub(r"[^a-z]+", "-", company.lower()) + ".example":
                return company
        return domain

    def _read(self, message: Message) -> Iterable[Said]:
        text, author = own_words(message)
        subject = re.sub(r"^((Re|Fwd): )*", "", message.subject)
        found = [(sentence.match(text), sentence.kind, sentence.step) for sentence in self._sentences]
        matches = [(match, kind, step) for match, kind, step in found if match is not None]
        if not matches:
            return
        match, kind, step = max(matches, key=lambda one: len(one[0][0]))
        slots = match.groupdict()
        partner = slots.get("partner") or self._partner(kind, step, subject, message, author)
        partner = self._topics.get(partner.lower(), partner)
        assert message.date is not None
        sent = message.date
        values = {
            slot: self._places[text.lower()] if slot == "place" else value_of(slot, text, sent.date())
            for slot, text in slots.items()
            if text and slot not in ("partner", "thing") and not slot.startswith("old_")
        }
        yield Said(kind, step, partner, slots["thing"].lower(), values, message.message_id, sent, author.name)

    def _partner(self, kind: str, step: str, subject: str, message: Message, author: Address) -> str:
        """Find out whom or what a mail is about that does not say so in its text."""
        for sentence in self._subjects:
            match = sentence.pattern.fullmatch(subject) if sentence.kind == kind else None
            if match is not None:
                return match["partner"]
        if step in ("joined", "declined", "needed"):
            return message.to[0].name
        return self._unit(author.address) if kind in ("bill", "order", "offer") else author.name

    def understand(self, text: str) -> tuple[str, str, str, str]:
        """Return what a question asks: the kind of affair, the ask, the partner and the thing."""
        found = set()
        for plot in self.story.plots:
            words = {other.lower(): thing for thing, other in plot.things.items()}
            words |= {thing.lower(): thing for thing in plot.things}
            for ask, templates in plot.asked.items():
                for template in templates:
                    match = _question(template, tuple(words)).fullmatch(text)
                    if match is not None:
                        partner = self._named(match["partner"])
                        thing = (
                            words[match["thing"].lower()] if "thing" in match.groupdict() else next(iter(plot.things))
                        )
                        found.add((plot.kind, ask, partner, thing.lower()))
        found = {one for one in found if one[2]}
        assert len(found) == 1, (text, found)
        return found.pop()

    def _named(self, words: str) -> str:
        if words in self.partners or re.fullmatch(NAME, words):
            return words
        parts = re.fullmatch(r"(\S+) (?:from|at) (.+)", words)
        return self._units.get(f"{parts[2]} {parts[1]}", "") if parts else ""

    def answer(self, question: Question, only: Sequence[str] | None = None) -> tuple[str | None, set[str]]:
        """Answer a question; None where the mails do not say.

        Args:
            question: The question.
            only: The mails to read; all up to the day when None.

        Returns:
            The answer, and the mails that it stands on.
        """
        kind, ask, partner, thing = self.understand(question.text)

        def known(key: tuple[str, str, str]) -> list[Said]:
            told = [one for one in self.said.get(key, []) if one.sent.date() <= question.asked_on]
            told.sort(key=lambda one: one.sent)
            return [one for one in told if only is None or one.message_id in only]

        told = known((kind, partner, thing))
        if (kind, ask) == ("duty", "desk"):
            named = [one for one in told if "name" in one.values]
            seats = next(plot.things for plot in self.story.plots if plot.kind == "seat")
            sitting = known(("seat", str(named[-1].values["name"]), next(iter(seats)))) if named else []
            if not sitting:
                return None, set()
            return str(sitting[-1].values["place"]), {named[-1].message_id, sitting[-1].message_id}
        return ANSWERS[kind][ask](told)


@dataclass(frozen=True)
class Sentence:
    """One template as a pattern of whatever it makes.

    Attributes:
        literal: Its longest piece between slots, to look for first.
    """

    kind: str
    step: str
    literal: str
    pattern: re.Pattern[str]

    @classmethod
    def of(cls, story: Storybook, plot: Plot, step: str, template: str, partners: Sequence[str]) -> "Sentence":
        things = "|".join(re.escape(thing) for thing in sorted(plot.things, key=len, reverse=True))
        places = "|".join(re.escape(place) for group in story.places.values() for place in group)
        what = {
            "thing": f"(?i:{things})",
            "partner": "|".join([*(f"(?i:{re.escape(partner)})" for partner in partners), NAME]),
            "place": f"(?i:{places})",
        }
        pieces = re.split(r"\{(\w+)\}", template)
        pattern, seen = "", set[str]()
        for piece, is_slot in zip(pieces, (False, True) * len(pieces), strict=False):
            if not is_slot:
                pattern += re.escape(piece)
                continue
            slot = piece.removeprefix("old_")
            inner = what.get(slot) or SLOTS[slot]
            inner = f"(?i:{inner})" if slot == "count" else inner
            pattern += f"(?P={piece})" if piece in seen else f"(?P<{piece}>{inner})"
            seen.add(piece)
        if pieces[0]:
            first = re.escape(pieces[0][0])
            pattern = f"(?i:{first})" + pattern.removeprefix(first)
        return cls(plot.kind, step, max((piece[1:] for piece in pieces[::2]), key=len), re.compile(pattern))

    def match(self, text: str) -> re.Match[str] | None:
        return self.pattern.search(text) if self.literal in text else None


@cache
def _question(template: str, words: tuple[str, ...]) -> re.Pattern[str]:
    things = "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))
    pattern = re.escape(template).replace(r"\{partner\}", "(?P<partner>.+?)")
    return re.compile(pattern.replace(r"\{thing\}", f"(?P<thing>(?i:{things}))"))


Answer = Callable[[list[Said]], tuple[str | None, set[str]]]
NOTHING: tuple[None, set[str]] = (None, set())


def _last(slot: str, unless: str = "", needs: str = "") -> Answer:
    def answer(told: list[Said]) -> tuple[str | None, set[str]]:
        said = [one for one in told if slot in one.values]
        steps = {one.step for one in told}
        if not said or unless in steps or (needs and needs not in steps):
            return NOTHING
        return written(said[-1].values[slot]), {said[-1].message_id}

    return answer


def _yes(yes: set[str], no: set[str]) -> Answer:
    def answer(told: list[Said]) -> tuple[str | None, set[str]]:
        said = [one for one in told if one.step in yes | no]
        return ("Yes" if said[-1].step in yes else "No", {said[-1].message_id}) if said else NOTHING

    return answer


def _both(one: str, other: str, compute: Callable[..., Value], first: bool = False) -> Answer:
    def answer(told: list[Said]) -> tuple[str | None, set[str]]:
        ones, others = ([said for said in told if slot in said.values] for slot in (one, other))
        if not ones or not others:
            return NOTHING
        mine = ones[0 if first else -1]
        return written(compute(mine.values[one], others[-1].values[other])), {mine.message_id, others[-1].message_id}

    return answer


def _count(step: str) -> Answer:
    def answer(told: list[Said]) -> tuple[str | None, set[str]]:
        ids = {one.message_id for one in told if one.step == step}
        return (str(len(ids)), ids) if ids else NOTHING

    return answer


def _sum(told: list[Said]) -> tuple[str | None, set[str]]:
    needs = {one.message_id: one.values["count"] for one in told if "count" in one.values}
    return (str(sum(int(str(count)) for count in needs.values())), set(needs)) if needs else NOTHING


def _most(told: list[Said]) -> tuple[str | None, set[str]]:
    needs = [one for one in told if "count" in one.values]
    if not needs:
        return NOTHING
    top = max(int(str(one.values["count"])) for one in needs)
    (who,) = [one.author for one in needs if one.values["count"] == top]
    return who, {one.message_id for one in needs}


def _who_not(told: list[Said]) -> tuple[str | None, set[str]]:
    said = [one for one in told if one.step == "declined"]
    return (said[0].author, {said[0].message_id}) if len(said) == 1 else NOTHING


def _hours_before(moment: time, hours: int) -> time:
    return (datetime.combine(date(2001, 1, 9), moment) - timedelta(hours=hours)).time()


def _less(whole: tuple[int, str], part: tuple[int, str]) -> Value:
    return whole[0] - part[0], whole[1]


ANSWERS: dict[str, dict[str, Answer]] = {
    "appointment": {
        **{slot: _last(slot, unless="cancelled") for slot in ("day", "time", "place")},
        "still_on": _yes({"set", "moved"}, {"cancelled"}),
        "notes_day": _both("day", "ahead", lambda day, ahead: day - timedelta(days=ahead)),
        "times_moved": _count("moved"),
    },
    "bill": {
        **{slot: _last(slot) for slot in ("amount", "due", "pay_day")},
        "is_paid": _yes({"settled"}, {"disputed"}),
        "rest": _both("amount", "paid", _less),
    },
    "trip": {
        **{slot: _last(slot, unless="cancelled") for slot in ("day", "time", "place")},
        "still_on": _yes({"booked", "changed"}, {"cancelled"}),
        "pickup": _both("time", "ahead", _hours_before),
    },
    "order": {
        "count": _last("count"),
        "day": _last("day", unless="arrived"),
        "total": _both("count", "unit", lambda count, unit: (count * unit[0], unit[1])),
        "has_arrived": _yes({"arrived"}, {"delayed"}),
        "times_delayed": _count("delayed"),
    },
    "offer": {
        "amount": _last("amount", needs="agreed"),
        "valid": _last("valid"),
        "signer": _last("signer"),
        "is_agreed": _yes({"agreed"}, {"refused"}),
        "margin": _both("amount", "bid", _less, first=True),
    },
    "incident": {
        **{slot: _last(slot) for slot in ("name", "time", "hours")},
        "is_fixed": _yes({"fixed"}, {"unfixed"}),
    },
    "hire": {
        **{slot: _last(slot, unless="withdrew") for slot in ("name", "day", "pay")},
        "is_coming": _yes({"chosen", "moved"}, {"withdrew"}),
    },
    "gathering": {
        "day": _last("day"),
        "place": _last("place"),
        "joiners": _count("joined"),
        "decliner": _who_not,
    },
    "collection": {"total": _sum, "most": _most},
    "duty": {"name": _last("name")},
    "seat": {"place": _last("place")},
}
"""How each thing that can be asked is worked out of what was said."""
