"""How mail search speaks with a language model: observation → chat messages, text → action."""

from mailgym.envs.search.prompt.answer import AnswerPrompt, NativeAnswerPrompt
from mailgym.envs.search.prompt.calls import parse_tool_call, parse_tool_calls
from mailgym.envs.search.prompt.find import EXAMPLE_SEARCH, ONE_TURN_EXAMPLES, SearchPrompt
from mailgym.envs.search.prompt.show import render

__all__ = [
    "EXAMPLE_SEARCH",
    "ONE_TURN_EXAMPLES",
    "AnswerPrompt",
    "NativeAnswerPrompt",
    "SearchPrompt",
    "parse_tool_call",
    "parse_tool_calls",
    "render",
]
