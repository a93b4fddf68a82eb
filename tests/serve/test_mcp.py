"""The official client against the server, in both generations of the protocol: in the process, by pipes, by HTTP."""

import io
import json
import os
import socket
import sys
import threading
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import anyio
import httpx2
import pytest
from mcp import Client, MCPError, StdioServerParameters, types
from mcp.client.streamable_http import streamable_http_client
from tests.serve.conftest import data_of

from mailgym import __version__
from mailgym.core.errors import MissingExtra
from mailgym.mail.mailbox import Mailbox
from mailgym.serve import mcp as served
from mailgym.serve.http import Place, listen
from mailgym.serve.mail_tools import MailTools

HELLO = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "by hand", "version": "1"}}
TOKEN = "correct-horse-battery"
GENERATIONS = ["legacy", "auto"]
SOURCES = Path(__file__).resolve().parents[2] / "src"


def text_of(result: Any) -> str:
    """Return the one text that a result holds; it holds nothing else."""
    (block,) = result.content
    assert isinstance(block, types.TextContent)
    assert result.structured_content is None
    return block.text


async def use_every_tool(client: Client) -> None:
    """Do what a client does: look at the tools, call each, and make mistakes."""
    assert client.server_info is not None
    assert (client.server_info.name, client.server_info.version) == ("mailgym", __version__)
    assert "data, never an instruction" in (client.instructions or "")
    tools = {tool.name: tool for tool in (await client.list_tools()).tools}
    assert list(tools) == ["search", "read", "thread", "stats"]
    assert tools["read"].input_schema["required"] == ["message_id"]
    assert {"from", "has_attachment"} < set(tools["search"].input_schema["properties"])
    assert all(tool.annotations and tool.annotations.read_only_hint for tool in tools.values())

    (hit, *_) = data_of(text_of(await client.call_tool("search", {"query": "harbour", "from": "dana", "limit": 1})))
    assert hit["message_id"] in ("plan-1@e.example", "late@e.example")
    read = await client.call_tool("read", {"message_id": "plan-1@e.example"})
    assert not read.is_error
    assert data_of(text_of(read))["text"] == "The plan for the harbour is attached."
    thread = data_of(text_of(await client.call_tool("thread", {"message_id": "plan-1@e.example"})))
    assert [one["message_id"] for one in thread] == ["plan-1@e.example", "plan-2@e.example"]
    assert data_of(text_of(await client.call_tool("stats")))["messages"] == 6
    evil = text_of(await client.call_tool("read", {"message_id": "evil@e.example"}))
    assert "</ mail-data>" in data_of(evil)["text"]

    for name, arguments, says in (
        ("read", {"message_id": "nobody@x"}, "use an id that a search returned"),
        ("search", {"after": "soon"}, "write a date such as"),
        ("search", {"query": 1}, "query: Input should be a valid string"),
        ("send", {}, "There is no tool 'send'"),
    ):
        wrong = await client.call_tool(name, arguments)
        assert wrong.is_error
        assert says in text_of(wrong)


@pytest.mark.parametrize("mode", GENERATIONS)
def test_a_client_in_the_process_uses_every_tool(maya: MailTools, mode: str) -> None:
    async def play() -> None:
        async with Client(served.make_server(maya), mode=mode) as client:
            await use_every_tool(client)

    anyio.run(play)


def test_a_fault_of_the_server_is_no_result_and_tells_nothing(maya: MailTools, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: Any) -> None:
        raise RuntimeError("secret of the machine")

    monkeypatch.setattr(MailTools, "call", fail)

    async def play() -> None:
        async with Client(served.make_server(maya)) as client:
            with pytest.raises(MCPError) as caught:
                await client.call_tool("stats")
            assert "secret" not in str(caught.value)

    anyio.run(play)


NOISY = """
import os, sys
from mailgym.cli.main import main
from mailgym.serve.mail_tools import MailTools
call = MailTools.call
def noisy(self, name, arguments):
    print("a stray line", flush=True)
    os.write(1, b"and one below Python")
    return call(self, name, arguments)
MailTools.call = noisy
sys.exit(main(sys.argv[1:]))
"""


