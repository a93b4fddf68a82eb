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
from mailgym.train.batch import Sample
from mailgym.train.scoring import TokenScores, pack, score_tokens, states_before

_OTHER_SHAPE = "was lora_rank or the model changed since it was written?"


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

    def open_root(self, samples: Sequence[Sample]) -> "Root | None":
        """Run what all prompts share, once for all micro-batches of an update; None when they share nothing."""
        prompts = list(dict.fromkeys(sample.prompt_ids for sample in samples))
        length = common_prefix(prompts)
        if length == 0:
            return None
        return Root(run_segment(self.local.model.base_model, [[prompts[0][:length]]])[0])

    def token_logprobs(
        self, samples: Sequence[Sample], temperature: float, *, entropy: bool = False, root: "Root | None" = None
    ) -> TokenScores:
        """Score the written tokens of every sample; differentiable.

        Args:
            samples: In any order; equal prompts are run once.
            temperature: The one they were drawn at.
            entropy: Whether the entropies are to be differentiable too.
            root: What their prompts share, from :meth:`open_root` of these samples and others; its gradient waits for
                :meth:`Root.backward`. None: what these samples share is run here.

        Raises:
            ModelError: The model's output layer has a bias.
        """
        inner = self.local.model.base_model
        head = self.local.model.get_output_embeddings()
        if getattr(head, "bias", None) is not None:
            raise ModelError("models whose output layer has a bias are not supported by the native trainer")
        prompts = list(dict.fromkeys(sample.prompt_ids for sample in samples))
        if root is not None:
            shared: Segment | None = root.leaf
        else:
            length = common_prefix(prompts)
            shared = run_segment(inner, [[prompts[0][:length]]])[0] if length else None
        done = int(shared.lengths[0]) if shared is not None else 0
        above, prompt_states = run_segment(inner, [[prompt[done:]] for prompt in prompts], shared)
        rows = pack(samples, prompts)
        tails = [[samples[index].tail_ids for index in row.samples] for row in rows]
        _, tail_states = run_segment(inner, tails, shared, above, [row.prompt for row in rows])
        before = states_before(samples, rows, prompt_states, above, tail_states)
        return score_tokens(samples, before, head.weight, temperature, entropy)

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


class Root:
    """The level that all prompts of an update share.

    Every micro-batch attends to ``leaf``, whose keys and values take gradients but lead nowhere; when all have run, the
    sum of what they gave is sent through the root once. So a micro-batch costs no second run of it.
    """

    def __init__(self, segment: Segment) -> None:
        """Cut the graph at the keys and values of ``segment``."""
        self._live = [*segment.keys, *segment.values]
        self.leaf = Segment(
            segment.lengths,
            [keys.detach().requires_grad_() for keys in segment.keys],
            [values.detach().requires_grad_() for values in segment.values],
        )

    @property
    def leaves(self) -> list[Tensor]:
        """What gathers the gradients: the keys and then the values of every layer."""
        return [*self.leaf.keys, *self.leaf.values]

    def backward(self, grads: Sequence[Tensor | None]) -> None:
        """Send what the leaves gathered on through the root; ``grads`` is in the order of :attr:`leaves`."""
        reached = [(live, grad) for live, grad in zip(self._live, grads, strict=True) if grad is not None]
        if reached:
            tensors, gathered = zip(*reached, strict=True)
            torch.autograd.backward(tensors, gathered)
