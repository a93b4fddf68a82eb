from dataclasses import replace
from typing import Any

from mailgym.core.episode import Decision, Failure, MalformedAction, Step, StepResult, Trajectory
from mailgym.rollout.log_lines import openenv_lines

ACTION = {"email_actions": [{"email_id": "e1", "category": "spam", "priority": 5, "action": "delete"}]}


def played(*steps: Step, reward: float | None, failure: Failure | None = None) -> Trajectory:
    return Trajectory("triage", "my model", "email-classify", steps, "perfect", reward, None, failure)


def step(action: Any, reward: float, done: bool = False, **observation: Any) -> Step:
    result = StepResult({"kind": "feedback", **observation}, reward, terminated=done)
    return Step({}, Decision(action), result)


def test_the_lines_are_the_documents() -> None:
    episode = played(step(ACTION, 0.64), step({"done": True}, 0.36, done=True), reward=1.0)
    assert openenv_lines(replace(episode, agent="Qwen/Qwen2.5-72B-Instruct"), "email-triage") == [
        "[START] task=email-classify env=email-triage model=Qwen/Qwen2.5-72B-Instruct",
        '[STEP] step=1 action={"email_actions":[{"email_id":"e1","category":"spam","priority":5,"action":"delete"}]} '
        "reward=0.64 done=false error=null",
        '[STEP] step=2 action={"done":true} reward=0.36 done=true error=null',
        "[END] success=true steps=2 score=1.000 rewards=0.64,0.36",
    ]


def test_an_error_is_told_in_one_line_and_half_a_score_is_success() -> None:
    error = step(MalformedAction("I would\nrather not", "no JSON"), 0.0, kind="error", error="No call.\nTry again.")
    lines = openenv_lines(played(error, step(ACTION, 0.5, done=True), reward=0.5), "x")
    assert lines[0] == "[START] task=email-classify env=x model=my_model"
    assert lines[1] == ('[STEP] step=1 action="I would\\nrather not" reward=0.00 done=false error=No call. Try again.')
    assert lines[-1] == "[END] success=true steps=2 score=0.500 rewards=0.00,0.50"
    assert not any("\n" in line for line in lines)


def test_a_loss_keeps_its_sign_and_nothing_has_none() -> None:
    lines = openenv_lines(played(step(ACTION, -0.25), step(ACTION, -0.001, done=True), reward=-0.251), "x")
    assert lines[-1] == "[END] success=false steps=2 score=-0.251 rewards=-0.25,0.00"


def test_a_failure_says_why_and_is_no_success() -> None:
    failed = Step({}, Decision(None, failure=Failure("model", "out of service")), None)
    lines = openenv_lines(played(failed, reward=None, failure=Failure("model", "out of service")), "x")
    assert lines[1] == "[STEP] step=1 action=null reward=0.00 done=true error=out of service"
    assert lines[2] == "[END] success=false steps=1 score=0.000 rewards=0.00"
