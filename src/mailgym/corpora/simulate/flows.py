"""The kinds of affairs: whom and what they are about, the steps that they go through, and the facts each step states.

An *affair* is one piece of business whose facts are kept: one appointment, one bill, one trip. Each kind has *courses*:
the orders in which its steps can come. What can be asked about an affair follows from its kind (:mod:`.find_out`).
"""

import random
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, time, timedelta

from mailgym.corpora.simulate.values import Money, Value

Draw = Callable[["Draft"], Value]

PERSONS, COLLEAGUES = "persons", "colleagues"
WEEKEND = 5
NEAR_SHARE, NEAR_DAYS = 0.35, (1, 6)


@dataclass(frozen=True, slots=True)
class Draft:
    """What a new fact may depend on.

    Attributes:
        day: The day on which it is told.
        before: The facts that held until now.
        currency: The affair's currency.
        places: Places by group.
        people: Full names that a fact may give.
        newcomers: Full names of nobody in the company.
        is_last: Whether nothing more happens after this step, so that a day may be near.
    """

    rng: random.Random
    day: date
    before: dict[str, Value]
    currency: str
    places: dict[str, tuple[str, ...]]
    people: tuple[str, ...]
    newcomers: tuple[str, ...]
    is_last: bool


@dataclass(frozen=True, slots=True)
class Flow:
    """One kind of affair.

    Attributes:
        partners: Who or what it is with: ``persons`` (colleagues and contacts), ``colleagues``, or a group of topics.
        courses: The orders in which its steps come, each with its weight; a step may come several times.
        share: How many of all affairs are of this kind, relative to the others.
        each_by_another: Steps that one person after another tells for himself, once each.
    """

    partners: str
    courses: dict[tuple[str, ...], int]
    share: int
    each_by_another: tuple[str, ...] = ()


STATES: dict[str, dict[str, tuple[str, ...]]] = {
    "appointment": {"set": ("day", "time", "place"), "moved": ("day", "time"), "ahead": ("ahead",)},
    "bill": {
        "raised": ("amount", "due"),
        "corrected": ("amount",),
        "part_paid": ("paid",),
        "settled": ("pay_day",),
    },
    "trip": {"booked": ("day", "time", "place"), "changed": ("day", "time"), "ahead": ("ahead",)},
    "order": {"placed": ("count", "day"), "priced": ("unit",), "recounted": ("count",), "delayed": ("day",)},
    "offer": {"offered": ("amount", "valid"), "countered": ("bid",), "agreed": ("amount", "signer")},
    "incident": {"opened": ("name", "time"), "handed": ("name",), "fixed": ("hours",)},
    "hire": {"chosen": ("name", "day"), "paid": ("pay",), "moved": ("day",)},
    "gathering": {"planned": ("day", "time", "place"), "replaced": ("place",)},
    "collection": {"needed": ("count",)},
    "duty": {"named": ("name",), "renamed": ("name",)},
    "seat": {"seated": ("place",), "reseated": ("place",)},
}
"""For each kind, the facts that a step states; a step that is not here states none."""

FLOWS: dict[str, Flow] = {
    "appointment": Flow(
        PERSONS,
        {
            ("announced",): 12,
            ("set",): 14,
            ("announced", "set"): 10,
            ("set", "ahead"): 16,
            ("set", "moved"): 14,
            ("announced", "set", "moved", "ahead"): 8,
            ("set", "moved", "moved"): 10,
            ("set", "moved", "moved", "moved"): 4,
            ("set", "cancelled"): 7,
            ("set", "moved", "cancelled"): 5,
        },
        share=18,
    ),
    "bill": Flow(
        "vendor",
        {
            ("announced",): 10,
            ("raised",): 12,
            ("announced", "raised", "settled"): 12,
            ("raised", "disputed"): 14,
            ("raised", "disputed", "corrected"): 14,
            ("raised", "disputed", "corrected", "settled"): 10,
            ("raised", "part_paid"): 20,
            ("raised", "disputed", "corrected", "part_paid"): 8,
        },
        share=14,
    ),
    "trip": Flow(
        "city",
        {
            ("announced",): 12,
            ("announced", "booked"): 14,
            ("booked", "changed"): 22,
            ("booked", "ahead"): 20,
            ("booked", "changed", "ahead"): 12,
            ("booked", "changed", "changed"): 8,
            ("booked", "cancelled"): 12,
        },
        share=10,
    ),
    "order": Flow(
        "vendor",
        {
            ("announced",): 10,
            ("placed", "arrived"): 10,
            ("announced", "placed", "priced"): 16,
            ("placed", "priced", "recounted"): 16,
            ("placed", "recounted"): 8,
            ("placed", "delayed"): 14,
            ("placed", "delayed", "delayed"): 12,
            ("placed", "delayed", "delayed", "delayed"): 4,
            ("placed", "delayed", "arrived"): 10,
        },
        share=13,
    ),
    "offer": Flow(
        "customer",
        {
            ("announced",): 12,
            ("announced", "offered"): 14,
            ("offered", "countered"): 20,
            ("offered", "countered", "agreed"): 24,
            ("announced", "offered", "agreed"): 12,
            ("offered", "refused"): 10,
            ("offered", "countered", "refused"): 8,
        },
        share=11,
    ),
    "incident": Flow(
        "system",
        {
            ("announced",): 14,
            ("announced", "opened"): 14,
            ("opened", "handed"): 20,
            ("opened", "fixed"): 18,
            ("opened", "handed", "fixed"): 16,
            ("opened", "unfixed"): 18,
        },
        share=9,
    ),
    "hire": Flow(
        "opening",
        {
            ("announced",): 14,
            ("announced", "chosen"): 20,
            ("chosen", "paid"): 18,
            ("chosen", "moved"): 26,
            ("chosen", "paid", "moved"): 10,
            ("chosen", "withdrew"): 12,
        },
        share=7,
    ),
    "gathering": Flow(
        COLLEAGUES,
        {
            ("announced",): 10,
            ("announced", "planned"): 12,
            ("planned", "joined", "joined", "declined"): 20,
            ("planned", "joined", "declined", "joined", "joined"): 16,
            ("planned", "joined", "joined", "replaced", "joined", "declined"): 14,
            ("planned", "replaced"): 16,
        },
        share=8,
        each_by_another=("joined", "declined"),
    ),
    "collection": Flow(
        COLLEAGUES,
        {
            ("announced", "needed", "needed"): 20,
            ("announced", "needed", "needed", "needed"): 30,
            ("announced", "needed", "needed", "needed", "needed"): 20,
        },
        share=6,
        each_by_another=("needed",),
    ),
    "duty": Flow("project", {("announced",): 16, ("named",): 50, ("named", "renamed"): 34}, share=8),
    "seat": Flow(COLLEAGUES, {("seated",): 60, ("seated", "reseated"): 40}, share=3),
}
"""Every kind of affair."""


