import importlib.util
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from mailgym.core.errors import UserError
from mailgym.envs.registry import get_spec
from mailgym.evaluate.suite import read_suite

SCRIPT = Path(__file__).resolve().parents[2] / "scripts" / "freeze_suite.py"


@pytest.fixture
def script(small_tasks: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    loaded = importlib.util.spec_from_file_location("freeze_suite", SCRIPT)
    assert loaded is not None
    assert loaded.loader is not None
    module = importlib.util.module_from_spec(loaded)
    loaded.loader.exec_module(module)
    spec = replace(get_spec("find"), needs_mail=False, load_tasks=lambda *_: small_tasks)
    monkeypatch.setattr(module, "all_specs", lambda: (spec,))
    return module


def test_a_suite_is_frozen_once(script: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert script.main(["v2"], tmp_path) == 0
    assert "find 4; digest" in capsys.readouterr().out
    suite = read_suite("v2", tmp_path)
    assert [(entry.env, entry.source, len(entry.tasks)) for entry in suite.entries] == [("find", {"own": True}, 4)]
    before = (tmp_path / "v2.json").read_text()
    assert script.main(["v2"], tmp_path) == 2
    assert "give --again" in capsys.readouterr().err
    assert script.main(["v2", "--again"], tmp_path) == 0
    assert (tmp_path / "v2.json").read_text() == before, "the same tasks give the same file"
    assert json.loads(before)["digest"] == suite.digest


def test_what_cannot_be_loaded_is_said(
    script: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def load(*_: Any) -> Any:
        raise UserError("no tasks")

    monkeypatch.setattr(script, "all_specs", lambda: (replace(get_spec("find"), needs_mail=False, load_tasks=load),))
    assert script.main(["v2"], tmp_path) == 2
    assert capsys.readouterr().err == "no tasks\n"
    assert list(tmp_path.iterdir()) == []
