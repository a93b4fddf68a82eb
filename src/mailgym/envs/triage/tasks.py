"""Inboxes to sort, and how each is sorted right: tasks, answer keys, and how both are loaded."""

from collections.abc import Collection
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from mailgym.core.episode import AnswerKey, Task
from mailgym.core.errors import UserError
from mailgym.envs.base import TaskSet
from mailgym.envs.drawn import draw
from mailgym.envs.triage.schema import Category, Form, MailAction

SPLITS = ("test", "validation", "train", "bank")
EPISODES = {"test": 240, "validation": 120, "train": 480}
"""Episodes of a generated split, a third of them of each form."""


@dataclass(frozen=True, slots=True)
class Mail:
    """One mail of an inbox.

    Attributes:
        email_id: ``e1``, ``e2``, … in the order of the inbox.
        sender_name: Empty where the sender gives none.
        sender_address: Their address.
        subject: The subject.
        received: When it came, as people write it.
        text: All of its text.
    """

    email_id: str
    sender_name: str
    sender_address: str
    subject: str
    received: str
    text: str

    @property
    def sender(self) -> str:
        """The sender as a mail's head has it."""
        return f"{self.sender_name} <{self.sender_address}>" if self.sender_name else self.sender_address


@dataclass(frozen=True, slots=True)
class TriageTask(Task):
    """What the agent may see: one inbox at one moment.

    Attributes:
        form: Which of the document's three tasks it is.
        owner_name: Whose inbox it is.
        owner: Their address.
        now: The moment, as people write it.
        mails: The mails, in the order of the inbox.
    """

    form: Form
    owner_name: str
    owner: str
    now: str
    mails: tuple[Mail, ...]


@dataclass(frozen=True, slots=True)
class Label:
    """How one mail is sorted right; the owner's side.

    Attributes:
        email_id: The mail.
        category: Its category.
        rank: 1 for the mail to handle first; mails that may be handled in either order share a rank.
        action: What is done with it.
        keywords: What a draft should mention, each a group of alternatives; empty where no draft is needed.
        asks: What a draft must settle: pairs of kind and accepted answers, as
            :class:`mailgym.rubrics.writing.asks.Ask` has them.
        draft: A draft that does; empty where none is needed.
    """

    email_id: str
    category: Category
    rank: int
    action: MailAction
    keywords: tuple[tuple[str, ...], ...] = ()
    asks: tuple[tuple[str, tuple[str, ...]], ...] = ()
    draft: str = ""

    @property
    def needs_draft(self) -> bool:
        """Whether an answer is to be written: wherever the right action is to respond."""
        return self.action == "respond"


@dataclass(frozen=True, slots=True)
class TriageKey(AnswerKey):
    """How an inbox is sorted right: one label a mail, in the order of the inbox."""

    labels: tuple[Label, ...]


Pair = tuple[TriageTask, TriageKey]


def load_tasks(source: Path, split: str, n: int | None = None, seed: int = 0) -> TaskSet[TriageTask, TriageKey]:
    """Load inboxes and their keys.

    Args:
        source: Nothing is read from it: the environment brings its own mail.
        split: ``test``, ``validation`` or ``train`` from the generator, or ``bank``: the three hand-written inboxes,
            whose ids are the document's task ids. Each is always the same, and no two share a book of mails.
        n: How many; all when None or when there are fewer.
        seed: Chooses among them; it does not change them.

    Raises:
        UserError: There is no such split.
    """
    return draw(source, split, pairs_of(split), n, seed)


@lru_cache(maxsize=len(SPLITS))
def pairs_of(split: str) -> tuple[Pair, ...]:
    """Return all tasks of a split with their keys.

    Raises:
        UserError: There is no such split.
    """
    from mailgym.envs.triage.bank import read_bank
    from mailgym.envs.triage.inboxes import make_inboxes

    if split not in SPLITS:
        raise UserError(f"no split {split!r} of triage: choose one of {', '.join(SPLITS)}")
    return read_bank() if split == "bank" else make_inboxes(split, EPISODES[split])


def secrets(key: TriageKey) -> Collection[str]:
    """Return a key's texts that nothing on the agent's side may show: template, drafts."""
    return {key.template, *(label.draft for label in key.labels if label.draft)}
