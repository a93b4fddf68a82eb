import io
import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import pytest
from rich.console import Console

from mailgym.core.episode import Action, Decision, Failure, StepResult, Trajectory, Turn
from mailgym.core.errors import UnknownTask
from mailgym.core.protocols import OwnerView
from mailgym.core.score import Part, Score
from mailgym.evaluate.benchmark import BenchmarkTable, benchmark, format_interval, reciprocal_rank, tabulate

TASKS = [f"t{number}" for number in range(8)]


class Guess:
    """A world of one step: the action's number is the reciprocal rank's denominator."""

    task_ids: Sequence[str] = TASKS

    def reset(self, task_id: str | None = None, seed: int | None = None) -> dict[str, Any]:
        if task_id not in TASKS:
            raise UnknownTask(f"no task {task_id}")
        self._task, self._value = str(task_id), 0.0
        return {"question": task_id}

    def step(self, action: Action) -> StepResult:
        assert isinstance(action, dict)
        self._value = 1 / action["rank"] if action["rank"] else 0.0
        return StepResult({}, self._value, terminated=True, stop_reason="answered")

    @property
    def state(self) -> dict[str, Any]:
        return {}

    def owner_view(self) -> OwnerView:
        key = {"template": f"form-{int(self._task[1:]) % 4}", "mailbox": f"box-{int(self._task[1:]) // 4}"}
        return OwnerView(Score((Part("reciprocal_rank", self._value, 1.0),)), {"id": self._task}, key)


class Fixed:
    """An agent that always answers the same, and fails on the tasks it is told to."""

    def __init__(self, name: str, rank: int, fails_on: Sequence[str] = ()) -> None:
        self.name = name
        self._rank, self._fails_on = rank, fails_on

    def act(self, turns: Sequence[Turn]) -> list[Decision]:
        return [
            Decision(None, failure=Failure("model", "down"))
            if turn.observation["question"] in self._fails_on
            else Decision({"rank": self._rank}, "guess", usage={"completion_tokens": 7.0})
            for turn in turns
        ]


def _run(*agents: Fixed, **options: Any) -> BenchmarkTable:
    return benchmark(Guess, agents, TASKS, env_id="guess", **options)


def test_every_agent_plays_every_task_and_the_figures_are_those_worked_out_by_hand() -> None:
    kept: list[Trajectory] = []
    progress: dict[str, int] = {}
    table = _run(
        Fixed("second", 2),
        Fixed("never", 0),
        on_trajectory=kept.append,
        progress=lambda name, count: progress.__setitem__(name, progress.get(name, 0) + count),
    )
    second, never = table.rows
    assert second.reward is not None
    assert never.reward is not None
    assert (second.reward.mean, second.hit_at_1, second.found_at_10) == (0.5, 0.0, 1.0)
    assert (never.reward.mean, never.hit_at_1, never.found_at_10) == (0.0, 0.0, 0.0)
    assert second.reward.clusters == (4, 2)
    assert second.means["completion_tokens"] == 7.0
    assert second.means["turns"] == 1.0
    assert second.stop_reasons == {"answered": 8}
    assert second.parts == {"reciprocal_rank": 0.5}
    assert progress == {"second": 8, "never": 8}
    assert [t.agent for t in kept] == ["second"] * 8 + ["never"] * 8
    assert "8 tasks" in table.header
    assert "clustered by template and mailbox (4 × 2 clusters)" in table.header


def test_failures_are_left_out_of_the_mean_and_shown() -> None:
    table = _run(Fixed("shaky", 1, fails_on=["t1", "t5"]))
    (row,) = table.rows
    assert row.failures == {"model": 2}
    assert row.reward is not None
    assert (row.reward.mean, row.reward.n, row.episodes) == (1.0, 6, 8)
    assert "failed episodes are left out of the mean" in table.header
    assert row.stop_reasons == {"answered": 6, "failed": 2}


def test_failures_count_as_a_stated_reward_only_when_asked() -> None:
    table = _run(Fixed("shaky", 1, fails_on=["t1", "t5"]), failed_reward=0.0)
    assert table.rows[0].reward is not None
    assert table.rows[0].reward.mean == 0.75
    assert "failed episodes count 0 in the mean" in table.header


def test_an_agent_that_always_fails_has_no_mean() -> None:
    table = _run(Fixed("dead", 1, fails_on=TASKS))
    assert table.rows[0].reward is None
    assert table.rows[0].hit_at_1 is None
    assert "every episode failed" in table.header
    assert table.to_json()["rows"][0]["reward"] is None


def test_the_table_prints_and_is_plain_data() -> None:
    table = _run(Fixed("second", 2), Fixed("shaky", 1, fails_on=["t1"]))
    console = Console(file=io.StringIO(), width=160)
    console.print(table.to_rich())
    text = console.file.getvalue()  # type: ignore[attr-defined]
    assert "0.500 [0.500, 0.500]" in text
    assert "1 of 8 (1 model)" in text
    assert json.loads(json.dumps(table.to_json()))["rows"][1]["failures"] == {"model": 1}


def test_samples_are_episodes_of_their_own() -> None:
    table = _run(Fixed("a", 1), samples=3)
    assert table.rows[0].episodes == 24
    assert table.tasks == 8


def test_wrong_questions_are_refused() -> None:
    with pytest.raises(ValueError, match="at least one task"):
        benchmark(Guess, [Fixed("a", 1)], [], env_id="guess")
    with pytest.raises(ValueError, match="two agents are named a"):
        _run(Fixed("a", 1), Fixed("a", 2))


def test_a_rubric_that_ranks_nothing_has_no_hits(make_trajectory: Callable[..., Trajectory]) -> None:
    unranked = replace(make_trajectory(0, "a", 1), score=Score((Part("helpful", 1.0, 1.0),)))
    assert reciprocal_rank(unranked) is None
    (row,) = tabulate({"a": [unranked]}, env_id="reply").rows
    assert row.hit_at_1 is None
    assert "by question" in tabulate({"a": [unranked]}, env_id="reply").header


def test_no_interval_is_a_dash() -> None:
    assert format_interval(None) == "–"
