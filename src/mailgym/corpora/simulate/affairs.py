"""Affairs: pieces of business whose facts are kept, and the mail that tells them step by step.

What an owner can ask about an affair is worked out from what was told up to a day (:mod:`.find_out`).
"""

import functools
import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date, timedelta

from mailgym.core.errors import ConfigError
from mailgym.core.seeds import stream
from mailgym.corpora.simulate.flows import COLLEAGUES, FLOWS, PERSONS, Draft, Flow, draw_facts
from mailgym.corpora.simulate.letters import Letters
from mailgym.corpora.simulate.matters import Mail, Record
from mailgym.corpora.simulate.people import Cast, Person
from mailgym.corpora.simulate.phrasebook import Phrasebook
from mailgym.corpora.simulate.phrasebook.storybook import Plot, Storybook
from mailgym.corpora.simulate.values import CURRENCIES, Value, answer_text

GAP_DAYS = (1, 7)
NEWCOMERS = 60
LEAST_PEOPLE = 8
"""People without a mailbox that affairs need: who answers an invitation, its host, and some more to be named."""


@dataclass(frozen=True, slots=True)
class Told:
    """One step of an affair, told.

    Attributes:
        step: The step, such as ``moved``.
        facts: What it states.
        mail: The mail that states it.
        teller: Whose words they are: the mail's sender, or the author of the mail that it forwards.
    """

    step: str
    facts: dict[str, Value]
    mail: Mail
    teller: Person


@dataclass(frozen=True, slots=True)
class Affair:
    """One piece of business in one owner's mail.

    Attributes:
        id: Unique in its company.
        kind: A key of ``flows.FLOWS``.
        partner: Whom or what it is with, by name: with ``thing``, no other affair of the kind in this mailbox has it.
        person: The partner, where it is a person.
        told: Its steps, oldest first.
    """

    id: str
    kind: str
    partner: str
    person: Person | None
    thing: str
    told: tuple[Told, ...]

    def by(self, day: date) -> list[Told]:
        """Return the steps told up to the end of a day (UTC)."""
        return [told for told in self.told if told.mail.day <= day]

    def record(self) -> Record:
        """Return the affair as a record: what holds in the end."""
        held: dict[str, Value] = {}
        for told in self.told:
            held |= told.facts
        facts = {slot: answer_text(value) for slot, value in held.items()}
        steps = tuple(told.step for told in self.told)
        message_ids = tuple(told.mail.message_id for told in self.told)
        return Record(self.id, self.kind, self.partner, self.thing, steps, facts, message_ids)


@dataclass(frozen=True, slots=True)
class Scene:
    """Where one owner's affairs play.

    Attributes:
        people: Colleagues who have no mailbox of their own in the store, so that no affair is told in two mailboxes.
        newcomers: Full names that nobody of the company has.
    """

    book: Phrasebook
    story: Storybook
    cast: Cast
    owner: Person
    seed: int
    people: tuple[Person, ...]
    newcomers: tuple[str, ...]

    @classmethod
    def of(cls, book: Phrasebook, story: Storybook, cast: Cast, owner: Person, seed: int) -> "Scene":
        """Set the scene for one owner.

        Raises:
            ConfigError: Too few of the company's people have no mailbox.
        """
        people = tuple(person for person in cast.colleagues if person not in cast.owners)
        if len(people) < LEAST_PEOPLE:
            raise ConfigError(
                f"affairs need {LEAST_PEOPLE} people without a mailbox, not {len(people)}: ask for more --people"
            )
        everybody = {person.name for person in cast.colleagues}
        everybody |= {person.name for group in cast.contacts.values() for person in group}
        rng = stream(seed, book.split, "newcomers")
        names = [f"{rng.choice(book.first_names)} {rng.choice(book.last_names)}" for _ in range(NEWCOMERS)]
        newcomers = tuple(name for name in dict.fromkeys(names) if name not in everybody)
        return cls(book, story, cast, owner, seed, people, newcomers)

    def partners(self, flow: Flow) -> list[tuple[str, Person | None]]:
        """Return everybody and everything that affairs of a kind can be with."""
        if flow.partners not in (PERSONS, COLLEAGUES):
            return [(name, None) for name in self.book.topics[flow.partners]]
        everybody = list(self.people)
        if flow.partners == PERSONS:
            everybody += [person for group in self.cast.contacts.values() for person in group]
        names = [person.name for person in (*self.cast.colleagues, *sum(self.cast.contacts.values(), ()))]
        return [(person.name, person) for person in everybody if names.count(person.name) == 1]


