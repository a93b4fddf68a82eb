"""The warm start: imitate a player's trajectories before the first update of reinforcement learning.

A player (the environment's oracle) plays training tasks. Each of its actions is written in the prompt's own form and
becomes the tokens that the model would have written there, behind the very prompt that the model would have seen
(:func:`as_written`). From there on it is a trajectory like any other: :func:`~mailgym.train.batch.to_sample` masks what
was read, and the same micro-batches and prefix tree score it. The loss is the mean cross-entropy of the written tokens
of an update, at temperature 1, on the adapters alone.

Source: plain behaviour cloning; document 000 starts its runs without it. Why it is here: docs/decisions.md, on
exploration that finds nothing.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import torch
from torch import Tensor

from mailgym.core.episode import Generation, Step, Trajectory
from mailgym.core.errors import ConfigError
from mailgym.core.protocols import WritingPrompt
from mailgym.core.seeds import stream
from mailgym.llm.base import Sampling
from mailgym.llm.local import LocalModel
from mailgym.train.batch import Sample, to_sample
from mailgym.train.checkpoint import Checkpoints
from mailgym.train.config import TrainConfig, WarmStartConfig
from mailgym.train.gradients import accumulate_gradients, make_optimizer, micro_batches, take_step
from mailgym.train.policy import Policy, Root

PHASE = "warm_start"
TEMPERATURE = 1.0
Record = dict[str, Any]


class UnwritableError(ValueError):
    """A trajectory that the model could not have written token by token; it never leaves this module."""


@dataclass(frozen=True, slots=True)
class Lessons:
    """What is imitated.

    Attributes:
        samples: The trajectories as tokens, in the order given.
        left_out: How many trajectories are not imitated, by reason.
    """

    samples: tuple[Sample, ...]
    left_out: dict[str, int] = field(default_factory=dict)


def as_written(trajectory: Trajectory, prompt: WritingPrompt, local: LocalModel) -> Trajectory:
    """Return a player's trajectory as the model's own: each turn with the exact tokens it would have had.

    The log-probabilities are 0: nothing was drawn.

    Raises:
        UnwritableError: What the model would have written is not read back as the player's action.
        ModelError: The model's chat template does not close its turns, and there are several.
    """
    steps: list[Step] = []
    previous: Generation | None = None
    for step in trajectory.steps:
        action = step.decision.action
        if not isinstance(action, dict):
            raise UnwritableError("the player made no action")
        if previous is None:
            ids = local.opening_ids(prompt.opening(step.observation))
        else:
            ids = local.continued_ids(previous, prompt.reply(step.observation))
        text = prompt.write(action)
        written = local.written_ids(text)
        previous = Generation(ids, written, (0.0,) * len(written))
        if prompt.parse(local.text_of(previous)) != action:
            raise UnwritableError(f"it is not read back: {text!r}")
        steps.append(replace(step, decision=replace(step.decision, text=text, generation=previous)))
    return replace(trajectory, steps=tuple(steps))


def make_lessons(
    trajectories: Sequence[Trajectory], prompt: WritingPrompt, local: LocalModel, sampling: Sampling
) -> Lessons:
    """Turn a player's trajectories into what is imitated.

    Left out and counted are trajectories that failed, that earned nothing, that the model could not have written, and
    that are longer than an episode may be.

    Args:
        trajectories: What the player played.
        prompt: How the environment speaks with the model.
        local: The model.
        sampling: The token limits of the rollouts.

    Raises:
        ConfigError: A turn is longer than a turn may be, so that the policy could never write it, or nothing is left.
    """
    samples: list[Sample] = []
    left_out: dict[str, int] = {}
    limit = local.max_episode_tokens(sampling)
    longest = 0
    for trajectory in trajectories:
        try:
            reason = "failed" if trajectory.reward is None else "worth nothing" if trajectory.reward <= 0 else ""
            sample = None if reason else to_sample(as_written(trajectory, prompt, local), 1.0)
        except UnwritableError:
            sample, reason = None, "not writable"
        if sample is not None and limit is not None and len(sample.prompt_ids) + len(sample.tail_ids) > limit:
            reason = "too long"
        if sample is None or reason:
            left_out[reason] = left_out.get(reason, 0) + 1
            continue
        longest = max(longest, longest_turn(sample))
        samples.append(sample)
    if longest > sampling.max_tokens:
        raise ConfigError(
            f"a turn to imitate has {longest} tokens, and the policy may write {sampling.max_tokens}: it could never "
            f"do what it is shown. Set train.max_tokens={longest} or more"
        )
    if not samples:
        reasons = ", ".join(f"{count} {reason}" for reason, count in left_out.items())
        raise ConfigError(f"none of the {len(trajectories)} trajectories can be imitated ({reasons})")
    return Lessons(tuple(samples), left_out)


def longest_turn(sample: Sample) -> int:
    """Return the tokens of the longest turn that the model wrote."""
    longest = run = 0
    for own in sample.written:
        run = run + 1 if own else 0
        longest = max(longest, run)
    return longest


def plan(count: int, config: WarmStartConfig, seed: int) -> list[list[int]]:
    """Return which lessons each update imitates: every lesson once an epoch, in an order of the epoch's own."""
    updates: list[list[int]] = []
    for epoch in range(config.epochs):
        order = list(range(count))
        stream(seed, "warm start order", epoch).shuffle(order)
        updates += [order[start : start + config.batch] for start in range(0, count, config.batch)]
    return updates


