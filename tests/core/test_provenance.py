import sys
from pathlib import Path

import pytest

from mailgym.core import provenance


def test_the_command_line_is_repeatable_and_names_no_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["/somewhere/bin/mailgym", "ask", "who wrote?", "-n", "3"])
    assert provenance.command_line() == "mailgym ask 'who wrote?' -n 3"


def test_versions_name_python_and_only_what_is_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(provenance, "LIBRARIES", ("numpy", "no-such-library"))
    assert list(provenance.library_versions()) == ["python", "numpy"]


def test_the_machine_is_described_without_its_name() -> None:
    machine = provenance.describe_machine()
    assert set(machine) == {"processor", "cores", "memory_gib", "system"}
    assert machine["memory_gib"] > 0
    assert machine["processor"]


def test_a_machine_without_proc_still_has_a_processor(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Path, "exists", lambda self: False)
    monkeypatch.setattr("platform.processor", lambda: "")
    monkeypatch.setattr("platform.machine", lambda: "riscv64")
    assert provenance.describe_machine()["processor"] == "riscv64"


def test_one_record_says_when_how_and_where() -> None:
    record = provenance.provenance("mailgym demo")
    assert record["command"] == "mailgym demo"
    assert record["opened_at"].endswith("+00:00")
    assert {"process", "machine", "versions"} <= set(record)
