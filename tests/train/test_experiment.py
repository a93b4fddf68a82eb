import io
import json
from pathlib import Path

import pytest
from rich.console import Console
from tests.tiny_model import save_tiny_model, tiny_model

from mailgym.core.config import from_dict, to_dict
from mailgym.core.episode import Failure, Trajectory
from mailgym.core.errors import ConfigError, RunError
from mailgym.core.runs import RunFolder
from mailgym.corpora.sources import simulated_store
from mailgym.evaluate.report import gather, write_report
from mailgym.llm.local import import_torch
from mailgym.train import experiment
from mailgym.train.config import DataConfig, ExperimentConfig
from mailgym.train.display import Display
from mailgym.train.experiment import Experiment, open_store, set_matmul
from mailgym.train.policy import Policy
from mailgym.train.stage import validation_record

HELD_OUT = 5


@pytest.fixture(scope="module")
def folders(tmp_path_factory):
    model = save_tiny_model(tmp_path_factory.mktemp("tiny"))
    return model, simulated_store(3, "10x90", cache=tmp_path_factory.mktemp("cache"))


@pytest.fixture
def config(folders, monkeypatch):
    monkeypatch.setattr(experiment, "open_store", lambda data, progress: folders[1])
    return from_dict(
        ExperimentConfig,
        {
            "run": {"model": str(folders[0]), "seed": 1},
            "data": {"train": 8, "validation": 3, "test": HELD_OUT},
            "train": {"updates": 2, "groups": 2, "group_size": 2, "max_tokens": 6, "lora_rank": 2, "validate_every": 1},
        },
    )


class Stopping(Display):
    """Stops like Ctrl-C when a phase of this name begins."""

    def __init__(self, stop_at=None):
        super().__init__(Console(file=io.StringIO()))
        self.stop_at, self.phases = stop_at, []

    def phase(self, name, total):
        self.phases.append((name, total))
        if name == self.stop_at:
            raise KeyboardInterrupt
        return super().phase(name, total)


def played(run):
    return sorted((phase, t.agent, t.update, t.task_id, t.sample) for phase, t in run.episodes())


def test_an_experiment_plays_trains_and_plays_again(config, tmp_path):
    with RunFolder.create(tmp_path / "run", to_dict(config)) as run:
        Experiment(run, config, Stopping()).execute()
    phases = [key.phase for key in run.episode_keys()]
    agents = 2 + len(experiment.get_spec("find").heuristics) + 1
    assert phases.count("baseline") == agents * HELD_OUT
    assert phases.count("before") == phases.count("after") == HELD_OUT
    assert phases.count("train") == 2 * 2 * 2
    assert phases.count("validation") == 3 * 3
    assert [record["update"] for record in run.metrics("validation")] == [0, 1, 2]
    report = gather(run)
    assert report.gain.difference is not None
    assert report.best_heuristic == "rules"
    assert all(path.exists() for path in write_report(run) if path is not None)


def test_an_experiment_that_was_stopped_goes_on_and_plays_nothing_twice(config, tmp_path):
    with RunFolder.create(tmp_path / "whole", to_dict(config)) as whole:
        Experiment(whole, config, Stopping()).execute()
    path = tmp_path / "cut"
    RunFolder.create(path, to_dict(config)).close()
    for stop_at in ("baseline: rules", "before: untrained", "after: trained", None):
        display = Stopping(stop_at)
        with RunFolder.resume(path, to_dict(config)) as run:
            if stop_at is None:
                Experiment(run, config, display).execute()
            else:
                with pytest.raises(KeyboardInterrupt):
                    Experiment(run, config, display).execute()
    assert ("before: untrained", 0) in display.phases
    lines = (path / "episodes.jsonl").read_text().splitlines()
    assert len(lines) == len(run.episode_keys())
    assert played(run) == played(whole)
    rewards = {(p, t.agent, t.task_id): t.reward for p, t in whole.episodes() if p == "after"}
    assert rewards == {(p, t.agent, t.task_id): t.reward for p, t in run.episodes() if p == "after"}


def test_an_adapter_is_refused_before_anything_is_played(config, tmp_path, folders):
    Policy(tiny_model(), 2, 4, 0).save(tmp_path / "adapter")
    details = json.loads((tmp_path / "adapter" / "adapter_config.json").read_text())
    details["base_model_name_or_path"] = str(folders[0])
    (tmp_path / "adapter" / "adapter_config.json").write_text(json.dumps(details))
    values = to_dict(config)
    values["run"]["model"] = str(tmp_path / "adapter")
    over = from_dict(ExperimentConfig, values)
    with RunFolder.create(tmp_path / "run", values) as run, pytest.raises(ConfigError, match="adapter over an adapter"):
        Experiment(run, over, Stopping()).execute()
    assert not run.episode_keys()


def test_too_few_training_tasks_are_said_before_anything_is_played(config, tmp_path):
    values = to_dict(config)
    values["train"]["groups"] = 9
    big = from_dict(ExperimentConfig, values)
    with RunFolder.create(tmp_path / "run", values) as run, pytest.raises(ConfigError, match="only 8 training tasks"):
        Experiment(run, big, Stopping()).execute()
    assert not run.episode_keys()


def episode(reward, failure=None):
    return Trajectory("find", "p", "t", (), "answered", reward, None, failure, key={"template": "a", "mailbox": "b"})


def test_failures_are_counted_in_a_validation_and_never_as_a_reward():
    record = validation_record([episode(1.0), episode(0.0), episode(None, Failure("model", "down"))], 4)
    assert (record["reward_mean"], record["n"], record["failed"]) == (0.5, 2, 1)
    with pytest.raises(RunError, match="every validation episode failed \\(down\\)"):
        validation_record([episode(None, Failure("model", "down"))], 4)


def test_the_store_is_the_one_that_eval_uses_however_many_tasks_are_taken(monkeypatch):
    monkeypatch.setattr(experiment, "mailbox_store", lambda source, **given: (source.name, given))
    few = open_store(DataConfig(source="mailbox", mailbox="m.mbox", seed=4, train=9))
    assert few == open_store(DataConfig(source="mailbox", mailbox="m.mbox", seed=4))
    assert few == ("m.mbox", {"seed": 4, "progress": None})
    monkeypatch.setattr(experiment, "simulated_store", lambda seed, size, progress: (seed, size))
    assert open_store(DataConfig(seed=2)) == (2, "demo")
    assert open_store(DataConfig(source="store", store="company")) == Path("company")


def test_matrices_are_multiplied_as_the_run_says():
    torch = import_torch()
    before = torch.get_float32_matmul_precision()
    try:
        set_matmul("bf16")
        assert torch.get_float32_matmul_precision() == "medium"
        set_matmul("float32")
        assert torch.get_float32_matmul_precision() == "highest"
    finally:
        torch.set_float32_matmul_precision(before)
