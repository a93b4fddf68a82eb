import math

import pytest
from tests.tiny_model import tiny_model
from tests.train.toy import Log, toy_playground

from mailgym.core.episode import Decision, Failure, Generation, Step, Trajectory
from mailgym.core.score import Part, Score
from mailgym.llm.local import import_torch
from mailgym.train.batch import Sample
from mailgym.train.checkpoint import Checkpoints
from mailgym.train.config import TrainConfig
from mailgym.train.grpo import (
    describe,
    group_advantages,
    improve,
    live_samples,
    loss_total,
    policy_loss,
    tasks_of_update,
    train,
)
from mailgym.train.policy import Policy

torch = import_torch()
TOY = TrainConfig(
    updates=12, groups=4, group_size=8, learning_rate=3e-2, max_tokens=4, lora_rank=4, lora_alpha=8, validate_every=6
)


def make_policy(seed=0):
    return Policy(tiny_model(), 4, 8, seed)


def played(reward, tokens=(1, 2), failure=None, task="a"):
    generation = Generation((9,), tokens, (-1.0,) * len(tokens), (0.5,) * len(tokens), tokens[-1] == 2)
    score = Score((Part("hit", reward, 1.0),)) if reward is not None else None
    step = Step({}, Decision({"text": ""}, generation=generation), None)
    return Trajectory("toy", "p", task, (step,), "said", reward, score, failure)


def test_advantages_by_hand():
    # rewards 0, 0, 1, 1: mean .5, sample standard deviation sqrt(4 * .25 / 3) = .57735
    scaled = group_advantages([0, 0, 1, 1], scale=True)
    assert scaled == pytest.approx([-0.5 / 0.57745, -0.5 / 0.57745, 0.5 / 0.57745, 0.5 / 0.57745], rel=1e-4)
    assert group_advantages([0, 1, 0.5], scale=False) == [-0.5, 0.5, 0.0]
    assert group_advantages([0.3, 0.3], scale=True) == [0.0, 0.0]
    assert group_advantages([1.0], scale=True) == [0.0]


def loss_by_hand(name, **change):
    config = TrainConfig(loss=name, max_tokens=4, **change)
    # two samples: ratios 1.5, 1 (two tokens) with advantage 2; ratio .5 (one token) with advantage -1
    logprobs = torch.log(torch.tensor([[1.5, 1.0], [0.5, 1.0]]))
    written = torch.tensor([[True, True], [True, False]])
    samples = [Sample((1,), (1, 2), (True, True), (0.0, 0.0), 2.0), Sample((1,), (1,), (True,), (0.0,), -1.0)]
    total = loss_total(samples, config)
    return float(policy_loss(logprobs, torch.zeros(2, 2), torch.tensor([2.0, -1.0]), written, config, total))


def test_loss_by_hand():
    # clipped above at 1.28: -(2 * 1.28), -(2 * 1); clipped below at .8: -min(-.5, -.8) = .8
    assert loss_by_hand("dapo") == pytest.approx((-2.56 - 2 + 0.8) / 3)
    assert loss_by_hand("grpo") == pytest.approx(((-2.56 - 2) / 2 + 0.8) / 2)
    assert loss_by_hand("dr_grpo") == pytest.approx((-2.56 - 2 + 0.8) / (2 * 4))
    assert loss_by_hand("dapo", clip_high=1.0) == pytest.approx((-3 - 2 + 0.8) / 3)


def test_every_training_task_comes_once_a_pass_and_in_another_order_the_next():
    tasks = [f"t{i}" for i in range(10)]
    first = [task for update in range(1, 6) for task in tasks_of_update(tasks, 3, update, 2)]
    second = [task for update in range(6, 11) for task in tasks_of_update(tasks, 3, update, 2)]
    assert sorted(first) == sorted(second) == tasks
    assert first != second
    assert tasks_of_update(tasks, 3, 2, 2) == first[2:4]
    with pytest.raises(ValueError, match="only 10"):
        tasks_of_update(tasks, 3, 1, 11)


def test_dead_groups_and_failures_are_left_out_of_the_samples():
    failed = played(None, failure=Failure("model", "down"))
    groups = [[played(1.0), played(0.0), failed], [played(0.0), played(0.0)]]
    samples = live_samples(groups, TrainConfig(scale_advantage=False))
    assert [sample.advantage for sample in samples] == [0.5, -0.5]


def test_what_was_played_is_described_with_the_causes_of_dead_groups():
    groups = [
        [played(1.0), played(0.0)],
        [played(1.0), played(1.0)],
        [played(0.0), played(-0.0)],
        [played(0.5, (1, 3)), played(0.5), played(None, failure=Failure("model", "down"))],
    ]
    record = describe(groups)
    assert record["groups"] == 4
    assert record["live_groups"] == 1
    assert (record["dead_best"], record["dead_zero"], record["dead_tied"]) == (1, 1, 1)
    assert record["failed"] == 1
    assert record["reward_mean"] == pytest.approx(0.5)
    assert record["reward_std_within_groups"] == pytest.approx(math.sqrt(0.5) / 4)
    assert record["entropy"] == pytest.approx(0.5)
    assert record["completion_tokens"] == 2
    assert record["cut_off"] == pytest.approx(1 / 8)
    assert record["parts"] == {"hit": pytest.approx(0.5)}
    assert describe([])["reward_mean"] == 0.0


