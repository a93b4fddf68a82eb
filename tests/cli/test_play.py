from pathlib import Path
from typing import Any

import pytest

from mailgym.core.episode import Failure
from mailgym.llm import names
from mailgym.llm.scripted import ScriptedModel


def test_an_episode_is_told(mailgym: Any, small_store: Path) -> None:
    base = ("play", "find", "--store", small_store, "--split", "test", "--task", "q-bill")
    result = mailgym(*base, "--agent", "oracle")
    assert result.code == 0
    assert "Harbour bill for toner" in result.out
    assert "[oracle, turn 1]" in result.out
    assert "ended: answered, reward 1.000" in result.out
    assert "bill-march@x.example" in result.out.split("answer key")[1]
    assert mailgym(*base, "--agent", "oracle", "--json").data["reward"] == 1.0


def test_the_seed_picks_the_task(mailgym: Any, small_store: Path) -> None:
    base = ("play", "find", "--store", small_store, "--split", "test", "--agent", "null", "--dry-run", "--json")
    plans = [mailgym(*base, "--seed", str(seed)).data["task_id"] for seed in (0, 0, 1, 2, 3, 4)]
    assert plans[0] == plans[1]
    assert len(set(plans)) > 1
    assert "null would play task q-" in mailgym(*base[:-1]).out


def test_a_person_plays(mailgym: Any, small_store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    answers = iter(["search_emails", "Harbour, toner", "Dana Whitfield", "", "", "2025-03-16", ""])
    monkeypatch.setattr("mailgym.cli.choose.ask_person", lambda question: next(answers))
    base = ("play", "find", "--store", small_store, "--split", "test", "--task", "q-bill")
    result = mailgym(*base)
    assert "reward 1.000" in result.out
    refused = mailgym(*base, "--json")
    assert refused.code == 2
    assert "--agent" in refused.err


def test_a_model_plays_and_fails(mailgym: Any, small_store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    failing = ScriptedModel(lambda request: Failure("model", "out of service"), "openai:m")
    monkeypatch.setattr(names, "open_model", lambda name, **_: failing)
    result = mailgym("play", "find", "--store", small_store, "--split", "test", "--model", "openai:m")
    assert "failed (model): out of service" in result.out
    assert result.code == 1


def test_one_agent_plays(mailgym: Any, small_store: Path) -> None:
    result = mailgym("play", "find", "--store", small_store, "--split", "test", "--agent", "null,oracle")
    assert result.code == 2
    assert "mailgym eval" in result.err
    unknown = mailgym("play", "find", "--store", small_store, "--split", "test", "--agent", "null", "--task", "none")
    assert unknown.code == 2
    assert "no task 'none'" in unknown.err
