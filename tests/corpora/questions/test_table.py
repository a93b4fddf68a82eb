import json
import sys
from datetime import date, datetime
from pathlib import Path
from typing import Any

import pytest

from mailgym.core.errors import MissingExtra, SourceError, UserError
from mailgym.corpora.question import Question
from mailgym.corpora.questions.table import COLUMNS, Row, read_table, to_row, write_table

QUESTION = Question(
    id="q",
    split="test",
    mailbox="maya.mailbox",
    owner="maya@ember.example",
    owner_name="Maya",
    asked_on=date(2024, 2, 3),
    text="How much is it?",
    message_ids=("a@x", "b@x"),
    answer="400 €",
    kind="two_mails",
    template="t",
    facts={},
)
ROW = {
    "id": 7,
    "question": "How much is it?",
    "answer": "400 €",
    "message_ids": ["<a@x>", "<b@x>"],
    "how_realistic": 0.5,
    "inbox_address": "maya@ember.example",
    "query_date": "2024-02-03",
}


def test_a_row_has_art_es_columns() -> None:
    row = to_row(7, QUESTION, 0.5)
    assert row == ROW
    assert tuple(row) == COLUMNS


@pytest.mark.parametrize("name", ["q.jsonl", "q.parquet"])
def test_rows_survive_being_written_and_read(tmp_path: Path, name: str) -> None:
    rows = [ROW, {**ROW, "id": 8, "how_realistic": None}]
    write_table(tmp_path / "new" / name, rows)
    write_table(tmp_path / "new" / name, rows)
    assert list(read_table(tmp_path / "new" / name)) == [(1, rows[0]), (2, rows[1])]
    assert [path.name for path in (tmp_path / "new").iterdir()] == [name]


def test_parquet_has_the_types_of_the_dataset(tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    write_table(tmp_path / "q.parquet", [ROW])
    schema = parquet.read_schema(tmp_path / "q.parquet")
    types = {name: str(schema.field(name).type) for name in schema.names}
    assert types["id"] == "int32"
    assert types["message_ids"].startswith("list<")
    assert types["how_realistic"] == "float"
    assert {types[name] for name in ("question", "answer", "inbox_address", "query_date")} == {"string"}


def test_lines_that_are_no_object_are_told_apart(tmp_path: Path) -> None:
    path = tmp_path / "q.jsonl"
    path.write_bytes(b"\xef\xbb\xbf" + json.dumps(ROW).encode() + b"\n\n{oops\n[1]\n")
    assert list(read_table(path)) == [(1, ROW), (2, None), (3, None)]


@pytest.mark.parametrize("day", ["2024-02-03", "2024-02-03 17:00:00", "2024-02-03T17:00:00Z", datetime(2024, 2, 3, 17)])
def test_days_are_read_in_the_forms_that_tables_have(day: Any) -> None:
    assert Row.model_validate({**ROW, "query_date": day}).query_date == date(2024, 2, 3)


def test_other_columns_are_ignored_and_a_split_is_read() -> None:
    assert Row.model_validate({**ROW, "extra": 1, "split": "test"}).split == "test"
    assert Row.model_validate(ROW).split is None


def test_another_name_a_missing_file_and_damage_are_clear_errors(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"neither \.jsonl nor \.parquet"):
        write_table(tmp_path / "q.csv", [ROW])
    with pytest.raises(SourceError, match="is no file"):
        list(read_table(tmp_path / "q.jsonl"))
    (tmp_path / "q.parquet").write_bytes(b"PAR1 oops")
    with pytest.raises(SourceError, match="download it again"):
        list(read_table(tmp_path / "q.parquet"))


def test_parquet_without_pyarrow_names_the_extra(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(MissingExtra, match=r"mailgym\[parquet\]"):
        write_table(tmp_path / "q.parquet", [ROW])
