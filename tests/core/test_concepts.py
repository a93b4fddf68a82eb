"""The Python of docs/concepts.md runs as it is printed there."""

import re
from pathlib import Path

import pytest

from mailgym.core.episode import Trajectory
from mailgym.core.runs import RunFolder

PAGE = Path(__file__).parents[2] / "docs" / "concepts.md"


def test_the_pages_python_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    blocks = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), flags=re.DOTALL)
    assert len(blocks) == 2
    monkeypatch.chdir(tmp_path)
    with RunFolder.create("runs/demo-1", {"run": {"env": "find"}}) as run:
        run.append_episode(Trajectory("find", "trained", "t1", (), "answered", 0.5, None), "after")
        run.append_metrics({"phase": "train", "update": 1, "reward_mean": 0.25})
    names: dict[str, object] = {}
    for block in blocks:
        exec(block, names)
    assert capsys.readouterr().out == "t1 0.5\n"
    assert names["rewards"] == [0.25]
    assert names["config"]["train"]["updates"] == 40  # type: ignore[index]
