import io
import json

import pytest
from rich.console import Console
from tests.tiny_model import save_tiny_model

from mailgym.core.config import from_dict, to_dict
from mailgym.core.episode import Decision, MalformedAction
from mailgym.core.errors import ConfigError
from mailgym.core.runs import RunFolder
from mailgym.corpora.sources import simulated_store
from mailgym.envs import registry
from mailgym.evaluate.report import gather, write_report
from mailgym.evaluate.report.words import stages_sentence
from mailgym.train import experiment, stage, warm_start
from mailgym.train.config import ExperimentConfig
from mailgym.train.display import Display, warm_start_line
from mailgym.train.experiment import Experiment

HELD_OUT = 4
UPDATES = 4  # 4 trajectories, 2 an update, 2 epochs


@pytest.fixture(scope="module")
def folders(tmp_path_factory):
    model = save_tiny_model(tmp_path_factory.mktemp("tiny"))
    return model, simulated_store(3, "10x90", cache=tmp_path_factory.mktemp("cache"))


@pytest.fixture
def values(folders, monkeypatch):
    monkeypatch.setattr(experiment, "open_store", lambda data, progress: folders[1])
    monkeypatch.setattr(experiment, "baseline_names", lambda spec: ("rules",))
    return asked(folders[0])


def asked(model):
    return {
        "run": {"model": str(model), "seed": 1},
        "data": {"train": 8, "validation": 2, "test": HELD_OUT},
        "warm_start": {"trajectories": 4, "epochs": 2, "batch": 2, "learning_rate": 1e-2},
        "train": {"updates": 1, "groups": 2, "group_size": 2, "max_tokens": 250, "lora_rank": 2, "validate_every": 1},
    }


def quiet():
    return Display(Console(file=io.StringIO(), width=200))


@pytest.fixture(autouse=True)
def short_turns(monkeypatch):
    """Play with few tokens a turn: what is imitated needs many, since the tiny model writes bytes."""
    whole = stage.Sampling
    monkeypatch.setattr(stage, "Sampling", lambda temperature, max_tokens, limit: whole(temperature, 4, limit))


def execute(path, values, display=None):
    config = from_dict(ExperimentConfig, values)
    opened = RunFolder.resume if (path / "config.toml").exists() else RunFolder.create
    with opened(path, to_dict(config)) as run:
        Experiment(run, config, display or quiet()).execute()
    return run


def adapter(run, name):
    from safetensors.torch import load_file

    return load_file(run.checkpoints / name / "adapter_model.safetensors")


def same(a, b):
    return a.keys() == b.keys() and all(bool((a[name] == b[name]).all()) for name in a)


def test_an_experiment_imitates_then_trains_and_tells_the_stages_apart(values, tmp_path):
    display = quiet()
    run = execute(tmp_path / "run", values, display)
    phases = [key.phase for key in run.episode_keys()]
    assert phases.count("imitated") == 4
    assert phases.count("before") == phases.count("warm_start") == phases.count("after") == HELD_OUT
    records = list(run.metrics("warm_start"))
    assert [record["update"] for record in records] == [1, 2, 3, 4]
    assert records[-1]["loss"] < records[0]["loss"]
    assert warm_start_line(records) in display.console.file.getvalue()
    assert (run.checkpoints / "warm-start-00004" / "adapter_config.json").exists()
    report = gather(run)
    assert [s.role for s in report.standings] == ["after", "warm_start", "before", "heuristic"]
    assert {s.row.agent for s in report.standings} >= {"untrained", "warm start", "trained"}
    parts = report.imitation.difference.interval.mean + report.reinforcement.difference.interval.mean
    assert parts == pytest.approx(report.gain.difference.interval.mean)
    sentence = stages_sentence(report)
    assert "untrained" in sentence
    assert "reinforcement after it gave" in sentence
    assert report.to_json()["reinforcement"]["before"] == "warm_start"
    page, markdown, _ = write_report(run)
    for text in (page.read_text(), markdown.read_text()):
        assert "after the warm start" in text
        assert "Stages:" in text
        assert f"4 trajectories of oracle asked for, {UPDATES} updates" in text
    assert "warm start: loss" in page.read_text()


def test_only_training_tasks_are_imitated(values, tmp_path, folders):
    run = execute(tmp_path / "run", values)
    spec = registry.get_spec("find")
    ids = {split: set(spec.load_tasks(folders[1], split).task_ids) for split in ("train", "validation", "test")}
    imitated = {key.task_id for key in run.episode_keys("imitated")}
    assert len(imitated) == 4
    assert imitated <= ids["train"]
    assert not imitated & (ids["validation"] | ids["test"])


