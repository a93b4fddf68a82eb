"""Before and after, worked out by hand where the bootstrap leaves nothing to chance, and beside the normal else."""

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

import pytest
from rich.console import Console

from mailgym.core.episode import Failure, Trajectory
from mailgym.core.errors import UserError
from mailgym.core.score import Part, Score
from mailgym.envs.figures import Figure
from mailgym.evaluate.noninferior import MARGIN, BeforeAfter, before_after

WEIGHTS = {"tone": 0.5, "form": 0.5, "bad_calls": -0.1}


def episode(task: int, agent: str, values: Mapping[str, float], **more: object) -> Trajectory:
    parts = tuple(Part(name, value, WEIGHTS.get(name, 0.0)) for name, value in values.items())
    score = Score(parts)
    made = Trajectory("reply", agent, f"t{task}", (), "answered", score.reward, score, key={"template": f"form-{task}"})
    return replace(made, **more)  # type: ignore[arg-type]


def compared(
    changes: Mapping[str, Sequence[float]], figures: Sequence[Figure] | None = None, resamples: int = 4000
) -> BeforeAfter:
    """Compare episodes whose parts were all 0.5 before, and changed by so much task by task."""
    tasks = range(len(next(iter(changes.values()))))
    before = [episode(task, "base", dict.fromkeys(changes, 0.5)) for task in tasks]
    after = [episode(task, "run", {name: 0.5 + by[task] for name, by in changes.items()}) for task in tasks]
    chosen = [Figure(name, (name,)) for name in changes] if figures is None else figures
    return before_after("reply", chosen, before, after, names=("base", "run:a"), resamples=resamples)


def test_means_and_differences_by_hand() -> None:
    found = compared({"tone": [0.2] * 10, "form": [-0.1] * 10})
    reward, tone, form = found.components
    assert (tone.baseline, tone.trained) == (0.5, pytest.approx(0.7))
    assert (tone.difference.mean, tone.difference.low, tone.difference.high) == pytest.approx((0.2, 0.2, 0.2))
    assert (form.difference.mean, form.lower_bound) == pytest.approx((-0.1, -0.1))
    assert reward.difference.mean == pytest.approx(0.5 * 0.2 - 0.5 * 0.1)
    assert [one.name for one in found.components if not one.cleared] == ["form"]
    assert (tone.mark, form.mark) == ("✅", "⚠️")
    assert found.doubts == ["not shown for form"]


@pytest.mark.parametrize(("fall", "cleared"), [(0.0, True), (0.049, True), (0.051, False)])
def test_the_margin_is_a_twentieth(fall: float, cleared: bool) -> None:
    found = compared({"tone": [-fall] * 5})
    assert MARGIN == 0.05
    assert next(one.cleared for one in found.components if one.name == "tone") == cleared


def test_bounds_are_holms_and_close_to_the_normal_ones() -> None:
    """Three components, 40 pairs of ±d about their mean: half the level for the second of three, and so on."""
    wave = [0.1, -0.1] * 20
    found = compared({"high": [0.4 + by for by in wave], "low": [0.1 + by for by in wave]}, resamples=20_000)
    by_name = {one.name: one for one in found.components}
    assert by_name["reward"].bound_level == pytest.approx(0.05 / 3), "the reward does not move: it is the clearest"
    assert by_name["high"].bound_level == pytest.approx(0.05 / 2)
    assert by_name["low"].bound_level == pytest.approx(0.05)
    error = 0.1 / math.sqrt(39)  # of a mean of ±0.1, from 40 pairs
    assert by_name["high"].lower_bound == pytest.approx(0.4 - 2.023 * error, abs=0.003)  # Student's t, 39 degrees
    assert by_name["low"].lower_bound == pytest.approx(0.1 - 1.685 * error, abs=0.003)


def test_after_the_first_that_is_not_cleared_none_is() -> None:
    """Two equal components whose bound is above the margin at level 0.05, and below at the 0.025 of the first."""
    wave = [0.168, -0.168] * 20
    found = compared({"a": wave, "b": wave}, resamples=20_000)
    by_name = {one.name: one for one in found.components}
    first, second = by_name["a"], by_name["b"]
    assert (first.bound_level, second.bound_level) == (pytest.approx(0.025), pytest.approx(0.05))
    assert first.lower_bound < -MARGIN < second.lower_bound
    assert by_name["reward"].cleared
    assert not first.cleared
    assert not second.cleared


def test_where_lower_is_better_a_fall_is_a_gain() -> None:
    found = compared({"wrong": [-0.3] * 6}, [Figure("wrong", ("wrong",), better="lower")])
    wrong = next(one for one in found.components if one.name == "wrong")
    assert (wrong.difference.mean, wrong.lower_bound) == pytest.approx((-0.3, 0.3))
    assert wrong.cleared
    assert wrong.mark == "✅"
    risen = compared({"wrong": [0.3] * 6}, [Figure("wrong", ("wrong",), better="lower")])
    assert [one.name for one in risen.components if not one.cleared] == ["wrong"]


