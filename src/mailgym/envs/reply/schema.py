"""What an agent may do with one mail: say what it is, then draft the answer. Three tools, as strict pydantic models."""

from collections.abc import Callable
from typing import Any, Literal, get_args

from pydantic import Field

from mailgym.envs.calls import ToolArguments

Urgency = Literal["high", "medium", "low"]
Category = Literal["work", "personal", "social", "spam"]
Tone = Literal["professional", "friendly", "assertive", "apologetic", "none"]

URGENCIES: tuple[str, ...] = get_args(Urgency)
CATEGORIES: tuple[str, ...] = get_args(Category)
TONES: tuple[str, ...] = get_args(Tone)
MAX_REASON_CHARS = 500
MAX_REPLY_CHARS = 4000


class Classify(ToolArguments):
    """Step 1: say how urgent the mail is, what sort of mail it is, and whether it needs a reply."""

    urgency: Urgency = Field(description="How soon the owner must act on it.")
    category: Category = Field(description="What sort of mail it is.")
    requires_reply: bool = Field(description="Whether the sender needs an answer.")
    reason: str = Field(max_length=MAX_REASON_CHARS, description="Why, in a sentence or two.")


class Draft(ToolArguments):
    """Step 2: draft the owner's reply; an empty text where none is to be sent."""

    tone: Tone = Field(description="The tone of the reply; none for no reply.")
    reply_text: str = Field(max_length=MAX_REPLY_CHARS, description="The whole reply, greeting and closing included.")


class Skip(ToolArguments):
    """Leave the mail undecided, and end the episode."""


TOOLS: dict[str, type[ToolArguments]] = {"classify": Classify, "draft": Draft, "skip": Skip}
TOOL_OF_STEP = {1: "classify", 2: "draft"}


def well_typed(arguments: Any) -> dict[str, Any]:
    """Return those fields of a classification that have a value of their type, whatever the others are.

    A list for a string, a text for true or false and a label that does not exist are left out, as is a reason that is
    blank or too long. Anything that is no table of fields has none.
    """
    if not isinstance(arguments, dict):
        return {}
    fits: dict[str, Callable[[Any], bool]] = {
        "urgency": lambda value: isinstance(value, str) and value in URGENCIES,
        "category": lambda value: isinstance(value, str) and value in CATEGORIES,
        "requires_reply": lambda value: isinstance(value, bool),
        "reason": lambda value: isinstance(value, str) and bool(value.strip()) and len(value) <= MAX_REASON_CHARS,
    }
    return {name: arguments[name] for name, fitting in fits.items() if name in arguments and fitting(arguments[name])}
