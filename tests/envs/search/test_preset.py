"""The presets of mail search: ART·E's own configuration with its figures, and what two cores can do."""

import pytest

from mailgym.core.config import from_dict, load_preset
from mailgym.corpora.sources import read_size
from mailgym.envs.registry import get_spec
from mailgym.train.config import ExperimentConfig


def test_the_preset_has_the_figures_that_its_authors_gave() -> None:
    config = from_dict(ExperimentConfig, load_preset("art-e"))
    assert (config.run.env, config.run.turns, config.run.profile) == ("search", 10, "classic")
    assert config.run.model == "Qwen/Qwen2.5-14B-Instruct"
    train = config.train
    assert (train.groups, train.group_size, train.learning_rate, train.validate_every) == (12, 4, 1.2e-5, 30)
    assert config.data.validation == 100
    assert round(2 * config.data.train / train.groups) == train.updates, "two epochs"


def test_the_simulated_company_has_as_many_questions_as_the_preset_asks_for() -> None:
    data = from_dict(ExperimentConfig, load_preset("art-e")).data
    searches = read_size(data.size).searches
    assert searches["train"] >= data.train
    assert searches["validation"] >= data.validation
    assert searches["test"] >= data.test
    assert get_spec("search").turns(None) == 10


@pytest.mark.parametrize(("name", "turns"), [("find-warm", 1), ("search-cpu", 2)])
def test_what_two_cores_can_do_imitates_no_more_tasks_than_there_are(name: str, turns: int) -> None:
    config = from_dict(ExperimentConfig, load_preset(name))
    size = read_size(config.data.size)
    counts = size.searches if config.run.env == "search" else size.questions
    assert config.run.turns == turns
    assert config.warm_start.player == "oracle"
    assert 0 < config.warm_start.trajectories <= counts["train"]
    assert config.data.validation <= counts["validation"]
    assert 100 <= config.data.test <= counts["test"]