def test_costs_percentiles_and_what_says_nothing_are_no_components() -> None:
    figures = [
        Figure("tone", ("tone",)),
        Figure("turns", ("turns",)),
        Figure("p50 s", ("latency_s",), "p50"),
        Figure("tokens", ("prompt_tokens", "completion_tokens")),
        Figure("don't know", ("form",), better="neither"),
        Figure("median tone", ("tone",), "p50"),
    ]
    found = compared({"tone": [0.0] * 4, "form": [0.4] * 4}, figures)
    assert [one.name for one in found.components] == ["reward", "tone"]


def test_without_figures_the_priced_parts_are_the_components() -> None:
    found = compared({"tone": [0.1] * 4, "bad_calls": [0.5] * 4, "metric": [9.0] * 4}, [])
    assert [(one.name, one.lower_is_better, one.cleared) for one in found.components] == [
        ("reward", False, True),  # 0.5 × 0.1 − 0.1 × 0.5 = 0
        ("tone", False, True),
        ("bad_calls", True, False),
    ]


def test_an_environments_own_reward_column_is_not_doubled() -> None:
    found = compared({"tone": [0.1] * 4}, [Figure("reward [interval]", ("reward",), "interval")])
    assert [(one.name, one.title) for one in found.components] == [("reward", "reward")]


def test_sums_of_parts_are_one_component() -> None:
    found = compared({"tone": [0.1] * 4, "form": [0.2] * 4}, [Figure("style and form", ("tone", "form"))])
    total = found.components[1]
    assert (total.name, total.baseline) == ("style_and_form", 1.0)
    assert total.difference.mean == pytest.approx(0.3)


def test_pairs_in_which_an_agent_failed_are_left_out_and_told() -> None:
    before = [episode(task, "base", {"tone": 0.5}) for task in range(20)]
    after = [episode(task, "run", {"tone": 0.9}) for task in range(20)]
    down = Failure("model", "down")
    one = [replace(after[0], failure=down, reward=None, score=None), *after[1:]]
    found = before_after("reply", [Figure("tone", ("tone",))], before, one)
    assert (found.pairs, found.left_out, found.doubts) == (19, 1, [])
    two = [replace(after[1], failure=down, reward=None, score=None), one[0], *after[2:]]
    assert before_after("reply", [], before, two).doubts == ["2 of 20 tasks are left out: an agent failed on them"]
    fewer = before_after("reply", [], before, after[:-1])
    assert (fewer.pairs, fewer.left_out) == (19, 1)
    with pytest.raises(UserError, match="nothing to compare"):
        before_after("reply", [], before[:1], [replace(after[0], failure=down)])
    with pytest.raises(ValueError, match="two episodes"):
        before_after("reply", [], [before[0], before[0]], after)


def test_a_figure_that_no_pair_has_is_left_out() -> None:
    found = compared({"tone": [0.1] * 4}, [Figure("tone", ("tone",)), Figure("look-ups", ("look_ups",))])
    assert [one.name for one in found.components] == ["reward", "tone"]


def test_the_json_of_the_document() -> None:
    found = compared({"tone": [0.4375] * 4, "form": [-0.1833] * 4})
    data = json.loads(json.dumps(found.to_json()))
    assert data["num_scenarios"] == 4
    assert data["baseline"] == {"reward": 0.5, "tone": 0.5, "form": 0.5}
    assert data["trained"] == {"reward": 0.6271, "tone": 0.9375, "form": 0.3167}
    assert data["improvement"] == {"reward": "+0.1271 ✅", "tone": "+0.4375 ✅", "form": "-0.1833 ⚠️"}
    assert data["difference"]["tone"]["low"] == pytest.approx(0.4375)
    check = data["non_inferiority"]
    assert (check["margin"], check["correction"], check["no_component_fell"]) == (0.05, "Holm", False)
    assert check["cleared"] == {"reward": True, "tone": True, "form": False}
    assert check["lower_bound"]["form"] == pytest.approx(-0.1833)


def test_the_table_and_the_verdict() -> None:
    found = compared({"tone": [0.4] * 4, "wrong": [0.2] * 4}, [Figure("wrong", ("wrong",), better="lower")])
    console = Console(width=160)
    with console.capture() as shown:
        console.print(found.to_rich())
    assert "wrong (lower is better)" in shown.get()
    assert "+0.200 [+0.200, +0.200] ⚠️" in shown.get()
    assert found.verdict == (
        "no component fell by more than 0.05 (level 0.05, Holm): not shown for wrong; 4 pairs are few, 200 are a start"
    )
    assert compared({"tone": [0.4] * 200}).verdict == "no component fell by more than 0.05 (level 0.05, Holm): yes"
