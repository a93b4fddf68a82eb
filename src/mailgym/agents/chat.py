"""An agent that is a language model behind an environment's prompt."""

import json
from collections.abc import Mapping, Sequence
from typing import Any, Never, cast

from pydantic import BaseModel

from mailgym.core.episode import Action, ChatMessage, Decision, MalformedAction, Step, ToolCall, Turn, is_deeper
from mailgym.core.protocols import NativePrompt, Prompt
from mailgym.llm.base import ChatModel, ChatReply, ChatRequest, Sampling, ToolSpec

MAX_ACTION_DEPTH = 32
"""Deepest nesting of an action that is taken; no tool needs a tenth of it, and records of it must stay writable."""


class ChatAgent:
    """Asks a chat model for the next action of every episode at once; the prompt reads what it writes.

    With ``tools`` the model calls them in its endpoint's own form, apart from text: one call is an action, several in
    one reply are the action ``{"calls": [...]}``. A reply without a call is read by the prompt, like any text.
    """

    def __init__(
        self,
        model: ChatModel,
        prompt: Prompt,
        sampling: Sampling | None = None,
        name: str | None = None,
        tools: Mapping[str, type[BaseModel]] | None = None,
    ) -> None:
        """Play with ``model``; greedy by default, and by default named as the model is.

        Args:
            model: The model.
            prompt: How the environment speaks; with ``tools`` it must be a
                :class:`~mailgym.core.protocols.NativePrompt`.
            sampling: How completions are drawn.
            name: The name shown in tables.
            tools: Tool name to the model of its arguments, for the native form; None for the text form.
        """
        self._model = model
        self._prompt = prompt
        self._sampling = sampling or Sampling()
        self._name = name or model.name
        self._tools = tool_specs(tools or {})

    @property
    def name(self) -> str:
        """The name shown in tables."""
        return self._name

    def act(self, turns: Sequence[Turn]) -> list[Decision]:
        """Decide one action a turn. A reply that failed gives a decision with that failure.

        Raises:
            ValueError: The model did not give one reply a request.
        """
        replies = self._model.chat([self._request(turn) for turn in turns], self._sampling)
        return [self._decision(reply) for reply, _ in zip(replies, turns, strict=True)]

    def _request(self, turn: Turn) -> ChatRequest:
        previous = turn.steps[-1].decision.generation if turn.steps else None
        new_messages = tuple(self._prompt.reply(turn.observation)) if previous else ()
        return ChatRequest(
            messages=self._conversation(turn),
            seed=turn.seed,
            previous=previous,
            new_messages=new_messages,
            tools=self._tools,
        )

    def _conversation(self, turn: Turn) -> tuple[ChatMessage, ...]:
        observations = [step.observation for step in turn.steps] + [turn.observation]
        messages = self._prompt.opening(observations[0])
        for number, (step, answer) in enumerate(zip(turn.steps, observations[1:], strict=True)):
            called = self._native_turn(number, step, answer) if self._tools else None
            messages += called or [ChatMessage("assistant", step.decision.text), *self._prompt.reply(answer)]
        return tuple(messages)

    def _native_turn(self, number: int, step: Step, answer: dict[str, Any]) -> list[ChatMessage] | None:
        """Return a turn's calls and their answers in the endpoint's form; None where the turn had no call."""
        action = step.decision.action
        if not isinstance(action, dict):
            return None
        calls = tuple(
            ToolCall(f"call{number:02}{index:03}", str(call["name"]), _as_json(call.get("arguments", {})))
            for index, call in enumerate(action["calls"] if action.keys() == {"calls"} else [action])
        )
        answers = cast(NativePrompt, self._prompt).answers(answer, len(calls))
        said = step.decision.text.removesuffix(_as_json(action)).rstrip("\n")
        told = [ChatMessage("tool", text, call_id=call.id) for call, text in zip(calls, answers, strict=True)]
        return [ChatMessage("assistant", said, calls), *told]

    def _decision(self, reply: ChatReply) -> Decision:
        action = None if reply.failure or reply.stop_reason else self._action(reply)
        text = reply.text
        if reply.calls and isinstance(action, dict):
            text = f"{text}\n{_as_json(action)}" if text else _as_json(action)
        return Decision(action, text, reply.generation, dict(reply.usage), reply.failure, reply.stop_reason)

    def _action(self, reply: ChatReply) -> Action:
        action = _called(reply.calls) if reply.calls else self._prompt.parse(reply.text)
        if is_deeper(action, MAX_ACTION_DEPTH):
            return MalformedAction(reply.text, f"it is nested deeper than {MAX_ACTION_DEPTH} levels")
        return action


def tool_specs(tools: Mapping[str, type[BaseModel]]) -> tuple[ToolSpec, ...]:
    """Return tools as endpoints are told of them: name, docstring, schema of the arguments."""
    specs = []
    for name, model in tools.items():
        schema = model.model_json_schema()
        description = schema.pop("description", "")
        schema.pop("title", None)
        specs.append(ToolSpec(name, description, schema))
    return tuple(specs)


def _called(calls: Sequence[ToolCall]) -> Action:
    """Read native calls as an action; arguments that are no JSON object stay text, for the world to refuse."""
    read = [{"name": call.name, "arguments": _arguments(call.arguments)} for call in calls]
    return read[0] if len(read) == 1 else {"calls": read}


def _arguments(text: str) -> Any:
    if not text.strip():
        return {}
    try:
        return json.loads(text, parse_constant=_refuse_constant)
    except (ValueError, RecursionError):
        return text


def _refuse_constant(name: str) -> Never:
    raise ValueError(f"{name} is not JSON")


def _as_json(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
