"""What stands before every server: names, lengths, tokens, the log."""

import json
import logging
from collections.abc import Iterator
from typing import Any

import anyio
import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route
from starlette.testclient import TestClient

from mailgym.serve.guard import MAX_BODY_BYTES, guarded

TOKEN = "a-token-of-some-length"


async def length(request: Request) -> PlainTextResponse:
    return PlainTextResponse(str(len(await request.body())))


def client_of(token: str | None = None, log_requests: bool = True) -> TestClient:
    inner = Starlette(routes=[Route("/", length, methods=["GET", "POST"])])
    app: Any = guarded(inner, ["localhost", "testserver"], token, log_requests)
    return TestClient(app)


@pytest.fixture
def client() -> Iterator[TestClient]:
    with client_of() as found:
        yield found


def test_only_the_servers_own_names_pass(client: TestClient) -> None:
    assert client.get("/").status_code == 200
    assert client.get("/", headers={"Host": "LOCALHOST:8000"}).status_code == 200
    refused = client.get("/", headers={"Host": "evil.example"})
    assert refused.status_code == 421
    assert "--name" in refused.json()["error"]
    assert client.get("/", headers={"Origin": "https://evil.example"}).status_code == 421
    assert client.get("/", headers={"Origin": "http://localhost:3000"}).status_code == 200


def test_bodies_have_a_limit_whatever_is_said_of_their_length(client: TestClient) -> None:
    assert client.post("/", content=b"x" * MAX_BODY_BYTES).text == str(MAX_BODY_BYTES)
    assert client.post("/", content=b"x" * (MAX_BODY_BYTES + 1)).status_code == 413

    def pieces() -> Iterator[bytes]:
        for _ in range(20):
            yield b"x" * 100_000

    assert client.post("/", content=pieces()).status_code == 413


def test_a_token_is_wanted_where_there_is_one() -> None:
    with client_of(TOKEN) as client:
        assert client.get("/").status_code == 401
        assert client.get("/", headers={"Authorization": "Bearer wrong-token-of-length"}).status_code == 401
        assert client.get("/", headers={"Authorization": f"Bearer {TOKEN}"}).status_code == 200


def test_the_log_has_no_body_query_or_session(client: TestClient, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO, "mailgym.access"):
        client.post("/?session_id=secret", content=b"secret", headers={"X-Session-Id": "secret"})
        client.get("/nothing")
    lines = [json.loads(record.message) for record in caplog.records if record.name == "mailgym.access"]
    assert [(line["path"], line["status"]) for line in lines] == [("/", 200), ("/nothing", 404)]
    assert "secret" not in json.dumps(lines)


def test_the_log_can_be_left_out(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO, "mailgym.access"), client_of(log_requests=False) as client:
        client.get("/")
    assert not [record for record in caplog.records if record.name == "mailgym.access"]


def asked(scope: dict[str, Any], events: list[dict[str, Any]], token: str | None = None) -> list[dict[str, Any]]:
    """Return what the guards send for one connection, whose client says ``events``."""
    sent: list[dict[str, Any]] = []
    reached: list[dict[str, Any]] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        reached.append(scope)

    async def receive() -> dict[str, Any]:
        return events.pop(0)

    async def send(event: Any) -> None:
        sent.append(event)

    anyio.run(guarded(app, ["testserver"], token), scope, receive, send)
    assert not reached
    return sent


def test_a_client_that_leaves_in_the_middle_of_a_body_reaches_nothing_and_gets_nothing() -> None:
    scope = {"type": "http", "method": "POST", "path": "/step", "headers": [(b"host", b"testserver")]}
    half = {"type": "http.request", "body": b'{"label": ', "more_body": True}
    assert asked(scope, [half, {"type": "http.disconnect"}]) == []


@pytest.mark.parametrize(("host", "token"), [(b"evil.example", None), (b"testserver", TOKEN)])
def test_a_websocket_is_refused_before_it_opens(host: bytes, token: str | None) -> None:
    sent = asked({"type": "websocket", "path": "/ws", "headers": [(b"host", host)]}, [], token)
    assert sent == [{"type": "websocket.close", "code": 1008}]
