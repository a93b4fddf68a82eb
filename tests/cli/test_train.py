from pathlib import Path

import pytest
from tests.tiny_model import save_tiny_model

from mailgym.cli import train
from mailgym.core.runs import RunFolder
from mailgym.train.experiment import Experiment

SMALL = (
    "data.size=10x90",
    "data.train=4",
    "data.validation=2",
    "data.test=3",
    "train.updates=1",
    "train.groups=2",
    "train.group_size=2",
    "train.max_tokens=4",
    "train.lora_rank=2",
)


@pytest.fixture(scope="module")
def tiny_folder(tmp_path_factory):
    return save_tiny_model(tmp_path_factory.mktemp("tiny"))


def test_demo_trains_reports_and_says_how_to_go_on(mailgym, tiny_folder):
    done = mailgym("demo", *SMALL, f"run.model={tiny_folder}")
    assert done.code == 0, done.err
    for part in ("Held-out reward", "rules", "report.html", "mailgym eval find", "--mailbox your.mbox", "untrained"):
        assert part in done.out
    listed = mailgym("runs", "list", "--json").data
    assert [(run["name"], run["update"]) for run in listed] == [("demo-1", 1)]
    again = mailgym("demo", "--json", *SMALL, f"run.model={tiny_folder}")
    assert again.data["run"] == "runs/demo-2"
    assert again.data["gain"]["pairs"] == 3
    tried = mailgym("eval", "find", "--agents", "run:demo-2", "-n", "2", "--store", _store(tiny_folder), "--json")
    assert tried.data["rows"][0]["agent"] == "run:demo-2", tried.err


def _store(folder):
    from mailgym.corpora.sources import simulated_store

    return simulated_store(7, "10x90")


def test_ctrl_c_says_how_to_go_on_and_resume_finishes(mailgym, tiny_folder, monkeypatch):
    whole = Experiment._train

    def stop(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(Experiment, "_train", stop)
    stopped = mailgym("train", "find", *SMALL, "--model", tiny_folder, "--name", "mine")
    assert stopped.code == 130
    assert "mailgym train find --resume --name mine" in stopped.err
    monkeypatch.setattr(Experiment, "_train", whole)
    other = mailgym("train", "find", "--resume", "--name", "mine", "train.updates=3")
    assert other.code == 2
    assert "train.updates was 1 and is now 3" in other.err
    done = mailgym("train", "find", "--resume", "--name", "mine", "--json")
    assert done.code == 0, done.err
    assert done.data["gain"]["pairs"] == 3


def test_a_dry_run_prints_the_whole_configuration_and_makes_nothing(mailgym, tmp_path):
    plan = mailgym("train", "find", "--dry-run", "--json", "--preset", "cpu", "--seed", "3", "train.groups=9").data
    assert plan["config"]["run"]["seed"] == 3
    assert plan["config"]["train"]["groups"] == 9
    assert plan["run"] == "runs/find-1"
    assert "[train]" in mailgym("demo", "--dry-run").out
    assert mailgym("runs", "list", "--json").data == []


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("train", "fnid"), "no environment 'fnid'"),
        (("train", "find", "train.update=3"), "train.updates"),
        (("train", "find", "train.updates=many"), "a whole number"),
        (("train", "find", "--preset", "cpuu"), "cpu"),
        (("train", "find", "--resume"), "to resume: start one with"),
        (("demo", "--resume", "--name", "none"), "is not a run"),
        (("train", "find", "--mailbox", "none.mbox"), "does not exist"),
        (("train", "find", "--model", "nowhere"), "no model 'nowhere'"),
    ],
)
def test_wrong_input_is_one_line_that_says_what_to_do(mailgym, arguments, complaint):
    done = mailgym(*arguments, *(("data.size=10x90",) if "--model" in arguments else ()))
    assert done.code == 2
    assert complaint in done.err
    assert "Traceback" not in done.err


def test_names_are_numbered_and_the_newest_is_resumed(tmp_path):
    def asked(resume):
        return train.Asked("mailgym demo", "demo", None, tmp_path, resume, False, False)

    assert train.choose_folder(asked(False)).name == "demo-1"
    for name in ("demo-2", "demo-10", "other-99"):
        RunFolder.create(tmp_path / name, {"run": {}}).close()
    assert train.choose_folder(asked(False)).name == "demo-11"
    assert train.choose_folder(asked(True)).name == "demo-10"


@pytest.mark.parametrize(
    ("run", "mailbox", "folder", "told"),
    [
        ({}, "", "runs", "mailgym eval find --model run:mine\n"),
        ({}, "a b.mbox", "runs", "mailgym eval find --model run:mine --mailbox 'a b.mbox'\n"),
        ({"turns": 3, "profile": "classic"}, "", "r", "run:mine --turns 3 --profile classic --runs "),
    ],
)
def test_what_comes_next_names_all_that_differs_from_the_defaults(
    tmp_path, monkeypatch, capsys, run, mailbox, folder, told
):
    monkeypatch.chdir(tmp_path)
    config = {"run": {"env": "find", "turns": 1, "profile": "hardened", **run}, "data": {"mailbox": mailbox}}
    asked = train.Asked("mailgym train find", "find", "mine", Path(folder), False, False, False)
    with RunFolder.create(asked.runs / "mine", config) as made:
        train._say_what_next(made, asked)
    out = capsys.readouterr().out
    assert told in out
    assert ("--mailbox your.mbox" in out) == (not mailbox)
