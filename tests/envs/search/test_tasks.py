from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from mailgym.core.errors import SourceError, UserError
from mailgym.corpora.question import Question, read_questions, write_questions
from mailgym.envs.search.tasks import load_tasks, secrets, task_set


def _many(folder: Path, n: int) -> list[Question]:
    first = Question(
        "q", "train", "m.mailbox", "a@x", "A", date(2025, 1, 2), "Where?", ("<1@x>", " 2@x "), None, "single", "t", {}
    )
    questions = [replace(first, id=f"q{number}") for number in range(n)]
    write_questions(folder, questions)
    return questions


def test_the_two_sides(tmp_path: Path) -> None:
    _many(tmp_path, 1)
    tasks = load_tasks(tmp_path, "train")
    task, key = tasks.tasks["q0"], tasks.keys["q0"]
    assert (task.question, task.owner, task.owner_name, task.asked_on) == ("Where?", "a@x", "A", date(2025, 1, 2))
    assert key.message_ids == ("1@x", "2@x")  # without the brackets they may be written with
    assert (key.template, key.mailbox, key.kind, key.task_id) == ("t", "m.mailbox", "single", "q0")
    assert set(secrets(key)) == {"1@x", "2@x", "t"}


def test_subsampling_is_seeded_and_keeps_ids_and_order(tmp_path: Path) -> None:
    everything = [question.id for question in _many(tmp_path, 30)]
    some = load_tasks(tmp_path, "train", 10, seed=1).task_ids
    assert len(some) == 10
    assert list(some) == [name for name in everything if name in some]
    assert load_tasks(tmp_path, "train", 10, seed=1).task_ids == some
    assert load_tasks(tmp_path, "train", 10, seed=2).task_ids != some
    assert list(load_tasks(tmp_path, "train", 99).task_ids) == everything


def test_nothing_to_load(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="simulate"):
        load_tasks(tmp_path, "train")
    _many(tmp_path, 2)
    with pytest.raises(UserError, match="it has train"):
        load_tasks(tmp_path, "test")
    with pytest.raises(UserError, match="at least 1"):
        load_tasks(tmp_path, "train", 0)


def test_two_questions_of_one_id(tmp_path: Path) -> None:
    questions = _many(tmp_path, 2)
    with pytest.raises(UserError, match="share an id"):
        task_set(tmp_path, "train", [questions[0], replace(questions[1], id="q0")])
    assert read_questions(tmp_path) == questions
