"""The three tools, on the small store. Its question q-bill is answered by the mail bill-march."""

from datetime import date
from pathlib import Path
from typing import Any

import pytest

from mailgym.core.episode import MalformedAction, StepResult
from mailgym.core.errors import StoreError
from mailgym.core.protocols import Environment
from mailgym.envs.base import TaskSet
from mailgym.envs.registry import get_spec
from mailgym.envs.search import world as world_module
from mailgym.envs.search.tasks import SearchKey, SearchTask
from mailgym.envs.search.world import open_mailbox

Tasks = TaskSet[SearchTask, SearchKey]


def search(*keywords: str, **filters: object) -> dict[str, Any]:
    return {"name": "search_emails", "arguments": {"keywords": list(keywords), **filters}}


def read(message_id: str) -> dict[str, Any]:
    return {"name": "read_email", "arguments": {"message_id": message_id}}


def answer(*sources: str) -> dict[str, Any]:
    return {"name": "return_final_answer", "arguments": {"answer": "", "sources": list(sources)}}


def opened(tasks: Tasks, turns: int = 10, profile: str = "hardened", task_id: str = "q-bill") -> Environment:
    environment = get_spec("find").make(tasks, profile=profile, turns=turns)
    environment.reset(task_id)
    return environment


def ids(result: StepResult) -> list[str]:
    return [hit["message_id"].removesuffix("@x.example") for hit in result.observation["results"]]


def test_the_opening_says_who_asks_what_and_when(small_tasks: Tasks) -> None:
    assert get_spec("find").make(small_tasks, turns=4).reset("q-bill") == {
        "kind": "question",
        "task_id": "q-bill",
        "question": "What did Dana Whitfield write about the Harbour bill for toner in early March?",
        "owner": "maya@ember.example",
        "owner_name": "Maya Lind",
        "today": "2025-06-01",
        "tools": ["search_emails", "read_email", "return_final_answer"],
        "turns_left": 4,
    }


def test_search_shows_hits(small_tasks: Tasks) -> None:
    environment = opened(small_tasks)
    result = environment.step(search("toner", from_addr="Dana", sent_after="2025-03-01", sent_before="2025-03-16"))
    assert result.observation["results"] == [
        {
            "message_id": "bill-march@x.example",
            "date": "2025-03-04",
            "from": "Dana Whitfield <dana@ember.example>",
            "to": "Maya Lind <maya@ember.example>",
            "subject": "Harbour invoice",
            "snippet": "Invoice for toner, 400 euro, is attached.",
        }
    ]
    assert not result.done
    assert environment.state == {
        "task_id": "q-bill",
        "steps": 1,
        "done": False,
        "stop_reason": None,
        "turns_left": 9,
    }


def test_every_filter_and_the_limit_reach_the_mailbox(small_tasks: Tasks) -> None:
    environment = opened(small_tasks)
    assert ids(environment.step(search(to_addr="tom@ember.example"))) == ["mine"]
    assert ids(environment.step(search(from_addr="Tom Becker"))) == ["sync", "bill-tom"]
    assert ids(environment.step(search(sent_after="2025-05-22"))) == ["mine", "lunch"]
    assert ids(environment.step(search(sent_before="2025-03-05"))) == ["bill-march"]
    assert len(ids(environment.step(search("invoice", "budget", "payroll", max_results=2)))) == 2


def test_later_mail_does_not_exist_for_searching_or_reading(small_tasks: Tasks) -> None:
    environment = opened(small_tasks)
    assert "late" not in ids(environment.step(search("Harbour", "toner", "budget", "Lantern", "payroll")))
    refused = environment.step(read("late@x.example"))
    assert refused.observation["kind"] == "error"
    assert "no mail of this id" in refused.observation["error"]
    assert environment.owner_view().score.values["ever_tried_to_read_invalid_email"] == 1.0


def test_reading_shows_the_mail(small_tasks: Tasks) -> None:
    mail = opened(small_tasks).step(read("<mine@x.example>")).observation
    assert mail == {
        "kind": "mail",
        "message_id": "mine@x.example",
        "date": "2025-05-23T09:00:00+00:00",
        "from": "Maya Lind <maya@ember.example>",
        "to": "Tom Becker <tom@ember.example>",
        "cc": "",
        "subject": "Roof window",
        "text": mail["text"],
        "cut_chars": 0,
        "attachments": [],
        "turns_left": 9,
    }
    assert mail["text"].strip() == "The roof window leaks again, please call the builder."


