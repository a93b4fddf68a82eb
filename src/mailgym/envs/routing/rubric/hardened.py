"""The reward that form does not farm: labels that a constant answer earns nothing by, texts that are read.

Source: document 004's order of worth (label first, then summary and reply, then department); the amounts and all of
what follows are mailgym's own.

Deviations from the document:

- The right label earns, and a wrong one costs: summed over the four labels, every constant answer is worth exactly 0.
  What a label said stands to earn, it stands to lose: a third of it for each other label, except that ``work`` and
  ``urgent`` taken for one another cost a fifth and their two other confusions two fifths. The document pays 0.10 for
  that confusion.
- What follows from a label by itself is part of the label's worth. Spam gets no reply and no department: both weights
  stand with its label, and a reply to spam, or a department for it, takes them back. Personal mail gets no department
  in the same way. To throw a real mail away as spam therefore costs most.
- Summary, reply and department count only where the label is right.
- The summary is worth what :func:`~mailgym.rubrics.writing.summary.read_summary` makes of it, not 0.20 for eleven
  characters. The reply is worth what :func:`~mailgym.rubrics.writing.reply.read_reply` makes of it, not its keywords.
- The easy task asks for the label, and nothing else is scored there.
- A skipped mail is worth 0, and so is a mail that the episode did not come to. A wrong action costs 0.05 and can be
  mended while turns last.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from mailgym.core.score import Score
from mailgym.envs.routing.mails import RightAnswer
from mailgym.envs.routing.rubric.parts import Worth, score_of
from mailgym.envs.routing.schema import LABELS, UNROUTED, Label, Level, Triage
from mailgym.envs.routing.tasks import RoutingKey
from mailgym.envs.routing.world import RoutingFacts
from mailgym.rubrics.writing.mail import MailFacts
from mailgym.rubrics.writing.reply import ReplyReading, Wanted, read_reply
from mailgym.rubrics.writing.summary import SummaryReading, read_summary

BAD_CALL = 0.05
CONFUSABLE = ("work", "urgent")
NEAR_SHARE, FAR_SHARE, OTHER_SHARE = 0.2, 0.4, 1 / 3


@dataclass(frozen=True, slots=True)
class Weights:
    """What the components of one mail are worth; they add up to 1."""

    label: float
    department: float
    summary: float
    reply: float


WEIGHTS: Mapping[str, Weights] = {
    "easy": Weights(label=1.0, department=0.0, summary=0.0, reply=0.0),
    "medium": Weights(label=0.5, department=0.0, summary=0.2, reply=0.3),
    "hard": Weights(label=0.4, department=0.15, summary=0.2, reply=0.25),
}


class HardenedRubric:
    """Scores an episode by what its decisions and texts are worth to the owner of the mail."""

    def score(self, facts: RoutingFacts, key: RoutingKey) -> Score:
        """Return the score so far; see :func:`~mailgym.envs.routing.rubric.parts.score_of` for its parts."""
        worths = [
            worth_of(handled.decision, level, right)
            for handled, level, right in zip(facts.handled, facts.levels, key.right, strict=False)
        ]
        return score_of(facts.levels, worths, facts.bad_calls, BAD_CALL)


def label_worth(label: Label, weights: Weights) -> float:
    """Return what a right label earns: its own weight, and those of what follows from it by itself."""
    return weights.label + weights.reply * (label == "spam") + weights.department * (label in UNROUTED)


def confusion_cost(said: Label, right: Label, weights: Weights) -> float:
    """Return what a wrong label costs; over the three wrong cases it adds up to what the label earns when right."""
    near_and_far = (NEAR_SHARE, FAR_SHARE) if said in CONFUSABLE else (OTHER_SHARE, OTHER_SHARE)
    return near_and_far[right not in CONFUSABLE] * label_worth(said, weights)


def worth_of(decision: Triage | None, level: Level, right: RightAnswer) -> Worth:
    """Return what one mail is worth; None is a mail that nothing was decided about."""
    weights = WEIGHTS[level.difficulty]
    said = decision.label if decision is not None else None
    is_right = said == right.label
    notes = {"label": f"said {said or 'nothing'}, is {right.label}"}
    measured = {"label": float(is_right)}
    if not level.writes:
        reward = 0.0 if said is None else _label_alone(said, right.label, weights)
        return Worth(reward, measured, notes)
    measured |= {"summary": 0.0, "reply": 0.0} | ({"department": 0.0} if level.routes else {})
    if decision is None:
        return Worth(0.0, measured, notes)
    summary = _summary(decision.summary, right.mail, right.facts)
    reply = _reply(decision.reply, right.mail, right.wanted)
    routed = decision.department == right.department
    measured |= {"summary": summary.quality, "reply": reply.quality}
    measured |= {"department": float(routed)} if level.routes else {}
    notes |= {"summary": _told(summary.notes), "reply": _told(reply.notes)}
    notes["department"] = f"said {decision.department}, is {right.department}"
    reward = _label_alone(decision.label, right.label, weights)
    if is_right:
        reward += weights.summary * summary.quality
        reward += weights.reply * (reply.quality - 1.0 if right.label == "spam" else reply.quality)
        reward += weights.department * (routed - 1.0 if right.label in UNROUTED else float(routed))
    return Worth(reward, measured, notes)


def _label_alone(said: Label, right: Label, weights: Weights) -> float:
    return label_worth(said, weights) if said == right else -confusion_cost(said, right, weights)


def _told(notes: Mapping[str, str]) -> str:
    return "; ".join(f"{name}: {note}" for name, note in notes.items())


@lru_cache(maxsize=4_096)
def _summary(text: str, mail: MailFacts, facts: tuple[tuple[str, ...], ...]) -> SummaryReading:
    return read_summary(text, mail, facts)


@lru_cache(maxsize=4_096)
def _reply(text: str, mail: MailFacts, wanted: Wanted) -> ReplyReading:
    return read_reply(text, mail, wanted)


assert all(abs(sum((w.label, w.department, w.summary, w.reply)) - 1.0) < 1e-9 for w in WEIGHTS.values())
assert set(CONFUSABLE) < set(LABELS)
