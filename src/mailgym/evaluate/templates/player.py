"""Plays a template: writes each turn's action from what was seen, without a thought."""

import json
from collections.abc import Sequence

from mailgym.core.episode import NO_TOKENS, Decision, Turn
from mailgym.evaluate.templates.reading import read
from mailgym.evaluate.templates.slots import Grammar, Template

NAME = "template_search"


class TemplatePlayer:
    """An agent that is one template."""

    def __init__(self, grammar: Grammar, template: Template) -> None:
        """Play ``template``."""
        self._grammar = grammar
        self._template = template

    @property
    def name(self) -> str:
        """The name shown in tables."""
        return NAME

    def act(self, turns: Sequence[Turn]) -> list[Decision]:
        """Write one action for each turn."""
        return [self._decide(turn) for turn in turns]

    def _decide(self, turn: Turn) -> Decision:
        seen = read([*(step.observation for step in turn.steps), turn.observation])
        action = self._grammar.action(self._template, seen, len(turn.steps))
        return Decision(action, text=json.dumps(action, ensure_ascii=False), usage=dict(NO_TOKENS))
