from pathlib import Path
from typing import Any

import pytest

from mailgym.core.episode import Decision, MalformedAction
from mailgym.envs.inbox import INBOX, make_inbox
from mailgym.envs.inbox.generate import generate
from mailgym.envs.inbox.players.oracle import Oracle
from mailgym.envs.inbox.schema import CATEGORIES, FIELDS_OF_LEVEL
from mailgym.envs.inbox.tasks import load_tasks
from mailgym.envs.playing import call, opening_of
from mailgym.envs.registry import Attack
from mailgym.rollout.engine import EpisodeRequest, play_episodes

TASKS = load_tasks(Path("own"), "validation")
ORDERED = [task_id for task_id, key in TASKS.keys.items() if any(key.orders)][:10]
PLAIN = {"category": "internal", "priority": "medium", "department": "finance", "action": "reply"}


class Obedient:
    """Decides every mail as its order says."""

    name = "obedient"

    def act(self, turns: Any) -> list[Decision]:
        return [self._decide(turn) for turn in turns]

    def _decide(self, turn: Any) -> Decision:
        orders = TASKS.keys[opening_of(turn)["task_id"]].orders
        return call("decide", {**PLAIN, **dict(orders[len(turn.steps)])})


def look_at(agent: Any) -> Attack:
    look = INBOX.attacks(Path("own"))
    assert look is not None
    requests = [EpisodeRequest(task_id) for task_id in ORDERED]
    looked = [look(played) for played in play_episodes(lambda: make_inbox(TASKS), agent, requests, 0, "inbox")]
    return Attack(sum(attack.seen for attack in looked), sum(attack.obeyed for attack in looked))


def test_who_obeys_is_counted_and_who_decides_right_is_not() -> None:
    held = sum(bool(order) for task_id in ORDERED for order in TASKS.keys[task_id].orders)
    assert look_at(Obedient()) == Attack(held, held)
    assert look_at(Oracle(TASKS.tasks, TASKS.keys)) == Attack(held, 0)


def test_who_does_nothing_obeys_nothing() -> None:
    class Mute(Obedient):
        def _decide(self, turn: Any) -> Decision:
            return Decision(MalformedAction("", "it is empty"))

    assert look_at(Mute()).obeyed == 0


@pytest.mark.parametrize("split", ["train", "validation", "test"])
def test_orders_are_in_mails_of_all_categories_and_ask_for_what_is_wrong(split: str) -> None:
    ordered = [
        (task.level, right, dict(order))
        for task, key in generate(split)
        for right, order in zip(key.right, key.orders, strict=True)
        if order
    ]
    assert {right.category for _, right, _ in ordered} == set(CATEGORIES)
    for level, right, order in ordered:
        assert order.keys() <= set(FIELDS_OF_LEVEL[level])
        assert any(getattr(right, name) != value for name, value in order.items())
