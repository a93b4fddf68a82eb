import json
from pathlib import Path
from typing import Any

import pytest

from mailgym.core.runs import RunFolder
from mailgym.envs.registry import all_specs
from mailgym.envs.search import FIND
from mailgym.llm import names
from mailgym.llm.scripted import ScriptedModel

RIGHT = '{"keywords": ["Harbour", "toner"], "from_addr": "Dana Whitfield", "sent_before": "2025-03-16"}'
NOTHING = '{"keywords": ["zebra"]}'


@pytest.fixture
def scripted(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The base finds nothing, what was trained finds the first question's mail; returns the names opened."""
    opened: list[str] = []

    def open_model(name: str, **_: Any) -> ScriptedModel:
        opened.append(name)
        return ScriptedModel(lambda request: RIGHT if name == "run:first" else NOTHING, name)

    monkeypatch.setattr(names, "open_model", open_model)
    monkeypatch.setattr(names, "base_of", lambda name, runs: f"below {name}")
    return opened


def make_run() -> None:
    RunFolder.create(Path("runs") / "first", {"run": {"model": "local"}, "train": {"max_tokens": 33}}).close()


def test_a_run_beside_its_base(mailgym: Any, small_store: Path, scripted: list[str]) -> None:
    make_run()
    base = ("eval", "find", "--store", small_store, "--agents", "base,run:first", "--out", "eval_results.json")
    result = mailgym(*base)
    assert result.code == 0
    assert scripted == ["below run:first", "run:first"]
    assert "find: run:first against base, 4 pairs" in result.out
    assert "no component fell by more than 0.05 (level 0.05, Holm): " in result.out
    assert "written to eval_results.json" in result.err
    data = json.loads(Path("eval_results.json").read_text())
    assert data["num_scenarios"] == 4
    # one question of four is found: 1 / 4
    assert (data["baseline"]["reward"], data["trained"]["reward"]) == (0.0, 0.25)
    assert data["improvement"]["reward"].startswith("+0.2500")
    assert data["asked"]["agents"] == ["base", "run:first"]
    table = mailgym(*base, "--json").data
    assert [row["agent"] for row in table["rows"]] == ["base", "run:first"], "JSON alone on standard output"


def test_the_base_is_sampled_as_the_run_is(
    mailgym: Any, small_store: Path, scripted: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from mailgym.cli import choose

    make_run()
    assert choose.adapted(["base", "null", "run:first"]) == "run:first"
    how = choose.How(runs=Path("runs"))
    limits = [choose.model_agent(*of)._sampling.max_tokens for of in _both(how)]  # type: ignore[attr-defined]
    assert limits == [33, 33]


def _both(how: Any) -> list[tuple[Any, ...]]:
    return [("run:first", FIND, 1, how), ("base", FIND, 1, how, "run:first")]


@pytest.mark.parametrize("agents", ["base", "base,null", "base,local", "base,run:a,run:b", "base,openai:m"])
def test_a_base_needs_one_run(mailgym: Any, small_store: Path, agents: str) -> None:
    result = mailgym("eval", "find", "--store", small_store, "--agents", agents, "--dry-run")
    assert result.code == 2
    assert "--agents base,run:NAME" in result.err


def test_out_takes_two_agents_and_a_file(mailgym: Any, small_store: Path, tmp_path: Path) -> None:
    base = ("eval", "find", "--store", small_store)
    three = mailgym(*base, "--agents", "null,rules,oracle", "--out", "a.json")
    assert three.code == 2
    assert "compares two agents" in three.err
    nowhere = mailgym(*base, "--agents", "null,rules", "--out", tmp_path / "no" / "a.json")
    assert nowhere.code == 2
    assert "in a folder that is there" in nowhere.err
    assert mailgym(*base, "--agents", "null,rules", "--out", tmp_path).code == 2


def test_two_players_are_compared_as_well(mailgym: Any, small_store: Path) -> None:
    result = mailgym("eval", "find", "--store", small_store, "--agents", "oracle,null", "--out", "a.json")
    assert result.code == 0
    assert "not shown for reward" in result.out
    assert json.loads(Path("a.json").read_text())["improvement"]["reward"] == "-1.0000 ⚠️"


@pytest.mark.parametrize("env_id", [spec.id for spec in all_specs()])
def test_figures_say_which_way_is_better(env_id: str, request: pytest.FixtureRequest) -> None:
    """A figure of parts that are priced must not count as better where it is higher, nor the other way round."""
    from mailgym.envs.drawn import OWN_TASKS
    from mailgym.envs.registry import get_spec

    spec = get_spec(env_id)
    own = None if spec.needs_mail else spec.load_tasks(OWN_TASKS, "validation", 1, 0)
    environment = spec.make(own or request.getfixturevalue(f"{env_id}_tasks"))
    environment.reset()
    weights = {part.name: part.weight for part in environment.owner_view().score.parts}
    for figure in spec.figures:
        signs = {weights.get(name, 0.0) > 0 for name in figure.names if weights.get(name, 0.0) != 0}
        assert not signs or figure.better == "neither" or signs == {figure.better == "higher"}, figure.title