SAMPLES = [
    Sample((5, 6, 7), (10, 11), (True, True), (-5.0, -5.2), 1.0),
    Sample((5, 6, 7), (12,), (True,), (-5.5,), -1.0),
    Sample((5, 6, 8, 9), (13, 14, 15), (True, False, True), (-5.6, 0.0, -5.4), 0.5),
    Sample((5, 6, 8, 9), (16,), (True,), (-5.1,), -0.5),
]


def gradients(config, samples=SAMPLES):
    policy = make_policy()
    for parameter in policy.parameters():  # adapters that do something
        torch.manual_seed(1)
        parameter.data.normal_(std=0.05)
    optimizer = torch.optim.SGD(policy.parameters(), lr=0.0)
    record = improve(policy, optimizer, samples, config)
    return record, torch.cat([parameter.grad.flatten() for parameter in policy.parameters()])


@pytest.mark.parametrize("loss", ["dapo", "grpo", "dr_grpo"])
@pytest.mark.parametrize("extra", [{}, {"kl_beta": 0.1}, {"entropy_bonus": 0.1}])
def test_micro_batches_and_the_order_of_groups_change_nothing(loss, extra):
    whole, whole_grad = gradients(TrainConfig(loss=loss, max_grad_norm=1e9, **extra))
    config = TrainConfig(loss=loss, max_grad_norm=1e9, micro_batch_groups=1, **extra)
    parts, parts_grad = gradients(config, SAMPLES[2:] + SAMPLES[:2])
    assert parts["loss"] == pytest.approx(whole["loss"], abs=1e-6)
    torch.testing.assert_close(parts_grad, whole_grad, atol=1e-6, rtol=1e-4)


def test_groups_of_unequal_size_are_scored_alike():
    uneven, uneven_grad = gradients(TrainConfig(max_grad_norm=1e9), SAMPLES[:3])
    split, split_grad = gradients(TrainConfig(max_grad_norm=1e9, micro_batch_groups=1), SAMPLES[:3])
    assert uneven["loss"] == pytest.approx(split["loss"], abs=1e-6)
    torch.testing.assert_close(uneven_grad, split_grad, atol=1e-6, rtol=1e-4)


def test_an_update_without_live_groups_moves_nothing():
    policy = make_policy()
    before = [parameter.clone() for parameter in policy.parameters()]
    record = improve(policy, torch.optim.AdamW(policy.parameters()), [], TrainConfig())
    assert record["trained_tokens"] == 0
    assert all(torch.equal(a, b) for a, b in zip(before, policy.parameters(), strict=True))


def test_a_gradient_that_is_not_finite_is_skipped_and_said():
    policy = make_policy()
    before = [parameter.clone() for parameter in policy.parameters()]
    broken = [Sample((5,), (10,), (True,), (-5.0,), float("nan"))]
    record = improve(policy, torch.optim.AdamW(policy.parameters()), broken, TrainConfig())
    assert "not finite" in record["skipped"]
    assert all(torch.equal(a, b) for a, b in zip(before, policy.parameters(), strict=True))


def test_a_tiny_model_learns(tmp_path):
    policy, log = make_policy(), Log()
    train(policy, toy_playground(policy, TOY), TOY, Checkpoints(tmp_path), log)
    rewards = log.rewards("train")
    assert sum(rewards[:2]) / 2 < 0.3
    assert sum(rewards[-2:]) / 2 > 0.8
    assert log.rewards("validation")[-1] > log.rewards("validation")[0] + 0.4
    assert max(record.get("logprob_gap", 0.0) for record in log.records) < 1e-3
    assert [update for phase, update in log.phases if phase == "validate"] == [0, 6, 12]


@pytest.mark.parametrize("stop_after", [("generate", 3), ("train", 4), ("validate", 6)])
def test_a_run_that_was_stopped_ends_with_the_same_weights_bit_for_bit(tmp_path, stop_after):
    config = TrainConfig(updates=6, groups=2, group_size=4, max_tokens=4, validate_every=3, learning_rate=1e-2)
    whole, whole_log = make_policy(), Log()
    train(whole, toy_playground(whole, config, turns=2), config, Checkpoints(tmp_path / "whole"), whole_log)
    stopped, log = make_policy(), Log(stop_after)
    with pytest.raises(KeyboardInterrupt):
        train(stopped, toy_playground(stopped, config, turns=2), config, Checkpoints(tmp_path / "cut"), log)
    resumed, rest = make_policy(seed=5), Log()
    train(resumed, toy_playground(resumed, config, turns=2), config, Checkpoints(tmp_path / "cut"), rest)
    for expected, found in zip(whole.parameters(), resumed.parameters(), strict=True):
        assert torch.equal(expected, found)
    assert rest.rewards("train") == whole_log.rewards("train")[-len(rest.rewards("train")) :]


@pytest.mark.parametrize("extra", [{}, {"kl_beta": 0.1}])
def test_the_gradient_is_the_same_bit_for_bit_however_many_cores_share_the_work(extra):
    found = []
    before = torch.get_num_threads()
    for threads in (1, 2):
        torch.set_num_threads(threads)
        found.append(gradients(TrainConfig(max_grad_norm=1e9, **extra)))
    torch.set_num_threads(before)
    assert found[0][0] == found[1][0]
    assert torch.equal(found[0][1], found[1][1])
