"""What is drawn from a schema is valid for it."""

import random
from enum import Enum
from typing import Any, Literal

import pytest
from pydantic import BaseModel, ConfigDict, Field

from mailgym.envs.drawing import draw_action, draw_value, texts_in
from mailgym.envs.search.schema import TOOLS


class Colour(Enum):
    RED = "red"


class Inner(BaseModel):
    flag: bool


class Everything(BaseModel):
    model_config = ConfigDict(extra="forbid")

    kind: Literal["only"]
    choice: Literal["a", "b"]
    colour: Colour
    inner: Inner
    text: str = Field(min_length=3, max_length=5)
    count: int = Field(gt=2, lt=5)
    share: float = Field(ge=0.0, le=1.0)
    items: list[int] = Field(min_length=2, max_length=3)
    perhaps: str | None = None


def test_drawn_arguments_are_valid() -> None:
    draw = random.Random(1)
    for _ in range(200):
        action = draw_action({"tool": Everything, **TOOLS}, ["long words here", "w" * 300], draw)
        model = {"tool": Everything, **TOOLS}[action["name"]]
        model.model_validate(action["arguments"])


def test_words_come_from_what_was_seen() -> None:
    drawn = {draw_value({"type": "string"}, ["blue whale"], random.Random(n), {}) for n in range(50)}
    assert {word for text in drawn for word in text.split()} == {"blue", "whale"}
    assert draw_value({"type": "string"}, [], random.Random(0), {}) in ("mail", "mail mail", "mail mail mail", "x")


def test_unknown_parts_of_a_schema_are_an_error() -> None:
    with pytest.raises(ValueError, match="teach"):
        draw_value({"type": "tuple"}, [], random.Random(0), {})


def test_texts_in_walks_everything() -> None:
    data: dict[str, Any] = {"a": "x", "b": ["y", {"c": ("z", 1, None, "")}]}
    assert list(texts_in(data)) == ["x", "y", "z"]
