"""Answers each question again from the mails that it cites alone, and drops those whose two answers differ.

The deterministic matcher compares the answers: ``right`` keeps the question, ``wrong`` drops it. Where it is unsure,
the judge decides (a third call, by the same model); what the judge cannot tell either is dropped as undecided. A
question is never kept unchecked, and a call that failed is no verdict.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from mailgym.core.seeds import derive_seed
from mailgym.corpora.questions.item import DISAGREEMENT, NOT_ANSWERABLE, UNDECIDED, Item
from mailgym.corpora.questions.meter import Metered
from mailgym.corpora.questions.prompt import answer_prompt
from mailgym.llm.base import ChatRequest, Sampling
from mailgym.mail.message import Message
from mailgym.rubrics.answers import is_dont_know, match_answer

MOST_NOTE_CHARS = 200


@dataclass(frozen=True, slots=True)
class Claim:
    """A question with what is needed to check it.

    Attributes:
        item: The question, with the day on which it is asked.
        owner: Name and address of the one who asks.
        mails: The mails that it cites.
    """

    item: Item
    owner: str
    mails: tuple[Message, ...]


def check_claims(claims: Sequence[Claim], model: Metered, max_chars: int, max_tokens: int, seed: int) -> list[Item]:
    """Check questions; an item whose calls failed comes back with an empty fate.

    Args:
        claims: The questions.
        model: The model that answers and judges.
        max_chars: Characters of each mail that are shown.
        max_tokens: Tokens of one answer.
        seed: Seed of the calls.
    """
    requests = [
        ChatRequest(
            answer_prompt(claim.owner, claim.item.question, claim.item.asked_on, claim.mails, max_chars),
            seed=derive_seed(seed, "questions", "check", claim.item.question),
        )
        for claim in claims
        if claim.item.asked_on is not None
    ]
    replies = model.chat(requests, Sampling(temperature=0.0, max_tokens=max_tokens))
    checked: list[Item] = []
    unsure: list[tuple[int, str]] = []
    for number, (claim, reply) in enumerate(zip(claims, replies, strict=True)):
        if reply.failure is not None:
            checked.append(claim.item.ends("", reply.failure.message))
            continue
        given = reply.text.strip()
        verdict, item = _compare(claim.item, given)
        if verdict == "unsure":
            unsure.append((number, given))
        checked.append(item)
    if unsure:
        _judge(checked, unsure, model)
    return checked


def _compare(item: Item, given: str) -> tuple[str, Item]:
    shown = given[:MOST_NOTE_CHARS]
    if not given:
        return "wrong", item.ends(UNDECIDED, "the second answer is empty")
    if is_dont_know(given):
        return "wrong", item.ends(NOT_ANSWERABLE, shown)
    match = match_answer(given, item.answer, "", item.question)
    if match.verdict == "wrong":
        return match.verdict, item.ends(DISAGREEMENT, f"{shown} ({match.note})")
    return match.verdict, item


def _judge(checked: list[Item], unsure: Sequence[tuple[int, str]], model: Metered) -> None:
    """Let the judge decide on those that the matcher was unsure of."""
    from mailgym.rubrics.judge import Case, Judge

    cases = [Case(checked[number].question, checked[number].answer, given, "") for number, given in unsure]
    failed_before = model.usage.failed
    verdicts = Judge(model, None).grade(cases)
    has_failed = model.usage.failed > failed_before
    for (number, given), verdict in zip(unsure, verdicts, strict=True):
        item = checked[number]
        if verdict.is_right is None:
            checked[number] = item.ends("" if has_failed else UNDECIDED, verdict.failure[:MOST_NOTE_CHARS])
        elif not verdict.is_right:
            note = f"{given[:MOST_NOTE_CHARS]} ({verdict.reason[:MOST_NOTE_CHARS]})"
            checked[number] = item.ends(DISAGREEMENT, note)
