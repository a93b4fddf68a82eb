"""The rules of the house that no linter knows."""

import ast
import re
import resource
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
SOURCES = sorted((ROOT / "src" / "mailgym").rglob("*.py"))
PACKAGES = sorted(p.name for p in (ROOT / "src" / "mailgym").iterdir() if (p / "__init__.py").exists())
HEAVY = ("torch", "transformers", "peft", "trl", "matplotlib", "openai", "gradio", "ray", "scipy", "fastapi", "openenv")
MOST_LINES, MOST_FUNCTION_LINES = 400, 60
MOST_IMPORT_S = 1.5
BANNED_NAMES = re.compile(r"utils?|helpers?|managers?|base_impl|misc|common", re.IGNORECASE)


def imported_by(code: str) -> tuple[set[str], float]:
    """Run code in a new process; return the top-level modules it imported, and the seconds it computed for."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(
        [sys.executable, "-X", "importtime", "-c", code], capture_output=True, text=True, check=True, timeout=60
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    found = re.findall(r"^import time:\s+\d+ \|\s+\d+ \|\s+(\S+)", done.stderr, re.MULTILINE)
    computed_s = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return {name.split(".")[0] for name in found}, computed_s


@pytest.mark.parametrize("module", ["mailgym", "mailgym.cli.main"])
def test_importing_is_cheap_and_pulls_in_nothing_heavy(module: str) -> None:
    tries = [imported_by(f"import {module}") for _ in range(3)]
    assert "mailgym" in tries[0][0]
    assert not tries[0][0] & set(HEAVY)
    assert min(seconds for _, seconds in tries) < MOST_IMPORT_S


@pytest.mark.parametrize("package", PACKAGES)
def test_no_package_is_heavy_at_import(package: str) -> None:
    names, _ = imported_by(f"import mailgym.{package}")
    assert not names & set(HEAVY)


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(ROOT / "src" / "mailgym")))
def test_files_and_functions_stay_short(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert len(text.splitlines()) < MOST_LINES
    nodes = ast.walk(ast.parse(text))
    functions = [node for node in nodes if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    sizes = [(node.name, code_lines(node)) for node in functions]
    too_long = [f"{name}: {lines} lines" for name, lines in sizes if lines >= MOST_FUNCTION_LINES]
    assert too_long == []


def code_lines(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Return a function's lines from ``def`` to its end, its docstring left out."""
    lines = (node.end_lineno or node.lineno) - node.lineno + 1
    first = node.body[0]
    if ast.get_docstring(node) is not None:
        lines -= (first.end_lineno or first.lineno) - first.lineno + 1
    return lines


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(ROOT / "src" / "mailgym")))
def test_no_room_is_a_lumber_room(path: Path) -> None:
    assert not any(BANNED_NAMES.fullmatch(part) for part in path.relative_to(ROOT).with_suffix("").parts)


def test_the_linter_of_layers_knows_every_package() -> None:
    configuration = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    (contract,) = configuration["tool"]["importlinter"]["contracts"]
    named = {name.strip().removeprefix("mailgym.") for layer in contract["layers"] for name in layer.split("|")}
    assert named == set(PACKAGES) - {"presets"}


@pytest.mark.parametrize("lock", ["requirements.lock", "requirements-openenv.lock"])
def test_a_lock_pins_every_dependency_exactly(lock: str) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    mine = [name for name in extras if (name == "openenv") == ("openenv" in lock)]
    wanted = [*project["dependencies"], *(need for name in mine for need in extras[name])]
    lines = (ROOT / lock).read_text(encoding="utf-8").splitlines()
    pins = [line for line in lines if line and not line.startswith("#")]
    assert all(re.fullmatch(r"[A-Za-z0-9._-]+==[A-Za-z0-9.]+", pin) for pin in pins), "exact, and no local suffix"
    pinned = {normal(pin.split("==")[0]) for pin in pins}
    assert {normal(re.split(r"[<>=!~\[ ]", need)[0]) for need in wanted} <= pinned


def normal(name: str) -> str:
    """Return a distribution's name as indexes compare it."""
    return re.sub(r"[-_.]+", "-", name).lower()
