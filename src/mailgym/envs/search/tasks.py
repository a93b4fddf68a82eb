"""Tasks and answer keys of mail search, read from the questions of a store."""

from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Any

from mailgym.core.episode import AnswerKey, Task
from mailgym.core.errors import UserError
from mailgym.core.seeds import stream
from mailgym.corpora.question import Question, read_questions
from mailgym.envs.base import TaskSet


@dataclass(frozen=True, slots=True)
class SearchTask(Task):
    """One question about one mailbox, asked by its owner on a day.

    Attributes:
        question: The question.
        owner: Address of the one who asks.
        owner_name: Name of the one who asks.
        asked_on: The day it is asked; later mail does not exist for the episode.
        mailbox: File name of the mailbox in the store.
    """

    question: str
    owner: str
    owner_name: str
    asked_on: date
    mailbox: str


@dataclass(frozen=True, slots=True)
class SearchKey(AnswerKey):
    """What is right for one question.

    Attributes:
        message_ids: The mails that hold the answer; any of them is right.
        answer: A short checkable answer, None where the mail itself is the answer.
        facts: The search that an ideal searcher would make, as arguments of ``search_emails``.
        question: The question, which an answer is matched against.
        answer_type: What sort of thing the answer is, as the question's record says.
        asked_on: The day it is asked, which "tomorrow" in an answer is read from.
    """

    message_ids: tuple[str, ...]
    answer: str | None = None
    facts: dict[str, Any] = field(default_factory=dict)
    question: str = ""
    answer_type: str = ""
    asked_on: date | None = None


def load_tasks(source: Path, split: str, n: int | None = None, seed: int = 0) -> TaskSet[SearchTask, SearchKey]:
    """Load the questions of one split of a store whose answer is the mail itself: those of ``find``.

    Args:
        source: The store's folder.
        split: ``train``, ``validation`` or ``test``.
        n: How many to choose; all of them when None or when there are fewer.
        seed: Chooses which; the order stays the file's, and the ids stay the questions'.

    Raises:
        SourceError: The store has no readable questions.
        UserError: The split has none of this sort, or ``n`` is less than 1.
    """
    return _load(source, split, n, seed, with_answers=False)


def load_answer_tasks(source: Path, split: str, n: int | None = None, seed: int = 0) -> TaskSet[SearchTask, SearchKey]:
    """Load the questions of one split of a store that have an answer: those of ``search``. See :func:`load_tasks`."""
    return _load(source, split, n, seed, with_answers=True)


def _load(source: Path, split: str, n: int | None, seed: int, *, with_answers: bool) -> TaskSet[SearchTask, SearchKey]:
    if n is not None and n < 1:
        raise UserError(f"{n} tasks: ask for at least 1")
    everything = read_questions(source)
    fitting = [question for question in everything if (question.answer is not None) == with_answers]
    questions = [question for question in fitting if question.split == split]
    if not questions:
        raise UserError(_nothing(source, split, everything, fitting, with_answers))
    if n is not None and n < len(questions):
        chosen = sorted(stream(seed, "tasks", split).sample(range(len(questions)), n))
        questions = [questions[index] for index in chosen]
    return task_set(source, split, questions)


def _nothing(source: Path, split: str, everything: list[Question], fitting: list[Question], with_answers: bool) -> str:
    """Say why a store has no questions of a split, and what to do."""
    if not fitting and everything:
        sort, others = ("search", "find") if with_answers else ("find", "search")
        make = (
            "make a store whose questions have answers (mailgym simulate --people 40, or mailgym questions generate)"
            if with_answers
            else f"choose {others}, or another store"
        )
        return f"no questions of {sort} in {source}: it has {len(everything)} of {others}; {make}"
    splits = ", ".join(sorted({question.split for question in fitting})) or "no split at all"
    return f"no questions of split {split!r} in {source}: it has {splits}"


def task_set(folder: Path, split: str, questions: list[Question]) -> TaskSet[SearchTask, SearchKey]:
    """Divide questions into the two sides.

    Raises:
        UserError: Two questions have the same id, or there are none.
    """
    tasks = {question.id: _task(question) for question in questions}
    if len(tasks) != len(questions):
        raise UserError(f"questions of split {split!r} in {folder} share an id: make the store again")
    return TaskSet(split, folder, tasks, {question.id: _key(question) for question in questions})


def _task(question: Question) -> SearchTask:
    return SearchTask(
        id=question.id,
        question=question.text,
        owner=question.owner,
        owner_name=question.owner_name,
        asked_on=question.asked_on,
        mailbox=question.mailbox,
    )


def _key(question: Question) -> SearchKey:
    return SearchKey(
        task_id=question.id,
        template=question.template,
        mailbox=question.mailbox,
        kind=question.kind,
        message_ids=tuple(bare_id(message_id) for message_id in question.message_ids),
        answer=question.answer,
        facts=dict(question.facts),
        question=question.text,
        answer_type=question.answer_type,
        asked_on=question.asked_on,
    )


def bare_id(message_id: str) -> str:
    """Return a message's id without the blanks and angle brackets it may be written with."""
    return message_id.strip().removeprefix("<").removesuffix(">")


def secrets(key: SearchKey) -> tuple[str, ...]:
    """Return what only a search may bring to light: the ids of the right mails, and what the question was made from."""
    return (*key.message_ids, key.template)
