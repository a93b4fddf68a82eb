"""Questions about one mailbox, with their answer keys, as ``questions.jsonl`` in a store holds them."""

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from datetime import date
from pathlib import Path

from mailgym.core.errors import SourceError

QUESTIONS_FILE = "questions.jsonl"
ANSWER_TYPES = ("date", "time", "amount", "name", "count", "place", "yes_no", "text", "list", "unknown")


@dataclass(frozen=True, slots=True)
class Question:
    """One question that a mailbox's owner could ask.

    Attributes:
        id: Unique in its store.
        split: ``train``, ``validation`` or ``test``.
        mailbox: File name of the mailbox in the store, such as ``dana-whitfield.mailbox``.
        owner: Address of the one who asks.
        owner_name: Name of the one who asks.
        asked_on: The date on which it is asked; mail after the end of that day (UTC) does not exist for it.
        text: The question.
        message_ids: The mails that hold the answer: the answer key of ``find``.
        answer: A short checkable answer, None where the mail itself is the answer.
        kind: What makes it hard, one word: for breakdowns.
        template: What it was made from: statistics cluster by it.
        facts: Public facts an ideal searcher would use (search arguments as in the tool schema): the oracle's search.
        answer_type: What sort of thing the answer is, one of :data:`ANSWER_TYPES`; empty where it is not said, and for
            questions without an answer. A question that its mailbox does not answer has the type ``unknown``, the
            answer "I don't know" and no ``message_ids``.
    """

    id: str
    split: str
    mailbox: str
    owner: str
    owner_name: str
    asked_on: date
    text: str
    message_ids: tuple[str, ...]
    answer: str | None
    kind: str
    template: str
    facts: dict[str, object]
    answer_type: str = ""


def write_questions(store: Path, questions: Iterable[Question]) -> Path:
    """Write ``questions.jsonl`` into a store, replacing it whole."""
    path = store / QUESTIONS_FILE
    lines = [json.dumps({**asdict(q), "asked_on": q.asked_on.isoformat()}, ensure_ascii=False) for q in questions]
    temporary = path.with_suffix(".tmp")
    temporary.write_text("\n".join(lines) + "\n", encoding="utf-8")
    temporary.replace(path)
    return path


def read_questions(store: Path) -> list[Question]:
    """Read a store's questions.

    Raises:
        SourceError: There is no such file, or a line of it is not a question.
    """
    path = store / QUESTIONS_FILE
    if not path.exists():
        raise SourceError(f"{path} does not exist: make a store with  mailgym simulate --store {store}")
    questions = []
    for number, line in enumerate(path.read_bytes().rstrip(b"\n").split(b"\n"), 1):
        try:
            data = json.loads(line.decode("utf-8"))
            data["asked_on"] = date.fromisoformat(data["asked_on"])
            data["message_ids"] = tuple(data["message_ids"])
            questions.append(Question(**data))
        except (ValueError, TypeError, KeyError) as error:
            raise SourceError(f"{path} line {number} is not a question ({error}); make the store again") from error
    return questions
