"""Asks a language model for JSON of one shape: many questions at once, retries, replies kept on disk.

What the judges have in common. What fails is a value: never an exception, and never a "no". The texts that are judged
were written by others, mail and models: :func:`as_data` makes one line of each that holds no mark of a prompt.
"""

import json
import re
import unicodedata
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import Generic, TypeVar

from pydantic import BaseModel, ValidationError

from mailgym.core.episode import ChatMessage, Failure
from mailgym.core.errors import ConfigError, ModelError
from mailgym.llm.base import ChatModel, ChatReply, ChatRequest, Sampling
from mailgym.llm.cache import CallCache, call_key

T = TypeVar("T")
ShapeT = TypeVar("ShapeT", bound=BaseModel)
Chat = tuple[ChatMessage, ...]

MOST_REPLY_CHARACTERS = 2_000
_ANGLES = str.maketrans(dict.fromkeys("<〈⟨❮❰⧼⩽≺﹤＜«《˂ᐸ", "‹") | dict.fromkeys(">〉⟩❯❱⧽⩾≻﹥＞»》˃ᐳ", "›"))
_FENCE = re.compile(r"\A```(?:json)?\s*\n(.*?)\n?```\Z", re.DOTALL)


@dataclass(slots=True)
class Tally:
    """What asking took so far.

    Attributes:
        asked: Questions put.
        calls: Calls to the model, retries included.
        retries: Calls that followed a reply of another shape.
        kept: Questions answered from the disk, without a call.
        failed: Questions left without an answer.
        prompt_tokens: Tokens sent, where the model tells.
        completion_tokens: Tokens received, where the model tells.
        cost_usd: Cost in US dollars, where the model knows its price.
    """

    asked: int = 0
    calls: int = 0
    retries: int = 0
    kept: int = 0
    failed: int = 0
    prompt_tokens: float = 0.0
    completion_tokens: float = 0.0
    cost_usd: float = 0.0

    def add_reply(self, reply: ChatReply) -> None:
        """Count one reply's tokens and cost."""
        self.prompt_tokens += reply.usage.get("prompt_tokens", 0.0)
        self.completion_tokens += reply.usage.get("completion_tokens", 0.0)
        self.cost_usd += reply.usage.get("cost_usd", 0.0)


@dataclass(slots=True)
class _Open(Generic[T]):
    """One question on its way to an answer."""

    first: Chat
    read: Callable[[str], T]
    key: str
    chat: Chat
    answer: T | Failure | None = None


