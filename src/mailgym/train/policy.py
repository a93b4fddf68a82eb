"""The model that is trained: LoRA adapters over a local model, scored over the prefix tree."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from mailgym.core.errors import ModelError
from mailgym.llm.generate import common_prefix
from mailgym.llm.local import LocalModel, quiet_peft
from mailgym.llm.tree import Segment, run_segment
from mailgym.train.batch import Sample

_OTHER_SHAPE = "was lora_rank or the model changed since it was written?"
ROW_TOKENS = 256  # packed tails attend to each other's places (masked), which costs the square of this
HEAD_ROWS = 256  # tokens whose logits exist at once: 256 x 49k float32 are 50 MB


class Policy:
    """A local model with trainable LoRA adapters on every linear layer.

    Attributes:
        local: The model as everything else sees it; it generates with the adapters merged in.
        adapted: The same weights as a peft model.
    """

    def __init__(self, local: LocalModel, rank: int, alpha: int, seed: int) -> None:
        """Add adapters, initialised from ``seed`` (they change nothing yet)."""
        from peft import LoraConfig, get_peft_model

        torch.manual_seed(seed)
        config = LoraConfig(
            r=rank, lora_alpha=alpha, lora_dropout=0.0, target_modules="all-linear", task_type="CAUSAL_LM"
        )
        self.local = local
        with quiet_peft():
            self.adapted = get_peft_model(local.model, config)
        local.model = self.adapted.get_base_model()
        self._clean = {
            name: layer.base_layer.weight.detach().clone()
            for name, layer in self.adapted.named_modules()
            if hasattr(layer, "lora_A")
        }

    def parameters(self) -> list[Tensor]:
        """The trainable tensors, in a fixed order."""
        return [parameter for parameter in self.adapted.parameters() if parameter.requires_grad]

    @contextmanager
    def merged(self) -> Iterator[None]:
        """Merge the adapters into the weights while generating: fewer and larger matrix products.

        Afterwards the clean weights are copied back, so that no rounding error is left behind.
        """
        self.adapted.merge_adapter()
        try:
            yield
        finally:
            self.adapted.unmerge_adapter()  # type: ignore[no-untyped-call]
            with torch.no_grad():
                for name, layer in self.adapted.named_modules():
                    if name in self._clean:
                        layer.base_layer.weight.copy_(self._clean[name])

    @contextmanager
    def without_adapters(self) -> Iterator[None]:
        """The model as it was before training: the reference of the KL term."""
        with self.adapted.disable_adapter():
            yield

    def token_logprobs(self, samples: Sequence[Sample], temperature: float, entropy: bool = False) -> "TokenScores":
        """Score the written tokens of every sample; differentiable.

        Args:
            samples: In any order; equal prompts are run once.
            temperature: The one they were drawn at.
            entropy: Whether the entropies are to be differentiable too.
        """
        inner = self.local.model.base_model
        prompts = list(dict.fromkeys(sample.prompt_ids for sample in samples))
        root_length = common_prefix(prompts)
        root = run_segment(inner, [[prompts[0][:root_length]]])[0] if root_length else None
        above, prompt_states = run_segment(inner, [[prompt[root_length:]] for prompt in prompts], root)
        rows = pack(samples, prompts)
        tails = [[samples[index].tail_ids for index in row.samples] for row in rows]
        _, tail_states = run_segment(inner, tails, root, above, [row.prompt for row in rows])
        before = _states_before(samples, rows, prompt_states, above, tail_states)
        device = before.device
        written = torch.zeros((len(samples), max(len(sample.tail_ids) for sample in samples)), dtype=torch.bool)
        for index, sample in enumerate(samples):
            written[index, : len(sample.tail_ids)] = torch.tensor(sample.written)
        targets = [
            token for sample in samples for token, own in zip(sample.tail_ids, sample.written, strict=True) if own
        ]
        head = self.local.model.get_output_embeddings()
        if getattr(head, "bias", None) is not None:
            raise ModelError("models whose output layer has a bias are not supported by the native trainer")
        logprobs, entropies = _FrozenHead.apply(  # type: ignore[no-untyped-call]
            before, head.weight, torch.tensor(targets, device=device), float(temperature), entropy
        )
        return TokenScores(written.to(device), logprobs, entropies)

    def save(self, folder: Path) -> None:
        """Write the adapter as a plain peft folder."""
        self.adapted.save_pretrained(str(folder))

    def load(self, folder: Path) -> None:
        """Read the adapter's weights from a folder that :meth:`save` wrote.

        Raises:
            ModelError: The folder's adapter is of another shape.
        """
        from peft import load_peft_weights, set_peft_model_state_dict

        weights = load_peft_weights(str(folder), device="cpu")
        try:
            outcome: Any = set_peft_model_state_dict(self.adapted, weights)
        except RuntimeError as error:
            raise ModelError(f"{folder} holds an adapter of another shape: {_OTHER_SHAPE}") from error
        if outcome.unexpected_keys:
            raise ModelError(f"{folder} holds an adapter of other layers: {_OTHER_SHAPE}")


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


class _FrozenHead(torch.autograd.Function):
    """Log-probability of one target a row under a frozen output layer, without keeping any logits.

    With p = softmax(W h / t): d log p_y / d h = (W_y - p W) / t and d H / d h = -(p (log p + H)) W / t. Both are
    computed chunk by chunk in the forward pass, so that the backward pass is one product with the incoming gradient:
    two large matrix products where a checkpointed head needs four.
    """

    @staticmethod
    def forward(
        ctx: Any, hidden: Tensor, weight: Tensor, targets: Tensor, temperature: float, with_entropy: bool
    ) -> tuple[Tensor, Tensor]:
        needs_grad = ctx.needs_input_grad[0]
        logprobs, entropies = hidden.new_empty(len(targets)), hidden.new_empty(len(targets))
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


def _states_before(
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
