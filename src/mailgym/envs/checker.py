"""Checks that hold for every environment, whatever its world.

The idea is Gymnasium's: one list of checks, run over everything that is registered. Each check plays episodes
and yields what it found wrong in words; none found is a pass. ``check_environment`` runs them all.

The wall between the two sides is checked twice. First by *exchange*: the same actions are played on the same
tasks with other answer keys, and nothing on the agent's side may differ but the rewards. Second by *walk*:
everything the agent's side hands out is searched for the key's secrets (``spec.secrets``), its field names
and the score's notes.
"""

import json
import math
import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, fields, replace
from itertools import accumulate
from typing import Any

from pydantic import BaseModel, ValidationError

from mailgym.core.episode import Action, AnswerKey, MalformedAction, StepResult, Task
from mailgym.core.errors import EpisodeOver, NotReset, UnknownTask
from mailgym.core.protocols import Environment
from mailgym.core.seeds import stream
from mailgym.envs.base import TaskSet
from mailgym.envs.drawing import draw_action, texts_in
from mailgym.envs.registry import EnvSpec

MAX_TASKS = 8
TOLERANCE = 1e-9
NAMES_ON_BOTH_SIDES = frozenset({"kind", "mailbox", "task_id"})
OWNER_NAMES = frozenset({"score", "note", "notes", "answer_key", "key"})

Choose = Callable[[list[str], random.Random], Action]


@dataclass(frozen=True)
class Case:
    """What is checked: an environment under one profile in one form, on some tasks."""

    spec: EnvSpec
    tasks: TaskSet[Task, AnswerKey]
    profile: str
    turns: int
    seed: int = 0

    def make(self, tasks: TaskSet[Task, AnswerKey] | None = None) -> Environment:
        """Return a fresh environment, over other tasks if given."""
        return self.spec.make(tasks or self.tasks, profile=self.profile, turns=self.turns)

    @property
    def some_ids(self) -> tuple[str, ...]:
        """The tasks that are played."""
        return self.tasks.task_ids[:MAX_TASKS]

    def null(self, texts: list[str], draw: random.Random) -> Action:  # noqa: ARG002 (a Choose)
        """Do nothing."""
        return dict(self.spec.null_action)

    def valid(self, texts: list[str], draw: random.Random) -> Action:
        """Draw a valid action."""
        return draw_action(self.spec.tools(self.turns), texts, draw)

    def wrong(self, texts: list[str], draw: random.Random) -> Action:  # noqa: ARG002 (a Choose)
        """Draw a wrong action."""
        return draw.choice(wrong_actions(self))


@dataclass(frozen=True)
class Played:
    """One episode as the agent's side saw it."""

    opening: dict[str, Any]
    results: tuple[StepResult, ...]
    states: tuple[dict[str, Any], ...]

    @property
    def shown(self) -> list[Any]:
        """Everything that was handed out, rewards aside, those that an observation repeats included."""
        ends = [(r.terminated, r.truncated, r.stop_reason) for r in self.results]
        so_far = accumulate(result.reward for result in self.results)
        observations = [without_rewards(result, total) for result, total in zip(self.results, so_far, strict=True)]
        return [self.opening, observations, list(self.states), ends]


def without_rewards(result: StepResult, reward_so_far: float) -> dict[str, Any]:
    """Return a step's observation without the fields that repeat the step's reward, or the sum of rewards so far.

    A field of that name with another number stays: it is something else that is told.
    """
    repeated = {"reward": result.reward, "reward_so_far": reward_so_far}
    return {
        name: value
        for name, value in result.observation.items()
        if not (name in repeated and isinstance(value, float) and abs(value - repeated[name]) <= TOLERANCE)
    }


def play(case: Case, environment: Environment, task_id: str, choose: Choose) -> Played:
    """Play one episode; what is chosen depends on the case's seed and the task alone."""
    draw = stream(case.seed, "check", task_id)
    opening = environment.reset(task_id, seed=case.seed)
    seen: list[Any] = [opening]
    results: list[StepResult] = []
    states = [environment.state]
    while len(results) <= case.turns:
        results.append(environment.step(choose(list(texts_in(seen)), draw)))
        seen.append(results[-1].observation)
        states.append(environment.state)
        if results[-1].done:
            break
    return Played(opening, tuple(results), tuple(states))


