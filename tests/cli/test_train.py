from pathlib import Path

import pytest
from tests.tiny_model import save_tiny_model

from mailgym.cli import train
from mailgym.core.runs import RunFolder
from mailgym.envs.registry import get_spec
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


def test_a_store_that_somebody_made_is_trained_on_and_played_again(mailgym, tiny_folder, tmp_path):
    made = mailgym("simulate", "--people", "12", "--days", "90", "--seed", "5", "--store", tmp_path / "our company")
    assert made.code == 0, made.err
    small = (*SMALL[1:], "--model", tiny_folder, "--store", tmp_path / "our company", "--name", "mine")
    done = mailgym("train", "find", *small)
    assert done.code == 0, done.err
    assert f"mailgym eval find --model run:mine --store '{tmp_path}/our company'" in done.out
    assert "--mailbox your.mbox" not in done.out
    report = Path("runs/mine/report/report.md").read_text()
    assert "store our company; its text is left out of this report" in report


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


def test_the_turns_are_the_environments_own_unless_they_are_named(mailgym):
    def turns(*asked):
        return mailgym("train", *asked, "--dry-run", "--json").data["config"]["run"]["turns"]

    assert turns("find") == 1
    assert turns("find", "--preset", "search-cpu") == 1
    assert turns("inbox") == get_spec("inbox").default_turns > 1
    assert turns("inbox", "--turns", "4") == 4
    assert turns("inbox", "run.turns=5") == 5


def test_the_company_is_as_large_as_the_environment_asks_for(mailgym):
    def size(*asked):
        return mailgym("train", *asked, "--dry-run", "--json").data["config"]["data"]["size"]

    assert (size("find"), size("search")) == ("demo", "full")
    assert size("search", "--preset", "search-cpu") == "small"
    assert size("search", "data.size=small") == "small"


def test_what_is_imitated_is_asked_by_options(mailgym):
    asked = ("--warm-start", "oracle:64", "--warm-start-epochs", "2", "--warm-start-learning-rate", "1e-4")
    plan = mailgym("train", "find", "--dry-run", "--json", *asked, "warm_start.batch=4").data["config"]["warm_start"]
    expected = {"player": "oracle", "trajectories": 64, "epochs": 2, "batch": 4, "learning_rate": 1e-4, "leave_out": []}
    assert plan == expected
    assert mailgym("train", "find", "--dry-run", "--json").data["config"]["warm_start"]["trajectories"] == 0


def test_stages_are_an_override_too_and_are_shown(mailgym):
    stages = 'curriculum.stages=[{env="find", updates=4, until_reward=0.7}, {env="find", turns=2}]'
    shown = mailgym("train", "find", "--dry-run", stages).out
    assert "until_reward = 0.7" in shown
    assert shown.count('env = "find"') == 3
    wrong = mailgym("train", "find", "--dry-run", 'curriculum.stages=[{env="fnid"}]')
    assert wrong.code == 2
    assert "no environment 'fnid'" in wrong.err


def test_a_warm_start_whose_turns_are_too_long_says_what_to_set(mailgym, tiny_folder):
    done = mailgym("train", "find", *SMALL, "--model", tiny_folder, "--warm-start", "oracle:2")
    assert done.code == 2
    assert "Set train.max_tokens=" in done.err


def test_a_run_of_an_older_version_goes_on_with_the_keys_it_did_not_know_at_their_defaults(mailgym, tiny_folder):
    assert mailgym("train", "find", *SMALL, "--model", tiny_folder, "--name", "old").code == 0
    file = Path("runs/old/config.toml")
    text = file.read_text()
    older = text[: text.index("[warm_start]")] + text[text.index("[train]") :].replace("max_episode_tokens = 0\n", "")
    assert older != text
    file.write_text(older)
    done = mailgym("train", "find", "--resume", "--name", "old", "--json")
    assert done.code == 0, done.err
    assert file.read_text() == older
    other = mailgym("train", "find", "--resume", "--name", "old", "--warm-start", "oracle:2")
    assert other.code == 2
    assert "warm_start.trajectories was 'not set' and is now 2" in other.err


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("train", "fnid"), "no environment 'fnid'"),
        (("train", "find", "train.update=3"), "train.updates"),
        (("train", "find", "train.updates=many"), "a whole number"),
        (("train", "find", "--preset", "cpuu"), "cpu"),
        (("train", "find", "--warm-start", "oracle"), "give a player and a number of trajectories, such as oracle:64"),
        (
            ("train", "find", "--warm-start", "oracle:4", "--warm-start-learning-rate", "0"),
            "learning_rate must be above",
        ),
        (("train", "find", "--resume"), "to resume: start one with"),
        (("demo", "--resume", "--name", "none"), "is not a run"),
        (("train", "find", "--mailbox", "none.mbox"), "does not exist"),
        (("train", "find", "--store", "none"), "none"),
        (("train", "find", "--store", "a", "--mailbox", "b.mbox"), "give one of them"),
        (("train", "routing", "--store", "a"), "leave --mailbox and --store out"),
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
    ("run", "data", "folder", "told"),
    [
        ({}, {}, "runs", "mailgym eval find --model run:mine\n"),
        ({}, {"mailbox": "a b.mbox"}, "runs", "mailgym eval find --model run:mine --mailbox 'a b.mbox'\n"),
        ({}, {"store": "our mail"}, "runs", "mailgym eval find --model run:mine --store 'our mail'\n"),
        ({"turns": 3, "profile": "classic"}, {}, "r", "run:mine --turns 3 --profile classic --runs "),
    ],
)
def test_what_comes_next_names_all_that_differs_from_the_defaults(
    tmp_path, monkeypatch, capsys, run, data, folder, told
):
    monkeypatch.chdir(tmp_path)
    config = {"run": {"env": "find", "turns": 1, "profile": "hardened", **run}, "data": data}
    asked = train.Asked("mailgym train find", "find", "mine", Path(folder), False, False, False)
    with RunFolder.create(asked.runs / "mine", config) as made:
        train._say_what_next(made, asked)
    out = capsys.readouterr().out
    assert told in out
    assert ("--mailbox your.mbox" in out) == (not data)


def test_what_comes_next_names_no_mail_for_an_environment_that_takes_none_as_it_comes(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    config = {"run": {"env": "search", "turns": 2, "profile": "hardened"}, "data": {"size": "small"}}
    asked = train.Asked("mailgym train search", "search", "mine", Path("runs"), False, False, False)
    with RunFolder.create(asked.runs / "mine", config) as made:
        train._say_what_next(made, asked)
    out = capsys.readouterr().out
    assert "mailgym eval search --model run:mine --turns 2" in out
    assert "mailgym train" not in out
