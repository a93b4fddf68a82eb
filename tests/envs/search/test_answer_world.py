"""The rules of search: what ends an episode, and several calls in one reply."""

from typing import Any

import pytest

from mailgym.core.episode import MalformedAction, StepResult
from mailgym.core.errors import UserError
from mailgym.core.protocols import Environment
from mailgym.corpora.question import write_questions
from mailgym.envs.base import TaskSet
from mailgym.envs.registry import get_spec
from mailgym.envs.search.schema import TOOLS, SearchEmails
from mailgym.envs.search.tasks import SearchKey, SearchTask, load_answer_tasks, load_tasks

Tasks = TaskSet[SearchTask, SearchKey]


def search(*keywords: str, **filters: object) -> dict[str, Any]:
    return {"name": "search_emails", "arguments": {"keywords": list(keywords), **filters}}


def read(message_id: str) -> dict[str, Any]:
    return {"name": "read_email", "arguments": {"message_id": message_id}}


def final(text: str, *sources: str) -> dict[str, Any]:
    return {"name": "return_final_answer", "arguments": {"answer": text, "sources": list(sources)}}


def opened(tasks: Tasks, profile: str = "hardened", turns: int = 10, task_id: str = "s-date") -> Environment:
    environment = get_spec("search").make(tasks, profile=profile, turns=turns)
    environment.reset(task_id)
    return environment


def kinds(result: StepResult) -> list[str]:
    return [answer["kind"] for answer in result.observation["answers"]]


def test_the_opening_is_that_of_find_with_all_tools_even_in_one_turn(search_tasks: Tasks) -> None:
    spec = get_spec("search")
    opening = spec.make(search_tasks).reset("s-date")
    assert (opening["kind"], opening["turns_left"], opening["today"]) == ("question", 10, "2025-06-01")
    assert opening["tools"] == list(TOOLS) == list(spec.tools(1))
    assert "answer" not in opening


def test_a_search_ends_nothing_even_in_one_turn(search_tasks: Tasks) -> None:
    only = opened(search_tasks, turns=1).step(search("toner"))
    assert (only.terminated, only.truncated, only.stop_reason) == (False, True, "out_of_turns")


def test_owner_and_day_are_no_arguments_and_bind_reading_too(search_tasks: Tasks) -> None:
    assert {"owner", "inbox", "as_of"}.isdisjoint(SearchEmails.model_fields)
    environment = opened(search_tasks)
    assert "later@x.example" not in str(environment.step(search("call", "Harbour", "lease")).observation)
    assert environment.step(read("later@x.example")).observation["kind"] == "error"


BAD: list[tuple[Any, str]] = [
    (MalformedAction("hm", "there is no JSON object in it"), "cant_parse_tool_call"),
    ({"name": "send_email", "arguments": {}}, "bad_tool_call_name"),
    (search("toner", sent_after="soon"), "bad_tool_call_args"),
]


@pytest.mark.parametrize(("action", "metric"), BAD)
def test_a_bad_call_ends_classic_and_can_be_mended_in_hardened(action: Any, metric: str, search_tasks: Tasks) -> None:
    classic = opened(search_tasks, "classic")
    ended = classic.step(action)
    assert (ended.terminated, ended.stop_reason, ended.observation["kind"]) == (True, "bad_call", "error")
    assert classic.owner_view().score.values[metric] == 1.0
    hardened = opened(search_tasks)
    told = hardened.step(action)
    assert (told.done, told.observation["kind"], told.reward) == (False, "error", pytest.approx(-0.05))
    assert hardened.step(search("toner")).observation["kind"] == "results"


@pytest.mark.parametrize("profile", ["classic", "hardened"])
def test_an_unknown_id_is_answered_in_both_profiles(profile: str, search_tasks: Tasks) -> None:
    environment = opened(search_tasks, profile)
    result = environment.step(read("nothing@x.example"))
    assert (result.done, result.observation["kind"]) == (False, "error")
    assert environment.owner_view().score.values["ever_tried_to_read_invalid_email"] == 1.0


def test_classic_searches_as_art_e_did(search_tasks: Tasks) -> None:
    words = ("call", "lease", "canteen")
    assert opened(search_tasks, "classic").step(search(*words)).observation["results"] == []
    assert len(opened(search_tasks).step(search(*words)).observation["results"]) == 3
    newest = opened(search_tasks, "classic").step(search("call")).observation["results"]
    assert next(hit["message_id"] for hit in newest) == "call-moved@x.example"


def test_all_calls_of_a_reply_are_carried_out_and_are_one_turn(search_tasks: Tasks) -> None:
    environment = opened(search_tasks)
    calls = [search("toner"), read("toner@x.example"), {"name": "nope"}, search("toner")]
    result = environment.step({"calls": calls})
    assert kinds(result) == ["results", "mail", "error", "results"]
    assert result.observation["turns_left"] == environment.state["turns_left"] == 9
    values = environment.owner_view().score.values
    assert (values["num_turns"], values["bad_calls"], values["repeated_calls"]) == (1.0, 1.0, 1.0)
    assert result.reward == pytest.approx(-0.05 - 0.02)


def test_calls_after_an_answer_are_not_carried_out(search_tasks: Tasks) -> None:
    environment = opened(search_tasks)
    result = environment.step({"calls": [search("call"), final("11 April", "call-moved@x.example"), search("lease")]})
    assert kinds(result) == ["results", "end", "error"]
    assert (result.terminated, result.stop_reason, result.reward) == (True, "answered", pytest.approx(1.0))
    assert "ended the episode" in result.observation["answers"][2]["error"]


def test_classic_carries_out_the_first_call_alone_and_says_so(search_tasks: Tasks) -> None:
    environment = opened(search_tasks, "classic")
    result = environment.step({"calls": [search("call"), final("9 May")]})
    assert kinds(result) == ["results", "error"]
    assert not result.done
    assert "only the first" in result.observation["answers"][1]["error"]
    assert environment.owner_view().score.values["num_turns"] == 1.0


@pytest.mark.parametrize("calls", [[], [search("w")] * 6, "search", None, {"name": "search_emails"}])
def test_what_is_no_list_of_calls_is_a_bad_call(calls: Any, search_tasks: Tasks) -> None:
    result = opened(search_tasks).step({"calls": calls})
    assert "give 1 to 5 calls" in result.observation["error"]
    assert result.reward == pytest.approx(-0.05)


def test_find_takes_no_several_calls(small_tasks: Tasks) -> None:
    environment = get_spec("find").make(small_tasks, turns=10)
    environment.reset("q-bill")
    assert "it has no name" in environment.step({"calls": [search("toner")]}).observation["error"]


def test_each_sort_of_question_has_its_environment(
    small_tasks: Tasks, search_tasks: Tasks, tmp_path_factory: pytest.TempPathFactory
) -> None:
    store = search_tasks.folder
    assert len(load_answer_tasks(store, "test")) == 8
    with pytest.raises(UserError, match=r"no questions of find .* it has 8 of search; choose search"):
        load_tasks(store, "test")
    with pytest.raises(UserError, match=r"no questions of search .* it has 4 of find; make a store"):
        load_answer_tasks(small_tasks.folder, "test")
    with pytest.raises(UserError, match=r"no questions of split 'train' .* it has test"):
        load_answer_tasks(store, "train")
    empty = tmp_path_factory.mktemp("none")
    write_questions(empty, [])
    with pytest.raises(Exception, match="questions"):
        load_answer_tasks(empty, "test")
    key = search_tasks.keys["s-unknown"]
    assert (key.answer, key.answer_type, key.message_ids) == ("I don't know", "unknown", ())
