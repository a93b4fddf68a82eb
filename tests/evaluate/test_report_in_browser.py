"""The HTML report in a real browser: it renders, prints, runs no script and asks the network for nothing.

Needs Debian's chromium (make test-system); fails without it, never skips.
"""

import re
import shutil
import subprocess
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from mailgym.core.runs import RunFolder
from mailgym.evaluate.report import write_report

pytestmark = pytest.mark.system
FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--hide-scrollbars",
    "--no-first-run",
    "--enable-logging=stderr",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
SMALLEST_PICTURE_BYTES = 50_000
BROWSERS_OWN_HOSTS = ("google.com", "googleapis.com", "gvt1.com", "gstatic.com")


class Browser:
    """A browser that must send every request through a proxy, which keeps its address and answers none."""

    def __init__(self, home: Path, proxy: str, asked: list[str]) -> None:
        program = shutil.which("chromium")
        assert program is not None, "this test needs a browser: apt-get install chromium"
        self._command = [program, *FLAGS, f"--user-data-dir={home}", f"--proxy-server={proxy}"]
        self._command.append("--proxy-bypass-list=<-loopback>")
        self._asked = asked

    def open(self, page: Path, *options: str) -> subprocess.CompletedProcess[str]:
        command = [*self._command, *options, page.as_uri()]
        return subprocess.run(command, capture_output=True, text=True, timeout=120, check=True)

    @property
    def asked(self) -> list[str]:
        """What was asked for, but for what this browser asks at every start, whatever page it opens."""
        return [address for address in self._asked if not any(host in address for host in BROWSERS_OWN_HOSTS)]


@pytest.fixture
def browser(tmp_path: Path) -> Iterator[Browser]:
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
        yield Browser(tmp_path / "home", f"http://127.0.0.1:{server.server_address[1]}", asked)
        server.shutdown()
        thread.join()


def test_the_report_renders_and_prints_and_asks_for_nothing(
    browser: Browser, make_run: Callable[..., RunFolder], tmp_path: Path
) -> None:
    page = write_report(make_run(tasks=24, updates=10)).html
    picture, print_out = tmp_path / "page.png", tmp_path / "page.pdf"
    shown = browser.open(page, f"--screenshot={picture}", "--window-size=1200,2000")
    assert picture.read_bytes().startswith(b"\x89PNG\r\n\x1a\n")
    assert picture.stat().st_size > SMALLEST_PICTURE_BYTES
    assert "Content Security Policy" not in shown.stderr, "the page's policy blocks something of the page"
    assert "CONSOLE" not in shown.stderr
    browser.open(page, f"--print-to-pdf={print_out}")
    assert print_out.read_bytes().startswith(b"%PDF")
    dom = browser.open(page, "--dump-dom").stdout
    assert "<svg" in dom
    assert "updates = 20" in dom
    assert browser.asked == []


def test_the_proxy_would_have_seen_it(browser: Browser, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.write_text("<img src='http://picture.invalid/a.png'>")
    browser.open(page, "--dump-dom")
    assert any("picture.invalid" in address for address in browser.asked)


def test_the_policy_stops_a_script_that_someone_added(
    browser: Browser, make_run: Callable[..., RunFolder], tmp_path: Path
) -> None:
    text = write_report(make_run(tasks=12, updates=0)).html.read_text(encoding="utf-8")
    attacked = tmp_path / "attacked.html"
    attacked.write_text(text.replace("</main>", "</main><script>document.title = 'taken'</script>"), encoding="utf-8")
    title = re.search(r"<title>(.*?)</title>", browser.open(attacked, "--dump-dom").stdout)
    assert title is not None
    assert title[1] == "run: mailgym report"
