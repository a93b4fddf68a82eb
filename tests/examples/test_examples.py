"""Every example runs as its first lines say."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = sorted((ROOT / "examples").glob("*.py"))


def run(example: Path, *arguments: str) -> str:
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src"), "PYTHONWARNINGS": "error"}
    command = [sys.executable, str(example), *arguments]
    done = subprocess.run(command, check=False, capture_output=True, text=True, timeout=60, env=environment)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_search_a_mailbox() -> None:
    lines = run(ROOT / "examples" / "search_a_mailbox.py").splitlines()
    assert lines[0] == "on 31 March: 1 mails, Dana's about an invoice in euro: 04 March"
    assert "420 euro" in lines[3] or "400 euro" in lines[3]
    assert lines[2].startswith("on 30 April: 3 mails")


def test_your_own_agent(small_store: Path) -> None:
    out = run(ROOT / "examples" / "your_own_agent.py", str(small_store))
    assert "oracle               1.000" in out
    assert out.startswith("long_words ")


def test_a_model_plays(small_store: Path) -> None:
    out = run(ROOT / "examples" / "a_model_plays.py", str(small_store))
    assert out.count("reward ") == 3


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.stem)
def test_no_example_is_left_out(example: Path) -> None:
    assert f"def test_{example.stem}(" in Path(__file__).read_text(encoding="utf-8")
