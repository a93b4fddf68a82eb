"""Attention over a tree of token segments, so that what samples share is computed once.

The G samples of a group share their prompt, and all prompts share their system text and examples. Here a batch is a
tree: the root segment (one row), the groups' prompts (one row each), the completions (one row a sample). Each segment
is run once; a row attends to its own earlier tokens and to the rows above it. Nothing is copied out to the samples,
and since nothing is in place the same code serves the training forward.

Source: the idea of attending to a shared prefix with one matrix product is Juravsky et al. 2024, "Hydragen:
High-Throughput LLM Inference with Shared Prefixes". Deviations: two shared levels instead of one; scores of all
levels go through one softmax instead of being merged by their log-sum-exp, which keeps it differentiable and exact.
Where rows are long (results of a search that were read), the scores would be most of the memory and of the time: there
the levels are laid end to end for each row, and torch's fused attention computes no scores to keep.

It plugs into transformers' attention interface and is handed down through the model's keyword arguments, so any model
whose layers call that interface with full causal attention can use it (Llama, SmolLM2, Qwen2, Qwen3, ...).
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import torch
from torch import Tensor
from torch.utils.checkpoint import checkpoint

from mailgym.core.errors import ModelError

ATTENTION_NAME = "mailgym_tree"
FUSED_TOKENS = 128
"""From so many tokens a row on the fused attention is the faster one (on two cores eight times so at 420 tokens below
590 shared ones; at 46 tokens it takes three times as long)."""


Ids = Sequence[int]
Level = tuple[Tensor, Tensor, Tensor | None]
"""Keys, values and additive mask of one level, for one layer."""


@dataclass(slots=True)
class Segment:
    """Keys and values of one level of the tree, for every layer.

    Attributes:
        keys: One tensor a layer, shape (kv_heads, rows, tokens, head_dim).
        values: The same for the values.
        lengths: Real tokens of each row, shape (rows,); what follows them is padding.
    """

    lengths: Tensor
    keys: list[Tensor] = field(default_factory=list)
    values: list[Tensor] = field(default_factory=list)

    @property
    def rows(self) -> int:
        """Number of rows."""
        return int(self.lengths.shape[0])


class SegmentPass:
    """Runs one new segment below its ancestors; the attention function fills it layer by layer."""

    def __init__(self, root: Segment | None, above: Segment | None, parents: Tensor | None, piece: Tensor) -> None:
        """Prepare the masks of a segment.

        Args:
            root: The segment of one row that all rows share, if any.
            above: The segment between the root and this one, if any.
            parents: For each row its row in ``above``, shape (rows,).
            piece: For each token the number of its piece within its row, -1 for padding, shape (rows, tokens). Tokens
                see earlier tokens of their own piece only.
        """
        tokens = piece.shape[1]
        self.root, self.above, self.parents = root, above, parents
        self.segment = Segment((piece >= 0).sum(-1))
        self._flat_bias: Tensor | None = None
        causal = torch.ones((tokens, tokens), dtype=torch.bool, device=piece.device).tril()
        seen = causal & (piece[:, :, None] == piece[:, None, :])
        self.own_bias = _bias(seen)[None, :, None]
        self.above_bias: Tensor | None = None
        if above is not None and parents is not None:
            columns = torch.arange(above.keys[0].shape[2], device=piece.device)
            real = columns < above.lengths[parents][:, None]
            self.above_bias = None if bool(real.all()) else _bias(real)[None, :, None, None]

    def levels(self, layer: int, keys: Tensor, values: Tensor) -> list[Level]:
        """Store this layer's keys and values; return all levels a query attends to, the root first."""
        self.segment.keys.append(keys)
        self.segment.values.append(values)
        found: list[Level] = []
        if self.root is not None:
            found.append((self.root.keys[layer], self.root.values[layer], None))
        if self.above is not None:
            found.append(
                (self.above.keys[layer][:, self.parents], self.above.values[layer][:, self.parents], self.above_bias)
            )
        return [*found, (keys, values, self.own_bias)]

    def flat_bias(self, levels: Sequence[Level], each: int) -> Tensor:
        """Return the mask over all levels end to end, the same for every layer.

        Shape (rows, 1, each * tokens, keys of all levels): ``each`` heads share one key head, one behind the other.
        """
        if self._flat_bias is None:
            rows, tokens = self.own_bias.shape[1], self.own_bias.shape[3]
            biases = [
                self.own_bias.new_zeros((rows, 1, tokens, keys.shape[2]))
                if bias is None
                else bias[0].expand(rows, 1, tokens, keys.shape[2])
                for keys, _, bias in levels
            ]
            self._flat_bias = torch.cat(biases, dim=-1).repeat(1, 1, each, 1)
        return self._flat_bias


