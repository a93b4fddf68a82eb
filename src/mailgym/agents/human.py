"""A person who plays in the terminal."""

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from pydantic import BaseModel, ValidationError

from mailgym.core.episode import NO_TOKENS, Decision, Turn


class HumanAgent:
    """Shows each observation and asks for a tool and its arguments, field by field.

    A list is typed with commas between its items, a list of objects as JSON; Enter leaves an optional argument out.
    What the tool's schema does not take is asked for again, so that a slip costs nothing.
    """

    def __init__(
        self,
        tools: Mapping[str, type[BaseModel]],
        render: Callable[[dict[str, Any]], str],
        ask: Callable[[str], str] = input,
        show: Callable[[str], None] = print,
    ) -> None:
        """Play with ``tools``; ``ask`` takes a question and returns a line, ``show`` prints one text."""
        self._tools = dict(tools)
        self._render = render
        self._ask = ask
        self._show = show

    @property
    def name(self) -> str:
        """The name shown in tables."""
        return "human"

    def act(self, turns: Sequence[Turn]) -> list[Decision]:
        """Ask for one action a turn."""
        return [self._decide(turn) for turn in turns]

    def _decide(self, turn: Turn) -> Decision:
        self._show(self._render(turn.observation))
        while True:
            tool = self._ask_tool()
            arguments = self._ask_arguments(tool)
            try:
                self._tools[tool].model_validate(arguments)
            except ValidationError as error:
                for detail in error.errors(include_url=False):
                    self._show(f"{'.'.join(str(step) for step in detail['loc'])}: {detail['msg']}")
                continue
            action = {"name": tool, "arguments": arguments}
            return Decision(action, text=json.dumps(action, ensure_ascii=False), usage=dict(NO_TOKENS))

    def _ask_tool(self) -> str:
        names = list(self._tools)
        menu = "  ".join(f"{number} {name}" for number, name in enumerate(names, 1))
        while True:
            answer = self._ask(f"{menu}\nTool (number or name): ").strip()
            if answer in names:
                return answer
            if answer.isascii() and answer.isdigit() and 1 <= int(answer) <= len(names):
                return names[int(answer) - 1]
            self._show(f"There is no tool {answer!r}.")

    def _ask_arguments(self, tool: str) -> dict[str, Any]:
        schema = self._tools[tool].model_json_schema()
        arguments: dict[str, Any] = {}
        for name, field in schema.get("properties", {}).items():
            about = field.get("description", "")
            required = name in schema.get("required", [])
            line = self._ask(f"  {name}{'' if required else ' (or Enter)'} – {about} ").strip()
            if line or required:
                arguments[name] = read_value(line, field)
        return arguments


def read_value(line: str, schema: Mapping[str, Any]) -> Any:
    """Read what a person typed as the type that the schema asks for; what does not fit stays text."""
    kinds = {option.get("type") for option in schema.get("anyOf", [schema])}
    if "array" in kinds and not line.lstrip().startswith(("[{", "[[")):
        return [item.strip() for item in line.split(",") if item.strip()]
    if "string" in kinds:
        return line
    try:
        return json.loads(line)
    except json.JSONDecodeError:
        return line
