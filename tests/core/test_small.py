import random
import re

import pytest

from mailgym.core import errors
from mailgym.core.clock import FixedClock, SystemClock
from mailgym.core.score import Part, Score
from mailgym.core.seeds import derive_seed, numpy_stream, stream


def test_a_reward_is_the_weighted_sum_of_the_parts() -> None:
    score = Score((Part("rank", 0.5, 1.0), Part("bad_calls", 2.0, -0.05), Part("turns", 3.0)))
    assert score.reward == pytest.approx(0.5 - 0.1)
    assert score.values == {"rank": 0.5, "bad_calls": 2.0, "turns": 3.0}
    assert Score.from_json(score.to_json()) == score
    assert Score(()).reward == 0.0


def test_a_seed_depends_on_every_name_and_on_its_type() -> None:
    seeds = {
        derive_seed(1, "a"),
        derive_seed(2, "a"),
        derive_seed(1, "b"),
        derive_seed(1, "a", 1),
        derive_seed(1, "a", "1"),
    }
    assert len(seeds) == 5
    assert all(0 <= seed < 2**63 for seed in seeds)
    assert derive_seed(7, "batch", 3) == derive_seed(7, "batch", 3)


def test_streams_of_one_name_draw_the_same() -> None:
    assert stream(1, "x").random() == random.Random(derive_seed(1, "x")).random()
    assert numpy_stream(1, "x").random() == numpy_stream(1, "x").random()
    assert numpy_stream(1, "x").random() != numpy_stream(1, "y").random()


def test_a_fixed_clock_moves_only_by_hand_and_the_systems_forward() -> None:
    clock = FixedClock(5.0)
    clock.advance(2.5)
    assert clock.now_s() == 7.5
    system = SystemClock()
    assert system.now_s() <= system.now_s()


def test_the_tree_drawn_in_the_errors_docstring_is_the_tree_there_is() -> None:
    assert errors.__doc__ is not None
    drawn = set(re.findall(r"[├└]── (\w+)", errors.__doc__)) | {"MailgymError"}
    real = {name for name, kind in vars(errors).items() if isinstance(kind, type) and issubclass(kind, Exception)}
    assert drawn == real
    assert "pip install 'mailgym[train]'" in str(errors.MissingExtra("torch", "train"))
