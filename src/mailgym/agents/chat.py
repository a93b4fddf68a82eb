"""An agent that is a language model behind an environment's prompt."""

from collections.abc import Sequence

from mailgym.core.episode import Action, ChatMessage, Decision, MalformedAction, Turn, is_deeper
from mailgym.core.protocols import Prompt
from mailgym.llm.base import ChatModel, ChatReply, ChatRequest, Sampling

MAX_ACTION_DEPTH = 32
"""Deepest nesting of an action that is taken; no tool needs a tenth of it, and records of it must stay writable."""


class ChatAgent:
    """Asks a chat model for the next action of every episode at once; the prompt reads what it writes."""

    def __init__(
        self, model: ChatModel, prompt: Prompt, sampling: Sampling | None = None, name: str | None = None
    ) -> None:
        """Play with ``model``; greedy by default, and by default named as the model is."""
        self._model = model
        self._prompt = prompt
        self._sampling = sampling or Sampling()
        self._name = name or model.name

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
            messages=self._conversation(turn), seed=turn.seed, previous=previous, new_messages=new_messages
        )

    def _conversation(self, turn: Turn) -> tuple[ChatMessage, ...]:
        observations = [step.observation for step in turn.steps] + [turn.observation]
        messages = self._prompt.opening(observations[0])
        for step, answer in zip(turn.steps, observations[1:], strict=True):
            messages = [*messages, ChatMessage("assistant", step.decision.text), *self._prompt.reply(answer)]
        return tuple(messages)

    def _decision(self, reply: ChatReply) -> Decision:
        return Decision(
            action=None if reply.failure else self._action(reply.text),
            text=reply.text,
            generation=reply.generation,
            usage=dict(reply.usage),
            failure=reply.failure,
        )

    def _action(self, text: str) -> Action:
        action = self._prompt.parse(text)
        if is_deeper(action, MAX_ACTION_DEPTH):
            return MalformedAction(text, f"it is nested deeper than {MAX_ACTION_DEPTH} levels")
        return action
