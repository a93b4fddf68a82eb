"""What happens in a company: matters of which several events are written about, in threads of mail.

A *matter* is one kind of business about one topic with a fixed small group (the invoices of one vendor, the weekly
status of one project). Its *events* come again and again, each with other dates, amounts and details; an event goes
through one to three stages, of which a later one supersedes the earlier, and people reply in between.
"""

import random
import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, timezone

from mailgym.corpora.simulate.people import Cast, Person
from mailgym.corpora.simulate.phrasebook import Phrasebook, Script

STAGES: dict[str, tuple[str, str, str]] = {
    "invoice": ("raised", "disputed", "paid"),
    "contract": ("proposed", "countered", "signed"),
    "meeting": ("set", "moved", "cancelled"),
    "status": ("reported", "corrected", "reached"),
    "travel": ("booked", "changed", "cancelled"),
    "incident": ("opened", "worked on", "closed"),
    "hiring": ("proposed", "discussed", "decided"),
    "social": ("planned", "changed", "over"),
    "office": ("requested", "delayed", "done"),
    "review": ("sent", "commented", "released"),
}
AMOUNTS = {"social": (6, 80), "travel": (40, 2_400), "office": (20, 3_000), "hiring": (2_900, 9_500)}
OTHER_AMOUNTS = (90, 24_000)
REPLY = "reply"
FIRST_HOUR, LAST_HOUR = 9, 15  # local; so that the UTC day is the local day from eight hours west to nine hours east


@dataclass(frozen=True, slots=True)
class Mail:
    """One mail before it is written down as bytes.

    Attributes:
        message_id: Without angle brackets.
        sent_at: With the sender's own UTC offset.
        text: The new text, greeting and signature included, quoted text not.
        parent: The mail it answers or follows up.
        record_id: The event it tells of; empty for bulk mail.
        act: The event's stage that it tells of, or ``reply``; the kind of bulk mail.
        detail: What sets its event apart.
        attachment: File name of its attachment, or empty.
        html: Whether it carries its text as HTML too.
        forwarded: The mail that it passes on below its own text.
    """

    message_id: str
    sent_at: datetime
    sender: Person
    to: tuple[Person, ...]
    cc: tuple[Person, ...]
    subject: str
    text: str
    parent: "Mail | None" = None
    record_id: str = ""
    kind: str = ""
    act: str = ""
    topic: str = ""
    detail: str = ""
    attachment: str = ""
    html: bool = False
    forwarded: "Mail | None" = None

    @property
    def day(self) -> date:
        """The day it was sent on, UTC."""
        return self.sent_at.astimezone(UTC).date()

    @property
    def people(self) -> tuple[Person, ...]:
        """Everybody it is from or to."""
        return (self.sender, *self.to, *self.cc)


@dataclass(frozen=True, slots=True)
class Record:
    """One event: what really happened, whoever wrote about it.

    Attributes:
        acts: The stages that it went through, in order; the last one is what holds.
        facts: The values of the last stage by slot name.
        message_ids: The mails that tell of it, in order.
    """

    id: str
    kind: str
    topic: str
    detail: str
    acts: tuple[str, ...]
    facts: dict[str, str]
    message_ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Matter:
    """One kind of business about one topic, as one owner sees it."""

    id: str
    script: Script
    topic: str
    owner: Person
    team: tuple[Person, ...]
    days: tuple[date, ...]


def make_matter(
    book: Phrasebook,
    cast: Cast,
    owner: Person,
    script: Script,
    matter_id: str,
    first_day: date,
    days: int,
    rng: random.Random,
) -> Matter:
    """Make a matter of the script's kind: its topic, its people, and the days on which its events begin."""
    topic = rng.choice(book.topics[rng.choice(script.groups)])
    others = [person for person in cast.colleagues if person != owner]
    team = rng.sample(others, min(len(others), rng.randint(2, 4)))
    team += cast.contacts.get(topic, ())[: rng.randint(1, 2)]
    span = max(1, round(days * rng.uniform(0.35, 1.0)))
    begin = rng.randint(0, days - span)
    interval = rng.choice((9, 14, 21, 30))
    offsets = range(begin + rng.randint(0, 6), begin + span, interval)
    starts = [first_day + timedelta(days=max(0, offset + rng.randint(-2, 2))) for offset in offsets]
    return Matter(matter_id, script, topic, owner, tuple(team), tuple(_weekday(day) for day in starts))


def tell_event(book: Phrasebook, matter: Matter, number: int, rng: random.Random) -> tuple[Record, list[Mail]]:
    """Write the thread of one event of a matter.

    Returns:
        The event, and its mails in order; each has the matter's owner among its people.
    """
    script = matter.script
    detail = rng.choice(list(script.details))
    record_id = f"{matter.id}-{number}"
    stages = STAGES[script.kind][: rng.choices((1, 2, 3), (45, 35, 20))[0]]
    mails: list[Mail] = []
    sent_at = datetime.combine(matter.days[number], time(FIRST_HOUR), UTC)
    slots: dict[str, str] = {"old_day": _say_day(matter.days[number], rng)}
    author = _pick_author(matter, rng)
    for index, act in enumerate(stages):
        if index:
            sent_at += timedelta(days=rng.randint(1, 6))
            author = author if rng.random() < 0.5 else _pick_author(matter, rng)
        slots = _fill_slots(matter, detail, author, sent_at.date(), slots, rng)
        body = rng.choice(script.stages[index])
        mails.append(_compose(book, matter, record_id, act, author, sent_at, slots, body, mails, rng))
        if rng.random() < 0.55:
            sent_at += timedelta(days=rng.choice((0, 0, 1, 1, 2, 4)), hours=rng.choice((0, 1, 2)))
            answerer = rng.choice([p for p in (*matter.team, matter.owner) if p != author])
            reply_slots = {**slots, **_fill_slots(matter, detail, answerer, sent_at.date(), slots, rng)}
            body = rng.choice(script.replies)
            mails.append(_compose(book, matter, record_id, REPLY, answerer, sent_at, reply_slots, body, mails, rng))
    ids = tuple(mail.message_id for mail in mails)
    return Record(record_id, script.kind, matter.topic, detail, stages, slots, ids), mails


