"""The check of the documents must find what is wrong: every kind of fault is planted once."""

import importlib.util
from pathlib import Path
from typing import Any

import pytest
from typer.main import get_command

from mailgym.cli.main import app

SCRIPT = Path(__file__).resolve().parents[2] / "scripts" / "check_docs.py"


@pytest.fixture(scope="module")
def script() -> Any:
    spec = importlib.util.spec_from_file_location("check_docs", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def project(script: Any, tmp_path: Path) -> Path:
    (tmp_path / "docs").mkdir()
    (tmp_path / "Makefile").write_text("docs:\n\techo\ntest-all:\n\techo\ndemo: test-all\n\techo\n")
    (tmp_path / "docs" / "cli.md").write_text(script.cli_page(get_command(app)))
    (tmp_path / "README.md").write_text("# Title\n\nSee [cli](docs/cli.md#mailgym-eval) and [top](#title).\n")
    return tmp_path


def found(script: Any, project: Path, text: str) -> list[str]:
    (project / "README.md").write_text(text)
    return list(script.problems(project, get_command(app)))


def test_good_documents_pass(script: Any, project: Path) -> None:
    assert script.problems(project, get_command(app)) == []


@pytest.mark.parametrize(
    "line",
    [
        "mailgym eval find --agents a,b -n 500 --json",
        "mailgym eval ENV --seed=3",
        "mailgym mail import your.mbox",
        "mailgym runs list|show",
        "mailgym runs show NAME | head",
        "mailgym eval",
        "mailgym --version",
        "mailgym play ENV ...",
    ],
)
def test_good_commands(script: Any, line: str) -> None:
    assert script.wrong_command(line, get_command(app)) is None


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("mailgym nosuch", "no command nosuch"),
        ("mailgym runs list|nosuch", "no command nosuch"),
        ("mailgym eval find --nosuch", "no option --nosuch"),
        ("mailgym eval find --agents", "needs a value"),
        ("mailgym eval find extra", "takes 1 to 1 arguments, not 2"),
        ("mailgym eval --json", "takes 1 to 1 arguments, not 0"),
        ("mailgym envs extra", "takes 0 to 0 arguments, not 1"),
        ("mailgym --nosuch", "no option --nosuch"),
    ],
)
def test_wrong_commands(script: Any, line: str, words: str) -> None:
    assert words in (script.wrong_command(line, get_command(app)) or "")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[x](docs/none.md)", "docs/none.md leads nowhere"),
        ("[x](../outside.md)", "leads nowhere"),
        ("[x](docs/cli.md#none)", "leads to no heading"),
        ("[x](#none)", "leads to no heading of README.md"),
        ("![x](docs/none.png)", "leads nowhere"),
        ("```\nmailgym nosuch\n```", "no command nosuch"),
        ("```\n$ mailgym eval find \\\n  --nosuch\n```", "no option --nosuch"),
        ("Run `mailgym nosuch` now", "no command nosuch"),
        ("Run `make nosuch` now", "there is no make nosuch"),
    ],
)
def test_every_fault_is_found(script: Any, project: Path, text: str, words: str) -> None:
    assert any(words in problem for problem in found(script, project, text))


def test_comments_and_targets_that_are_there(script: Any, project: Path) -> None:
    assert found(script, project, "```\nmailgym envs   # lists them --nosuch\nmake demo ARGS=x test-all\n```") == []


def test_a_stale_page_is_found(script: Any, project: Path) -> None:
    (project / "docs" / "cli.md").write_text("old")
    assert any("make docs" in problem for problem in script.problems(project, get_command(app)))


def test_main_reads_the_project_itself(script: Any, capsys: pytest.CaptureFixture[str]) -> None:
    code = script.main([])
    printed = capsys.readouterr().out
    assert code == 0, printed
    assert "in step with the code" in printed