@dataclass(slots=True)
class Asking:
    """A model that is asked for JSON.

    Attributes:
        model: The model.
        cache: File in which replies of the right shape are kept, None keeps none. The key is everything that decides
            a reply: endpoint, model, the whole prompt, sampling and seed.
        tries: Most calls for one question: each after the first is told what was wrong with the reply before it.
        batch: Most questions in one call of the model.
        sampling: How replies are drawn.
        tally: What it took so far.
    """

    model: ChatModel
    cache: Path | None = None
    tries: int = 3
    batch: int = 64
    sampling: Sampling = field(default_factory=lambda: Sampling(temperature=0.0, max_tokens=300))
    tally: Tally = field(default_factory=Tally)

    def __post_init__(self) -> None:
        """Check the numbers.

        Raises:
            ConfigError: A number is out of range.
        """
        if self.tries < 1 or self.batch < 1:
            raise ConfigError("asking a model needs tries >= 1 and batch >= 1")

    def ask(self, chats: Sequence[Chat], readers: Sequence[Callable[[str], T]]) -> list[T | Failure]:
        """Return an answer for every prompt, in order, or why there is none.

        Args:
            chats: The prompts.
            readers: For each prompt, what makes an answer of the reply's text; it raises ValueError with what is wrong.

        Raises:
            UserError: The cache cannot be used.
        """
        self.tally.asked += len(chats)
        opened = [_Open(chat, read, self._key(chat), chat) for chat, read in zip(chats, readers, strict=True)]
        with CallCache(self.cache) if self.cache is not None else nullcontext() as cache:
            if cache is not None:
                self._from_disk(cache, opened)
            for attempt in range(self.tries):
                waiting = [item for item in opened if item.answer is None]
                for start in range(0, len(waiting), self.batch):
                    self._round(waiting[start : start + self.batch], attempt, cache)
        answers: list[T | Failure] = []
        for item in opened:
            answer = item.answer
            if answer is None:
                answer = Failure("judge", f"{self.model.name} gave no answer of the right shape in {self.tries} tries")
            self.tally.failed += isinstance(answer, Failure)
            answers.append(answer)
        return answers

    def _key(self, chat: Chat) -> str:
        endpoint = str(getattr(self.model, "endpoint", ""))
        return call_key(endpoint, self.model.name, ChatRequest(chat), self.sampling)

    def _from_disk(self, cache: CallCache, opened: Sequence[_Open[T]]) -> None:
        for item in opened:
            reply = cache.get(item.key)
            if reply is None:
                continue
            try:
                item.answer = item.read(reply.text)
            except ValueError:  # kept by a version that asked for another shape
                continue
            self.tally.kept += 1

    def _round(self, items: Sequence[_Open[T]], attempt: int, cache: CallCache | None) -> None:
        requests = [ChatRequest(item.chat, seed=attempt) for item in items]
        self.tally.calls += len(requests)
        self.tally.retries += len(requests) if attempt else 0
        try:
            replies = self.model.chat(requests, self.sampling)
        except ModelError as error:
            replies = [ChatReply("", failure=Failure("model", str(error))) for _ in requests]
        for item, reply in zip(items, replies, strict=True):
            self.tally.add_reply(reply)
            if reply.failure is not None:
                item.answer = Failure("judge", reply.failure.message)
                continue
            try:
                item.answer = item.read(reply.text)
            except ValueError as error:
                item.chat = (*item.first, *_told_what_was_wrong(reply.text, str(error)))
                continue
            if cache is not None:
                cache.put(item.key, self.model.name, reply)


def _told_what_was_wrong(text: str, wrong: str) -> Chat:
    again = f"That reply cannot be used: {wrong[:400]}. Write the JSON object again, and nothing else."
    return ChatMessage("assistant", text[:MOST_REPLY_CHARACTERS]), ChatMessage("user", again)


def read_json(text: str, shape: type[ShapeT]) -> ShapeT:
    """Read a reply that is one JSON object, alone or in one code fence.

    An object inside other text is not taken: it may be quoted from what is judged.

    Raises:
        ValueError: It is not, or has another shape; the text says what is wrong.
    """
    bare = text.strip()
    fenced = _FENCE.match(bare)
    try:
        data = json.loads(fenced[1] if fenced else bare)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"it is not one JSON object ({error})") from error
    try:
        return shape.model_validate(data, strict=True)
    except ValidationError as error:
        found = error.errors(include_url=False, include_input=False)[:3]
        wrong = "; ".join(f"{'.'.join(map(str, problem['loc'])) or 'object'}: {problem['msg']}" for problem in found)
        raise ValueError(wrong) from error


def as_data(text: str, most_characters: int) -> str:
    """Return a text as one line that can stand between marks: no angle brackets, no line breaks, nothing invisible.

    Marks of prompts and of chat templates are made of angle brackets; theirs and every look-alike become ‹ and ›.
    """
    visible = "".join(
        " " if unicodedata.category(sign) in ("Cc", "Zl", "Zp", "Zs") else sign
        for sign in unicodedata.normalize("NFKC", text[: 4 * most_characters].translate(_ANGLES))
        if unicodedata.category(sign) not in ("Cf", "Co", "Cs", "Cn")
    )
    line = " ".join(visible.translate(_ANGLES).split())
    return (
        line if len(line) <= most_characters and len(text) <= 4 * most_characters else f"{line[:most_characters]} ‹cut›"
    )
