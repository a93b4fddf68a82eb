"""An environment's own columns, others' figures beside them, and the picture of a table."""

import io
import json
from dataclasses import replace
from pathlib import Path

import pytest
from rich.console import Console

from mailgym.core.episode import Decision, Failure, Step, StepResult, Trajectory
from mailgym.core.errors import UserError
from mailgym.core.score import Part, Score
from mailgym.envs.figures import Figure, Published
from mailgym.envs.registry import figures_of, get_spec
from mailgym.evaluate.bars import draw_table, main_figure
from mailgym.evaluate.benchmark import BenchmarkTable, figure_of, tabulate
from mailgym.evaluate.report.episodes import play_story
from mailgym.evaluate.statistics import Interval

ACCURACY = Figure("accuracy [interval]", ("answer_correct",), "interval", digits=3, failed=0.0)
FIGURES = (
    ACCURACY,
    Figure("wrong", ("hallucinated",)),
    Figure("reward", ("reward",), digits=1),
    Figure("tokens", ("prompt_tokens", "completion_tokens"), digits=0),
    Figure("p50 s", ("latency_s",), "p50"),
    Figure("p95 s", ("latency_s",), "p95"),
    Figure("$ per 1,000", ("cost_usd", "judge_cost_usd"), scale=1000.0),
)
THEIRS = Published("theirs", "from a paper", {ACCURACY.title: "0.96", "$ per 1,000": "0.85"})


def episode(number: int, correct: float, failure: Failure | None = None, **metrics: float) -> Trajectory:
    whole = {"prompt_tokens": 100.0, "completion_tokens": 20.0, "cost_usd": 0.001, "latency_s": float(number)}
    return Trajectory(
        env="e",
        agent="a",
        task_id=f"t{number}",
        steps=(),
        stop_reason="failed" if failure else "answered",
        reward=None if failure else correct,
        score=None if failure else Score((Part("answer_correct", correct, 1.0), Part("hallucinated", 1 - correct))),
        failure=failure,
        metrics={**whole, **metrics},
        key={"template": f"f{number % 3}", "mailbox": f"m{number % 2}"},
    )


EPISODES = [episode(n, float(n <= 6)) for n in range(1, 11)]
MODEL_DOWN, JUDGE_DOWN = Failure("model", "down"), Failure("judge", "down")


def table_of(*episodes: Trajectory) -> BenchmarkTable:
    return tabulate({"a": list(episodes)}, env_id="e", resamples=200, figures=FIGURES, published=(THEIRS,))


def test_figures_are_those_worked_out_by_hand() -> None:
    figures = table_of(*EPISODES).rows[0].figures
    accuracy = figures[ACCURACY.title]
    assert isinstance(accuracy, Interval)
    assert (accuracy.mean, accuracy.n, accuracy.clusters) == (0.6, 10, (3, 2))
    assert figures["wrong"] == pytest.approx(0.4)
    assert figures["reward"] == pytest.approx(0.6)
    assert figures["tokens"] == 120.0
    assert (figures["p50 s"], figures["p95 s"]) == (5.0, 10.0)
    assert figures["$ per 1,000"] == pytest.approx(1.0)


def test_what_the_judge_cost_is_in_the_cost_and_an_unknown_price_is_a_dash() -> None:
    judged = [episode(1, 1.0, judge_cost_usd=0.003), episode(2, 1.0)]
    assert figure_of(FIGURES[-1], judged) == pytest.approx(2.5)
    unknown = [replace(judged[0], metrics={"judge_cost_usd": 0.003})]
    assert figure_of(FIGURES[-1], unknown) is None


def test_a_failed_model_counts_as_not_right_and_a_failed_judge_is_left_out() -> None:
    failed = [episode(1, 1.0), episode(2, 0.0, MODEL_DOWN), episode(3, 0.0, JUDGE_DOWN)]
    accuracy = figure_of(ACCURACY, failed, resamples=50)
    assert isinstance(accuracy, Interval)
    assert (accuracy.mean, accuracy.n) == (0.5, 2)
    assert figure_of(FIGURES[1], failed) == 0.0
    assert table_of(*failed).rows[0].failures == {"model": 1, "judge": 1}


