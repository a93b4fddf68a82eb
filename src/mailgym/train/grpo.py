"""GRPO from top to bottom: play groups, compare each trajectory with its group, move the policy, repeat.

One update:
    1. draw ``groups`` tasks and play each G times (:func:`play_groups`);
    2. advantage = reward minus the group's mean, divided by its standard deviation (:func:`group_advantages`);
    3. groups whose rewards are all equal teach nothing and are left out;
    4. score the written tokens again, with gradient, and take one clipped policy-gradient step (:func:`improve`).

Source: Shao et al. 2024, "DeepSeekMath" (GRPO, equation 3); Yu et al. 2025, "DAPO" (token-level mean, clip higher,
dynamic sampling); Liu et al. 2025, "Understanding R1-Zero-Like Training" (Dr. GRPO).
Deviations: dead groups are dropped without drawing others in their place, so the number of live groups varies; the
standard deviation is the sample's (n - 1) plus 1e-4, as TRL computes it; means run over the live groups' tokens.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

import torch
from torch import Tensor

from mailgym.core.episode import Trajectory
from mailgym.core.protocols import Agent, Environment
from mailgym.core.seeds import derive_seed, stream
from mailgym.rollout.engine import EpisodeRequest, play_episodes
from mailgym.train.batch import Sample, to_sample
from mailgym.train.checkpoint import Checkpoints
from mailgym.train.config import TrainConfig
from mailgym.train.gradients import accumulate_gradients, make_optimizer, micro_batches, take_step
from mailgym.train.policy import Policy, Root
from mailgym.train.scoring import TokenScores

STD_FLOOR = 1e-4
Record = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Playground:
    """Where the policy is trained.

    Attributes:
        env_id: The environment's id.
        environments: Makes an environment over the training tasks.
        task_ids: The training tasks.
        agent: Plays with the policy that is trained, sampling.
        validate: Plays the policy greedily on validation tasks and returns a record with ``reward_mean``.
        seed: Decides every random draw.
    """

    env_id: str
    environments: Callable[[], Environment]
    task_ids: Sequence[str]
    agent: Agent
    validate: Callable[[int], Record]
    seed: int


class Observer(Protocol):
    """Who is told what happens, as it happens."""

    def record(self, record: Record) -> None:
        """Take a record for ``metrics.jsonl``."""
        ...

    def trajectories(self, trajectories: Sequence[Trajectory]) -> None:
        """Take the trajectories of an update."""
        ...

    def phase(self, phase: str, update: int) -> None:
        """Learn that ``generate``, ``train`` or ``validate`` begins."""
        ...


def train(
    policy: Policy,
    playground: Playground,
    config: TrainConfig,
    checkpoints: Checkpoints,
    observer: Observer,
    target: float | None = None,
) -> None:
    """Train from the last checkpoint (or the start) to ``config.updates``, or until a validation reaches ``target``.

    A run that was stopped anywhere goes on with the same tasks, draws and optimiser state: everything random is
    derived from the seed and the update's number, everything else is in the checkpoint.
    """
    optimizer = make_optimizer(policy, config.learning_rate, config)
    done = checkpoints.restore(policy, optimizer)
    if done == 0 and not _reached(checkpoints, target):
        _validate(policy, playground, checkpoints, observer, 0)
    for update in range(done + 1, config.updates + 1):
        if _reached(checkpoints, target):
            return
        seconds: dict[str, float] = {}
        started = time.perf_counter()
        observer.phase("generate", update)
        groups = play_groups(policy, playground, config, update)
        observer.trajectories([trajectory for group in groups for trajectory in group])
        seconds["generate"] = time.perf_counter() - started
        started = time.perf_counter()
        observer.phase("train", update)
        for parameters in optimizer.param_groups:
            parameters["lr"] = config.learning_rate * min(1.0, update / max(1, config.warmup_updates))
        record = {"phase": "train", "update": update, **describe(groups)}
        record |= improve(policy, optimizer, live_samples(groups, config), config)
        seconds["train"] = time.perf_counter() - started
        observer.record({**record, "learning_rate": optimizer.param_groups[0]["lr"], "seconds": seconds})
        last = update == config.updates
        if last or update % config.validate_every == 0:
            _validate(policy, playground, checkpoints, observer, update)
        if last or update % config.checkpoint_every == 0:
            checkpoints.save(policy, optimizer, update)


def _reached(checkpoints: Checkpoints, target: float | None) -> bool:
    """Whether the best validation reached the target; it is on disk, so that a resumed run knows it too."""
    return target is not None and checkpoints.best.exists() and checkpoints.best_state()["reward"] >= target


def _validate(
    policy: Policy, playground: Playground, checkpoints: Checkpoints, observer: Observer, update: int
) -> None:
    observer.phase("validate", update)
    started = time.perf_counter()
    with policy.merged():
        record = playground.validate(update)
    observer.record({**record, "seconds": {"validate": time.perf_counter() - started}})
    checkpoints.keep_if_best(policy, update, record["reward_mean"])


def tasks_of_update(task_ids: Sequence[str], seed: int, update: int, n: int) -> list[str]:
    """Return the tasks of one update (counted from 1); a task is never drawn twice in one update."""
    if n > len(task_ids):
        raise ValueError(f"{n} tasks an update, but there are only {len(task_ids)} training tasks")
    per_pass = len(task_ids) // n
    epoch, place = divmod(update - 1, per_pass)
    order = list(task_ids)
    stream(seed, "task order", epoch).shuffle(order)
    return order[place * n : (place + 1) * n]


def play_groups(policy: Policy, playground: Playground, config: TrainConfig, update: int) -> list[list[Trajectory]]:
    """Play every task of an update G times; one list a task."""
    tasks = tasks_of_update(playground.task_ids, playground.seed, update, config.groups)
    requests = [EpisodeRequest(task, sample, update) for task in tasks for sample in range(config.group_size)]
    seed = derive_seed(playground.seed, "rollout")
    with policy.merged():
        played = play_episodes(playground.environments, playground.agent, requests, seed, playground.env_id)
    size = config.group_size
    return [played[start : start + size] for start in range(0, len(played), size)]


def group_advantages(rewards: Sequence[float], scale: bool) -> list[float]:
    """Return each reward relative to its group; all zeros for a group that teaches nothing."""
    values = torch.tensor(rewards, dtype=torch.float64)
    if len(rewards) < 2 or float(values.max() - values.min()) < 1e-9:
        return [0.0] * len(rewards)
    centred = values - values.mean()
    return [float(a) for a in (centred / (values.std() + STD_FLOOR) if scale else centred)]


def live_samples(groups: Sequence[Sequence[Trajectory]], config: TrainConfig) -> list[Sample]:
    """Turn the groups that teach something into samples; failed trajectories are left out of their group."""
    samples: list[Sample] = []
    for group in groups:
        played = [trajectory for trajectory in group if trajectory.reward is not None]
        rewards = [float(trajectory.reward or 0.0) for trajectory in played]
        advantages = group_advantages(rewards, config.scale_advantage)
        if any(advantages):
            samples += [to_sample(t, a) for t, a in zip(played, advantages, strict=True)]
    return samples


def policy_loss(
    logprobs: Tensor, old_logprobs: Tensor, advantages: Tensor, written: Tensor, config: TrainConfig, total: float
) -> Tensor:
    """The clipped surrogate, negated.

    Args:
        logprobs: Under the policy now, shape (samples, tokens).
        old_logprobs: At the time of generation, the same shape.
        advantages: Shape (samples,).
        written: Which tokens the model wrote, shape (samples, tokens).
        config: Loss name and clip range.
        total: What is divided by: all written tokens of the update (``dapo``), or all its samples (``grpo``), or its
            samples times the token limit (``dr_grpo``); see :func:`loss_total`.

    Source: DAPO equation 8 (``clip_low`` = ``clip_high`` gives GRPO's and PPO's).
    """
    ratio = torch.exp(logprobs - old_logprobs)
    clipped = ratio.clamp(1 - config.clip_low, 1 + config.clip_high)
    per_token = -torch.minimum(ratio * advantages[:, None], clipped * advantages[:, None]) * written
    return reduce_tokens(per_token, written, config, total)


def reduce_tokens(per_token: Tensor, written: Tensor, config: TrainConfig, total: float) -> Tensor:
    """Sum tokens (``dapo``, ``dr_grpo``) or each sample's mean (``grpo``), divided by ``total``."""
    if config.loss == "grpo":
        return (per_token.sum(-1) / written.sum(-1).clamp(min=1)).sum() / total
    return per_token.sum() / total


