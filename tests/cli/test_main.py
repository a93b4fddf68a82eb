import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from mailgym import __version__
from mailgym.cli import main as main_module
from mailgym.core.errors import ConfigError


def test_version_and_help(mailgym: Any) -> None:
    assert mailgym("--version").out == f"mailgym {__version__}\n"
    shown = mailgym("--help")
    assert shown.code == 0
    for verb in ("simulate", "mail", "eval", "redteam", "play", "runs", "report", "model", "envs", "doctor"):
        assert f"  {verb} " in shown.out


def test_an_error_of_mailgyms_own_is_one_line(mailgym: Any) -> None:
    result = mailgym("eval", "nosuch")
    assert result.code == 2
    assert result.out == ""
    assert result.err.startswith("mailgym: no environment 'nosuch'")
    assert result.err.count("\n") == 1


def test_wrong_options_are_told_as_such(mailgym: Any) -> None:
    result = mailgym("eval", "find", "-n", "x")
    assert result.code == 2
    assert "-n" in result.err


def test_an_error_of_another_kind_is_not_hidden(mailgym: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(**_: Any) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(main_module, "app", broken)
    with pytest.raises(ZeroDivisionError):
        mailgym("envs")


@pytest.mark.parametrize(
    ("raised", "code", "err"),
    [
        (KeyboardInterrupt(), 130, "mailgym: stopped\n"),
        (ConfigError("two\nlines"), 2, "mailgym: two\nlines\n"),
        (ConfigError("\x1b[2Jred"), 2, "mailgym: \ufffd[2Jred\n"),
        (
            OSError(28, "No space left on device"),
            2,
            "mailgym: No space left on device; check the path, its permissions and the space on the disk\n",
        ),
        (
            PermissionError(13, "Permission denied", "runs"),
            2,
            "mailgym: runs: Permission denied; check the path, its permissions and the space on the disk\n",
        ),
        (SystemExit(None), 0, ""),
        (SystemExit(3), 3, ""),
        (SystemExit(130), 130, "mailgym: stopped\n"),
        (SystemExit("text"), 1, ""),
    ],
)
def test_exit_codes(mailgym: Any, monkeypatch: pytest.MonkeyPatch, raised: BaseException, code: int, err: str) -> None:
    def app(**_: Any) -> None:
        raise raised

    monkeypatch.setattr(main_module, "app", app)
    result = mailgym("envs")
    assert (result.code, result.err) == (code, err)


def test_a_command_that_returns_is_success(mailgym: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(main_module, "app", lambda **_: None)
    assert mailgym("envs").code == 0


@pytest.mark.parametrize("verb", [("eval", "find", "--mailbox"), ("mail", "import"), ("runs", "show")])
def test_a_path_that_no_disk_can_hold_is_one_line(mailgym: Any, verb: tuple[str, ...]) -> None:
    result = mailgym(*verb, "x" * 5000)
    assert result.code == 2
    assert "file name too long" in result.err.lower()
    assert len(result.err) < 400


@pytest.mark.parametrize("form", [(), ("--json",)])
def test_a_reader_that_closes_the_pipe_ends_it_in_silence(maya_store: Path, form: tuple[str, ...]) -> None:
    command = [sys.executable, "-m", "mailgym.cli.main", "mail", "search", "harbour", "--store", str(maya_store), *form]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as started:
        assert started.stdout is not None
        assert started.stderr is not None
        started.stdout.close()
        assert started.stderr.read() == b""
        assert started.wait(timeout=60) == 1


def test_the_package_runs_as_a_module() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "mailgym", "--version"], capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stdout == f"mailgym {__version__}\n"
