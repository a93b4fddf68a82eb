"""The back office of one episode: orders, payments and customers that three tools look up.

A record holds facts of business and nothing else: what was bought, charged, delivered, reported. No field of it says
what a mail is, how urgent it is, or who has to act.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

ADDRESS = re.compile(r"[\w.+-]+@[\w.-]+\w")


@dataclass(frozen=True, slots=True)
class Record:
    """What the back office knows of one order, account or customer.

    Attributes:
        tool: The tool that finds it.
        keys: Ids and addresses by which it is found.
        lines: The facts, one a line.
    """

    tool: str
    keys: tuple[str, ...]
    lines: tuple[str, ...]


def address_of(sender: str) -> str:
    """Return the address in a sender line; the line itself where there is none."""
    found = ADDRESS.search(sender)
    return found[0] if found else sender


def asked_for(tool_input: Mapping[str, str | int] | None, sender: str) -> tuple[str, ...]:
    """Return what a look-up asks for: the values of its input, or the sender's address where it has none."""
    values = tuple(text for value in (tool_input or {}).values() if (text := _plain(str(value))))
    return values or (_plain(address_of(sender)),)


def look_up(
    records: Sequence[Record], tool: str, tool_input: Mapping[str, str | int] | None, sender: str
) -> dict[str, Any]:
    """Return what a tool finds, as plain data.

    Args:
        records: The episode's back office.
        tool: The tool.
        tool_input: Names to values. The names are not minded: any id is found under whatever it is called.
        sender: Of the current mail; asked for where the input has no value.
    """
    wanted = asked_for(tool_input, sender)
    found = [record for record in records if record.tool == tool and set(wanted) & {_plain(key) for key in record.keys}]
    return {
        "tool": tool,
        "asked_for": list(wanted),
        "found": bool(found),
        "records": [list(record.lines) for record in found],
    }


def speaks_of(mail_text: str, values: Sequence[str]) -> bool:
    """Return whether a mail (sender, subject and text) has one of the values that were looked up."""
    plain = _plain(mail_text)
    return any(value in plain for value in values if value)


def _plain(text: str) -> str:
    return " ".join(text.lower().replace("#", " ").split())
