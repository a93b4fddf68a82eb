import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

from mailgym.core.episode import Decision, Failure, Generation, MalformedAction, Step, StepResult, Trajectory
from mailgym.core.errors import ConfigError, RunError
from mailgym.core.runs import EpisodeKey, RunFolder, run_paths
from mailgym.core.score import Part, Score

CONFIG = {"run": {"seed": 3, "env": "find"}, "train": {"updates": 20, "learning_rate": 3e-4}}


def trajectory(task_id: str = "t1", agent: str = "model", reward: float | None = 0.5, **fields: int) -> Trajectory:
    step = Step(
        {"question": "who?"}, Decision({"name": "search"}, "text"), StepResult({}, 0.5, True, False, "answered")
    )
    return Trajectory("find", agent, task_id, (step,), "answered", reward, Score((Part("p", 0.5, 1.0),)), **fields)


@pytest.fixture
def run(tmp_path: Path) -> RunFolder:
    return RunFolder.create(tmp_path / "run", CONFIG, command="mailgym train find")


def test_a_new_run_holds_its_configuration_and_where_it_was_made(run: RunFolder) -> None:
    again = RunFolder.open(run.path)
    assert again.config == CONFIG
    assert again.name == "run"
    assert again.checkpoints.is_dir()
    assert again.report == run.path / "report"
    (opening,) = again.openings()
    assert opening["command"] == "mailgym train find"
    assert opening["versions"]["python"] == ".".join(map(str, sys.version_info[:3]))
    assert opening["machine"]["cores"] >= 1


def test_episodes_come_back_as_they_were_played(run: RunFolder) -> None:
    generation = Generation((1, 2), (3,), (-0.5,), (0.1,), finished=False)
    broken = Step({"a": 1}, Decision(MalformedAction("{", "no JSON"), "{", generation, {"x": 1.0}), None)
    failed = replace(trajectory("t2"), steps=(broken,), reward=None, score=None, failure=Failure("model", "down"))
    run.append_episode(trajectory("t1"), "before")
    run.append_episode(failed, "after")
    assert [(r.phase, r.trajectory) for r in run.episodes()] == [("before", trajectory("t1")), ("after", failed)]


def test_the_last_attempt_of_an_episode_is_kept_in_its_new_place(run: RunFolder) -> None:
    run.append_episode(trajectory("t1", reward=0.1), "train")
    run.append_episode(trajectory("t2", reward=0.2), "train")
    run.append_episode(trajectory("t1", reward=0.3, attempt=1), "train")
    run.append_episode(trajectory("t1", reward=0.0), "train")  # a late record of an attempt that was replaced
    run.append_episode(trajectory("t2", reward=0.4), "train")  # the same attempt again: the later record counts
    assert [(r.trajectory.task_id, r.trajectory.reward) for r in run.episodes()] == [("t1", 0.3), ("t2", 0.4)]


def test_phase_agent_update_and_sample_tell_episodes_apart(run: RunFolder) -> None:
    for phase, agent, update, sample in [
        ("before", "a", 0, 0),
        ("before", "b", 0, 0),
        ("train", "a", 1, 0),
        ("train", "a", 1, 1),
        ("train", "a", 2, 0),
        ("after", "a", 0, 0),
    ]:
        run.append_episode(trajectory("t1", agent, update=update, sample=sample), phase)
    assert len(list(run.episodes())) == 6
    assert len(list(run.episodes("train"))) == 3
    assert len(list(run.episodes("train", update=1))) == 2
    assert len(list(run.episodes(agent="b"))) == 1
    assert list(run.episodes(env="other")) == []
    assert run.episode_keys("before") == {
        EpisodeKey("before", "find", "a", 0, "t1", 0),
        EpisodeKey("before", "find", "b", 0, "t1", 0),
    }


def test_a_task_id_that_looks_like_a_record_does_not_confuse_the_key(run: RunFolder) -> None:
    nasty = 'x", "trajectory": {"key": ["'
    run.append_episode(trajectory(nasty), "before")
    assert [record.trajectory.task_id for record in run.episodes()] == [nasty]


def test_metrics_keep_the_last_record_of_each_phase_update_and_agent(run: RunFolder) -> None:
    run.append_metrics({"phase": "train", "update": 1, "loss": 1.0})
    run.append_metrics({"phase": "validation", "update": 1, "reward_mean": 0.2})
    run.append_metrics({"phase": "baseline", "agent": "null", "reward_mean": 0.0})
    run.append_metrics({"phase": "baseline", "agent": "rules", "reward_mean": 0.4})
    run.append_metrics({"phase": "train", "update": 1, "loss": float("nan")})
    assert list(run.metrics("train")) == [{"phase": "train", "update": 1, "loss": None}]
    assert [record.get("agent") for record in run.metrics()] == [None, None, "null", "rules"]
    with pytest.raises(RunError, match="needs a phase"):
        run.append_metrics({"update": 1})


