import pytest

from mailgym.core.episode import ChatMessage, Failure
from mailgym.core.errors import ModelError
from mailgym.llm.base import ChatReply, ChatRequest, Sampling
from mailgym.llm.scripted import ScriptedModel


def ask(text: str) -> ChatRequest:
    return ChatRequest((ChatMessage("user", text),))


def test_a_list_is_said_in_order_and_requests_are_remembered() -> None:
    model = ScriptedModel(["one", ChatReply("two", usage={"prompt_tokens": 3.0})], name="parrot")
    replies = model.chat([ask("a"), ask("b")], Sampling())
    assert [reply.text for reply in replies] == ["one", "two"]
    assert replies[1].usage == {"prompt_tokens": 3.0}
    assert [request.messages[0].content for request in model.requests] == ["a", "b"]
    assert model.name == "parrot"


def test_a_failure_becomes_a_failed_reply() -> None:
    failure = Failure("model", "out of service")
    (reply,) = ScriptedModel([failure]).chat([ask("a")], Sampling())
    assert (reply.text, reply.failure) == ("", failure)


def test_a_function_sees_the_request() -> None:
    model = ScriptedModel(lambda request: request.messages[-1].content.upper())
    assert [r.text for r in model.chat([ask("a"), ask("b")], Sampling())] == ["A", "B"]


def test_a_script_that_ran_out_says_so() -> None:
    model = ScriptedModel(["one"])
    model.chat([ask("a")], Sampling())
    with pytest.raises(ModelError, match="has 1 lines and was asked for one more"):
        model.chat([ask("b")], Sampling())
