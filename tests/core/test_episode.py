import json

import pytest

from mailgym.core.episode import Decision, Failure, Generation, MalformedAction, Step, StepResult, Trajectory
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
