"""OpenEnv's own clients play whole episodes, and its validator passes."""

import asyncio
import json
import subprocess
import sys
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mailgym.agents.finder import find_agent
from mailgym.core.episode import Turn
from mailgym.envs.drawn import OWN_TASKS
from mailgym.envs.registry import all_specs, get_spec
from mailgym.serve.sessions import Limits

pytestmark = pytest.mark.openenv
OWN = tuple(spec.id for spec in all_specs() if not spec.needs_mail)
Serve = Callable[..., str]
SESSIONS = 64


def oracle_actions(env: str, profile: str) -> tuple[str, list[dict[str, Any]], float]:
    """Return a task, what the oracle does in it, and what that is worth, played in process."""
    spec = get_spec(env)
    tasks = spec.load_tasks(OWN_TASKS, "validation", 3, 1)
    task_id = tasks.task_ids[0]
    environment = spec.make(tasks, profile=profile)
    oracle = find_agent("oracle", spec, tasks)
    observation, steps, actions, reward = environment.reset(task_id), [], [], 0.0
    while True:
        turn = Turn("one", observation, tuple(steps), 0)
        (decision,) = oracle.act([turn])
        assert isinstance(decision.action, dict)
        result = environment.step(decision.action)
        actions.append(decision.action)
        reward += result.reward
        from mailgym.core.episode import Step

        steps.append(Step(observation, decision, result))
        observation = result.observation
        if result.done:
            return task_id, actions, reward


@pytest.mark.parametrize("env", OWN)
def test_the_generic_client_plays_an_episode_as_in_process(serve: Serve, env: str) -> None:
    from openenv.core import GenericEnvClient

    task_id, actions, worth = oracle_actions(env, "hardened")
    with GenericEnvClient(base_url=serve(env, own=True)).sync() as client:
        opened = client.reset(task_id=task_id, episode_id="mine")
        assert not opened.done
        results = [client.step({"action": action}) for action in actions]
        assert results[-1].done
        assert sum(result.reward for result in results) == pytest.approx(worth)
        state = client.state()
        assert state["episode_id"] == "mine"
        assert state["task_id"] == task_id
        assert state["step_count"] == len(actions)


def test_a_documents_own_fields_are_what_its_client_sends(serve: Serve) -> None:
    from openenv.core import GenericEnvClient

    with GenericEnvClient(base_url=serve("routing")).sync() as client:
        opened = client.reset(task_id="urgency-detection")
        assert opened.observation["metadata"]["task_id"] == "urgency-detection"
        step = client.step({"label": "urgent", "summary": "The server is down.", "reply": "", "department": "none"})
        assert 0.01 <= step.reward <= 0.99
        wrong = client.step({"label": "very urgent"})
        assert wrong.observation["error"]


def test_many_sessions_at_once_do_not_meet(serve: Serve) -> None:
    from openenv.core import GenericEnvClient

    url = serve("inbox", own=True)
    ids = get_spec("inbox").load_tasks(OWN_TASKS, "validation").task_ids[:SESSIONS]

    async def play(task_id: str) -> str:
        async with GenericEnvClient(base_url=url) as client:
            await client.reset(task_id=task_id)
            result = await client.step({"action": {"name": "skip"}})
            return str(result.observation["task_id"])

    async def play_all() -> list[str]:
        return await asyncio.gather(*(play(task_id) for task_id in ids))

    assert asyncio.run(play_all()) == list(ids)


def test_over_capacity_a_client_is_told_and_a_place_comes_back(serve: Serve) -> None:
    from openenv.core import GenericEnvClient

    url = serve("routing", Limits(most_sessions=1), own=True)
    with GenericEnvClient(base_url=url).sync() as first:
        first.reset()
        with pytest.raises(Exception, match=r"(?i)capacity|session"), GenericEnvClient(base_url=url).sync() as second:
            second.reset()
    for _ in range(50):
        try:
            with GenericEnvClient(base_url=url).sync() as third:
                third.reset()
            return
        except Exception:
            asyncio.run(asyncio.sleep(0.2))
    pytest.fail("the place did not come back")


@pytest.mark.parametrize("env", OWN)
def test_the_task_routes(serve: Serve, env: str) -> None:
    url, spec = serve(env), get_spec(env)

    def post(path: str, body: dict[str, Any]) -> Any:
        data = json.dumps(body).encode()
        request = urllib.request.Request(f"{url}/{env}/{path}", data, {"Content-Type": "application/json"})
        with urllib.request.urlopen(request, timeout=120) as answer:
            return json.loads(answer.read())

    with urllib.request.urlopen(f"{url}/{env}/splits", timeout=120) as answer:
        assert spec.splits[0] in answer.read().decode()
    tasks = spec.load_tasks(OWN_TASKS, "test")
    assert str(len(tasks)) in json.dumps(post("num_tasks", {"split": "test"}))
    assert tasks.task_ids[2] in json.dumps(post("task", {"split": "test", "index": 2}))


@pytest.mark.parametrize("env", OWN)
def test_openenvs_validator_passes_by_url(serve: Serve, env: str) -> None:
    validator = Path(sys.executable).parent / "openenv"
    done = subprocess.run(
        [str(validator), "validate", "--url", serve(env), "--timeout", "60"],
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Verdict: PASS" in done.stdout
    assert "FAIL" not in done.stdout
