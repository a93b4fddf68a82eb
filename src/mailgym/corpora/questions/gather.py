"""Makes questions of a store out of checked items: drops those asked twice, and gives each its key."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace

from mailgym.core.seeds import derive_seed
from mailgym.corpora.question import Question
from mailgym.corpora.questions.item import AMBIGUOUS, DUPLICATE, KEPT, OVER_LIMIT, Item
from mailgym.mail.mailbox import Mailbox
from mailgym.mail.terms import words_of
from mailgym.rubrics.answers import match_answer

_LITTLE_WORDS = frozenset(
    {"a", "an", "the", "did", "do", "does", "is", "are", "was", "were", "has", "have", "had", "will", "would", "please"}
)
_BARE_ANSWERS = frozenset({"yes", "no"})
KINDS = {1: "single", 2: "two_mails"}
KIND_OF_MORE = "aggregate"


@dataclass(frozen=True, slots=True)
class Placed:
    """An item and the file name of its mailbox."""

    item: Item
    mailbox: str


def question_id(source: str, mailbox: str, split: str, item: Item) -> str:
    """Return the id of a question; it tells nothing of its key.

    Args:
        source: Where it comes from: the same question out of another source is another one, and so a repeat.
        mailbox: File name of its mailbox.
        split: Its split.
        item: The question.
    """
    number = derive_seed(0, "questions", "id", source, mailbox, item.question, *item.message_ids)
    return f"{mailbox.rpartition('.')[0]}-{split}-{number:016x}"


def template_of(message_ids: Iterable[str]) -> str:
    """Return what questions about the same mails have in common, by which statistics cluster them."""
    return f"mails-{derive_seed(0, 'questions', 'template', *sorted(message_ids)):016x}"


def drop_repeats(placed: Iterable[Placed], existing: Iterable[Question], limit: int | None = None) -> list[Placed]:
    """Return the items with the fate of those that repeat others.

    The same words in one mailbox, order and little words aside, are the same question: of those with one answer the
    first is kept, of those with several none. The same mails with the same answer (yes and no aside) are asked about
    once. A question that the store has already is a repeat too.

    Args:
        placed: The items, in the order of their batches.
        existing: Questions that the store has already.
        limit: Most questions to keep.
    """
    result = list(placed)
    groups: dict[tuple[str, frozenset[str]], list[int]] = {}
    for number, one in enumerate(result):
        if one.item.fate == KEPT:
            groups.setdefault((one.mailbox, _words(one.item.question)), []).append(number)
    for numbers in groups.values():
        first = result[numbers[0]].item
        is_one = all(_is_same_answer(result[number].item, first) for number in numbers[1:])
        for number in numbers[1:] if is_one else numbers:
            result[number] = _ended(result[number], DUPLICATE if is_one else AMBIGUOUS)
    asked = {(one.mailbox, _words(one.text)) for one in existing if one.answer is not None}
    answered = {key for one in existing if (key := _answer_key(one.mailbox, one.message_ids, one.answer))}
    kept = 0
    for number, one in enumerate(result):
        if one.item.fate != KEPT:
            continue
        key = _answer_key(one.mailbox, one.item.message_ids, one.item.answer)
        if (one.mailbox, _words(one.item.question)) in asked or key in answered:
            result[number] = _ended(one, DUPLICATE)
        elif limit is not None and kept >= limit:
            result[number] = _ended(one, OVER_LIMIT)
        else:
            kept += 1
            if key is not None:
                answered.add(key)
    return result


def to_question(source: str, placed: Placed, mailbox: Mailbox, split: str) -> Question:
    """Return a kept item as a question of the store; what sort of answer it has is left to be read from it."""
    item = placed.item
    assert item.asked_on is not None
    return Question(
        id=question_id(source, placed.mailbox, split, item),
        split=split,
        mailbox=placed.mailbox,
        owner=mailbox.owner_addresses[0],
        owner_name=mailbox.owner_name,
        asked_on=item.asked_on,
        text=item.question,
        message_ids=item.message_ids,
        answer=item.answer,
        kind=KINDS.get(len(item.message_ids), KIND_OF_MORE),
        template=template_of(item.message_ids),
        facts=dict(item.facts),
    )


def with_new(existing: Iterable[Question], new: Collection[Question]) -> list[Question]:
    """Return a store's questions with new ones behind; one with the id of an older takes its place."""
    ids = {question.id for question in new}
    return [*(question for question in existing if question.id not in ids), *new]


def _ended(placed: Placed, fate: str) -> Placed:
    return replace(placed, item=placed.item.ends(fate))


def _words(question: str) -> frozenset[str]:
    return frozenset(words_of(question)) - _LITTLE_WORDS


def _is_same_answer(one: Item, other: Item) -> bool:
    if words_of(one.answer) == words_of(other.answer):
        return True
    return match_answer(one.answer, other.answer, "", other.question).verdict == "right"


def _answer_key(
    mailbox: str, message_ids: Iterable[str], answer: str | None
) -> tuple[str, frozenset[str], tuple[str, ...]] | None:
    words = tuple(words_of(answer or ""))
    if not words or (len(words) == 1 and words[0] in _BARE_ANSWERS):
        return None
    return mailbox, frozenset(message_ids), words
