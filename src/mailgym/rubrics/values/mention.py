"""Values that a text mentions, what it says of each, and the verdict that follows.

A *mention* is one value at one place of a text. Its *standing* is what the text says of it: it holds, it is denied, it
held before, it names something beside the answer (the date of the mail it was read in, the number of an invoice), or it
is one of several guesses. A verdict is only ``right`` or ``wrong`` when the standings leave one reading.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Generic, Literal, TypeVar

Outcome = Literal["right", "wrong", "unsure"]
Relation = Literal["same", "other", "maybe", "none"]
Standing = Literal["holds", "new", "old", "denied", "beside", "doubted"]
Link = Literal["", "or", "range"]

V = TypeVar("V")
MOST_MENTIONS = 40


@dataclass(frozen=True, slots=True)
class Match:
    """What the matcher says of an answer.

    Attributes:
        verdict: ``right``, ``wrong``, or ``unsure`` where rules cannot tell.
        note: Why, in a few words. Owner's side only: it may quote the right answer.
    """

    verdict: Outcome
    note: str = ""


@dataclass(frozen=True, slots=True)
class Mention(Generic[V]):
    """One value in a text.

    Attributes:
        value: The value.
        start: Where it begins, in characters.
        end: Where it ends (exclusive).
        standing: What the text says of it.
        link: How it hangs on the mention before it: one of several guesses, or the end of a range.
    """

    value: V
    start: int
    end: int
    standing: Standing = "holds"
    link: Link = ""

    def at(self, standing: Standing) -> "Mention[V]":
        """Return the same mention with another standing."""
        return replace(self, standing=standing)


def decide(
    given: Sequence[Mention[V]],
    required: Sequence[V],
    relate: Callable[[V, V], Relation],
    *,
    start_counts: bool = False,
) -> Match | None:
    """Return the verdict on the values that an answer mentions.

    Args:
        given: The mentions of the answer, in order.
        required: The right values: one, or several that must all be there.
        relate: ``relate(right, given)``: whether both are the same value, another, or cannot be told; ``none`` where
            the given one is of another sort and says nothing about the right one.
        start_counts: Whether a range that begins with the right value states it ("3 to 4 pm" for 3 pm); else a range
            is one of the ways to offer several values.

    Returns:
        The verdict, None where no mention bears on the right value.
    """
    if len(given) >= MOST_MENTIONS:
        return Match("unsure", "the answer mentions too many values")
    relations = [_best([relate(right, mention.value) for right in required]) for mention in given]
    pairs = [(mention, relation) for mention, relation in zip(given, relations, strict=True) if relation != "none"]
    if not pairs:
        return None
    hedged = _hedge(pairs)
    if hedged is not None:
        return hedged
    if len(required) > 1:
        return _decide_all([mention for mention, _ in pairs], required, relate)
    return _decide_one(pairs, start_counts=start_counts)


def _best(relations: Sequence[Relation]) -> Relation:
    order: tuple[Relation, ...] = ("same", "maybe", "other", "none")
    return min(relations, key=order.index)


def _hedge(pairs: Sequence[tuple[Mention[V], Relation]]) -> Match | None:
    """Return the verdict on an answer that offers several values to choose from, None where it does not."""
    standing = [pair for pair in pairs if pair[0].standing not in ("old", "denied")]
    for (_, before), (mention, relation) in pairwise(standing):
        if mention.link == "or" and {before, relation} != {"same"}:
            if "maybe" in (before, relation) and "other" not in (before, relation):
                return Match("unsure", "the answer offers several values that cannot be told apart")
            return Match("wrong", "the answer offers several values to choose from")
    return None


def _decide_one(pairs: Sequence[tuple[Mention[V], Relation]], *, start_counts: bool) -> Match:
    def relations(*standings: Standing) -> list[Relation]:
        return [relation for mention, relation in pairs if mention.standing in standings]

    new, holding, beside = relations("new"), relations("holds"), relations("beside")
    pool = new or holding
    if "same" in pool:
        if "other" not in pool:
            return Match("right", "the answer states the right value")
        return _decide_mixed(pairs, start_counts=start_counts)
    if "maybe" in pool:
        return Match("unsure", "the answer's value cannot be compared with the right one")
    if pool:
        if "same" in [*holding, *beside, *relations("doubted")] or "maybe" in holding:
            return Match("unsure", "the right value stands beside another one")
        return Match("wrong", "the answer states another value")
    return _decide_without_statement(relations("denied"), relations("old"), beside, relations("doubted"))


def _decide_without_statement(
    denied: Sequence[Relation], old: Sequence[Relation], beside: Sequence[Relation], doubted: Sequence[Relation]
) -> Match:
    if "same" in denied and "same" not in [*beside, *doubted, *old]:
        return Match("wrong", "the answer denies the right value")
    if "same" in beside and set(beside) == {"same"} and not doubted:
        return Match("right", "the answer names the right value")
    if "same" in [*old, *beside, *doubted] or "maybe" in [*old, *beside, *doubted]:
        return Match("unsure", "the answer does not say that the right value holds")
    return Match("wrong", "the answer states another value")


def _decide_mixed(pairs: Sequence[tuple[Mention[V], Relation]], *, start_counts: bool) -> Match:
    """Decide where the right value and another one both hold."""
    holding = [pair for pair in pairs if pair[0].standing in ("holds", "new")]
    ranges = [(before, after) for (_, before), (mention, after) in pairwise(holding) if mention.link == "range"]
    others = sum(relation == "other" for _, relation in holding)
    if others == len(ranges) and all(pair == ("same", "other") for pair in ranges):
        if start_counts:
            return Match("right", "the answer states the right value as the start of a range")
        return Match("wrong" if len(holding) == 2 else "unsure", "the answer states a range of values")
    return Match("unsure", "the answer states the right value and another one")


def _decide_all(given: Sequence[Mention[V]], required: Sequence[V], relate: Callable[[V, V], Relation]) -> Match:
    holding = [mention for mention in given if mention.standing in ("holds", "new", "beside")]
    table = [[relate(right, mention.value) for mention in holding] for right in required]
    missing = [row for row in table if "same" not in row]
    extra = [column for column in zip(*table, strict=True) if set(column) <= {"other"}]
    if not missing and not extra:
        return Match("right", "the answer states all right values")
    if any("maybe" in row for row in missing):
        return Match("unsure", "a value of the answer cannot be compared with a right one")
    if missing:
        return Match("wrong", f"the answer lacks {len(missing)} of {len(required)} values")
    return Match("unsure", "the answer states all right values and more")
