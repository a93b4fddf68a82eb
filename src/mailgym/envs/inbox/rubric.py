"""What deciding an inbox is worth, as the document pays it (``classic``) and as it is learned from (``hardened``)."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field

from mailgym.core.score import Part, Score
from mailgym.envs.inbox.schema import FIELDS_OF_LEVEL
from mailgym.envs.inbox.tasks import InboxKey, Labels

FIELDS = FIELDS_OF_LEVEL[3]
WEIGHTS: dict[int, dict[str, float]] = {
    1: {"category": 1.0, "priority": 0.0, "department": 0.0, "action": 0.0},
    2: {"category": 0.6, "priority": 0.4, "department": 0.0, "action": 0.0},
    3: {"category": 0.3, "priority": 0.2, "department": 0.3, "action": 0.2},
}
NEAR: dict[frozenset[str], float] = {
    frozenset({"billing", "support"}): 0.5,
    frozenset({"sales", "internal"}): 0.35,
    frozenset({"support", "internal"}): 0.25,
    frozenset({"billing", "internal"}): 0.2,
    frozenset({"sales", "support"}): 0.15,
}
"""Share of the category's weight that a near category earns."""

FAR_CATEGORY = -0.2
URGENT_MISSED, SPAM_AS_IMPORTANT, IMPORTANT_AS_SPAM = 0.4, 0.3, 0.5
STEP_PRICE, TOOL_BONUS = 0.01, 0.05
WRONG, LOOK_UP_PRICE, BAD_CALL_PRICE, LOWEST = -0.5, 0.01, 0.05, -1.0


@dataclass(frozen=True, slots=True)
class Decided:
    """A mail that is behind.

    Attributes:
        given: The fields that were decided; None where it was left undecided.
        step_number: The step that left it behind, counted from 1.
        tool: The look-up named in the decision, where it asked about this mail; empty otherwise.
    """

    given: Mapping[str, str] | None
    step_number: int
    tool: str = ""


@dataclass(slots=True)
class InboxFacts:
    """What happened in an episode so far, without any label.

    Attributes:
        decided: The mails that are behind, in their order.
        steps: Steps so far.
        look_ups: Look-ups that were carried out.
        bad_calls: Actions that could not be carried out.
    """

    decided: list[Decided] = field(default_factory=list)
    steps: int = 0
    look_ups: int = 0
    bad_calls: int = 0


def dangers_of(given: Mapping[str, str], right: Labels) -> dict[str, float]:
    """Return the mistakes of a decision that cost more than others, by name, with what each costs."""
    said, dangers = given.get("category"), {}
    if right.priority == "high" and given.get("priority") != "high":
        dangers["urgent_missed"] = URGENT_MISSED
    if right.category == "spam" and said != "spam":
        dangers["spam_as_important"] = SPAM_AS_IMPORTANT
    if right.category != "spam" and said == "spam":
        dangers["important_as_spam"] = IMPORTANT_AS_SPAM
    return dangers


def near(said: str | None, right: str) -> float:
    """Return the share of the category's weight that a wrong category earns."""
    return NEAR.get(frozenset({said or "", right}), 0.0)


class InboxRubric(ABC):
    """What both profiles have in common: which fields are right, and the metrics."""

    def score(self, facts: InboxFacts, key: InboxKey) -> Score:
        """Return the score so far."""
        return Score((*self.parts(facts, key), *_metrics(facts, key)))

    @abstractmethod
    def parts(self, facts: InboxFacts, key: InboxKey) -> tuple[Part, ...]:
        """Return the parts that the reward is made of."""


class ClassicRubric(InboxRubric):
    """The document's reward: each mail in [0, 1], the episode's score their mean.

    A mail earns the weights of the fields that are right: category, priority, department and action
    1/0/0/0, 0.6/0.4/0/0 and 0.3/0.2/0.3/0.2 for tasks 1, 2 and 3. A near category earns a part of the category's
    weight, any other wrong one costs 0.2. In tasks 2 and 3 a high priority that was not seen costs 0.4, spam taken for
    something else 0.3, anything else taken for spam 0.5. The number of the step times 0.01 is taken off, 0.05 given
    for a look-up that fits, and the sum is brought into [0, 1].

    Source: document 002, and issue 6 for the numbers of its table. What they leave open, and how it is here:

    - The step's reward is a mail's divided by the number of mails, so that the rewards of an episode add up to the
      mean: a server that speaks the document's language multiplies by that number.
    - A look-up is used appropriately where it is the one that fits the mail and asks for something that the mail has in
      it, or for its sender.
    - A mail that is skipped, or left behind by an action that is none, earns 0, and no price is taken.
    - Urgent is what has high priority in the key. A priority that is not given is a wrong one.
    """

    def parts(self, facts: InboxFacts, key: InboxKey) -> tuple[Part, ...]:
        """Return the mails' rewards."""
        pairs = list(zip(facts.decided, key.right, strict=False))
        earned = [mail_reward(decided, right, key.level) for decided, right in pairs]
        note = "; ".join(f"{_said(decided)} for {right.category}" for decided, right in pairs)
        return (Part("mails", sum(earned), 1.0 / len(key.right), note and f"mail by mail: {note}"),)


