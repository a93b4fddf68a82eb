"""A model that says what it was told to say: for tests, and for examples that need no weights."""

import threading
from collections.abc import Callable, Sequence

from mailgym.core.episode import Failure
from mailgym.core.errors import ModelError
from mailgym.llm.base import ChatReply, ChatRequest, Sampling

Scripted = str | ChatReply | Failure


class ScriptedModel:
    """Answers from a list, in order, or from a function of the request.

    Attributes:
        requests: Every request it was asked, in order.
    """

    def __init__(self, script: Sequence[Scripted] | Callable[[ChatRequest], Scripted], name: str = "scripted") -> None:
        """Take the script: texts, whole replies or failures, or a function that returns one of them."""
        self._script = script
        self._name = name
        self._lock = threading.Lock()
        self.requests: list[ChatRequest] = []

    @property
    def name(self) -> str:
        """The name shown in tables."""
        return self._name

    def chat(self, requests: Sequence[ChatRequest], sampling: Sampling) -> list[ChatReply]:  # noqa: ARG002
        """Answer every request from the script; the sampling changes nothing.

        Raises:
            ModelError: The list has no line left for a request.
        """
        with self._lock:
            return [self._answer(request) for request in requests]

    def _answer(self, request: ChatRequest) -> ChatReply:
        said = self._next(request)
        self.requests.append(request)
        if isinstance(said, str):
            return ChatReply(text=said)
        if isinstance(said, Failure):
            return ChatReply(text="", failure=said)
        return said

    def _next(self, request: ChatRequest) -> Scripted:
        if callable(self._script):
            return self._script(request)
        if len(self.requests) >= len(self._script):
            raise ModelError(
                f"the scripted model {self._name!r} has {len(self._script)} lines and was asked for one more:"
                " give it a longer script, or a function"
            )
        return self._script[len(self.requests)]
