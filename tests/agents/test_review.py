"""The draft-and-review agent asks twice, counts both passes, and does what the review says; the model is scripted."""

from collections.abc import Callable
from typing import Any

import pytest

from mailgym.agents.review import REVIEW, ReviewAgent, added
from mailgym.core.episode import Action, ChatMessage, Failure, Generation, MalformedAction, Step, StepResult, Turn
from mailgym.envs.written import as_call
from mailgym.llm.base import ChatReply, ChatRequest, Sampling
from mailgym.llm.scripted import ScriptedModel

DRAFT, FINAL = '{"label": "work"}', '{"label": "urgent"}'
TOKENS = Generation((1, 2), (3,), (-0.5,))


class Letters:
    """A small prompt of no registered environment."""

    def opening(self, observation: dict[str, Any]) -> list[ChatMessage]:
        return [ChatMessage("system", "Label it."), ChatMessage("user", observation["text"])]

    def reply(self, observation: dict[str, Any]) -> list[ChatMessage]:
        return [ChatMessage("user", observation["text"])]

    def parse(self, text: str) -> Action:
        return as_call(text, {"label": "say"})


def _turn(text: str = "The roof is on fire.", seed: int = 7) -> Turn:
    return Turn("e", {"text": text}, (), seed)


def _agent(*script: str | ChatReply | Failure) -> tuple[ReviewAgent, ScriptedModel]:
    model = ScriptedModel(script)
    return ReviewAgent(model, Letters()), model


def test_the_review_is_what_is_done() -> None:
    agent, _ = _agent(DRAFT, FINAL)
    (decision,) = agent.act([_turn()])
    assert decision.action == {"name": "say", "arguments": {"label": "urgent"}}
    assert decision.text == FINAL
    assert agent.name == "review:scripted"


def test_the_reviewer_sees_the_whole_conversation_and_the_draft() -> None:
    agent, model = _agent(DRAFT, FINAL)
    agent.act([_turn()])
    first, second = model.requests
    assert [message.role for message in first.messages] == ["system", "user"]
    assert second.messages == (*first.messages, ChatMessage("assistant", DRAFT), ChatMessage("user", REVIEW))
    assert first.seed != second.seed


def test_all_drafts_are_asked_at_once_and_then_all_reviews() -> None:
    sizes: list[int] = []

    class Counting(ScriptedModel):
        def chat(self, requests: Any, sampling: Sampling) -> list[ChatReply]:
            sizes.append(len(requests))
            return super().chat(requests, sampling)

    said: Callable[[ChatRequest], str] = lambda request: FINAL if len(request.messages) > 2 else DRAFT  # noqa: E731
    decisions = ReviewAgent(Counting(said), Letters(), Sampling(1.0, 9), "mine").act([_turn(), _turn("Lunch?", 8)])
    assert sizes == [2, 2]
    assert [decision.text for decision in decisions] == [FINAL, FINAL]


def test_tokens_and_cost_of_both_passes_are_counted() -> None:
    one = {"prompt_tokens": 100.0, "completion_tokens": 20.0, "cost_usd": 0.003}
    two = {"prompt_tokens": 150.0, "completion_tokens": 25.0, "cost_usd": 0.004}
    agent, _ = _agent(ChatReply(DRAFT, usage=one), ChatReply(FINAL, usage=two))
    (decision,) = agent.act([_turn()])
    assert decision.usage == pytest.approx({"prompt_tokens": 250.0, "completion_tokens": 45.0, "cost_usd": 0.007})


def test_a_cost_that_one_pass_does_not_know_is_not_known() -> None:
    assert added({"prompt_tokens": 3.0, "cost_usd": 0.1}, {"prompt_tokens": 4.0}) == {"prompt_tokens": 7.0}


def test_a_draft_that_cannot_be_read_is_shown_as_such() -> None:
    agent, model = _agent("I think it is urgent.", FINAL)
    (decision,) = agent.act([_turn()])
    asked = model.requests[1].messages[-1].content
    assert asked == f"Your draft cannot be read: there is no JSON object in it. {REVIEW}"
    assert decision.action == {"name": "say", "arguments": {"label": "urgent"}}


def test_a_review_that_cannot_be_read_is_a_malformed_action_and_not_the_draft() -> None:
    agent, _ = _agent(DRAFT, "The draft is good.")
    (decision,) = agent.act([_turn()])
    assert isinstance(decision.action, MalformedAction)
    assert decision.text == "The draft is good."


def test_a_draft_that_failed_is_not_reviewed_and_the_others_are() -> None:
    down = Failure("model", "the endpoint is down")
    agent, model = _agent(down, DRAFT, FINAL)
    failed, played = agent.act([_turn(), _turn()])
    assert (failed.action, failed.failure) == (None, down)
    assert played.text == FINAL
    assert len(model.requests) == 3


def test_a_review_that_failed_is_a_failure_that_counts_the_draft() -> None:
    down = Failure("model", "the endpoint is down")
    agent, _ = _agent(
        ChatReply(DRAFT, usage={"prompt_tokens": 5.0}), ChatReply("", usage={"prompt_tokens": 0.0}, failure=down)
    )
    (decision,) = agent.act([_turn()])
    assert (decision.action, decision.failure, decision.usage) == (None, down, {"prompt_tokens": 5.0})


def test_a_conversation_without_room_ends_the_episode() -> None:
    agent, model = _agent(ChatReply("", stop_reason="out_of_tokens"))
    (decision,) = agent.act([_turn()])
    assert (decision.action, decision.stop_reason) == (None, "out_of_tokens")
    assert len(model.requests) == 1


def test_exact_tokens_serve_the_review_and_are_not_handed_on() -> None:
    agent, model = _agent(ChatReply(DRAFT, TOKENS), ChatReply(FINAL, TOKENS))
    (decision,) = agent.act([_turn()])
    assert model.requests[1].previous == TOKENS
    assert model.requests[1].new_messages == model.requests[1].messages[-1:]
    assert decision.generation is None, "two conversations are no one completion to train on"


def test_later_turns_know_the_final_version_alone() -> None:
    agent, model = _agent(DRAFT, FINAL, DRAFT, FINAL)
    (decision,) = agent.act([_turn()])
    step = Step({"text": "The roof is on fire."}, decision, StepResult({"text": "Lunch?"}, 0.0))
    agent.act([Turn("e", {"text": "Lunch?"}, (step,), 8)])
    told = [message.content for message in model.requests[2].messages]
    assert told == ["Label it.", "The roof is on fire.", FINAL, "Lunch?"]


def test_without_turns_nothing_is_asked() -> None:
    agent, model = _agent()
    assert agent.act([]) == []
    assert model.requests == []
