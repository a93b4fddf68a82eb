"""The reward of the document: forms and keywords.

Source: document 004, "Reward Evaluation", as issue 5 gives it:
clip(0.01 + label + summary + reply + department, 0.01, 0.99).

Deviations and readings:

- The episode's score is the mean over its mails, so that a step's reward here is the document's divided by the number
  of mails in the episode; a server multiplies it back.
- The table names a task for the department alone. Summary and reply are therefore paid for in the easy task as well,
  though its instruction asks for neither.
- The easy task has no keywords, and spam has none anywhere: any reply earns 0.10 there, a reply to spam included.
- The document's "maximum 0.99" adds up to 1.01; the clip makes it 0.99.
- A keyword is found as a part of the reply in any case of letters; where a keyword has alternatives, any of them.
- A skipped mail, and a wrong action (which the document's server refuses before it is scored), earn the floor of 0.01.
"""

from mailgym.core.score import Score
from mailgym.envs.routing.mails import RightAnswer
from mailgym.envs.routing.rubric.parts import Worth, score_of
from mailgym.envs.routing.schema import Level, Triage
from mailgym.envs.routing.tasks import RoutingKey
from mailgym.envs.routing.world import RoutingFacts

BASE, FLOOR, CEILING = 0.01, 0.01, 0.99
LABEL, CONFUSED, SUMMARY, REPLY, ANY_REPLY, DEPARTMENT = 0.50, 0.10, 0.20, 0.20, 0.10, 0.10
CONFUSABLE = {"work", "urgent"}
SHORTEST_SUMMARY_CHARS = 11


class ClassicRubric:
    """Scores an episode as the document does."""

    def score(self, facts: RoutingFacts, key: RoutingKey) -> Score:
        """Return the score so far; see :func:`~mailgym.envs.routing.rubric.parts.score_of` for its parts."""
        worths = [
            worth_of(handled.decision, level, right)
            for handled, level, right in zip(facts.handled, facts.levels, key.right, strict=False)
        ]
        return score_of(facts.levels, worths, facts.bad_calls, bad_call_price=0.0)


def worth_of(decision: Triage | None, level: Level, right: RightAnswer) -> Worth:
    """Return what the document pays for one mail; None is a mail that nothing was decided about."""
    if decision is None:
        return Worth(FLOOR, {"label": 0.0}, {"label": f"nothing said, is {right.label}"})
    label = LABEL if decision.label == right.label else 0.0
    if not label and {decision.label, right.label} == CONFUSABLE:
        label = CONFUSED
    summary = SUMMARY if len(decision.summary) >= SHORTEST_SUMMARY_CHARS else 0.0
    keywords = right.wanted.keywords if level.writes and right.label != "spam" else ()
    hits = _hit_rate(decision.reply, keywords)
    reply = REPLY * hits if keywords else ANY_REPLY * bool(decision.reply)
    routed = level.routes and decision.department == right.department
    total = BASE + label + summary + reply + DEPARTMENT * routed
    measured = {"label": float(decision.label == right.label), "summary": float(bool(summary))}
    measured["reply"] = hits if keywords else float(bool(decision.reply))
    if level.routes:
        measured["department"] = float(routed)
    notes = {
        "label": f"said {decision.label}, is {right.label}",
        "reply": f"{hits:.2f} of {len(keywords)} keywords" if keywords else "no keywords are given",
        "department": f"said {decision.department}, is {right.department}",
    }
    return Worth(min(CEILING, max(FLOOR, total)), measured, notes)


def _hit_rate(reply: str, keywords: tuple[tuple[str, ...], ...]) -> float:
    text = reply.lower()
    hits = sum(any(word.lower() in text for word in group) for group in keywords)
    return hits / len(keywords) if keywords else 0.0
