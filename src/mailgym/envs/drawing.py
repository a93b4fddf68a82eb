"""Draws valid actions from the tools' schemas, in words that the episode has shown: for random play and for checks."""

import random
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pydantic import BaseModel

WORD = re.compile(r"\w+")
MAX_LIST_ITEMS = 4
MAX_WORDS = 3
OPTIONAL_SHARE = 0.25


def draw_action(tools: Mapping[str, type[BaseModel]], texts: Sequence[str], draw: random.Random) -> dict[str, Any]:
    """Draw a tool, then its arguments by type.

    Args:
        tools: Tool name to the model of its arguments.
        texts: What has been seen; texts are drawn from it as single words or whole.
        draw: The random stream.

    Raises:
        ValueError: A schema has a part that :func:`draw_value` does not know.
    """
    tool = draw.choice(list(tools))
    schema = tools[tool].model_json_schema()
    required = schema.get("required", [])
    arguments = {
        name: draw_value(field, texts, draw, schema.get("$defs", {}))
        for name, field in schema.get("properties", {}).items()
        if name in required or draw.random() < OPTIONAL_SHARE
    }
    return {"name": tool, "arguments": arguments}


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
    raise ValueError(f"cannot draw a value for {dict(schema)}: teach envs/drawing.py this part of JSON schema")


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
    return text[: schema.get("maxLength", len(text))].ljust(schema.get("minLength", 1), "x")


def texts_in(value: Any) -> Iterator[str]:
    """Walk through the strings of plain data."""
    if isinstance(value, str):
        if value:
            yield value
    elif isinstance(value, Mapping):
        for item in value.values():
            yield from texts_in(item)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from texts_in(item)
