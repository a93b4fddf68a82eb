"""A language model small enough to be trained in a test: random weights, one token a byte, a chat template."""

from pathlib import Path
from typing import Any

from mailgym.llm.local import LocalModel, import_torch

TEMPLATE = (
    "{% for message in messages %}<|start|>{{ message['role'] }}\n{{ message['content'] }}<|end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|start|>assistant\n{% endif %}"
)


def tiny_tokenizer(template: str = TEMPLATE) -> Any:
    from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers
    from transformers import PreTrainedTokenizerFast

    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    tokenizer = Tokenizer(models.BPE(vocab={letter: i for i, letter in enumerate(alphabet)}, merges=[]))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    tokenizer.add_special_tokens([AddedToken("<|start|>", special=True), AddedToken("<|end|>", special=True)])
    fast = PreTrainedTokenizerFast(tokenizer_object=tokenizer, eos_token="<|end|>", pad_token="<|end|>")
    fast.chat_template = template
    return fast


def tiny_weights(seed: int = 0, layers: int = 2, width: int = 48, attention: str | None = None) -> Any:
    torch = import_torch()
    from transformers import LlamaConfig, LlamaForCausalLM

    from mailgym.llm.tree import register

    torch.manual_seed(seed)
    tokenizer = tiny_tokenizer()
    config = LlamaConfig(
        vocab_size=len(tokenizer),
        hidden_size=width,
        intermediate_size=2 * width,
        num_hidden_layers=layers,
        num_attention_heads=4,
        num_key_value_heads=2,
        max_position_embeddings=2048,
        tie_word_embeddings=True,
        initializer_range=0.2,
        eos_token_id=tokenizer.eos_token_id,
        bos_token_id=tokenizer.eos_token_id,
        pad_token_id=tokenizer.eos_token_id,
        attn_implementation=attention or register(),
    )
    model = LlamaForCausalLM(config)
    model.requires_grad_(False)
    return model.train(False)


def tiny_model(seed: int = 0) -> LocalModel:
    return LocalModel(tiny_weights(seed), tiny_tokenizer(), "tiny")


def save_tiny_model(folder: Path) -> Path:
    """Write it as ``from_pretrained`` takes it, and return the folder."""
    tiny = tiny_model()
    tiny.model.save_pretrained(folder)
    tiny.tokenizer.save_pretrained(folder)
    return folder
