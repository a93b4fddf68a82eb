"""Who works at the simulated company, and whom it deals with."""

import random
import re
from collections.abc import Sequence
from dataclasses import dataclass

from mailgym.core.errors import ConfigError
from mailgym.corpora.simulate.phrasebook import Phrasebook

SHARED_GROUPS = (3, 2, 2)
MIN_PEOPLE, MAX_PEOPLE = 10, 120


@dataclass(frozen=True, slots=True)
class Person:
    """One person who writes mail.

    Attributes:
        unit: What tells namesakes apart: the department of a colleague, the company of a partner.
        role: Job title; empty for senders of bulk mail.
        utc_offset_h: Hours east of UTC of the clock the person's mail program goes by.
    """

    first: str
    last: str
    address: str
    unit: str
    role: str
    utc_offset_h: int

    @property
    def name(self) -> str:
        """The full name."""
        return f"{self.first} {self.last}".strip()


@dataclass(frozen=True, slots=True)
class Cast:
    """Everybody in one company's mail.

    Attributes:
        owners: Those whose mailboxes are simulated; they are colleagues too.
        colleagues: All people of the company.
        contacts: For each vendor and customer, the people there.
    """

    owners: tuple[Person, ...]
    colleagues: tuple[Person, ...]
    contacts: dict[str, tuple[Person, ...]]


def make_cast(book: Phrasebook, rng: random.Random, people: int, owners: int) -> Cast:
    """Make a company's people; at least three first names are shared by two or three of them.

    Raises:
        ConfigError: The company would be too small or too large for its names, or have more owners than people.
    """
    if not MIN_PEOPLE <= people <= MAX_PEOPLE:
        raise ConfigError(f"a company has {MIN_PEOPLE} to {MAX_PEOPLE} people, not {people}: change --people")
    if not 1 <= owners <= people:
        raise ConfigError(f"{owners} mailboxes need 1 to {people} owners: change the number of owners or --people")
    last_names = rng.sample(book.last_names, len(book.last_names))
    first_names = _first_names(book, rng, people)
    units = list(book.roles)
    colleagues: list[Person] = []
    for index, first in enumerate(first_names):
        namesakes = {person.unit for person in colleagues if person.first == first}
        unit = rng.choice([unit for unit in units if unit not in namesakes])
        last = last_names[(index + index // len(last_names)) % len(last_names)]
        address = f"{first}.{last}@{unit}.{book.domain}".lower()
        role = rng.choice(book.roles[unit])
        colleagues.append(Person(first, last, address, unit, role, rng.choice(book.utc_offsets_h)))
    contacts = {
        company: _make_contacts(book, rng, company, [person.first for person in colleagues])
        for company in (*book.topics["vendor"], *book.topics["customer"])
    }
    # The last ones have a first name of their own in companies of some 30 people: owners ask for others.
    return Cast(tuple(colleagues[-owners:]), tuple(colleagues), contacts)


def _first_names(book: Phrasebook, rng: random.Random, people: int) -> list[str]:
    pool = rng.sample(book.first_names, len(book.first_names))
    shared = [name for name, times in zip(pool, SHARED_GROUPS, strict=False) for _ in range(times)]
    alone = pool[len(SHARED_GROUPS) :]
    rest = [alone[index % len(alone)] for index in range(people - len(shared))]
    return shared + rest


def _make_contacts(book: Phrasebook, rng: random.Random, company: str, colleagues: Sequence[str]) -> tuple[Person, ...]:
    """Make two people at a partner; every second one shares a first name with somebody of the company."""
    domain = re.sub(r"[^a-z]+", "-", company.lower()) + ".example"
    firsts = [rng.choice(colleagues[: sum(SHARED_GROUPS)]), rng.choice(book.first_names)]
    people = []
    for first, last in zip(firsts, rng.sample(book.last_names, 2), strict=True):
        address = f"{first[0]}.{last}@{domain}".lower()
        people.append(Person(first, last, address, company, "account contact", rng.choice(book.utc_offsets_h)))
    return tuple(people)
