"""Models that call tools in their endpoint's own form; the model is scripted."""

import json
from typing import Any

import pytest

from mailgym.agents.chat import ChatAgent, tool_specs
from mailgym.core.episode import MalformedAction, ToolCall, Trajectory
from mailgym.envs.base import TaskSet
from mailgym.envs.registry import get_spec
from mailgym.envs.search.prompt import NativeAnswerPrompt
from mailgym.envs.search.schema import TOOLS
from mailgym.envs.search.tasks import SearchKey, SearchTask
from mailgym.llm.base import ChatReply
from mailgym.llm.scripted import ScriptedModel
from mailgym.rollout.engine import EpisodeRequest, play_episodes

Tasks = TaskSet[SearchTask, SearchKey]


def called(name: str, arguments: Any, text: str = "") -> ChatReply:
    written = arguments if isinstance(arguments, str) else json.dumps(arguments)
    return ChatReply(text, calls=(ToolCall("abc", name, written),))


def play(tasks: Tasks, *replies: ChatReply, profile: str = "hardened") -> tuple[Trajectory, ScriptedModel]:
    model = ScriptedModel(list(replies))
    agent = ChatAgent(model, NativeAnswerPrompt(10), tools=TOOLS)
    spec = get_spec("search")
    (played,) = play_episodes(
        lambda: spec.make(tasks, profile=profile), agent, [EpisodeRequest("s-count")], 0, "search"
    )
    return played, model


FINAL = called("return_final_answer", {"answer": "24", "sources": ["chairs@x.example"]})


def test_an_episode_of_native_calls_is_played_and_told_back_as_such(search_tasks: Tasks) -> None:
    both = ChatReply(
        "I look twice.",
        calls=(
            ToolCall("x", "search_emails", '{"keywords": ["chairs"]}'),
            ToolCall("y", "read_email", '{"message_id": "chairs@x.example"}'),
        ),
    )
    played, model = play(search_tasks, called("search_emails", {"keywords": ["canteen"]}), both, FINAL)
    assert played.reward == pytest.approx(1.0 - 0.02)
    assert played.score is not None
    assert played.score.values["num_turns"] == 3.0
    request = model.requests[-1]
    assert [tool.name for tool in request.tools] == list(TOOLS)
    roles = [message.role for message in request.messages]
    assert roles == ["system", "user", "assistant", "tool", "assistant", "tool", "tool"]
    first, twice = request.messages[2], request.messages[4]
    assert (first.content, first.calls) == ("", (ToolCall("call00000", "search_emails", '{"keywords": ["canteen"]}'),))
    assert twice.content == "I look twice."
    assert [call.id for call in twice.calls] == [message.call_id for message in request.messages[5:]]
    assert "<mail_data>" in request.messages[3].content
    assert request.messages[-1].content.endswith("Turns left: 8.")
    assert "Turns left" not in request.messages[-2].content
    assert json.loads(played.steps[0].decision.text)["name"] == "search_emails"


@pytest.mark.parametrize("arguments", ["{not json", "[1]", '"text"', '{"keywords": [NaN]}'])
def test_broken_arguments_are_bad_arguments(arguments: str, search_tasks: Tasks) -> None:
    played, model = play(search_tasks, called("search_emails", arguments), FINAL)
    assert played.score is not None
    assert played.score.values["bad_tool_call_args"] == 1.0
    assert played.stop_reason == "answered"
    assert model.requests[-1].messages[3].content.startswith("Error: search_emails was not called.")


def test_no_arguments_at_all_are_an_empty_table(search_tasks: Tasks) -> None:
    played, _ = play(search_tasks, called("read_email", " "), FINAL)
    assert played.score is not None
    assert played.score.values["bad_tool_call_args"] == 1.0


def test_a_reply_in_words_is_answered_in_words(search_tasks: Tasks) -> None:
    played, model = play(search_tasks, ChatReply("I would search."), FINAL)
    assert isinstance(played.steps[0].decision.action, MalformedAction)
    assert [message.role for message in model.requests[-1].messages[2:]] == ["assistant", "user"]
    assert "the reply calls no tool" in model.requests[-1].messages[3].content


def test_a_call_written_as_text_counts_too(search_tasks: Tasks) -> None:
    played, model = play(search_tasks, ChatReply('{"name": "read_email"}'), FINAL)
    assert played.steps[0].decision.action == {"name": "read_email"}
    assert model.requests[-1].messages[2].calls[0].arguments == "{}"


def test_classic_answers_every_call_though_it_carries_out_one(search_tasks: Tasks) -> None:
    calls = tuple(ToolCall(str(n), "search_emails", '{"keywords": ["chairs"]}') for n in range(3))
    played, model = play(search_tasks, ChatReply("", calls=calls), FINAL, profile="classic")
    told = [message for message in model.requests[-1].messages if message.role == "tool"]
    assert len(told) == 3
    assert "Not carried out" in told[1].content
    assert played.reward == pytest.approx(1 + 0.3 + 0.1 + 0.08)


def test_too_deep_a_call_is_malformed(search_tasks: Tasks) -> None:
    deep = '{"keywords": ' + "[" * 60 + "]" * 60 + "}"
    played, _ = play(search_tasks, called("search_emails", deep), FINAL)
    assert isinstance(played.steps[0].decision.action, MalformedAction)


def test_endpoints_are_told_of_tools_by_name_docstring_and_schema() -> None:
    specs = {spec.name: spec for spec in tool_specs(TOOLS)}
    search = specs["search_emails"]
    assert search.description.startswith("Search the mailbox.")
    assert search.parameters["required"] == ["keywords"]
    assert set(search.parameters["properties"]) == set(TOOLS["search_emails"].model_fields)
    assert search.parameters["additionalProperties"] is False
    assert {"title", "description"}.isdisjoint(search.parameters)
