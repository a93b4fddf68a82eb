"""The remote model against a real server on the loopback address."""

import json
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from mailgym.core.episode import ChatMessage, ToolCall
from mailgym.core.errors import ConfigError
from mailgym.llm.base import ChatRequest, Sampling, ToolSpec
from mailgym.llm.cache import CallCache
from mailgym.llm.remote import Price, RemoteModel

Answer = tuple[int, dict[str, Any], float]


def completion(text: str | None, usage: bool = True, **message: Any) -> dict[str, Any]:
    body: dict[str, Any] = {
        "id": "c1",
        "object": "chat.completion",
        "created": 1,
        "model": "m",
        "choices": [
            {
                "index": 0,
                "finish_reason": "stop",
                "message": {"role": "assistant", "content": text, **message},
            }
        ],
    }
    if usage:
        body["usage"] = {"prompt_tokens": 10, "completion_tokens": 4, "total_tokens": 14}
    return body


def error(text: str) -> dict[str, Any]:
    return {"error": {"message": text, "type": "t", "code": "c"}}


class StubServer(ThreadingHTTPServer):
    """Answers from a function of the call's number and body; counts what is in flight."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.calls: list[dict[str, Any]] = []
        self.keys: list[str] = []
        self.lock = threading.Lock()
        self.in_flight = self.most_in_flight = 0
        self.answer: Any = lambda number, body: (
            200,
            completion(f"said {body['messages'][-1]['content']}"),
            0.0,
        )

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/v1"

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that gave up is no error of the server's."""


class _Handler(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        server = self.server
        assert isinstance(server, StubServer)
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        with server.lock:
            server.calls.append(body)
            server.keys.append(self.headers.get("Authorization", ""))
            number = len(server.calls)
            server.in_flight += 1
            server.most_in_flight = max(server.most_in_flight, server.in_flight)
        status, answer, delay_s = server.answer(number, body)
        time.sleep(delay_s)
        with server.lock:
            server.in_flight -= 1
        data = json.dumps(answer).encode() if isinstance(answer, dict) else answer
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.send_header("retry-after-ms", "1")
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *args: Any) -> None:
        """Stay quiet."""


@pytest.fixture
def server() -> Iterator[StubServer]:
    with StubServer() as stub:
        thread = threading.Thread(target=stub.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        thread.start()
        yield stub
        stub.shutdown()
        thread.join()


@pytest.fixture(autouse=True)
def no_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)


def ask(*texts: str, seed: int = 0) -> list[ChatRequest]:
    return [ChatRequest((ChatMessage("system", "s"), ChatMessage("user", text)), seed=seed) for text in texts]


def test_it_answers_in_order_with_usage_and_cost(server: StubServer) -> None:
    with RemoteModel("m", server.url, "key", price=Price(2.0, 10.0)) as model:
        replies = model.chat(ask(*"abcdef", seed=2**40 + 5), Sampling(temperature=0.5, max_tokens=9))
        assert model.name == "m"
    assert [reply.text for reply in replies] == [f"said {letter}" for letter in "abcdef"]
    # 10 prompt tokens at 2 dollars a million and 4 completion tokens at 10: 60 millionths.
    assert replies[0].usage == {
        "prompt_tokens": 10.0,
        "completion_tokens": 4.0,
        "cost_usd": pytest.approx(60e-6),
    }
    assert replies[0].failure is None
    sent = server.calls[0]
    assert (sent["model"], sent["temperature"], sent["max_tokens"], sent["seed"]) == ("m", 0.5, 9, 5)
    assert [message["role"] for message in sent["messages"]] == ["system", "user"]
    assert set(server.keys) == {"Bearer key"}


def test_nothing_asked_is_nothing_sent(server: StubServer) -> None:
    with RemoteModel("m", server.url) as model:
        assert model.chat([], Sampling()) == []
    assert server.calls == []


def test_settings_come_from_the_environment(server: StubServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "from-env")
    monkeypatch.setenv("OPENAI_BASE_URL", server.url + "/")
    with RemoteModel("m") as model:
        assert model.chat(ask("a"), Sampling())[0].text == "said a"
        assert model.endpoint == server.url
    assert server.keys == ["Bearer from-env"]


def test_the_official_endpoint_needs_a_key() -> None:
    with pytest.raises(ConfigError, match="set OPENAI_API_KEY"):
        RemoteModel("m")


@pytest.mark.parametrize("wrong", [{"timeout_s": 0}, {"retries": -1}, {"concurrency": 0}])
def test_numbers_out_of_range_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ConfigError, match="concurrency >= 1"):
        RemoteModel("m", "http://127.0.0.1:9", **wrong)


def test_it_tries_again(server: StubServer) -> None:
    server.answer = lambda number, body: (500, error("busy"), 0.0) if number < 3 else (200, completion("at last"), 0.0)
    with RemoteModel("m", server.url, retries=3) as model:
        assert model.chat(ask("a"), Sampling())[0].text == "at last"
    assert len(server.calls) == 3


@pytest.mark.parametrize(
    ("status", "words"),
    [(500, "failed with status 500: Error code: 500"), (429, "rate limit or quota"), (400, "status 400")],
)
def test_a_failure_is_a_value(server: StubServer, status: int, words: str) -> None:
    server.answer = lambda number, body: (status, error("no"), 0.0)
    with RemoteModel("m", server.url, retries=0) as model:
        (reply,) = model.chat(ask("a"), Sampling())
    assert reply.failure is not None
    assert reply.failure.boundary == "model"
    assert words in reply.failure.message
    assert reply.text == ""


