"""Plain HTTP in mailgym's own form: sessions, statuses, envelopes. Documents' forms are tested with their dialects."""

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from starlette.testclient import TestClient

from mailgym.envs.base import TaskSet
from mailgym.envs.dialects import Route, chosen, own_dialect
from mailgym.envs.registry import get_spec
from mailgym.serve.plain import MAX_NAME_CHARS, make_app
from mailgym.serve.services import Served
from mailgym.serve.sessions import Limits

SEARCH = {"action": {"name": "search_emails", "arguments": {"keywords": ["toner"], "from_addr": "Dana Whitfield"}}}


def served(tasks: TaskSet[Any, Any], **changes: Any) -> Served:
    values: dict[str, Any] = {"profile": "hardened", "dialect": own_dialect(), "turns": 3}
    return Served(get_spec("find"), tasks, **{**values, **changes})


@pytest.fixture
def client(small_tasks: TaskSet[Any, Any]) -> Iterator[TestClient]:
    with TestClient(make_app([served(small_tasks)], Limits(2, 60.0))) as found:
        yield found


def test_a_whole_episode_by_the_bare_user(client: TestClient, small_tasks: TaskSet[Any, Any]) -> None:
    assert client.get("/health").json() == {"status": "healthy"}
    opened = client.post("/reset", json={}).json()
    assert opened["observation"]["task_id"] == small_tasks.task_ids[0]
    assert (opened["reward"], opened["done"]) == (None, False)
    played = client.post("/step", json=SEARCH).json()
    assert played["observation"]["kind"] == "results"
    found = small_tasks.keys[small_tasks.task_ids[0]].message_ids[0]
    end = {"action": {"name": "return_final_answer", "arguments": {"answer": "", "sources": [found]}}}
    last = client.post("/step", json=end).json()
    assert (last["done"], last["terminated"], last["stop_reason"]) == (True, True, "answered")
    assert last["reward"] > 0.9
    assert client.get("/state").json()["done"]


def test_a_body_is_not_needed_to_reset(client: TestClient) -> None:
    assert client.post("/reset").status_code == 200
    assert client.post("/reset", params={"seed": 3}).json()["observation"]["kind"] == "question"


@pytest.mark.parametrize(
    "named",
    [{"headers": {"X-Session-Id": "a"}}, {"params": {"session_id": "a"}}, {"cookies": {"mailgym_session": "a"}}],
)
def test_a_session_is_named_in_three_ways(client: TestClient, named: dict[str, Any]) -> None:
    client.cookies.update(named.pop("cookies", {}))
    client.post("/reset", json={}, **named)
    assert client.post("/step", json=SEARCH, **named).status_code == 200
    client.cookies.clear()
    assert client.get("/state", params={"session_id": "a"}).json()["steps"] == 1
    assert client.get("/state").json()["task_id"] is None
    assert client.post("/step", json=SEARCH).status_code == 409
    assert client.post("/step", json={**SEARCH, "session_id": "a"}).status_code == 200


@pytest.mark.parametrize(
    ("body", "says"),
    [
        (b"{", "not valid JSON"),
        (b'{"action": NaN}', "not valid JSON"),
        (b"[" * 100_000, "not valid JSON"),
        (b"[1]", "must be a JSON object"),
        (b'{"actin": 1}', "action: Field required"),
        (b'{"action": "x"}', "action: Input should be a valid dictionary"),
        (b'{"action": {}, "more": 1}', "more: Extra inputs"),
        (b'{"action": {}, "session_id": 3}', "a session's name is a text"),
        (json.dumps({"action": {}, "session_id": "x" * (MAX_NAME_CHARS + 1)}).encode(), "a session's name is a text"),
        (b"\xff\xfe", "not valid JSON"),
    ],
)
def test_a_malformed_envelope_is_422_and_leaves_the_episode_alone(client: TestClient, body: bytes, says: str) -> None:
    client.post("/reset", json={})
    answer = client.post("/step", content=body)
    assert answer.status_code == 422
    assert says in answer.json()["error"]
    assert client.get("/state").json()["steps"] == 0


def test_a_wrong_action_is_the_environments_to_answer(client: TestClient) -> None:
    client.post("/reset", json={})
    answer = client.post("/step", json={"action": {"name": "search_emails", "arguments": {"keywords": "toner"}}})
    assert answer.status_code == 200
    assert answer.json()["observation"]["kind"] == "error"
    assert answer.json()["reward"] < 0


