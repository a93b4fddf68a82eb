"""Reads and writes questions as tables with the columns of ART·E's dataset, as JSONL or Parquet.

Source: the dataset ``corbt/enron_emails_sample_questions``: id (32 bits), question, answer, message_ids (a list, in
angle brackets), how_realistic (a 32-bit number), inbox_address and query_date (``YYYY-MM-DD``). Its splits are files,
not a column; where a table has a column ``split`` all the same, it is read.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field

from mailgym.core.errors import MissingExtra, SourceError, UserError
from mailgym.core.files import lines_written_whole
from mailgym.corpora.question import Question
from mailgym.corpora.questions.drafts import Line

COLUMNS = ("id", "question", "answer", "message_ids", "how_realistic", "inbox_address", "query_date")
FORMS = (".jsonl", ".parquet")
_ROWS_AT_ONCE = 1000


def _day(value: Any) -> Any:
    return value[:10] if isinstance(value, str) else value.date() if hasattr(value, "date") else value


def _rounded(value: float | None) -> float | None:
    """Undo what 32 bits make of a decimal number."""
    return None if value is None else round(value, 6)


class Row(BaseModel):
    """One row of such a table.

    Attributes:
        id: The row's number there.
        question: The question.
        answer: Its answer.
        message_ids: The mails that hold it, with or without angle brackets.
        how_realistic: From 0 to 1, None where it is not said.
        inbox_address: Whose mailbox it is about.
        query_date: The day on which it is asked.
        split: Its split, where the table says so.
    """

    model_config = ConfigDict(extra="ignore", frozen=True)

    id: int | str = 0
    question: Line
    answer: Line
    message_ids: list[str]
    how_realistic: Annotated[float | None, AfterValidator(_rounded)] = None
    inbox_address: str = Field(min_length=1)
    query_date: Annotated[date, BeforeValidator(_day)]
    split: str | None = None


def to_row(number: int, question: Question, how_realistic: float | None) -> dict[str, Any]:
    """Return a question with an answer as a row, in the order of ``COLUMNS``."""
    return {
        "id": number,
        "question": question.text,
        "answer": question.answer,
        "message_ids": [f"<{message_id}>" for message_id in question.message_ids],
        "how_realistic": how_realistic,
        "inbox_address": question.owner,
        "query_date": question.asked_on.isoformat(),
    }


def form_of(path: Path) -> str:
    """Return which of ``FORMS`` a file has, by its name.

    Raises:
        UserError: Neither.
    """
    if path.suffix.lower() not in FORMS:
        raise UserError(f"{path} is neither {' nor '.join(FORMS)}: name it so by what it is to hold")
    return path.suffix.lower()


def write_table(path: Path, rows: Sequence[dict[str, Any]]) -> None:
    """Write rows as JSONL or Parquet, by the file's name; whole or not at all.

    Raises:
        UserError: The name ends in neither.
        MissingExtra: Parquet needs pyarrow, and it is not installed.
    """
    if form_of(path) == ".jsonl":
        with lines_written_whole(path) as write:
            for row in rows:
                write(row)
        return
    pyarrow, parquet = _pyarrow()
    types = {
        "id": pyarrow.int32(),
        "question": pyarrow.string(),
        "answer": pyarrow.string(),
        "message_ids": pyarrow.list_(pyarrow.string()),
        "how_realistic": pyarrow.float32(),
        "inbox_address": pyarrow.string(),
        "query_date": pyarrow.string(),
    }
    table = pyarrow.Table.from_pylist(list(rows), schema=pyarrow.schema(list(types.items())))
    temporary = path.with_name(f".{path.name}.tmp")
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        parquet.write_table(table, temporary)
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


def read_table(path: Path) -> Iterator[tuple[int, Mapping[str, Any] | None]]:
    """Yield the rows of a table with their numbers, from 1; a line of JSONL that is no object gives None.

    Raises:
        SourceError: There is no such file, or it is damaged.
        UserError: Its name ends in neither of ``FORMS``.
        MissingExtra: Parquet needs pyarrow, and it is not installed.
    """
    form = form_of(path)
    if not path.is_file():
        raise SourceError(f"{path} is no file: name the dataset's .parquet or .jsonl file")
    yield from enumerate(_jsonl(path) if form == ".jsonl" else _parquet(path), 1)


def _jsonl(path: Path) -> Iterable[Mapping[str, Any] | None]:
    with path.open("rb") as file:
        for line in file:
            if not line.strip():
                continue
            try:
                row = json.loads(line.removeprefix(b"\xef\xbb\xbf"))
            except (ValueError, RecursionError):
                row = None
            yield row if isinstance(row, dict) else None


def _parquet(path: Path) -> Iterable[Mapping[str, Any]]:
    pyarrow, parquet = _pyarrow()
    try:
        with parquet.ParquetFile(path) as table:
            for batch in table.iter_batches(batch_size=_ROWS_AT_ONCE):
                yield from batch.to_pylist()
    except pyarrow.ArrowException as error:
        raise SourceError(f"{path} cannot be read as Parquet ({error}): download it again") from error


def _pyarrow() -> tuple[Any, Any]:
    try:
        import pyarrow
        from pyarrow import parquet
    except ModuleNotFoundError as error:
        raise MissingExtra("pyarrow", "parquet") from error
    return pyarrow, parquet
