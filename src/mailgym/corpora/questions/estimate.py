"""What making questions will come to, before any call is made."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from mailgym.core.episode import ChatMessage
from mailgym.corpora.questions.options import Options
from mailgym.corpora.questions.prompt import questions_prompt
from mailgym.corpora.questions.sample import Batch
from mailgym.corpora.questions.survey import Survey
from mailgym.corpora.questions.write import owner_line
from mailgym.llm.remote import Price

CHARS_PER_TOKEN = 4
DRAFTS_PER_BATCH = 4
KEPT_PER_BATCH = 2.5
JUDGED_SHARE = 0.1
DRAFT_TOKENS = 70
ANSWER_TOKENS = 15
VERDICT_TOKENS = 40
CHECK_TOKENS = 250
JUDGE_TOKENS = 400


@dataclass(frozen=True, slots=True)
class Estimate:
    """What is expected; the mails and the first calls are counted, all else is estimated.

    Attributes:
        mailboxes: Mailboxes that mails are taken of.
        mails: Mails that are shown to the model.
        batches: Batches that are made.
        calls: Calls that write questions (one a batch), check them (four a batch) and judge (one in ten of those).
        prompt_tokens: At four characters a token. completion_tokens: by what such answers usually take.
        cost_usd: None where no price is given.
    """

    mailboxes: int
    mails: int
    batches: int
    calls: int
    prompt_tokens: int
    completion_tokens: int
    cost_usd: float | None

    def to_json(self) -> dict[str, Any]:
        """Return it as plain data."""
        return asdict(self)


def estimate(
    surveyed: Survey, options: Options, done: frozenset[str], limit: int | None = None, price: Price | None = None
) -> Estimate:
    """Estimate what is left to do; no call is made.

    Args:
        surveyed: The store, looked over.
        options: How questions are made.
        done: Keys of batches that are made already.
        limit: Most questions to keep; two and a half a batch are expected.
        price: The model's price.
    """
    batches = [batch for batch in surveyed.batches if batch.key not in done]
    if limit is not None:
        batches = batches[: max(1, -(-limit // int(KEPT_PER_BATCH * 2)) * 2)]
    mails = sum(len(batch.message_ids) for batch in batches)
    written = sum(_prompt_chars(surveyed, batch, options) for batch in batches) // CHARS_PER_TOKEN
    checks = DRAFTS_PER_BATCH * len(batches)
    judged = round(JUDGED_SHARE * checks)
    mail_tokens = written // max(1, mails)
    read = written + checks * (CHECK_TOKENS + mail_tokens) + judged * JUDGE_TOKENS
    said = checks * (DRAFT_TOKENS + ANSWER_TOKENS) + judged * VERDICT_TOKENS
    return Estimate(
        mailboxes=len({batch.mailbox for batch in batches}),
        mails=mails,
        batches=len(batches),
        calls=len(batches) + checks + judged,
        prompt_tokens=read,
        completion_tokens=said,
        cost_usd=None if price is None else price.cost_usd(read, said),
    )


def _prompt_chars(surveyed: Survey, batch: Batch, options: Options) -> int:
    mailbox = surveyed.mailboxes[batch.mailbox]
    mails = [mailbox.read(message_id) for message_id in batch.message_ids]
    return _chars(questions_prompt(owner_line(mailbox), mails, options.max_chars))


def _chars(chat: Sequence[ChatMessage]) -> int:
    return sum(len(message.content) for message in chat)
