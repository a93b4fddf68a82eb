"""What every language model looks like from here: remote, local or scripted."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from mailgym.core.episode import ChatMessage, Failure, Generation, ToolCall

OUT_OF_TOKENS = "out_of_tokens"
"""Stop reason of an episode whose conversation has no room for another turn."""


@dataclass(frozen=True, slots=True)
class Sampling:
    """How to draw a completion.

    Attributes:
        temperature: 0 is greedy.
        max_tokens: Most tokens of one completion.
        max_episode_tokens: Most tokens of a whole conversation, read and written, on a local model; None for as many
            as the model can read.
    """

    temperature: float = 0.0
    max_tokens: int = 256
    max_episode_tokens: int | None = None


@dataclass(frozen=True, slots=True)
class ToolSpec:
    """A tool as an endpoint is told of it.

    Attributes:
        name: What the model calls it.
        description: What it does.
        parameters: JSON schema of its arguments.
    """

    name: str
    description: str
    parameters: dict[str, Any]


@dataclass(frozen=True, slots=True)
class ChatRequest:
    """One completion that is asked for.

    Attributes:
        messages: The whole conversation so far, oldest first.
        seed: Seed of this completion's randomness; the same draws whatever else is asked at once.
        previous: The model's last turn in this conversation, with exact tokens, when it came from a local model;
            ``new_messages`` are then the chat messages since that turn, and nothing before is tokenised again.
        new_messages: Chat messages that follow ``previous``.
        tools: What the model may call in its endpoint's own form. Only models whose ``takes_tools`` is true know it.
    """

    messages: tuple[ChatMessage, ...]
    seed: int = 0
    previous: Generation | None = None
    new_messages: tuple[ChatMessage, ...] = ()
    tools: tuple[ToolSpec, ...] = ()


@dataclass(frozen=True, slots=True)
class ChatReply:
    """One completion, or why there is none.

    Attributes:
        text: What the model wrote; it may be empty beside calls.
        generation: Exact tokens, from local models only.
        usage: Token counts and cost where known.
        failure: Why there is no completion.
        calls: Calls of the request's tools, in the endpoint's own form.
        stop_reason: Set where a conversation that went on so far has no room for another completion.
    """

    text: str
    generation: Generation | None = None
    usage: dict[str, float] = field(default_factory=dict)
    failure: Failure | None = None
    calls: tuple[ToolCall, ...] = ()
    stop_reason: str | None = None


class ChatModel(Protocol):
    """A language model that answers many requests at once."""

    @property
    def name(self) -> str:
        """The name shown in tables."""
        ...

    def chat(self, requests: Sequence[ChatRequest], sampling: Sampling) -> list[ChatReply]:
        """Answer every request, in order. A request that fails gives a reply with ``failure`` set."""
        ...
