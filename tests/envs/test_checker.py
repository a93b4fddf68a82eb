"""Every registered environment passes every check, and every check finds what it is there for."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import count
from typing import Any

import pytest

from mailgym.core.episode import Action, StepResult
from mailgym.core.errors import EpisodeOver, NotReset, UnknownTask
from mailgym.core.protocols import OwnerView
from mailgym.core.score import Part, Score
from mailgym.envs.base import PROFILES, TaskSet
from mailgym.envs.checker import CHECKS, Case, Played, check_environment, without_rewards
from mailgym.envs.drawn import OWN_TASKS
from mailgym.envs.registry import all_specs, get_spec
from mailgym.envs.search.tasks import SearchKey, SearchTask

FORMS = [(spec.id, profile, turns) for spec in all_specs() for profile in PROFILES for turns in (*spec.turn_forms, 3)]


@pytest.mark.parametrize(("env_id", "profile", "turns"), FORMS)
@pytest.mark.parametrize("check", CHECKS)
def test_environment_passes(env_id: str, profile: str, turns: int, check: str, request: pytest.FixtureRequest) -> None:
    spec = get_spec(env_id)
    own = None if spec.needs_mail else spec.load_tasks(OWN_TASKS, "validation", 6, 0)
    tasks = own or request.getfixturevalue(f"{env_id}_tasks")
    assert list(CHECKS[check](Case(spec, tasks, profile, turns, seed=3))) == []


def test_check_environment_runs_every_check(small_tasks: TaskSet[SearchTask, SearchKey]) -> None:
    assert check_environment(Case(get_spec("find"), small_tasks, "hardened", 10)) == []
    broken = replace(get_spec("find"), make=lambda *_, **__: Broken(small_tasks, "raises on wrong actions"))
    found = check_environment(Case(broken, small_tasks, "hardened", 2))
    assert {problem.split(":")[0] for problem in found} >= {"wrong_actions"}


@dataclass
class Broken:
    """An environment that does everything right but the one thing that ``flaw`` names."""

    tasks: TaskSet[Any, Any]
    flaw: str
    number: int = 0
    episodes: int = 0
    task_id: str | None = None
    reward: float = 0.0
    over: bool = False
    step_count: int = 0

    @property
    def task_ids(self) -> tuple[str, ...]:
        return self.tasks.task_ids

    def reset(self, task_id: str | None = None, seed: int | None = None) -> dict[str, Any]:
        if task_id is not None and task_id not in self.tasks.tasks:
            raise UnknownTask(f"no task {task_id}: choose another")
        self.episodes += 1
        self.task_id = task_id or self.tasks.task_ids[0]
        if self.flaw == "forgets the seed" and task_id is None and seed is not None:
            self.task_id = self.tasks.task_ids[self.number % 2]
        self.over, self.reward, self.step_count = False, 0.0, 0
        opening: dict[str, Any] = {"kind": "question", "text": self.tasks.tasks[self.task_id].question}
        if self.flaw == "counts episodes":
            opening["episode"] = self.episodes
        if self.flaw == "leaks an id":
            opening["hint"] = f"it is {self.tasks.keys[self.task_id].message_ids[0]}"
        if self.flaw == "leaks a key field":
            opening["facts"] = "a name of the owner's side"
        if self.flaw == "not plain":
            opening["set"] = {1, 2}
        return opening

    def step(self, action: Action) -> StepResult:
        if self.task_id is None and self.flaw != "plays before reset":
            raise NotReset("call reset() first")
        if self.over and self.flaw != "plays after the end":
            raise EpisodeOver("it is over: call reset()")
        if self.flaw == "raises on wrong actions" and not isinstance(action, dict):
            raise TypeError("what is this")
        return self._played(action)

    def _played(self, action: Action) -> StepResult:
        null = get_spec("find").null_action
        wrong = not (isinstance(action, dict) and action == null)
        price = 0.0 if self.flaw == "wrong actions are free" else -0.1 * wrong
        if self.flaw == "pays for nothing":
            price += 1.0
        self.reward += price + (0.5 if self.flaw == "rewards do not add up" else 0.0)
        self.over = self.flaw != "never ends"
        observation: dict[str, Any] = {"kind": "error", "error": "do it better"} if wrong else {"kind": "end"}
        if self.flaw == "shows the note":
            observation["text"] = "so it went: the note of the score"
        if self.flaw == "depends on the key" and self.task_id is not None:
            observation["length"] = len(self.tasks.keys[self.task_id].template)
        if self.flaw == "errors without words":
            observation["error"] = ""
        both = self.flaw == "two ends"
        return StepResult(observation, price, self.over, both, "answered" if self.over else None)

    @property
    def state(self) -> dict[str, Any]:
        return {"task_id": self.task_id, "done": self.over and self.flaw != "state is silent"}

    def owner_view(self) -> OwnerView:
        if self.task_id is None:
            raise NotReset("call reset() first")
        return OwnerView(Score((Part("all", self.reward, 1.0, "the note of the score"),)), {}, {})


FLAWS = {
    "forgets the seed": "determinism",
    "counts episodes": "determinism",
    "leaks an id": "walk",
    "leaks a key field": "walk",
    "shows the note": "walk",
    "depends on the key": "exchange",
    "not plain": "data",
    "plays before reset": "order",
    "plays after the end": "order",
    "raises on wrong actions": "wrong_actions",
    "wrong actions are free": "wrong_actions",
    "errors without words": "wrong_actions",
    "pays for nothing": "rewards",
    "rewards do not add up": "rewards",
    "never ends": "end",
    "two ends": "end",
    "state is silent": "end",
}


def _find(check: str, flaw: str, tasks: TaskSet[SearchTask, SearchKey]) -> Iterator[str]:
    different = {k: replace(key, template=key.template + "x" * n) for n, (k, key) in enumerate(tasks.keys.items())}
    tasks = replace(tasks, keys=different)
    numbers = count()
    spec = replace(get_spec("find"), make=lambda some, **_: Broken(some, flaw, next(numbers)))
    return CHECKS[check](Case(spec, tasks, "hardened", 2))


@pytest.mark.parametrize(("flaw", "check"), FLAWS.items())
def test_check_finds_its_flaw(flaw: str, check: str, small_tasks: TaskSet[SearchTask, SearchKey]) -> None:
    assert list(_find(check, flaw, small_tasks)) != []


@pytest.mark.parametrize("check", CHECKS)
def test_checks_pass_what_has_no_flaw(check: str, small_tasks: TaskSet[SearchTask, SearchKey]) -> None:
    assert list(_find(check, "none", small_tasks)) == []


def test_rewards_that_an_observation_repeats_are_left_out_of_what_was_shown() -> None:
    told = {"kind": "feedback", "reward": 0.25, "reward_so_far": 0.75}
    results = (StepResult({"reward": 0.5, "reward_so_far": 0.5}, 0.5), StepResult(told, 0.25, terminated=True))
    assert Played({}, results, ()).shown[1] == [{}, {"kind": "feedback"}]
    other = StepResult({**told, "reward": 0.26, "reward_so_far": "0.75"}, 0.25)
    assert without_rewards(other, 0.75) == {"kind": "feedback", "reward": 0.26, "reward_so_far": "0.75"}


def test_exchange_needs_two_tasks(small_tasks: TaskSet[SearchTask, SearchKey]) -> None:
    one = small_tasks.task_ids[0]
    single = replace(small_tasks, tasks={one: small_tasks.tasks[one]}, keys={one: small_tasks.keys[one]})
    assert list(CHECKS["exchange"](Case(get_spec("find"), single, "hardened", 1))) != []
