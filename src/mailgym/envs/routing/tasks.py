"""Tasks and answer keys of `routing`: which mails an episode has, and from which of the three tasks on it is played.

A split's templates come in threes, and an episode has the three mails of one of them, so that the three are one
cluster for statistics. Over its rounds every template stands in every place, with other people, companies and figures
each time. Most episodes start with the first task; one round in eight starts with the second, and one with the third.

The bank rotates as the document's pool does: episode ``k`` has its easy mail ``k mod 8``, its medium mail ``k mod 6``
and its hard mail ``k mod 6``.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from mailgym.core.episode import AnswerKey, Task
from mailgym.core.errors import UserError
from mailgym.core.seeds import stream
from mailgym.envs.base import TaskSet
from mailgym.envs.drawn import draw
from mailgym.envs.routing.mails import Owner, RightAnswer, WrittenMail, write_mail
from mailgym.envs.routing.phrasebook import BANK_OWNER, Trio, read_bank, read_phrasebook
from mailgym.envs.routing.schema import LEVELS, STARTS, levels_from

BANK = "bank"
SPLITS = ("test", "validation", "train", BANK)
ROUNDS = {"train": 24, "validation": 24, "test": 24}
"""How often the three templates of a trio make an episode; after 24 rounds each stood equally often in each place."""
PLACES = ((0, 1, 2), (0, 2, 1), (1, 2, 0), (2, 1, 0), (2, 0, 1), (1, 0, 2))
"""By round, which template is the easy, the medium and the hard mail; rotations and reflections by turns."""
START_OF_ROUND = (0, 0, 0, 1, 0, 0, 0, 2)
BANK_ROTATION = 24
"""Smallest number of episodes after which the bank's rotation begins anew."""


@dataclass(frozen=True, slots=True)
class RoutingTask(Task):
    """The mails of one episode, as the agent gets them.

    Attributes:
        start: The task that it starts with.
        emails: Raw text of each mail, headers first; one for each task that is played.
    """

    start: str
    emails: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RoutingKey(AnswerKey):
    """What is right for one episode.

    Attributes:
        right: For each mail, in order.
    """

    right: tuple[RightAnswer, ...]


Pair = tuple[RoutingTask, RoutingKey]


def load_tasks(source: Path, split: str, n: int | None = None, seed: int = 0) -> TaskSet[RoutingTask, RoutingKey]:
    """Load the episodes of a split.

    Args:
        source: Passed on; nothing is read from it.
        split: ``test``, ``validation``, ``train`` or ``bank``.
        n: How many to choose; all when None or when there are fewer.
        seed: Chooses which.

    Raises:
        UserError: There is no such split, or ``n`` is less than 1.
    """
    if split not in SPLITS:
        raise UserError(f"no split {split!r} of routing: choose one of {', '.join(SPLITS)}")
    return draw(source, split, _all_of(split), n, seed)


def secrets(key: RoutingKey) -> list[str]:
    """Return the texts of a key that nothing may show: the templates and the model answers."""
    written = [text for right in key.right for text in (right.summary, right.reply) if text]
    return [key.template, *(right.template for right in key.right), *written]


@lru_cache(maxsize=len(SPLITS))
def _all_of(split: str) -> tuple[Pair, ...]:
    return tuple(_bank() if split == BANK else _generated(split))


def _generated(split: str) -> Iterator[Pair]:
    book = read_phrasebook(split)
    for round_number in range(ROUNDS[split]):
        start = STARTS[START_OF_ROUND[round_number % len(START_OF_ROUND)]]
        places = PLACES[round_number % len(PLACES)]
        for trio_number, trio in enumerate(book.trios):
            number = round_number * len(book.trios) + trio_number
            owner = book.owners[stream(number, "routing owner", split).randrange(len(book.owners))]

            def make(place: int, trio: Trio = trio, number: int = number, owner: Owner = owner) -> WrittenMail:
                return write_mail(trio.mails[place], book.words, owner, stream(number, "routing mail", split, place))

            task_id = f"{start}:{split}-{number:03}"
            yield _episode(task_id, start, trio.id, owner.company, places, make)


def _bank() -> Iterator[Pair]:
    bank = {
        level: [write_mail(mail, {}, BANK_OWNER, stream(0, "routing bank")) for mail in mails]
        for level, mails in read_bank().items()
    }
    for start_number, start in enumerate(STARTS):
        seen: set[tuple[int, ...]] = set()
        for number in range(BANK_ROTATION):
            chosen = tuple(number % len(bank[level.difficulty]) for level in LEVELS)[start_number:]
            if chosen in seen:
                continue
            seen.add(chosen)
            mails = [bank[level.difficulty][place] for level, place in zip(levels_from(start), chosen, strict=True)]
            task_id = f"{start}:bank-{number:02}"
            template = "+".join(mail.right.template for mail in mails)
            yield _pair(task_id, start, template, BANK_OWNER.company, mails)


def _episode(
    task_id: str,
    start: str,
    template: str,
    mailbox: str,
    places: Sequence[int],
    make: Callable[[int], WrittenMail],
) -> Pair:
    mails = [make(place) for place in places[STARTS.index(start) :]]
    return _pair(task_id, start, template, mailbox, mails)


def _pair(task_id: str, start: str, template: str, mailbox: str, mails: Sequence[WrittenMail]) -> Pair:
    task = RoutingTask(task_id, start, tuple(mail.email for mail in mails))
    key = RoutingKey(task_id, template, mailbox, start, tuple(mail.right for mail in mails))
    return task, key
