"""The model that is trained: LoRA adapters over a local model, scored over the prefix tree."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from mailgym.core.errors import ModelError
from mailgym.llm.generate import common_prefix
from mailgym.llm.local import LocalModel, quiet_peft
from mailgym.llm.tree import Segment, run_segment
from mailgym.train.batch import Sample, arrange

_OTHER_SHAPE = "was lora_rank or the model changed since it was written?"
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
            samples: Samples of one prompt must be neighbours (see :func:`mailgym.train.batch.arrange`).
            temperature: The one they were drawn at.
            entropy: Whether the entropies are to be differentiable too.
        """
        parents, tails = self._run_tree(samples)
        before = torch.cat([parents[:, None], tails[:, :-1]], dim=1)  # the state each tail token was predicted from
        n_tokens = tails.shape[1]
        written = torch.zeros((len(samples), n_tokens), dtype=torch.bool)
        targets = torch.zeros((len(samples), n_tokens), dtype=torch.long)
        for row, sample in enumerate(samples):
            length = len(sample.tail_ids)
            written[row, :length] = torch.tensor(sample.written)
            targets[row, :length] = torch.tensor(sample.tail_ids)
        written, targets = written.to(tails.device), targets.to(tails.device)
        head = self.local.model.get_output_embeddings()
        if getattr(head, "bias", None) is not None:
            raise ModelError("models whose output layer has a bias are not supported by the native trainer")
        logprobs, entropies = _FrozenHead.apply(  # type: ignore[no-untyped-call]
            before[written], head.weight, targets[written], float(temperature), entropy
        )
        return TokenScores(written, logprobs, entropies)

    def _run_tree(self, samples: Sequence[Sample]) -> tuple[Tensor, Tensor]:
        """Run root, prompts and tails; return each sample's last prompt state and its tail states."""
        inner = self.local.model.base_model
        prompts, rows_per_prompt = _prompt_rows(samples)
        root_length = common_prefix(prompts)
        ancestors: list[Segment] = []
        if root_length:
            ancestors.append(run_segment(inner, [], [prompts[0][:root_length]])[0])
        segment, hidden = run_segment(inner, ancestors, [prompt[root_length:] for prompt in prompts])
        last = hidden[torch.arange(len(prompts), device=hidden.device), segment.lengths - 1]
        _, tails = run_segment(inner, [*ancestors, segment], [sample.tail_ids for sample in samples])
        return last.repeat_interleave(rows_per_prompt, dim=0), tails

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


def _prompt_rows(samples: Sequence[Sample]) -> tuple[list[tuple[int, ...]], int]:
    """One row a distinct prompt where all groups are of one size, else one row a sample."""
    groups = arrange(samples)
    sizes = {len(group) for group in groups}
    if len(sizes) == 1:
        return [group[0].prompt_ids for group in groups], sizes.pop()
    return [sample.prompt_ids for sample in samples], 1
