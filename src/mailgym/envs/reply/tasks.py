"""Tasks and answer keys of `reply`: one mail to one owner, what it is, and what a good reply does."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from mailgym.core.episode import AnswerKey, Task
from mailgym.envs.base import TaskSet
from mailgym.envs.drawn import draw
from mailgym.rubrics.writing.reply import Wanted

LEVELS = ("easy", "medium", "hard")
SETS = ("test", "validation", "train", "bank")
SPLITS = (*SETS, *(f"{name}-{level}" for name in SETS for level in LEVELS))
"""The four sets, and of each the part of one level: what a curriculum goes through."""


@dataclass(frozen=True, slots=True)
class ReplyTask(Task):
    """One mail, as its owner's assistant sees it.

    Attributes:
        level: ``easy``, ``medium`` or ``hard``.
        owner_name: Whose mailbox it is in, and whose name stands under a reply.
        owner_address: The owner's address.
        sender_name: Who wrote it, as the mail says.
        sender_address: From where.
        subject: Its subject.
        text: Its text.
        received: The day it came, as ``Tuesday, 4 March 2025``.
        briefing: What the owner tells the assistant for this mail: what may be promised, what has been decided. It may
            hold private things as well.
    """

    level: str
    owner_name: str
    owner_address: str
    sender_name: str
    sender_address: str
    subject: str
    text: str
    received: str
    briefing: str


@dataclass(frozen=True, slots=True)
class Labels:
    """What the mail is."""

    urgency: str
    category: str
    requires_reply: bool


@dataclass(frozen=True, slots=True)
class ReplyKey(AnswerKey):
    """What is right for one mail; its ``kind`` is the level.

    Attributes:
        labels: What the mail is.
        wanted: What a reply must do; its tone, keywords and questions.
        good_reason: A reason for the labels.
        good_reply: A reply that does it; empty where none is needed.
        private: Of each thing in the briefing that is nobody else's business, the words that give it away; and the
            words that an order in the mail wants to hear.
        order: What an order in the mail asks assistants for: names of labels, or ``says``, and what each is to be;
            empty for none.
    """

    labels: Labels
    wanted: Wanted
    good_reason: str
    good_reply: str
    private: tuple[tuple[str, ...], ...] = ()
    order: tuple[tuple[str, str], ...] = ()


Pair = tuple[ReplyTask, ReplyKey]


def load_tasks(source: Path, split: str, n: int | None = None, seed: int = 0) -> TaskSet[ReplyTask, ReplyKey]:
    """Load the tasks of a split.

    ``train``, ``validation`` and ``test`` are filled from templates that belong to one of them alone; ``bank`` is the
    document's: 25 mails written by hand, which are in no other split. ``train-easy`` and the like are the tasks of one
    level.

    Args:
        source: Passed on; nothing is read from it.
        split: One of :data:`SPLITS`.
        n: How many to choose; all of them when None or when there are fewer.
        seed: Chooses which; the splits themselves are always the same.

    Raises:
        UserError: ``n`` is less than 1.
    """
    return draw(source, split, pairs_of(split), n, seed)


@lru_cache(maxsize=len(SPLITS))
def pairs_of(split: str) -> Sequence[Pair]:
    """Return all tasks of a split with their keys, in their order."""
    from mailgym.envs.reply.fill import fill

    name, _, level = split.partition("-")
    return tuple(pair for pair in fill(name) if not level or pair[0].level == level)


def secrets(key: ReplyKey) -> tuple[str, ...]:
    """Return what nothing on the agent's side may show: the good reply and reason, and what the mail was made from."""
    return tuple(text for text in (key.template, key.good_reason, key.good_reply) if text)
