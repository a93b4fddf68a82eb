"""A language model on this machine: transformers weights, exact tokens, batched over shared prompts."""

import os
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from mailgym.core.episode import ChatMessage, Failure, Generation
from mailgym.core.errors import MissingExtra, ModelError, ModelNotFound
from mailgym.llm.base import OUT_OF_TOKENS, ChatReply, ChatRequest, Sampling
from mailgym.llm.memory import share_one_heap

Ids = tuple[int, ...]

STAND_IN = "xqstandinqx"
"""What the model says in a conversation that is rendered only to see what a chat template puts around its turns."""

# OpenMP threads that spin while they wait cost more than the work on shared cores. Read when torch is first imported.
QUIET_THREADS = {"OMP_WAIT_POLICY": "PASSIVE", "GOMP_SPINCOUNT": "0"}


def import_torch() -> Any:
    """Import torch with waiting threads set to sleep and one heap for all threads.

    Raises:
        MissingExtra: torch is not installed.
    """
    for name, value in QUIET_THREADS.items():
        os.environ.setdefault(name, value)
    share_one_heap()
    try:
        import torch
        import transformers  # noqa: F401
    except ImportError as error:
        raise MissingExtra(error.name or "torch", "train") from error
    return torch


@contextmanager
def quiet_peft() -> Iterator[None]:
    """Silence one warning: peft asks transformers for a property that transformers has renamed."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "`is_gradient_checkpointing`", FutureWarning)
        yield


class LocalModel:
    """A causal language model with its tokenizer, in memory.

    Attributes:
        model: The transformers model, with the tree attention.
        tokenizer: Its tokenizer; the chat template is the model's own.
        end_ids: Tokens that end a turn.
        max_rows: Most completions run at once.
    """

    def __init__(self, model: Any, tokenizer: Any, name: str, max_rows: int = 64) -> None:
        """Wrap a model loaded with the tree attention; use :meth:`load` for one on disk."""
        self.model = model
        self.tokenizer = tokenizer
        self._name = name
        self.max_rows = max_rows
        self.end_ids = _end_ids(model, tokenizer)
        added = [str(token) for token in tokenizer.added_tokens_decoder.values()]
        self._special_tokens = sorted({*added, *tokenizer.all_special_tokens}, key=len, reverse=True)

    @property
    def name(self) -> str:
        """The name shown in tables."""
        return self._name

    @classmethod
    def load(
        cls,
        path: str | Path,
        adapter: Path | None = None,
        threads: int | None = None,
        device: str | None = None,
        name: str | None = None,
    ) -> "LocalModel":
        """Load weights from a folder (or a hub id), and a LoRA adapter over them.

        Args:
            path: A transformers folder, or a hub id.
            adapter: A peft folder whose weights are merged into the model.
            threads: Threads for torch; None leaves torch's own choice.
            device: ``cpu``, ``cuda`` ...; None takes the GPU if there is one.
            name: The name shown in tables.

        Raises:
            ModelNotFound: There is no such model, or its files are damaged.
            MissingExtra: torch or transformers is not installed.
        """
        torch = import_torch()
        from transformers import AutoModelForCausalLM, AutoTokenizer

        from mailgym.llm.tree import register

        if threads is not None:
            torch.set_num_threads(threads)
        device = device or ("cuda" if torch.cuda.is_available() else "cpu")
        try:
            tokenizer = AutoTokenizer.from_pretrained(str(path))
            dtype = torch.float32 if device == "cpu" else "auto"
            model: Any = AutoModelForCausalLM.from_pretrained(str(path), dtype=dtype, attn_implementation=register())
        except (OSError, ValueError, KeyError) as error:
            first_line = str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
            raise ModelNotFound(
                f"no model could be loaded from {path} ({first_line}): name a folder with safetensors weights and a "
                "tokenizer, or fetch the embedded model with  mailgym model fetch"
            ) from error
        if adapter is not None:
            model = _merge_adapter(model, adapter)
        model.requires_grad_(False)
        model.train(False)
        model.to(device)
        return cls(model, tokenizer, name or Path(str(path)).name)

    def opening_ids(self, messages: Sequence[ChatMessage]) -> Ids:
        """Token ids of a conversation by the model's chat template, ending where the model's turn begins."""
        text = self._template(messages, add_generation_prompt=True)
        return tuple(self.tokenizer(text, add_special_tokens=False)["input_ids"])

    def continued_ids(self, previous: Generation, new_messages: Sequence[ChatMessage]) -> Ids:
        """Token ids of the next prompt: the exact earlier tokens, then the new chat messages.

        Nothing the model wrote is tokenised again, and no earlier turn is rendered again: where a template writes
        earlier turns otherwise than the last one (Qwen3 drops their reasoning), the conversation goes on with what was
        written. What stands between its end token and the next turn is what the template puts behind a stand-in turn.

        Raises:
            ModelError: The template does not close a turn with the model's end token.
        """
        end_text, following = self._after_turn(new_messages)
        if end_text is None:
            raise ModelError("this model's chat template does not close its turns: it can only play one-turn tasks")
        tail = tuple(self.tokenizer(following, add_special_tokens=False)["input_ids"])
        if not previous.finished:
            tail = (*self.tokenizer(end_text, add_special_tokens=False)["input_ids"], *tail)
        return (*previous.prompt_ids, *previous.completion_ids, *tail)

    def written_ids(self, text: str) -> Ids:
        """Token ids of a turn of the model that says ``text``: the text's, and the token that ends the turn.

        What the tokenizer would read as a special token is broken, as in every chat message.
        """
        end_text, _ = self._after_turn(())
        said = self.tokenizer(self._harmless(text), add_special_tokens=False)["input_ids"]
        if end_text is None:
            return (*said, min(self.end_ids))
        return (*said, *self.tokenizer(end_text, add_special_tokens=False)["input_ids"])

    def _after_turn(self, new_messages: Sequence[ChatMessage]) -> tuple[str | None, str]:
        """Render what follows a turn of the model: its end token's text, and what stands from there to its next turn.

        The end token's text is None where the template puts none behind the turn.
        """
        chat = [ChatMessage("user", "u"), ChatMessage("assistant", STAND_IN), *new_messages]
        text = self._template(chat, add_generation_prompt=bool(new_messages)).partition(STAND_IN)[2]
        ends = [self.tokenizer.decode([end]) for end in self.end_ids]
        places = sorted((text.index(end), -len(end), end) for end in ends if end and end in text)
        if not places or text[: places[0][0]].strip():
            return None, ""
        place, _, end_text = places[0]
        return end_text, text[place + len(end_text) :]

    def prompt_ids(self, request: ChatRequest) -> Ids:
        """Token ids of the prompt of one request."""
        if request.previous is not None:
            return self.continued_ids(request.previous, request.new_messages)
        return self.opening_ids(request.messages)

    def chat(self, requests: Sequence[ChatRequest], sampling: Sampling) -> list[ChatReply]:
        """Answer every request; see :class:`mailgym.llm.base.ChatModel`."""
        from mailgym.llm.generate import generate

        prompts = [self._prompt_or_end(request, sampling) for request in requests]
        fitting = [
            (ids, request.seed)
            for ids, request in zip(prompts, requests, strict=True)
            if not isinstance(ids, ChatReply)
        ]
        made: list[Generation] = []
        if fitting:
            ids_of, seeds = zip(*fitting, strict=True)
            made = generate(self.model, ids_of, seeds, sampling, self.end_ids, self.max_rows)
        generations = iter(made)
        return [ids if isinstance(ids, ChatReply) else self._reply(next(generations)) for ids in prompts]

    def max_episode_tokens(self, sampling: Sampling) -> int | None:
        """Return the most tokens a conversation may have: the asked limit or the model's own; None for no limit."""
        limits = (sampling.max_episode_tokens, getattr(self.model.config, "max_position_embeddings", None))
        return min((limit for limit in limits if limit is not None), default=None)

    def _prompt_or_end(self, request: ChatRequest, sampling: Sampling) -> Ids | ChatReply:
        """Return the prompt, or the reply that there is none.

        A conversation that went on until there was no room for a whole turn is out of tokens; an opening that leaves no
        room for the first one is a failure.
        """
        try:
            ids = self.prompt_ids(request)
        except ModelError as error:
            return ChatReply("", failure=Failure("model", str(error)))
        limit = self.max_episode_tokens(sampling)
        if limit is None or len(ids) + sampling.max_tokens <= limit:
            return ids
        if request.previous is not None:
            return ChatReply("", stop_reason=OUT_OF_TOKENS)
        text = (
            f"a prompt of {len(ids)} tokens and {sampling.max_tokens} new ones exceed the limit of {limit}: allow "
            "fewer new tokens, or a longer episode where the model can read it"
        )
        return ChatReply("", failure=Failure("model", text))

    def _reply(self, generation: Generation) -> ChatReply:
        usage = {
            "prompt_tokens": float(len(generation.prompt_ids)),
            "completion_tokens": float(len(generation.completion_ids)),
        }
        return ChatReply(self.text_of(generation), generation, usage)

    def text_of(self, generation: Generation) -> str:
        """Return what a turn says, without its end token."""
        written = generation.completion_ids[:-1] if generation.finished else generation.completion_ids
        return str(self.tokenizer.decode(list(written), skip_special_tokens=False))

    def _harmless(self, content: str) -> str:
        """Break what the tokenizer would read as a special token, so that no mail can open or end a chat turn."""
        content = content.encode("utf-8", errors="replace").decode("utf-8")
        for token in self._special_tokens:
            content = content.replace(token, f"{token[0]} {token[1:]}")
        return content

    def _template(self, messages: Sequence[ChatMessage], add_generation_prompt: bool) -> str:
        chat = [{"role": message.role, "content": self._harmless(message.content)} for message in messages]
        text = self.tokenizer.apply_chat_template(chat, tokenize=False, add_generation_prompt=add_generation_prompt)
        return str(text)


def _end_ids(model: Any, tokenizer: Any) -> frozenset[int]:
    ids: set[int] = set()
    for value in (tokenizer.eos_token_id, getattr(model.generation_config, "eos_token_id", None)):
        if isinstance(value, int):
            ids.add(value)
        elif value is not None:
            ids.update(value)
    if not ids:
        raise ModelError("this model names no end-of-turn token: set eos_token in its tokenizer_config.json")
    return frozenset(ids)


def _merge_adapter(model: Any, adapter: Path) -> Any:
    try:
        from peft import PeftModel
    except ImportError as error:
        raise MissingExtra("peft", "train") from error
    if not (adapter / "adapter_config.json").exists():
        raise ModelNotFound(f"{adapter} holds no adapter (adapter_config.json is missing)")
    with quiet_peft():
        return PeftModel.from_pretrained(model, str(adapter)).merge_and_unload()
