import io
import json

import pytest
from rich.console import Console
from tests.tiny_model import save_tiny_model, tiny_model
from tests.train.toy import Log, toy_playground

from mailgym.core.config import apply_overrides, from_dict, to_dict
from mailgym.core.errors import ConfigError
from mailgym.core.runs import RunFolder
from mailgym.corpora.sources import simulated_store
from mailgym.evaluate.report import gather
from mailgym.evaluate.report.words import facts
from mailgym.train import experiment
from mailgym.train.checkpoint import Checkpoints
from mailgym.train.config import ExperimentConfig, StageConfig, TrainConfig
from mailgym.train.display import Display
from mailgym.train.experiment import Experiment
from mailgym.train.grpo import train
from mailgym.train.policy import Policy

TOY = TrainConfig(updates=3, groups=2, group_size=2, max_tokens=3, lora_rank=4, lora_alpha=8, validate_every=1)


@pytest.fixture(scope="module")
def folders(tmp_path_factory):
    model = save_tiny_model(tmp_path_factory.mktemp("tiny"))
    details = json.loads((model / "config.json").read_text())
    (model / "config.json").write_text(json.dumps({**details, "max_position_embeddings": 16_000}))
    return model, simulated_store(3, "10x90", cache=tmp_path_factory.mktemp("cache"))


@pytest.fixture
def values(folders, monkeypatch):
    monkeypatch.setattr(experiment, "open_store", lambda data, progress: folders[1])
    monkeypatch.setattr(experiment, "baseline_names", lambda spec: ())
    return asked(folders[0])


def asked(model):
    train_values = {"updates": 1, "groups": 2, "group_size": 2, "max_tokens": 4, "lora_rank": 2, "validate_every": 1}
    return {
        "run": {"model": str(model), "turns": 2},
        "data": {"train": 6, "validation": 2, "test": 2},
        "curriculum": {"stages": [{"env": "find", "updates": 2}, {"env": "find", "updates": 9, "until_reward": -5.0}]},
        "train": train_values,
    }


def execute(path, values):
    config = from_dict(ExperimentConfig, values)
    display = Display(Console(file=io.StringIO(), width=200))
    opened = RunFolder.resume if (path / "config.toml").exists() else RunFolder.create
    with opened(path, to_dict(config)) as run:
        Experiment(run, config, display).execute()
    return run, display.console.file.getvalue()


def test_a_curriculum_goes_through_its_stages_and_ends_in_the_runs_environment(values, tmp_path):
    run, said = execute(tmp_path / "run", values)
    turns = {phase: {len(t.steps) for p, t in run.episodes() if p == phase} for phase in ("stage_1_train", "train")}
    assert turns == {"stage_1_train": {1}, "train": {2}}
    assert [record["update"] for record in run.metrics("stage_1_train")] == [1, 2]
    assert [record["update"] for record in run.metrics("stage_1_validation")] == [0, 1, 2]
    assert [record["update"] for record in run.metrics("stage_2_validation")] == [0], "reached before its first update"
    assert not list(run.metrics("stage_2_train"))
    assert [record["update"] for record in run.metrics("train")] == [1]
    for line in ("stage 1 of 3: find, 1 turn\n", "stage 2 of 3: find, 1 turn\n", "stage 3 of 3: find, 2 turns\n"):
        assert line in said
    assert (run.checkpoints / "stage-1" / "best" / "adapter_config.json").exists()
    told = dict(facts(gather(run)))
    assert told["stage 1"].startswith("find, 1 turn: validation ")
    assert told["stage 1"].endswith(" after 2 updates")
    assert told["stage 2"].endswith(" after 0 updates")


@pytest.mark.parametrize("stop_at", [("stage_1_train", 2), ("stage_2_validation", 0), ("train", 1)])
def test_a_curriculum_that_was_stopped_ends_with_the_same_weights(values, tmp_path, monkeypatch, stop_at, whole_run):
    append = RunFolder.append_metrics

    def stopping(run, record):
        append(run, record)
        if (record["phase"], record["update"]) == stop_at:
            raise KeyboardInterrupt

    monkeypatch.setattr(RunFolder, "append_metrics", stopping)
    with pytest.raises(KeyboardInterrupt):
        execute(tmp_path / "cut", values)
    monkeypatch.setattr(RunFolder, "append_metrics", append)
    run, _ = execute(tmp_path / "cut", values)
    for name in ("stage-1/update-00002", "stage-2/best", "update-00001", "best"):
        file = f"{name}/adapter_model.safetensors"
        assert (run.checkpoints / file).read_bytes() == (whole_run.checkpoints / file).read_bytes()


@pytest.fixture(scope="module")
def whole_run(folders, tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(experiment, "open_store", lambda data, progress: folders[1])
        patch.setattr(experiment, "baseline_names", lambda spec: ())
        return execute(tmp_path_factory.mktemp("runs") / "whole", asked(folders[0]))[0]


def test_training_ends_at_the_validation_that_reaches_the_target_and_stays_ended(tmp_path):
    policy, log = Policy(tiny_model(), 4, 8, 0), Log()
    playground = toy_playground(policy, TOY)
    rewards = iter([0.1, 0.6])
    playground = type(playground)(
        **{name: getattr(playground, name) for name in playground.__dataclass_fields__ if name != "validate"},
        validate=lambda update: {"phase": "validation", "update": update, "reward_mean": next(rewards)},
    )
    for _ in range(2):
        train(policy, playground, TOY, Checkpoints(tmp_path), log, 0.5)
    assert [record["update"] for record in log.records if record["phase"] == "train"] == [1]
    assert Checkpoints(tmp_path).newest() == 1


def test_stages_are_checked_and_can_be_given_as_an_override():
    base = to_dict(ExperimentConfig())
    changed = apply_overrides(base, ['curriculum.stages=[{env="find", updates=5, until_reward=0.7}]'])
    config = from_dict(ExperimentConfig, changed)
    assert config.curriculum.stages == [StageConfig("find", updates=5, until_reward=0.7)]
    assert from_dict(ExperimentConfig, to_dict(config)) == config
    for stage, complaint in (({"env": "find", "updates": 0}, "updates must be at least 1"), ({}, "env is missing")):
        with pytest.raises(ConfigError, match=complaint):
            from_dict(ExperimentConfig, {"curriculum": {"stages": [stage]}})


def test_a_stage_of_a_size_of_its_own_is_played_on_that_store(values, tmp_path, monkeypatch, folders):
    opened = []
    monkeypatch.setattr(experiment, "open_store", lambda data, progress: opened.append(data.size) or folders[1])
    values["curriculum"]["stages"][1]["size"] = "12x90"
    execute(tmp_path / "run", values)
    assert opened == ["demo", "demo", "12x90"]
