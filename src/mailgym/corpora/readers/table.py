"""Tables of mail: ART·E's dataset as Parquet or JSONL, and the Enron release as Kaggle's emails.csv."""

import csv
import io
import json
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import IO, Any

from mailgym.core.errors import MissingExtra
from mailgym.corpora.readers.forms import CSV_COLUMNS, ROW_COLUMNS, Form
from mailgym.corpora.readers.rows import raw_message
from mailgym.corpora.readers.source import Unreadable
from mailgym.corpora.readers.streams import Readable, StreamError, buffered

_ROWS_AT_ONCE = 256
_MOST_FIELD_BYTES = min(sys.maxsize, 2**31 - 1)
_NO_ROW = "not a row of a table of mail"
_DAMAGED = "damaged: the table cannot be read to its end"


@dataclass(frozen=True, slots=True)
class Row:
    """One mail of a table.

    Attributes:
        raw: The mail.
        path: Where it lay, its own name included: ``allen-p/_sent_mail/1.``; empty where the table does not say.
        number: Its row, from 1.
    """

    raw: bytes
    path: str
    number: int


def read_csv(stream: Readable) -> Iterator[Row]:
    """Read Kaggle's emails.csv: columns ``file`` and ``message``, the raw mail as text.

    Raises:
        StreamError: What follows is no CSV any more.
    """
    csv.field_size_limit(max(csv.field_size_limit(), _MOST_FIELD_BYTES))
    text = io.TextIOWrapper(buffered(stream), "utf-8-sig", "surrogateescape", newline="")
    rows = csv.reader(text)
    try:
        names = [name.strip().lower() for name in next(rows)]
        if not CSV_COLUMNS.issubset(names):
            raise StreamError(_DAMAGED)
        file, message = (names.index(name) for name in sorted(CSV_COLUMNS))
        for number, row in enumerate(rows, start=1):
            if len(row) > max(file, message):
                yield Row(row[message].encode("utf-8", "surrogateescape"), row[file], number)
            elif row:
                yield Row(b"", "", number)
    except csv.Error as error:
        raise StreamError(_DAMAGED) from error


def read_jsonl(stream: Readable, origin: str, tell: Callable[[], int]) -> Iterator[Row | Unreadable]:
    """Read a JSONL file with ART·E's columns; a line that is no such row is an Unreadable."""
    for number, line in enumerate(buffered(stream), start=1):
        text = line.removeprefix(b"\xef\xbb\xbf") if number == 1 else line
        if not text.strip():
            continue
        try:
            record = json.loads(text)
        except (ValueError, RecursionError):
            record = None
        if isinstance(record, dict) and any(record.get(name) is not None for name in ROW_COLUMNS):
            yield _row(record, number)
        else:
            yield Unreadable(f"{origin}#{number}", _NO_ROW, tell())


def read_parquet(file: IO[bytes]) -> Iterator[Row]:
    """Read a Parquet file with ART·E's columns, a few hundred rows at a time.

    Args:
        file: Readable from any place.

    Raises:
        MissingExtra: pyarrow is not installed.
        StreamError: It is damaged, or has none of the columns.
    """
    try:
        import pyarrow
        from pyarrow import parquet
    except ModuleNotFoundError as error:
        raise MissingExtra("pyarrow", "parquet") from error
    try:
        table = parquet.ParquetFile(file)
        columns = [name for name in table.schema_arrow.names if name in ROW_COLUMNS]
        if not {"body", "subject"} & set(columns):
            raise StreamError("a table without columns of mail: it needs " + ", ".join(ROW_COLUMNS))
        number = 0
        for batch in table.iter_batches(batch_size=_ROWS_AT_ONCE, columns=columns):
            for record in batch.to_pylist():
                number += 1
                yield _row(record, number)
    except (pyarrow.ArrowException, ValueError, OverflowError) as error:  # what is no text or no time is damage too
        raise StreamError(_DAMAGED) from error


def read_table(
    form: Form, stream: Readable, file: IO[bytes] | None, origin: str, tell: Callable[[], int]
) -> Iterator[Row | Unreadable]:
    """Read a table of any form.

    Args:
        form: One of :data:`mailgym.corpora.readers.forms.TABLES`.
        stream: The table from its beginning.
        file: The same, readable from any place; only Parquet needs it.
        origin: What to call it.
        tell: Tells how far the source was read.

    Raises:
        MissingExtra: Parquet needs pyarrow, and it is not installed.
        OSError: Or another of the STREAM_ERRORS: it is damaged; what came before is good.
    """
    if form is Form.PARQUET:
        assert file is not None
        return read_parquet(file)
    if form is Form.JSONL:
        return read_jsonl(stream, origin, tell)
    return read_csv(stream)


def _row(record: dict[str, Any], number: int) -> Row:
    path = record.get("file_name")
    return Row(raw_message(record), path if isinstance(path, str) else "", number)