def test_calls_out_of_order_have_their_statuses(client: TestClient) -> None:
    assert client.post("/step", json=SEARCH).status_code == 409
    assert client.post("/reset", json={"task_id": "none"}).status_code == 404
    client.post("/reset", json={})
    for _ in range(3):
        client.post("/step", json=SEARCH)
    over = client.post("/step", json=SEARCH)
    assert over.status_code == 409
    assert "the episode is over" in over.json()["error"]
    assert client.get("/no-such-route").status_code == 404


def test_over_capacity_is_503_and_says_when_to_try_again(client: TestClient) -> None:
    for name in "ab":
        assert client.post("/reset", json={"session_id": name}).status_code == 200
    full = client.post("/reset", json={"session_id": "c"})
    assert full.status_code == 503
    assert full.headers["retry-after"] == "5"
    assert "--max-sessions" in full.json()["error"]


def test_nothing_of_an_answer_key_is_in_any_answer(client: TestClient, small_tasks: TaskSet[Any, Any]) -> None:
    for task_id, key in small_tasks.keys.items():
        texts = [client.post("/reset", json={"task_id": task_id}).text, client.get("/state").text]
        texts += [client.get(path).text for path in ("/tasks", "/info", "/openapi.json", "/health")]
        texts += [client.post("/step", json={"action": {}}).text, client.post("/step", json={}).text]
        assert not [text for text in texts for secret in key.message_ids if secret in text]


def test_an_environment_that_fails_shows_no_trace(small_tasks: TaskSet[Any, Any]) -> None:
    broken = TaskSet("test", small_tasks.folder / "gone", small_tasks.tasks, small_tasks.keys)
    with TestClient(make_app([served(broken)])) as client:
        answer = client.post("/reset", json={})
    assert answer.status_code == 500
    assert answer.json() == {"error": "the environment failed: see the server's log"}


def test_several_environments_live_below_their_ids(small_tasks: TaskSet[Any, Any]) -> None:
    other = Served(get_spec("search"), small_tasks, "classic", own_dialect())
    with TestClient(make_app([served(small_tasks), other])) as client:
        assert client.get("/").json() == {"environments": {"find": "/find/", "search": "/search/"}}
        assert client.get("/health").json() == {"status": "healthy"}
        client.post("/find/reset", json={})
        assert client.post("/search/step", json=SEARCH).status_code == 409
        assert client.get("/search/info").json()["profile"] == "classic"


def test_the_description_names_every_route_and_body(client: TestClient) -> None:
    paths = client.get("/openapi.json").json()["paths"]
    assert {"/reset", "/step", "/state", "/health", "/tasks", "/info"} <= paths.keys()
    body = paths["/step"]["post"]["requestBody"]["content"]["application/json"]["schema"]
    assert body["required"] == ["action"]


def test_further_routes_are_services(small_tasks: TaskSet[Any, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    ids, best = small_tasks.task_ids, pytest.approx(0.99)  # two turns, each priced
    routes = (
        Route("GET", "/grader", "score", "The score.", fixed={"debug_variable": "MAILGYM_TEST_DEBUG"}),
        Route("GET", "/log", "episode_log", "The log.", shape=lambda found: found["steps"]),
        Route("GET", "/sample", "sample_action", "A sample.", fixed={"action": {"name": "x"}}),
        Route(
            "GET",
            "/baseline",
            "baseline",
            "A baseline.",
            fixed={"player": "oracle", "groups": {"all": lambda task_id: True, "first": ids[0].__eq__}},
        ),
        Route(
            "GET", "/none", "baseline", "No tasks.", fixed={"player": "null", "groups": {"x": lambda task_id: False}}
        ),
    )
    with TestClient(make_app([served(small_tasks, dialect=replace(own_dialect(), routes=routes))])) as client:
        assert client.get("/grader").status_code == 409
        client.post("/reset", json={})
        step = client.post("/step", json=SEARCH).json()
        assert client.get("/grader").json() == {"score": step["reward"], "steps": 1, "done": False}
        monkeypatch.setenv("MAILGYM_TEST_DEBUG", "1")
        assert client.get("/grader").json()["parts"]
        assert client.get("/log").json() == [{"step": 1, "action": SEARCH["action"], "reward": step["reward"]}]
        assert client.get("/sample").json() == {"name": "x"}
        found = client.get("/baseline").json()
        assert found == {"agent": "oracle", "scores": {"all": best, "first": best}, "average": best}
        assert "no tasks of x" in client.get("/none").json()["error"]


def test_choosing_a_task() -> None:
    assert chosen(["a", "b"], None) == "a"
    assert {chosen(["a", "b", "c"], seed) for seed in range(20)} == {"a", "b", "c"}
    with pytest.raises(ValueError, match="no task"):
        chosen([], 1)
