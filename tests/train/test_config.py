import re
import tomllib
from pathlib import Path

import pytest

from mailgym.core.config import flatten, from_dict, load_preset, preset_names, to_dict
from mailgym.core.errors import ConfigError
from mailgym.envs.registry import env_ids
from mailgym.train.config import ExperimentConfig

TRAIN_PAGE = Path(__file__).resolve().parents[2] / "docs" / "train.md"


@pytest.mark.parametrize("name", preset_names())
def test_every_preset_is_a_whole_configuration(name):
    config = from_dict(ExperimentConfig, load_preset(name))
    assert config.run.env in env_ids()
    assert config.train.updates > 0


@pytest.mark.parametrize(
    ("values", "complaint"),
    [
        ({"train": {"group_size": 1}}, "at least 2"),
        ({"train": {"learning_rate": 0.0}}, "above 0"),
        ({"train": {"groups": 0}}, "groups must be at least 1"),
        ({"train": {"loss": "ppo"}}, "dapo"),
        ({"train": {"clip_low": 1.5}}, "clip_low must be at most 1"),
        ({"train": {"adam_beta1": 1.0}}, "adam_beta1 must be at least 0 and below 1"),
        ({"warm_start": {"player": ""}}, "player must be a name"),
        ({"warm_start": {"learning_rate": -1.0}}, "learning_rate must be above 0"),
        ({"run": {"turns": 0}}, "turns must be at least 1"),
        ({"data": {"source": "mailbox"}}, "--mailbox"),
        ({"data": {"source": "store"}}, "--store"),
        ({"run": {"matmul": "int8"}}, "bf16"),
        ({"data": {"test": -1}}, "test must be at least 0"),
        ({"train": {"learning_rat": 1.0}}, "learning_rate"),
    ],
)
def test_values_that_no_run_can_use_are_refused_with_what_to_do(values, complaint):
    with pytest.raises(ConfigError, match=complaint):
        from_dict(ExperimentConfig, values)


def test_the_page_on_training_has_every_key_with_its_default():
    rows = re.findall(r"^\| `(\w+\.\w+)` \| `(.+?)` \| .+ \|$", TRAIN_PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    told = {key: tomllib.loads(f"value = {default}")["value"] for key, default in rows}
    assert told == flatten(to_dict(ExperimentConfig()))
