"""Every agent is found by its name and plays."""

import json

import pytest

from mailgym.agents.finder import agent_names, find_agent
from mailgym.core.errors import UserError
from mailgym.envs.base import TaskSet
from mailgym.envs.registry import get_spec
from mailgym.envs.search.tasks import SearchKey, SearchTask
from mailgym.rollout.engine import EpisodeRequest, play_episodes

Tasks = TaskSet[SearchTask, SearchKey]


@pytest.mark.parametrize("turns", [1, 10])
def test_every_name_is_an_agent_of_that_name_that_plays(turns: int, small_tasks: Tasks) -> None:
    spec = get_spec("find")
    requests = [EpisodeRequest(task_id) for task_id in small_tasks.task_ids]
    for name in (*agent_names(spec, small_tasks), *spec.cheats(small_tasks, turns)):
        agent = find_agent(name, spec, small_tasks, turns=turns)
        assert agent.name == name
        if name != "human":
            played = play_episodes(lambda: spec.make(small_tasks, turns=turns), agent, requests, 0, spec.id)
            assert all(trajectory.reward is not None for trajectory in played)


def test_unknown_names_list_what_there_is(small_tasks: Tasks) -> None:
    with pytest.raises(UserError) as caught:
        find_agent("orakel", get_spec("find"), small_tasks)
    for name in ("null", "random", "oracle", "rules", "human", "search_nothing"):
        assert name in str(caught.value)


def test_null_is_worth_nothing_and_random_is_seeded(small_tasks: Tasks) -> None:
    spec = get_spec("find")
    requests = [EpisodeRequest(task_id, sample) for task_id in small_tasks.task_ids for sample in range(5)]

    def texts(name: str, seed: int) -> list[str]:
        agent = find_agent(name, spec, small_tasks, turns=10)
        played = play_episodes(lambda: spec.make(small_tasks, turns=10), agent, requests, seed, spec.id)
        if name == "null":
            assert {trajectory.reward for trajectory in played} == {0.0}
        return [step.decision.text for trajectory in played for step in trajectory.steps]

    texts("null", 1)
    assert texts("random", 1) == texts("random", 1)
    assert texts("random", 1) != texts("random", 2)
    tools = {json.loads(text)["name"] for text in texts("random", 1)}
    assert tools == {"search_emails", "read_email", "return_final_answer"}


def test_random_finds_ids_in_what_it_has_seen(small_tasks: Tasks) -> None:
    """Random play is valid play: it sometimes reads a mail that a search of its own has shown."""
    spec = get_spec("find")
    requests = [EpisodeRequest(task_id, sample) for task_id in small_tasks.task_ids for sample in range(40)]
    agent = find_agent("random", spec, small_tasks, turns=10)
    played = play_episodes(lambda: spec.make(small_tasks, turns=10), agent, requests, 0, spec.id)
    kinds = {step.result.observation["kind"] for trajectory in played for step in trajectory.steps if step.result}
    assert kinds == {"results", "mail", "error", "end"}
