import json
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from tests.corpora.questions.shop import FIRST_DAY, model_of, raw, write_box
from tests.corpora.questions.test_survey import QUESTION

from mailgym.core.errors import SourceError, UserError
from mailgym.corpora.question import read_questions, write_questions
from mailgym.corpora.questions.exchange import export_questions, import_questions
from mailgym.corpora.questions.generate import generate_questions
from mailgym.corpora.questions.meter import Metered
from mailgym.corpora.questions.options import Options
from mailgym.corpora.questions.survey import survey


def row(number: int, **change: Any) -> dict[str, Any]:
    """Return a row about one offer."""
    found = {
        "id": number,
        "question": f"What is the price of offer number {number}?",
        "answer": f"{100 + number} euro",
        "message_ids": [f"<offer-{number}@x>"],
        "how_realistic": 0.8,
        "inbox_address": "maya@ember.example",
        "query_date": (FIRST_DAY + timedelta(days=7 * number + 3)).date().isoformat(),
    }
    return {**found, **change}


def table(folder: Path, *rows: Any, name: str = "train-00000.jsonl") -> Path:
    path = folder / name
    path.write_text("".join(json.dumps(one) + "\n" for one in rows), "utf-8")
    return path


@pytest.fixture
def store(tmp_path: Path) -> Path:
    folder = tmp_path / "store"
    folder.mkdir()
    write_box(folder, "maya", 10, raw("undated", None, "Hi", "Hello"))
    write_questions(folder, [QUESTION])
    return folder


def test_rows_become_questions_of_the_mailbox_with_their_address(tmp_path: Path, store: Path) -> None:
    file = table(tmp_path, row(2, inbox_address="Maya@Ember.example "), row(3, message_ids=["offer-3@x", "offer-2@x"]))
    done = import_questions(file, store)
    assert done.fates == {"kept": 2}
    known, one, two = read_questions(store)
    assert known == QUESTION
    assert (one.text, one.answer, one.split) == ("What is the price of offer number 2?", "102 euro", "train")
    assert (one.mailbox, one.owner, one.message_ids) == ("maya.mailbox", "maya@ember.example", ("offer-2@x",))
    assert (one.kind, two.kind) == ("single", "two_mails")
    assert one.facts["from_addr"] == "ines@shop.example"
    assert one.asked_on.isoformat() == row(2)["query_date"]


def test_odd_characters_in_a_row_do_no_harm(tmp_path: Path, store: Path) -> None:
    file = tmp_path / "train.jsonl"
    file.write_text(json.dumps(row(2, question="How\nmuch \ud800 is it?")), "ascii")
    assert [one.text for one in import_questions(file, store).questions] == ["How much ? is it?"]
    assert read_questions(store)[1].text == "How much ? is it?"


def test_importing_again_changes_nothing(tmp_path: Path, store: Path) -> None:
    file = table(tmp_path, row(2), row(3))
    first = import_questions(file, store)
    before = read_questions(store)
    assert import_questions(file, store).fates == first.fates
    assert read_questions(store) == before


def test_every_row_is_counted_once_by_what_became_of_it(tmp_path: Path, store: Path) -> None:
    rows = [
        row(1),
        {"id": 5},
        [1, 2],
        row(2, inbox_address="tom@ember.example"),
        row(3, message_ids=[]),
        row(4, message_ids=["<offer-4@x>", "<nowhere@x>"]),
        row(5, query_date="2023-12-01"),
        row(6, message_ids=["undated@x"]),
        row(7, split="dev"),
        row(1, id=99),
    ]
    done = import_questions(table(tmp_path, *rows), store)
    assert done.fates == {
        "kept": 1,
        "not_a_question": 2,
        "no_such_split": 1,
        "no_such_mailbox": 1,
        "cites_no_mail": 1,
        "no_such_mail": 1,
        "asked_before_its_mail": 2,
        "duplicate": 1,
    }
    assert sum(done.fates.values()) == len(rows)
    assert done.example == "row 2: question: Field required"


def test_the_split_is_the_one_asked_for_else_the_column_else_the_name(tmp_path: Path, store: Path) -> None:
    file = table(tmp_path, row(1, split="validation"), row(2))
    assert [one.split for one in import_questions(file, store).questions] == ["validation", "train"]
    asked = import_questions(table(tmp_path, row(3), name="mine.jsonl"), store, split="test")
    assert [one.split for one in asked.questions] == ["test"]
    with pytest.raises(UserError, match="add  --split"):
        import_questions(table(tmp_path, row(4), name="mine.jsonl"), store)
    with pytest.raises(UserError, match="no split 'dev'"):
        import_questions(file, store, split="dev")


def test_a_limit_counts_what_is_kept(tmp_path: Path, store: Path) -> None:
    assert import_questions(table(tmp_path, row(1), row(2), row(3)), store, limit=2).fates == {
        "kept": 2,
        "over_limit": 1,
    }


def test_a_file_without_one_question_is_an_error_that_says_why(tmp_path: Path, store: Path) -> None:
    with pytest.raises(SourceError, match="row 1: question: Field required"):
        import_questions(table(tmp_path, {"text": "no"}), store)
    with pytest.raises(SourceError, match="holds no question"):
        import_questions(table(tmp_path), store)
    assert read_questions(store) == [QUESTION]


@pytest.mark.parametrize("name", ["out.jsonl", "out.parquet"])
def test_what_was_imported_is_exported_as_it_was(tmp_path: Path, store: Path, name: str) -> None:
    rows = [row(1), row(2, how_realistic=None), row(3, how_realistic=0.25)]
    import_questions(table(tmp_path, *rows), store)
    assert export_questions(store, tmp_path / name) == 3
    other = tmp_path / "other"
    other.mkdir()
    write_box(other, "maya", 10)
    again = import_questions(tmp_path / name, other, split="train")
    assert again.questions == read_questions(store)[1:]
    export_questions(other, tmp_path / "again.jsonl")
    written = [json.loads(line) for line in (tmp_path / "again.jsonl").read_text("utf-8").splitlines()]
    assert written == [{**one, "id": number} for number, one in enumerate(rows)]


def test_generated_questions_are_exported_with_their_realism(tmp_path: Path, store: Path) -> None:
    options = Options(split="test")
    with survey(store, options) as surveyed:
        generate_questions(store, surveyed, Metered(model_of()), options, name="m")
    assert export_questions(store, tmp_path / "out.jsonl", "test") == 10
    written = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text("utf-8").splitlines()]
    assert {one["how_realistic"] for one in written} == {0.9}
    assert [one["id"] for one in written] == list(range(10))


def test_there_must_be_questions_with_answers(tmp_path: Path, store: Path) -> None:
    with pytest.raises(UserError, match=r"no question in .* has an answer"):
        export_questions(store, tmp_path / "out.jsonl")
    with pytest.raises(UserError, match="of split train"):
        export_questions(store, tmp_path / "out.jsonl", "train")
    (store / "questions.jsonl").unlink()
    with pytest.raises(SourceError, match="has no questions"):
        export_questions(store, tmp_path / "out.jsonl")