@pytest.fixture(scope="module")
def whole(folders, tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(experiment, "open_store", lambda data, progress: folders[1])
        patch.setattr(experiment, "baseline_names", lambda spec: ("rules",))
        sampling = stage.Sampling
        patch.setattr(stage, "Sampling", lambda temperature, max_tokens, limit: sampling(temperature, 4, limit))
        return execute(tmp_path_factory.mktemp("runs") / "whole", asked(folders[0]))


@pytest.mark.parametrize("stop_at", [("warm_start", 2), ("warm_start", UPDATES), ("train", 1)])
def test_a_run_that_was_stopped_in_or_after_the_warm_start_ends_the_same_bit_for_bit(
    values, tmp_path, monkeypatch, whole, stop_at
):
    append = RunFolder.append_metrics

    def stopping(run, record):
        append(run, record)
        if (record["phase"], record["update"]) == stop_at:
            raise KeyboardInterrupt

    monkeypatch.setattr(RunFolder, "append_metrics", stopping)
    with pytest.raises(KeyboardInterrupt):
        execute(tmp_path / "cut", values)
    monkeypatch.setattr(RunFolder, "append_metrics", append)
    run = execute(tmp_path / "cut", values)
    for name in ("warm-start-00004", "update-00001"):
        assert same(adapter(run, name), adapter(whole, name))
    losses = [[record["loss"] for record in found.metrics("warm_start")] for found in (run, whole)]
    assert losses[0] == losses[1]
    assert len((run.path / "episodes.jsonl").read_text().splitlines()) == len(run.episode_keys()) + (
        6 if stop_at[0] == "train" else 0  # the first validation and the update in flight are played again
    )
    rewards = [
        {(phase, t.agent, t.task_id): t.reward for phase, t in found.episodes() if phase in ("warm_start", "after")}
        for found in (run, whole)
    ]
    assert rewards[0] == rewards[1]


def test_without_a_warm_start_nothing_of_it_is_there(values, tmp_path):
    run = execute(tmp_path / "run", {**values, "warm_start": {}})
    assert not run.episode_keys("imitated")
    assert not list(run.metrics("warm_start"))
    report = gather(run)
    assert report.imitation is report.reinforcement is None
    assert stages_sentence(report) == ""
    assert "Stages" not in write_report(run).html.read_text()


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"trajectories": 9}, "only 8 training tasks: lower warm_start.trajectories to 8"),
        ({"leave_out": ["sent_aftr"]}, "no tool has an argument 'sent_aftr': did you mean sent_after"),
        ({"player": "human"}, "no player 'human' to imitate in find: choose one of newest, .*oracle"),
    ],
)
def test_what_cannot_be_imitated_is_said_before_the_model_plays(values, tmp_path, change, complaint):
    with pytest.raises(ConfigError, match=complaint):
        execute(tmp_path / "run", {**values, "warm_start": {**values["warm_start"], **change}})
    assert not RunFolder.open(tmp_path / "run").episode_keys("before")


def test_arguments_can_be_left_out_of_what_is_imitated(values, tmp_path):
    values["warm_start"]["leave_out"] = ["sent_after", "sent_before", "from_addr"]
    run = execute(tmp_path / "run", values)
    played = [trajectory for _, trajectory in run.episodes("imitated")]
    assert {trajectory.agent for trajectory in played} == {"oracle without sent_after, sent_before, from_addr"}
    left = {name for t in played for name in t.steps[0].decision.action["arguments"]}
    assert "keywords" in left
    assert not left & {"sent_after", "sent_before", "from_addr"}


def test_arguments_are_left_out_of_several_calls_and_of_nothing_else():
    search = {"name": "search_emails", "arguments": {"keywords": ["a"], "sent_after": "2025-01-01"}}
    bare = {"name": "search_emails", "arguments": {"keywords": ["a"]}}
    odd, wrong = {"name": "x", "arguments": "text"}, MalformedAction("?", "no JSON")

    class Player:
        name = "p"

        def act(self, turns):
            return [Decision(action) for action in (search, {"calls": [search, odd]}, odd, wrong, None)]

    decisions = warm_start.WithoutArguments(Player(), ["sent_after"]).act([])
    assert [decision.action for decision in decisions] == [bare, {"calls": [bare, odd]}, odd, wrong, None]


def test_a_prompt_that_cannot_write_is_said(values, tmp_path, monkeypatch):
    from tests.train.toy import ToyPrompt

    spec = registry.get_spec("find")
    mute = type(spec)(**{**vars(spec), "prompt": lambda turns: ToyPrompt()})
    monkeypatch.setattr(warm_start, "get_spec", lambda env: mute)
    with pytest.raises(ConfigError, match="no write\\(action\\)"):
        execute(tmp_path / "run", values)


def test_trajectories_that_are_left_out_are_said(values, tmp_path, monkeypatch):
    whole = warm_start.play_missing

    def damage(run, *rest, **more):
        whole(run, *rest, **more)
        file = run.path / "episodes.jsonl"
        lines = [json.loads(line) for line in file.read_text().splitlines()]
        first = next(line for line in lines if line["phase"] == "imitated")
        first["trajectory"] |= {"failure": {"boundary": "environment", "message": "gone"}, "reward": None}
        file.write_text("".join(json.dumps(line) + "\n" for line in lines))

    monkeypatch.setattr(warm_start, "play_missing", damage)
    display = quiet()
    execute(tmp_path / "run", values, display)
    assert "not imitated: 1 failed of 4 trajectories" in display.console.file.getvalue()
