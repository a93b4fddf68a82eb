"""Honest players do what they say, with what an agent may see; the oracle is worth imitating."""

from pathlib import Path
from typing import Any

import pytest

from mailgym.core.episode import Decision, Turn
from mailgym.envs.inbox import INBOX, make_inbox
from mailgym.envs.inbox.players.oracle import Oracle
from mailgym.envs.inbox.players.rules import Rules, decide
from mailgym.envs.inbox.players.words import BagOfWords, WordCounts, first_look_up, words_of_result
from mailgym.envs.inbox.tasks import load_tasks

OWN = Path("own")


def act(agent: Any, observation: dict[str, Any]) -> dict[str, Any]:
    (decision,) = agent.act([Turn("key", observation, (), 0)])
    assert isinstance(decision, Decision)
    assert isinstance(decision.action, dict)
    return decision.action


def shown(text: str, sender: str = "Ann <ann@b.example>", subject: str = "x") -> dict[str, str]:
    return {"sender": sender, "subject": subject, "email_text": text}


def test_rules_read_the_newest_part_of_a_thread_alone() -> None:
    mail = shown("Works again, thank you!\n\n> You wrote:\n> everything is down, we want a refund")
    assert decide(mail, "help@us.example") == {
        "category": "support",
        "priority": "low",
        "department": "support_team",
        "action": "reply",
    }


def test_rules_know_a_colleague_by_the_inbox() -> None:
    mail = shown("The rota has a gap, pass it on to the team lead.", "Jo <jo@us.example>")
    assert decide(mail, "help@us.example")["category"] == "internal"
    assert decide(mail, "help@us.example")["department"] == "support_team"
    assert decide(mail, "help@us.example")["action"] == "forward"


def test_rules_give_what_is_asked_for() -> None:
    tasks = load_tasks(OWN, "test", 3, 0)
    for task_id, task in tasks.tasks.items():
        observation = make_inbox(tasks).reset(task_id)
        assert len(act(Rules(), observation)["arguments"]) == task.level + (task.level == 3)


@pytest.mark.parametrize("profile", ["classic", "hardened"])
def test_the_oracle_looks_up_once_where_it_must_and_makes_no_mistake(profile: str) -> None:
    tasks = load_tasks(OWN, "test", 40, 3)
    oracle = Oracle(tasks.tasks, tasks.keys)
    environment = make_inbox(tasks, profile)
    for task_id, task in tasks.tasks.items():
        observation, looked_up, done = environment.reset(task_id), 0, False
        while not done:
            action = act(oracle, observation)
            looked_up += action["name"] == "look_up"
            result = environment.step(action)
            observation, done = result.observation, result.done
            if action["name"] == "look_up":
                key = tasks.keys[task_id]
                source = key.sources[len(task.mails) - observation["remaining_emails"]]
                assert observation["tool_result"]["found"] == (not source.endswith("no record"))
        score = environment.owner_view().score
        assert score.values["all_right"] == 1.0
        needed = sum(right.needs_tool for right in tasks.keys[task_id].right) if task.level > 1 else 0
        assert looked_up == (needed if profile == "hardened" else 0)
        if profile == "hardened":
            assert score.reward == pytest.approx(1.0 - 0.01 * needed)


def test_the_oracle_does_not_run_out_of_turns() -> None:
    tasks = load_tasks(OWN, "test", 20, 3)
    environment = make_inbox(tasks, "hardened", turns=5)
    for task_id in tasks.task_ids:
        observation, done = environment.reset(task_id), False
        while not done:
            result = environment.step(act(Oracle(tasks.tasks, tasks.keys), observation))
            observation, done = result.observation, result.done
        assert result.terminated


def test_word_counts_learn_which_words_go_with_which_label() -> None:
    counts = WordCounts([({"a", "b"}, {"x": "one"}), ({"a", "c"}, {"x": "two"}), ({"c", "d"}, {"x": "two"})])
    assert counts.best("x", {"b"}) == "one"
    assert counts.best("x", {"c", "never_seen"}) == "two"
    assert counts.best("x", set()) == "two", "the commoner one"


def test_a_bag_of_words_looks_up_the_first_id_and_decides_after() -> None:
    assert first_look_up(shown("user mquinn12 paid with ac-1234")) == {
        "tool": "get_user_history",
        "tool_input": {"id": "mquinn12"},
    }
    assert first_look_up(shown("no id at all")) is None
    assert words_of_result({"found": False, "records": []}) == {"nothing_found"}
    assert words_of_result({"found": True, "records": [["sent: never"]]}) == {"record:sent", "record:never"}
    fields = {"category": "sales", "priority": "low", "department": "finance", "action": "reply"}
    bag = BagOfWords(WordCounts([(set(), fields)]))
    observation: dict[str, Any] = {
        "current_email": shown("Account ac-1234, please"),
        "inbox": "help@us.example",
        "wanted": ["category", "priority"],
        "tools": ["decide", "look_up", "skip"],
        "tool_result": None,
        "turns_left": 9,
        "remaining_emails": 3,
    }
    assert act(bag, observation) == {
        "name": "look_up",
        "arguments": {"tool": "check_payment", "tool_input": {"id": "ac-1234"}},
    }
    decided = {"name": "decide", "arguments": {"category": "sales", "priority": "low"}}
    assert act(bag, {**observation, "tool_result": {"found": False, "records": []}}) == decided
    assert act(bag, {**observation, "turns_left": 3}) == decided
    assert act(bag, {**observation, "tools": ["decide", "skip"]}) == decided


def test_players_are_named_as_they_are_registered() -> None:
    tasks = load_tasks(OWN, "validation", 2, 0)
    for name, make in INBOX.players(tasks).items():
        if name != "bag_of_words":
            assert make().name == name
    assert {*INBOX.heuristics, "oracle"} == set(INBOX.players(tasks))