def _day(least: int, most: int) -> Draw:
    """Return a draw of a working day so many days ahead, another than the one that held; the last word may be near."""

    def draw(draft: Draft) -> Value:
        is_near = draft.is_last and draft.rng.random() < NEAR_SHARE
        while True:
            day = draft.day + timedelta(days=draft.rng.randint(*(NEAR_DAYS if is_near else (least, most))))
            day += timedelta(days=max(0, 7 - day.weekday()) if day.weekday() >= WEEKEND else 0)
            if day != draft.before.get("day"):
                return day

    return draw


def _day_before(least: int, most: int) -> Draw:
    """Return a draw of a working day so many days ago, or the one before a weekend."""

    def draw(draft: Draft) -> Value:
        day = draft.day - timedelta(days=draft.rng.randint(least, most))
        return day - timedelta(days=max(0, day.weekday() - WEEKEND + 1))

    return draw


def _time(first_h: int, last_h: int) -> Draw:
    def draw(draft: Draft) -> Value:
        while True:
            moment = time(draft.rng.randint(first_h, last_h), draft.rng.choice((0, 0, 15, 30, 30, 45)))
            if moment != draft.before.get("time"):
                return moment

    return draw


def _count(least: int, most: int, step: int = 1) -> Draw:
    def draw(draft: Draft) -> Value:
        while True:
            count = draft.rng.randrange(least, most + 1, step)
            if count != draft.before.get("count"):
                return count

    return draw


def _money(least: int, most: int, step: int = 1) -> Draw:
    def draw(draft: Draft) -> Value:
        return Money(draft.rng.randrange(least, most + 1, step), draft.currency)

    return draw


def _less(least_percent: int, most_percent: int) -> Draw:
    """Return a draw of so many percent of the amount that holds."""

    def draw(draft: Draft) -> Value:
        amount = draft.before["amount"]
        assert isinstance(amount, Money)
        return Money(amount.units * draft.rng.randint(least_percent, most_percent) // 100, amount.currency)

    return draw


def _amount(least: int, most: int) -> Draw:
    """Return a draw of the first amount, and of a somewhat lower one later."""
    first, later = _money(least, most), _less(70, 97)
    return lambda draft: later(draft) if "amount" in draft.before else first(draft)


def _place(group: str) -> Draw:
    def draw(draft: Draft) -> Value:
        return draft.rng.choice([place for place in draft.places[group] if place != draft.before.get("place")])

    return draw


def _person(draft: Draft) -> Value:
    return draft.rng.choice([name for name in draft.people if name != draft.before.get("name")])


def _newcomer(draft: Draft) -> Value:
    return draft.rng.choice(draft.newcomers)


DRAWS: dict[str, dict[str, Draw]] = {
    "appointment": {"day": _day(6, 30), "time": _time(8, 17), "place": _place("rooms"), "ahead": _count(2, 5)},
    "bill": {"amount": _amount(240, 38_000), "due": _day(14, 40), "paid": _less(15, 70), "pay_day": _day_before(1, 5)},
    "trip": {"day": _day(8, 40), "time": _time(6, 20), "place": _place("hotels"), "ahead": _count(1, 4)},
    "order": {"count": _count(20, 400, 5), "day": _day(8, 40), "unit": _money(3, 90)},
    "offer": {
        "amount": _amount(900, 60_000),
        "valid": _day(14, 45),
        "bid": _less(60, 92),
        "signer": _person,
    },
    "incident": {"name": _person, "time": _time(6, 17), "hours": _count(2, 30)},
    "hire": {"name": _newcomer, "day": _day(20, 80), "pay": _money(2_300, 7_800, 50)},
    "gathering": {"day": _day(6, 30), "time": _time(11, 20), "place": _place("venues")},
    "collection": {"count": _count(2, 15)},
    "duty": {"name": _person},
    "seat": {"place": _place("desks")},
}
"""For each kind, how its facts are drawn."""


def draw_facts(kind: str, step: str, draft: Draft) -> dict[str, Value]:
    """Draw the facts that a step states."""
    return {slot: DRAWS[kind][slot](draft) for slot in STATES[kind].get(step, ())}