@pytest.mark.parametrize(
    ("status", "words"), [(401, "OPENAI_API_KEY"), (403, "OPENAI_API_KEY"), (404, "does not exist")]
)
def test_a_refusal_stops_the_requests_that_follow(server: StubServer, status: int, words: str) -> None:
    server.answer = lambda number, body: (status, error("no"), 0.0)
    with RemoteModel("m", server.url, retries=2, concurrency=1) as model:
        replies = model.chat(ask(*"abcde"), Sampling())
    assert all(reply.failure and words in reply.failure.message for reply in replies)
    assert len(server.calls) == 1


def test_a_time_out_is_a_value(server: StubServer) -> None:
    server.answer = lambda number, body: (200, completion("late"), 0.5)
    with RemoteModel("m", server.url, retries=0, timeout_s=0.05) as model:
        (reply,) = model.chat(ask("a"), Sampling())
    assert reply.failure is not None
    assert "did not answer in time" in reply.failure.message


def test_an_endpoint_that_is_not_there_is_a_value() -> None:
    with RemoteModel("m", "http://127.0.0.1:9/v1", retries=0) as model:
        (reply,) = model.chat(ask("a"), Sampling())
    assert reply.failure is not None
    assert "cannot be reached" in reply.failure.message
    assert "OPENAI_BASE_URL" in reply.failure.message


def test_answers_that_are_no_completions_are_values(server: StubServer) -> None:
    bodies: list[Any] = [
        b"<html>hello</html>",
        {"choices": []},
        b"[1]",
        b'"text"',
        {"choices": [{"message": 3}]},
    ]
    server.answer = lambda number, body: (200, bodies[number - 1], 0.0)
    with RemoteModel("m", server.url, retries=0, concurrency=1) as model:
        replies = model.chat(ask(*"abcde"), Sampling())
    reasons = [reply.failure.message if reply.failure else "" for reply in replies]
    assert all("is it an OpenAI-compatible endpoint?" in reason for reason in reasons), reasons
    assert "without a choice" in reasons[1]


def test_a_refusal_in_words_is_the_text(server: StubServer) -> None:
    server.answer = lambda number, body: (200, completion(None, usage=False, refusal="I will not."), 0.0)
    with RemoteModel("m", server.url) as model:
        (reply,) = model.chat(ask("a"), Sampling())
    assert (reply.text, reply.usage) == ("I will not.", {})


def test_a_model_that_knows_the_limit_by_another_name(server: StubServer) -> None:
    def answer(number: int, body: dict[str, Any]) -> Answer:
        if "max_tokens" in body:
            return (
                400,
                error("Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."),
                0.0,
            )
        return 200, completion("ok"), 0.0

    server.answer = answer
    with RemoteModel("m", server.url, concurrency=1) as model:
        assert [reply.text for reply in model.chat(ask("a", "b"), Sampling(max_tokens=7))] == ["ok", "ok"]
    assert [call.get("max_completion_tokens") for call in server.calls] == [None, 7, 7]


def test_no_more_than_the_concurrency_are_in_flight(server: StubServer) -> None:
    server.answer = lambda number, body: (200, completion("ok"), 0.02)
    with RemoteModel("m", server.url, concurrency=3) as model:
        model.chat(ask(*"abcdefghi"), Sampling())
    assert 2 <= server.most_in_flight <= 3


def test_what_was_paid_once_is_not_paid_again(server: StubServer, tmp_path: Path) -> None:
    def fresh() -> RemoteModel:
        return RemoteModel("m", server.url, price=Price(1.0, 1.0), cache=CallCache(tmp_path / "calls"))

    with fresh() as model:
        model.chat(ask("a"), Sampling())
    with fresh() as model:
        again, other_seed = model.chat([*ask("a"), *ask("a", seed=1)], Sampling())
    assert (again.text, again.usage["cached"], again.usage["cost_usd"]) == ("said a", 1.0, 0.0)
    assert "cached" not in other_seed.usage
    assert len(server.calls) == 2


TOOL = ToolSpec("search", "Searches.", {"type": "object", "properties": {}})


def test_tools_are_sent_and_calls_come_back_in_the_endpoints_form(server: StubServer) -> None:
    call = {"id": "c1", "type": "function", "function": {"name": "search", "arguments": '{"a": 1}'}}
    server.answer = lambda number, body: (200, completion(None, tool_calls=[call]), 0.0)
    said = (
        ChatMessage("user", "hello"),
        ChatMessage("assistant", "", (ToolCall("c0", "search", "{}"),)),
        ChatMessage("tool", "nothing", call_id="c0"),
    )
    with RemoteModel("m", server.url, "key") as model:
        assert model.takes_tools
        (reply,) = model.chat([ChatRequest(said, tools=(TOOL,))], Sampling())
        model.chat(ask("plain"), Sampling())
    assert (reply.text, reply.calls) == ("", (ToolCall("c1", "search", '{"a": 1}'),))
    sent = server.calls[0]
    assert sent["tools"] == [
        {"type": "function", "function": {"name": "search", "description": "Searches.", "parameters": TOOL.parameters}}
    ]
    assert sent["messages"][1]["tool_calls"][0]["function"] == {"name": "search", "arguments": "{}"}
    assert sent["messages"][2] == {"role": "tool", "content": "nothing", "tool_call_id": "c0"}
    assert "tools" not in server.calls[1]
    assert "tool_calls" not in server.calls[1]["messages"][0]


def test_an_endpoint_that_takes_no_tools_is_told_with_what_to_do(server: StubServer) -> None:
    server.answer = lambda number, body: (400, error("tools are not supported"), 0.0)
    with RemoteModel("m", server.url, "key", retries=0) as model:
        (reply,) = model.chat([ChatRequest((ChatMessage("user", "hello"),), tools=(TOOL,))], Sampling())
    assert reply.failure is not None
    assert "status 400" in reply.failure.message
    assert "--tool-calls text" in reply.failure.message
