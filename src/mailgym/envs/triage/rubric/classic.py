"""The composite of document 003."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from mailgym.core.score import Part, Score
from mailgym.envs.triage.rubric.ranking import share_ranked, spearman
from mailgym.envs.triage.rubric.weights import WEIGHTS, Weights, beside, form_of
from mailgym.envs.triage.schema import EmailAction
from mailgym.envs.triage.tasks import Label, TriageKey
from mailgym.envs.triage.world import TriageFacts

ENOUGH_WORDS = 20
LENGTH_SHARE, KEYWORD_SHARE, FORM_SHARE = 0.3, 0.4, 0.3
GREETING = re.compile(r"^\W*(hi|hello|hey|dear|(good )?(morning|afternoon|evening|day)|greetings)\b", re.IGNORECASE)
SIGN_OFF = re.compile(
    r"\b(regards|sincerely|thanks|thank you|cheers|best|yours|love|hugs|see you|take care)\b[^\n]*(\n[^\n]*){0,3}\s*$",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class ClassicRubric:
    """Classification, ranking, action and response, weighted as in the document's table; in [0, 1].

    - *classification*, *action*: the share of the inbox's mails that are decided right; an undecided one is wrong.
    - *ranking*: (Spearman's correlation + 1) / 2, times the share of mails that were given a rank.
    - *response*: over the mails to respond to, the mean of .3 for 20 words or more, .4 times the share of the keywords
      mentioned, .3 for a greeting and a sign-off.

    Source: document 003, "How the Scoring Works". What it leaves open is defined here, and where it contradicts itself
    one side is taken:

    - The table's weights of the third task count, not its sentence "25% each".
    - The document does not say what becomes of mails without a rank. They stand in the middle, tied, and the ranking is
      scaled by the share of mails with a rank: so an order grows mail by mail, and none is worth 0.
    - A constant order has no correlation: it counts as 0, which is worth half of the ranking here.
    - "Getting the top 3 in the right order matters more": Spearman's correlation weighs all places alike, so this is
      not true of it. It is computed as it is; ``hardened`` has a correlation that favours the top.
    - A draft is needed wherever the right action is to respond; the document says "urgent ones".
    - Greeting and sign-off are asked for together: one of them alone is worth nothing.
    - "Reward between 0 and 1": a submission that makes the score worse has a negative reward, else going down and up
      again would pay.
    """

    tells_rewards: ClassVar[bool] = True

    def score(self, facts: TriageFacts, key: TriageKey) -> Score:
        """Return the score so far."""
        rows = beside(facts, key)
        weights = WEIGHTS[form_of(key)]
        given = [decision.priority if decision else None for _, decision in rows]
        right = [label.rank for label in key.labels]
        correlation = spearman(given, right)
        note = f"ranks given {given}, right {right}: correlation {correlation:.3f}"
        return Score(
            (
                _share("classification", [(label.category, d.category if d else None) for label, d in rows], weights),
                Part("ranking", (correlation + 1) / 2 * share_ranked(given), weights.ranking, note),
                _share("action", [(label.action, d.action if d else None) for label, d in rows], weights),
                *((_responses(rows, weights),) if weights.response else ()),
                *counts(facts),
            )
        )


def _share(name: str, pairs: Sequence[tuple[str, str | None]], weights: Weights) -> Part:
    """Return the share of mails that are decided right."""
    share = sum(right == said for right, said in pairs) / len(pairs)
    return Part(name, share, weights.of(name), f"right and said: {pairs}")


def _responses(rows: Sequence[tuple[Label, EmailAction | None]], weights: Weights) -> Part:
    """Return the mean worth of the drafts that are due; one that is missing is worth 0."""
    worth = [
        response_quality((decision and decision.response) or "", label.keywords)
        for label, decision in rows
        if label.needs_draft
    ]
    note = f"drafts due: {[round(value, 3) for value in worth]}"
    return Part("response", sum(worth) / len(worth) if worth else 0.0, weights.response, note)


def counts(facts: TriageFacts) -> tuple[Part, ...]:
    """Return what is counted and not rewarded."""
    return (
        Part("decided_share", len(facts.decisions) / max(1, len(facts.mails))),
        Part("submissions", float(facts.submissions)),
        Part("changed_decisions", float(facts.changed)),
    )


def response_quality(response: str, keywords: tuple[tuple[str, ...], ...]) -> float:
    """Return what a draft is worth by the document's three questions, in [0, 1].

    Args:
        response: The draft.
        keywords: Groups of alternatives; a group is mentioned when one of its words or phrases is in the draft, in any
            case, as whole words.
    """
    text = response.lower()
    mentioned = sum(any(re.search(rf"\b{re.escape(word.lower())}\b", text) for word in group) for group in keywords)
    share = mentioned / len(keywords) if keywords else float(bool(text.strip()))
    is_long = len(response.split()) >= ENOUGH_WORDS
    is_letter = GREETING.search(response) is not None and SIGN_OFF.search(response) is not None
    return LENGTH_SHARE * is_long + KEYWORD_SHARE * share + FORM_SHARE * is_letter
