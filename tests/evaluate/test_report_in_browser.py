"""The report as a browser shows it. Needs Debian's chromium (make test-system); fails without it, never skips."""

import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from mailgym.core.runs import RunFolder
from mailgym.evaluate.report import write_report

FLAGS = ("--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--enable-logging=stderr")


def _chromium(page: Path, *options: str) -> subprocess.CompletedProcess[str]:
    program = shutil.which("chromium")
    assert program is not None, "chromium is not installed: apt-get install chromium"
    command = [program, *FLAGS, f"--user-data-dir={page.parent / 'profile'}", *options, page.as_uri()]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=True)


@pytest.mark.system
def test_a_browser_shows_and_prints_the_report_and_the_policy_blocks_nothing_of_it(
    make_run: Callable[..., RunFolder], tmp_path: Path
) -> None:
    page = write_report(make_run(tasks=24, updates=10)).html
    shown = _chromium(page, f"--screenshot={tmp_path / 'page.png'}", "--window-size=1200,2000")
    assert (tmp_path / "page.png").stat().st_size > 50_000
    assert "Content Security Policy" not in shown.stderr
    assert "CONSOLE" not in shown.stderr
    _chromium(page, f"--print-to-pdf={tmp_path / 'page.pdf'}")
    assert (tmp_path / "page.pdf").read_bytes().startswith(b"%PDF")


@pytest.mark.system
def test_the_policy_stops_a_script_that_someone_added(make_run: Callable[..., RunFolder], tmp_path: Path) -> None:
    page = write_report(make_run(tasks=12, updates=0)).html
    text = page.read_text(encoding="utf-8")
    attacked = tmp_path / "attacked.html"
    attacked.write_text(text.replace("</main>", "</main><script>document.title = 'taken'</script>"), encoding="utf-8")
    dom = _chromium(attacked, "--dump-dom").stdout
    title = re.search(r"<title>(.*?)</title>", dom)
    assert title is not None
    assert title[1] == "run: mailgym report"
