"""The command line: every verb parses its arguments and calls one function of a lower layer."""

import os
import sys
from typing import Annotated

import typer

from mailgym import __version__
from mailgym.cli import (
    ask,
    bench,
    look,
    mail,
    mcp,
    model,
    play,
    questions,
    redteam,
    scorecard,
    serve,
    setup,
    simulate,
    train,
)
from mailgym.cli.output import printable
from mailgym.core.errors import MailgymError
from mailgym.llm.local import QUIET_THREADS

for _variable, _value in QUIET_THREADS.items():  # before any command imports torch
    os.environ.setdefault(_variable, _value)

PIPE_CLOSED, FAILED, INTERRUPTED = 1, 2, 130
MAX_PATH_CHARS = 200

app = typer.Typer(
    name="mailgym",
    help="The gym where e-mail agents are trained, tested and put to work, on your own mail.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)
for family in (train, simulate, mail, questions, bench, redteam, scorecard, play, look, ask, mcp, serve, model, setup):
    family.register(app)


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"mailgym {__version__}")
        raise typer.Exit


@app.callback()
def _about(
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Print the version and stop.")
    ] = False,
) -> None:
    """The gym where e-mail agents are trained, tested and put to work, on your own mail."""


def main(arguments: list[str] | None = None) -> int:
    """Run one command and return its exit code.

    One of mailgym's own errors, or of the file system's, is printed as one line, without a traceback (exit code 2);
    Ctrl-C ends with 130. A reader that closes the pipe early (``| head``) ends it in silence, with 1.
    """
    code = _run(arguments)
    try:
        sys.stdout.flush()
    except BrokenPipeError:  # what is left to write goes nowhere, or Python complains when it ends
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return PIPE_CLOSED
    return code


def _run(arguments: list[str] | None) -> int:
    try:
        app(args=arguments, standalone_mode=True)
    except SystemExit as end:
        if end.code == INTERRUPTED:
            sys.stderr.write("mailgym: stopped\n")
        return end.code if isinstance(end.code, int) else int(end.code is not None)
    except MailgymError as error:
        sys.stderr.write(f"mailgym: {printable(str(error))}\n")  # it may name a file or an id out of a mail
        return FAILED
    except OSError as error:
        sys.stderr.write(f"mailgym: {printable(_plain_words(error))}\n")
        return FAILED
    except KeyboardInterrupt:
        sys.stderr.write("mailgym: stopped\n")
        return INTERRUPTED
    return 0


def _plain_words(error: OSError) -> str:
    """Say what the file system refused, with the path (a long one cut) where it names one."""
    path = f"{str(error.filename)[:MAX_PATH_CHARS]}: " if error.filename is not None else ""
    return f"{path}{error.strerror or error}; check the path, its permissions and the space on the disk"


if __name__ == "__main__":
    sys.exit(main())
