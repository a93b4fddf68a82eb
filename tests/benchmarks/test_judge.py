import json
import sys
from pathlib import Path

import judge as benchmark
import pytest

from mailgym.core.errors import SourceError
from mailgym.llm.scripted import ScriptedModel
from mailgym.rubrics.judge import Case

LINES = [
    {"question": "When?", "right": "May 14", "given": "14 May", "answer_type": "date", "label": "right"},
    {"question": "When?", "right": "May 14", "given": "May 15", "label": "right"},
    {"question": "What broke?", "right": "the copier", "given": "the photocopier", "label": "right"},
    {"question": "Who?", "right": "Dana Whitfield", "given": "Tom Becker"},
]


def write(path: Path, *lines: object) -> Path:
    path.write_text("\n".join(json.dumps(line) for line in lines) + "\n\n", encoding="utf-8")
    return path


def run(monkeypatch: pytest.MonkeyPatch, *arguments: object) -> None:
    monkeypatch.setattr(sys, "argv", ["judge.py", *map(str, arguments)])
    benchmark.main()


def test_the_matcher_is_measured_against_labels(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    run(monkeypatch, write(tmp_path / "cases.jsonl", *LINES), "--show", 5)
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "4 cases; matcher: 1 right, 2 wrong, 1 unsure"
    assert lines[1] == "matcher: 50.0% of 2 as labelled, 1 of 3 left open"
    assert lines[2].startswith("'May 15' for 'May 14' (When?): ")
    assert len(lines) == 3


def test_the_judge_is_asked_and_its_agreement_printed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    replies = [json.dumps({"is_right": is_right, "reason": "so"}) for is_right in (True, True, True)]
    model = ScriptedModel([*replies, "?", "?", "?"])
    monkeypatch.setattr(benchmark, "open_model", lambda name: model)
    run(monkeypatch, write(tmp_path / "cases.jsonl", *LINES), "--model", "any")
    output = capsys.readouterr().out
    assert "judge: 100.0% of 3 as labelled, 0 of 3 left open" in output
    assert "agreement where both are sure: 50.0% of 2" in output
    assert "scripted: 6 calls (2 again, 0 from disk), 1 failed, 0 + 0 tokens, $0.0000" in output


def test_cases_without_labels_are_counted_and_not_measured(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    run(monkeypatch, write(tmp_path / "cases.jsonl", LINES[3]))
    assert "matcher: no case has a label" in capsys.readouterr().out


@pytest.mark.parametrize(
    "line", [{"question": "q", "right": "r"}, [1], {**LINES[0], "label": "maybe"}, {**LINES[0], "given": 5}]
)
def test_a_line_that_is_no_case_is_named(tmp_path: Path, line: object) -> None:
    path = write(tmp_path / "cases.jsonl", LINES[0], line)
    with pytest.raises(SourceError, match="line 2"):
        benchmark.read_cases(path)


def test_cases_are_read_with_their_type(tmp_path: Path) -> None:
    read = benchmark.read_cases(write(tmp_path / "cases.jsonl", *LINES[:2]))
    assert [item.case for item in read] == [
        Case("When?", "May 14", "14 May", "date"),
        Case("When?", "May 14", "May 15"),
    ]
