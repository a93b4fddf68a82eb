"""Mail as a terminal may show it: nothing in it is obeyed, and what would be obeyed is shown."""

import re
import shlex
import sys
from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from mailgym.cli.output import console
from mailgym.mail.visible import visible as show_hidden

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

    from mailgym.mail.message import Address

_WORD = re.compile(r"[^\W_]+")
_UNITS = ("bytes", "kB", "MB", "GB", "TB")
FOUND_STYLE, QUIET_STYLE, WARNING_STYLE = "bold yellow", "dim", "yellow"


def visible(text: str) -> str:
    """Return a text with every character in it shown that a terminal would obey; line ends are newlines."""
    return show_hidden(text)


def one_line(text: str) -> str:
    """Return a text made visible on one line, blanks in a row as one."""
    return visible(" ".join(text.split()))


def print_text(text: "Text | str", style: str = "", target: "Console | None" = None) -> None:
    """Print text of a message on standard output: wrapped on a terminal, in whole lines elsewhere."""
    from rich.text import Text

    (target or console()).print(Text(text, style=style) if isinstance(text, str) else text)


def print_pairs(pairs: Sequence[tuple[str, str]]) -> None:
    """Print names and values in two columns; a long value goes on below itself on a terminal."""
    from rich.table import Table
    from rich.text import Text

    width = max(len(name) for name, _ in pairs)
    target = console()
    if not sys.stdout.isatty():
        for name, value in pairs:
            print_text(f"{name:<{width}}  {value}")
        return
    grid = Table.grid(padding=(0, 2, 0, 0))
    grid.add_column(style=QUIET_STYLE, no_wrap=True)
    grid.add_column(overflow="fold")
    for name, value in pairs:
        grid.add_row(name, Text(value))
    target.print(grid)


def fit(text: str, width: int) -> "Text":
    """Return a text of exactly so many terminal cells: cut with an ellipsis, or filled with blanks."""
    from rich.text import Text

    fitted = Text(text, no_wrap=True)
    fitted.truncate(width, overflow="ellipsis", pad=True)
    return fitted


def mark_words(text: "Text", keywords: Sequence[str], style: str = FOUND_STYLE) -> None:
    """Mark the words of a text that have the stem of a keyword, as the index sees them."""
    from mailgym.mail.terms import stem_words, words_of

    wanted = {stem for keyword in keywords for stem in stem_words(words_of(keyword))}
    for found in _WORD.finditer(text.plain):
        if not wanted.isdisjoint(stem_words(words_of(found[0]))):
            text.stylize(style, *found.span())


def typed_id(message_id: str) -> str:
    """Return an id as one types it into a shell: quoted where that is needed, never like an option."""
    return shlex.quote(f"<{message_id}" if message_id.startswith("-") else message_id)


def counted(number: int, what: str) -> str:
    """Return a number with its noun: ``1 message``, ``2,000 messages``."""
    return f"{number:,} {what}{'' if number == 1 else 's'}"


def size_words(size_bytes: int) -> str:
    """Return a size for people: ``734 bytes``, ``1.2 MB`` (of 1,000,000)."""
    size, unit = float(size_bytes), 0
    while size >= 999.5 and unit < len(_UNITS) - 1:
        size, unit = size / 1000, unit + 1
    return f"{size:.{1 if unit and size < 99.95 else 0}f} {_UNITS[unit]}"


def day_words(date: datetime | None) -> str:
    """Return the day (UTC), a dash where there is none."""
    return "–" if date is None else date.isoformat()[:10]


def time_words(date: datetime | None) -> str:
    """Return the day and minute (UTC), a dash where there is none."""
    return "–" if date is None else date.isoformat(" ", "minutes")[:16]


def person_words(person: "Address") -> str:
    """Return a name, else the address, of one person, on one line."""
    return one_line(person.name or person.address) or "–"