def imitate(
    policy: Policy,
    samples: Sequence[Sample],
    config: WarmStartConfig,
    train: TrainConfig,
    seed: int,
    checkpoints: Checkpoints,
    observe: Callable[[Record], None],
) -> None:
    """Train the adapters to write what the samples have written, from the last checkpoint (or the start) to the end.

    A warm start that was stopped anywhere ends with the same weights: the order comes from the seed, everything else
    from the checkpoint.

    Args:
        policy: What is trained.
        samples: The lessons.
        config: Epochs, batch and learning rate.
        train: The optimiser's other settings, micro-batches, and how often a checkpoint is written.
        seed: Decides the order.
        checkpoints: Those of the warm start.
        observe: Takes the record of each update.
    """
    updates = plan(len(samples), config, seed)
    optimizer = make_optimizer(policy, config.learning_rate, train)
    done = checkpoints.restore(policy, optimizer)
    for update, chosen in enumerate(updates[done:], done + 1):
        started = time.perf_counter()
        record = imitate_once(policy, optimizer, [samples[index] for index in chosen], train)
        last = update == len(updates)
        observe(
            {
                "phase": PHASE,
                "update": update,
                "updates": len(updates),
                **record,
                "learning_rate": config.learning_rate,
                "seconds": {"imitate": time.perf_counter() - started},
            }
        )
        if last or update % train.checkpoint_every == 0:
            checkpoints.save(policy, optimizer, update)


def imitate_once(
    policy: Policy, optimizer: torch.optim.Optimizer, samples: Sequence[Sample], config: TrainConfig
) -> Record:
    """Take one step towards the samples and return loss (nats a token, before the step), gradient norm and tokens."""
    tokens = sum(sample.n_written for sample in samples)

    def loss(batch: list[Sample], root: Root | None) -> tuple[Tensor, dict[str, float]]:
        scores = policy.token_logprobs(batch, TEMPERATURE, root=root)
        share = -scores.logprobs.sum() / tokens
        return share, {"loss": float(share.detach())}

    optimizer.zero_grad(set_to_none=True)
    measured = accumulate_gradients(policy, samples, micro_batches(samples, config.micro_batch_groups), loss)
    norm = take_step(policy, optimizer, config.max_grad_norm)
    record: Record = {"loss": sum(part["loss"] for part in measured), "trained_tokens": tokens}
    return {**record, "skipped": "the gradient was not finite"} if norm is None else {**record, "grad_norm": norm}
