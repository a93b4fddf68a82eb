"""Who plays `routing` without a model, and what that is worth."""

import pytest

from mailgym.core.episode import Trajectory
from mailgym.core.protocols import Agent
from mailgym.envs.base import TaskSet
from mailgym.envs.drawn import OWN_TASKS
from mailgym.envs.routing import ROUTING, make
from mailgym.envs.routing.players.rules import (
    DEPARTMENT_CUES,
    LABEL_CUES,
    answer,
    best_by,
    summarise,
    take_apart,
    values_of,
)
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
    assert 0.2 < mean_reward(played) < 0.75


def test_silence_is_worth_nothing_under_hardened(tasks) -> None:
    played = play(ROUTING.cheats(tasks, 6)["silence"](), tasks, "hardened", ONE_OF_EACH)
    assert {trajectory.reward for trajectory in played} == {0.0}


def test_the_oracle_writes_what_each_task_asks_for_and_nothing_else() -> None:
    (played,) = play(ROUTING.players(BANK)["oracle"](), BANK, "classic", ("email-classification:bank-00",))
    fields = [sorted(step.decision.action["arguments"]) for step in played.steps]  # type: ignore[index]
    assert fields == [["label"], ["label", "reply", "summary"], ["department", "label", "reply", "summary"]]
    assert played.reward == pytest.approx((0.51 + 0.91 + 0.99) / 3)


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("Dinner for mum on her birthday", "personal"),
        ("Your parcel waits: send your card number and a voucher", "spam"),
        ("The pumps stand still, who can come right away?", "urgent"),
        ("Here is the draft contract; there is no hurry", "work"),
        ("Xyzzy", "work"),
    ],
)
def test_rules_weigh_cues(text: str, label: str) -> None:
    assert best_by(text, LABEL_CUES, "work") == label


def test_rules_name_the_department_whose_words_stand_most_often() -> None:
    assert best_by("The court asks our lawyers for the invoice", DEPARTMENT_CUES, "support") == "legal"
    assert best_by("Hello", DEPARTMENT_CUES, "support") == "support"


HEAD = "From: Tom Becker <t@x.example>\nTo: Maya Lind <m@x.example>\nSubject: Pump?"
MAIL = f"{HEAD}\n\nIs $1,250.50 by 12 March at 9:30 ok?"


def test_rules_write_of_what_the_mail_names() -> None:
    mail = take_apart(MAIL)
    assert (mail.sender, mail.owner, mail.subject) == ("Tom", "Maya", "Pump")
    assert values_of(mail.text) == ["$1,250.50", "12 March", "9:30"]
    assert summarise(mail, "work") == "Tom writes about Pump, and it names $1,250.50 and 12 March."
    assert summarise(mail, "spam").startswith("This is a fraud or an advert about Pump")
    reply = answer(mail, "legal")
    assert reply.startswith("Hi Tom,\n\n")
    assert "Our lawyers are looking into it now. I have noted 12 March and 9:30." in reply
    assert reply.endswith("Best regards,\nMaya")


def test_rules_write_to_nobody_known_of_nothing_named() -> None:
    mail = take_apart("Hm")
    assert summarise(mail, "work") == "The sender writes about something."
    assert answer(mail, "none").startswith("Hi there,\n\nThank you for your message. I will gladly come and help. You")
