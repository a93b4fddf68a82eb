import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from mailgym.cli.main import main


class Outcome(NamedTuple):
    """What one command came to."""

    code: int
    out: str
    err: str

    @property
    def data(self) -> Any:
        """Standard output as JSON: it must be nothing else."""
        return json.loads(self.out)


Run = Callable[..., Outcome]


@pytest.fixture
def mailgym(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> Run:
    """Run a command in an empty folder with an empty cache, and return its code and what it printed."""
    monkeypatch.chdir(tmp_path_factory.mktemp("work"))
    monkeypatch.setenv("MAILGYM_CACHE", str(tmp_path_factory.mktemp("cache")))

    def run(*arguments: str | Path) -> Outcome:
        capsys.readouterr()
        code = main([str(argument) for argument in arguments])
        printed = capsys.readouterr()
        return Outcome(code, printed.out, printed.err)

    return run
