"""No cheat beats the honest players, and a rubric that can be farmed is found out."""

from dataclasses import replace
from typing import Any

import pytest
from rich.console import Console

from mailgym.core.errors import UserError
from mailgym.envs.base import TaskSet
from mailgym.envs.drawn import OWN_TASKS
from mailgym.envs.registry import all_specs, get_spec
from mailgym.envs.search.tasks import SearchKey, SearchTask
from mailgym.evaluate.redteam import (
    GOAL_RATIO,
    Kind,
    RedTeamReport,
    RedTeamRow,
    _verdict,
    episode_count,
    red_team,
    summarise,
)

Tasks = TaskSet[SearchTask, SearchKey]


@pytest.fixture(scope="module")
def report(small_tasks: Tasks) -> RedTeamReport:
    return red_team(get_spec("find"), small_tasks)


FORMS = [(spec.id, turns) for spec in all_specs() for turns in spec.turn_forms]
OWN_TASKS_PLAYED = 12
MORE_TASKS_PLAYED = {"reply": 40}
"""Where a dozen mails are too few to tell a cheat's luck from its worth."""
A_COPY_IS_A_SEARCH = frozenset({"find"})
"""Environments whose goal is not held on a handful of mails: there a question copied into the search, as
``huge_keyword_list`` does, finds the mail as often as honest words do. docs/redteam.md has what it comes to on a
company's mail, where the goal is met."""


@pytest.mark.parametrize(("env_id", "turns"), FORMS)
def test_the_hardened_rewards_meet_the_goal(env_id: str, turns: int, request: pytest.FixtureRequest) -> None:
    spec = get_spec(env_id)
    played = MORE_TASKS_PLAYED.get(env_id, OWN_TASKS_PLAYED)
    own = None if spec.needs_mail else spec.load_tasks(OWN_TASKS, "validation", played, 0)
    tasks = own or request.getfixturevalue(f"{env_id}_tasks")
    report = red_team(spec, tasks, ["hardened"], turn_forms=[turns])
    (verdict,) = report.verdicts
    assert verdict.best_cheat_reward < verdict.baseline_reward < verdict.oracle_reward + 1e-9
    if env_id in A_COPY_IS_A_SEARCH:
        copied = next(row.reward_mean for row in report.rows if row.player == "all_words")
        assert verdict.best_cheat_reward <= copied + 1e-9, "padding a search pays no more than the search"
    else:
        assert verdict.missed == []


@pytest.mark.parametrize("turns", [1, 10])
def test_the_verdict_on_find(report: RedTeamReport, turns: int) -> None:
    verdict = report.verdict("hardened", turns)
    assert verdict.best_honest == "rules"
    assert verdict.null_reward == 0.0
    assert verdict.oracle_reward == pytest.approx(1.0 if turns == 1 else 0.99)
    assert verdict.exploit_ratio == pytest.approx(verdict.best_cheat_reward / verdict.oracle_reward)


def test_everyone_plays_everything(report: RedTeamReport, small_tasks: Tasks) -> None:
    spec = all_specs()[0]
    for turns in (1, 10):
        for profile in ("classic", "hardened"):
            rows = [row for row in report.rows if (row.profile, row.turns) == (profile, turns)]
            kinds = {row.player: row.kind for row in rows}
            assert len(kinds) == len(rows)
            assert {name for name, kind in kinds.items() if kind == "cheat"} == set(spec.cheats(small_tasks, turns))
            assert kinds["newest"] == "cheat"
            assert (kinds["null"], kinds["oracle"], kinds["rules"]) == ("null", "oracle", "honest")
            assert {(row.episodes, row.failures) for row in rows} == {(4, 0)}
    counts: list[int] = []
    red_team(spec, small_tasks, ["classic"], turn_forms=[1], progress=counts.append)
    assert sum(counts) == episode_count(spec, small_tasks, ["classic"], [1])


def test_rewards_by_hand(report: RedTeamReport) -> None:
    rewards = {(row.player, row.profile, row.turns): row.reward_mean for row in report.rows}
    assert rewards["repeat_last_call", "hardened", 10] == pytest.approx(-0.27)  # 9 turns and 9 repeats
    assert rewards["repeat_last_call", "classic", 10] == pytest.approx(-0.09)  # no price on repeats
    assert rewards["search_nothing", "hardened", 10] == 0.0
    assert rewards["echo_prompt", "hardened", 1] == pytest.approx(-0.1)


def test_a_rubric_that_pays_for_citing_is_found_out(small_tasks: Tasks) -> None:
    """With milestone credit for a mail found, searching without answering pays: what ART·E warns of."""
    spec = get_spec("find")

    def farmed(tasks: Any, **form: Any) -> Any:
        return spec.make(tasks, milestone_weight=1.0, **form)

    report = red_team(replace(spec, make=farmed), small_tasks, ["hardened"], turn_forms=[10])
    sound = red_team(spec, small_tasks, ["hardened"], turn_forms=[10])
    farmed_ratio, sound_ratio = report.verdicts[0].exploit_ratio, sound.verdicts[0].exploit_ratio
    assert farmed_ratio is not None
    assert sound_ratio is not None
    assert report.verdicts[0].best_cheat_reward > 1.0 > sound.verdicts[0].best_cheat_reward


