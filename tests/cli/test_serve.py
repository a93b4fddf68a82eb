"""``mailgym serve``: what it refuses, and a server that is started, asked and ended."""

import json
import os
import re
import signal
import subprocess
import sys
import urllib.request
from pathlib import Path
from typing import Any

import pytest

SOURCES = Path(__file__).parents[2] / "src"


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["nosuch"], "no environment 'nosuch'"),
        (["find", "--host", "0.0.0.0"], "add --token"),
        (["find", "--host", "0.0.0.0", "--token", "a-token-of-some-length"], "add --name"),
        (["find", "--dialect", "french"], "choose document or own"),
        (["find", "--profile", "soft"], "no profile 'soft'"),
        (["find", "--split", "dev"], "no split 'dev'"),
    ],
)
def test_what_cannot_be_served_is_said(mailgym: Any, small_store: Path, arguments: list[str], says: str) -> None:
    result = mailgym("serve", *arguments, "--store", str(small_store), "--port", "0")
    assert result.code == 2
    assert says in result.err


def test_a_server_is_started_asked_and_ended(small_store: Path) -> None:
    command = [sys.executable, "-m", "mailgym", "serve", "find", "--store", str(small_store), "--port", "0"]
    environment = {**os.environ, "PYTHONPATH": str(SOURCES)}
    with subprocess.Popen([*command, "--split", "test"], stderr=subprocess.PIPE, text=True, env=environment) as process:
        assert process.stderr is not None
        said = process.stderr.readline() + process.stderr.readline()
        url = re.search(r"http://127\.0\.0\.1:\d+/", said)
        assert url, said
        with urllib.request.urlopen(f"{url[0]}health", timeout=60) as answer:
            assert json.loads(answer.read()) == {"status": "healthy"}
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=60) in (0, 130, -signal.SIGINT)
        assert '"path": "/health"' in process.stderr.read()
