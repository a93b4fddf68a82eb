import pytest

from mailgym.core.episode import ChatMessage, Failure
from mailgym.corpora.questions.meter import Metered, Usage
from mailgym.llm.base import ChatReply, ChatRequest, Sampling
from mailgym.llm.remote import Price
from mailgym.llm.scripted import ScriptedModel

REQUEST = ChatRequest((ChatMessage("user", "u"),))
TOKENS = {"prompt_tokens": 1000.0, "completion_tokens": 200.0}


def use(*replies: ChatReply | Failure, price: Price | None = None) -> Metered:
    model = Metered(ScriptedModel(list(replies)), price)
    model.chat([REQUEST] * len(replies), Sampling())
    return model


def test_calls_tokens_and_cost_are_counted_by_the_price() -> None:
    model = use(ChatReply("a", usage=TOKENS), ChatReply("b", usage=TOKENS), price=Price(2.0, 8.0))
    assert model.name == "scripted"
    usage = model.usage
    assert (usage.calls, usage.prompt_tokens, usage.completion_tokens) == (2, 2000, 400)
    assert usage.cost_usd == pytest.approx(2 * (1000 * 2 + 200 * 8) / 1e6)
    assert usage.to_json()["cost_usd"] == pytest.approx(0.0072)


def test_replies_from_the_cache_cost_nothing() -> None:
    usage = use(ChatReply("a", usage={**TOKENS, "cached": 1.0, "cost_usd": 0.0}), price=Price(2.0, 8.0)).usage
    assert (usage.calls, usage.cached, usage.prompt_tokens, usage.cost_usd) == (0, 1, 0, 0.0)


def test_without_a_price_the_cost_is_what_the_replies_say() -> None:
    assert use(ChatReply("a", usage={**TOKENS, "cost_usd": 0.5})).usage.to_json()["cost_usd"] == 0.5


def test_a_cost_that_is_not_known_for_all_calls_is_none() -> None:
    both = use(ChatReply("a", usage={**TOKENS, "cost_usd": 0.5}), ChatReply("b", usage=TOKENS))
    assert both.usage.to_json()["cost_usd"] is None
    assert use(ChatReply("a"), price=Price(2.0, 8.0)).usage.to_json()["cost_usd"] is None


def test_failures_are_counted_apart_and_the_last_is_remembered() -> None:
    model = use(Failure("model", "too late"), ChatReply("a", usage=TOKENS))
    assert (model.usage.failed, model.usage.calls, model.last_failure) == (1, 1, "too late")


def test_taking_begins_anew() -> None:
    model = use(ChatReply("a", usage=TOKENS))
    total = Usage()
    total.add(model.take())
    total.add(model.take())
    assert (total.calls, model.usage.calls) == (1, 0)


def test_no_request_is_no_call() -> None:
    model = Metered(ScriptedModel([]))
    assert model.chat([], Sampling()) == []
