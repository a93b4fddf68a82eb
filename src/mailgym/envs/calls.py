"""An action read as the call of a tool: what every world whose actions are calls does first.

An action is ``{"name": tool, "arguments": {...}}``. One that cannot be read is a value with its reason, for the world
to answer with an error observation and for the rubric to price.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from pydantic import BaseModel, ConfigDict, ValidationError

from mailgym.core.episode import Action, MalformedAction

Result = Literal["unparsable", "unknown_tool", "bad_arguments"]
MAX_SHOWN_CHARS = 80
MAX_COMPLAINTS = 3


class ToolArguments(BaseModel):
    """Arguments of a tool: no unknown names, no conversion between types."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


@dataclass(frozen=True, slots=True)
class BadCall:
    """A call that cannot be carried out.

    Attributes:
        tool: What was called; empty where no name could be read.
        result: What is wrong, as rubrics price it.
        error: The same in words that say how to mend it; the agent's side.
    """

    tool: str
    result: Result
    error: str


@dataclass(frozen=True, slots=True)
class GoodCall:
    """A call with valid arguments."""

    tool: str
    arguments: ToolArguments


def read_call(action: Action, tools: Mapping[str, type[ToolArguments]], example: str) -> GoodCall | BadCall:
    """Read an action as one call.

    Args:
        action: What the agent did; anything.
        tools: Tool name to the model of its arguments.
        example: How to write a call, as the end of a sentence: ``write one JSON object: {"name": …}``.
    """
    if isinstance(action, MalformedAction):
        return BadCall("", "unparsable", f"No tool call could be read: {action.reason}. Please {example}")
    name = action.get("name") if isinstance(action, dict) else None
    if not isinstance(name, str):
        return BadCall("", "unparsable", f"No tool call could be read: it has no name. Please {example}")
    if name not in tools:
        return BadCall(name, "unknown_tool", f"There is no tool of this name here. The tools are: {', '.join(tools)}.")
    if not action.keys() <= {"name", "arguments"}:
        error = f"{name} was not called: give name and arguments, and nothing else. Please {example}"
        return BadCall(name, "bad_arguments", error)
    try:
        return GoodCall(name, tools[name].model_validate(action.get("arguments", {})))
    except ValidationError as error:
        return BadCall(name, "bad_arguments", say_what_is_wrong(error, name, list(tools[name].model_fields)))


def say_what_is_wrong(error: ValidationError, tool: str, names: Sequence[str]) -> str:
    """Return what is wrong with a tool's arguments and how to mend it, on one line."""
    complaints = []
    for detail in error.errors(include_url=False, include_input=False)[:MAX_COMPLAINTS]:
        path = " ".join(".".join(str(step) for step in detail["loc"]).split())
        where = path[:MAX_SHOWN_CHARS] or "arguments"
        complaints.append(f"{where}: {detail['msg']}")
    known = f"Its arguments are: {', '.join(names)}." if names else "It takes no arguments."
    return f"{tool} was not called. {'; '.join(complaints)}. {known}"
