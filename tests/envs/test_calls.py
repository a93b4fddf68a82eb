"""Actions read as calls, texts as JSON, and tasks drawn."""

from pathlib import Path

import pytest
from pydantic import ValidationError

from mailgym.core.episode import Action, AnswerKey, MalformedAction, Task
from mailgym.core.errors import UserError
from mailgym.envs.calls import BadCall, GoodCall, ToolArguments, read_call, say_what_is_wrong
from mailgym.envs.drawn import draw
from mailgym.envs.written import as_call, first_object


class Label(ToolArguments):
    label: str


class Skip(ToolArguments):
    pass


TOOLS: dict[str, type[ToolArguments]] = {"label": Label, "skip": Skip}
GOOD = {"name": "label", "arguments": {"label": "spam"}}


def test_a_good_call() -> None:
    assert read_call(GOOD, TOOLS, "write JSON") == GoodCall("label", Label(label="spam"))
    assert read_call({"name": "skip"}, TOOLS, "write JSON") == GoodCall("skip", Skip())


@pytest.mark.parametrize(
    ("action", "tool", "result", "says"),
    [
        (MalformedAction("hm", "no object"), "", "unparsable", "no object. Please write JSON"),
        ({}, "", "unparsable", "it has no name"),
        ({"name": 3}, "", "unparsable", "it has no name"),
        ({"name": "delete"}, "delete", "unknown_tool", "The tools are: label, skip."),
        ({**GOOD, "more": 1}, "label", "bad_arguments", "nothing else"),
        ({"name": "label", "arguments": {"label": ["spam"]}}, "label", "bad_arguments", "Its arguments are: label."),
        ({"name": "skip", "arguments": {"x": 1}}, "skip", "bad_arguments", "It takes no arguments."),
        ({"name": "label", "arguments": "spam"}, "label", "bad_arguments", "arguments: "),
    ],
)
def test_a_bad_call_says_what_to_do(action: Action, tool: str, result: str, says: str) -> None:
    read = read_call(action, TOOLS, "write JSON")
    assert isinstance(read, BadCall)
    assert (read.tool, read.result) == (tool, result)
    assert says in read.error
    assert "\n" not in read.error


def test_the_first_object_of_a_text() -> None:
    assert first_object('Sure: {"a": 1} {"b": 2}') == {"a": 1}
    assert first_object('{"a": 1} <tool_call>{"b": 2}</tool_call>') == {"b": 2}
    for text in ("none", '{"a": ', '{"a": NaN}', '{"a": ' * 5000):
        assert isinstance(first_object(text), MalformedAction)


def test_bare_arguments_are_a_call() -> None:
    fields = {"label": "label"}
    assert as_call('{"label": "spam"}', fields) == GOOD
    assert as_call('{"name": "skip"}', fields) == {"name": "skip"}
    assert isinstance(as_call('{"x": 1}', fields), MalformedAction)
    assert isinstance(as_call("x", fields), MalformedAction)


def test_drawing() -> None:
    pairs = [(Task(f"t{i}"), AnswerKey(f"t{i}", "a", "b", "c")) for i in range(9)]
    assert draw(Path("x"), "test", pairs, None, 0).task_ids == tuple(task.id for task, _ in pairs)
    some = draw(Path("x"), "test", pairs, 4, 1)
    assert (
        some.task_ids == draw(Path("x"), "test", pairs, 4, 1).task_ids != draw(Path("x"), "test", pairs, 4, 2).task_ids
    )
    assert sorted(some.task_ids) == list(some.task_ids)
    assert len(draw(Path("x"), "test", pairs, 99, 0)) == 9
    with pytest.raises(UserError, match="at least 1"):
        draw(Path("x"), "test", pairs, 0, 0)
    with pytest.raises(ValueError, match="share an id"):
        draw(Path("x"), "test", pairs[:1] * 2, None, 0)


def test_what_is_wrong_names_three_fields_at_most() -> None:
    class Many(ToolArguments):
        a: int
        b: int
        c: int
        d: int

    with pytest.raises(ValidationError) as caught:
        Many.model_validate({})
    assert say_what_is_wrong(caught.value, "many", ["a", "b", "c", "d"]).count("Field required") == 3
