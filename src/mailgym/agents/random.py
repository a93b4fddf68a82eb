"""The agent that does anything: valid actions drawn from the tools' schemas, in words that it has seen."""

import json
import random
from collections.abc import Mapping, Sequence

from pydantic import BaseModel

from mailgym.core.episode import NO_TOKENS, Decision, Turn
from mailgym.envs.drawing import draw_action, texts_in


class RandomAgent:
    """Draws a tool, then its arguments by type; texts are words or whole values from what it has seen."""

    def __init__(self, tools: Mapping[str, type[BaseModel]]) -> None:
        """Play with these tools: name to the model of the arguments."""
        self._tools = dict(tools)

    @property
    def name(self) -> str:
        """The name shown in tables."""
        return "random"

    def act(self, turns: Sequence[Turn]) -> list[Decision]:
        """Draw one action a turn, from the turn's seed alone."""
        return [self._decide(turn) for turn in turns]

    def _decide(self, turn: Turn) -> Decision:
        seen = [*(step.observation for step in turn.steps), turn.observation]
        action = draw_action(self._tools, list(texts_in(seen)), random.Random(turn.seed))
        return Decision(action, text=json.dumps(action, ensure_ascii=False), usage=dict(NO_TOKENS))
