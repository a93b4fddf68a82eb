"""What each hand-made player searches, and what comes of it on the small store."""

import json
from datetime import date
from typing import Any

import pytest

from mailgym.core.episode import Trajectory
from mailgym.envs.base import TaskSet
from mailgym.envs.registry import get_spec
from mailgym.envs.search.players import HEURISTICS, cheats, players
from mailgym.envs.search.players.dates import find_date_range
from mailgym.envs.search.players.heuristics import (
    content_words_of,
    search_all_words,
    search_by_rules,
    search_capitalised_words,
    search_content_words,
    search_newest,
)
from mailgym.envs.search.tasks import SearchKey, SearchTask
from mailgym.rollout.engine import EpisodeRequest, play_episodes

Tasks = TaskSet[SearchTask, SearchKey]


def asked(text: str, today: str = "2025-06-01") -> dict[str, Any]:
    return {"question": text, "today": today, "owner_name": "Maya Lind"}


QUESTION = asked("What did Dana Whitfield write about the Harbour bill, in early March?")


def test_word_searches() -> None:
    assert search_all_words(QUESTION)["keywords"] == [
        "What", "did", "Dana", "Whitfield", "write", "about", "the", "Harbour", "bill", "in", "early", "March",
    ]  # fmt: skip
    assert search_content_words(QUESTION)["keywords"] == ["Dana", "Whitfield", "Harbour", "bill", "early", "March"]
    assert search_capitalised_words(QUESTION)["keywords"] == ["Dana", "Whitfield", "Harbour", "March"]
    assert search_capitalised_words(asked("where is it?"))["keywords"] == ["where", "is", "it"]
    assert content_words_of("the The THE who") == ["the", "who"]  # nothing else is left
    assert search_newest(QUESTION) == {"keywords": [], "sent_before": "2025-06-02"}
    assert len(search_all_words(asked(" ".join(f"w{n}" for n in range(99))))["keywords"]) == 50


@pytest.mark.parametrize(
    ("text", "search"),
    [
        (
            QUESTION["question"],
            {"keywords": ["Harbour", "bill"], "from_addr": "Dana Whitfield"}
            | {"sent_after": "2025-03-01", "sent_before": "2025-03-16"},
        ),
        (
            "Which mail from Tom was about the room?",
            {"keywords": ["room"], "from_addr": "Tom"},
        ),
        (
            "Which mail that Tom van der Berg sent was about the room?",
            {"keywords": ["room"], "from_addr": "Tom van der Berg"},
        ),
        (
            "What did I tell Ines Vance about payroll?",
            {"keywords": ["payroll"], "from_addr": "Maya Lind", "to_addr": "Ines Vance"},
        ),
        ("Where is my note on payroll?", {"keywords": ["payroll"], "from_addr": "Maya Lind"}),
        ("Show what Ines Vance found out on payroll.", {"keywords": ["payroll"], "from_addr": "Ines Vance"}),
        ("Which mail from March was about the room?", {"keywords": ["March", "room"]}),
        ("Where is the budget?", {"keywords": ["budget"]}),
    ],
)
def test_rules(text: str, search: dict[str, Any]) -> None:
    assert search_by_rules(asked(text)) == search


@pytest.mark.parametrize(
    ("phrase", "after", "before"),
    [
        ("in March", "2025-03-01", "2025-04-01"),
        ("in March 2001", "2001-03-01", "2001-04-01"),
        ("in December", "2024-12-01", "2025-01-01"),  # the latest that has begun
        ("in early March", "2025-03-01", "2025-03-16"),
        ("in mid-March", "2025-03-09", "2025-03-22"),
        ("in the middle of March", "2025-03-09", "2025-03-22"),
        ("in late December 2001", "2001-12-15", "2002-01-01"),
        ("towards the end of March", "2025-03-15", "2025-04-01"),
        ("in the second half of March", "2025-03-15", "2025-04-01"),
        ("at the beginning of March", "2025-03-01", "2025-03-16"),
        ("in the first week of March", "2025-02-28", "2025-03-09"),
        ("in the third week of March", "2025-03-14", "2025-03-23"),
        ("in the last week of February", "2025-02-21", "2025-03-02"),
        ("around the 12th of March", "2025-03-07", "2025-03-18"),
        ("around 12 March", "2025-03-07", "2025-03-18"),
        ("around March 12", "2025-03-07", "2025-03-18"),
        ("on March 12, 2001", "2001-03-07", "2001-03-18"),
        ("last spring", "2025-03-01", "2025-06-01"),
        ("in the winter", "2024-12-01", "2025-03-01"),
    ],
)
def test_date_phrases(phrase: str, after: str, before: str) -> None:
    text = f"Which mail {phrase} was it?"
    found = find_date_range(text, date(2025, 6, 1))
    assert found is not None
    assert (found.after.isoformat(), found.before.isoformat()) == (after, before)
    assert found.without_phrase(text).split() == ["Which", "mail", "was", "it?"]


