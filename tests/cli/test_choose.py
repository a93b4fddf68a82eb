from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from mailgym.cli import choose
from mailgym.core.errors import UserError
from mailgym.core.runs import RunFolder
from mailgym.corpora import sources
from mailgym.envs.drawn import OWN_TASKS
from mailgym.envs.registry import get_spec
from mailgym.envs.search import FIND
from mailgym.llm import names
from mailgym.llm.scripted import ScriptedModel
from mailgym.rollout.engine import EpisodeRequest, play_episodes
from mailgym.train.config import DataConfig


def test_a_store_is_taken_as_it_is(tmp_path: Path) -> None:
    assert choose.find_store(FIND, None, tmp_path) == tmp_path


def test_one_source_at_a_time(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="give one of them"):
        choose.find_store(FIND, tmp_path, tmp_path)
    with pytest.raises(UserError, match="give both"):
        choose.find_store(FIND, None, tmp_path, owner="dana@x.example")


def test_the_questions_are_those_that_training_holds_out(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    asked: list[Any] = []

    def simulated(seed: int, size: str, progress: Any) -> Path:
        progress("a.mailbox", 1, 2)
        asked.append((seed, size))
        return tmp_path

    def mailbox(path: Path, seed: int, owner: str | None, progress: Any) -> Path:
        progress("importing", 1, None)
        asked.append((path, seed, owner))
        return tmp_path

    monkeypatch.setattr(sources, "simulated_store", simulated)
    monkeypatch.setattr(sources, "mailbox_store", mailbox)
    data = DataConfig()
    assert choose.find_store(FIND, None, None) == tmp_path
    assert choose.find_store(FIND, Path("my.mbox"), None, "me@x.example") == tmp_path
    assert asked == [(data.seed, data.size), (Path("my.mbox"), data.seed, "me@x.example")]


def test_what_a_run_records_of_its_source(tmp_path: Path) -> None:
    data = DataConfig()
    assert choose.source_facts(FIND, None, None) == {"source": "simulated", "size": data.size, "seed": data.seed}
    assert choose.source_facts(FIND, Path("a.mbox"), None) == {
        "source": "mailbox",
        "mailbox": "a.mbox",
        "seed": data.seed,
    }
    assert "source" not in choose.source_facts(FIND, None, tmp_path), (
        "a store may hold real mail: reports leave its text out"
    )


def test_fewer_tasks_than_asked_for_are_told(small_store: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert len(choose.load_tasks(get_spec("find"), small_store, "test", 9, 0)) == 4
    assert "there are 4 test tasks, fewer than the 9 asked for" in capsys.readouterr().err
    with pytest.raises(UserError, match="no split 'exam'"):
        choose.load_tasks(get_spec("find"), small_store, "exam", None, 0)


@pytest.mark.parametrize(
    ("names", "model", "words"),
    [
        ("null,model", None, "--model NAME"),
        ("null,null", None, "named twice"),
        ("local,model", "local", "local is named twice"),
        (" , ", None, "names no agent"),
        ("nope", None, "no agent 'nope'"),
    ],
)
def test_agents_that_cannot_be_opened(small_tasks: Any, names: str, model: str | None, words: str) -> None:
    with pytest.raises(UserError, match=words):
        choose.open_agents(names, get_spec("find"), small_tasks, model=model)


@pytest.mark.parametrize(
    ("name", "is_model"),
    [("local", True), ("run:a", True), ("openai:x", True), ("./weights", True), ("null", False), ("model", False)],
)
def test_names_of_models(name: str, is_model: bool) -> None:
    assert choose.is_model_name(name) is is_model


def test_a_runs_model_is_played_with_the_token_limit_it_was_trained_with(tmp_path: Path) -> None:
    RunFolder.create(tmp_path / "mine", {"train": {"max_tokens": 41}}).close()
    RunFolder.create(tmp_path / "other", {"eval": {}}).close()
    assert choose._tokens_of_run("run:mine", tmp_path) == 41
    assert choose._tokens_of_run("run:other", tmp_path) is None
    assert choose._tokens_of_run("local", tmp_path) is None


def test_an_environment_that_brings_its_own_tasks_takes_no_mail(tmp_path: Path) -> None:
    own = replace(FIND, needs_mail=False)
    assert choose.find_store(own, None, None) == OWN_TASKS
    assert choose.source_facts(own, None, None) == {"source": "own tasks"}
    with pytest.raises(UserError, match="brings its own tasks"):
        choose.find_store(own, tmp_path, None)


def test_a_model_with_review_before_its_name_drafts_and_reviews(
    small_tasks: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[str] = []
    cite = '{"name": "return_final_answer", "arguments": {"answer": "", "sources": ["outage@x.example"]}}'

    def open_scripted(name: str, **_: Any) -> ScriptedModel:
        opened.append(name)
        return ScriptedModel([cite.replace("outage", "bill"), cite], name)

    monkeypatch.setattr(names, "open_model", open_scripted)
    (agent,) = choose.open_agents("review:openai:writer", FIND, small_tasks, turns=3)
    (played,) = play_episodes(lambda: FIND.make(small_tasks, turns=3), agent, [EpisodeRequest("q-outage")], 0, "find")
    assert opened == ["openai:writer"]
    assert (agent.name, played.agent) == ("review:openai:writer", "review:openai:writer")
    assert played.reward == 1.0, "the review cites the right mail, the draft another one"
    with pytest.raises(UserError, match="review:openai:writer has no tool calls of its own"):
        choose.model_agent("review:openai:writer", FIND, 3, choose.How(tool_calls="native"))
    assert len(opened) == 1
