"""Whatever an agent does is answered: nothing is raised, nothing of the key shown, no reward is out of range."""

import json
import math
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mailgym.core.episode import MalformedAction
from mailgym.core.protocols import Environment
from mailgym.envs.base import PROFILES
from mailgym.envs.registry import get_spec

LONG = "long " * 20_000
ODD: list[Any] = [
    *(None, True, 0, -1, 10**40, math.nan, math.inf, -math.inf, "", "\x00", "\ud800", "\u202espam\u200b", LONG),
    *([], [[]], {}, {"": None}, {"\ud800": "\udfff"}, {1: 2}, ("spam",), b"spam", object()),
]
LABELS = ["high", "work", "spam", "none", "billing", "low", "finance", "reply", "lookup_order", "friendly"]
NAMES = ["urgency", "category", "requires_reply", "reason", "tone", "reply_text", "priority", "department", "action",
         "use_tool", "tool_input", "tool"]  # fmt: skip
VALUES = st.one_of(st.sampled_from([*ODD, *LABELS]), st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters(), max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
))  # fmt: skip
CALLS = st.fixed_dictionaries(
    {
        "name": st.sampled_from(["classify", "draft", "decide", "look_up", "skip"]) | VALUES,
        "arguments": st.dictionaries(st.sampled_from(NAMES), VALUES, max_size=7) | VALUES,
    }
)
ACTIONS = CALLS | VALUES | st.builds(MalformedAction, st.text(max_size=20), st.text(max_size=20))


def nested(depth: int) -> Any:
    action: Any = "spam"
    for _ in range(depth):
        action = {"name": "decide", "arguments": [action]}
    return action


@lru_cache(maxsize=4)
def opened(env: str, profile: str) -> tuple[Environment, tuple[str, ...]]:
    spec = get_spec(env)
    tasks = spec.load_tasks(Path("own"), "validation", 6, 1)
    return spec.make(tasks, profile=profile), tasks.task_ids


def check(env: str, profile: str, actions: list[Any]) -> None:
    environment, task_ids = opened(env, profile)
    spec = get_spec(env)
    environment.reset(task_ids[len(actions) % len(task_ids)])
    total = 0.0
    for action in actions:
        result = environment.step(action)
        assert math.isfinite(result.reward)
        total += result.reward
        view = environment.owner_view()
        shown = json.dumps([result.observation, environment.state])
        assert not any(json.dumps(secret)[1:-1] in shown for secret in spec.secrets(_key(env, profile, view)))
        if result.terminated or result.truncated:
            break
    assert -1 - 1e-9 <= total <= 1 + 1e-9
    if profile == "classic":
        assert total >= (-0.1 if env == "reply" else 0.0) - 1e-9


def _key(env: str, profile: str, view: Any) -> Any:
    tasks = get_spec(env).load_tasks(Path("own"), "validation", 6, 1)
    return tasks.keys[view.task["id"]]


@pytest.mark.parametrize("env", ["reply", "inbox"])
@pytest.mark.parametrize("profile", PROFILES)
@settings(max_examples=40, deadline=None, derandomize=True, database=None)
@given(actions=st.lists(ACTIONS, min_size=1, max_size=5))
def test_any_action_is_answered(env: str, profile: str, actions: list[Any]) -> None:
    check(env, profile, actions)


@pytest.mark.parametrize("env", ["reply", "inbox"])
@pytest.mark.parametrize("profile", PROFILES)
def test_odd_values_in_every_place_are_answered(env: str, profile: str) -> None:
    for odd in ODD:
        everywhere = dict.fromkeys(NAMES, odd)
        tools = get_spec(env).tools(4)
        for tool, model in tools.items():
            arguments = dict.fromkeys(model.model_fields, odd)
            check(env, profile, [{"name": tool, "arguments": arguments}, {"name": tool, "arguments": odd}])
        check(env, profile, [odd, {"name": odd, "arguments": everywhere}, {"name": "skip", "arguments": {}}])


@pytest.mark.parametrize("env", ["reply", "inbox"])
@pytest.mark.parametrize("profile", PROFILES)
def test_depth_is_answered(env: str, profile: str) -> None:
    check(env, profile, [nested(300), {"name": "decide", "arguments": nested(300)}])
    check(env, profile, [{"name": "classify", "arguments": nested(300)}, {"name": "draft", "arguments": nested(300)}])
