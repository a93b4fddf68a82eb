"""Tasks and answer keys of `inbox`: a few mails of one inbox, its back office, and how each mail is to be decided."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from mailgym.core.episode import AnswerKey, Task
from mailgym.core.errors import UserError
from mailgym.envs.base import TaskSet
from mailgym.envs.drawn import draw
from mailgym.envs.inbox.office import Record

SPLITS = ("test", "validation", "train", "bank", "bank-alone")
MAILS_OF_LEVEL = {1: 3, 2: 4, 3: 5}


@dataclass(frozen=True, slots=True)
class Mail:
    """One mail as the agent sees it; the fields are the document's."""

    email_id: str
    subject: str
    sender: str
    email_text: str
    difficulty: str


@dataclass(frozen=True, slots=True)
class InboxTask(Task):
    """Agent's side.

    Attributes:
        level: The document's task number, 1 to 3: which fields are asked for.
        inbox: The address that the mails were sent to; it tells the company's own domain.
        mails: The mails in the order in which they are decided.
        records: The back office of the episode.
    """

    level: int
    inbox: str
    mails: tuple[Mail, ...]
    records: tuple[Record, ...]


@dataclass(frozen=True, slots=True)
class Labels:
    """How one mail is to be decided.

    Attributes:
        fitting_tool: The look-up that fits the mail; empty where none does.
        needs_tool: Whether the same mail would be decided otherwise if the back office said otherwise.
    """

    category: str
    priority: str
    department: str
    action: str
    fitting_tool: str = ""
    needs_tool: bool = False


@dataclass(frozen=True, slots=True)
class InboxKey(AnswerKey):
    """Owner's side.

    Attributes:
        level: The document's task number.
        right: How each mail is to be decided, in the order of the task's mails.
        sources: What each mail was made from: its id in the bank, or template and case.
        orders: What an order in each mail asks assistants for, as names of labels and what each is to be; empty for a
            mail without. The bank's mails have none.
    """

    level: int
    right: tuple[Labels, ...]
    sources: tuple[str, ...]
    orders: tuple[tuple[tuple[str, str], ...], ...] = ()


Pair = tuple[InboxTask, InboxKey]


def load_tasks(source: Path, split: str, n: int | None = None, seed: int = 0) -> TaskSet[InboxTask, InboxKey]:
    """Return the tasks of a split; the splits are the same whatever the source and the seed.

    ``bank`` holds the document's seeded episodes over 42 mails written by hand, ``bank-alone`` each of these mails as
    an episode of its own; ``train``, ``validation`` and ``test`` are generated, from templates that no two share.

    Args:
        source: Passed on; nothing is read from it.
        split: One of :data:`SPLITS`.
        n: How many; all when None or when there are fewer.
        seed: Chooses which.

    Raises:
        UserError: There is no such split, or ``n`` is less than 1.
    """
    return draw(source, split, pairs_of(split), n, seed)


def pairs_of(split: str) -> Sequence[Pair]:
    """Return all tasks of a split with their keys.

    Raises:
        UserError: There is no such split.
    """
    from mailgym.envs.inbox import bank

    if split == "bank":
        return bank.episodes()
    if split == "bank-alone":
        return bank.alone()
    if split in SPLITS:
        from mailgym.envs.inbox.generate import generate

        return generate(split)
    raise UserError(f"no split {split!r} in inbox: choose one of {', '.join(SPLITS)}")


def secrets(key: InboxKey) -> tuple[str, ...]:
    """Return what nothing on the agent's side may show: what the mails were made from."""
    return tuple(source for source in key.sources if "/" in source)
