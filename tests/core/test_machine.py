import os
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from mailgym.core import machine
from mailgym.core.machine import Machine, Needs, judge

HERE: dict[str, Any] = {"processor": "p", "cores": 2, "memory_gib": 8.0, "system": "Linux"}


def facts(**changes: Any) -> Machine:
    known: dict[str, Any] = {
        "description": HERE,
        "memory_free_gib": 8.0,
        "cores": 2,
        "cache": Path("/c"),
        "cache_free_gib": 9.0,
        "versions": {},
        "missing": {},
    }
    return Machine(**{**known, **changes})


def verdict_on(found: Machine, model_problem: str | None = None) -> dict[str, tuple[str, ...]]:
    return {verdict.name: verdict.problems for verdict in judge(found, model_problem)}


def test_this_machine_is_inspected() -> None:
    found = machine.inspect_machine()
    assert 1 <= found.cores <= (os.cpu_count() or 1)
    assert 0 < found.memory_free_gib <= found.description["memory_gib"]
    assert found.cache_free_gib > 0
    assert found.versions["python"] == ".".join(map(str, sys.version_info[:3]))
    assert found.to_json()["cache"] == str(found.cache)


def test_a_machine_that_is_enough() -> None:
    verdicts = verdict_on(facts())
    assert verdicts["the demo"] == ()
    assert len(verdicts["training on a graphics processor"]) == 1
    assert verdict_on(facts(gpus=("H",)))["training on a graphics processor"] == ()


@pytest.mark.parametrize(
    ("changes", "model_problem", "words"),
    [
        ({"memory_free_gib": 5.9}, None, "5.9 GiB of memory are free of 6 needed"),
        ({"cores": 1}, None, "1 core of 2 needed"),
        ({"missing": {"train": ("torch",)}}, None, "torch not installed: run  pip install 'mailgym[train]'"),
        ({"torch_problem": "no symbol"}, None, "does not load (no symbol)"),
        ({}, "it is cut short", "it is cut short: run  mailgym model fetch"),
    ],
)
def test_what_stands_against_the_demo(changes: dict[str, Any], model_problem: str | None, words: str) -> None:
    (problem,) = verdict_on(facts(**changes), model_problem)["the demo"]
    assert words in problem


def test_an_old_python(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine, "MIN_PYTHON", (99, 0))
    assert all("too old" in problems[0] for problems in verdict_on(facts()).values())


def test_needs_in_words() -> None:
    assert str(Needs("a")) == "nothing more"
    needs = Needs("b", memory_gib=1.5, cores=2, gpu=True, model=True, extras=("train",))
    assert str(needs) == (
        "1.5 GiB of free memory, 2 cores, a CUDA graphics processor, the embedded model, the extra train"
    )


def test_a_containers_limits_count(tmp_path: Path) -> None:
    (tmp_path / "cpu.max").write_text("50000 100000\n")
    assert machine.usable_cores(tmp_path) == 1
    (tmp_path / "cpu.max").write_text("max 100000\n")
    without = machine.usable_cores(tmp_path / "none")
    assert machine.usable_cores(tmp_path) == without
    (tmp_path / "memory.max").write_text("1000\n")
    (tmp_path / "memory.current").write_text("900\n")
    assert machine.free_memory_bytes(tmp_path) == 100
    (tmp_path / "memory.stat").write_text("anon 5\ninactive_file 300\nodd\n")
    assert machine.free_memory_bytes(tmp_path) == 400
    (tmp_path / "memory.max").write_text("max\n")
    assert machine.free_memory_bytes(tmp_path) > 1000


def test_missing_libraries(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine, "find_spec", lambda name: None if name == "peft" else object())
    assert machine.missing_libraries("train") == ("peft",)
    assert machine.missing_libraries("trl") == ()


def fake_torch(count: int) -> ModuleType:
    torch: Any = ModuleType("torch")
    about = SimpleNamespace(name="Card", total_memory=24 * 2**30)
    torch.cuda = SimpleNamespace(
        is_available=lambda: count > 0, device_count=lambda: count, get_device_properties=lambda index: about
    )
    return torch  # type: ignore[no-any-return]


def test_what_torch_sees(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "torch", fake_torch(2))
    assert machine._look_at_torch() == (("Card (24 GiB)", "Card (24 GiB)"), None)
    monkeypatch.setitem(sys.modules, "torch", fake_torch(0))
    assert machine._look_at_torch() == ((), None)
    monkeypatch.setitem(sys.modules, "torch", None)
    assert "torch" in (machine._look_at_torch()[1] or "")


def test_the_cache_of_a_folder_not_yet_made(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("MAILGYM_CACHE", str(tmp_path / "a" / "b"))
    assert machine.cache_root() == tmp_path / "a" / "b"
    assert machine._existing(machine.cache_root()) == tmp_path
