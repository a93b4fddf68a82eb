from pathlib import Path
from typing import Any

import pytest

from mailgym.core.runs import RunFolder
from mailgym.llm import names
from mailgym.llm.scripted import ScriptedModel

SEARCH = '{"keywords": ["Harbour", "toner"], "from_addr": "Dana Whitfield", "sent_before": "2025-03-16"}'


@pytest.fixture
def scripted(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Every language model is one that always searches for the first question; returns the names opened."""
    opened: list[str] = []

    def open_model(name: str, **_: Any) -> ScriptedModel:
        opened.append(name)
        return ScriptedModel(lambda request: SEARCH, name)

    monkeypatch.setattr(names, "open_model", open_model)
    return opened


def test_honest_players_by_default(mailgym: Any, small_store: Path) -> None:
    result = mailgym("eval", "find", "--store", small_store, "--json")
    rows = {row["agent"]: row for row in result.data["rows"]}
    assert result.code == 0
    assert {"null", "random", "all_words", "content_words", "oracle"} <= set(rows)
    assert rows["oracle"]["reward"]["mean"] == 1.0
    assert rows["null"]["reward"]["mean"] == 0.0
    assert result.data["comparisons"] == []


def test_a_table_for_people(mailgym: Any, small_store: Path) -> None:
    result = mailgym("eval", "find", "--store", small_store, "--agents", "oracle, null", "-n", "2")
    assert "oracle" in result.out
    assert "find: 2 tasks, seed 0" in result.out


def test_a_model_beside_the_players(mailgym: Any, small_store: Path, scripted: list[str]) -> None:
    result = mailgym("eval", "find", "--store", small_store, "--agents", "null", "--model", "openai:m", "--json")
    assert scripted == ["openai:m"]
    # It answers one of four questions: 1 / 4.
    assert [row["reward"]["mean"] for row in result.data["rows"]] == [0.0, 0.25]
    (pair,) = result.data["comparisons"]
    assert (pair["before"], pair["after"], pair["gained"]) == ("null", "openai:m", 1)
    text = mailgym("eval", "find", "--store", small_store, "--agents", "null,openai:m").out
    assert "better 1, same 3, worse 0" in text


def test_a_dry_run_plays_nothing(mailgym: Any, small_store: Path) -> None:
    plain = mailgym("eval", "find", "--store", small_store, "--agents", "null", "--dry-run")
    assert plain.out == "would play 1 agents (null) on 4 test tasks of find\n"
    asked = mailgym("eval", "find", "--store", small_store, "--agents", "null", "--dry-run", "--json").data
    assert asked["agents"] == ["null"]
    assert (asked["tasks"], asked["turns"], asked["profile"]) == (4, 1, "hardened")


def test_a_dry_run_opens_no_model_and_knows_the_players(mailgym: Any, small_store: Path, scripted: list[str]) -> None:
    base = ("--store", small_store, "--dry-run")
    assert "openai:m" in mailgym("eval", "find", *base, "--model", "openai:m").out
    assert "openai:m would play" in mailgym("play", "find", *base, "--split", "test", "--model", "openai:m").out
    assert scripted == []
    assert "no agent 'nope'" in mailgym("eval", "find", *base, "--agents", "nope").err


def test_what_was_kept_is_not_played_again(mailgym: Any, small_store: Path, scripted: list[str]) -> None:
    base = ("eval", "find", "--store", small_store, "--save", "first")
    assert mailgym(*base, "--agents", "null").code == 0
    refused = mailgym(*base, "--agents", "null")
    assert refused.code == 2
    assert "--resume" in refused.err
    result = mailgym(*base, "--agents", "null,oracle", "--resume", "--json")
    assert [row["episodes"] for row in result.data["rows"]] == [4, 4]
    run = RunFolder.open(Path("runs") / "first")
    lines = (run.path / "episodes.jsonl").read_text().splitlines()
    assert len(lines) == 8, "null's four episodes were taken from disk"
    other = mailgym(*base, "--agents", "null", "--resume", "--seed", "1")
    assert other.code == 2
    assert "another configuration" in other.err


def test_resume_needs_a_name(mailgym: Any, small_store: Path) -> None:
    result = mailgym("eval", "find", "--store", small_store, "--resume")
    assert result.code == 2
    assert "--save NAME" in result.err


def test_why_episodes_failed_is_said(mailgym: Any, small_store: Path, tmp_path: Path) -> None:
    (tmp_path / "questions.jsonl").write_bytes((small_store / "questions.jsonl").read_bytes())
    result = mailgym("eval", "find", "--store", tmp_path, "--agents", "null", "-n", "2")
    assert result.code == 0
    assert "failed: " in result.err
    assert "cannot be opened" in result.err
