"""Language models behind an OpenAI-compatible endpoint, by the official SDK."""

import os
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from types import TracebackType
from typing import Any

from mailgym.core.episode import ChatMessage, Failure, ToolCall
from mailgym.core.errors import ConfigError
from mailgym.llm.base import ChatReply, ChatRequest, Sampling
from mailgym.llm.cache import CallCache, call_key

OFFICIAL_URL = "https://api.openai.com/v1"
SEED_BITS = 31


@dataclass(frozen=True, slots=True)
class Price:
    """What an endpoint charges, in US dollars for a million tokens."""

    prompt_usd: float
    completion_usd: float

    def cost_usd(self, prompt_tokens: float, completion_tokens: float) -> float:
        """Return the cost of one call in US dollars."""
        return (prompt_tokens * self.prompt_usd + completion_tokens * self.completion_usd) / 1e6


class RemoteModel:
    """A model behind an OpenAI-compatible endpoint; it answers several requests at once.

    What it does not know: tokens and log-probabilities (replies carry no generation), and its price unless told.
    A request that still fails after its retries gives a reply with a failure; once the endpoint has refused the key or
    the model, the requests that follow in the same call are not sent.

    Attributes:
        takes_tools: That a request's tools are sent in the endpoint's own form. Whether the model behind it knows what
            to do with them shows when it is asked.
    """

    takes_tools = True

    def __init__(
        self,
        model: str,
        base_url: str | None = None,
        api_key: str | None = None,
        *,
        timeout_s: float = 60.0,
        retries: int = 4,
        concurrency: int = 8,
        cache: CallCache | None = None,
        price: Price | None = None,
    ) -> None:
        """Open the client; nothing is sent yet.

        Args:
            model: The model's name at the endpoint.
            base_url: The endpoint; None reads ``OPENAI_BASE_URL``, else the official one.
            api_key: The key; None reads ``OPENAI_API_KEY``. Other endpoints than the official one need none.
            timeout_s: Longest wait for one reply, for each try.
            retries: Tries after the first one: on time-outs, broken connections, status 408, 409, 429 and 5xx, with
                growing pauses or the one the endpoint asks for.
            concurrency: Most requests in flight at once.
            cache: Where replies are kept; None keeps none.
            price: For the cost in each reply's usage; None leaves the cost out.

        Raises:
            ConfigError: There is no key for the official endpoint, or a number is out of range.
        """
        if timeout_s <= 0 or retries < 0 or concurrency < 1:
            raise ConfigError("a remote model needs timeout_s > 0, retries >= 0 and concurrency >= 1")
        self.endpoint = (base_url or os.environ.get("OPENAI_BASE_URL") or OFFICIAL_URL).rstrip("/")
        key = api_key or os.environ.get("OPENAI_API_KEY")
        if not key and self.endpoint == OFFICIAL_URL:
            raise ConfigError(
                f"the model {model!r} at {OFFICIAL_URL} needs a key: set OPENAI_API_KEY, or set OPENAI_BASE_URL to"
                " another OpenAI-compatible endpoint"
            )
        import openai

        self._model = model
        self._concurrency = concurrency
        self._cache = cache
        self._price = price
        self._tokens_field = "max_tokens"
        self._client: Any = openai.OpenAI(
            api_key=key or "none", base_url=self.endpoint, timeout=timeout_s, max_retries=retries
        )

    @property
    def name(self) -> str:
        """The name shown in tables."""
        return self._model

    def __enter__(self) -> "RemoteModel":
        """Return the model itself."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close connections and cache."""
        self.close()

    def close(self) -> None:
        """Close the connections, and the cache."""
        self._client.close()
        if self._cache is not None:
            self._cache.close()

    def chat(self, requests: Sequence[ChatRequest], sampling: Sampling) -> list[ChatReply]:
        """Answer every request, in order, several at once."""
        if not requests:
            return []
        refusal = _Refusal()
        pool = ThreadPoolExecutor(min(self._concurrency, len(requests)), thread_name_prefix="remote-model")
        try:
            return list(pool.map(lambda request: self._answer(request, sampling, refusal), requests))
        finally:
            pool.shutdown(wait=True, cancel_futures=True)

    def _answer(self, request: ChatRequest, sampling: Sampling, refusal: "_Refusal") -> ChatReply:
        key = call_key(self.endpoint, self._model, request, sampling)
        if self._cache is not None and (kept := self._cache.get(key)) is not None:
            return kept
        if refusal.reason:
            return _failed(refusal.reason)
        import openai

        try:
            reply = self._read(self._send(request, sampling))
        except (openai.AuthenticationError, openai.PermissionDeniedError, openai.NotFoundError) as error:
            refusal.reason = self._explain(error)
            return _failed(refusal.reason)
        except (openai.OpenAIError, ValueError, TypeError, AttributeError) as error:
            # The SDK lets a body that is no JSON, or JSON of another shape, through as these.
            return _failed(self._explain(error))
        if self._cache is not None:
            self._cache.put(key, self._model, reply)
        return reply

    def _send(self, request: ChatRequest, sampling: Sampling) -> Any:
        import openai

        call: dict[str, Any] = {
            "model": self._model,
            "messages": [_as_sent(message) for message in request.messages],
            "temperature": sampling.temperature,
            "seed": request.seed % (1 << SEED_BITS),
        }
        if request.tools:
            call["tools"] = [{"type": "function", "function": asdict(tool)} for tool in request.tools]
        field = self._tokens_field
        try:
            return self._client.chat.completions.create(**call, **{field: sampling.max_tokens})
        except openai.BadRequestError as error:
            # Newer models at the official endpoint know the limit by another name.
            if field == "max_tokens" and "max_completion_tokens" in str(error):
                self._tokens_field = "max_completion_tokens"
                return self._client.chat.completions.create(**call, max_completion_tokens=sampling.max_tokens)
            raise

    def _read(self, answer: Any) -> ChatReply:
        usage: dict[str, float] = {}
        if getattr(answer, "usage", None) is not None:
            usage["prompt_tokens"] = float(answer.usage.prompt_tokens or 0)
            usage["completion_tokens"] = float(answer.usage.completion_tokens or 0)
            if self._price is not None:
                usage["cost_usd"] = self._price.cost_usd(usage["prompt_tokens"], usage["completion_tokens"])
        choices = getattr(answer, "choices", None)
        if not choices or choices[0].message is None:
            return _failed(f"{self.endpoint} answered without a choice: is it an OpenAI-compatible endpoint?")
        message = choices[0].message
        text = message.content or getattr(message, "refusal", None) or ""
        return ChatReply(text=text, usage=usage, calls=_calls_of(message))

    def _explain(self, error: Any) -> str:
        import openai

        reasons: list[tuple[Any, str]] = [
            (openai.APITimeoutError, "did not answer in time: raise the time-out, or lower the concurrency"),
            (
                openai.APIConnectionError,
                f"cannot be reached ({error.__cause__ or error}): check OPENAI_BASE_URL and the network",
            ),
            (
                (openai.AuthenticationError, openai.PermissionDeniedError),
                f"refused the key (status {getattr(error, 'status_code', '')}): check OPENAI_API_KEY",
            ),
            (openai.NotFoundError, "does not exist (status 404): check the model's name and OPENAI_BASE_URL"),
            (openai.RateLimitError, "is over its rate limit or quota (status 429): wait, or lower the concurrency"),
            (openai.BadRequestError, f"refused the request (status 400): {error}{_tools_hint(error)}"),
            (openai.APIStatusError, f"failed with status {getattr(error, 'status_code', '')}: {error}"),
        ]
        unreadable = f"gave an answer that cannot be read ({error}): is it an OpenAI-compatible endpoint?"
        reason = next((text for kinds, text in reasons if isinstance(error, kinds)), unreadable)
        return f"{self._model} at {self.endpoint} {reason}"


def _as_sent(message: ChatMessage) -> dict[str, Any]:
    """Return a chat message in the endpoint's form."""
    sent: dict[str, Any] = {"role": message.role, "content": message.content}
    if message.calls:
        sent["tool_calls"] = [
            {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.arguments}}
            for call in message.calls
        ]
    if message.call_id:
        sent["tool_call_id"] = message.call_id
    return sent


def _tools_hint(error: Any) -> str:
    return "; if it takes no tools, add  --tool-calls text" if "tool" in str(error).lower() else ""


def _calls_of(message: Any) -> tuple[ToolCall, ...]:
    """Return the calls of functions in an endpoint's answer."""
    called = [call for call in getattr(message, "tool_calls", None) or () if getattr(call, "function", None)]
    return tuple(ToolCall(str(call.id), str(call.function.name), str(call.function.arguments)) for call in called)


class _Refusal:
    """Why the endpoint refuses every request, once it has done so."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._reason = ""

    @property
    def reason(self) -> str:
        with self._lock:
            return self._reason

    @reason.setter
    def reason(self, text: str) -> None:
        with self._lock:
            self._reason = text


def _failed(message: str) -> ChatReply:
    return ChatReply(text="", failure=Failure("model", message))
