import json
from typing import Any

import pytest
from rich.console import Console

from mailgym.agents.finder import find_agent
from mailgym.core.episode import Decision, Failure
from mailgym.envs.registry import get_spec
from mailgym.evaluate.scorecard import Scorecard, baseline_of, play_scorecard
from mailgym.evaluate.suite import freeze


class Down:
    """A model that never answers."""

    name = "down"

    def act(self, turns: Any) -> list[Decision]:
        return [Decision(None, failure=Failure("model", "down")) for _ in turns]


@pytest.fixture(scope="module")
def card(small_tasks: Any, search_tasks: Any) -> Scorecard:
    specs = {env: get_spec(env) for env in ("find", "search")}
    tasks = {"find": small_tasks, "search": search_tasks}
    suite = freeze("v9", specs, lambda spec: tasks[spec.id], seed=7)
    counts: list[tuple[str, int]] = []

    def open_agent(name: str, spec: Any, some: Any) -> Any:
        if name == "down":
            return Down()
        played = baseline_of(spec) if name == "baseline" else name
        return find_agent(played, spec, some) if played in {"null", *spec.players(some)} else None

    agents = ("null", "baseline", "bm25", "oracle", "down")
    made = play_scorecard(suite, tasks, specs, agents, open_agent, progress=lambda *at: counts.append(at))
    assert sum(count for env, count in counts if env == "find") == 4 * 4
    assert sum(count for env, count in counts if env == "search") == 8 * 5
    return made


def test_one_number_an_environment(card: Scorecard) -> None:
    find, search = card.entries
    assert (find.stands_for, search.stands_for) == ("rules", "bm25")
    rewards = {row.agent: row.reward and row.reward.mean for row in find.table.rows}
    assert rewards == {"null": 0.0, "baseline": 1.0, "oracle": 1.0, "down": None}
    same = search.row("bm25"), search.row("baseline")
    assert same[0] is not None
    assert same[1] is not None
    assert same[0].reward == same[1].reward
    assert find.row("bm25") is None, "find has no player of this name"


def test_nothing_is_averaged_over_environments(card: Scorecard) -> None:
    data = card.to_json()
    assert set(data) == {"suite", "digest", "whole", "profile", "seed", "agents", "environments"}
    assert [entry["env"] for entry in data["environments"]] == ["find", "search"]


def test_the_clock_is_in_no_figure(card: Scorecard) -> None:
    text = json.dumps(card.to_json())
    assert "latency" not in text
    assert "p50" not in text
    assert '"turns"' in text


def test_the_table(card: Scorecard) -> None:
    console = Console(width=200)
    with console.capture() as shown:
        console.print(card.to_rich())
    text = shown.get()
    find = next(line for line in text.splitlines() if line.strip().startswith("find, 1 turn"))
    assert find.split()[:4] == ["find,", "1", "turn", "4"]
    assert "–" in find
    assert "none, 4 failed" in find
    assert "search, 10 turns" in text
    assert f"suite v9 ({card.digest}); profile hardened; seed 0" in text


def test_a_part_of_a_suite_says_so(card: Scorecard) -> None:
    from dataclasses import replace

    assert "not the suite's figures" in replace(card, whole=False).header