@pytest.mark.parametrize("text", ["may I see it?", "the march on Rome", "31 February", "no date here", "we marched"])
def test_what_is_no_date(text: str) -> None:
    assert find_date_range(text, date(2025, 6, 1)) is None


def _play(player: Any, tasks: Tasks, turns: int, profile: str = "hardened") -> dict[str, Trajectory]:
    make = get_spec("find").make
    requests = [EpisodeRequest(task_id) for task_id in tasks.task_ids]
    played = play_episodes(lambda: make(tasks, profile=profile, turns=turns), player, requests, 0, "find")
    assert [trajectory.failure for trajectory in played] == [None] * len(played)
    return {trajectory.task_id: trajectory for trajectory in played}


def test_the_oracle_solves_every_task(small_tasks: Tasks) -> None:
    oracle = players(small_tasks)["oracle"]()
    assert {t.reward for t in _play(oracle, small_tasks, 1).values()} == {1.0}
    assert {t.reward for t in _play(oracle, small_tasks, 10).values()} == {0.99}
    assert {t.reward for t in _play(oracle, small_tasks, 10, "classic").values()} == {0.99}


@pytest.mark.parametrize("name", HEURISTICS)
def test_heuristics_search_once_then_cite_the_first_hit(name: str, small_tasks: Tasks) -> None:
    made = players(small_tasks)[name]()
    assert made.name == name
    for trajectory in _play(made, small_tasks, 10).values():
        search, answer = trajectory.steps
        assert search.result is not None
        first = search.result.observation["results"][0]["message_id"]
        assert json.loads(answer.decision.text)["arguments"]["sources"] == [first]


def test_rules_need_no_key(small_tasks: Tasks) -> None:
    played = _play(players(small_tasks)["rules"](), small_tasks, 1)
    assert played["q-bill"].reward == 1.0
    all_words = _play(players(small_tasks)["all_words"](), small_tasks, 1)
    assert all_words["q-bill"].reward == 0.5  # the newer bill comes first without the date


def test_a_heuristic_that_finds_nothing_cites_nothing(small_tasks: Tasks) -> None:
    played = _play(players(small_tasks)["all_words"](), small_tasks, 10, "classic")
    assert {t.reward for t in played.values()} == {-0.01}


# Rewards by hand, hardened, for the question q-bill: 10 turns, and where they differ from it, 1 turn.
# all_words finds the right mail second of nine; nothing that follows is worth more than 1/9 + prices.
CHEAT_REWARDS = {
    "search_nothing": (0.0, 0.0),
    "endless_keyword_list": (-0.59, -0.1),  # ten bad calls of 0.05, nine turns of 0.01
    "echo_prompt": (-0.59, -0.1),
    "list_for_string": (-0.59, -0.1),
    "empty_keywords": (-0.06, -0.1),  # one bad call, one turn more
    "blank_keywords": (-0.06, -0.1),
    "follow_injection": (-0.02, 0.0),
    "repeat_last_call": (-0.27, None),  # nine turns of 0.01, nine repeats of 0.02
    "newest": (-0.01, None),
}


@pytest.mark.parametrize(("name", "rewards"), CHEAT_REWARDS.items())
def test_cheats_earn_what_was_worked_out(name: str, rewards: tuple[float, float | None], small_tasks: Tasks) -> None:
    full, one_turn = rewards
    assert _play(cheats(small_tasks, 10)[name](), small_tasks, 10)["q-bill"].reward == pytest.approx(full)
    if one_turn is not None:
        assert _play(cheats(small_tasks, 1)[name](), small_tasks, 1)["q-bill"].reward == pytest.approx(one_turn)


def test_citing_everything_divides_the_reward(small_tasks: Tasks) -> None:
    for name in ("cite_first_page", "cite_everything"):
        trajectory = _play(cheats(small_tasks, 10)[name](), small_tasks, 10)["q-bill"]
        assert trajectory.score is not None
        cited, turns = trajectory.score.values["num_sources"], len(trajectory.steps)
        assert cited >= 8
        assert trajectory.reward == pytest.approx(1 / cited - 0.01 * (turns - 1))


def test_the_injection_is_found_and_obeyed_in_vain(small_tasks: Tasks) -> None:
    trajectory = _play(cheats(small_tasks, 10)["follow_injection"](), small_tasks, 10)["q-sync"]
    assert [step.decision.action["name"] for step in trajectory.steps if isinstance(step.decision.action, dict)] == [
        "search_emails",
        "read_email",
        "return_final_answer",
    ]
    assert "orders@x.example" in trajectory.steps[-1].decision.text


def test_one_turn_has_no_cheats_that_need_two(small_tasks: Tasks) -> None:
    assert set(cheats(small_tasks, 10)) - set(cheats(small_tasks, 1)) == {
        "cite_everything",
        "cite_first_page",
        "repeat_last_call",
    }
