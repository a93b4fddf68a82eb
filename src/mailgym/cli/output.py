"""What a command shows: results on standard output, everything else on standard error."""

import json
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import Progress

WIDTH_WITHOUT_TERMINAL = 120
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
_SURROGATE = re.compile("[\ud800-\udfff]")
ShowProgress = Callable[[str, int, int | None], None]


def console(stderr: bool = False) -> "Console":
    """Return a console; on standard output for results, on standard error for progress and notes."""
    from rich.console import Console

    stream = sys.stderr if stderr else sys.stdout
    width = None if stream.isatty() else WIDTH_WITHOUT_TERMINAL
    return Console(file=stream, width=width, highlight=False, soft_wrap=not stream.isatty())


def print_json(data: Any) -> None:
    """Print plain data as JSON on standard output; what a terminal would obey or cannot write is escaped in it."""
    text = json.dumps(data, ensure_ascii=False, indent=2)
    for pattern in (_SURROGATE, _CONTROL):  # they stand in strings alone
        text = pattern.sub(lambda found: f"\\u{ord(found[0]):04x}", text)
    sys.stdout.write(text + "\n")


def note(text: str) -> None:
    """Print a line for the person at the terminal, on standard error."""
    console(stderr=True).print(printable(text), markup=False)


def show(text: Any) -> None:
    """Print a result on standard output: a text as it is (see :func:`printable`), or a table."""
    console().print(printable(text) if isinstance(text, str) else text, markup=False)


def show_line(text: str) -> None:
    """Print a result that is one line whatever the width of the terminal: for programs that read it."""
    console().print(printable(text), markup=False, soft_wrap=True)


def printable(text: str) -> str:
    """Replace what a terminal would obey or cannot write: mail and models write control characters too."""
    return _SURROGATE.sub("\ufffd", _CONTROL.sub("\ufffd", text))


@contextmanager
def progress_bars() -> Iterator[ShowProgress]:
    """Show bars on standard error while something long runs; yields ``(what, done, total)``, one bar for each what."""
    bars: dict[str, Any] = {}
    with _display() as display:

        def report(what: str, done: int, total: int | None) -> None:
            if what not in bars:
                bars[what] = display.add_task(what, total=total)
            display.update(bars[what], completed=done, total=total)

        yield report
        for bar in bars.values():
            total = display.tasks[bar].total
            display.update(bar, completed=total if total is not None else 1, total=total if total is not None else 1)


@contextmanager
def status(first: str) -> Iterator[Callable[[str], None]]:
    """Show one changing line while something long runs; yields the function that changes it.

    Without a terminal every line is printed, so that a log shows them all.
    """
    target = console(stderr=True)
    if not target.is_terminal:
        yield lambda line: target.print(line, markup=False)
        return
    with target.status(first) as line:
        yield line.update


def _display() -> "Progress":
    from rich.progress import (
        BarColumn,
        Progress,
        TaskProgressColumn,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        TaskProgressColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
    )
    target = console(stderr=True)
    return Progress(*columns, console=target, transient=False, disable=not target.is_terminal)
