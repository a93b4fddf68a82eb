"""Brings questions in from ART·E's dataset or a table like it, and hands a store's own out as one."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from mailgym.core.errors import SourceError, UnknownMessage, UserError
from mailgym.core.files import lines_written_whole
from mailgym.corpora.question import Question, write_questions
from mailgym.corpora.questions.gather import Placed, drop_repeats, question_id, to_question, with_new
from mailgym.corpora.questions.item import FATES, KEPT, Item
from mailgym.corpora.questions.journal import JOURNAL_FOLDER, kept_records, writing_questions
from mailgym.corpora.questions.options import SPLITS
from mailgym.corpora.questions.sift import search_facts
from mailgym.corpora.questions.survey import existing_questions, open_mailboxes
from mailgym.corpora.questions.table import Row, read_table, to_row, write_table
from mailgym.mail.mailbox import Mailbox

SOURCE = "imported"
NO_ROW = "not_a_question"
NO_MAILBOX = "no_such_mailbox"
NO_MESSAGE = "no_such_mail"
TOO_EARLY = "asked_before_its_mail"
NO_SOURCE = "cites_no_mail"
NO_SPLIT = "no_such_split"
ROW_FATES: dict[str, str] = {
    KEPT: FATES[KEPT],
    NO_ROW: "a row that is no question",
    NO_SPLIT: "a split that is none of train, validation and test",
    NO_MAILBOX: "about a mailbox that the store does not have",
    NO_SOURCE: "names no mail that answers it",
    NO_MESSAGE: "about a mail that is not in its mailbox",
    TOO_EARLY: "asked before the day of a mail that answers it",
    **{fate: text for fate, text in FATES.items() if fate in {"duplicate", "ambiguous", "over_limit"}},
}
"""What may become of a row, in the order in which it is tried, in words."""


@dataclass(frozen=True, slots=True)
class Imported:
    """What came of an import.

    Attributes:
        questions: The questions that the store has now.
        fates: What became of every row, in the order of ``ROW_FATES``.
        example: The first row that could not be read, and why; empty where all could.
    """

    questions: list[Question]
    fates: dict[str, int]
    example: str


def import_questions(file: Path, store: Path, *, split: str | None = None, limit: int | None = None) -> Imported:
    """Read a table of questions into a store; importing it again changes nothing.

    A question is kept where the store has its mailbox (one whose owner has the address), the mailbox has the mails, and
    the day on which it is asked comes not before theirs.

    Args:
        file: ART·E's dataset or a table with its columns, ``.parquet`` or ``.jsonl``.
        store: The folder of mailboxes.
        split: The split of all rows; None takes the table's own column, or the beginning of the file's name.
        limit: Most questions to keep.

    Raises:
        SourceError: The file cannot be read, or not one row of it is a question.
        UserError: There is no store, or nothing says which split it is.
        RunError: Another process writes the store's questions.
    """
    if split is not None and split not in SPLITS:
        raise UserError(f"no split {split!r}: choose one of {', '.join(SPLITS)}")
    by_name = next((name for name in SPLITS if file.name.lower().startswith(name)), None)
    reader = _Reader(file, split, by_name)
    mailboxes, _ = open_mailboxes(store)
    try:
        with writing_questions(store):
            existing = existing_questions(store)
            reader.read(mailboxes)
            own = {question_id(SOURCE, one.mailbox, into, one.item) for one, into in reader.placed}
            others = [question for question in existing if question.id not in own]
            sifted = drop_repeats([one for one, _ in reader.placed], others, limit)
            questions = [
                to_question(SOURCE, one, mailboxes[one.mailbox], into)
                for one, (_, into) in zip(sifted, reader.placed, strict=True)
                if one.item.fate == KEPT
            ]
            _keep(store, file, sifted)
            if questions:
                write_questions(store, with_new(existing, questions))
    finally:
        for mailbox in mailboxes.values():
            mailbox.close()
    found = reader.fates + Counter(one.item.fate for one in sifted)
    return Imported(questions, {fate: found[fate] for fate in ROW_FATES if found[fate] or fate == KEPT}, reader.example)


class _Reader:
    """Reads rows, and says of each that cannot be used why."""

    def __init__(self, file: Path, split: str | None, by_name: str | None) -> None:
        self._file = file
        self._split = split
        self._by_name = by_name
        self.placed: list[tuple[Placed, str]] = []
        self.fates: Counter[str] = Counter()
        self.example = ""

    def read(self, mailboxes: Mapping[str, Mailbox]) -> None:
        """Read all rows.

        Raises:
            SourceError: Not one of them is a question.
            UserError: Nothing says which split they are.
        """
        by_address = {
            address.lower(): name for name, mailbox in mailboxes.items() for address in mailbox.owner_addresses
        }
        read = 0
        for number, data in read_table(self._file):
            row = self._row(number, data)
            if row is None:
                self.fates[NO_ROW] += 1
                continue
            read += 1
            fate = self._place(row, mailboxes, by_address)
            if fate:
                self.fates[fate] += 1
        if not read:
            why = f" ({self.example})" if self.example else ""
            raise SourceError(f"{self._file} holds no question{why}: give a table with the columns of ART·E's dataset")

    def _row(self, number: int, data: Mapping[str, Any] | None) -> Row | None:
        try:
            return Row.model_validate(data)
        except ValidationError as error:
            first = error.errors(include_url=False, include_input=False)[0]
            where = ".".join(str(step) for step in first["loc"])
            self.example = self.example or f"row {number}: {where}: {first['msg']}".replace(": : ", ": ")
            return None

    def _place(self, row: Row, mailboxes: Mapping[str, Mailbox], by_address: Mapping[str, str]) -> str:
        """Take a row in; returns why not, empty where it was."""
        split = self._split or row.split or self._by_name
        if split is None:
            raise UserError(f"nothing says which split {self._file.name} is: add  --split train|validation|test")
        if split not in SPLITS:
            return NO_SPLIT
        name = by_address.get(row.inbox_address.strip().lower())
        if name is None:
            return NO_MAILBOX
        if not row.message_ids:
            return NO_SOURCE
        mailbox = mailboxes[name]
        try:
            mails = [mailbox.read(message_id) for message_id in row.message_ids]
        except UnknownMessage:
            return NO_MESSAGE
        if any(mail.date is None or mail.date.date() > row.query_date for mail in mails):
            return TOO_EARLY
        item = Item(
            question=row.question,
            answer=row.answer,
            message_ids=tuple(dict.fromkeys(mail.message_id for mail in mails)),
            how_realistic=row.how_realistic,
            asked_on=row.query_date,
            facts=search_facts(mails[0], row.question, mailbox.owner_addresses),
        )
        self.placed.append((Placed(item, name), split))
        return ""


def _keep(store: Path, file: Path, sifted: Iterable[Placed]) -> None:
    """Keep how realistic each imported question was said to be."""
    with lines_written_whole(store / JOURNAL_FOLDER / f"imported-{file.stem}.jsonl") as write:
        for one in sifted:
            if one.item.fate == KEPT and one.item.how_realistic is not None:
                write({"kind": "imported", "mailbox": one.mailbox, "item": one.item.to_json()})


def export_questions(store: Path, file: Path, split: str | None = None) -> int:
    """Write a store's questions with answers as a table with ART·E's columns; returns how many.

    ``how_realistic`` stands where a question was generated or imported with it, else it is empty.

    Raises:
        SourceError: The store has no questions.
        UserError: It has none with an answer in this split, or the file's name ends in no known form.
        MissingExtra: Parquet needs pyarrow, and it is not installed.
    """
    existing = existing_questions(store)
    if not existing:
        raise SourceError(f"{store} has no questions: make some with  mailgym questions generate --store {store}")
    wanted = [one for one in existing if one.answer is not None and split in (None, one.split)]
    if not wanted:
        where = f"of split {split} " if split else ""
        raise UserError(f"no question {where}in {store} has an answer: make some with  mailgym questions generate")
    realism = _realism(store)
    write_table(file, [to_row(number, one, realism.get(_trace(one))) for number, one in enumerate(wanted)])
    return len(wanted)


def _realism(store: Path) -> dict[tuple[str, ...], float | None]:
    """Return how realistic questions were said to be, by mailbox, words and mails."""
    known: dict[tuple[str, ...], float | None] = {}
    for record in kept_records(store):
        items = record["items"] if record.get("kind") == "batch" else [record["item"]] if "item" in record else []
        for item in map(Item.from_json, items):
            if item.fate == KEPT:
                known[(record["mailbox"], item.question, *item.message_ids)] = item.how_realistic
    return known


def _trace(question: Question) -> tuple[str, ...]:
    return (question.mailbox, question.text, *question.message_ids)