def test_no_episode_has_no_figure() -> None:
    assert figure_of(FIGURES[1], [episode(1, 1.0, MODEL_DOWN)]) is None


def test_the_table_shows_columns_others_rows_and_where_they_are_from() -> None:
    table = table_of(*EPISODES, episode(11, 0.0, MODEL_DOWN))
    assert table.columns == ("agent", *(figure.title for figure in FIGURES), "failed")
    console = Console(file=io.StringIO(), width=160)
    console.print(table.to_rich())
    text = console.file.getvalue()  # type: ignore[attr-defined]
    assert "0.545 [" in text, "6 of 11: the failed episode counts as not right"
    assert "1 of 11 (1 model)" in text
    assert "theirs: from a paper" in text
    row = next(line for line in text.splitlines() if line.strip().startswith("theirs "))
    assert row.split() == ["theirs", "0.96", "–", "–", "–", "–", "–", "0.85", "–"]
    data = json.loads(json.dumps(table.to_json()))
    assert data["rows"][0]["figures"][ACCURACY.title]["n"] == 11
    assert data["published"] == [{"name": "theirs", "cells": dict(THEIRS.cells), "source": "from a paper"}]


def test_every_environment_names_figures_that_its_rubric_and_rollout_have() -> None:
    spec = get_spec("search")
    assert figures_of("search") == spec.figures
    assert figures_of("gone") == ()
    titles = {figure.title for figure in spec.figures}
    for published in spec.published:
        assert set(published.cells) <= titles
        assert "published" in published.name


def test_a_picture_has_a_bar_an_agent(tmp_path: Path) -> None:
    table = table_of(*EPISODES)
    title, bars = main_figure(table)
    assert title == "accuracy"
    assert [(bar[0], bar[2], bar[4]) for bar in bars] == [("a", 0.6, False), ("theirs", 0.96, True)]
    for name, start in (("t.png", b"\x89PNG"), ("t.svg", b"<?xml")):
        draw_table(table, tmp_path / name)
        assert (tmp_path / name).read_bytes().startswith(start)
    assert b"theirs" in (tmp_path / "t.svg").read_bytes()


def test_a_picture_of_a_table_without_figures_shows_the_reward() -> None:
    table = tabulate({"a": EPISODES, "dead": [episode(1, 0.0, MODEL_DOWN)]}, env_id="e", resamples=50)
    assert main_figure(table)[0] == "reward"
    assert [bar[0] for bar in main_figure(table)[1]] == ["a"]


def test_a_picture_that_cannot_be_drawn_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"end with \.png or \.svg"):
        draw_table(table_of(*EPISODES), tmp_path / "t.txt")
    with pytest.raises(UserError, match="choose another place"):
        draw_table(table_of(*EPISODES), tmp_path / "no" / "t.png")


def test_the_answers_to_several_calls_are_told_as_one_turn() -> None:
    hits = [{"message_id": "<1@x>", "subject": "One"}], [{"message_id": "<2@x>", "subject": "Two"}]
    answers = [
        {"kind": "results", "results": hits[0]},
        {"kind": "error", "error": "No such tool."},
        {"kind": "results", "results": hits[1]},
    ]
    result = StepResult({"kind": "several", "answers": answers, "turns_left": 3}, 0.0)
    step = Step({"kind": "question"}, Decision({"calls": []}, "two searches"), result)
    told = replace(episode(1, 1.0), steps=(step,), key={"message_ids": ["<2@x>"]})
    (turn,) = play_story(told, "a", private=False).turns
    assert [(line.cells[0], line.right) for line in turn.results] == [("One", False), ("Two", True)]
    assert "2. error: No such tool." in turn.answer
    (hidden,) = play_story(told, "a", private=True).turns
    assert "No such tool" not in hidden.answer
    assert "One" not in str(hidden.results)
