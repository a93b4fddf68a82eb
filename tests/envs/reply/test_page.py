"""What docs/reply.md says in numbers is what the code does."""

import re
import tomllib
from pathlib import Path

import pytest

from mailgym.core.config import from_dict
from mailgym.envs.registry import get_spec
from mailgym.envs.reply import MOST_CALLS
from mailgym.envs.reply.rubric import classic, hardened
from mailgym.envs.reply.tasks import SETS, pairs_of
from mailgym.envs.reply.world import TIMEOUT_S
from mailgym.train.config import ExperimentConfig
from mailgym.train.experiment import split_of

PAGE = (Path(__file__).resolve().parents[3] / "docs" / "reply.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("split", SETS)
def test_the_page_counts_tasks_and_templates(split):
    pairs = pairs_of(split)
    templates = len({key.template for _, key in pairs})
    assert re.search(rf"\| `{split}` \| {len(pairs)} \| {templates} \|", PAGE)


def test_the_page_has_every_weight_and_price():
    for name, weight in classic.REPLY_WEIGHTS.items():
        assert f"| `{name}` | {f'{weight:.2f}'.removeprefix('0')} |" in PAGE
    assert f"| `needless_reply` | −{-hardened.NEEDLESS_REPLY:.2f} |" in PAGE
    assert f"| `bad_calls` | −{-hardened.BAD_CALL:.2f} |" in PAGE
    assert f"| `timed_out` | −{-classic.TIMED_OUT:.2f} |" in PAGE
    assert f"Episode = {classic.STEP_1:.2f} × step 1 + {classic.STEP_2:.2f} × step 2." in PAGE
    assert f"| 2 | {MOST_CALLS} (" in PAGE
    assert f"older than {TIMEOUT_S:g} s" in PAGE
    assert hardened.TOLD == 0.25


def test_the_curriculum_of_the_page_is_a_configuration():
    text = re.search(r"```toml\n(.*?)```", PAGE, re.DOTALL)
    assert text is not None
    config = from_dict(ExperimentConfig, tomllib.loads(text[1]))
    levels = [stage.level for stage in config.curriculum.stages]
    assert levels == ["easy", "medium", "hard"]
    assert all(stage.until_reward == 0.7 for stage in config.curriculum.stages)
    assert {split_of(get_spec("reply"), "train", level) for level in levels} <= set(get_spec("reply").splits)
