"""Scores of the tokens a model wrote: packing, the states they were predicted from, and the frozen output layer."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from mailgym.llm.tree import Segment
from mailgym.train.batch import Sample

ROW_TOKENS = 256  # packed tails attend to each other's places (masked), which costs the square of this
HEAD_ROWS = 256  # tokens whose logits exist at once: 256 x 49k float32 are 50 MB


class TokenScores:
    """Log-probabilities and entropies of the written tokens of a batch.

    Attributes:
        written: Where they stand, shape (samples, tokens), bool.
        logprobs: Flat, in row order, shape (written tokens,).
        entropies: Flat, in nats, the same shape.
    """

    def __init__(self, written: Tensor, logprobs: Tensor, entropies: Tensor) -> None:
        """Hold the flat scores beside the mask that places them."""
        self.written = written
        self.logprobs = logprobs
        self.entropies = entropies

    def placed(self, flat: Tensor) -> Tensor:
        """Lay flat values out as (samples, tokens), 0 where nothing was written."""
        return torch.zeros(self.written.shape, dtype=flat.dtype, device=flat.device).masked_scatter(self.written, flat)


def score_tokens(
    samples: Sequence[Sample], before: Tensor, weight: Tensor, temperature: float, entropy: bool
) -> TokenScores:
    """Score every written token.

    Args:
        samples: Whose tokens.
        before: The state each written token was predicted from, in the order of the samples, shape (tokens, hidden).
        weight: The output layer's, shape (vocabulary, hidden); it is not trained.
        temperature: The one the tokens were drawn at.
        entropy: Whether the entropies are to be differentiable too.
    """
    written = torch.zeros((len(samples), max(len(sample.tail_ids) for sample in samples)), dtype=torch.bool)
    targets: list[int] = []
    for index, sample in enumerate(samples):
        written[index, : len(sample.tail_ids)] = torch.tensor(sample.written)
        targets += [token for token, own in zip(sample.tail_ids, sample.written, strict=True) if own]
    logprobs, entropies = FrozenHead.apply(  # type: ignore[no-untyped-call]
        before, weight, torch.tensor(targets, device=before.device), float(temperature), entropy
    )
    return TokenScores(written.to(before.device), logprobs, entropies)


class FrozenHead(torch.autograd.Function):
    """Log-probability of one target a row under a frozen output layer, without keeping any logits.

    With p = softmax(W h / t): d log p_y / d h = (W_y - p W) / t and d H / d h = -(p (log p + H)) W / t. Both are
    computed chunk by chunk in the forward pass, so that the backward pass is one product with the incoming gradient:
    two large matrix products where a checkpointed head needs four.
    """

    @staticmethod
    def forward(
        ctx: Any, hidden: Tensor, weight: Tensor, targets: Tensor, temperature: float, with_entropy: bool
    ) -> tuple[Tensor, Tensor]:
        """Return log-probabilities and entropies, both of shape (tokens,), and keep their slopes."""
        needs_grad = ctx.needs_input_grad[0]
        logprobs = hidden.new_empty(len(targets), dtype=torch.float32)
        entropies = torch.empty_like(logprobs)
        logprob_slopes = torch.empty_like(hidden) if needs_grad else None
        entropy_slopes = torch.empty_like(hidden) if needs_grad and with_entropy else None
        for start in range(0, len(targets), HEAD_ROWS):
            rows = slice(start, start + HEAD_ROWS)
            log_p = torch.log_softmax((hidden[rows] @ weight.T).float() / temperature, dim=-1)
            p = log_p.exp()
            entropies[rows] = -(p * log_p).sum(-1)
            logprobs[rows] = log_p.gather(-1, targets[rows, None])[:, 0]
            if logprob_slopes is not None:
                logprob_slopes[rows] = (weight[targets[rows]] - p.to(weight.dtype) @ weight) / temperature
            if entropy_slopes is not None:
                surprise = p * (log_p + entropies[rows, None])
                entropy_slopes[rows] = -(surprise.to(weight.dtype) @ weight) / temperature
        ctx.slopes = (logprob_slopes, entropy_slopes)
        if not with_entropy:
            ctx.mark_non_differentiable(entropies)
        return logprobs, entropies

    @staticmethod
    def backward(ctx: Any, *grads: Tensor) -> tuple[Tensor | None, None, None, None, None]:
        """Return the gradient of the states, shape (tokens, hidden); nothing else is trained here."""
        logprob_slopes, entropy_slopes = ctx.slopes
        grad = grads[0][:, None] * logprob_slopes
        if entropy_slopes is not None:
            grad = grad + grads[1][:, None] * entropy_slopes
        return grad, None, None, None, None


@dataclass(frozen=True, slots=True)
class PackedRow:
    """Samples whose tails lie one behind the other in one row.

    Attributes:
        prompt: Which prompt they share.
        samples: Which samples, in order.
    """

    prompt: int
    samples: tuple[int, ...]


def pack(samples: Sequence[Sample], prompts: Sequence[tuple[int, ...]], capacity: int = ROW_TOKENS) -> list[PackedRow]:
    """Lay short tails of one prompt into common rows, the longest first, so that little is padding.

    A row holds ``capacity`` tokens, or the longest tail where that is longer.
    """
    room = max(capacity, *(len(sample.tail_ids) for sample in samples))
    number = {prompt: index for index, prompt in enumerate(prompts)}
    order = sorted(range(len(samples)), key=lambda i: (number[samples[i].prompt_ids], -len(samples[i].tail_ids), i))
    rows: list[tuple[int, list[int], int]] = []
    for index in order:
        prompt, length = number[samples[index].prompt_ids], len(samples[index].tail_ids)
        place = next((i for i, row in enumerate(rows) if row[0] == prompt and row[2] + length <= room), None)
        if place is None:
            rows.append((prompt, [index], length))
        else:
            rows[place] = (prompt, [*rows[place][1], index], rows[place][2] + length)
    return [PackedRow(prompt, tuple(members)) for prompt, members, _ in rows]


def states_before(
    samples: Sequence[Sample],
    rows: Sequence[PackedRow],
    prompt_states: Tensor,
    prompts: Segment,
    tail_states: Tensor,
) -> Tensor:
    """Gather the state that each written token was predicted from, in the order of the samples; flat."""
    width = tail_states.shape[1]
    first = len(rows) * width
    flat = torch.cat([tail_states.flatten(0, 1), prompt_states[range(len(prompts.lengths)), prompts.lengths - 1]])
    places: dict[int, list[int]] = {}
    for number, row in enumerate(rows):
        start = number * width
        for index in row.samples:
            sample = samples[index]
            before = [first + row.prompt, *range(start, start + len(sample.tail_ids) - 1)]
            places[index] = [place for place, own in zip(before, sample.written, strict=True) if own]
            start += len(sample.tail_ids)
    order = [place for index in range(len(samples)) for place in places[index]]
    return flat[torch.tensor(order, device=flat.device)]