def test_a_second_writer_is_told_who_writes(run: RunFolder) -> None:
    with pytest.raises(RunError, match=f"being written by process {os.getpid()} on .*: wait for it"):
        RunFolder.resume(run.path)
    (run.path / ".writer.json").unlink()
    with pytest.raises(RunError, match="being written by another process"):
        RunFolder.resume(run.path)
    run.close()
    RunFolder.resume(run.path).close()


def test_a_reader_cannot_write_and_a_closed_run_neither(run: RunFolder) -> None:
    with run:
        run.append_metrics({"phase": "train", "update": 1})
    for closed in (run, RunFolder.open(run.path)):
        with pytest.raises(RunError, match="reading only"):
            closed.append_metrics({"phase": "train", "update": 2})
        with pytest.raises(RunError, match="reading only"):
            closed.append_episode(trajectory(), "train")
    run.close()  # closing twice is closing once
    assert len(list(run.metrics())) == 1


def test_a_resumed_run_cuts_the_torn_line_and_goes_on(run: RunFolder) -> None:
    run.append_episode(trajectory("t1"), "train")
    run.close()
    with (run.path / "episodes.jsonl").open("ab") as file:
        file.write(b'{"phase": "train", "key": ["find", "mod')
    assert [record.trajectory.task_id for record in RunFolder.open(run.path).episodes()] == ["t1"]
    with RunFolder.resume(run.path, CONFIG, command="mailgym train find --resume") as resumed:
        resumed.append_episode(trajectory("t2"), "train")
    assert [record.trajectory.task_id for record in resumed.episodes()] == ["t1", "t2"]
    assert [opening["command"] for opening in run.openings()] == ["mailgym train find", "mailgym train find --resume"]


def test_a_resume_with_another_configuration_names_what_differs(run: RunFolder) -> None:
    run.close()
    other = {"run": {"seed": 4, "env": "find"}, "train": {"updates": 40, "learning_rate": 3e-4, "loss": "dapo"}}
    with pytest.raises(RunError, match=r"run\.seed was 3 and is now 4; .*train\.loss was 'not set' and is now 'dapo'"):
        RunFolder.resume(run.path, other)
    longer = {**CONFIG, "train": {"updates": 40, "learning_rate": 3e-4}}
    with pytest.raises(RunError, match=r"train\.updates was 20 and is now 40"):
        RunFolder.resume(run.path, longer)
    with RunFolder.resume(run.path, longer, may_differ=["train.updates"]) as resumed:
        assert resumed.config["train"]["updates"] == 20
    many = {f"key{index}": index for index in range(9)}
    with pytest.raises(RunError, match="and 8 more"):
        RunFolder.resume(run.path, many)


def test_a_damaged_line_in_the_middle_is_an_error_that_names_it(run: RunFolder) -> None:
    run.append_episode(trajectory("t1"), "train")
    path = run.path / "episodes.jsonl"
    for damage in (
        b"\x00" * 20 + b"\n",
        b'{"phase": "train", "key": [1], "trajectory": {}}\n',
        b'{"phase": "train"}\n',
    ):
        intact = path.read_bytes()
        path.write_bytes(intact + damage + intact)
        with pytest.raises(RunError, match=rf"damaged at byte {len(intact)}"):
            list(run.episodes())
        path.write_bytes(intact)