def loss_total(samples: Sequence[Sample], config: TrainConfig) -> float:
    """Return what the loss of a whole update is divided by, so that micro-batches add up to it."""
    if config.loss == "dapo":
        return float(max(1, sum(sample.n_written for sample in samples)))
    return float(len(samples) * (config.max_tokens if config.loss == "dr_grpo" else 1))


def improve(policy: Policy, optimizer: torch.optim.Optimizer, samples: Sequence[Sample], config: TrainConfig) -> Record:
    """Take the optimiser steps of one update and return what was measured on the way."""
    if not samples:
        return {"loss": 0.0, "grad_norm": 0.0, "trained_tokens": 0}
    batches = micro_batches(samples, config.micro_batch_groups)
    totals = Totals(loss_total(samples, config), sum(sample.n_written for sample in samples))
    record: Record = {}
    for inner in range(config.inner_steps):
        optimizer.zero_grad(set_to_none=True)
        references = [_reference(policy, batch, config) for batch in batches]  # adapters off: not side by side
        measured = accumulate_gradients(
            policy,
            samples,
            list(zip(batches, references, strict=True)),
            lambda work, root: _loss(policy, *work, root, config, totals),
        )
        norm = take_step(policy, optimizer, config.max_grad_norm)
        if norm is None:
            return {**record, "skipped": "the gradient was not finite", "trained_tokens": totals.tokens}
        if inner == 0:
            record = {name: sum(part[name] for part in measured) for name in ("loss", "kl", "clipped")}
            record["logprob_gap"] = max(part["logprob_gap"] for part in measured)
            record |= {"grad_norm": norm, "trained_tokens": totals.tokens}
    return record


