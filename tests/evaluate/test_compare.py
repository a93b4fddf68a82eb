from collections.abc import Callable

import pytest

from mailgym.core.episode import Failure, Trajectory
from mailgym.evaluate.compare import by_kind, compare, compare_all

Make = Callable[..., Trajectory]


def _play(make: Make, agent: str, ranks: list[int]) -> list[Trajectory]:
    return [make(task, agent, rank) for task, rank in enumerate(ranks)]


def test_pairs_are_of_one_task_whatever_the_order(make_trajectory: Make) -> None:
    before = _play(make_trajectory, "old", [2, 0, 1, 4])
    after = _play(make_trajectory, "new", [1, 1, 2, 4])[::-1]
    comparison = compare(before, after)
    assert [pair.difference for pair in comparison.pairs] == [0.5, 1.0, -0.5, 0.0]
    assert comparison.difference is not None
    assert comparison.difference.interval.mean == 0.25
    assert comparison.counts() == (2, 1, 1)
    assert [pair.before.task_id for pair in comparison.most_improved()] == ["q1", "q0"]
    assert [pair.before.task_id for pair in comparison.most_worsened()] == ["q2"]
    assert comparison.most_improved(1)[0].after.agent == "new"
    figures = comparison.to_json()
    assert (figures["gained"], figures["same"], figures["lost"], figures["left_out"]) == (2, 1, 1, 0)


def test_a_failure_leaves_its_pair_out_and_is_counted(make_trajectory: Make) -> None:
    down = Failure("model", "down")
    before = [make_trajectory(0, "old", 1), make_trajectory(1, "old", 0), make_trajectory(2, "old", 1, failure=down)]
    after = [make_trajectory(0, "new", 1, failure=down), make_trajectory(1, "new", 1), make_trajectory(3, "new", 1)]
    comparison = compare(before, after)
    assert [pair.before.task_id for pair in comparison.pairs] == ["q1"]
    assert comparison.left_out == 3
    counted = compare(before, after, failed_reward=0.0)
    assert [(pair.before.task_id, pair.difference) for pair in counted.pairs] == [("q0", -1.0), ("q1", 1.0)]
    assert counted.left_out == 2


def test_no_pairs_no_difference(make_trajectory: Make) -> None:
    comparison = compare(_play(make_trajectory, "old", [1]), [])
    assert comparison.difference is None
    assert comparison.to_json()["difference"] is None
    assert comparison.left_out == 1


def test_two_episodes_of_one_task_and_sample_are_refused(make_trajectory: Make) -> None:
    twice = [make_trajectory(0, "old", 1), make_trajectory(0, "old", 2)]
    with pytest.raises(ValueError, match="old has two episodes of task q0 sample 0"):
        compare(twice, twice, names=("old", "new"))


def test_several_comparisons_are_adjusted_together(make_trajectory: Make) -> None:
    trained = _play(make_trajectory, "trained", [1] * 24)
    others = {
        "null": _play(make_trajectory, "null", [0] * 24),
        "half": _play(make_trajectory, "half", [1, 2] * 12),
        "nothing": [],
    }
    compared = compare_all(trained, others, name="trained")
    assert [comparison.before for comparison, _ in compared] == ["null", "half", "nothing"]
    (null, null_p), (half, half_p), (nothing, nothing_p) = compared
    assert null.difference is not None
    assert half.difference is not None
    assert null.difference.interval.mean == 1.0
    assert null.difference.p_value == 2 / 2**12  # twelve templates, all differences one way
    assert null_p == 2 * null.difference.p_value
    assert half.difference.interval.mean == 0.25
    assert half_p is not None
    assert half_p >= half.difference.p_value
    assert (nothing.difference, nothing_p) == (None, None)


def test_kinds_come_in_order_and_none_is_lost(make_trajectory: Make) -> None:
    kinds = by_kind(_play(make_trajectory, "a", [1] * 8))
    assert {kind: len(episodes) for kind, episodes in kinds.items()} == {
        "date": 2,
        "many": 2,
        "person": 2,
        "superseded": 2,
    }
    bare = Trajectory("find", "a", "t", (), "failed", None, None, Failure("environment", "x"))
    assert list(by_kind([bare])) == ["unknown"]
