"""What can be asked about an affair, and what was the right answer on a day.

Each ask looks at the steps told so far and gives the answer, the mails that hold it, and what makes it hard: ``single``
(one mail says so), ``superseded`` (an earlier mail said otherwise), ``two_mails`` (neither says it alone),
``negation`` (whether or who not), ``aggregate`` (over a whole thread).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta

from mailgym.corpora.simulate.affairs import Affair, Told
from mailgym.corpora.simulate.values import Money, Value, answer_text

SINGLE, SUPERSEDED, TWO_MAILS = "single", "superseded", "two_mails"
NEGATION, AGGREGATE, UNANSWERABLE = "negation", "aggregate", "unanswerable"
KINDS = (SINGLE, SUPERSEDED, TWO_MAILS, NEGATION, AGGREGATE, UNANSWERABLE)
YES, NO = "Yes", "No"


@dataclass(frozen=True, slots=True)
class Finding:
    """A right answer.

    Attributes:
        answer: As the answer key gives it.
        kind: What makes it hard.
        told: The steps that it stands on.
    """

    answer: str
    kind: str
    told: tuple[Told, ...]


Find = Callable[[Sequence[Told]], Finding | None]
"""From the steps told so far to the right answer; None where the question would make no sense, or has none."""


@dataclass(frozen=True, slots=True)
class Ask:
    """One thing to be asked about affairs of a kind.

    Attributes:
        answer_type: What the answer is: ``date``, ``time``, ``amount``, ``name``, ``count``, ``place`` or ``yes_no``.
        find: Finds the answer.
        ever: The slot whose value is asked for, where one is; as long as no step states it, nobody knows.
    """

    answer_type: str
    find: Find
    ever: str = ""


def _stating(told: Sequence[Told], slot: str) -> list[Told]:
    return [one for one in told if slot in one.facts]


def _steps(told: Sequence[Told], *names: str) -> list[Told]:
    return [one for one in told if one.step in names]


def _latest(slot: str, never_after: Sequence[str] = (), only_after: str = "") -> Find:
    """Return the value that was stated last.

    Args:
        slot: The slot.
        never_after: Steps after which there is no such value any more.
        only_after: A step that must have been told.
    """

    def find(told: Sequence[Told]) -> Finding | None:
        stating = _stating(told, slot)
        if not stating or _steps(told, *never_after) or (only_after and not _steps(told, only_after)):
            return None
        kind = SUPERSEDED if len(stating) > 1 else SINGLE
        return Finding(answer_text(stating[-1].facts[slot]), kind, (stating[-1],))

    return find


def _whether(yes: Sequence[str], no: Sequence[str]) -> Find:
    """Return whether something is so: the last of these steps says."""

    def find(told: Sequence[Told]) -> Finding | None:
        saying = _steps(told, *yes, *no)
        if not saying or saying[-1] is not told[-1]:
            return None
        return Finding(YES if saying[-1].step in yes else NO, NEGATION, (saying[-1],))

    return find


def _from_two(one: str, other: str, compute: Callable[[Value, Value], Value]) -> Find:
    """Return what follows from the latest values of two slots that two mails state."""

    def find(told: Sequence[Told]) -> Finding | None:
        ones, others = _stating(told, one), _stating(told, other)
        if not ones or not others or ones[-1] is others[-1] or _steps(told, "cancelled"):
            return None
        value = compute(ones[-1].facts[one], others[-1].facts[other])
        return Finding(answer_text(value), TWO_MAILS, (ones[-1], others[-1]))

    return find


def _how_often(step: str) -> Find:
    def find(told: Sequence[Told]) -> Finding | None:
        steps = _steps(told, step)
        return Finding(str(len(steps)), AGGREGATE, tuple(steps)) if len(steps) > 1 else None

    return find


def _sum(told: Sequence[Told]) -> Finding | None:
    needing = _stating(told, "count")
    if len(needing) < 2:
        return None
    return Finding(str(sum(_number(one.facts["count"]) for one in needing)), AGGREGATE, tuple(needing))


def _most(told: Sequence[Told]) -> Finding | None:
    needing = sorted(_stating(told, "count"), key=lambda one: _number(one.facts["count"]))
    if len(needing) < 2 or needing[-1].facts["count"] == needing[-2].facts["count"]:
        return None
    return Finding(needing[-1].teller.name, AGGREGATE, tuple(_stating(told, "count")))


def _decliner(told: Sequence[Told]) -> Finding | None:
    declining = _steps(told, "declined")
    return Finding(declining[0].teller.name, NEGATION, tuple(declining)) if len(declining) == 1 else None


def _margin(told: Sequence[Told]) -> Finding | None:
    """Return by how much a counter-offer is below the first price."""
    priced, countered = _stating(told, "amount"), _stating(told, "bid")
    if not priced or not countered:
        return None
    value = _minus(priced[0].facts["amount"], countered[-1].facts["bid"])
    return Finding(answer_text(value), TWO_MAILS, (priced[0], countered[-1]))


def _minus_days(day: Value, days: Value) -> Value:
    assert isinstance(day, date)
    return day - timedelta(days=_number(days))


def _minus_hours(moment: Value, hours: Value) -> Value:
    assert isinstance(moment, time)
    return (datetime.combine(date(2000, 1, 2), moment) - timedelta(hours=_number(hours))).time()


def _minus(whole: Value, part: Value) -> Value:
    assert isinstance(whole, Money)
    assert isinstance(part, Money)
    return Money(whole.units - part.units, whole.currency)


def _times(count: Value, unit: Value) -> Value:
    assert isinstance(unit, Money)
    return Money(_number(count) * unit.units, unit.currency)


def _number(value: Value) -> int:
    assert isinstance(value, int)
    return value


OFF = ("cancelled",)

ASKS: dict[str, dict[str, Ask]] = {
    "appointment": {
        "day": Ask("date", _latest("day", OFF), "day"),
        "time": Ask("time", _latest("time", OFF), "time"),
        "place": Ask("place", _latest("place", OFF), "place"),
        "still_on": Ask("yes_no", _whether(("set", "moved"), OFF)),
        "notes_day": Ask("date", _from_two("day", "ahead", _minus_days)),
        "times_moved": Ask("count", _how_often("moved")),
    },
    "bill": {
        "amount": Ask("amount", _latest("amount"), "amount"),
        "due": Ask("date", _latest("due"), "due"),
        "is_paid": Ask("yes_no", _whether(("settled",), ("disputed",))),
        "rest": Ask("amount", _from_two("amount", "paid", _minus)),
        "pay_day": Ask("date", _latest("pay_day")),
    },
    "trip": {
        "day": Ask("date", _latest("day", OFF), "day"),
        "time": Ask("time", _latest("time", OFF), "time"),
        "place": Ask("place", _latest("place", OFF), "place"),
        "still_on": Ask("yes_no", _whether(("booked", "changed"), OFF)),
        "pickup": Ask("time", _from_two("time", "ahead", _minus_hours)),
    },
    "order": {
        "count": Ask("count", _latest("count"), "count"),
        "day": Ask("date", _latest("day", ("arrived",)), "day"),
        "total": Ask("amount", _from_two("count", "unit", _times)),
        "has_arrived": Ask("yes_no", _whether(("arrived",), ("delayed",))),
        "times_delayed": Ask("count", _how_often("delayed")),
    },
    "offer": {
        "amount": Ask("amount", _latest("amount", only_after="agreed"), "amount"),
        "valid": Ask("date", _latest("valid"), "valid"),
        "signer": Ask("name", _latest("signer"), "signer"),
        "is_agreed": Ask("yes_no", _whether(("agreed",), ("refused",))),
        "margin": Ask("amount", _margin),
    },
    "incident": {
        "name": Ask("name", _latest("name"), "name"),
        "time": Ask("time", _latest("time"), "time"),
        "hours": Ask("count", _latest("hours")),
        "is_fixed": Ask("yes_no", _whether(("fixed",), ("unfixed",))),
    },
    "hire": {
        "name": Ask("name", _latest("name", ("withdrew",)), "name"),
        "day": Ask("date", _latest("day", ("withdrew",)), "day"),
        "pay": Ask("amount", _latest("pay", ("withdrew",))),
        "is_coming": Ask("yes_no", _whether(("chosen", "moved"), ("withdrew",))),
    },
    "gathering": {
        "day": Ask("date", _latest("day"), "day"),
        "place": Ask("place", _latest("place"), "place"),
        "joiners": Ask("count", _how_often("joined")),
        "decliner": Ask("name", _decliner),
    },
    "collection": {"total": Ask("count", _sum), "most": Ask("name", _most)},
    "duty": {"name": Ask("name", _latest("name"), "name")},
    "seat": {"place": Ask("place", _latest("place"))},
}
"""For each kind of affair, what can be asked about it."""

JOINED = {"duty": {"desk": ("name", "seat", "place", "place")}}
"""What needs another affair too: the slot with a person's name, the kind of affair with that person, the slot to be
told of it, and the type of the answer."""


def join(told: Sequence[Told], slot: str, affairs_of: dict[str, Affair], wanted: str, day: date) -> Finding | None:
    """Return what another affair says of the person whom this one names last.

    Args:
        told: The steps told so far.
        slot: The slot with the person's name.
        affairs_of: The other affairs, by the person's name.
        wanted: The slot of the other affair.
        day: Up to when it counts.
    """
    naming = _stating(told, slot)
    if not naming or naming[-1].facts[slot] not in affairs_of:
        return None
    other = _stating(affairs_of[str(naming[-1].facts[slot])].by(day), wanted)
    if not other:
        return None
    return Finding(answer_text(other[-1].facts[wanted]), TWO_MAILS, (naming[-1], other[-1]))