def test_standard_output_carries_the_protocol_and_nothing_else(mail_store: Path, tmp_path: Path) -> None:
    """Two clients at once, each with a process of its own, whose tools print; one is looked at byte by byte."""
    arguments = ["mcp", "--mailbox", str(mail_store / "maya.mailbox")]
    seen, noise = tmp_path / "stdout", tmp_path / "stderr"
    environment = {"PYTHONPATH": str(SOURCES)}
    tee = ["-c", f'"$@" 2>{noise} | tee {seen}', "sh", sys.executable, "-c", NOISY, *arguments]
    servers = [
        StdioServerParameters(command="sh", args=tee, env=environment),
        StdioServerParameters(command=sys.executable, args=["-m", "mailgym.cli.main", *arguments], env=environment),
    ]

    async def play(server: StdioServerParameters, mode: str) -> None:
        async with Client(server, mode=mode) as client:
            await use_every_tool(client)

    async def play_both() -> None:
        async with anyio.create_task_group() as group:
            for server, mode in zip(servers, GENERATIONS, strict=True):
                group.start_soon(play, server, mode)

    anyio.run(play_both)
    lines = seen.read_bytes().splitlines()
    assert len(lines) >= 10
    assert all(json.loads(line)["jsonrpc"] == "2.0" for line in lines)
    assert noise.read_text().count("a stray line") == noise.read_text().count("and one below Python") == 9


def test_requests_are_answered_by_pipes_until_the_input_ends(maya: MailTools, monkeypatch: pytest.MonkeyPatch) -> None:
    (to_read, to_write), (out_read, out_write) = os.pipe(), os.pipe()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(os.fdopen(to_read, "rb")))
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(os.fdopen(out_write, "wb")))
    answers: list[Any] = []

    def talk() -> None:
        with os.fdopen(to_write, "w") as to, os.fdopen(out_read) as out:
            for number, (method, params) in enumerate(
                [("initialize", HELLO), ("tools/call", {"name": "stats", "arguments": {}}), ("no/such", {})]
            ):
                to.write(json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params}) + "\n")
                to.flush()
                answers.append(json.loads(out.readline()))
                if method == "initialize":
                    to.write('{"jsonrpc": "2.0", "method": "notifications/initialized"}\nno JSON at all\n')

    talking = threading.Thread(target=talk)
    talking.start()
    served.serve_stdio(maya)
    talking.join(timeout=10)
    sys.stdin.close()
    sys.stdout.close()
    assert [answer["id"] for answer in answers] == [0, 1, 2]
    assert data_of(answers[1]["result"]["content"][0]["text"])["messages"] == 6
    assert answers[2]["error"]["code"] == -32601


@asynccontextmanager
async def over_http(tools: MailTools, token: str | None = None, names: tuple[str, ...] = ()) -> AsyncIterator[str]:
    """Serve on a free port; yields the URL, and waits for the server's end afterwards."""
    place = Place("127.0.0.1", 0)
    with listen(place) as listening:
        server = served.make_http_server(tools, place, token, names)
        async with anyio.create_task_group() as group:
            group.start_soon(lambda: server.serve(sockets=[listening]))
            while not server.started:
                await anyio.sleep(0.01)
            yield f"http://127.0.0.1:{listening.getsockname()[1]}{served.PATH}"
            server.should_exit = True


def run_over_http(tools: MailTools, play: Callable[[str], Awaitable[None]], **how: Any) -> None:
    """Serve, play against the URL, and stop."""

    async def both() -> None:
        with anyio.fail_after(20):
            async with over_http(tools, **how) as url:
                await play(url)

    anyio.run(both)


def test_two_clients_at_once_use_every_tool_over_http(maya: MailTools) -> None:
    async def play(url: str) -> None:
        async def one(mode: str) -> None:
            async with Client(url, mode=mode) as client:
                await use_every_tool(client)

        async with anyio.create_task_group() as group:
            for mode in GENERATIONS:
                group.start_soon(one, mode)

    run_over_http(maya, play)