@dataclass(slots=True)
class _Deck:
    """Pairs of partner and thing that are not taken yet, by kind."""

    pairs: dict[str, list[tuple[str, Person | None, str]]] = field(default_factory=dict)

    def take(self, rng: random.Random) -> tuple[str, str, Person | None, str]:
        """Take a pair of some kind, by the kinds' shares.

        Raises:
            ConfigError: All are taken.
        """
        left = [kind for kind in FLOWS if self.pairs[kind]]
        if not left:
            raise ConfigError("so much mail needs more people to be about: ask for more --people or fewer --days")
        kind = rng.choices(left, [FLOWS[kind].share for kind in left])[0]
        return kind, *self.pairs[kind].pop()


def write_affairs(scene: Scene, first_day: date, days: int, count: int) -> Iterator[tuple[Affair, list[Mail]]]:
    """Let affairs happen to an owner until their mails are ``count`` or a few more.

    Args:
        scene: The owner and all others.
        first_day: Where they begin.
        days: For how many days they begin; they may end later.
        count: Mails to be written, about.

    Raises:
        ConfigError: There are not enough people and things for so much mail.
    """
    split, owner = scene.book.split, scene.owner
    rng = stream(scene.seed, split, "affairs", owner.address)
    letters = Letters(scene.book, scene.story, owner, scene.people, scene.seed)
    plots = {plot.kind: plot for plot in scene.story.plots}
    deck = _Deck()
    for kind, flow in FLOWS.items():
        pairs = [(*partner, thing) for partner in scene.partners(flow) for thing in plots[kind].things]
        deck.pairs[kind] = rng.sample(pairs, len(pairs))
    written, number = 0, 0
    while written < count:
        kind, partner, person, thing = deck.take(rng)
        affair_id = f"{owner.address.split('@')[0]}-affair-{number}"
        begin = first_day + timedelta(days=rng.randrange(days))
        own_rng = stream(scene.seed, split, "affair", owner.address, number)
        affair, mails = _Course(scene, letters, plots[kind], own_rng).run(affair_id, partner, person, thing, begin)
        yield affair, mails
        written += len(mails)
        number += 1


class _Course:
    """Runs one affair through its steps."""

    def __init__(self, scene: Scene, letters: Letters, plot: Plot, rng: random.Random) -> None:
        self._scene, self._letters, self._plot, self._rng = scene, letters, plot, rng
        self._flow = FLOWS[plot.kind]

    def run(
        self, affair_id: str, partner: str, person: Person | None, thing: str, begin: date
    ) -> tuple[Affair, list[Mail]]:
        """Return the affair and its mails, those that add nothing included."""
        rng, flow = self._rng, self._flow
        steps = rng.choices(list(flow.courses), list(flow.courses.values()))[0]
        insiders = self._insiders(partner, person)
        others = rng.sample([p for p in self._scene.people if p != person], min(8, len(self._scene.people) - 1))
        thread = self._letters.thread(affair_id, self._plot, partner, insiders, others, thing, rng)
        names = tuple(other.name for other in others)
        places, newcomers = self._scene.story.places, self._scene.newcomers
        currency = list(CURRENCIES)[sum(partner.encode()) % len(CURRENCIES)]
        held: dict[str, Value] = {}
        told: list[Told] = []
        day = working_day(begin)
        for number, step in enumerate(steps):
            if number:
                day = self._next_day(day, step, held)
            draft = Draft(rng, day, held, currency, places, names, newcomers, number == len(steps) - 1)
            facts = draw_facts(self._plot.kind, step, draft)
            is_own = step in flow.each_by_another
            mail, teller = thread.tell(step, facts, held, day, is_own)
            told.append(Told(step, facts, mail, teller))
            held = held | facts
            day = max(day, mail.day)
        return Affair(affair_id, self._plot.kind, partner, person, thing, tuple(told)), thread.mails

    def _insiders(self, partner: str, person: Person | None) -> tuple[Person, ...]:
        """Return who can write as the partner."""
        return (person,) if person is not None else self._scene.cast.contacts.get(partner, ())

    def _next_day(self, day: date, step: str, held: dict[str, Value]) -> date:
        """Return when the next step is told: before the day that the affair is about."""
        gap = self._rng.choice((0, 0, 1, 1, 2)) if step in self._flow.each_by_another else self._rng.randint(*GAP_DAYS)
        about = held.get("day")
        if isinstance(about, date):
            gap = min(gap, max(1, (about - day).days - 3))
        return working_day(day + timedelta(days=gap))


@functools.cache
def working_day(day: date) -> date:
    """Return the day itself, or the Monday after a weekend."""
    return day + timedelta(days=7 - day.weekday()) if day.weekday() > 4 else day
