"""Finds the secret that opens a mail account; it never comes from a command line and is never shown."""

import shlex
import subprocess
from collections.abc import Callable, Mapping, MutableMapping
from dataclasses import dataclass, field
from typing import Literal

from mailgym.core.errors import ConfigError

PASSWORD = "MAILGYM_IMAP_PASSWORD"
TOKEN = "MAILGYM_IMAP_TOKEN"
PASSWORD_COMMAND = "MAILGYM_IMAP_PASSWORD_COMMAND"
TOKEN_COMMAND = "MAILGYM_IMAP_TOKEN_COMMAND"
WAYS = (
    f"set {PASSWORD} or {TOKEN} (OAuth2) in the environment; or give a command that prints it, by --password-command, "
    f"--token-command, {PASSWORD_COMMAND} or {TOKEN_COMMAND}; or run in a terminal, which asks for the password"
)

Kind = Literal["password", "token"]
Prompt = Callable[[str], str]
_COMMAND_TIMEOUT_S = 120.0
_MOST_STDERR_CHARS = 400


@dataclass(frozen=True, slots=True)
class Secret:
    """What opens an account: a password, or an OAuth2 access token. Its text form shows the kind alone.

    Attributes:
        kind: Which of the two it is.
        value: The secret itself.
        command: The command that printed it; empty where it came otherwise.
        variable: The environment variable that holds the command; empty where there is none.
    """

    kind: Kind
    value: str = field(repr=False)
    command: str = field(default="", repr=False)
    variable: str = field(default="", repr=False)

    def renewed(self) -> "Secret":
        """Return the secret as it is now: a command is run again, since its token may have run out.

        Raises:
            ConfigError: The command fails.
        """
        return _from_command(self.kind, self.variable, self.command) if self.command else self


def find_secret(user: str, host: str, *, prompt: Prompt | None, environ: Mapping[str, str]) -> Secret:
    """Find the secret of an account.

    The order: a password or token in the environment, then a command in the environment, then the prompt.

    Args:
        user: Whose account it is, for the prompt.
        host: The mail server, for the prompt.
        prompt: Asks for a password without showing it; None where there is no terminal to ask at.
        environ: The environment's variables; empty ones count as not set.

    Raises:
        ConfigError: There is no way to a secret, two ways of one kind stand beside each other, a command fails, or the
            secret is empty or holds a control character.
    """
    value = _only(environ, (PASSWORD, "password"), (TOKEN, "token"))
    if value is not None:
        variable, kind, text = value
        return Secret(kind, _checked(text.rstrip("\r\n"), variable))
    command = _only(environ, (PASSWORD_COMMAND, "password"), (TOKEN_COMMAND, "token"))
    if command is not None:
        variable, kind, text = command
        return _from_command(kind, variable, text)
    if prompt is None:
        raise ConfigError(f"no password for {user} on {host}: {WAYS}")
    try:
        typed = prompt(f"Password for {user} on {host}: ")
    except EOFError:
        raise ConfigError(f"no password for {user} on {host} was typed: {WAYS}") from None
    return Secret("password", _checked(typed, "the password that was typed"))


def choose_command(environ: MutableMapping[str, str], *, password: str | None, token: str | None) -> None:
    """Make a command the one way to the secret, whatever else the environment holds.

    Args:
        environ: The environment's variables; changed in place. Left as they are where no command is given.
        password: A command that prints a password.
        token: A command that prints an OAuth2 access token.

    Raises:
        ConfigError: Both are given, or the one given is empty.
    """
    if password is None and token is None:
        return
    if password is not None and token is not None:
        raise ConfigError("a password command and a token command are given: give one of them")
    variable, command = (PASSWORD_COMMAND, password) if token is None else (TOKEN_COMMAND, token)
    if not command:
        raise ConfigError("the command is empty: give one that prints the secret on its first line")
    for other in (PASSWORD, TOKEN, PASSWORD_COMMAND, TOKEN_COMMAND):
        environ.pop(other, None)
    environ[variable] = command


def _only(environ: Mapping[str, str], *ways: tuple[str, Kind]) -> tuple[str, Kind, str] | None:
    found: list[tuple[str, Kind, str]] = [(name, kind, environ[name]) for name, kind in ways if environ.get(name)]
    if len(found) > 1:
        raise ConfigError(f"{' and '.join(name for name, _, _ in found)} are both set: unset one of them")
    return found[0] if found else None


def _from_command(kind: Kind, variable: str, command: str) -> Secret:
    where = f"--{kind}-command or {variable}"
    try:
        words = shlex.split(command)
    except ValueError:
        words = []
    if not words:
        raise ConfigError(f"{where} is no command: write a program and its arguments, quoted as in a shell")
    program = words[0]  # the arguments may themselves be secret: errors name the program alone
    try:
        done = subprocess.run(words, capture_output=True, timeout=_COMMAND_TIMEOUT_S, check=False)
    except subprocess.TimeoutExpired:
        raise ConfigError(
            f"{where}: {program} did not end within {_COMMAND_TIMEOUT_S:.0f} s: run it by hand and see what it asks"
        ) from None
    except OSError as error:
        raise ConfigError(
            f"{where}: {program} cannot be run ({error.strerror}): name a program that is there"
        ) from None
    if done.returncode != 0:
        said = shown(done.stderr.decode("utf-8", errors="replace"), _MOST_STDERR_CHARS) or "it said nothing"
        raise ConfigError(f"{where}: {program} failed with exit code {done.returncode} ({said}): run it by hand")
    lines = done.stdout.decode("utf-8", errors="replace").splitlines()
    value = _checked(lines[0] if lines else "", f"{where}: the first line that {program} prints")
    return Secret(kind, value, command, variable)


def _checked(value: str, where: str) -> str:
    if not value:
        raise ConfigError(f"{where} is empty: {WAYS}")
    if "\ufffd" in value or not value.isprintable():
        raise ConfigError(f"{where} holds a character that no secret has, such as a line break: {WAYS}")
    return value


def shown(text: str, most_chars: int = 300) -> str:
    """Return foreign text fit for one line of an error: control characters become spaces, a long one is cut."""
    line = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    return line if len(line) <= most_chars else f"{line[:most_chars]}…"
