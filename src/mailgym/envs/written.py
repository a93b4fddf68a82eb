"""What a language model wrote, read as JSON: the first object of its text, with what stands around it ignored."""

import json
import re
from typing import Any

from mailgym.core.episode import Action, MalformedAction

TOOL_CALL = re.compile(r"<tool_call>(.*?)(?:</tool_call>|$)", re.DOTALL)
OBJECT_START = re.compile(r'\{\s*["}]')
MAX_TEXT_CHARS = 20_000
"""What stands behind is not read."""


def first_object(text: str) -> dict[str, Any] | MalformedAction:
    """Return the first JSON object of a text, between ``<tool_call>`` tags where there are any, or why there is none.

    Text around it is ignored; ``NaN`` and ``Infinity`` are no JSON; the types of its values are left as written.
    """
    body = text[:MAX_TEXT_CHARS]
    tagged = TOOL_CALL.search(body)
    found = read_object(text, body, tagged.start(1) if tagged else 0)
    return found if isinstance(found, MalformedAction) else found[0]


def as_call(text: str, tool_of: dict[str, str]) -> Action:
    """Read a text as a call: ``{"name": …, "arguments": …}``, or the bare arguments of one of the tools.

    Args:
        text: What the model wrote.
        tool_of: A field that only this tool's arguments have → the tool, for bare arguments.
    """
    found = first_object(text)
    if isinstance(found, MalformedAction) or "name" in found:
        return found
    for field, tool in tool_of.items():
        if field in found:
            return {"name": tool, "arguments": found}
    return MalformedAction(text, "its JSON object names no tool")


def read_object(text: str, body: str, place: int) -> tuple[dict[str, Any], int] | MalformedAction:
    """Read the first JSON object of ``body`` from ``place`` on; return it and where it ends."""
    start = OBJECT_START.search(body, place)
    if start is None:
        return MalformedAction(text, "there is no JSON object in it")
    try:
        return _DECODER.raw_decode(body, start.start())
    except (ValueError, RecursionError):
        return MalformedAction(text, "its JSON object is not valid or not complete")


def _refuse_constant(name: str) -> Any:
    raise ValueError(f"{name} is not JSON")


_DECODER = json.JSONDecoder(parse_constant=_refuse_constant)