class DecodePass:
    """Runs one token a row; each row's prompt and completion lie in one preallocated buffer."""

    def __init__(self, root: Segment | None, prompts: Segment, parents: Tensor, max_new_tokens: int) -> None:
        """Expand each row's prompt into its buffer and leave room for ``max_new_tokens``.

        Args:
            root: The segment that all rows share, if any.
            prompts: The groups' prompts.
            parents: For each row the row of its prompt, shape (rows,).
            max_new_tokens: Room for the completion.
        """
        self.root = root
        prompt_tokens = prompts.keys[0].shape[2]
        self.keys = [_with_room(layer, parents, max_new_tokens) for layer in prompts.keys]
        self.values = [_with_room(layer, parents, max_new_tokens) for layer in prompts.values]
        columns = torch.arange(prompt_tokens + max_new_tokens, device=parents.device)
        lengths = prompts.lengths[parents]
        self.bias = _bias((columns < lengths[:, None]) | (columns >= prompt_tokens))
        self.filled = prompt_tokens

    def keep_rows(self, rows: Tensor) -> None:
        """Drop all rows but these: finished samples cost nothing more."""
        self.keys = [layer[:, rows] for layer in self.keys]
        self.values = [layer[:, rows] for layer in self.values]
        self.bias = self.bias[rows]

    def levels(self, layer: int, keys: Tensor, values: Tensor) -> list[Level]:
        """Append this layer's new token; return the root and the rows' buffers up to it."""
        end = self.filled + 1
        self.keys[layer][:, :, self.filled : end] = keys
        self.values[layer][:, :, self.filled : end] = values
        bias = self.bias[None, :, None, None, :end]
        own = (self.keys[layer][:, :, :end], self.values[layer][:, :, :end], bias)
        if self.root is None:
            return [own]
        return [(self.root.keys[layer], self.root.values[layer], None), own]

    def advance(self) -> None:
        """Move on to the next column, after all layers have run."""
        self.filled += 1


