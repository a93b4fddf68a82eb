"""An import that is stopped from outside ends at once, says so in one line, and leaves no process behind."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest
from tests.cli.test_mail_import import DATE, raw_mail

MESSAGES = 30_000
"""An import of these takes many seconds: it is not over before somebody can stop it."""
PATIENCE_S = 60.0


@pytest.fixture(scope="module")
def big_mbox(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An mbox of many messages, no two the same."""
    path = tmp_path_factory.mktemp("big") / "big.mbox"
    raw = raw_mail("mNUMBER@x.example", DATE, "dana@x.example", "Note NUMBER", "word " * 200).replace(b"\r\n", b"\n")
    pattern = b"From dana@x.example Tue Mar  4 09:00:00 2025\n" + raw + b"\n\n"
    with path.open("wb") as file:
        file.writelines(pattern.replace(b"NUMBER", b"%d" % number) for number in range(MESSAGES))
    return path


@pytest.fixture
def heeded_interrupts() -> Iterator[None]:
    """Let processes that are started heed Ctrl-C, also where the tests run in the background, which ignores it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture
def importing(big_mbox: Path, tmp_path: Path, heeded_interrupts: None) -> Any:
    """Start an import with two workers in a session of its own, and wait until the workers are there."""
    command = [sys.executable, "-m", "mailgym", "mail", "import", str(big_mbox), "--store", str(tmp_path / "s")]
    with subprocess.Popen(
        [*command, "--workers", "2"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    ) as started:
        children: list[psutil.Process] = []
        end_s = time.monotonic() + PATIENCE_S
        while len(children) < 3 and started.poll() is None and time.monotonic() < end_s:
            time.sleep(0.02)
            children = psutil.Process(started.pid).children(recursive=True)
        assert len(children) == 3, "two workers, and Python's own process that looks after what they share"
        yield started, children
        if started.poll() is None:
            os.killpg(started.pid, signal.SIGKILL)


def all_end(processes: list[psutil.Process]) -> bool:
    gone, alive = psutil.wait_procs(processes, timeout=PATIENCE_S)
    return len(gone) == len(processes) and not alive


def test_an_interrupt_at_the_terminal_is_one_line(importing: Any) -> None:
    started, children = importing
    os.killpg(started.pid, signal.SIGINT)  # as a terminal sends it: to all of them at once
    out, err = started.communicate(timeout=PATIENCE_S)
    assert (started.returncode, out, err) == (130, b"", b"mailgym: stopped\n")
    assert all_end(children)


def test_workers_end_with_an_import_that_is_killed(importing: Any) -> None:
    started, children = importing
    started.kill()
    started.wait(timeout=PATIENCE_S)
    assert all_end(children)
