"""The Python of docs/writing.md runs as it is printed there."""

import re
from pathlib import Path

import pytest

PAGE = (Path(__file__).parents[3] / "docs" / "writing.md").read_text(encoding="utf-8")


def test_the_pages_python_runs(capsys: pytest.CaptureFixture[str]) -> None:
    (block,) = re.findall(r"```python\n(.*?)```", PAGE, flags=re.DOTALL)
    exec(block, {})
    lines = capsys.readouterr().out.splitlines()
    assert lines == ["1.00 {}", "0.00 not answered: date Thursday 12 March, amount $1,200"]