def wrong_actions(case: Case) -> list[Action]:
    """Return actions that no environment may take: unreadable, unnamed, unknown, and each argument of a wrong type."""
    odd: list[Any] = [None, 1.5, [["x"]], {"a": 1}, "\ud800", "x" * 100_000]
    wrong: list[Any] = [
        MalformedAction("I would search.", "there is no JSON object in it"),
        {},
        [],
        None,
        {"name": 7, "arguments": {}},
        {"name": ["search"], "arguments": {}},
        {"name": "no_such_tool", "arguments": {}},
    ]
    not_arguments: list[Any] = [None, [], "text", {"no_such_field": 1}]
    for name, model in case.spec.tools(case.turns).items():
        wrong += [{"name": name, "arguments": value} for value in not_arguments]
        filled = [dict.fromkeys(model.model_fields, value) for value in odd]
        wrong += [{"name": name, "arguments": fields} for fields in filled if not _is_valid(model, fields)]
    wrong.append({**case.spec.null_action, "no_such_field": 1})
    return wrong


def check_data(case: Case) -> Iterator[str]:
    """Observations and states are plain JSON data, and every step's fields have their types."""
    for choose in (case.null, case.valid, case.wrong):
        for task_id in case.some_ids:
            played = play(case, case.make(), task_id, choose)
            for shown in [played.opening, *played.states, *(result.observation for result in played.results)]:
                if not _is_plain(shown):
                    yield f"{task_id}: not plain JSON data: {shown!r:.200}"
            for result in played.results:
                if not isinstance(result.reward, float) or not math.isfinite(result.reward):
                    yield f"{task_id}: a step's reward is {result.reward!r}"


def check_end(case: Case) -> Iterator[str]:
    """An episode ends within its turns, for one reason that has a name, and says so in its state."""
    for choose in (case.null, case.valid, case.wrong):
        for task_id in case.some_ids:
            played = play(case, case.make(), task_id, choose)
            last = played.results[-1]
            if len(played.results) > case.turns or not last.done:
                yield f"{task_id}: not over after {case.turns} turns"
            if last.done and (last.terminated == last.truncated or not last.stop_reason):
                yield f"{task_id}: terminated {last.terminated}, truncated {last.truncated}, {last.stop_reason!r}"
            if any(result.stop_reason is not None for result in played.results[:-1]):
                yield f"{task_id}: a stop reason before the end"
            if played.states[-1].get("done") != last.done or played.states[0].get("done"):
                yield f"{task_id}: the state does not say whether the episode is over"


def check_determinism(case: Case) -> Iterator[str]:
    """The same seed and actions give the same episode, from a fresh environment and from a used one."""
    used = case.make()
    for task_id in case.some_ids:
        first = play(case, case.make(), task_id, case.valid)
        for environment in (case.make(), used, used):
            if play(case, environment, task_id, case.valid) != first:
                yield f"{task_id}: another play of the same actions came out differently"
    for seed in range(3):
        openings = [case.make().reset(seed=seed) for _ in range(2)]
        if openings[0] != openings[1]:
            yield f"seed {seed} did not choose the same task twice"
    if case.make().reset() != case.make().reset(case.tasks.task_ids[0]):
        yield "reset() without a task and a seed did not open the first task"


def check_order(case: Case) -> Iterator[str]:
    """Calls out of order raise the errors of the contract, and leave the environment usable."""
    environment = case.make()
    null = dict(case.spec.null_action)
    yield from _expect(NotReset, lambda: environment.step(null), "a step before reset()")
    yield from _expect(NotReset, environment.owner_view, "owner_view() before reset()")
    yield from _expect(UnknownTask, lambda: environment.reset("no such task"), "reset() with an unknown id")
    play(case, environment, case.some_ids[0], case.null)
    before = environment.owner_view()
    yield from _expect(EpisodeOver, lambda: environment.step(null), "a step after the end")
    if environment.owner_view() != before:
        yield "a step after the end changed the score"
    if environment.reset(case.some_ids[0]) != case.make().reset(case.some_ids[0]):
        yield "reset() after the end does not open the task as at first"


def check_wrong_actions(case: Case) -> Iterator[str]:
    """A wrong action is answered by an error observation and costs, or pays what the spec allows."""
    most = case.spec.wrong_rewards.get(case.profile)
    for action in wrong_actions(case):
        environment = case.make()
        environment.reset(case.some_ids[0])
        try:
            result = environment.step(action)
        except Exception as error:
            yield f"{action!r:.120} raised {type(error).__name__}: {error}"
            continue
        if result.observation.get("kind") != "error" or not result.observation.get("error"):
            yield f"{action!r:.120} was answered by {result.observation!r:.120}, which is no error"
        if result.reward >= 0 if most is None else result.reward > most + TOLERANCE:
            yield f"{action!r:.120} has no price: its reward is {result.reward}"


