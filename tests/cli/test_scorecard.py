import json
from pathlib import Path
from typing import Any

import pytest

from mailgym.corpora import sources
from mailgym.envs.registry import get_spec
from mailgym.evaluate import suite


@pytest.fixture
def frozen(small_tasks: Any, search_tasks: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> suite.Suite:
    """A suite of find and search over the two hand-written stores, in the place of those that ship."""
    tasks = {"find": small_tasks, "search": search_tasks}
    specs = {env: get_spec(env) for env in tasks}
    made = suite.freeze("v9", specs, lambda spec: tasks[spec.id], seed=7)
    (tmp_path / "v9.json").write_text(json.dumps(made.to_json()))
    monkeypatch.setattr(suite.read_suite, "__defaults__", ("v1", tmp_path))
    monkeypatch.setattr(suite.suite_names, "__defaults__", (tmp_path,))
    folders = {"demo": small_tasks.folder, "full": search_tasks.folder}
    monkeypatch.setattr(sources, "simulated_store", lambda seed, size, progress: folders[size])
    return made


BASE = ("scorecard", "--suite", "v9")


def test_a_table_of_all_environments(mailgym: Any, frozen: suite.Suite) -> None:
    result = mailgym(*BASE)
    assert result.code == 0
    assert "Scorecard: mean reward [95 % interval]" in result.out
    assert "baseline is rules in find, bm25 in search" in result.out
    assert frozen.digest in result.out


def test_json_beside_the_table(mailgym: Any, frozen: suite.Suite) -> None:
    result = mailgym(*BASE, "--agents", "null,oracle", "--out", "card.json")
    assert "Scorecard" in result.out
    assert "written to card.json" in result.err
    data = json.loads(Path("card.json").read_text())
    find = data["environments"][0]
    assert [row["reward"]["mean"] for row in find["rows"]] == [0.0, 1.0]
    assert mailgym(*BASE, "--agents", "null,oracle", "--json").data == data, "the same figures every time"


def test_first_tasks_alone(mailgym: Any, frozen: suite.Suite) -> None:
    data = mailgym(*BASE, "-n", "2", "--agents", "null", "--json").data
    assert not data["whole"]
    assert [entry["tasks"] for entry in data["environments"]] == [2, 2]


def test_a_dry_run_plays_nothing(mailgym: Any, frozen: suite.Suite) -> None:
    plan = mailgym(*BASE, "--dry-run", "--json").data
    assert plan["tasks"] == {"find": 4, "search": 8}
    assert plan["agents"] == ["null", "random", "baseline", "oracle"]
    said = mailgym(*BASE, "--dry-run", "--agents", "rules,openai:m").out
    assert said == "would play 2 agents (rules, openai:m) on 4 tasks of find, 8 tasks of search\n"


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--agents", "nope"), "no agent 'nope' in any environment"),
        (("--agents", "null,null"), "named twice"),
        (("--agents", "base"), "--agents base,run:NAME"),
        (("--suite", "v0"), "no suite 'v0': there is v9"),
        (("--profile", "soft"), "choose one of classic, hardened"),
        (("--out", "no/such/folder/card.json"), "in a folder that is there"),
    ],
)
def test_what_cannot_be_played_is_said(mailgym: Any, frozen: suite.Suite, options: tuple[str, ...], said: str) -> None:
    result = mailgym(*BASE, *options)
    assert result.code == 2
    assert said in result.err


def test_a_model_plays_everywhere(mailgym: Any, frozen: suite.Suite, monkeypatch: pytest.MonkeyPatch) -> None:
    from mailgym.llm import names
    from mailgym.llm.scripted import ScriptedModel

    monkeypatch.setattr(names, "open_model", lambda name, **_: ScriptedModel(lambda request: "no call", name))
    data = mailgym(*BASE, "--agents", "openai:m,rules", "--json").data
    assert [[row["agent"] for row in entry["rows"]] for entry in data["environments"]] == [
        ["openai:m", "rules"],
        ["openai:m"],
    ]
    assert data["environments"][0]["rows"][0]["reward"]["mean"] == pytest.approx(-0.1)  # one bad call