def mail_reward(decided: Decided, right: Labels, level: int) -> float:
    """Return what one mail earns under ``classic``."""
    given = decided.given
    if given is None:
        return 0.0
    weights = WEIGHTS[level]
    earned = sum(weights[name] for name in FIELDS if given.get(name) == getattr(right, name))
    if given.get("category") != right.category:
        closeness = near(given.get("category"), right.category)
        earned += weights["category"] * closeness if closeness else FAR_CATEGORY
    if level > 1:
        earned -= sum(dangers_of(given, right).values())
    earned -= STEP_PRICE * decided.step_number
    if decided.tool and decided.tool == right.fitting_tool:
        earned += TOOL_BONUS
    return min(1.0, max(0.0, earned))


class HardenedRubric(InboxRubric):
    """The reward that is learned from: every field won or lost, and never clamped at 0.

    Each field that is asked for has the document's weight; right it earns all of it, wrong it costs half. A near
    category costs less: half of the weight times (1 - its share). The worst of a mail's dangerous mistakes is taken off
    as well, at the document's price. The episode's score is the mean over its mails, less 0.01 a look-up and 0.05 an
    action that is none, and never below -1.

    Source: document 002 in what it wants: mistakes that cost what they cost in life. Where it differs from
    :class:`ClassicRubric`, and why:

    - *A mistake costs.* Clamped at 0, a lost outage and a small slip are worth the same, and a constant answer earns a
      third of what the oracle does. Here a constant loses on average.
    - *The dangerous mistakes count in task 1 too*, and only the worst one of a mail, which keeps a mail within [-1, 1].
    - *No price on the step's number*: a mail is not worth less for standing later in the inbox. Steps that decide
      nothing have their own prices.
    - *A look-up earns nothing by itself.* It costs 0.01, and pays where what it says changes the right decision. In a
      decision (``use_tool``) it comes too late and costs the same.
    - *A wrong action costs 0.05* and can be mended; the document's API refuses it as a whole.
    """

    def parts(self, facts: InboxFacts, key: InboxKey) -> tuple[Part, ...]:
        """Return the fields, the dangers, the prices, and what the lowest reward gives back."""
        mails = len(key.right)
        pairs = [(d.given, right) for d, right in zip(facts.decided, key.right, strict=False) if d.given is not None]
        parts = [
            Part(name, sum(field_value(name, given, right) for given, right in pairs) / mails, weight)
            for name, weight in WEIGHTS[key.level].items()
            if weight
        ]
        worst = [max(dangers_of(given, right).values(), default=0.0) for given, right in _asked(pairs, key.level)]
        names = sorted({name for given, right in _asked(pairs, key.level) for name in dangers_of(given, right)})
        parts += [
            Part("dangerous", sum(worst) / mails, -1.0, ", ".join(names)),
            Part("look_ups", float(facts.look_ups), -LOOK_UP_PRICE),
            Part("bad_calls", float(facts.bad_calls), -BAD_CALL_PRICE),
        ]
        so_far = sum(part.weight * part.value for part in parts)
        return (*parts, Part("floor", max(0.0, LOWEST - so_far), 1.0))


def field_value(name: str, given: Mapping[str, str], right: Labels) -> float:
    """Return what a field of a decision is worth under ``hardened``, before its weight: from -0.5 to 1."""
    said, wanted = given.get(name), getattr(right, name)
    if said == wanted:
        return 1.0
    return WRONG * (1.0 - near(said, wanted)) if name == "category" else WRONG


def _asked(pairs: list[tuple[Mapping[str, str], Labels]], level: int) -> list[tuple[Mapping[str, str], Labels]]:
    """Return the decisions with a priority that nobody asked for taken as right: it cannot be missed."""
    if level > 1:
        return pairs
    return [({**given, "priority": right.priority}, right) for given, right in pairs]


def _metrics(facts: InboxFacts, key: InboxKey) -> tuple[Part, ...]:
    """Return shares of all mails of the episode, and counts; weight 0."""
    mails = len(key.right)
    pairs = list(zip(facts.decided, key.right, strict=False))
    parts = []
    wanted = FIELDS_OF_LEVEL[key.level]
    for name in wanted:
        right = sum(d.given is not None and d.given.get(name) == getattr(r, name) for d, r in pairs)
        parts.append(Part(f"{name}_right", right / mails))
    whole = sum(d.given is not None and all(d.given.get(n) == getattr(r, n) for n in wanted) for d, r in pairs)
    needing = [(d, r) for d, r in pairs if r.needs_tool]
    if needing:
        known = sum(d.given is not None and all(d.given.get(n) == getattr(r, n) for n in wanted) for d, r in needing)
        parts.append(Part("look_up_mails_right", known / len(needing)))
    skipped = sum(d.given is None for d in facts.decided)
    return (*parts, Part("all_right", whole / mails), Part("undecided", (mails - len(pairs) + skipped) / mails))


def _said(decided: Decided) -> str:
    return "nothing" if decided.given is None else decided.given.get("category", "nothing")
