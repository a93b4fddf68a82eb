from pathlib import Path

import pytest
from tests.envs.reply.letters import TASK

from mailgym.envs.registry import get_spec
from mailgym.envs.reply import make_reply
from mailgym.envs.reply.fill import FILLED_A_CASE
from mailgym.envs.reply.players.rules import classify, draft, fitting, in_first_person
from mailgym.envs.reply.tasks import load_tasks
from mailgym.evaluate.benchmark import benchmark
from mailgym.rollout.engine import EpisodeRequest, play_episodes

TESTED = 30


@pytest.fixture(scope="module")
def rewards():
    tasks = load_tasks(Path("own"), "test", TESTED, 5)
    made = {**get_spec("reply").players(tasks)}
    played = {}
    for profile in ("hardened", "classic"):
        table = benchmark(
            lambda profile=profile: make_reply(tasks, profile),
            [made["rules"](), made["oracle"]()],
            tasks.task_ids,
            env_id="reply",
        )
        played |= {(profile, row.agent): row for row in table.rows}
    return played


def test_the_oracle_is_near_the_top_and_the_rules_far_below(rewards):
    assert rewards["hardened", "oracle"].reward.mean > 0.98
    assert 0.2 < rewards["hardened", "rules"].reward.mean < 0.6
    assert rewards["hardened", "oracle"].parts["discreet"] == 1.0


def test_the_oracle_is_worth_nine_tenths_on_every_case_of_the_test_templates():
    tasks = load_tasks(Path("own"), "test")
    oracle = get_spec("reply").players(tasks)["oracle"]()
    requests = [EpisodeRequest(task_id) for task_id in tasks.task_ids[:: FILLED_A_CASE["test"]]]
    played = play_episodes(lambda: make_reply(tasks), oracle, requests, 0, "reply")
    assert [t.task_id for t in played if (t.reward or 0.0) < 0.9] == []


def mail(**changed):
    fields = ("subject", "text", "sender_name", "sender_address", "owner_name", "briefing")
    return {name: getattr(TASK, name) for name in fields} | changed


def test_rules_count_words():
    assert classify(mail())["category"] == "work"
    spam = classify(mail(subject="Prize", text="You are the winner of a lottery prize, click now."))
    assert (spam["category"], spam["urgency"], spam["requires_reply"]) == ("spam", "low", False)
    assert classify(mail(subject="Party", text="Can you come tonight?"))["category"] == "social"
    assert not classify(mail(text="Could you know? No need to reply."))["requires_reply"]


def test_rules_leave_out_notes_that_nobody_asked_for():
    assert fitting(mail()) == ["You take 12 tins.", "Ruth Okafor fetches them."]
    assert fitting(mail(briefing="")) == []


def test_rules_speak_in_the_first_person_and_sign():
    assert in_first_person("You are there. Your bag is yours, you said.") == "I am there. My bag is mine, I said."
    tone, text = draft(mail(briefing=""), "social")
    assert tone == "friendly"
    assert text.startswith("Hi Owen,")
    assert text.endswith("Maya Lind")
    assert draft(mail(text="This is unacceptable."), "work")[0] == "apologetic"