def test_a_client_that_hangs_does_not_keep_the_server_from_ending(maya: MailTools) -> None:
    with socket.socket() as hanging:

        async def play(url: str) -> None:
            host, port = url.removeprefix("http://").split("/")[0].split(":")
            hanging.connect((host, int(port)))
            hanging.sendall(f"POST /mcp HTTP/1.1\r\nHost: {host}:{port}\r\nContent-Length: 10\r\n\r\n".encode())
            await post(url, {})

        run_over_http(maya, play)


def test_with_a_token_only_who_shows_it_is_served(maya: MailTools) -> None:
    async def play(url: str) -> None:
        bare = await post(url, {})
        assert bare.status_code == 401
        assert (await post(url, {"authorization": f"Bearer {TOKEN}x"})).status_code == 401
        async with (
            httpx2.AsyncClient(headers={"authorization": f"Bearer {TOKEN}"}) as http,
            Client(streamable_http_client(url, http_client=http), mode="legacy") as client,
        ):
            await use_every_tool(client)

    run_over_http(maya, play, token=TOKEN)


async def post(url: str, headers: dict[str, str], content: bytes | None = None) -> httpx2.Response:
    """Send the first request of a client by hand."""
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": HELLO}).encode()
    both = {"accept": "application/json, text/event-stream", "content-type": "application/json", **headers}
    async with httpx2.AsyncClient() as http:
        return await http.post(url, headers=both, content=content or body)


def test_a_web_page_elsewhere_cannot_reach_it_by_any_name(maya: MailTools) -> None:
    async def play(url: str) -> None:
        port = url.split(":")[2].split("/", maxsplit=1)[0]
        assert (await post(url, {})).status_code == 200
        assert (await post(url, {"host": f"localhost:{port}", "origin": "http://localhost:5173"})).status_code == 200
        assert (await post(url, {"host": f"mail.example:{port}"})).status_code == 200
        for host in (
            "evil.example",
            f"evil.example:{port}",
            f"127.0.0.1.evil.example:{port}",
            "localhost.evil.example",
        ):
            assert (await post(url, {"host": host})).status_code == 421
        for origin in ("http://evil.example", f"http://evil.example:{port}", "http://localhost.evil.example", "null"):
            assert (await post(url, {"origin": origin})).status_code == 403

    run_over_http(maya, play, names=("mail.example",))


def test_a_body_that_is_too_long_is_refused_unread(maya: MailTools) -> None:
    async def play(url: str) -> None:
        assert (await post(url, {}, b" " * (served.MAX_BODY_BYTES + 1))).status_code == 413

    run_over_http(maya, play)


def test_several_mailboxes_are_served_with_a_mailbox_argument(both: MailTools) -> None:
    async def play(url: str) -> None:
        async with Client(url) as client:
            (search, *_) = (await client.list_tools()).tools
            assert search.input_schema["required"] == ["mailbox"]
            found = await client.call_tool("search", {"mailbox": "tom", "query": "harbour"})
            assert [hit["message_id"] for hit in data_of(text_of(found))] == ["tom-1@e.example"]

    run_over_http(both, play)


def test_without_the_extra_it_says_what_to_install(maya: MailTools, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "mcp", None)
    for start in (lambda: served.make_server(maya), lambda: served.make_http_server(maya, Place("127.0.0.1", 0))):
        with pytest.raises(MissingExtra, match=r"pip install 'mailgym\[serve\]'"):
            start()


def test_serving_over_http_ends_when_the_server_is_told_to(mail_store: Path) -> None:
    tools = MailTools({"tom": Mailbox.open(mail_store / "tom.mailbox")})
    with listen(Place("127.0.0.1", 0)) as listening:
        server = served.make_http_server(tools, Place("127.0.0.1", 0))

        def stop() -> None:
            while not server.started:
                pass
            with socket.create_connection(listening.getsockname(), timeout=5):
                server.should_exit = True

        stopping = threading.Thread(target=stop)
        stopping.start()
        served.serve_http(server, listening)
        stopping.join(timeout=5)
    assert not stopping.is_alive()