class Totals(NamedTuple):
    """What the losses and the token shares of a whole update are divided by, so that micro-batches add up."""

    loss: float
    tokens: int


def _reference(policy: Policy, batch: Sequence[Sample], config: TrainConfig) -> Tensor | None:
    """Return the log-probabilities under the model as it was at the start; None where the KL term is off."""
    if config.kl_beta == 0:
        return None
    with torch.no_grad(), policy.without_adapters():
        scores = policy.token_logprobs(batch, config.temperature)
    return scores.placed(scores.logprobs)


def _loss(
    policy: Policy,
    batch: Sequence[Sample],
    reference: Tensor | None,
    root: Root | None,
    config: TrainConfig,
    totals: Totals,
) -> tuple[Tensor, dict[str, float]]:
    """Return one micro-batch's share of the loss, and what was measured on the way."""
    scores = policy.token_logprobs(batch, config.temperature, entropy=config.entropy_bonus > 0, root=root)
    logprobs = scores.placed(scores.logprobs)
    old = _placed_old(scores, batch)
    advantages = torch.tensor([sample.advantage for sample in batch], device=logprobs.device)
    loss = policy_loss(logprobs, old, advantages, scores.written, config, totals.loss)
    kl = torch.zeros((), device=logprobs.device)
    if reference is not None:
        difference = reference - logprobs
        per_token = (torch.exp(difference) - difference - 1) * scores.written
        kl = reduce_tokens(per_token, scores.written, config, totals.loss)
        loss = loss + config.kl_beta * kl
    if config.entropy_bonus > 0:
        loss = loss - config.entropy_bonus * scores.entropies.sum() / totals.tokens
    with torch.no_grad():
        gap = ((logprobs - old) * scores.written).abs()
        ratio = torch.exp(logprobs - old)
        outside = ((ratio < 1 - config.clip_low) | (ratio > 1 + config.clip_high)) & scores.written
    return loss, {
        "loss": float(loss.detach()),
        "kl": float(kl.detach()),
        "logprob_gap": float(gap.max()),
        "clipped": float(outside.sum()) / totals.tokens,
    }


def _placed_old(scores: TokenScores, batch: Sequence[Sample]) -> Tensor:
    old = torch.zeros(scores.written.shape)
    for row, sample in enumerate(batch):
        old[row, : len(sample.old_logprobs)] = torch.tensor(sample.old_logprobs)
    return old.to(scores.written.device)


def describe(groups: Sequence[Sequence[Trajectory]]) -> Record:
    """Measure what was played: rewards, their spread within groups, dead groups by cause, entropy, lengths, parts."""
    record: Record = {"groups": len(groups)}
    record |= dict.fromkeys(("failed", "live_groups", "dead_best", "dead_zero", "dead_tied"), 0)
    stds: list[float] = []
    rewards: list[float] = []
    parts: dict[str, list[float]] = {}
    tokens: list[int] = []
    entropies: list[float] = []
    cut = 0
    for group in groups:
        played = [trajectory for trajectory in group if trajectory.reward is not None]
        record["failed"] += len(group) - len(played)
        values = [float(trajectory.reward or 0.0) for trajectory in played]
        rewards += values
        if any(group_advantages(values, scale=False)):
            record["live_groups"] += 1
        elif values:
            cause = "dead_best" if values[0] >= 1.0 - 1e-9 else "dead_zero" if values[0] <= 0 else "dead_tied"
            record[cause] += 1
        if len(values) > 1:
            stds.append(float(torch.tensor(values).std()))
        for trajectory in played:
            for name, value in (trajectory.score.values if trajectory.score else {}).items():
                parts.setdefault(name, []).append(value)
            for step in trajectory.steps:
                if step.decision.generation is not None:
                    tokens.append(len(step.decision.generation.completion_ids))
                    entropies += step.decision.generation.entropies
                    cut += not step.decision.generation.finished
    record["reward_mean"] = _mean(rewards)
    record["reward_std_within_groups"] = _mean(stds)
    record["entropy"] = _mean(entropies)
    record["completion_tokens"] = _mean(tokens)
    record["cut_off"] = cut / len(tokens) if tokens else 0.0
    record["parts"] = {name: _mean(values) for name, values in parts.items()}
    return record


def _mean(values: Sequence[float]) -> float:
    return float(sum(values) / len(values)) if values else 0.0
