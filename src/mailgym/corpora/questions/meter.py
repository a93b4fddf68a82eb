"""Counts what the calls of a model come to."""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any

from mailgym.llm.base import ChatModel, ChatReply, ChatRequest, Sampling
from mailgym.llm.remote import Price


@dataclass(slots=True)
class Usage:
    """Calls and what they used; replies out of the cache count as ``cached`` and use nothing.

    Attributes:
        calls: Calls that the model answered.
        cached: Calls answered out of the cache.
        failed: Calls that failed.
        prompt_tokens: Tokens read.
        completion_tokens: Tokens written.
        cost_usd: What they cost by the price given or by the replies' own word; 0 where ``priced`` is 0.
        priced: Calls whose cost is known.
    """

    calls: int = 0
    cached: int = 0
    failed: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost_usd: float = 0.0
    priced: int = 0

    def add(self, other: "Usage") -> None:
        """Add what others used."""
        for field in fields(self):
            setattr(self, field.name, getattr(self, field.name) + getattr(other, field.name))

    def to_json(self) -> dict[str, Any]:
        """Return it as plain data; the cost is None where calls have none that is known."""
        data = {field.name: getattr(self, field.name) for field in fields(self)}
        return {**data, "cost_usd": round(self.cost_usd, 6) if self.priced == self.calls else None}


class Metered:
    """A model whose use is counted.

    Attributes:
        usage: What was used since it was last taken.
        last_failure: Why a call failed last, empty while none did.
    """

    def __init__(self, model: ChatModel, price: Price | None = None) -> None:
        """Count the calls of ``model``; without a price the cost is what its replies say."""
        self._model = model
        self._price = price
        self.usage = Usage()
        self.last_failure = ""

    @property
    def name(self) -> str:
        """The model's name."""
        return self._model.name

    def chat(self, requests: Sequence[ChatRequest], sampling: Sampling) -> list[ChatReply]:
        """Let the model answer, and count."""
        replies = self._model.chat(requests, sampling) if requests else []
        for reply in replies:
            self._count(reply)
        return replies

    def take(self) -> Usage:
        """Return what was used since the last time, and begin anew."""
        taken, self.usage = self.usage, Usage()
        return taken

    def _count(self, reply: ChatReply) -> None:
        usage = self.usage
        if reply.failure is not None:
            usage.failed += 1
            self.last_failure = reply.failure.message
            return
        if reply.usage.get("cached"):
            usage.cached += 1
            return
        read, written = reply.usage.get("prompt_tokens", 0.0), reply.usage.get("completion_tokens", 0.0)
        usage.calls += 1
        usage.prompt_tokens += int(read)
        usage.completion_tokens += int(written)
        cost = reply.usage.get("cost_usd")
        if self._price is not None and "prompt_tokens" in reply.usage:
            cost = self._price.cost_usd(read, written)
        if cost is not None:
            usage.cost_usd += cost
            usage.priced += 1
