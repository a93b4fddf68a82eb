import pytest

from mailgym.core.clock import FixedClock
from mailgym.core.episode import Decision, Failure, StepResult
from mailgym.core.errors import StoreError, UnknownTask
from mailgym.core.protocols import OwnerView
from mailgym.core.score import Part, Score
from mailgym.rollout.engine import EpisodeRequest, play_episodes


class CountingWorld:
    """Ends after as many steps as the task says; each step pays what the action says."""

    task_ids = ("1", "2", "3")
    made = 0

    def __init__(self):
        CountingWorld.made += 1
        self.total = 0.0

    def reset(self, task_id=None, seed=None):
        if task_id == "gone":
            raise UnknownTask("no task gone")
        self.task_id, self.left, self.total, self.seed = task_id, int(task_id), 0.0, seed
        return {"left": self.left}

    def step(self, action):
        if action["pay"] < 0:
            raise StoreError("the mailbox is gone")
        self.left -= 1
        self.total += action["pay"]
        return StepResult({"left": self.left}, action["pay"], terminated=self.left == 0)

    def owner_view(self):
        return OwnerView(Score((Part("paid", self.total, 1.0),)), {"id": self.task_id}, {"answer": self.task_id})


class Payer:
    name = "payer"

    def __init__(self, decide=None):
        self.decide = decide or (lambda turn: Decision({"pay": 1.0}, usage={"completion_tokens": 3.0}))
        self.batches, self.seeds = [], {}

    def act(self, turns):
        self.batches.append(len(turns))
        for turn in turns:
            self.seeds[(turn.episode_key, len(turn.steps))] = turn.seed
        return [self.decide(turn) for turn in turns]


def play(agent, tasks, **options):
    requests = [EpisodeRequest(task.rstrip("*"), task.count("*")) for task in tasks]
    return play_episodes(CountingWorld, agent, requests, 5, "count", **options)


def test_episodes_advance_together_and_come_back_in_the_order_asked():
    agent, ended = Payer(), []
    played = play(agent, ["3", "1", "2"], progress=ended.append)
    assert [trajectory.task_id for trajectory in played] == ["3", "1", "2"]
    assert [trajectory.reward for trajectory in played] == [3.0, 1.0, 2.0]
    assert agent.batches == [3, 2, 1]
    assert ended == [1, 1, 1]
    first = played[0]
    assert first.metrics["turns"] == 3
    assert first.metrics["completion_tokens"] == 9
    assert first.score.reward == 3.0
    assert first.stop_reason == "terminated"
    assert first.key == {"answer": "3"}


def test_an_episode_that_ends_makes_room_for_the_next():
    CountingWorld.made = 0
    agent = Payer()
    play(agent, ["1", "2", "1*", "1**"], live_episodes=2)
    assert agent.batches == [2, 2, 1]
    assert CountingWorld.made == 2


def test_seeds_do_not_depend_on_what_else_is_played():
    alone, together = Payer(), Payer()
    play(alone, ["2"])
    play(together, ["3", "2", "1"], live_episodes=2)
    assert alone.seeds.items() <= together.seeds.items()
    assert len(set(together.seeds.values())) == len(together.seeds)


def test_a_models_failure_is_a_value_and_never_a_reward():
    def decide(turn):
        if turn.observation["left"] == 1:
            return Decision(None, failure=Failure("model", "down"))
        return Decision({"pay": 1.0})

    failed = play(Payer(decide), ["2"])[0]
    assert (failed.reward, failed.score, failed.stop_reason) == (None, None, "failed")
    assert failed.failure == Failure("model", "down")
    assert len(failed.steps) == 2
    assert failed.steps[1].result is None
    assert failed.key == {"answer": "2"}


def test_an_agent_that_decides_nothing_has_failed():
    assert play(Payer(lambda turn: Decision(None)), ["1"])[0].failure.boundary == "model"


def test_an_environment_that_raises_has_failed_and_the_others_go_on():
    played = play(Payer(lambda turn: Decision({"pay": -1.0 if turn.observation["left"] == 2 else 1.0})), ["2", "1"])
    assert played[0].failure == Failure("environment", "the mailbox is gone")
    assert played[1].reward == 1.0


def test_a_task_that_cannot_be_reset_has_failed():
    played = play(Payer(), ["gone", "1"])
    assert played[0].failure == Failure("environment", "no task gone")
    assert played[0].steps == ()
    assert played[1].reward == 1.0


def test_time_runs_out_by_the_clock_that_was_handed_in():
    clock = FixedClock()

    def decide(turn):
        clock.advance(10)
        return Decision({"pay": 1.0})

    late = play(Payer(decide), ["3"], clock=clock, timeout_s=15)[0]
    assert late.failure == Failure("time", "the episode took more than 15 s")
    assert play(Payer(decide), ["3"], clock=clock)[0].metrics["latency_s"] == 30


def test_mistakes_of_the_caller_are_errors():
    with pytest.raises(ValueError, match="same key"):
        play(Payer(), ["1", "1"])
    silent = Payer()
    silent.act = lambda turns: []
    with pytest.raises(ValueError, match="0 decisions for 1"):
        play(silent, ["1"])
