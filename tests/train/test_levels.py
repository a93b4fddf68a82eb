"""A stage of a curriculum can play one level of an environment's tasks."""

import pytest

from mailgym.core.errors import ConfigError
from mailgym.envs.registry import get_spec
from mailgym.train.experiment import split_of


def test_a_level_is_a_part_of_each_split():
    spec = get_spec("reply")
    assert [split_of(spec, split, "hard") for split in ("train", "validation")] == ["train-hard", "validation-hard"]
    assert split_of(spec, "train", "") == "train"


def test_a_level_that_is_not_there_is_an_error_that_names_those_there_are():
    with pytest.raises(ConfigError, match="easy, medium, hard"):
        split_of(get_spec("reply"), "train", "simple")
    with pytest.raises(ConfigError, match="it has none"):
        split_of(get_spec("find"), "train", "easy")
