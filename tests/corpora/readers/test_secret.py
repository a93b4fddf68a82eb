import subprocess
import sys
from pathlib import Path

import pytest

from mailgym.core.errors import ConfigError
from mailgym.corpora.readers import secret as secrets
from mailgym.corpora.readers.secret import (
    PASSWORD,
    PASSWORD_COMMAND,
    TOKEN,
    TOKEN_COMMAND,
    Secret,
    choose_command,
    find_secret,
    shown,
)


def found(environ: dict[str, str], typed: str | None = None) -> Secret:
    prompt = None if typed is None else lambda _: typed
    return find_secret("dana", "x.example", prompt=prompt, environ=environ)


def python(code: str) -> str:
    return f'{sys.executable} -c "{code}"'


def test_a_secret_in_the_environment_comes_before_a_command_and_a_command_before_the_prompt() -> None:
    command = {TOKEN_COMMAND: "echo of-command"}
    assert found({PASSWORD: "of-environment", **command}, "typed") == Secret("password", "of-environment")
    assert found({TOKEN: "of-environment", **command}).kind == "token"
    by_command = found({**command, PASSWORD: ""}, "typed")
    assert (by_command.kind, by_command.value) == ("token", "of-command")
    assert found({PASSWORD_COMMAND: "echo a b"}).value == "a b"
    assert found({}, "typed") == Secret("password", "typed")


def test_two_ways_of_one_kind_are_one_too_many() -> None:
    with pytest.raises(ConfigError, match=f"{PASSWORD} and {TOKEN} are both set: unset one") as error:
        found({PASSWORD: "hunter2", TOKEN: "ya29"})
    assert "hunter2" not in str(error.value)
    with pytest.raises(ConfigError, match=f"{PASSWORD_COMMAND} and {TOKEN_COMMAND} are both set"):
        found({PASSWORD_COMMAND: "true", TOKEN_COMMAND: "true"})


def test_no_way_to_a_secret_is_an_error_that_names_the_ways() -> None:
    with pytest.raises(ConfigError, match=r"no password for dana on x\.example") as error:
        found({})
    assert all(name in str(error.value) for name in (PASSWORD, TOKEN, PASSWORD_COMMAND, TOKEN_COMMAND))

    def closed(_: str) -> str:
        raise EOFError

    with pytest.raises(ConfigError, match="was typed"):
        find_secret("dana", "x.example", prompt=closed, environ={})


def test_a_command_is_run_without_a_shell_and_its_first_line_is_the_secret() -> None:
    assert found({PASSWORD_COMMAND: python("print('one $HOME');print('two')")}).value == "one $HOME"
    assert found({PASSWORD_COMMAND: "echo '$HOME' ; rm"}).value == "$HOME ; rm"


def test_a_secret_from_a_command_is_renewed_by_running_it_again(tmp_path: Path) -> None:
    file = tmp_path / "token"
    file.write_text("first\nignored\n")
    first = found({TOKEN_COMMAND: f"cat {file}"})
    file.write_text("second\n")
    second = first.renewed()
    assert (first.value, second.value, second.renewed().value) == ("first", "second", "second")
    typed = found({}, "typed")
    assert typed.renewed() is typed


@pytest.mark.parametrize(
    ("command", "why"),
    [
        (python("import sys;sys.exit('no entry mail/dana')"), r"failed with exit code 1 \(no entry mail/dana\)"),
        ("false hunter2", r"false failed with exit code 1 \(it said nothing\)"),
        ("/no/such/program hunter2", r"/no/such/program cannot be run \(No such file"),
        ("echo 'hunter2", "is no command"),
        ("   ", "is no command"),
        ("true", "first line that true prints is empty"),
        (python("import sys;sys.stdout.buffer.write(bytes([255]))"), "a character that no secret has"),
    ],
)
def test_a_command_that_fails_is_an_error_without_its_arguments(command: str, why: str) -> None:
    with pytest.raises(ConfigError, match=f"--password-command or {PASSWORD_COMMAND}.*{why}") as error:
        found({PASSWORD_COMMAND: command})
    assert "hunter2" not in str(error.value)


def test_a_command_that_does_not_end_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    def never(words: list[str], timeout: float, **_: object) -> None:
        raise subprocess.TimeoutExpired(words, timeout, output=b"hunter2")

    monkeypatch.setattr(secrets.subprocess, "run", never)
    with pytest.raises(ConfigError, match="cat did not end within 120 s") as error:
        found({TOKEN_COMMAND: "cat"})
    assert "hunter2" not in str(error.value)
    assert error.value.__cause__ is None


def test_a_line_break_at_the_end_is_no_part_of_a_secret_and_one_within_is_an_error() -> None:
    assert found({PASSWORD: "hunter2\r\n"}).value == "hunter2"
    for value in ("hunter2\nmore", "hun\0ter2", "\n"):
        with pytest.raises(ConfigError) as error:
            found({PASSWORD: value})
        assert "ter2" not in str(error.value)
    with pytest.raises(ConfigError, match="that was typed is empty"):
        found({}, "")


def test_a_secret_does_not_show_itself() -> None:
    secret = found({PASSWORD_COMMAND: "echo hunter2"})
    assert secret.value == "hunter2"
    assert "hunter2" not in f"{secret} {secret!r} {[secret]}"
    assert "password" in repr(secret)


def test_a_chosen_command_is_the_only_way_left() -> None:
    environ = {PASSWORD: "a", TOKEN: "b", PASSWORD_COMMAND: "c", "HOME": "/"}
    choose_command(environ, password=None, token="echo t")
    assert environ == {TOKEN_COMMAND: "echo t", "HOME": "/"}
    choose_command(environ, password="echo p", token=None)
    assert environ == {PASSWORD_COMMAND: "echo p", "HOME": "/"}
    choose_command(environ, password=None, token=None)
    assert environ == {PASSWORD_COMMAND: "echo p", "HOME": "/"}
    with pytest.raises(ConfigError, match="give one of them"):
        choose_command(environ, password="a", token="b")
    with pytest.raises(ConfigError, match="is empty"):
        choose_command(environ, password="", token=None)


def test_foreign_words_fit_on_one_line() -> None:
    assert shown("a\r\n\x1b[31mb\0  c") == "a [31mb c"
    assert shown("x" * 301) == "x" * 300 + "…"
