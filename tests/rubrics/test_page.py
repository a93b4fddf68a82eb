"""The Python of docs/judge.md runs as it is printed there, and its figures are those of the table."""

import re
from pathlib import Path

import pytest
from tests.rubrics.test_answers import CASES, verdict

from mailgym.rubrics.answers import match_answer

PAGE = (Path(__file__).parents[2] / "docs" / "judge.md").read_text(encoding="utf-8")


def test_the_pages_python_runs(capsys: pytest.CaptureFixture[str]) -> None:
    (block,) = re.findall(r"```python\n(.*?)```", PAGE, flags=re.DOTALL)
    exec(block, {})
    assert capsys.readouterr().out == "right - the answer states the right value\nunsure\nTrue\n"


@pytest.mark.parametrize(
    ("said", "right", "wrong"),
    [
        ("not 500, but 600", "600", "500"),
        ("500 is wrong, it is 600", "600", "500"),
        ("600 instead of 500", "600", "500"),
        ("moved from Tuesday to Thursday", "Thursday", "Tuesday"),
        ("originally Tuesday, now Thursday", "Thursday", "Tuesday"),
        ("in her mail of May 3 she says May 14", "May 14", "May 4"),
        ("invoice 4711 is for $500", "$500", "$4711"),
        ("I don't know whether he came, but it is 5", "5", "6"),
    ],
)
def test_the_pages_examples_hold(said: str, right: str, wrong: str) -> None:
    assert match_answer(said, right).verdict == "right"
    assert match_answer(said, wrong).verdict == "wrong"


@pytest.mark.parametrize(("said", "value"), [("Tuesday or Thursday", "Tuesday"), ("between $400 and $600", "$500")])
def test_choices_are_wrong(said: str, value: str) -> None:
    assert match_answer(said, value).verdict == "wrong"


def test_the_pages_figures_are_those_of_the_table() -> None:
    counted, share = re.findall(r"The tests hold (\d+) answers.*?; (\d+) % are `unsure`", PAGE, flags=re.DOTALL)[0]
    assert int(counted) == len(CASES)
    assert int(share) == round(100 * sum(verdict(case) == "unsure" for case in CASES) / len(CASES))
