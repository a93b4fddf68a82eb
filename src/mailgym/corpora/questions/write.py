"""Lets a model write questions about batches of mail, and sifts and checks them: one round of batches at a time."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from mailgym.core.episode import ChatMessage
from mailgym.core.seeds import derive_seed
from mailgym.corpora.questions.check import Claim, check_claims
from mailgym.corpora.questions.drafts import Drafts, read_drafts
from mailgym.corpora.questions.item import KEPT, Item
from mailgym.corpora.questions.meter import Metered
from mailgym.corpora.questions.options import Options
from mailgym.corpora.questions.prompt import again_prompt, questions_prompt
from mailgym.corpora.questions.sample import Batch
from mailgym.corpora.questions.sift import sift
from mailgym.llm.base import ChatRequest, Sampling
from mailgym.mail.mailbox import Mailbox
from mailgym.mail.message import Message

TRIES = 3
TEMPERATURE = 0.5


@dataclass(frozen=True, slots=True)
class Made:
    """What came of one batch.

    Attributes:
        items: Its questions, with what became of each.
        malformed: Items that could not be read, after every retry.
        note: What was wrong with those.
    """

    items: tuple[Item, ...]
    malformed: int = 0
    note: str = ""


def owner_line(mailbox: Mailbox) -> str:
    """Return a mailbox's owner as a prompt names them."""
    address = mailbox.owner_addresses[0]
    return f"{mailbox.owner_name} <{address}>" if mailbox.owner_name else address


def make_questions(
    batches: Sequence[Batch], mailboxes: Mapping[str, Mailbox], model: Metered, options: Options
) -> list[Made | None]:
    """Make and check the questions of some batches; all calls of one kind are made at once.

    Args:
        batches: The batches.
        mailboxes: The mailboxes by file name.
        model: The model that writes and checks.
        options: How.

    Returns:
        What came of each batch; None where a call failed, so that nothing is known of it.
    """
    mails = [[mailboxes[batch.mailbox].read(one) for one in batch.message_ids] for batch in batches]
    written = _write(batches, mails, mailboxes, model, options)
    sifted = [
        None
        if drafts is None
        else sift(drafts.drafts, shown, mailboxes[batch.mailbox].owner_addresses, options.min_realistic, options.seed)
        for batch, shown, drafts in zip(batches, mails, written, strict=True)
    ]
    _check(sifted, batches, mails, mailboxes, model, options)
    made: list[Made | None] = []
    for items, drafts in zip(sifted, written, strict=True):
        if items is None or drafts is None or any(not item.fate for item in items):
            made.append(None)
        else:
            made.append(Made(tuple(items), drafts.malformed, drafts.error if drafts.malformed else ""))
    return made


def _write(
    batches: Sequence[Batch],
    mails: Sequence[Sequence[Message]],
    mailboxes: Mapping[str, Mailbox],
    model: Metered,
    options: Options,
) -> list[Drafts | None]:
    """Ask for questions; an answer that does not fit the schema is asked for again, with what is wrong."""
    best: list[Drafts | None] = [None] * len(batches)
    asked: dict[int, tuple[ChatMessage, ...]] = {
        number: questions_prompt(owner_line(mailboxes[batch.mailbox]), shown, options.max_chars)
        for number, (batch, shown) in enumerate(zip(batches, mails, strict=True))
    }
    for attempt in range(TRIES):
        numbers = sorted(asked)
        requests = [
            ChatRequest(asked[number], seed=derive_seed(options.seed, "questions", batches[number].key, attempt))
            for number in numbers
        ]
        replies = model.chat(requests, Sampling(TEMPERATURE, options.max_tokens))
        for number, reply in zip(numbers, replies, strict=True):
            conversation = asked.pop(number)
            if reply.failure is not None:
                best[number] = None
                continue
            drafts, before = read_drafts(reply.text), best[number]
            if before is None or not drafts.error or len(drafts.drafts) > len(before.drafts):
                best[number] = drafts
            if drafts.error:
                asked[number] = again_prompt(conversation, reply.text, drafts.error)
    return best


def _check(
    sifted: Sequence[list[Item] | None],
    batches: Sequence[Batch],
    mails: Sequence[Sequence[Message]],
    mailboxes: Mapping[str, Mailbox],
    model: Metered,
    options: Options,
) -> None:
    """Check the items that are left, in place."""
    places: list[tuple[list[Item], int]] = []
    claims: list[Claim] = []
    for items, batch, shown in zip(sifted, batches, mails, strict=True):
        by_id = {mail.message_id: mail for mail in shown}
        owner = owner_line(mailboxes[batch.mailbox])
        for number, item in enumerate(items or ()):
            if item.fate == KEPT and items is not None:
                places.append((items, number))
                claims.append(Claim(item, owner, tuple(by_id[one] for one in item.message_ids)))
    checked = check_claims(claims, model, options.max_chars, options.max_tokens, options.seed)
    for (items, number), item in zip(places, checked, strict=True):
        items[number] = item
