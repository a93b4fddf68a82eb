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


def test_the_documents_three_tasks_are_told_as_log_lines(mailgym: Any) -> None:
    result = mailgym("play", "triage", "--tasks", "all", "--agent", "oracle", "--log-format", "openenv")
    assert result.code == 0
    lines = result.out.splitlines()
    assert len(lines) == 9
    for task_id, start, step, end in zip(
        ("email-classify", "email-prioritize", "email-triage-full"), lines[::3], lines[1::3], lines[2::3], strict=True
    ):
        assert start == f"[START] task={task_id} env=email-triage model=oracle"
        assert step.startswith('[STEP] step=1 action={"name":"submit","arguments":{"email_actions":[{"email_id":"e1",')
        assert step.endswith("} reward=1.00 done=true error=null")
        assert end == "[END] success=true steps=1 score=1.000 rewards=1.00"


def test_all_tasks_are_told_as_text_or_json_under_the_profile_that_is_named(mailgym: Any) -> None:
    base = ("play", "triage", "--tasks", "all", "--agent", "null", "--turns", "1", "--profile", "hardened")
    ids = [record["task_id"] for record in mailgym(*base, "--json").data]
    assert ids == ["email-classify", "email-prioritize", "email-triage-full"]
    assert mailgym(*base).out.count("ended: out_of_turns, reward 0.000") == 3
    lines = mailgym(*base, "--log-format", "openenv").out
    assert lines.count("[END] success=false steps=1 score=0.000 rewards=0.00") == 3


def test_options_that_say_two_things_are_refused(mailgym: Any) -> None:
    base = ("play", "triage", "--agent", "null")
    assert "--task email-classify" in mailgym(*base, "--tasks", "email-classify").err
    assert "give one of them" in mailgym(*base, "--tasks", "all", "--task", "email-classify").err
    assert "give one of them" in mailgym(*base, "--log-format", "openenv", "--json").err
    assert "choose one of text, openenv" in mailgym(*base, "--log-format", "lines").err
    assert "a person cannot play" in mailgym("play", "triage", "--log-format", "openenv").err
