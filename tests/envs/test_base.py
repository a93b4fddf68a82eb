"""The life cycle that every environment shares, on a world of three lines."""

from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from mailgym.core.episode import Action, AnswerKey, Task
from mailgym.core.errors import EpisodeOver, NotReset, UnknownTask, UserError
from mailgym.core.score import Part, Score
from mailgym.envs.base import Outcome, TaskSet, World, WorldEnvironment, check_profile, plain


@dataclass(frozen=True, slots=True)
class DayTask(Task):
    day: date


class Counting(World[DayTask, list[int]]):
    """Each step adds the number it is given; it ends at three."""

    def __init__(self) -> None:
        self.numbers: list[int] = []

    def opening(self, task: DayTask, seed: int) -> dict[str, Any]:
        self.numbers = []
        return {"kind": "start", "day": task.day.isoformat(), "seed": seed}

    def play(self, action: Action) -> Outcome:
        assert isinstance(action, dict)
        self.numbers.append(action["number"])
        count = len(self.numbers)
        return Outcome({"kind": "count", "count": count}, terminated=count == 3, truncated=action["number"] == 9)

    @property
    def facts(self) -> list[int]:
        return self.numbers


class SumRubric:
    def score(self, facts: list[int], key: AnswerKey) -> Score:
        return Score((Part("sum", float(sum(facts)), 0.1, f"of {key.kind}"),))


def _tasks(*ids: str) -> TaskSet[DayTask, AnswerKey]:
    tasks = {name: DayTask(name, date(2025, 3, 4)) for name in ids}
    return TaskSet("test", Path("store"), tasks, {name: AnswerKey(name, "t", "m", "secret") for name in ids})


@pytest.fixture
def environment() -> WorldEnvironment[DayTask, AnswerKey, list[int]]:
    return WorldEnvironment(Counting(), _tasks("a", "b", "c"), SumRubric())


Env = WorldEnvironment[DayTask, AnswerKey, list[int]]


def test_an_episode_from_reset_to_end(environment: Env) -> None:
    assert environment.state == {"task_id": None, "steps": 0, "done": False, "stop_reason": None}
    assert environment.reset("b", seed=5) == {"kind": "start", "day": "2025-03-04", "seed": 5}
    rewards = [environment.step({"number": number}).reward for number in (1, 2)]
    last = environment.step({"number": 4})
    # rewards 0.1, 0.2, 0.4: the steps of a score of 0.7
    assert [*rewards, last.reward] == pytest.approx([0.1, 0.2, 0.4])
    assert environment.owner_view().score.reward == pytest.approx(0.7)
    assert (last.terminated, last.truncated, last.stop_reason) == (True, False, "terminated")
    assert environment.state == {"task_id": "b", "steps": 3, "done": True, "stop_reason": "terminated"}


def test_truncation_gets_a_name_of_its_own(environment: Env) -> None:
    environment.reset()
    result = environment.step({"number": 9})
    assert (result.terminated, result.truncated, result.stop_reason) == (False, True, "truncated")


def test_calls_out_of_order(environment: Env) -> None:
    with pytest.raises(NotReset, match="reset"):
        environment.step({"number": 1})
    with pytest.raises(NotReset, match="reset"):
        environment.owner_view()
    environment.reset()
    environment.step({"number": 9})
    with pytest.raises(EpisodeOver, match="truncated"):
        environment.step({"number": 1})
    environment.reset()
    assert environment.step({"number": 2}).reward == pytest.approx(0.2)


def test_which_task(environment: Env) -> None:
    assert list(environment.task_ids) == ["a", "b", "c"]
    environment.reset()
    assert environment.state["task_id"] == "a"
    chosen = set()
    for seed in range(20):
        environment.reset(seed=seed)
        first = environment.state["task_id"]
        environment.reset(seed=seed)
        assert environment.state["task_id"] == first
        chosen.add(first)
    assert chosen == {"a", "b", "c"}
    with pytest.raises(UnknownTask, match="begin with a, b, c"):
        environment.reset("z")


def test_owner_view_is_plain_data(environment: Env) -> None:
    environment.reset("c")
    view = environment.owner_view()
    assert view.task == {"id": "c", "day": "2025-03-04"}
    assert view.key == {"task_id": "c", "template": "t", "mailbox": "m", "kind": "secret"}
    assert view.score.parts[0].note == "of secret"


def test_a_reset_that_fails_leaves_no_episode(environment: Env, monkeypatch: pytest.MonkeyPatch) -> None:
    environment.reset()

    def fail(*_: object) -> dict[str, Any]:
        raise UserError("the mailbox is gone")

    monkeypatch.setattr(Counting, "opening", fail)
    with pytest.raises(UserError):
        environment.reset("b")
    with pytest.raises(NotReset):
        environment.step({"number": 1})


def test_a_task_set_needs_tasks_and_their_keys() -> None:
    with pytest.raises(UserError, match="no tasks"):
        TaskSet("test", Path("store"), {}, {})
    with pytest.raises(UserError, match="do not belong together"):
        TaskSet("test", Path("store"), _tasks("a").tasks, _tasks("b").keys)
    assert len(_tasks("a", "b")) == 2
    assert "secret" not in repr(_tasks("a"))


def test_plain_keeps_structure() -> None:
    @dataclass(frozen=True, slots=True)
    class Odd(Task):
        pairs: tuple[tuple[str, int], ...]
        by_name: dict[str, date]

    odd = Odd("x", (("a", 1),), {"b": date(2025, 1, 2)})
    assert plain(odd) == {"id": "x", "pairs": [["a", 1]], "by_name": {"b": "2025-01-02"}}


def test_profiles() -> None:
    check_profile("classic")
    with pytest.raises(UserError, match="classic, hardened"):
        check_profile("soft")