def test_long_mail_is_cut_and_says_so(small_tasks: Tasks, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(world_module, "MAX_READ_CHARS", 8)
    mail = opened(small_tasks).step(read("lunch@x.example")).observation
    assert mail["text"] == "Tapas on"
    assert mail["cut_chars"] >= len(" Thursday, who comes along?")


def test_profiles_search_differently(small_tasks: Tasks) -> None:
    """The classic search wants all keywords and shows the newest first; the hardened one any, best match first."""
    words = ("Harbour", "toner", "400")
    hardened = ids(opened(small_tasks).step(search(*words)))
    assert (hardened[0], set(hardened)) == ("bill-march", {"bill-march", "bill-tom", "bill-april"})
    assert ids(opened(small_tasks, profile="classic").step(search(*words))) == ["bill-march"]
    assert ids(opened(small_tasks, profile="classic").step(search("Harbour"))) == [
        "bill-april",
        "bill-tom",
        "bill-march",
    ]


BAD_CALLS: list[tuple[Any, str]] = [
    (MalformedAction("hello", "there is no JSON object in it"), "there is no JSON object in it"),
    ({"arguments": {}}, "it has no name"),
    ({"name": "delete_email", "arguments": {}}, "The tools are: search_emails, read_email, return_final_answer"),
    ({"name": "search_emails", "arguments": {"keywords": "toner"}}, "keywords: Input should be a valid list"),
    (
        {"name": "search_emails", "arguments": {"keywords": []}},
        "give keywords, or a filter (from_addr, to_addr, sent_after, sent_before)",
    ),
    (search("", " "), "The search is empty"),
    (search("***"), "hold no letter or digit"),
    (search("toner", sent_after="early March"), "sent_after is 'early March'"),
    (search("toner", sent_before="2025-02-30"), "sent_before is '2025-02-30'"),
    (search("toner", from_addr="!"), "from_addr is '!'"),
    (search("toner", to_addr="!"), "to_addr is '!'"),
    ({**search("toner"), "owner": "someone"}, "give name and arguments, and nothing else"),
    (read("nothing@x.example"), "read only ids that a search returned"),
]


@pytest.mark.parametrize(("action", "text"), BAD_CALLS)
def test_bad_calls_are_answered_and_priced(action: Any, text: str, small_tasks: Tasks) -> None:
    result = opened(small_tasks).step(action)
    assert text in result.observation["error"]
    assert (result.reward, result.done) == (-0.05, False)
    classic = opened(small_tasks, profile="classic").step(action)
    assert (classic.reward, classic.terminated, classic.stop_reason) == (-0.05, True, "bad_call")
    one_turn = opened(small_tasks, turns=1).step(action)
    assert (one_turn.reward, one_turn.terminated, one_turn.stop_reason) == (-0.1, True, "bad_call")


def test_one_turn_ends_with_the_search(small_tasks: Tasks) -> None:
    result = opened(small_tasks, turns=1).step(search("toner", from_addr="Dana"))
    assert ids(result) == ["bill-april", "bill-march"]  # as good a match each: the newest first
    assert (result.reward, result.terminated, result.stop_reason) == (0.5, True, "answered")


def test_the_turns_run_out(small_tasks: Tasks) -> None:
    environment = opened(small_tasks, turns=2)
    assert not environment.step(search("toner")).done
    last = environment.step(search("invoice"))
    assert (last.truncated, last.terminated, last.stop_reason) == (True, False, "out_of_turns")
    assert environment.owner_view().score.values["ran_out_of_turns"] == 1.0


def test_a_bad_call_in_the_last_turn_runs_out_as_well(small_tasks: Tasks) -> None:
    environment = opened(small_tasks, turns=2)
    environment.step(search("toner"))
    assert environment.step({}).stop_reason == "out_of_turns"


def test_mailboxes_are_opened_once_and_again_when_they_change(small_store: Path, small_tasks: Tasks) -> None:
    path, day = small_store / "maya-lind.mailbox", small_tasks.tasks["q-bill"].asked_on
    assert open_mailbox(path, day) is open_mailbox(path, day)
    with pytest.raises(StoreError, match="make the store again"):
        open_mailbox(small_store / "gone.mailbox", day)


def test_a_filter_on_somebody_who_never_wrote_is_left_out_and_the_result_says_so(small_tasks: Tasks) -> None:
    by_nobody = search("toner", from_addr="Nora Feld", sent_before="2025-04-01")
    result = opened(small_tasks).step(by_nobody)
    assert result.observation["left_out"] == ["from_addr"]
    assert set(ids(result)) == {"bill-march", "bill-tom"}
    assert "Nobody in this mailbox" in get_spec("find").render(result.observation)
    assert ids(opened(small_tasks, profile="classic").step(by_nobody)) == []
    known = opened(small_tasks).step(search("toner", from_addr="Tom", to_addr="Nora Feld"))
    assert known.observation["left_out"] == ["to_addr"]
    assert ids(known) == ["bill-tom"]


def test_a_search_for_nobody_and_nothing_else_finds_nothing(small_tasks: Tasks) -> None:
    result = opened(small_tasks).step(search(from_addr="Nora Feld"))
    assert "left_out" not in result.observation
    assert ids(result) == []


def test_who_writes_only_later_is_a_stranger_still(small_tasks: Tasks) -> None:
    environment = get_spec("find").make(small_tasks, turns=10)
    environment.reset("q-bill")
    world = environment._world  # type: ignore[attr-defined]
    world._mailbox = world._mailbox.at(date(2025, 3, 4))
    assert environment.step(search("toner", from_addr="Ines Vance")).observation["left_out"] == ["from_addr"]