def test_a_run_is_made_only_in_an_empty_folder(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(RunError, match="is a file"):
        RunFolder.create(tmp_path / "file", CONFIG)
    with pytest.raises(RunError, match=r"holds other files \(file\)"):
        RunFolder.create(tmp_path, CONFIG)
    RunFolder.create(tmp_path / "run", CONFIG).close()
    with pytest.raises(RunError, match="already holds a run: continue it with --resume"):
        RunFolder.create(tmp_path / "run", CONFIG)


def test_a_run_killed_while_it_was_made_can_be_made_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def killed(path: Path, content: str) -> Path:
        if path.name == "config.toml":
            raise KeyboardInterrupt
        return path

    monkeypatch.setattr("mailgym.core.runs.write_atomically", killed)
    with pytest.raises(KeyboardInterrupt):
        RunFolder.create(tmp_path / "run", CONFIG)
    monkeypatch.undo()
    with pytest.raises(RunError, match="is not a run"):
        RunFolder.open(tmp_path / "run")
    RunFolder.create(tmp_path / "run", CONFIG).close()
    assert len(RunFolder.open(tmp_path / "run").openings()) == 1


def test_a_resume_that_fails_lets_go_of_the_lock(run: RunFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    run.close()

    def full(path: Path) -> int:
        raise OSError("disk full")

    monkeypatch.setattr("mailgym.core.runs.cut_torn_line", full)
    with pytest.raises(OSError, match="disk full"):
        RunFolder.resume(run.path)
    monkeypatch.undo()
    RunFolder.resume(run.path).close()


def test_runs_are_listed_by_name_and_other_folders_are_not(tmp_path: Path) -> None:
    assert run_paths(tmp_path / "missing") == []
    for name in ("b", "a"):
        RunFolder.create(tmp_path / name, CONFIG).close()
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "config.toml").write_text("")
    assert run_paths(tmp_path) == [tmp_path / "a", tmp_path / "b"]
    (tmp_path / "a" / "config.toml").write_text("not = = toml")
    with pytest.raises(ConfigError, match="is not TOML"):
        RunFolder.open(tmp_path / "a")


WRITER = """
import sys
from mailgym.core.runs import RunFolder
from mailgym.core.episode import Trajectory
run = RunFolder.create(sys.argv[1], {"run": {"seed": 1}})
for n in range(1_000_000):
    run.append_episode(Trajectory("find", "a", f"t{n}", (), "answered", 1.0, None, task={"text": "x" * 5000}), "train")
    if n == 20:
        print("writing", flush=True)
"""


def test_a_writer_killed_at_any_moment_leaves_a_run_that_reads_and_resumes(tmp_path: Path) -> None:
    path = tmp_path / "run"
    with subprocess.Popen([sys.executable, "-c", WRITER, str(path)], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"writing\n"
        time.sleep(0.02)
        process.send_signal(signal.SIGKILL)
    ids = [record.trajectory.task_id for record in RunFolder.open(path).episodes()]
    assert len(ids) > 20
    assert ids == [f"t{n}" for n in range(len(ids))]
    with RunFolder.resume(path) as run:  # the lock of a killed process is free
        assert len(run.episode_keys()) == len(ids)


def test_the_lock_holds_against_another_process(run: RunFolder) -> None:
    code = (
        "import sys\nfrom mailgym.core.runs import RunFolder\nfrom mailgym.core.errors import RunError\n"
        "try:\n    RunFolder.resume(sys.argv[1])\nexcept RunError as error:\n    print(error)\n"
    )
    done = subprocess.run([sys.executable, "-c", code, str(run.path)], capture_output=True, text=True, check=True)
    assert f"being written by process {os.getpid()}" in done.stdout


@pytest.mark.parametrize(
    ("file", "line"),
    [
        ("episodes.jsonl", '{"phase": "eval", "key": 5, "trajectory": {}}'),
        ("episodes.jsonl", '{"phase": [], "key": ["find", "model", 0, "t", 0, 0], "trajectory": {}}'),
        ("episodes.jsonl", '{"phase": "eval", "key": ["find", "model", "0", "t", 0, 0], "trajectory": {}}'),
        ("episodes.jsonl", '{"phase": "eval", "key": ["find", "model", 0, "t", 0, 0]}'),
        ("episodes.jsonl", '{"phase": "eval", "key": ["find", "model", 0, "t", 0, 0], "trajectory": {"steps": []}}'),
        ("episodes.jsonl", '{"phase": "eval", "key": ["find", "model", 0, "t", 0, 0], "trajectory": {"steps": 5}}'),
        ("episodes.jsonl", "[" * 100_000),
        ("metrics.jsonl", '{"phase": "train", "update": []}'),
    ],
)
def test_a_damaged_record_of_any_kind_is_told(run: RunFolder, file: str, line: str) -> None:
    run.append_episode(trajectory(), "eval")
    run.append_metrics({"phase": "train", "update": 1})
    with (run.path / file).open("a") as records:
        records.write(line + "\n")
    with pytest.raises(RunError, match=f"{file} is damaged at byte .*delete that line"):
        list(run.episodes() if file.startswith("episodes") else run.metrics())


def test_a_configuration_that_is_no_text_is_told(run: RunFolder) -> None:
    (run.path / "config.toml").write_bytes(b"\xff\x00")
    with pytest.raises(ConfigError, match=r"config\.toml is not TOML"):
        RunFolder.open(run.path)


def test_what_a_kill_left_while_a_run_was_made_is_no_other_file(tmp_path: Path) -> None:
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / ".config.toml.x1y2.tmp").write_text("ha")
    assert RunFolder.create(tmp_path / "run", CONFIG).config == CONFIG
    (tmp_path / "run" / "config.toml").unlink()
    (tmp_path / "run" / "notes.tmp").write_text("mine")
    with pytest.raises(RunError, match=r"other files \(notes\.tmp\)"):
        RunFolder.create(tmp_path / "run", CONFIG)
