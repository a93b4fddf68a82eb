"""What an inbox shows, step by step, in both profiles."""

from pathlib import Path
from typing import Any

import pytest

from mailgym.core.episode import MalformedAction
from mailgym.core.errors import UserError
from mailgym.core.protocols import Environment
from mailgym.envs.base import TaskSet
from mailgym.envs.inbox import make_inbox
from mailgym.envs.inbox.office import Record
from mailgym.envs.inbox.tasks import InboxKey, InboxTask, Labels, Mail

DECISION = {"category": "billing", "priority": "high", "department": "finance", "action": "reply"}


def mail(number: int) -> Mail:
    return Mail(
        f"em-{number}", f"Subject {number}", f"P{number} <p{number}@x.example>", f"Account ac-{number}.", "hard"
    )


def small(level: int = 3) -> TaskSet[InboxTask, InboxKey]:
    mails = tuple(mail(number) for number in (1, 2, 3))
    records = (Record("check_payment", ("ac-1",), ("account ac-1", "charged once")),)
    task = InboxTask("t", level, "help@us.example", mails, records)
    right = (Labels(**DECISION),) * 3
    key = InboxKey("t", "template", "us", "task 3", level, right, ("a/b", "a/c", "a/d"))
    return TaskSet("test", Path("own"), {"t": task}, {"t": key})


def decide(**more: Any) -> dict[str, Any]:
    return {"name": "decide", "arguments": {**DECISION, **more}}


def look_up(tool: str = "check_payment", **tool_input: Any) -> dict[str, Any]:
    return {"name": "look_up", "arguments": {"tool": tool, "tool_input": tool_input}}


def opened(profile: str, turns: int | None = None, level: int = 3) -> Environment:
    environment = make_inbox(small(level), profile, turns)
    environment.reset("t")
    return environment


def test_the_opening_has_the_documents_fields_and_no_label() -> None:
    shown = make_inbox(small(), "classic").reset("t")
    assert shown["current_email"] == {
        "email_id": "em-1",
        "subject": "Subject 1",
        "sender": "P1 <p1@x.example>",
        "email_text": "Account ac-1.",
        "difficulty": "hard",
    }
    assert shown["inbox_summary"] == ["em-1: Subject 1", "em-2: Subject 2", "em-3: Subject 3"]
    assert (shown["remaining_emails"], shown["step_count"], shown["history"]) == (3, 0, [])
    assert (shown["kind"], shown["task_id"], shown["tool_result"]) == ("mail", "t", None)
    assert shown["wanted"] == ["category", "priority", "department", "action"]


@pytest.mark.parametrize(("level", "wanted"), [(1, ["category"]), (2, ["category", "priority"])])
def test_a_task_says_what_it_asks_for(level: int, wanted: list[str]) -> None:
    assert make_inbox(small(level)).reset("t")["wanted"] == wanted


def test_classic_gives_a_tools_result_with_the_next_mail() -> None:
    environment = opened("classic")
    result = environment.step(decide(use_tool="check_payment", tool_input={"account_id": "ac-1"}))
    assert result.observation["current_email"]["email_id"] == "em-2"
    assert result.observation["tool_result"]["records"] == [["account ac-1", "charged once"]]
    assert result.observation["history"] == [{"email_id": "em-1", **DECISION, "use_tool": "check_payment"}]
    assert environment.step(decide()).observation["tool_result"] is None


def test_classic_has_no_look_up_of_its_own_and_a_wrong_action_loses_its_mail() -> None:
    environment = opened("classic")
    result = environment.step(look_up(id="ac-1"))
    assert result.observation["kind"] == "error"
    assert "use_tool" in result.observation["error"]
    assert result.observation["current_email"]["email_id"] == "em-2"
    assert result.reward == 0.0
    last = [environment.step(MalformedAction("hm", "no JSON")), environment.step(decide())][-1]
    assert (last.terminated, last.stop_reason, last.observation["current_email"]) == (True, "all_decided", None)


def test_hardened_looks_up_first_and_decides_the_same_mail_after() -> None:
    environment = opened("hardened")
    result = environment.step(look_up(id="ac-1"))
    assert result.observation["kind"] == "tool_result"
    assert result.observation["current_email"]["email_id"] == "em-1"
    assert result.observation["remaining_emails"] == 3
    assert result.reward == pytest.approx(-0.01)
    after = environment.step(decide())
    assert after.observation["current_email"]["email_id"] == "em-2"
    assert after.observation["tool_result"] is None


def test_hardened_lets_a_wrong_action_be_mended() -> None:
    environment = opened("hardened")
    for wrong in ({"name": "decide", "arguments": {"category": ["billing"]}}, {"name": "sort", "arguments": {}}, {}):
        result = environment.step(wrong)
        assert result.observation["kind"] == "error"
        assert result.observation["current_email"]["email_id"] == "em-1"
        assert result.reward == pytest.approx(-0.05)
    assert environment.step(decide()).reward == pytest.approx(1 / 3)


def test_skipping_leaves_a_mail_undecided() -> None:
    environment = opened("hardened")
    skip = {"name": "skip", "arguments": {}}
    assert environment.step(skip).observation["history"] == [{"email_id": "em-1"}]
    results = [environment.step(skip), environment.step(skip)]
    assert [result.reward for result in results] == [0.0, 0.0]
    assert results[-1].terminated


def test_the_turns_are_a_limit() -> None:
    environment = opened("hardened", turns=2)
    environment.step(look_up(id="ac-1"))
    result = environment.step(look_up(id="ac-2"))
    assert (result.truncated, result.stop_reason) == (True, "out_of_turns")
    assert environment.state["remaining_emails"] == 3
    with pytest.raises(UserError):
        make_inbox(small(), "hardened", 0)


def test_the_last_mail_may_be_decided_in_the_last_turn() -> None:
    environment = opened("hardened", turns=3)
    results = [environment.step(decide()) for _ in range(3)]
    assert (results[-1].terminated, results[-1].truncated) == (True, False)


def test_an_error_on_the_last_mail_of_classic_ends_the_episode_as_an_error() -> None:
    environment = opened("classic")
    results = [environment.step({}) for _ in range(3)]
    assert results[-1].observation["kind"] == "error"
    assert results[-1].terminated


def test_profiles_are_two() -> None:
    with pytest.raises(UserError, match="classic"):
        make_inbox(small(), "soft")
