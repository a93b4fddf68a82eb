"""The optimiser finds what a reward pays for, and what it found is measured on other tasks."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

import pytest

from mailgym.core.episode import Action, AnswerKey, Decision, Task, Turn
from mailgym.core.errors import StoreError, UserError
from mailgym.core.score import Part, Score
from mailgym.envs.base import Outcome, TaskSet, World, WorldEnvironment
from mailgym.envs.calls import BadCall, ToolArguments, read_call
from mailgym.envs.registry import EnvSpec, get_spec
from mailgym.evaluate.redteam import RedTeamReport, red_team
from mailgym.evaluate.templates import search_templates


class Reply(ToolArguments):
    label: Literal["spam", "work", "family"]
    text: str


class Skip(ToolArguments):
    pass


TOOLS: dict[str, type[ToolArguments]] = {"reply": Reply, "skip": Skip}


@dataclass(frozen=True, slots=True)
class Mail(Task):
    text: str


class Farm(World[Mail, dict[str, Any]]):
    """One reply a mail; the rubric pays for the label ``work`` and for the word ``budget``, whatever the mail says."""

    def opening(self, task: Mail, seed: int) -> dict[str, Any]:
        self._facts: dict[str, Any] = {}
        return {"kind": "mail", "task_id": task.id, "body": task.text}

    @property
    def facts(self) -> dict[str, Any]:
        return self._facts

    def play(self, action: Action) -> Outcome:
        call = read_call(action, TOOLS, "write it")
        if isinstance(call, BadCall):
            return Outcome({"kind": "error", "error": call.error}, True)
        self._facts = call.arguments.model_dump()
        return Outcome({"kind": "end"}, True)


class Farmed:
    """A rubric that form can farm."""

    def score(self, facts: dict[str, Any], key: AnswerKey) -> Score:
        soup = "budget" in facts.get("text", "").lower()
        return Score((Part("label", float(facts.get("label") == "work"), 0.4), Part("soup", float(soup), 0.6)))


class Sound:
    """A rubric that pays for the key's own word alone."""

    def score(self, facts: dict[str, Any], key: AnswerKey) -> Score:
        return Score((Part("right", float(facts.get("text") == key.kind), 1.0),))


class Player:
    def __init__(self, name: str, say: Callable[[str], str]) -> None:
        self.name, self._say = name, say

    def act(self, turns: Any) -> list[Decision]:
        return [self._decide(turn) for turn in turns]

    def _decide(self, turn: Turn) -> Decision:
        text = self._say(turn.observation["task_id"])
        return Decision({"name": "reply", "arguments": {"label": "work", "text": text}})


def tasks(split: str, count: int = 12) -> TaskSet[Mail, AnswerKey]:
    mails = {f"{split}-{number}": Mail(f"{split}-{number}", f"The budget {number} is due.") for number in range(count)}
    keys = {name: AnswerKey(name, "form", "", f"secret {name} budget") for name in mails}
    return TaskSet(split, Path("nowhere"), mails, keys)


def spec_of(rubric: Any) -> EnvSpec:
    def players(some: TaskSet[Mail, AnswerKey]) -> dict[str, Any]:
        return {
            "rules": lambda: Player("rules", lambda name: f"secret {name} budget"),
            "oracle": lambda: Player("oracle", lambda name: some.keys[name].kind),
        }

    return replace(
        get_spec("find"),
        id="farm",
        turn_forms=(1,),
        tools=lambda turns: TOOLS,
        make=lambda some, profile="hardened", turns=None: WorldEnvironment(Farm(), some, rubric),
        null_action={"name": "skip", "arguments": {}},
        players=players,
        heuristics=("rules",),
        cheats=lambda some, turns: {"echo": lambda: Player("echo", lambda name: "hello")},
    )


def searched(rubric: Any, trials: int, seed: int = 0) -> RedTeamReport:
    spec, held_out = spec_of(rubric), tasks("validation", 5)
    report = red_team(spec, held_out, ["hardened"])
    return search_templates(spec, tasks("train"), held_out, report, trials=trials, seed=seed)


def test_a_rubric_that_form_can_farm_is_farmed() -> None:
    report = searched(Farmed(), 150)
    (row,) = [row for row in report.rows if row.kind == "template"]
    (found,) = report.templates
    assert (row.player, row.reward_mean, row.episodes) == ("template_search", 1.0, 5)
    assert (found.train_reward, found.train_tasks, found.trials, found.plan) == (1.0, 12, 150, ("reply",))
    assert found.fillings["reply.label"] == "work"
    (verdict,) = report.verdicts
    assert (verdict.best_cheat, verdict.exploit_ratio, verdict.holds) == ("template_search", 1.0, False)


def test_a_rubric_that_asks_for_understanding_is_not() -> None:
    report = searched(Sound(), 60)
    (verdict,) = report.verdicts
    assert verdict.exploit_ratio == 0.0
    assert verdict.holds
    assert report.templates[0].train_reward == 0.0


def test_the_same_seed_finds_the_same_template() -> None:
    assert searched(Farmed(), 30).templates == searched(Farmed(), 30).templates
    assert searched(Farmed(), 30, seed=1).templates != searched(Farmed(), 30).templates


def test_progress_counts_every_episode() -> None:
    spec, held_out, counts = spec_of(Farmed()), tasks("validation", 5), list[int]()
    report = red_team(spec, held_out, ["hardened"])
    search_templates(spec, tasks("train"), held_out, report, trials=20, progress=counts.append)
    assert sum(counts) == 20 * 12 + 10 * 12 + 5


def test_an_episode_that_fails_is_an_error_and_no_reward() -> None:
    class Broken(Farm):
        def play(self, action: Action) -> Outcome:
            raise StoreError("the mailbox is gone: make the store again")

    held_out = tasks("validation", 5)
    report = red_team(spec_of(Farmed()), held_out, ["hardened"])
    broken = replace(spec_of(Farmed()), make=lambda some, **_: WorldEnvironment(Broken(), some, Farmed()))
    with pytest.raises(UserError, match="failed while templates were tried: the mailbox is gone"):
        search_templates(broken, tasks("train"), held_out, report, trials=10)