def test_table_and_json(report: RedTeamReport) -> None:
    console = Console(width=160)
    with console.capture() as shown:
        console.print(report.to_rich())
    text = shown.get()
    assert "hardened, 10 turns" in text
    assert "exploit ratio" in text
    assert "goal met" in text
    data = report.to_json()
    assert len(data["rows"]) == len(report.rows)
    assert {verdict["profile"] for verdict in data["verdicts"]} == {"classic", "hardened"}


def test_an_oracle_that_is_worth_nothing_has_no_ratio(small_tasks: Tasks) -> None:
    blind = replace(
        small_tasks, keys={name: replace(key, message_ids=("gone@x",)) for name, key in small_tasks.keys.items()}
    )
    (verdict,) = red_team(get_spec("find"), blind, ["hardened"], turn_forms=[1]).verdicts
    assert verdict.exploit_ratio is None
    console = Console(width=160)
    with console.capture() as shown:
        console.print(red_team(get_spec("find"), blind, ["hardened"], turn_forms=[1]).to_rich())
    assert "undefined" in shown.get()


def _rows(**rewards: tuple[Kind, float]) -> list[RedTeamRow]:
    return [RedTeamRow(name, kind, "hardened", 1, mean, mean, 10, 0) for name, (kind, mean) in rewards.items()]


def test_a_verdict_by_hand() -> None:
    """Null 0.1, oracle 0.9: the best cheat's 0.3 is a quarter of the way."""
    rows = _rows(
        null=("null", 0.1),
        words=("honest", 0.2),
        rules=("honest", 0.5),
        luck=("honest", 0.6),
        oracle=("oracle", 0.9),
        echo=("cheat", 0.0),
        soup=("cheat", 0.3),
    )
    verdict = _verdict(rows, "hardened", 1)
    assert verdict.exploit_ratio == pytest.approx(0.25)
    assert (verdict.best_cheat, verdict.best_honest, verdict.baseline) == ("soup", "luck", "rules")
    assert verdict.median_honest_reward == 0.5
    assert verdict.holds
    assert verdict.missed == []


@pytest.mark.parametrize(
    ("cheat", "rules", "missed"),
    [
        (0.35, 0.5, []),
        (0.36, 0.5, ["above 0.35"]),
        (0.3, 0.3, ["worth as much as rules"]),
        (0.6, 0.5, ["above 0.35", "worth as much as rules"]),
    ],
)
def test_what_the_goal_asks_for(cheat: float, rules: float, missed: list[str]) -> None:
    rows = _rows(null=("null", 0.0), rules=("honest", rules), oracle=("oracle", 1.0), soup=("cheat", cheat))
    verdict = _verdict(rows, "hardened", 1)
    assert verdict.holds == (not missed)
    assert len(verdict.missed) == len(missed)
    assert all(part in reason for part, reason in zip(missed, verdict.missed, strict=True))
    assert GOAL_RATIO == 0.35


def test_without_rules_the_best_heuristic_is_the_baseline() -> None:
    rows = _rows(
        null=("null", 0.0),
        a=("honest", 0.4),
        b=("honest", 0.7),
        oracle=("oracle", 1.0),
        soup=("cheat", 0.1),
        found=("template", 0.2),
    )
    verdict = _verdict(rows, "hardened", 1)
    assert (verdict.baseline, verdict.best_cheat) == ("b", "found")
    assert verdict.median_honest_reward == pytest.approx(0.55)


def test_only_hardened_has_to_meet_the_goal(report: RedTeamReport) -> None:
    broken = [replace(verdict, holds=verdict.profile == "hardened") for verdict in report.verdicts]
    assert replace(report, verdicts=tuple(broken)).holds
    assert not replace(report, verdicts=tuple(replace(verdict, holds=False) for verdict in broken)).holds


def test_a_summary_has_a_row_a_form(report: RedTeamReport) -> None:
    console = Console(width=200)
    with console.capture() as shown:
        console.print(summarise([report]))
    lines = [line for line in shown.get().splitlines() if line.strip().startswith("find ")]
    assert len(lines) == 4
    assert "huge_keyword_list" in lines[1]


def test_nothing_to_play(small_tasks: Tasks) -> None:
    spec = get_spec("find")
    with pytest.raises(UserError, match="choose one of"):
        red_team(spec, small_tasks, ["soft"])
    with pytest.raises(UserError, match="nothing to play"):
        red_team(spec, small_tasks, [])
    with pytest.raises(UserError, match="was not played"):
        red_team(spec, small_tasks, ["classic"], turn_forms=[1]).verdict("hardened", 1)
    lost = replace(small_tasks, folder=small_tasks.folder / "nowhere")
    with pytest.raises(UserError, match="every episode of null failed"):
        red_team(spec, lost, ["classic"], turn_forms=[1])
