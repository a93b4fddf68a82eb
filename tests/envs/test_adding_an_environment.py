"""The page on adding an environment is true: its code runs and passes every check."""

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from mailgym.agents.chat import ChatAgent
from mailgym.agents.finder import find_agent
from mailgym.core.protocols import WritingPrompt
from mailgym.envs.checker import CHECKS, Case, check_environment
from mailgym.envs.registry import EnvSpec
from mailgym.evaluate.redteam import red_team
from mailgym.llm.base import ChatReply
from mailgym.rollout.engine import EpisodeRequest, play_episodes

PAGE = Path(__file__).parents[2] / "docs" / "adding-an-environment.md"
FENCE = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)


@pytest.fixture(scope="module")
def spec() -> Iterator[EnvSpec]:
    module = ModuleType("adding_an_environment")
    sys.modules[module.__name__] = module  # dataclasses look their module up
    exec("\n".join(FENCE.findall(PAGE.read_text(encoding="utf-8"))), module.__dict__)
    yield module.__dict__["BILL"]
    del sys.modules[module.__name__]


def test_the_example_passes_every_check(spec: EnvSpec) -> None:
    tasks = spec.load_tasks(Path("nowhere"), "train")
    for profile in ("classic", "hardened"):
        assert check_environment(Case(spec, tasks, profile, turns=1)) == []


def test_the_example_holds_against_its_cheat(spec: EnvSpec) -> None:
    (verdict,) = red_team(spec, spec.load_tasks(Path("nowhere"), "train"), ["hardened"]).verdicts
    assert (verdict.best_cheat_reward, verdict.best_honest_reward, verdict.oracle_reward) == (0.0, 1.0, 1.0)


def test_the_example_is_played_by_a_model_and_at_random(spec: EnvSpec) -> None:
    class Model:
        name = "model"

        def chat(self, requests: list[object], sampling: object) -> list[ChatReply]:
            return [ChatReply(text) for text in ('{"is_bill": true}', "yes")]

    tasks = spec.load_tasks(Path("nowhere"), "train")
    requests = [EpisodeRequest(task_id) for task_id in tasks.task_ids]
    agent = ChatAgent(Model(), spec.prompt(1))
    assert [t.reward for t in play_episodes(lambda: spec.make(tasks), agent, requests, 0, spec.id)] == [1.0, -0.1]
    random = find_agent("random", spec, tasks)
    assert all(t.failure is None for t in play_episodes(lambda: spec.make(tasks), random, requests, 0, spec.id))


def test_what_the_oracle_does_can_be_imitated(spec: EnvSpec) -> None:
    tasks = spec.load_tasks(Path("nowhere"), "train")
    prompt = spec.prompt(1)
    assert isinstance(prompt, WritingPrompt)
    requests = [EpisodeRequest(task_id) for task_id in tasks.task_ids]
    for trajectory in play_episodes(lambda: spec.make(tasks), spec.players(tasks)["oracle"](), requests, 0, spec.id):
        action = trajectory.steps[0].decision.action
        assert isinstance(action, dict)
        assert prompt.parse(prompt.write(action)) == action


def test_the_page_lists_every_check_and_every_field_of_the_spec() -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert set(re.findall(r"^\| `(\w+)` \|", text, re.MULTILINE)) == set(CHECKS)
    for field in EnvSpec.__dataclass_fields__:
        assert f"\n    {field}=" in text
