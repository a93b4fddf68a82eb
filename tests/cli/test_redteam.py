from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from mailgym.core.errors import UserError
from mailgym.envs import registry
from mailgym.evaluate import redteam, templates


@pytest.fixture
def base(small_store: Path) -> tuple[Any, ...]:
    return ("redteam", "find", "--store", small_store, "--split", "test")


def test_a_plan_says_what_would_be_played(mailgym: Any, base: tuple[Any, ...]) -> None:
    plan = mailgym(*base, "--dry-run", "--json").data
    assert plan["profiles"] == ["classic", "hardened"]
    assert plan["turns"] == [1, 10]
    # 4 tasks: 15 players of the one-turn form and 18 of the full one, under two profiles
    assert plan["episodes"] == 4 * 2 * (15 + 18)
    assert "would play 264 episodes on 4 tasks of find" in mailgym(*base, "--dry-run").out


def test_a_table_and_the_verdicts(mailgym: Any, base: tuple[Any, ...]) -> None:
    result = mailgym(*base, "--turns", "10")
    assert result.code == 0, "without --check the verdict is told, and that is all"
    assert "exploit ratio" in result.out
    assert "hardened, 10 turns: goal missed: the exploit ratio 0.747 is above 0.35" in result.out
    assert "find: " in result.err


def test_json_has_rows_and_verdicts(mailgym: Any, base: tuple[Any, ...]) -> None:
    data = mailgym(*base, "--turns", "1", "--profile", "hardened", "--json").data
    (verdict,) = data["verdicts"]
    assert verdict["baseline"] == "rules"
    assert verdict["exploit_ratio"] == 0.875
    assert data["templates"] == []


def test_check_fails_the_command_where_hardened_misses_the_goal(
    mailgym: Any, base: tuple[Any, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    one = (*base, "--turns", "1", "-n", "1", "--check")
    assert mailgym(*one).code == 1
    assert mailgym(*one, "--profile", "classic").code == 0, "classic need not meet it"
    monkeypatch.setattr(redteam, "GOAL_RATIO", 1.0)
    real = redteam._verdict
    monkeypatch.setattr(redteam, "_verdict", lambda *of: replace(real(*of), holds=True))
    assert mailgym(*one).code == 0


def test_a_search_for_templates_joins_the_table(mailgym: Any, base: tuple[Any, ...], small_tasks: Any) -> None:
    first, *rest = small_tasks.task_ids

    def load_tasks(source: Path, split: str, n: int | None = None, seed: int = 0) -> Any:
        ids = [first] if split == "test" else rest
        tasks = {name: small_tasks.tasks[name] for name in ids}
        return replace(small_tasks, split=split, tasks=tasks, keys={name: small_tasks.keys[name] for name in ids})

    spec = replace(registry.get_spec("find"), load_tasks=load_tasks)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(registry, "get_spec", lambda name: spec)
        one = (*base, "--turns", "1", "--profile", "hardened", "--search", "40")
        plan = mailgym(*one, "--dry-run", "--json").data
        # 15 players and the template on one task; 40 trials and 10 finalists on three
        assert (plan["trials"], plan["episodes"]) == (40, 15 + 40 * 3 + 10 * 3 + 1)
        data = mailgym(*one, "--json").data
        (found,) = data["templates"]
        assert (found["trials"], found["train_tasks"]) == (40, 3)
        assert [row["player"] for row in data["rows"] if row["kind"] == "template"] == ["template_search"]
        assert "best of 40 templates, hardened, 1 turns (on 3 training tasks" in mailgym(*one).out


def test_templates_are_not_measured_where_they_were_chosen(mailgym: Any, base: tuple[Any, ...]) -> None:
    refused = mailgym("redteam", "find", *base[2:4], "--split", "train", "--search", "20")
    assert refused.code == 2
    assert "measure them on another split" in refused.err


def test_all_plays_every_environment(mailgym: Any, monkeypatch: pytest.MonkeyPatch, small_tasks: Any) -> None:
    spec = replace(registry.get_spec("find"), load_tasks=lambda *_: small_tasks, needs_mail=False, turn_forms=(1,))
    specs = (spec, replace(spec, id="again"))
    monkeypatch.setattr(registry, "all_specs", lambda: specs)
    plan = mailgym("redteam", "all", "--dry-run", "--json").data
    assert [one["env"] for one in plan] == ["find", "again"]
    result = mailgym("redteam", "all", "--profile", "hardened", "--check")
    assert result.code == 1
    rows = [line.split()[0] for line in result.out.splitlines() if " hardened, 1 " in line and "┃" not in line]
    assert rows == ["find", "again"], "one summary at the end"
    assert len(mailgym("redteam", "all", "--profile", "hardened", "--json").data) == 2


def test_all_takes_environments_as_they_are(mailgym: Any, small_store: Path) -> None:
    refused = mailgym("redteam", "all", "--store", small_store)
    assert refused.code == 2
    assert "leave --mailbox, --store, --owner and --turns out" in refused.err


def test_a_search_needs_trials_and_other_tasks(small_tasks: Any) -> None:
    spec = registry.get_spec("find")
    report = redteam.red_team(spec, small_tasks, ["hardened"], turn_forms=[1])
    with pytest.raises(UserError, match="at least 10"):
        templates.search_templates(spec, small_tasks, small_tasks, report, trials=9)
    with pytest.raises(UserError, match="is in both"):
        templates.search_templates(spec, small_tasks, small_tasks, report, trials=10)
