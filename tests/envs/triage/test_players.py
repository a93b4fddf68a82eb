from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest

from mailgym.agents.finder import find_agent
from mailgym.envs.triage import TRIAGE
from mailgym.envs.triage.players.rules import action_of, category_of, draft_for, hours_of
from mailgym.envs.triage.tasks import load_tasks
from mailgym.rollout.engine import EpisodeRequest, play_episodes

OWNER_DOMAIN = "harrowgatebuild.example"


def mail(text: str, sender: str = "Ann Berg <ann@harrowgatebuild.example>", subject: str = "s") -> dict[str, Any]:
    return {"email_id": "e1", "from": sender, "subject": subject, "text": text}


def rewards(name: str, split: str, n: int, profile: str = "hardened", turns: int = 15) -> list[float]:
    tasks = load_tasks(Path("own"), split, n, 5)
    agent = find_agent(name, TRIAGE, tasks, turns=turns)
    requests = [EpisodeRequest(task_id) for task_id in tasks.task_ids]
    played = play_episodes(lambda: TRIAGE.make(tasks, profile=profile, turns=turns), agent, requests, 1, "triage")
    return [trajectory.reward or 0.0 for trajectory in played]


@pytest.mark.parametrize("profile", ["classic", "hardened"])
def test_null_below_rules_below_oracle(profile: str) -> None:
    means = {
        name: sum(found := rewards(name, "test", 12, profile)) / len(found) for name in ("null", "rules", "oracle")
    }
    assert means["null"] == 0.0
    assert 0.2 < means["rules"] < 0.85
    assert means["oracle"] > 0.98


def test_rules_do_well_on_the_bank() -> None:
    assert min(rewards("rules", "bank", 3, "classic")) >= 0.5


def test_the_oracle_is_perfect_in_one_turn_of_the_bank() -> None:
    assert rewards("oracle", "bank", 3, "classic", turns=1) == pytest.approx([1.0, 1.0, 1.0])


@pytest.mark.parametrize(
    ("text", "sender", "category"),
    [
        ("Pay this at once.", "Ann Berg <ann@harrowgate-build-pay.example>", "spam"),
        ("You get this as a subscriber.", "News <n@news.example>", "newsletter"),
        ("You won a prize.", "Fund <f@fund.example>", "spam"),
        ("The wall falls in ten minutes.", "Ann Berg <ann@harrowgatebuild.example>", "urgent"),
        ("Cake?", "Ann Berg <annberg@postbox.example>", "personal"),
        ("Dear parents, the school is closed.", "School <s@school.example>", "personal"),
        ("The plan is ready.", "Bo <bo@client.example>", "work"),
    ],
)
def test_rules_read_senders_and_words(text: str, sender: str, category: str) -> None:
    assert category_of(mail(text, sender), OWNER_DOMAIN) == category


@pytest.mark.parametrize(
    ("text", "category", "action"),
    [
        ("Gloves 20 % off.", "newsletter", "delete"),
        ("A recall of series 7.", "newsletter", "read"),
        ("Ten stories.", "newsletter", "archive"),
        ("Left or right?", "work", "respond"),
        ("The receipt is attached, nothing to do.", "work", "archive"),
        ("The water is off, nothing to do.", "work", "read"),
        ("The form has to be signed.", "work", "flag"),
        ("Pay.", "spam", "delete"),
    ],
)
def test_rules_choose_an_action(text: str, category: str, action: str) -> None:
    assert action_of(mail(text), category) == action


def test_rules_order_by_time_then_by_category() -> None:
    cases = [("now", "urgent"), ("today at 5", "work"), ("tomorrow", "personal"), ("on Friday", "work"), ("x", "work")]
    hours = [hours_of(mail(text), category) for text, category in cases]
    hours += [hours_of(mail("today"), category) for category in ("newsletter", "spam")]
    assert hours == sorted(hours)


def test_the_draft_of_rules_is_a_letter() -> None:
    draft = draft_for(mail("x", subject="The wall"), "Ursula Kemp")
    assert draft.startswith("Hello Ann,")
    assert draft.endswith("Ursula")


def test_the_figures_name_parts_that_scores_have() -> None:
    tasks = load_tasks(Path("own"), "validation", 6, 5)
    agent = find_agent("rules", TRIAGE, tasks)
    names: dict[str, int] = defaultdict(int)
    for played in play_episodes(
        lambda: TRIAGE.make(tasks), agent, [EpisodeRequest(task_id) for task_id in tasks.task_ids], 1, "triage"
    ):
        assert played.score is not None
        for part in played.score.parts:
            names[part.name] += 1
    assert {"classification", "ranking", "action", "response", "decided_share"} <= names.keys()
    assert names["response"] == sum(task.form == "email-triage-full" for task in tasks.tasks.values())
