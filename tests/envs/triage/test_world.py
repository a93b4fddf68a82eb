from pathlib import Path
from typing import Any

import pytest

from mailgym.core.episode import MalformedAction, StepResult
from mailgym.core.errors import UserError
from mailgym.core.protocols import Environment
from mailgym.envs.base import TaskSet
from mailgym.envs.triage import TRIAGE, make
from mailgym.envs.triage.tasks import TriageKey, TriageTask, load_tasks
from mailgym.envs.triage.world import MAX_MAIL_CHARS, show_mail


@pytest.fixture(scope="module")
def bank() -> TaskSet[TriageTask, TriageKey]:
    return load_tasks(Path("own"), "bank")


def opened(bank: TaskSet[TriageTask, TriageKey], profile: str = "classic", turns: int = 15) -> Environment:
    environment = make(bank, profile, turns)
    environment.reset("email-classify")
    return environment


def submit(environment: Environment, *decisions: dict[str, Any], done: bool = False) -> StepResult:
    return environment.step({"name": "submit", "arguments": {"email_actions": list(decisions), "done": done}})


def right(bank: TaskSet[TriageTask, TriageKey], **changes: Any) -> list[dict[str, Any]]:
    labels = bank.keys["email-classify"].labels
    return [
        {"email_id": x.email_id, "category": x.category, "priority": x.rank, "action": x.action, **changes}
        for x in labels
    ]


def test_the_documents_curl_is_answered(bank: TaskSet[TriageTask, TriageKey]) -> None:
    environment = make(bank, "classic")
    opening = environment.reset("email-classify")
    assert [mail["email_id"] for mail in opening["inbox"]] == ["e1", "e2", "e3", "e4", "e5"]
    result = submit(environment, {"email_id": "e1", "category": "spam", "priority": 5, "action": "delete"})
    # .6 * 1/5 + .2 * (1 + .70711) / 2 / 5 + .2 * 1/5 = .19414: tests of the rubric have it step by step
    assert result.reward == pytest.approx(0.19414, abs=1e-5)
    assert result.observation["feedback"] == "1 of 5 mails are decided. Still undecided: e2, e3, e4, e5."
    assert result.observation["reward"] == result.reward
    assert result.observation["reward_so_far"] == result.reward
    assert not result.done


def test_classic_gains_and_losses_add_up_to_the_score(bank: TaskSet[TriageTask, TriageKey]) -> None:
    environment = opened(bank)
    wrong = [{**decision, "category": "personal"} for decision in right(bank)]
    first = submit(environment, *right(bank)[:3])
    second = submit(environment, *wrong[:3])
    third = submit(environment, *wrong[3:])
    assert first.reward > 0 > second.reward
    total = first.reward + second.reward + third.reward
    # all ranks and actions right, and the one category that is personal: .6 * 1/5 + .2 + .2 = .52
    assert total == pytest.approx(0.52)
    assert third.observation["reward_so_far"] == pytest.approx(0.52)
    assert environment.owner_view().score.reward == pytest.approx(0.52)


def test_classic_flipping_a_decision_back_and_forth_earns_nothing(bank: TaskSet[TriageTask, TriageKey]) -> None:
    environment = opened(bank)
    good, bad = right(bank)[0], {**right(bank)[0], "category": "work"}
    rewards = [submit(environment, decision).reward for decision in (good, bad, good, bad, good)]
    assert sum(rewards) == pytest.approx(rewards[0])


def test_classic_ends_at_a_perfect_score(bank: TaskSet[TriageTask, TriageKey]) -> None:
    result = submit(opened(bank), *right(bank))
    assert result.terminated
    assert result.stop_reason == "perfect"
    assert result.reward == pytest.approx(1.0)


def test_hardened_says_nothing_before_the_end(bank: TaskSet[TriageTask, TriageKey]) -> None:
    environment = opened(bank, "hardened")
    good = submit(environment, *right(bank))
    bad = submit(environment, *right(bank, category="work"))
    assert good.reward == bad.reward == 0.0
    assert not good.done
    assert "reward" not in good.observation
    assert good.observation["feedback"] == bad.observation["feedback"]
    last = submit(environment, *right(bank), done=True)
    assert (last.reward, last.stop_reason) == (pytest.approx(1.0), "all_decided")


def test_done_with_mails_left_goes_on(bank: TaskSet[TriageTask, TriageKey]) -> None:
    environment = opened(bank, "hardened")
    result = submit(environment, *right(bank)[:4], done=True)
    assert not result.done
    assert result.observation["undecided"] == ["e5"]
    assert submit(environment, right(bank)[4], done=True).stop_reason == "all_decided"


def test_the_last_turn_pays_for_what_is_decided(bank: TaskSet[TriageTask, TriageKey]) -> None:
    environment = opened(bank, "hardened", turns=2)
    submit(environment, *right(bank)[:2])
    result = environment.step({"name": "submit", "arguments": {}})
    assert (result.truncated, result.stop_reason) == (True, "out_of_turns")
    assert result.reward > 0


@pytest.mark.parametrize(
    ("decision", "words"),
    [
        ({"email_id": "e9", "category": "spam", "priority": 1, "action": "read"}, "no mail e9, only e1 to e5"),
        ({"email_id": "e1", "category": "spam", "priority": 8, "action": "read"}, "priorities go from 1 to 5"),
        ({"email_id": "e1", "category": "junk", "priority": 1, "action": "read"}, "category"),
        ({"email_id": "e1", "category": ["spam", "work"], "priority": 1, "action": "read"}, "category"),
    ],
)
@pytest.mark.parametrize(("profile", "price"), [("classic", 0.0), ("hardened", -0.05)])
def test_a_wrong_call_decides_nothing_and_can_be_mended(
    bank: TaskSet[TriageTask, TriageKey], decision: dict[str, Any], words: str, profile: str, price: float
) -> None:
    environment = opened(bank, profile)
    result = submit(environment, right(bank)[1], decision)
    assert result.observation["kind"] == "error"
    assert words in result.observation["error"]
    assert result.reward == pytest.approx(price)
    assert environment.state["decided"] == {}
    assert submit(environment, *right(bank), done=True).done


def test_unreadable_text_is_answered_with_an_example(bank: TaskSet[TriageTask, TriageKey]) -> None:
    result = opened(bank).step(MalformedAction("hm", "there is no JSON object in it"))
    assert '{"name": "submit"' in result.observation["error"]
    assert result.reward == 0.0


def test_of_two_decisions_about_a_mail_the_later_counts(bank: TaskSet[TriageTask, TriageKey]) -> None:
    environment = opened(bank)
    first, second = right(bank)[0], {**right(bank)[0], "category": "work"}
    submit(environment, first, second)
    assert environment.state["decided"]["e1"]["category"] == "work"
    assert environment.state["turns_left"] == 14


def test_long_mail_is_cut_and_the_cut_is_said(bank: TaskSet[TriageTask, TriageKey]) -> None:
    mail = bank.tasks["email-classify"].mails[0]
    long = type(mail)(mail.email_id, "", "a@b.example", mail.subject, mail.received, "x" * (MAX_MAIL_CHARS + 7))
    shown = show_mail(long)
    assert len(shown["text"]) == MAX_MAIL_CHARS
    assert shown["cut_chars"] == 7
    assert shown["from"] == "a@b.example"


def test_an_unknown_profile_and_no_turns_are_refused(bank: TaskSet[TriageTask, TriageKey]) -> None:
    with pytest.raises(UserError, match="classic"):
        make(bank, "soft")
    with pytest.raises(UserError, match="at least one"):
        make(bank, turns=0)
    assert TRIAGE.default_turns == 15