def _pick_author(matter: Matter, rng: random.Random) -> Person:
    return matter.owner if rng.random() < 0.15 else rng.choice(matter.team)


def _fill_slots(
    matter: Matter, detail: str, author: Person, day: date, before: dict[str, str], rng: random.Random
) -> dict[str, str]:
    other = rng.choice([person for person in matter.team if person != author])
    return {
        "topic": matter.topic,
        "detail": detail,
        "old_day": before.get("day", before["old_day"]),
        "day": _say_day(_weekday(day + timedelta(days=rng.choice((2, 5, 9, 16, 25, 33)))), rng),
        "time": rng.choice((f"{rng.randint(8, 18)}:{rng.choice(('00', '15', '30', '45'))}", f"{rng.randint(2, 6)} pm")),
        "amount": rng.choice(("{:,} EUR", "${:,}", "EUR {:,}.50", "{:,} euros", "€{:,}")).format(
            rng.randint(*AMOUNTS.get(matter.script.kind, OTHER_AMOUNTS))
        ),
        "number": str(rng.randint(10_000, 99_999)),
        "count": str(rng.randint(2, 19)),
        "person": other.name if rng.random() < 0.6 else other.first,
    }


def _say_day(day: date, rng: random.Random) -> str:
    style = rng.choice(("%A {} %B", "%A", "{} %B", "%B {}", "%a {} %b", "%Y-%m-%d"))
    return day.strftime(style).format(day.day)


def _weekday(day: date) -> date:
    """Return the day itself, or the Monday after a weekend."""
    return day + timedelta(days=max(0, 7 - day.weekday()) if day.weekday() > 4 else 0)


def _compose(
    book: Phrasebook,
    matter: Matter,
    record_id: str,
    act: str,
    author: Person,
    sent_at: datetime,
    slots: dict[str, str],
    body: str,
    thread: Sequence[Mail],
    rng: random.Random,
) -> Mail:
    parent = thread[-1] if thread else None
    to, cc = _address(matter, author, parent, rng)
    subject = rng.choice(matter.script.subjects).format(**slots) if parent is None else thread[0].subject
    if parent is not None:
        subject = f"Re: {subject}"
    greeting = rng.choice(book.greetings).format(first=to[0].first)
    sentences = " ".join(part for part in (body.format(**slots), rng.choice(book.closers)) if part)
    sentences = re.sub(r"(^|[.?!] )([a-z])", lambda match: match[0].upper(), sentences)
    text = "\n\n".join(part for part in (greeting, sentences, _sign(book, author, rng)) if part)
    attachment = ""
    if "attached" in body or rng.random() < 0.05:
        attachment = f"{matter.script.kind}-{slots['number']}.{rng.choice(('pdf', 'xlsx', 'docx'))}"
    return Mail(
        message_id=f"{rng.getrandbits(80):020x}@{author.address.split('@')[1]}",
        sent_at=local_time(author, sent_at, parent.sent_at if parent else None, rng),
        sender=author,
        to=to,
        cc=cc,
        subject=subject,
        text=text,
        parent=parent,
        record_id=record_id,
        kind=matter.script.kind,
        act=act,
        topic=matter.topic,
        detail=slots["detail"],
        attachment=attachment,
        html=rng.random() < 0.15,
    )


def _address(
    matter: Matter, author: Person, parent: Mail | None, rng: random.Random
) -> tuple[tuple[Person, ...], tuple[Person, ...]]:
    """Choose recipients; the matter's owner is always among the mail's people."""
    team = [person for person in matter.team if person != author]
    if parent is not None and parent.sender != author:
        first = parent.sender
    elif author == matter.owner:
        first = rng.choice(team)
    else:
        first = matter.owner
    others = [person for person in team if person != first]
    cc = rng.sample(others, rng.choice((0, 0, 1, min(2, len(others))))) if others else []
    if matter.owner not in (author, first):
        cc.insert(0, matter.owner)
    return (first,), tuple(cc)


def _sign(book: Phrasebook, author: Person, rng: random.Random) -> str:
    farewell = rng.choice(book.farewells)
    if rng.random() < 0.4:
        return f"{farewell}\n{author.first}"
    company = book.company if author.unit in book.roles else author.unit
    unit = f"{author.unit}, " if author.unit in book.roles else ""
    return f"{farewell}\n{author.name}\n{author.role}, {unit}{company}"


def local_time(author: Person, about: datetime, after: datetime | None, rng: random.Random) -> datetime:
    """Return a time in the author's office hours on that UTC day, a later day if it must be ``after`` another mail."""
    from_utc = max(0, FIRST_HOUR - author.utc_offset_h)
    to_utc = LAST_HOUR - author.utc_offset_h
    moment = datetime.combine(about.date(), time(rng.randint(from_utc, to_utc), rng.randint(0, 59)), UTC)
    if after is not None and moment <= after:
        moment = after + timedelta(minutes=rng.randint(20, 200))
    offset = timedelta(hours=author.utc_offset_h)
    return moment.replace(second=rng.randint(0, 59)).astimezone(timezone(offset))
