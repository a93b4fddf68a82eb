import json

import pytest

from mailgym.core.episode import (
    Decision,
    Failure,
    Generation,
    MalformedAction,
    Step,
    StepResult,
    Trajectory,
    is_deeper,
)
from mailgym.core.score import Part, Score


@pytest.mark.parametrize(("terminated", "truncated"), [(False, False), (True, False), (False, True)])
def test_an_episode_is_done_when_it_terminated_or_was_cut(terminated: bool, truncated: bool) -> None:
    assert StepResult({}, 0.0, terminated, truncated).done is (terminated or truncated)


def test_a_trajectory_survives_json() -> None:
    steps = (
        Step({"q": "who"}, Decision({"name": "search", "arguments": {}}, "a"), StepResult({"r": [1]}, 0.0)),
        Step(
            {"r": [1]},
            Decision(MalformedAction("{", "no JSON"), "{", Generation((1,), (2, 3), (-0.1, -0.2), (0.5, 0.6), False)),
            StepResult({"error": "x"}, -0.1, truncated=True, stop_reason="out_of_turns"),
        ),
    )
    whole = Trajectory(
        "find", "model", "t", steps, "out_of_turns", -0.1, Score((Part("bad", 1.0, -0.1, "why"),)), key={"kind": "k"}
    )
    assert Trajectory.from_json(json.loads(json.dumps(whole.to_json()))) == whole


def test_a_failure_survives_json_with_no_reward_and_no_score() -> None:
    step = Step({}, Decision(None, failure=Failure("model", "down")), None)
    failed = Trajectory("find", "model", "t", (step,), "failed", None, None, Failure("model", "down"))
    again = Trajectory.from_json(json.loads(json.dumps(failed.to_json())))
    assert again == failed
    assert again.reward is None


@pytest.mark.parametrize("value", [5, {"text": "a"}, {"text": "a", "reason": "b", "more": 1}])
def test_an_action_that_looks_like_a_malformed_one_stays_an_action(value: object) -> None:
    step = Step({}, Decision({"malformed": value}), StepResult({}, 0.0, terminated=True, stop_reason="end"))
    played = Trajectory("find", "model", "t", (step,), "end", 0.0, Score(()))
    assert Trajectory.from_json(json.loads(json.dumps(played.to_json()))) == played


def test_how_deep_data_is_nested() -> None:
    assert not is_deeper({"a": [1, {"b": ()}]}, 4)
    assert is_deeper({"a": [1, {"b": 2}]}, 2)
    assert not is_deeper({"a": [1, {"b": 2}]}, 3)
    assert not is_deeper("text", 0)
    deep: list[object] = []
    for _ in range(100_000):
        deep = [deep]
    assert is_deeper(deep, 32)
