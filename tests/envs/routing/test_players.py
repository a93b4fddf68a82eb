"""Who plays `routing` without a model, and what that is worth."""

import pytest

from mailgym.core.episode import Trajectory
from mailgym.core.protocols import Agent
from mailgym.envs.base import TaskSet
from mailgym.envs.drawn import OWN_TASKS
from mailgym.envs.routing import ROUTING, make
from mailgym.envs.routing.players.rules import LABEL_WORDS, answer, most_named, summarise
from mailgym.envs.routing.tasks import RoutingKey, RoutingTask, load_tasks
from mailgym.rollout.engine import EpisodeRequest, play_episodes

BANK = load_tasks(OWN_TASKS, "bank")
ONE_OF_EACH = tuple(f"email-classification:test-{number:03}" for number in range(12))
"""The first round: every trio of the test split once."""


@pytest.fixture(scope="module")
def tasks() -> TaskSet[RoutingTask, RoutingKey]:
    return load_tasks(OWN_TASKS, "test")


def play(agent: Agent, tasks: TaskSet[RoutingTask, RoutingKey], profile: str, ids: tuple[str, ...]) -> list[Trajectory]:
    requests = [EpisodeRequest(task_id) for task_id in ids]
    return play_episodes(lambda: make(tasks, profile=profile), agent, requests, 0, "routing")


def mean_reward(played: list[Trajectory]) -> float:
    rewards = [trajectory.reward for trajectory in played if trajectory.reward is not None]
    assert len(rewards) == len(played)
    return sum(rewards) / len(rewards)


def test_the_oracle_earns_nearly_all_there_is_on_every_template(tasks) -> None:
    played = play(ROUTING.players(tasks)["oracle"](), tasks, "hardened", ONE_OF_EACH)
    assert min(trajectory.reward or 0.0 for trajectory in played) > 0.9


def test_rules_are_better_than_nothing_and_far_from_the_oracle(tasks) -> None:
    played = play(ROUTING.players(tasks)["rules"](), tasks, "hardened", ONE_OF_EACH)
    assert 0.05 < mean_reward(played) < 0.6


def test_silence_is_worth_nothing_under_hardened(tasks) -> None:
    played = play(ROUTING.cheats(tasks, 6)["silence"](), tasks, "hardened", ONE_OF_EACH)
    assert {trajectory.reward for trajectory in played} == {0.0}


def test_the_oracle_writes_what_each_task_asks_for_and_nothing_else() -> None:
    (played,) = play(ROUTING.players(BANK)["oracle"](), BANK, "classic", ("email-classification:bank-00",))
    fields = [sorted(step.decision.action["arguments"]) for step in played.steps]  # type: ignore[index]
    assert fields == [["label"], ["label", "reply", "summary"], ["department", "label", "reply", "summary"]]
    assert played.reward == pytest.approx((0.51 + 0.91 + 0.99) / 3)


def test_rules_count_words() -> None:
    assert most_named("Dinner for mum on her birthday", LABEL_WORDS, "work") == "personal"
    assert most_named("Verify your password to win a gift", LABEL_WORDS, "work") == "spam"
    assert most_named("Xyzzy", LABEL_WORDS, "work") == "work"


def test_rules_summarise_by_the_sentence_with_most_figures() -> None:
    text = "Hello there, how are you?\nThe pump at Kiln Road lost 12 litres at 14:30.\nBest wishes to all of you."
    assert summarise(text) == "The pump at Kiln Road lost 12 litres at 14:30."
    assert len(summarise("one two three four five " * 10).split()) == 14


def test_rules_answer_with_a_date_of_the_mail() -> None:
    reply = answer("Tom Becker", "Maya Lind", "Can we meet on 12 March?")
    assert reply.startswith("Hi Tom,")
    assert "I have noted 12 March." in reply
    assert reply.endswith("Best regards,\nMaya")
    assert answer("", "Maya Lind", "Hm").startswith("Hi there,")
