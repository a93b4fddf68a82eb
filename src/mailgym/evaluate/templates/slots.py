"""The slots of an environment's actions, read off its tools' schemas, and what a template puts into each."""

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from pydantic import BaseModel

from mailgym.evaluate.templates.reading import Reading, read_item
from mailgym.evaluate.templates.recipe import Recipe, change_recipe, draw_recipe

COUNTS = (-1, -1, -1, 0, 1, 1, 2, 3, 5, 10)
EVERY = -1
NUMBERS = (0, 1, 2, 3, 5, 10, 50, 100)
OPTIONAL_SHARE = 0.5
MOST_ITEMS = 50
MOST_WORD_CHARS = 200
FORWARD, BACKWARD = "place", "place from the end"
IN_TURN = "{each in its turn}"
"""Of a choice in a list's items: the first option for the first item, the second for the second, and so on."""

Kind = Literal["choice", "number", "text", "count"]


@dataclass(frozen=True, slots=True)
class Slot:
    """One thing to decide in a tool's arguments.

    Attributes:
        path: Tool and fields, such as ``reply.text`` or ``decide.decisions[].category``.
        kind: ``choice`` of ``options``, ``number``, ``text``, or ``count`` of a list's items.
        options: What a choice is made from, or the numbers that are within the bounds.
    """

    path: str
    kind: Kind
    options: tuple[Any, ...] = ()

    def draw(self, vocabulary: Sequence[str], draw: random.Random) -> Any:
        """Draw what fills the slot."""
        if self.kind == "text":
            return draw_recipe(vocabulary, draw)
        return draw.choice(self.options)

    def change(self, value: Any, vocabulary: Sequence[str], draw: random.Random) -> Any:
        """Return another filling, near to this one."""
        if isinstance(value, Recipe):
            return change_recipe(value, vocabulary, draw)
        others = [option for option in self.options if option != value]
        return draw.choice(others) if others else value


@dataclass(frozen=True)
class Template:
    """A whole template.

    Attributes:
        plan: The tool of each turn; the last one goes on.
        fillings: By the slots' paths; one filling a slot, the same in every turn.
    """

    plan: tuple[str, ...]
    fillings: Mapping[str, Any] = field(repr=False)


class Grammar:
    """All actions that templates can write in an environment.

    It knows the parts of JSON schema that pydantic writes for tools: choices, constants, references, alternatives,
    numbers with bounds, strings, lists, objects.
    """

    def __init__(self, tools: Mapping[str, type[BaseModel]]) -> None:
        """Read the slots of ``tools``: name to the model of the arguments.

        Raises:
            ValueError: A schema has a part that templates do not know.
        """
        self.tools = tuple(tools)
        self._schemas = {name: model.model_json_schema() for name, model in tools.items()}
        self.slots: dict[str, list[Slot]] = {
            name: list(_slots(schema, name, schema.get("$defs", {}))) for name, schema in self._schemas.items()
        }

    @property
    def labels(self) -> list[str]:
        """Every label that some slot may hold."""
        options = (slot.options for slots in self.slots.values() for slot in slots if slot.kind == "choice")
        return list(
            dict.fromkeys(label for some in options for label in some if isinstance(label, str) and label != IN_TURN)
        )

    def action(self, template: Template, seen: Reading, turn: int) -> dict[str, Any]:
        """Write a template's action of one turn, counted from 0."""
        tool = template.plan[min(turn, len(template.plan) - 1)]
        schema = self._schemas[tool]
        arguments = _build(schema, tool, schema.get("$defs", {}), template.fillings, seen, 0, 1)
        return {"name": tool, "arguments": arguments}

    def describe(self, template: Template) -> dict[str, str]:
        """Return what a template puts into each slot that its plan uses, in words."""
        fillings = template.fillings
        slots = [slot for tool in dict.fromkeys(template.plan) for slot in self.slots[tool]]
        unused = [slot.path[:-1] for slot in slots if slot.path.endswith("?") and not fillings[slot.path]]
        for slot in (slot for slot in slots if slot.path.endswith("|")):
            unused += [f"{slot.path}{index}" for index in slot.options if index != fillings[slot.path]]
        unused += [f"{slot.path}[]" for slot in slots if slot.kind == "count" and fillings[slot.path] == 0]
        shown = [slot.path for slot in slots if not any(slot.path.startswith(path) for path in unused)]
        counts = {slot.path for slot in slots if slot.kind == "count"}
        return {
            path: "as many as there are" if path in counts and fillings[path] == EVERY else str(fillings[path])
            for path in shown
            if path[-1] not in "?|"
        }