def check_rewards(case: Case) -> Iterator[str]:
    """Step rewards add up to the score, and doing nothing is worth 0, or what the spec says of a document's reward."""
    idle = case.spec.null_rewards.get(case.profile, 0.0)
    for choose in (case.null, case.valid, case.wrong):
        for task_id in case.some_ids:
            environment = case.make()
            total = sum(result.reward for result in play(case, environment, task_id, choose).results)
            scored = environment.owner_view().score.reward
            if abs(total - scored) > TOLERANCE:
                yield f"{task_id}: step rewards add up to {total}, the score to {scored}"
            if choose == case.null and abs(total - idle) > TOLERANCE:
                yield f"{task_id}: doing nothing is worth {total}, not {idle}"


def check_exchange(case: Case) -> Iterator[str]:
    """With other answer keys, the same actions show the agent the same things."""
    ids = case.tasks.task_ids
    if len(ids) < 2:
        yield "the exchange of keys needs at least two tasks"
        return
    following = dict(zip(ids, [*ids[1:], ids[0]], strict=True))
    keys = {task_id: replace(case.tasks.keys[other], task_id=task_id) for task_id, other in following.items()}
    exchanged = replace(case.tasks, keys=keys)
    for choose in (case.null, case.valid, case.wrong):
        for task_id in case.some_ids:
            one = play(case, case.make(), task_id, choose).shown
            if play(case, case.make(exchanged), task_id, choose).shown != one:
                yield f"{task_id}: what the agent is shown depends on the answer key"


def check_walk(case: Case) -> Iterator[str]:
    """No secret, key field or score note is on the agent's side, unless the world itself handed the text out."""
    for task_id in case.some_ids:
        key = case.tasks.keys[task_id]
        task_fields = {field.name for field in fields(case.tasks.tasks[task_id])}
        names = {field.name for field in fields(key)} - task_fields - NAMES_ON_BOTH_SIDES | OWNER_NAMES
        for choose in (case.null, case.valid, case.wrong):
            environment = case.make()
            played = play(case, environment, task_id, choose)
            notes = {part.note for part in environment.owner_view().score.parts if len(part.note) > 3}
            retrieves = choose == case.valid
            for where, shown in _handed_out(environment, played):
                found = names & set(_names_in(shown))
                if found:
                    yield f"{task_id}: {where} has the owner's fields {sorted(found)}"
                hidden = notes | (set() if retrieves and where == "an answer" else set(case.spec.secrets(key)))
                leaked = [text for text in texts_in(shown) for secret in hidden if secret in text]
                if leaked:
                    yield f"{task_id}: {where} leaks {leaked[0]!r:.200}"


CHECKS: dict[str, Callable[[Case], Iterator[str]]] = {
    check.__name__.removeprefix("check_"): check
    for check in (
        check_data,
        check_end,
        check_determinism,
        check_order,
        check_wrong_actions,
        check_rewards,
        check_exchange,
        check_walk,
    )
}


def check_environment(case: Case) -> list[str]:
    """Run every check and return what was found wrong, each with the name of its check; empty for a pass."""
    return [f"{name}: {problem}" for name, check in CHECKS.items() for problem in check(case)]


def _handed_out(environment: Environment, played: Played) -> Iterator[tuple[str, Any]]:
    """Walk through all that the agent's side gave, before, during and after the end, error texts included."""
    yield "the opening", played.opening
    for state in played.states:
        yield "the state", state
    for result in played.results:
        is_error = result.observation.get("kind") == "error"
        yield ("an error" if is_error else "an answer"), result.observation
        yield "a stop reason", result.stop_reason
    for call in (lambda: environment.step({}), lambda: environment.reset("no such task")):
        try:
            call()
        except (EpisodeOver, UnknownTask) as error:
            yield "an exception", str(error)
    yield "the state", environment.state


def _is_valid(model: type[BaseModel], arguments: dict[str, Any]) -> bool:
    try:
        model.model_validate(arguments)
    except ValidationError:
        return False
    return True


def _names_in(value: Any) -> Iterator[str]:
    if isinstance(value, Mapping):
        yield from map(str, value)
        for item in value.values():
            yield from _names_in(item)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _names_in(item)


def _is_plain(value: Any) -> bool:
    try:
        return bool(json.loads(json.dumps(value, allow_nan=False)) == value) and isinstance(value, dict)
    except (TypeError, ValueError):
        return False


def _expect(error: type[Exception], call: Callable[[], object], what: str) -> Iterator[str]:
    try:
        call()
    except error as raised:
        if len(str(raised)) < 10:
            yield f"{what}: {error.__name__} does not say what to do next"
    except Exception as raised:
        yield f"{what} raised {type(raised).__name__}, not {error.__name__}"
    else:
        yield f"{what} was not refused: {error.__name__} is due"
