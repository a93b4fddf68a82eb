"""What a model wrote, read as calls of tools."""

import json
import re
from typing import Any

from mailgym.core.episode import Action, MalformedAction
from mailgym.envs.written import MAX_TEXT_CHARS, TOOL_CALL, first_object, read_object

SEARCH_FIELDS = frozenset({"keywords", "from_addr", "to_addr", "sent_after", "sent_before", "max_results"})
BETWEEN_CALLS = re.compile(r"(?:[\s,;\]]|```(?:json)?|</?tool_call>)*(?=\{\s*[\"}])")
MAX_CALLS = 20
"""More calls in one text are not read: no world takes as many."""
OTHER_NAMES = (("tool_name", "tool_args"), ("name", "parameters"), ("tool", "arguments"), ("function", "arguments"))
"""Names that ART·E's prompt, and models of their own accord, give to a call's two fields."""


def parse_tool_call(text: str) -> Action:
    """Return the first call that ``text`` holds, or why there is none.

    Taken are ``{"name": ..., "arguments": {...}}``, the same between ``<tool_call>`` tags or code fences, and the bare
    arguments of ``search_emails``. Text around the object is ignored; types are left as written, for the world's schema
    to judge.
    """
    found = first_object(text)
    if isinstance(found, MalformedAction):
        return found
    return _as_call(found) or MalformedAction(text, "its JSON object names no tool")


def parse_tool_calls(text: str) -> Action:
    """Return the calls that ``text`` holds: one as it is, several as ``{"calls": [...]}``, or why there is none.

    Each is taken in the forms of :func:`parse_tool_call`, and with the names that other prompts give to its two fields
    (:data:`OTHER_NAMES`). Several follow each other, also in a list, with nothing but blanks, commas, tags or code
    fences in between. What follows the last call that can be read is ignored.
    """
    body = text[:MAX_TEXT_CHARS]
    tagged = TOOL_CALL.search(body)
    found = read_object(text, body, tagged.start(1) if tagged else 0)
    calls: list[dict[str, Any]] = []
    while not isinstance(found, MalformedAction) and len(calls) < MAX_CALLS:
        value, end = found
        call = _as_call(_with_usual_names(value))
        if call is None:
            found = MalformedAction(text, "its JSON object names no tool")
            break
        calls.append(call)
        between = BETWEEN_CALLS.match(body, end)
        if between is None:
            break
        found = read_object(text, body, between.end())
    if not calls:
        assert isinstance(found, MalformedAction)
        return found
    return calls[0] if len(calls) == 1 else {"calls": calls}


def write_tool_calls(action: dict[str, Any]) -> str:
    """Return an action as :func:`parse_tool_calls` reads it: its call, or its calls one a line, as JSON."""
    calls = action["calls"] if action.keys() == {"calls"} else [action]
    return "\n".join(json.dumps(call, ensure_ascii=False) for call in calls)


def _as_call(found: dict[str, Any]) -> dict[str, Any] | None:
    if "name" in found:
        return dict(found)
    if SEARCH_FIELDS & found.keys():
        return {"name": "search_emails", "arguments": found}
    return None


def _with_usual_names(found: dict[str, Any]) -> dict[str, Any]:
    for name, arguments in OTHER_NAMES:
        if found.keys() == {name, arguments}:
            return {"name": found[name], "arguments": found[arguments]}
    return found
