from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from mailgym.core.errors import SourceError
from mailgym.corpora.question import Question, read_questions, write_questions

QUESTION = Question(
    "q1",
    "test",
    "dana.mailbox",
    "dana@x.example",
    "Dana",
    date(2025, 6, 1),
    "Which mail?",
    ("a@x",),
    None,
    "k",
    "t",
    {},
)


def test_questions_come_back_as_they_were_written_whatever_they_hold(tmp_path: Path) -> None:
    asked = [QUESTION, replace(QUESTION, id="q2", text="line\u2028end\x85next\x1cé")]
    write_questions(tmp_path, asked)
    assert read_questions(tmp_path) == asked


@pytest.mark.parametrize("content", [b"\xff\xfe\x00", b"5\n", b"{}\n", b"", b'{"asked_on": 5}\n'])
def test_what_is_no_question_is_told_with_its_line(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "questions.jsonl").write_bytes(content)
    with pytest.raises(SourceError, match="line 1 is not a question"):
        read_questions(tmp_path)
