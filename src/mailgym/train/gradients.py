"""What every loss shares: micro-batches below one root, their gradients in a fixed order, and one optimiser step."""

from collections.abc import Callable, Sequence
from itertools import chain
from typing import TypeVar

import torch
from torch import Tensor

from mailgym.train.batch import Sample, arrange
from mailgym.train.config import TrainConfig
from mailgym.train.parallel import map_on_cores
from mailgym.train.policy import Policy, Root

Work = TypeVar("Work")
Measured = dict[str, float]
Loss = Callable[[Work, Root | None], tuple[Tensor, Measured]]
"""One micro-batch and the root above it → its share of the loss, and what was measured on the way."""


def make_optimizer(policy: Policy, learning_rate: float, config: TrainConfig) -> torch.optim.Optimizer:
    """Return AdamW over the policy's adapters."""
    return torch.optim.AdamW(
        policy.parameters(),
        lr=learning_rate,
        betas=(config.adam_beta1, config.adam_beta2),
        weight_decay=config.weight_decay,
    )


def micro_batches(samples: Sequence[Sample], groups_at_once: int) -> list[list[Sample]]:
    """Divide an update's samples: so many groups (samples of one prompt) each, 0 for all of them together."""
    groups = arrange(samples)
    size = groups_at_once or len(groups)
    return [list(chain.from_iterable(groups[start : start + size])) for start in range(0, len(groups), size)]


def accumulate_gradients(
    policy: Policy, samples: Sequence[Sample], work: Sequence[Work], loss: Loss[Work]
) -> list[Measured]:
    """Leave the update's gradient on the policy's parameters and return what each micro-batch measured.

    Micro-batches run side by side, one a core; their gradients are added in their order, so that the sum is the same
    bit for bit however many cores there are for it.

    Args:
        policy: What is trained.
        samples: All samples of the update; what their prompts share is run once.
        work: The micro-batches, each with what its loss needs.
        loss: Gives a micro-batch's share of the loss.
    """
    root = policy.open_root(samples)
    parameters = policy.parameters()
    wanted = [*parameters, *(root.leaves if root is not None else ())]

    def run(piece: Work) -> tuple[Measured, tuple[Tensor | None, ...]]:
        share, measured = loss(piece, root)
        return measured, torch.autograd.grad(share, wanted, allow_unused=True)

    everything: list[Measured] = []
    sums: list[Tensor | None] = [None] * len(wanted)
    for measured, grads in map_on_cores(run, work, parameters[0].device):
        everything.append(measured)
        for index, grad in enumerate(grads):
            if grad is not None:
                sums[index] = grad if sums[index] is None else sums[index].add_(grad)  # type: ignore[union-attr]
    for parameter, grad in zip(parameters, sums, strict=False):
        parameter.grad = grad
    if root is not None:
        root.backward(sums[len(parameters) :])
    return everything


def take_step(policy: Policy, optimizer: torch.optim.Optimizer, max_grad_norm: float) -> float | None:
    """Take one optimiser step on the gradient that is there; return its norm before it was scaled down.

    Returns:
        None where the gradient is not finite: no step was taken, and the gradient is dropped.
    """
    norm = torch.nn.utils.clip_grad_norm_(policy.parameters(), max_grad_norm)
    if not bool(torch.isfinite(norm)):
        optimizer.zero_grad(set_to_none=True)
        return None
    optimizer.step()
    return float(norm)
