"""The composite that constants, templates and resubmissions cannot farm."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import ClassVar, get_args

from mailgym.core.score import Part, Score
from mailgym.envs.triage.rubric.classic import counts
from mailgym.envs.triage.rubric.ranking import share_ranked, top_weighted
from mailgym.envs.triage.rubric.weights import COMPONENTS, WEIGHTS, beside, form_of
from mailgym.envs.triage.schema import EmailAction
from mailgym.envs.triage.tasks import Label, Mail, TriageKey
from mailgym.envs.triage.world import TriageFacts
from mailgym.rubrics.writing.mail import MailFacts
from mailgym.rubrics.writing.reply import Ask, AskKind, Wanted, read_reply

BAD_CALL = 0.05
NEEDLESS_DRAFT = 0.5


@dataclass(frozen=True, slots=True)
class HardenedRubric:
    """The document's components, each centred so that guessing is worth 0; paid once, at the end; in [-1, 1].

    - *classification*, *action*: balanced over the labels that the inbox has, and centred. With k labels in the inbox,
      c of its mails having the right one of a mail, this mail's decision is worth 1 / (k · c) when it is right, and
      minus 1 / (k - 1) of that when it is wrong; an undecided mail is worth 0. All right gives 1; the same label for
      every mail gives 0 or less, whatever the inbox holds.
    - *ranking*: a rank correlation that favours the top (weighted tau), times the share of mails with a rank. All
      equal, or any order that does not depend on the mails, gives 0 on average.
    - *response*: over the mails to respond to, the mean quality of the drafts by the criteria that all writing shares
      (:func:`mailgym.rubrics.writing.reply.read_reply`). A draft counts where the decision is to respond. One for a
      mail that is due no answer costs half of what the best draft earns.
    - A call that cannot be carried out costs 0.05, at once.

    Source: document 003 in its components and weights. Where it differs from
    :class:`~mailgym.envs.triage.rubric.classic.ClassicRubric`, and why:

    - *Nothing is told before the end.* The gain of each resubmission tells what was right in it: with it every label
      can be read off, one change at a time. So no reward, no feedback on the score, and no end at a perfect one.
    - *Shares of right labels are centred*: the most frequent category of an inbox is worth nothing by itself.
    - *The ranking favours the top* and is not mapped to [0, 1], where a constant order would have half of it.
    - *Drafts must answer*: the document's three questions pay .6 for twenty words between a greeting and a sign-off.
    """

    tells_rewards: ClassVar[bool] = False

    def score(self, facts: TriageFacts, key: TriageKey) -> Score:
        """Return the score so far: before the end, the price of bad calls alone."""
        weights = WEIGHTS[form_of(key)]
        price = Part("bad_calls", float(facts.bad_calls), -BAD_CALL)
        if not facts.ended:
            names = [name for name in COMPONENTS if weights.of(name)]
            waiting = (Part(name, 0.0, weights.of(name), "paid at the end") for name in names)
            return Score((*waiting, price, *counts(facts)))
        rows = beside(facts, key)
        categories = [(label.category, decision.category if decision else None) for label, decision in rows]
        actions = [(label.action, decision.action if decision else None) for label, decision in rows]
        return Score(
            (
                Part("classification", balanced(categories), weights.classification, f"right and said: {categories}"),
                _ranking(rows, weights.ranking),
                Part("action", balanced(actions), weights.action, f"right and said: {actions}"),
                *((_responses(facts, rows, weights.response),) if weights.response else ()),
                price,
                Part("accuracy", sum(right == said for right, said in categories) / len(rows)),
                Part("action_accuracy", sum(right == said for right, said in actions) / len(rows)),
                *counts(facts),
            )
        )


def balanced(pairs: Sequence[tuple[str, str | None]]) -> float:
    """Return how many labels are right, balanced over the right labels and centred: 1 for all, 0 for a constant.

    Args:
        pairs: The right label and what was said, None for nothing.

    Returns:
        Between minus 1 / (k - 1), with k different right labels, and 1; where all right labels are the same, their
        share, since there is nothing to tell apart.
    """
    found = Counter(right for right, _ in pairs)
    k = len(found)
    if k == 1:
        return sum(right == said for right, said in pairs) / len(pairs)
    wrong = -1 / (k - 1)
    return sum((1.0 if said == right else wrong) / (k * found[right]) for right, said in pairs if said is not None)


def _ranking(rows: Sequence[tuple[Label, EmailAction | None]], weight: float) -> Part:
    given = [decision.priority if decision else None for _, decision in rows]
    right = [label.rank for label, _ in rows]
    correlation = top_weighted(given, right)
    note = f"ranks given {given}, right {right}: weighted tau {correlation:.3f}"
    return Part("ranking", correlation * share_ranked(given), weight, note)


def _responses(facts: TriageFacts, rows: Sequence[tuple[Label, EmailAction | None]], weight: float) -> Part:
    """Return the worth of all drafts, divided by how many are due."""
    worth: dict[str, float] = {}
    mails = {mail.email_id: mail for mail in facts.mails}
    due = sum(label.needs_draft for label, _ in rows)
    for label, decision in rows:
        text = decision.response if decision and decision.action == "respond" and decision.response else ""
        if text.strip():
            mail = mails[label.email_id]
            quality = draft_quality(text, mail, facts.owner_name, label) if label.needs_draft else -NEEDLESS_DRAFT
            worth[label.email_id] = quality
    note = ", ".join(f"{name} {value:.2f}" for name, value in worth.items()) or "none written"
    return Part("response", max(-1.0, sum(worth.values()) / max(1, due)), weight, f"{due} drafts due; {note}")


def draft_quality(text: str, mail: Mail, owner_name: str, label: Label) -> float:
    """Return how good a draft is as an answer to a mail, in [0, 1].

    Where the owner may say yes or no (``yes_no`` accepts both), the draft has to say one of the two.
    """
    sent = MailFacts(mail.sender_name, mail.sender_address, owner_name, mail.subject, mail.text)
    choices = [[(kind, (answer,)) for answer in accepted] for kind, accepted in label.asks if kind == "yes_no"]
    others = [(kind, accepted) for kind, accepted in label.asks if kind != "yes_no"]
    return max(
        read_reply(text, sent, Wanted(True, label.keywords, _asks([*others, *chosen]))).quality
        for chosen in product(*choices)
    )


def _asks(asks: Sequence[tuple[str, tuple[str, ...]]]) -> tuple[Ask, ...]:
    kinds: Mapping[str, AskKind] = {kind: kind for kind in get_args(AskKind)}
    return tuple(Ask(kinds[kind], accepted) for kind, accepted in asks)
