import pytest

from mailgym.core.episode import Decision, StepResult
from mailgym.core.errors import RunError
from mailgym.core.protocols import OwnerView
from mailgym.core.runs import RunFolder
from mailgym.core.score import Score
from mailgym.rollout.recorded import play_missing

TASKS = ("a", "b", "c", "d", "e")


class OneStep:
    task_ids = TASKS

    def reset(self, task_id=None, seed=None):
        return {"task": task_id}

    def step(self, action):
        return StepResult({}, 0.0, terminated=True, stop_reason="answered")

    def owner_view(self):
        return OwnerView(Score(()), {}, {})


class Noting:
    """Notes the tasks it was asked about; stops like Ctrl-C when it is asked about ``stop_at``."""

    def __init__(self, name="noting", stop_at=None):
        self.name, self.stop_at, self.asked = name, stop_at, []

    def act(self, turns):
        tasks = [turn.observation["task"] for turn in turns]
        if self.stop_at in tasks:
            raise KeyboardInterrupt
        self.asked += tasks
        return [Decision({}) for _ in turns]


def play(run, agent, phase="eval", **options):
    play_missing(run, phase, agent, OneStep, TASKS, 3, "one", episodes_between_records=2, **options)


def test_what_was_stopped_keeps_what_was_written_and_plays_the_rest(tmp_path):
    ended = []
    with RunFolder.create(tmp_path / "run", {}) as run:
        with pytest.raises(KeyboardInterrupt):
            play(run, Noting(stop_at="d"))
        assert [record.trajectory.task_id for record in run.episodes("eval")] == ["a", "b"]
        second = Noting()
        play(run, second, progress=ended.append)
        assert second.asked == ["c", "d", "e"]
        assert sum(ended) == 3
        assert [record.trajectory.task_id for record in run.episodes("eval")] == list(TASKS)


def test_another_agent_and_another_phase_are_played_on_their_own(tmp_path):
    with RunFolder.create(tmp_path / "run", {}) as run:
        play(run, Noting())
        for agent, phase in ((Noting("other"), "eval"), (Noting(), "after")):
            play(run, agent, phase)
            assert agent.asked == list(TASKS)


def test_a_run_open_for_reading_takes_nothing(tmp_path):
    RunFolder.create(tmp_path / "run", {}).close()
    with pytest.raises(RunError, match="open for reading only"):
        play(RunFolder.open(tmp_path / "run"), Noting())
