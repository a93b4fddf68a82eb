"""The simulated company: its people, what happens there, the mail about it, and questions that its owners ask."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import date, timedelta

from mailgym.core.errors import ConfigError
from mailgym.core.seeds import stream
from mailgym.corpora.question import Question
from mailgym.corpora.simulate.affairs import Affair, Scene, write_affairs
from mailgym.corpora.simulate.ask import Asker
from mailgym.corpora.simulate.bulk import INJECTION, write_bulk
from mailgym.corpora.simulate.inquire import Inquirer
from mailgym.corpora.simulate.matters import Mail, Record, make_matter, tell_event
from mailgym.corpora.simulate.noise import CITE, Injection, write_noise, write_orders
from mailgym.corpora.simulate.people import Cast, Person, make_cast
from mailgym.corpora.simulate.phrasebook import Phrasebook, phrasebook, storybook

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
        affairs: The business whose facts are kept, told in these mails.
        injections: Which of the mails give orders to an assistant.
    """

    owner: Person
    file_name: str
    first_day: date
    mails: tuple[Mail, ...]
    affairs: tuple[Affair, ...]
    injections: tuple[Injection, ...]


@dataclass(frozen=True, slots=True)
class Company:
    """A company as plain data.

    Attributes:
        days: How many days of mail each owner has (threads may end a little later).
        records: What happened, in no order.
        inboxes: One for each owner.
    """

    split: str
    seed: int
    name: str
    days: int
    cast: Cast
    records: tuple[Record, ...]
    inboxes: tuple[Inbox, ...]

    def questions(self, inbox: Inbox) -> Iterator[Question]:
        """Yield every question of ``find`` that an owner could ask, at most one for each mail, in random order."""
        last_day = inbox.first_day + timedelta(days=self.days + ASKED_AFTER_END_DAYS)
        asker = Asker(phrasebook(self.split), inbox.owner, inbox.file_name, inbox.mails, last_day)
        return asker.questions(stream(self.seed, self.split, "questions", inbox.owner.address))

    def searches(self, inbox: Inbox) -> Iterator[Question]:
        """Yield questions of ``search``, which have a short answer, in random order; without affairs there are none."""
        if not inbox.affairs:
            return iter(())
        scene = Scene.of(phrasebook(self.split), storybook(self.split), self.cast, inbox.owner, self.seed)
        inquirer = Inquirer(scene, inbox.file_name, inbox.affairs)
        return inquirer.questions(stream(self.seed, self.split, "searches", inbox.owner.address))


def simulate_company(
    seed: int,
    split: str,
    people: int = 24,
    owners: int = 3,
    days: int = 420,
    mails_per_owner: int = 800,
    affair_mails_per_owner: int = 0,
) -> Company:
    """Simulate one company; the same arguments give the same company.

    Args:
        seed: Decides everything that the other arguments leave open.
        split: ``train``, ``validation`` or ``test``: which names and templates it is made from.
        people: How many work there.
        owners: How many of them have their mailbox simulated.
        days: How many days of mail each owner has.
        mails_per_owner: How much mail about matters, bulk mail included, each owner gets and sends, about; mail
            between two owners counts for both.
        affair_mails_per_owner: How much mail each owner has about affairs, bulk mail included, about.

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
    inboxes: list[Inbox] = []
    for owner in cast.owners:
        matters = [mail for mail in mails.values() if owner in mail.people]
        inbox = Inbox(
            owner, _file_name(split, owner), windows[owner], _sorted(matters), (), _orders(split, owner, matters)
        )
        if affair_mails_per_owner:
            scene = Scene.of(book, storybook(split), cast, owner, seed)
            inbox = _add_affairs(inbox, scene, days, affair_mails_per_owner)
        inboxes.append(inbox)
        records += [affair.record() for affair in inbox.affairs]
    return Company(split, seed, book.company, days, cast, tuple(records), tuple(inboxes))


def _sorted(mails: Iterable[Mail]) -> tuple[Mail, ...]:
    return tuple(sorted(mails, key=lambda mail: (mail.sent_at, mail.message_id)))


def _orders(split: str, owner: Person, matters: list[Mail]) -> tuple[Injection, ...]:
    """Return which bulk mails give orders to an assistant: they ask to be cited themselves."""
    ids = [mail.message_id for mail in matters if mail.kind == INJECTION]
    return tuple(Injection(_file_name(split, owner), message_id, CITE, message_id) for message_id in ids)


def _add_affairs(inbox: Inbox, scene: Scene, days: int, count: int) -> Inbox:
    """Return the inbox with ``count`` more mails, about: of affairs, and what comes with them."""
    mails, affairs, injections = list(inbox.mails), list[Affair](), list(inbox.injections)
    mails += write_noise(scene, inbox.first_day, days, round(count * BULK_SHARE))
    for affair, told in write_affairs(scene, inbox.first_day, days, count - round(count * BULK_SHARE)):
        affairs.append(affair)
        mails += told
    for mail, injection in list(write_orders(scene, inbox.file_name, affairs, mails)):
        mails.append(mail)
        injections.append(injection)
    return replace(inbox, mails=_sorted(mails), affairs=tuple(affairs), injections=tuple(injections))


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


def _file_name(split: str, owner: Person) -> str:
    return f"{split}-{owner.name.lower().replace(' ', '-')}.mailbox"
