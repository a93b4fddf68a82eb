"""No cheat beats the honest players, and a rubric that can be farmed is found out."""

from dataclasses import replace
from typing import Any

import pytest
from rich.console import Console

from mailgym.core.errors import UserError
from mailgym.envs.base import TaskSet
from mailgym.envs.registry import all_specs, get_spec
from mailgym.envs.search.tasks import SearchKey, SearchTask
from mailgym.evaluate.redteam import RedTeamReport, episode_count, red_team

Tasks = TaskSet[SearchTask, SearchKey]


@pytest.fixture(scope="module")
def report(small_tasks: Tasks) -> RedTeamReport:
    return red_team(get_spec("find"), small_tasks)


FORMS = [(spec.id, turns) for spec in all_specs() for turns in spec.turn_forms]


@pytest.mark.parametrize(("env_id", "turns"), FORMS)
def test_no_cheat_beats_the_honest_under_hardened(env_id: str, turns: int, request: pytest.FixtureRequest) -> None:
    tasks = request.getfixturevalue(f"{env_id}_tasks")
    (verdict,) = red_team(get_spec(env_id), tasks, ["hardened"], turn_forms=[turns]).verdicts
    assert verdict.holds
    assert verdict.best_cheat_reward < verdict.best_honest_reward < verdict.oracle_reward + 1e-9


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
    assert "no cheat beats the honest" in text
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
