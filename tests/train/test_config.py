import pytest

from mailgym.core.config import from_dict, load_preset, preset_names
from mailgym.core.errors import ConfigError
from mailgym.train.config import ExperimentConfig


@pytest.mark.parametrize("name", preset_names())
def test_every_preset_is_a_whole_configuration(name):
    config = from_dict(ExperimentConfig, load_preset(name))
    assert config.run.env == "find"
    assert config.train.updates > 0


@pytest.mark.parametrize(
    ("values", "complaint"),
    [
        ({"train": {"group_size": 1}}, "at least 2"),
        ({"train": {"learning_rate": 0.0}}, "above 0"),
        ({"train": {"groups": 0}}, "groups must be at least 1"),
        ({"train": {"loss": "ppo"}}, "dapo"),
        ({"run": {"turns": 0}}, "turns must be at least 1"),
        ({"data": {"source": "mailbox"}}, "--mailbox"),
        ({"data": {"test": -1}}, "test must be at least 0"),
        ({"train": {"learning_rat": 1.0}}, "learning_rate"),
    ],
)
def test_values_that_no_run_can_use_are_refused_with_what_to_do(values, complaint):
    with pytest.raises(ConfigError, match=complaint):
        from_dict(ExperimentConfig, values)
