"""An agent in two passes: a draft, then a review of the draft by the same model; the review is what is done.

Source: document 004, "Dual-Stage LLM, Draft Pass → Reviewer Pass". Deviations: the document gives no prompt for the
reviewer, so the words are mailgym's own; the reviewer writes a whole action and never only a verdict; and its action
counts whatever it is. A review that cannot be read is a malformed action: nothing falls back on the draft.

It works with any environment's prompt in the text form, and knows no environment by name.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from mailgym.agents.chat import ChatAgent
from mailgym.core.episode import ChatMessage, Decision, MalformedAction, Turn
from mailgym.core.protocols import Prompt
from mailgym.llm.base import ChatModel, ChatReply, ChatRequest, Sampling

PREFIX = "review:"
"""Before a model's name: that model in two passes."""
REVIEW = (
    "Review the draft that you have just written. Is it right about what was shown, does it leave nothing out that "
    "was asked, and does it invent nothing? Write the final version whole, in the same form, and nothing else. If the "
    "draft is good, write it again unchanged."
)
UNREADABLE = "Your draft cannot be read: {reason}. "


@dataclass(frozen=True, slots=True)
class _Draft:
    """One turn after its first pass."""

    turn: Turn
    request: ChatRequest
    reply: ChatReply


class ReviewAgent(ChatAgent):
    """Asks a chat model twice a turn: for a draft, and for the final version with the draft in view.

    Tokens and cost of both passes are counted, those of a draft whose review failed too. Its decisions carry no exact
    tokens: what was written in two conversations is no one completion that could be trained on.
    """

    def __init__(
        self, model: ChatModel, prompt: Prompt, sampling: Sampling | None = None, name: str | None = None
    ) -> None:
        """Play with ``model`` in two passes; by default named as the model is, with ``review:`` before it.

        Args:
            model: The model of both passes.
            prompt: How the environment speaks, in its text form.
            sampling: How both completions are drawn.
            name: The name shown in tables.
        """
        super().__init__(model, prompt, sampling, name or f"{PREFIX}{model.name}")

    def act(self, turns: Sequence[Turn]) -> list[Decision]:
        """Decide one action a turn; a turn whose draft failed is not reviewed and gives that failure.

        Raises:
            ValueError: The model did not give one reply a request.
        """
        requests = [self._request(turn) for turn in turns]
        replies = self._model.chat(requests, self._sampling)
        drafts = [_Draft(*passed) for passed in zip(turns, requests, replies, strict=True)]
        whole = [draft for draft in drafts if not (draft.reply.failure or draft.reply.stop_reason)]
        reviews = self._model.chat([self._review(draft) for draft in whole], self._sampling) if whole else []
        reviewed = {id(draft): review for draft, review in zip(whole, reviews, strict=True)}
        return [self._decided(draft, reviewed.get(id(draft))) for draft in drafts]

    def _review(self, draft: _Draft) -> ChatRequest:
        read = self._prompt.parse(draft.reply.text)
        reason = UNREADABLE.format(reason=read.reason) if isinstance(read, MalformedAction) else ""
        asked = ChatMessage("user", reason + REVIEW)
        return ChatRequest(
            messages=(*draft.request.messages, ChatMessage("assistant", draft.reply.text), asked),
            seed=draft.turn.seed + 1,
            previous=draft.reply.generation,
            new_messages=(asked,) if draft.reply.generation else (),
        )

    def _decided(self, draft: _Draft, review: ChatReply | None) -> Decision:
        last = self._decision(review or draft.reply)
        usage = added(draft.reply.usage, review.usage) if review is not None else last.usage
        return Decision(last.action, last.text, None, usage, last.failure, last.stop_reason)


def added(first: dict[str, float], second: dict[str, float]) -> dict[str, float]:
    """Return the sum of two usages; a figure that either pass does not know is not known."""
    return {name: first[name] + second[name] for name in first if name in second}
