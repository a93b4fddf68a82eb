from pathlib import Path
from typing import Any

import pytest

import mailgym.evaluate.report as report_package
from mailgym.core.runs import RunFolder

CONFIG = {"run": {"env": "find", "model": "local", "seed": 3}, "train": {"updates": 2}}


@pytest.fixture
def runs(tmp_path: Path) -> Path:
    with RunFolder.create(tmp_path / "first", CONFIG, command="mailgym train find") as run:
        run.append_metrics({"phase": "before", "agent": "untrained", "reward_mean": 0.25})
        run.append_metrics({"phase": "train", "update": 1, "reward_mean": 0.3})
        run.append_metrics({"phase": "train", "update": 2, "reward_mean": 0.4})
        run.append_metrics({"phase": "validation", "update": 1, "reward_mean": 0.5})
        run.append_metrics({"phase": "validation", "update": 2, "reward_mean": 0.45})
    return tmp_path


def test_runs_are_listed(mailgym: Any, runs: Path) -> None:
    (facts,) = mailgym("runs", "list", "--runs", runs, "--json").data
    assert (facts["name"], facts["what"], facts["model"]) == ("first", "train find", "local")
    assert (facts["update"], facts["best_validation"], facts["episodes"]) == (2, 0.5, 0)
    assert "0.500" in mailgym("runs", "list", "--runs", runs).out
    assert "mailgym demo" in mailgym("runs", "list").out


def test_a_run_is_shown(mailgym: Any, runs: Path) -> None:
    by_name = mailgym("runs", "show", "first", "--runs", runs)
    assert "untrained reward 0.250" in by_name.out
    assert "updates = 2" in by_name.out
    assert "mailgym train find" in by_name.out
    by_folder = mailgym("runs", "show", runs / "first", "--json").data
    assert by_folder["measured"] == [{"phase": "before", "agent": "untrained", "reward_mean": 0.25}]
    assert by_folder["config"] == CONFIG
    missing = mailgym("runs", "show", "none", "--runs", runs)
    assert missing.code == 2
    assert "is not a run" in missing.err


def test_a_report_is_written(mailgym: Any, runs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Any] = []

    def write_report(run: RunFolder, out: Path | None, with_mail: bool) -> tuple[Path | None, ...]:
        asked.append((run.name, out, with_mail))
        return Path("report.html"), Path("report.md"), None

    monkeypatch.setattr(report_package, "write_report", write_report)
    result = mailgym("report", "first", "--runs", runs, "--out", tmp_path / "o", "--with-mail")
    assert result.out.splitlines() == ["report.html", "report.md"]
    assert mailgym("report", "first", "--runs", runs, "--json").data == ["report.html", "report.md"]
    assert asked == [("first", tmp_path / "o", True), ("first", None, False)]


def test_a_damaged_run_hides_no_other(mailgym: Any, runs: Path) -> None:
    for name, file in (("broken", "config.toml"), ("torn", "metrics.jsonl")):
        RunFolder.create(runs / name, CONFIG).close()
        (runs / name / file).write_bytes(b"\xff\n")
    listed = mailgym("runs", "list", "--runs", runs, "--json")
    assert [facts["name"] for facts in listed.data] == ["first"]
    assert listed.code == 0
    assert "config.toml is not TOML" in listed.err
    assert "metrics.jsonl is damaged" in listed.err
