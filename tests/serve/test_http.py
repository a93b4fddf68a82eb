import asyncio
import socket
from typing import Any

import pytest

from mailgym.core.errors import UserError
from mailgym.serve.http import Place, RequireToken, allowed_names, check_access, listen, read_place

TOKEN = "correct-horse-battery"


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("8123", Place("127.0.0.1", 8123)),
        (":8123", Place("127.0.0.1", 8123)),
        ("0", Place("127.0.0.1", 0)),
        (" LocalHost:80 ", Place("localhost", 80)),
        ("[::1]:80", Place("::1", 80)),
        ("0.0.0.0:65535", Place("0.0.0.0", 65535)),
        ("mail.example:80", Place("mail.example", 80)),
    ],
)
def test_a_place_is_read_and_without_a_host_it_is_this_machine_alone(text: str, place: Place) -> None:
    assert read_place(text) == place


@pytest.mark.parametrize(
    "text", ["", "host", "host:", "host:x", "host:70000", "::1:80", "http://h:80", "a b:80", "h:-1"]
)
def test_what_is_no_place_is_refused_with_an_example(text: str) -> None:
    with pytest.raises(UserError, match="write HOST:PORT, such as"):
        read_place(text)


@pytest.mark.parametrize(
    ("host", "is_local"),
    [
        *[("127.0.0.1", True), ("127.8.9.1", True), ("::1", True), ("localhost", True)],
        *[("0.0.0.0", False), ("::", False), ("192.168.1.5", False), ("mail.example", False), ("localhost.eve", False)],
    ],
)
def test_only_loopback_counts_as_local(host: str, is_local: bool) -> None:
    assert Place(host, 1).is_local is is_local


def test_others_may_reach_a_server_only_with_a_token() -> None:
    check_access(Place("127.0.0.1", 1), None, [])
    check_access(Place("192.168.1.5", 1), TOKEN, [])
    check_access(Place("0.0.0.0", 1), TOKEN, ["mail.example", "[fd00::5]"])
    with pytest.raises(UserError, match=r"mail is private: add --token TOKEN, or serve on 127\.0\.0\.1:1"):
        check_access(Place("192.168.1.5", 1), None, [])
    with pytest.raises(UserError, match="no name to call a server by: add --name NAME"):
        check_access(Place("0.0.0.0", 1), TOKEN, [])


@pytest.mark.parametrize("token", ["", "short", "fifteen-chars-x", "größer-als-sechzehn", "has\x07a-bell-in-the-token"])
def test_a_token_that_can_be_guessed_or_not_be_sent_is_refused(token: str) -> None:
    with pytest.raises(UserError, match=r"secrets\.token_urlsafe"):
        check_access(Place("127.0.0.1", 1), token, [])


def test_a_token_with_a_blank_is_refused() -> None:
    with pytest.raises(UserError, match="blank"):
        check_access(Place("127.0.0.1", 1), "a token of many words", [])


@pytest.mark.parametrize("name", ["", "http://mail.example", "mail.example:80", "mail.example/mcp", "*", "-x"])
def test_a_name_is_a_host_alone(name: str) -> None:
    with pytest.raises(UserError, match="without scheme, port or path"):
        check_access(Place("0.0.0.0", 1), TOKEN, [name])


def test_a_server_answers_to_its_own_names_and_to_no_wildcard() -> None:
    local = ["localhost", "127.0.0.1", "[::1]"]
    assert allowed_names(Place("127.0.0.1", 1), []) == local
    assert allowed_names(Place("fd00::5", 1), ["mail.example"]) == [*local, "[fd00::5]", "mail.example"]
    assert allowed_names(Place("0.0.0.0", 1), ["mail.example"]) == [*local, "mail.example"]


def test_listening_takes_a_free_port_and_a_taken_one_is_an_error_that_says_so() -> None:
    with listen(Place("127.0.0.1", 0)) as listening:
        host, port = listening.getsockname()
        assert host == "127.0.0.1"
        with socket.create_connection((host, port), timeout=5):
            pass
        with pytest.raises(UserError, match=rf"cannot listen on 127\.0\.0\.1:{port} .*: choose another port"):
            listen(Place("127.0.0.1", port))


def test_a_host_that_is_none_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown(*_: Any, **__: Any) -> None:
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

    monkeypatch.setattr(socket, "getaddrinfo", unknown)
    with pytest.raises(UserError, match="is no host of this machine"):
        listen(Place("nowhere.example", 0))


def answered(headers: list[tuple[bytes, bytes]], kind: str = "http") -> list[Any]:
    """Send one request through the guard; return what was sent back, ``["passed"]`` where the application was asked."""
    sent: list[Any] = []

    async def app(_scope: Any, _receive: Any, _send: Any) -> None:
        sent.append("passed")

    async def send(message: Any) -> None:
        sent.append(message)

    async def receive() -> Any:
        raise AssertionError("the guard reads no body")

    asyncio.run(RequireToken(app, TOKEN)({"type": kind, "headers": headers}, receive, send))
    return sent


def test_the_token_opens_in_any_case_of_the_scheme() -> None:
    for scheme in (b"Bearer", b"bearer"):
        assert answered([(b"authorization", scheme + b" " + TOKEN.encode())]) == ["passed"]
    assert answered([], kind="lifespan") == ["passed"]


@pytest.mark.parametrize(
    "headers",
    [
        [],
        [(b"authorization", TOKEN.encode())],
        [(b"authorization", b"Basic " + TOKEN.encode())],
        [(b"authorization", b"Bearer")],
        [(b"authorization", b"Bearer " + TOKEN[:-1].encode())],
        [(b"authorization", b"Bearer " + TOKEN.encode() + b"x")],
        [(b"authorization", b"Bearer " + TOKEN.upper().encode())],
        [(b"authorization", b"Bearer wrong"), (b"authorization", b"Bearer " + TOKEN.encode())],
        [(b"x-token", b"Bearer " + TOKEN.encode())],
    ],
)
def test_whatever_is_not_the_token_gets_401_and_reaches_nothing(headers: list[tuple[bytes, bytes]]) -> None:
    start, body = answered(headers)
    assert start["status"] == 401
    assert (b"www-authenticate", b"Bearer") in start["headers"]
    assert b"Authorization: Bearer TOKEN" in body["body"]
    assert answered(headers, kind="websocket") == [{"type": "websocket.close", "code": 1008}]
