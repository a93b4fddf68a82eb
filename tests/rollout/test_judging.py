"""Verdicts of a judge reach the scores of episodes, and its failures never become a wrong answer."""

import json
from collections.abc import Callable
from functools import partial

import pytest

from mailgym.core.episode import Decision, Failure, Trajectory
from mailgym.core.runs import RunFolder
from mailgym.envs.base import TaskSet
from mailgym.envs.playing import FunctionPlayer, opening_of
from mailgym.envs.registry import get_spec
from mailgym.envs.search.players.play import answer
from mailgym.envs.search.tasks import SearchKey, SearchTask
from mailgym.llm.base import ChatReply, ChatRequest
from mailgym.llm.scripted import ScriptedModel
from mailgym.rollout.engine import EpisodeRequest, play_episodes
from mailgym.rollout.judging import Judging
from mailgym.rollout.recorded import play_missing
from mailgym.rubrics.judge import Judge

Tasks = TaskSet[SearchTask, SearchKey]
GIVEN = {
    "s-place": "somewhere with a harp in its name",  # the matcher cannot tell
    "s-count": "24",
    "s-amount": "$9.00",
    "s-unknown": "I don't know",
}
USAGE = {"prompt_tokens": 50.0, "completion_tokens": 10.0, "cost_usd": 0.002}


def say(turn: object) -> Decision:
    return answer(GIVEN[opening_of(turn)["task_id"]], [])  # type: ignore[arg-type]


def judge_that(says: Callable[[str], str | Failure]) -> Judge:
    def reply(request: ChatRequest) -> ChatReply | Failure:
        said = says(request.messages[-1].content)
        return said if isinstance(said, Failure) else ChatReply(said, usage=USAGE)

    return Judge(ScriptedModel(reply))


def verdict(is_right: bool) -> str:
    return json.dumps({"is_right": is_right, "reason": "it says so"})


def play(tasks: Tasks, judging: Judging | None) -> dict[str, Trajectory]:
    make = partial(get_spec("search").make, tasks)
    requests = [EpisodeRequest(task_id) for task_id in GIVEN]
    played = play_episodes(make, FunctionPlayer("say", say), requests, 0, "search", judging=judging)
    return {trajectory.task_id: trajectory for trajectory in played}


@pytest.fixture
def unsure_tasks(search_tasks: Tasks) -> Tasks:
    """The same questions; the right answer of one is a text that only somebody who understands can compare."""
    key = search_tasks.keys["s-place"]
    keys = dict(search_tasks.keys)
    keys["s-place"] = SearchKey(
        key.task_id, key.template, key.mailbox, key.kind, key.message_ids, "the inn by the lyre", {}, "Why?", "text"
    )
    return TaskSet(search_tasks.split, search_tasks.folder, search_tasks.tasks, keys)


def test_without_a_judge_an_unsure_answer_stays_unsure(unsure_tasks: Tasks) -> None:
    trajectory = play(unsure_tasks, None)["s-place"]
    assert trajectory.score is not None
    assert trajectory.score.values["answer_unsure"] == 1.0
    assert trajectory.reward == pytest.approx(-0.1)


@pytest.mark.parametrize(("is_right", "reward"), [(True, 0.7), (False, -1.0)])
def test_a_verdict_takes_the_place_of_doubt(unsure_tasks: Tasks, is_right: bool, reward: float) -> None:
    judging = Judging(judge_that(lambda _: verdict(is_right)))
    played = play(unsure_tasks, judging)
    trajectory = played["s-place"]
    assert trajectory.score is not None
    assert trajectory.reward == pytest.approx(reward)
    assert trajectory.score.reward == pytest.approx(reward)
    assert trajectory.steps[-1].result is not None
    assert trajectory.steps[-1].result.reward == pytest.approx(reward)
    values = trajectory.score.values
    assert (values["answer_unsure"], values["answer_correct"], values["judged"]) == (0.0, is_right, is_right)
    assert trajectory.score.parts[-1].note == "it says so"
    assert trajectory.metrics["judge_cost_usd"] == pytest.approx(0.002)
    assert judging.judge.tally.calls == 1, "the sure answers were not asked about"
    assert "judge_cost_usd" not in played["s-count"].metrics


def test_sure_answers_are_compared_and_keep_their_score(unsure_tasks: Tasks) -> None:
    judging = Judging(judge_that(lambda text: verdict("24" in text or "$9.00" in text)), sure_answers=2)
    before, played = play(unsure_tasks, None), play(unsure_tasks, judging)
    agrees = {name: t.score.values.get("judge_agrees") for name, t in played.items() if t.score}
    assert agrees == {"s-place": None, "s-count": 1.0, "s-amount": 0.0, "s-unknown": None}
    for name in ("s-count", "s-amount", "s-unknown"):
        assert played[name].reward == before[name].reward
    assert sorted((match.verdict, found.is_right) for match, found in judging.pairs) == [
        ("right", True),
        ("unsure", False),
        ("wrong", True),
    ]
    assert judging.sure_answers == 0


def test_a_judge_that_fails_fails_the_episode_and_never_makes_it_wrong(unsure_tasks: Tasks) -> None:
    judging = Judging(judge_that(lambda _: Failure("model", "the endpoint is down")), sure_answers=9)
    played = play(unsure_tasks, judging)
    trajectory = played["s-place"]
    assert (trajectory.reward, trajectory.score, trajectory.stop_reason) == (None, None, "failed")
    assert trajectory.failure is not None
    assert trajectory.failure.boundary == "judge"
    assert "the endpoint is down" in trajectory.failure.message
    assert played["s-count"].reward == pytest.approx(0.7), "a sure answer needs no judge"
    assert played["s-count"].score is not None
    assert "judge_agrees" not in played["s-count"].score.values


def test_verdicts_are_written_with_the_episodes(unsure_tasks: Tasks, tmp_path: object) -> None:
    run = RunFolder.create(tmp_path / "run", {"kind": "eval"})  # type: ignore[operator]
    judging = Judging(judge_that(lambda _: verdict(True)))
    make = partial(get_spec("search").make, unsure_tasks)
    say_it = FunctionPlayer("say", say)
    play_missing(run, "eval", say_it, make, list(GIVEN), 0, "search", judging=judging, live_episodes=1)
    (kept,) = [e.trajectory for e in run.episodes("eval") if e.trajectory.task_id == "s-place"]
    run.close()
    assert kept.score is not None
    assert (kept.reward, kept.score.values["judged"]) == (pytest.approx(0.7), 1.0)


def test_nothing_to_judge_asks_nobody(search_tasks: Tasks) -> None:
    judging = Judging(judge_that(lambda _: Failure("model", "nobody asks")))
    make = partial(get_spec("search").make, search_tasks)
    player = FunctionPlayer("idle", lambda turn: answer("", []))
    played = play_episodes(make, player, [EpisodeRequest("s-date")], 0, "search", judging=judging)
    assert [trajectory.failure for trajectory in played] == [None]
    assert judging.judge.tally.calls == 0
