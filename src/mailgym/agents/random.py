"""The agent that does anything: valid actions drawn from the tools' schemas, in words that it has seen."""

import json
import random
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pydantic import BaseModel

from mailgym.core.episode import Decision, Turn

WORD = re.compile(r"\w+")
MAX_LIST_ITEMS = 4
MAX_WORDS = 3
OPTIONAL_SHARE = 0.25


class RandomAgent:
    """Draws a tool, then its arguments by type; texts are words or whole values from what it has seen."""

    def __init__(self, tools: Mapping[str, type[BaseModel]]) -> None:
        """Play with these tools: name to the model of the arguments."""
        self._tools = {name: model.model_json_schema() for name, model in tools.items()}

    @property
    def name(self) -> str:
        """The name shown in tables."""
        return "random"

    def act(self, turns: Sequence[Turn]) -> list[Decision]:
        """Draw one action a turn, from the turn's seed alone."""
        return [self._decide(turn) for turn in turns]

    def _decide(self, turn: Turn) -> Decision:
        draw = random.Random(turn.seed)
        texts = list(_texts([step.observation for step in turn.steps] + [turn.observation]))
        tool = draw.choice(list(self._tools))
        schema = self._tools[tool]
        required = schema.get("required", [])
        arguments = {
            name: draw_value(field, texts, draw, schema.get("$defs", {}))
            for name, field in schema.get("properties", {}).items()
            if name in required or draw.random() < OPTIONAL_SHARE
        }
        action = {"name": tool, "arguments": arguments}
        return Decision(action, text=json.dumps(action, ensure_ascii=False))


def draw_value(  # noqa: PLR0911 (one return a kind of value)
    schema: Mapping[str, Any], texts: Sequence[str], draw: random.Random, definitions: Mapping[str, Any]
) -> Any:
    """Draw a value that a JSON schema admits.

    It knows the parts of JSON schema that pydantic writes for tools: choices, constants, references,
    alternatives, numbers with bounds, strings with a length, lists, objects.

    Raises:
        ValueError: The schema has a part it does not know.
    """
    if "$ref" in schema:
        return draw_value(definitions[schema["$ref"].rsplit("/", 1)[-1]], texts, draw, definitions)
    if "enum" in schema:
        return draw.choice(schema["enum"])
    if "const" in schema:
        return schema["const"]
    if "anyOf" in schema:
        return draw_value(draw.choice(schema["anyOf"]), texts, draw, definitions)
    kind = schema.get("type")
    if kind == "null":
        return None
    if kind == "boolean":
        return draw.random() < 0.5
    if kind in ("integer", "number"):
        return _draw_number(schema, draw)
    if kind == "string":
        return _draw_text(schema, texts, draw)
    if kind == "array":
        count = draw.randint(schema.get("minItems", 1), min(schema.get("maxItems", MAX_LIST_ITEMS), MAX_LIST_ITEMS))
        return [draw_value(schema["items"], texts, draw, definitions) for _ in range(count)]
    if kind == "object":
        fields = schema.get("properties", {})
        return {name: draw_value(field, texts, draw, definitions) for name, field in fields.items()}
    raise ValueError(f"cannot draw a value for {dict(schema)}: teach agents/random.py this part of JSON schema")


def _draw_number(schema: Mapping[str, Any], draw: random.Random) -> int | float:
    low = schema.get("minimum", schema.get("exclusiveMinimum", 0))
    high = schema.get("maximum", schema.get("exclusiveMaximum", low + 10))
    if schema["type"] == "integer":
        low += "exclusiveMinimum" in schema
        high -= "exclusiveMaximum" in schema
        return draw.randint(low, high)
    return draw.uniform(low, high)


def _draw_text(schema: Mapping[str, Any], texts: Sequence[str], draw: random.Random) -> str:
    text = draw.choice(texts) if texts else ""
    if draw.random() < 0.5:
        words = WORD.findall(text) or ["mail"]
        text = " ".join(draw.choice(words) for _ in range(draw.randint(1, MAX_WORDS)))
    return text[: schema.get("maxLength", len(text))] or "x" * schema.get("minLength", 1)


def _texts(value: Any) -> Iterator[str]:
    """Walk through the strings of plain data."""
    if isinstance(value, str):
        if value:
            yield value
    elif isinstance(value, Mapping):
        for item in value.values():
            yield from _texts(item)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _texts(item)
