"""Chooses the mails that questions are made from: short runs of neighbours, spread over the whole time of a mailbox.

A mailbox's mails are laid out by date and cut into as many stretches of equal count as there are batches; of each
stretch one run of neighbouring mails is drawn. So no time is left out, busy times give more, and a conversation's mails
often lie in one batch, which questions about several mails need.

Other than ART·E, which took the oldest mails of an inbox with 200 to 5,000 characters: mails of any length that say
something, over the whole time; what is longer than the prompt has room for is cut there, not left out.
"""

import hashlib
from collections import Counter
from dataclasses import dataclass
from datetime import datetime, timedelta

from mailgym.core.seeds import stream
from mailgym.mail.mailbox import Mailbox
from mailgym.mail.message import Message

LEAST_TEXT_CHARS = 40
LEAST_OWN_TEXT_CHARS = 200
CLOCK_SLACK = timedelta(days=3652)
_KEY_CHARS = 16


@dataclass(frozen=True, slots=True)
class Batch:
    """Mails that are shown to the model at once.

    Attributes:
        key: Tells it from all others; the same mails of the same mailbox have the same key.
        mailbox: File name of the mailbox.
        message_ids: The mails, oldest first.
    """

    key: str
    mailbox: str
    message_ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Sample:
    """What was chosen of one mailbox.

    Attributes:
        batches: The batches, oldest first.
        usable: Mails that could have been chosen.
        left_out: Mails that could not, by reason.
    """

    batches: tuple[Batch, ...]
    usable: int
    left_out: dict[str, int]

    @property
    def mails(self) -> int:
        """Mails chosen."""
        return sum(len(batch.message_ids) for batch in self.batches)


def shown_text(message: Message) -> str:
    """Return the text of a mail that is shown: what its author wrote, with what it quotes where that is little.

    Quotes of an answer are left out, since they stand in mails of their own; a mail that forwards another says
    little itself, and is shown whole.
    """
    own = message.new_text.strip()
    return own if len(own) >= LEAST_OWN_TEXT_CHARS or not message.quoted_text.strip() else message.text.strip()


def choose_batches(mailbox: Mailbox, mails_per_box: int, batch: int, seed: int) -> Sample:
    """Choose the batches of one mailbox.

    Left out are mails without a date, with a date more than ten years from the middle nine tenths of dates (a wrong
    clock), with next to no text, marked as spam or draft, or with the subject and text of an older one.

    Args:
        mailbox: The mailbox.
        mails_per_box: Most mails to choose.
        batch: Mails of a batch.
        seed: The same seed chooses the same mails of the same mailbox.
    """
    found, left_out = _usable(mailbox)
    total = min(mails_per_box, len(found))
    count = -(-total // batch)
    rng = stream(seed, "questions", "sample", mailbox.path.name)
    batches = []
    for number in range(count):
        size = total * (number + 1) // count - total * number // count
        first, end = len(found) * number // count, len(found) * (number + 1) // count
        start = rng.randint(first, max(first, end - size))
        batches.append(_batch(mailbox.path.name, tuple(found[start : min(start + size, end)])))
    return Sample(tuple(batches), len(found), dict(left_out))


def _batch(mailbox: str, message_ids: tuple[str, ...]) -> Batch:
    text = "\x1f".join((mailbox, *message_ids))
    return Batch(hashlib.sha256(text.encode()).hexdigest()[:_KEY_CHARS], mailbox, message_ids)


def _usable(mailbox: Mailbox) -> tuple[list[str], Counter[str]]:
    left_out: Counter[str] = Counter()
    dated: list[tuple[datetime, str]] = []
    seen: set[bytes] = set()
    for message in mailbox:
        reason = _unusable(message)
        digest = hashlib.sha256(f"{message.subject}\x1f{message.text}".encode("utf-8", "replace")).digest()
        if not reason and digest in seen:
            reason = "repeats an older mail"
        if reason or message.date is None:
            left_out[reason] += 1
            continue
        seen.add(digest)
        dated.append((message.date, message.message_id))
    if not dated:
        return [], left_out
    edge = max(1, len(dated) // 20) if len(dated) > 2 else 0
    low, high = dated[edge][0] - CLOCK_SLACK, dated[-1 - edge][0] + CLOCK_SLACK
    kept = [message_id for date, message_id in dated if low <= date <= high]
    if len(kept) < len(dated):
        left_out["wrong clock"] = len(dated) - len(kept)
    return kept, left_out


def _unusable(message: Message) -> str:
    if message.date is None:
        return "no date"
    if {"spam", "draft"} & set(message.flags):
        return "spam or draft"
    return "" if len(shown_text(message)) >= LEAST_TEXT_CHARS else "next to no text"
