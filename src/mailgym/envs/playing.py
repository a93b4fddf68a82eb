"""What every hand-made player needs: its calls as decisions, its episode's first observation."""

import json
from collections.abc import Mapping
from typing import Any

from mailgym.core.episode import NO_TOKENS, Decision, Turn


def opening_of(turn: Turn) -> dict[str, Any]:
    """Return the first observation of the episode."""
    return turn.steps[0].observation if turn.steps else turn.observation


def call(name: str, arguments: Mapping[str, Any]) -> Decision:
    """Return the decision to call a tool."""
    action = {"name": name, "arguments": dict(arguments)}
    return Decision(action, text=json.dumps(action, ensure_ascii=False), usage=dict(NO_TOKENS))
