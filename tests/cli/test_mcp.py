import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from mailgym.serve import mcp as served
from mailgym.serve.http import Place
from mailgym.serve.mail_tools import MailTools

TOKEN = "correct-horse-battery"
SOURCES = Path(__file__).resolve().parents[2] / "src"


class Served:
    """Stands in for the servers: notes what would be served, and how."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Take the place of both servers."""
        self.tools: MailTools | None = None
        self.how: tuple[Any, ...] = ()
        self.stats: dict[str, Any] = {}
        monkeypatch.setattr(served, "serve_stdio", lambda tools: self.take(tools, ("stdio",)))
        monkeypatch.setattr(served, "make_http_server", lambda tools, *how: self.take(tools, how))
        monkeypatch.setattr(served, "serve_http", lambda _server, listening: self.bind(listening))

    def take(self, tools: MailTools, how: tuple[Any, ...]) -> None:
        """Use the tools while the mailboxes are open."""
        self.tools, self.how = tools, how
        self.text = tools.call("stats", {}).text

    def bind(self, listening: Any) -> None:
        """Note where it listens."""
        self.bound = listening.getsockname()


@pytest.fixture
def serving(monkeypatch: pytest.MonkeyPatch) -> Served:
    """Servers that note what they would serve."""
    return Served(monkeypatch)


def test_one_mailbox_is_served_by_name_or_by_file(mailgym: Any, two_store: Path, serving: Served) -> None:
    for chosen in (["--mailbox", "tom", "--store", two_store], ["--mailbox", two_store / "tom.mailbox"]):
        result = mailgym("mcp", *chosen)
        assert (result.code, result.out, result.err) == (0, "", "")
        assert serving.how == ("stdio",)
        assert '"mailbox": "tom"' in serving.text
        assert '"messages": 2' in serving.text


def test_without_a_mailbox_all_of_the_store_are_served(mailgym: Any, two_store: Path, serving: Served) -> None:
    assert mailgym("mcp", "--store", two_store).code == 0
    assert serving.text.startswith("2 mailboxes.")


@pytest.mark.parametrize(
    ("as_of", "messages"),
    [("2025-03-04", 1), ("2025-03-05", 2), ("2025-03-05T09:59:00Z", 1), ("2025-03-05 10:00:00Z", 2)],
)
def test_mail_after_the_day_or_time_is_not_served(
    mailgym: Any, maya_store: Path, serving: Served, as_of: str, messages: int
) -> None:
    assert mailgym("mcp", "--store", maya_store, "--as-of", as_of).code == 0
    assert f'"messages": {messages}' in serving.text


def test_over_http_it_listens_on_this_machine_alone_and_says_where(
    mailgym: Any, maya_store: Path, serving: Served
) -> None:
    result = mailgym("mcp", "--store", maya_store, "--http", "0", "--as-of", "2025-03-05")
    assert result.code == 0
    assert result.out == ""
    assert serving.bound[0] == "127.0.0.1"
    url = f"http://127.0.0.1:{serving.bound[1]}/mcp"
    assert result.err.startswith(
        f"serving maya as of 2025-03-05 at {url} (without a token, for programs of this machine"
    )
    assert serving.how == (Place("127.0.0.1", 0), None, [])


def test_the_token_may_stand_in_the_environment(
    mailgym: Any, maya_store: Path, serving: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MAILGYM_MCP_TOKEN", TOKEN)
    result = mailgym("mcp", "--store", maya_store, "--http", "127.0.0.1:0", "--name", "mail.example")
    assert "(with the token)" in result.err
    assert TOKEN not in result.err
    assert serving.how == (Place("127.0.0.1", 0), TOKEN, ["mail.example"])


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--as-of", "soon"], "--as-of is 'soon': write a date such as 2001-05-14"),
        (["--http", "here"], "write HOST:PORT, such as 127.0.0.1:8123"),
        (["--http", "0.0.0.0:0"], "mail is private: add --token TOKEN"),
        (["--http", "0.0.0.0:0", "--token", TOKEN], "add --name NAME"),
        (["--http", "0", "--token", "short"], "the token is shorter than 16 characters"),
        (["--name", "mail.example"], "--name is for --http HOST:PORT"),
        (["--token", TOKEN], "--token is for --http HOST:PORT"),
        (["--mailbox", "nobody"], "is no mailbox in"),
    ],
)
def test_what_cannot_be_served_is_one_line_that_says_what_to_do(
    mailgym: Any, maya_store: Path, serving: Served, arguments: list[str], says: str
) -> None:
    result = mailgym("mcp", "--store", maya_store, *arguments)
    assert result.code == 2
    assert says in result.err
    assert result.err.count("\n") == 1
    assert serving.tools is None


def test_without_the_extra_it_says_what_to_install(
    mailgym: Any, maya_store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "mcp", None)
    result = mailgym("mcp", "--store", maya_store)
    assert (result.code, result.err) == (2, "mailgym: mcp is not installed: run  pip install 'mailgym[serve]'\n")


def test_at_a_terminal_it_says_that_a_client_should_start_it(
    mailgym: Any, maya_store: Path, serving: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.stdin, "isatty", lambda: True, raising=False)
    result = mailgym("mcp", "--store", maya_store)
    assert "serving maya on standard input and output: an MCP client should start this" in result.err


def test_ctrl_c_ends_it_at_once_although_it_waits_for_input(maya_store: Path) -> None:
    command = [sys.executable, "-m", "mailgym.cli.main", "mcp", "--store", str(maya_store)]
    hello = b'{"jsonrpc": "2.0", "id": 1, "method": "ping"}\n'
    pipe = subprocess.PIPE
    environment = {**os.environ, "PYTHONPATH": str(SOURCES)}
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, env=environment) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdin.write(hello)
        process.stdin.flush()
        assert b'"id":1' in process.stdout.readline()
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=60) == -signal.SIGINT, "without the signal it would wait for ever"
        assert process.stderr.read() == b""
