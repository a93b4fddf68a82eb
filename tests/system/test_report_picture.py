"""The HTML report in a real browser: it renders, and it asks the network for nothing. Needs Debian's chromium."""

import shutil
import subprocess
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from mailgym.core.runs import RunFolder
from mailgym.evaluate.report import write_report

pytestmark = pytest.mark.system
PNG_SIGNATURE = b"\x89PNG\r\n\x1a\n"
SMALLEST_PICTURE_BYTES = 10_000


@pytest.fixture(scope="module")
def chromium() -> str:
    path = shutil.which("chromium")
    if path is None:
        pytest.fail("this test needs a browser: apt-get install chromium")
    return path


@pytest.fixture
def proxy() -> Iterator[tuple[str, list[str]]]:
    """A proxy through which the browser must send every request; it keeps their addresses and answers none."""
    asked: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def _refuse(self) -> None:
            asked.append(self.path)
            self.send_error(502)

        do_GET = do_CONNECT = do_POST = _refuse  # noqa: N815

        def log_message(self, *_: Any) -> None:
            """Stay quiet."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.server_address[1]}", asked
        server.shutdown()
        thread.join()


@pytest.fixture
def page(tmp_path: Path) -> Path:
    config = {
        "run": {"env": "find", "model": "local", "seed": 3},
        "data": {"source": "simulated"},
        "train": {"updates": 2},
    }
    with RunFolder.create(tmp_path / "first", config, command="mailgym train find") as run:
        for update in (1, 2):
            run.append_metrics({"phase": "train", "update": update, "reward_mean": 0.2 * update, "entropy": 1.0})
            run.append_metrics(
                {"phase": "validation", "update": update, "reward_mean": 0.3 * update, "low": 0.1, "high": 0.9}
            )
        return write_report(run).html


def browse(chromium: str, proxy: str, home: Path, *arguments: str) -> subprocess.CompletedProcess[bytes]:
    command = [chromium, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--no-first-run"]
    command += ["--disable-background-networking", "--disable-component-update", "--disable-sync"]
    command += [f"--user-data-dir={home}", f"--proxy-server={proxy}", "--proxy-bypass-list=<-loopback>", *arguments]
    return subprocess.run(command, capture_output=True, timeout=120, check=True)


def of_the_browser_itself(address: str) -> bool:
    """Whether a request is one that this browser makes at every start, whatever page it opens."""
    return any(host in address for host in ("google.com", "googleapis.com", "gvt1.com", "gstatic.com"))


def test_the_report_renders_and_asks_for_nothing(
    chromium: str, proxy: tuple[str, list[str]], page: Path, tmp_path: Path
) -> None:
    address, asked = proxy
    picture = tmp_path / "report.png"
    browse(chromium, address, tmp_path / "home", f"--screenshot={picture}", "--window-size=1200,1600", page.as_uri())
    assert picture.read_bytes().startswith(PNG_SIGNATURE)
    assert picture.stat().st_size > SMALLEST_PICTURE_BYTES
    dump = browse(chromium, address, tmp_path / "home", "--dump-dom", page.as_uri()).stdout.decode()
    assert "<svg" in dump
    assert "updates = 2" in dump
    assert [request for request in asked if not of_the_browser_itself(request)] == []


def test_the_proxy_would_have_seen_it(chromium: str, proxy: tuple[str, list[str]], tmp_path: Path) -> None:
    address, asked = proxy
    page = tmp_path / "page.html"
    page.write_text("<img src='http://picture.invalid/a.png'>")
    browse(chromium, address, tmp_path / "home", "--dump-dom", page.as_uri())
    assert any("picture.invalid" in request for request in asked)