def tree_attention(
    module: torch.nn.Module,
    query: Tensor,
    key: Tensor,
    value: Tensor,
    attention_mask: Tensor | None,
    scaling: float,
    tree: SegmentPass | DecodePass | None = None,
    **kwargs: Any,
) -> tuple[Tensor, None]:
    """Attend to every level of the tree with one softmax.

    Shapes: query (rows, heads, tokens, head_dim); key and value (rows, kv_heads, tokens, head_dim). A level has as many
    rows as the query, or one that all share: its scores are then one matrix product.

    Returns:
        The attention's output, shape (rows, tokens, heads, head_dim), and no weights.

    Raises:
        ModelError: The model did not hand the tree down, or its layers use a sliding window.
    """
    if tree is None or attention_mask is not None:
        raise ModelError("this model does not hand keyword arguments down to its attention: it cannot be used here")
    if kwargs.get("sliding_window") is not None:
        raise ModelError("models with sliding-window attention are not supported by the native trainer yet")
    rows, heads, tokens, head_dim = query.shape
    kv_heads = key.shape[1]
    queries = (query * scaling).view(rows, kv_heads, heads // kv_heads, tokens, head_dim).transpose(0, 1)
    levels = tree.levels(int(module.layer_idx), key.transpose(0, 1), value.transpose(0, 1))  # type: ignore[arg-type]
    if isinstance(tree, SegmentPass) and tokens >= FUSED_TOKENS:
        output = _attend_fused(queries, levels, tree.flat_bias(levels, heads // kv_heads))
    elif (
        torch.is_grad_enabled()
    ):  # the scores are computed again on the way back: kept, they would be most of the memory
        output = checkpoint(_attend, queries, levels, use_reentrant=False)
    else:
        output = _attend(queries, levels)
    return output.permute(1, 3, 0, 2, 4).reshape(rows, tokens, heads, head_dim), None


def _attend(queries: Tensor, levels: Sequence[Level]) -> Tensor:
    """Attend to all levels; queries and output have shape (kv_heads, rows, heads of each, tokens, head_dim)."""
    kv_heads, rows, each, tokens, head_dim = queries.shape
    scores = []
    for keys, _, bias in levels:
        level = queries.reshape(kv_heads, keys.shape[1], -1, head_dim) @ keys.transpose(-1, -2)
        level = level.view(kv_heads, rows, each, tokens, keys.shape[2])
        scores.append(level if bias is None else level + bias)
    weights = torch.softmax(torch.cat(scores, dim=-1), dim=-1, dtype=torch.float32).to(queries.dtype)
    parts = torch.split(weights, [keys.shape[2] for keys, _, _ in levels], dim=-1)
    output = torch.zeros_like(queries)
    for part, (_, values, _) in zip(parts, levels, strict=True):
        level_rows, level_tokens = values.shape[1], values.shape[2]
        output = output + (part.reshape(kv_heads, level_rows, -1, level_tokens) @ values).view(queries.shape)
    return output


def _attend_fused(queries: Tensor, levels: Sequence[Level], bias: Tensor) -> Tensor:
    """Attend as :func:`_attend` does, over the levels laid end to end; ``bias`` is :meth:`SegmentPass.flat_bias`."""
    kv_heads, rows, each, tokens, head_dim = queries.shape
    keys = torch.cat([keys.expand(-1, rows, -1, -1) for keys, _, _ in levels], dim=2).transpose(0, 1)
    values = torch.cat([values.expand(-1, rows, -1, -1) for _, values, _ in levels], dim=2).transpose(0, 1)
    folded = queries.transpose(0, 1).reshape(rows, kv_heads, each * tokens, head_dim)
    output = torch.nn.functional.scaled_dot_product_attention(
        folded, keys, values, attn_mask=bias.to(queries.dtype), scale=1.0
    )
    return output.view(rows, kv_heads, each, tokens, head_dim).transpose(0, 1)


def register() -> str:
    """Make the tree attention known to transformers and return its name."""
    from transformers import AttentionInterface

    AttentionInterface.register(ATTENTION_NAME, tree_attention)
    return ATTENTION_NAME


def run_segment(
    model: Any,
    rows: Sequence[Sequence[Ids]],
    root: Segment | None = None,
    above: Segment | None = None,
    parents: Sequence[int] | None = None,
) -> tuple[Segment, Tensor]:
    """Run one level of the tree through a model's layers.

    Args:
        model: The inner transformers model (without its head), loaded with :func:`register`'s attention.
        rows: For each row its pieces, each the token ids of one continuation of what is above; pieces of a row do not
            see each other, so that short ones can share a row instead of being padded.
        root: The level that all rows share.
        above: The level between the root and this one.
        parents: For each row its row in ``above``.

    Returns:
        The segment, and the last layer's hidden states, shape (rows, tokens, hidden).
    """
    device = next(model.parameters()).device
    n_tokens = max(sum(len(ids) for ids in pieces) for pieces in rows)
    ids = torch.zeros((len(rows), n_tokens), dtype=torch.long)
    piece = torch.full((len(rows), n_tokens), -1)
    position = torch.zeros((len(rows), n_tokens), dtype=torch.long)
    for row, pieces in enumerate(rows):
        start = 0
        for number, tokens in enumerate(pieces):
            place = slice(start, start + len(tokens))
            ids[row, place] = torch.tensor(tokens, dtype=torch.long)
            piece[row, place] = number
            position[row, place] = torch.arange(len(tokens))
            start += len(tokens)
    ids, piece, position = ids.to(device), piece.to(device), position.to(device)
    if root is not None:
        position = position + root.lengths
    parent_rows = None if parents is None else torch.tensor(parents, device=device)
    if above is not None:
        position = position + above.lengths[parent_rows][:, None]
    tree = SegmentPass(root, above, parent_rows, piece)
    output = model(input_ids=ids, position_ids=position, use_cache=False, tree=tree)
    return tree.segment, output.last_hidden_state


def _bias(seen: Tensor) -> Tensor:
    """Return 0 where a key may be seen and minus infinity elsewhere."""
    return torch.zeros(seen.shape, device=seen.device).masked_fill_(~seen, float("-inf"))


def _with_room(layer: Tensor, parents: Tensor, max_new_tokens: int) -> Tensor:
    kv_heads, _, tokens, head_dim = layer.shape
    buffer = layer.new_empty((kv_heads, parents.shape[0], tokens + max_new_tokens, head_dim))
    buffer[:, :, :tokens] = layer[:, parents]
    return buffer