def _slots(  # noqa: PLR0912 (one branch a kind of value)
    schema: Mapping[str, Any], path: str, definitions: Mapping[str, Any]
) -> Iterator[Slot]:
    schema = _followed(schema, definitions)
    if "const" in schema:
        return
    if "enum" in schema:
        turns = (len(schema["enum"]) if path.endswith("id") else 1) if "[]." in path else 0
        yield Slot(path, "choice", (*schema["enum"], *[IN_TURN] * turns))
        return
    if "anyOf" in schema:
        yield Slot(f"{path}|", "choice", tuple(range(len(schema["anyOf"]))))
        for index, branch in enumerate(schema["anyOf"]):
            yield from _slots(branch, f"{path}|{index}", definitions)
        return
    kind = schema.get("type")
    if kind == "null":
        return
    if kind == "boolean":
        yield Slot(path, "choice", (True, False))
    elif kind in ("integer", "number"):
        yield Slot(path, "number", (*_numbers(schema), FORWARD, BACKWARD))
    elif kind == "string":
        yield Slot(path, "text")
    elif kind == "array":
        yield Slot(path, "count", _counts(schema))
        yield from _slots(schema.get("items", {}), f"{path}[]", definitions)
    elif kind == "object":
        required = schema.get("required", [])
        for name, inner in schema.get("properties", {}).items():
            if name not in required:
                yield Slot(f"{path}.{name}?", "choice", (True, False))
            yield from _slots(inner, f"{path}.{name}", definitions)
    else:
        raise ValueError(f"templates cannot fill {dict(schema)}: teach evaluate/templates/slots.py this part")


def _build(  # noqa: PLR0911 (one return a kind of value)
    schema: Mapping[str, Any],
    path: str,
    definitions: Mapping[str, Any],
    fillings: Mapping[str, Any],
    seen: Reading,
    place: int,
    of: int,
) -> Any:
    """Build a value; ``place`` and ``of`` say which item of the innermost list it belongs to."""
    schema = _followed(schema, definitions)
    rest = (definitions, fillings, seen, place, of)
    if "const" in schema:
        return schema["const"]
    if "enum" in schema:
        return schema["enum"][place % len(schema["enum"])] if fillings[path] == IN_TURN else fillings[path]
    if "anyOf" in schema:
        branch = fillings[f"{path}|"]
        return _build(schema["anyOf"][branch], f"{path}|{branch}", *rest)
    kind = schema["type"]
    if kind == "null":
        return None
    if kind in ("boolean", "integer", "number"):
        chosen = fillings[path]
        return {FORWARD: place + 1, BACKWARD: of - place}.get(chosen, chosen) if isinstance(chosen, str) else chosen
    if kind == "string":
        text = str(fillings[path].write(seen, place))
        return text[: schema.get("maxLength", len(text))].ljust(schema.get("minLength", 0), ".")
    if kind == "array":
        return _build_list(schema, path, definitions, fillings, seen)
    required = schema.get("required", [])
    return {
        name: _build(inner, f"{path}.{name}", *rest)
        for name, inner in schema.get("properties", {}).items()
        if name in required or fillings[f"{path}.{name}?"]
    }


def _build_list(
    schema: Mapping[str, Any], path: str, definitions: Mapping[str, Any], fillings: Mapping[str, Any], seen: Reading
) -> list[Any]:
    """Build a list: every label, the words of one text, or an item for each mail seen; as many as the count says."""
    inner = _followed(schema.get("items", {}), definitions)
    most = min(schema.get("maxItems", MOST_ITEMS), MOST_ITEMS)
    count = fillings[path]
    if "enum" in inner:
        return list(inner["enum"])[: most if count == EVERY else count]
    text = fillings.get(f"{path}[]")
    if isinstance(text, Recipe) and not text.from_ids:
        longest = inner.get("maxLength", MOST_WORD_CHARS)
        words = [word[:longest] for word in text.write(seen).split()]
        return words[: most if count == EVERY else count]
    available = len(seen.ids) if isinstance(text, Recipe) else len(seen.items)
    count = min(max(available, 1) if count == EVERY else count, most)
    items = [read_item(seen.items[place], seen) if place < len(seen.items) else seen for place in range(count)]
    return [
        _build(inner, f"{path}[]", definitions, fillings, seen if isinstance(text, Recipe) else item, place, count)
        for place, item in enumerate(items)
    ]


def _followed(schema: Mapping[str, Any], definitions: Mapping[str, Any]) -> Mapping[str, Any]:
    while "$ref" in schema or (len(schema.get("allOf", ())) == 1):
        schema = definitions[schema["$ref"].rsplit("/", 1)[-1]] if "$ref" in schema else schema["allOf"][0]
    return schema


def _numbers(schema: Mapping[str, Any]) -> tuple[int | float, ...]:
    low = schema.get("minimum", schema.get("exclusiveMinimum", NUMBERS[0] - 1) + 1)
    high = schema.get("maximum", schema.get("exclusiveMaximum", NUMBERS[-1] + 1) - 1)
    within = [number for number in NUMBERS if low <= number <= high]
    return tuple(dict.fromkeys([low, *within, high]))


def _counts(schema: Mapping[str, Any]) -> tuple[int, ...]:
    low, high = schema.get("minItems", 0), schema.get("maxItems", MOST_ITEMS)
    return tuple(count for count in COUNTS if count == EVERY or low <= count <= high) or (EVERY,)
