import pytest
from tests.tiny_model import tiny_model

from mailgym.core.errors import RunError
from mailgym.llm.local import import_torch
from mailgym.train.checkpoint import Checkpoints
from mailgym.train.policy import Policy

torch = import_torch()


@pytest.fixture
def policy():
    return Policy(tiny_model(), 4, 8, 0)


@pytest.fixture
def optimizer(policy):
    return torch.optim.AdamW(policy.parameters())


def test_the_last_two_are_kept_and_the_newest_is_restored(tmp_path, policy, optimizer):
    checkpoints = Checkpoints(tmp_path)
    assert checkpoints.restore(policy, optimizer) == 0
    for update in (1, 2, 3):
        policy.parameters()[0].data.fill_(update)
        checkpoints.save(policy, optimizer, update)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["update-00002", "update-00003"]
    policy.parameters()[0].data.fill_(9)
    assert Checkpoints(tmp_path).restore(policy, optimizer) == 3
    assert policy.parameters()[0].max().item() == 3.0


def test_what_a_kill_left_half_written_is_removed(tmp_path, policy, optimizer):
    checkpoints = Checkpoints(tmp_path)
    checkpoints.save(policy, optimizer, 1)
    (tmp_path / "update-00002.partial").mkdir()
    assert Checkpoints(tmp_path).restore(policy, optimizer) == 1
    assert not (tmp_path / "update-00002.partial").exists()


def test_a_kill_while_the_best_is_replaced_loses_neither(tmp_path, policy):
    checkpoints = Checkpoints(tmp_path)
    checkpoints.keep_if_best(policy, 1, 0.5)
    checkpoints.best.rename(tmp_path / "best.old")
    assert Checkpoints(tmp_path).best_state() == {"update": 1, "reward": 0.5}
    (tmp_path / "best.old").mkdir()
    assert Checkpoints(tmp_path).best_state()["update"] == 1
    assert not (tmp_path / "best.old").exists()


def test_a_damaged_checkpoint_says_what_to_do(tmp_path, policy, optimizer):
    checkpoints = Checkpoints(tmp_path)
    checkpoints.save(policy, optimizer, 4)
    (tmp_path / "update-00004" / "state.json").write_text("{")
    with pytest.raises(RunError, match="delete that folder"):
        checkpoints.restore(policy, optimizer)


def test_only_a_better_validation_replaces_the_best(tmp_path, policy):
    checkpoints = Checkpoints(tmp_path)
    assert checkpoints.keep_if_best(policy, 0, 0.2)
    assert not checkpoints.keep_if_best(policy, 5, 0.2)
    assert checkpoints.keep_if_best(policy, 10, 0.3)
    assert checkpoints.best_state() == {"update": 10, "reward": 0.3}
    assert (checkpoints.best / "adapter_config.json").exists()
