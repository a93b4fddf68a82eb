from pathlib import Path
from typing import Any

import pytest

from mailgym.core import machine
from mailgym.core.machine import Machine
from mailgym.envs.registry import env_ids
from mailgym.llm import embedded


def test_environments_are_listed(mailgym: Any) -> None:
    assert [spec["id"] for spec in mailgym("envs", "--json").data] == list(env_ids())
    assert "000 ART·E" in mailgym("envs").out


@pytest.mark.parametrize(("problem", "code"), [(None, 0), ("it is not fetched yet", 1)])
def test_doctor(mailgym: Any, monkeypatch: pytest.MonkeyPatch, problem: str | None, code: int) -> None:
    described = {"processor": "a processor", "cores": 4, "memory_gib": 16.0, "system": "Linux x86_64"}
    found = Machine(described, 12.0, 4, Path("/cache"), 50.0, {"python": "3.11.7"}, {})
    monkeypatch.setattr(machine, "inspect_machine", lambda: found)
    monkeypatch.setattr(embedded, "damage", lambda **_: problem)
    shown = mailgym("doctor")
    assert shown.code == code
    assert "a processor, 4 cores usable" in shown.out
    assert "memory    12 GiB free of 16" in shown.out
    assert "will not run  training on a graphics processor" in shown.out
    assert ("run  mailgym model fetch" in shown.out) is (problem is not None)
    as_json = mailgym("doctor", "--json")
    assert as_json.code == code
    assert as_json.data["machine"]["cache"] == "/cache"
    runs = {verdict["name"]: verdict["runs"] for verdict in as_json.data["verdicts"]}
    assert runs["the demo"] is (problem is None)
