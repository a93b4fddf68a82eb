"""The simulated company: its people, what happens there, the mail about it, and questions that its owners ask."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta

from mailgym.core.errors import ConfigError
from mailgym.core.seeds import stream
from mailgym.corpora.question import Question
from mailgym.corpora.simulate.ask import Asker
from mailgym.corpora.simulate.bulk import write_bulk
from mailgym.corpora.simulate.matters import Mail, Record, make_matter, tell_event
from mailgym.corpora.simulate.people import Cast, Person, make_cast
from mailgym.corpora.simulate.phrasebook import Phrasebook, phrasebook

BULK_SHARE = 0.25
START_SPREAD_DAYS = 60
ASKED_AFTER_END_DAYS = 30
MIN_DAYS = 90


@dataclass(frozen=True, slots=True)
class Inbox:
    """One owner's mail.

    Attributes:
        file_name: What its mailbox is called in a store.
        first_day: Where the owner's own matters begin. Each owner's span begins later than the one's before, so that
            a split's questions are of several years; mail from colleagues may be older or newer.
        mails: Oldest first.
    """

    owner: Person
    file_name: str
    first_day: date
    mails: tuple[Mail, ...]


@dataclass(frozen=True, slots=True)
class Company:
    """A company as plain data.

    Attributes:
        days: How many days of mail each owner has (threads may end a little later).
        records: What happened, in no order.
        inboxes: One for each owner.
        questions: Every question that its owners could ask, at most one for each mail, in random order by owner.
    """

    split: str
    seed: int
    name: str
    days: int
    cast: Cast
    records: tuple[Record, ...]
    inboxes: tuple[Inbox, ...]
    questions: tuple[Question, ...]


def simulate_company(
    seed: int, split: str, people: int = 24, owners: int = 3, days: int = 420, mails_per_owner: int = 800
) -> Company:
    """Simulate one company; the same arguments give the same company.

    Args:
        seed: Decides everything that the other arguments leave open.
        split: ``train``, ``validation`` or ``test``: which names and templates it is made from.
        people: How many work there.
        owners: How many of them have their mailbox simulated.
        days: How many days of mail each owner has.
        mails_per_owner: How much mail each owner gets and sends, about; mail between two owners counts for both.

    Raises:
        ConfigError: There is no such split, or a number is out of range.
    """
    book = phrasebook(split)
    if days < MIN_DAYS or mails_per_owner < 20:
        raise ConfigError(f"a company needs {MIN_DAYS} days and 20 mails at least: change --days")
    cast = make_cast(book, stream(seed, split, "people"), people, owners)
    shift = stream(seed, split, "start").randrange(START_SPREAD_DAYS)
    first_day = date.fromisoformat(book.start) + timedelta(days=shift)
    records: list[Record] = []
    mails: dict[str, Mail] = {}
    windows = {owner: first_day + timedelta(days=index * days * 5 // 7) for index, owner in enumerate(cast.owners)}
    for owner in cast.owners:
        held = sum(owner in mail.people for mail in mails.values())
        bulk_rng = stream(seed, split, "bulk", owner.address)
        bulk = write_bulk(book, cast, owner, windows[owner], days, round(mails_per_owner * BULK_SHARE), bulk_rng)
        more_records, work = _work(book, cast, owner, windows[owner], days, mails_per_owner - len(bulk) - held, seed)
        records += more_records
        mails |= {mail.message_id: mail for mail in (*bulk, *work)}
    ordered = sorted(mails.values(), key=lambda mail: (mail.sent_at, mail.message_id))
    inboxes = tuple(
        Inbox(owner, _file_name(split, owner), windows[owner], tuple(mail for mail in ordered if owner in mail.people))
        for owner in cast.owners
    )
    questions = [question for inbox in inboxes for question in _questions(book, inbox, days, seed)]
    return Company(split, seed, book.company, days, cast, tuple(records), inboxes, tuple(questions))


def _work(
    book: Phrasebook, cast: Cast, owner: Person, first_day: date, days: int, count: int, seed: int
) -> tuple[list[Record], list[Mail]]:
    """Let matters of all kinds happen in turn, until their mails are ``count`` or a few more."""
    records: list[Record] = []
    mails: list[Mail] = []
    number = 0
    scripts = stream(seed, book.split, "scripts", owner.address).sample(book.scripts, len(book.scripts))
    while len(mails) < count:
        rng = stream(seed, book.split, "matter", owner.address, number)
        slug = owner.address.split("@")[0]
        matter = make_matter(
            book, cast, owner, scripts[number % len(scripts)], f"{slug}-{number}", first_day, days, rng
        )
        for event in range(len(matter.days)):
            if len(mails) < count:
                record, thread = tell_event(book, matter, event, rng)
                records.append(record)
                mails += thread
        number += 1
    return records, mails


def _questions(book: Phrasebook, inbox: Inbox, days: int, seed: int) -> Iterator[Question]:
    last_day = inbox.first_day + timedelta(days=days + ASKED_AFTER_END_DAYS)
    asker = Asker(book, inbox.owner, inbox.file_name, inbox.mails, last_day)
    return asker.questions(stream(seed, book.split, "questions", inbox.owner.address))


def _file_name(split: str, owner: Person) -> str:
    return f"{split}-{owner.name.lower().replace(' ', '-')}.mailbox"
