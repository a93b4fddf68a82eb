import json
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from mailgym.core.errors import ConfigError, ModelNotFound, RunError
from mailgym.core.runs import RunFolder
from mailgym.llm import embedded
from mailgym.llm.names import base_of, find_weights, open_model
from mailgym.llm.remote import RemoteModel


@pytest.fixture(autouse=True)
def own_cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("MAILGYM_CACHE", str(tmp_path / "cache"))
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)


def folder_with(path: Path, name: str, content: Any) -> Path:
    path.mkdir(parents=True, exist_ok=True)
    (path / name).write_text(json.dumps(content))
    return path


def run_with(root: Path, name: str, config: dict[str, Any], best: bool = True) -> None:
    with RunFolder.create(root / name, config) as run:
        if best:
            folder_with(run.checkpoints / "best", "adapter_config.json", {})


def test_local_is_the_embedded_model(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    with pytest.raises(ModelNotFound, match="mailgym model fetch"):
        find_weights("local")
    monkeypatch.setattr(embedded, "require", lambda: tmp_path)
    assert find_weights("local") == (str(tmp_path), None)


def test_folders_and_hub_ids(tmp_path: Path) -> None:
    weights = folder_with(tmp_path / "weights", "config.json", {})
    adapter = folder_with(tmp_path / "a", "adapter_config.json", {"base_model_name_or_path": "base/model"})
    assert find_weights(str(weights)) == (str(weights), None)
    assert find_weights(str(adapter)) == ("base/model", adapter)
    assert find_weights("Owner/Model-1.5B") == ("Owner/Model-1.5B", None)


def test_folders_that_are_no_models(tmp_path: Path) -> None:
    with pytest.raises(ModelNotFound, match="neither weights"):
        find_weights(str(tmp_path))
    with pytest.raises(ModelNotFound, match="does not name its base model"):
        find_weights(str(folder_with(tmp_path / "a", "adapter_config.json", {})))


@pytest.mark.parametrize("name", ["loca", "", "a/b/c", "/nowhere"])
def test_an_unknown_name_lists_the_forms(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder_with(tmp_path / "here", "x", 0))
    with pytest.raises(ModelNotFound, match=r"openai:NAME|neither weights"):
        find_weights(name)


def test_a_run_is_a_model(tmp_path: Path) -> None:
    weights = folder_with(tmp_path / "weights", "config.json", {})
    run_with(tmp_path, "first", {"run": {"model": str(weights)}})
    assert find_weights("run:first", tmp_path) == (str(weights), tmp_path / "first" / "checkpoints" / "best")


def test_the_base_below_an_adapter(tmp_path: Path) -> None:
    weights = folder_with(tmp_path / "weights", "config.json", {})
    run_with(tmp_path, "first", {"run": {"model": str(weights)}})
    adapter = folder_with(tmp_path / "a", "adapter_config.json", {"base_model_name_or_path": "base/model"})
    assert base_of("run:first", tmp_path) == str(weights)
    assert base_of(str(adapter)) == "base/model"
    with pytest.raises(ModelNotFound, match="no base below it"):
        base_of(str(weights))


def test_runs_that_are_no_models_yet(tmp_path: Path) -> None:
    with pytest.raises(RunError, match="is not a run"):
        find_weights("run:none", tmp_path)
    run_with(tmp_path, "young", {"run": {"model": "local"}}, best=False)
    with pytest.raises(ModelNotFound, match="no best checkpoint yet"):
        find_weights("run:young", tmp_path)
    run_with(tmp_path, "nameless", {"run": {}})
    with pytest.raises(ModelNotFound, match="does not say which model"):
        find_weights("run:nameless", tmp_path)
    run_with(tmp_path, "base", {"run": {"model": "owner/model"}})
    run_with(tmp_path, "second", {"run": {"model": f"run:{'base'}"}})
    with pytest.raises(ModelNotFound, match="over another adapter"):
        find_weights("run:second", tmp_path)


def test_a_local_model_is_loaded_with_its_adapter(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The module that loads weights is replaced: nothing heavy is imported here."""
    loaded: list[Any] = []

    class LocalModel:
        @classmethod
        def load(cls, path: str, **options: Any) -> str:
            loaded.append((path, options))
            return "model"

    fake = ModuleType("mailgym.llm.local")
    fake.LocalModel = LocalModel  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "mailgym.llm.local", fake)
    adapter = folder_with(tmp_path / "a", "adapter_config.json", {"base_model_name_or_path": "base/model"})
    assert open_model(str(adapter), threads=2) == "model"  # type: ignore[comparison-overlap]
    options = {"adapter": adapter, "threads": 2, "device": None, "name": str(adapter)}
    assert loaded == [("base/model", options)]


def test_a_remote_model_is_opened_with_its_cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "k")
    model = open_model("openai:some-model")
    assert isinstance(model, RemoteModel)
    assert model.name == "some-model"
    model.close()
    assert (tmp_path / "cache" / "calls.sqlite").exists()


def test_a_remote_model_without_cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    model = open_model("openai:some-model", use_cache=False)
    assert isinstance(model, RemoteModel)
    model.close()
    assert not (tmp_path / "cache").exists()


def test_remote_models_that_cannot_be_opened() -> None:
    with pytest.raises(ConfigError, match="OPENAI_API_KEY"):
        open_model("openai:some-model")
    with pytest.raises(ModelNotFound, match="needs a model's name"):
        open_model("openai:")
