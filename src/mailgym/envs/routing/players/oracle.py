"""The upper bound: a player that the owner's side hands the answer keys."""

from collections.abc import Mapping, Sequence

from mailgym.core.episode import Decision, Turn
from mailgym.envs.playing import call, opening_of
from mailgym.envs.routing.schema import levels_from
from mailgym.envs.routing.tasks import RoutingKey


class Oracle:
    """Gives the right label and department and the model summary and reply, as far as each task asks for them."""

    def __init__(self, keys: Mapping[str, RoutingKey]) -> None:
        """Play with these answer keys, by task id."""
        self._keys = keys

    @property
    def name(self) -> str:
        """The name shown in tables."""
        return "oracle"

    def act(self, turns: Sequence[Turn]) -> list[Decision]:
        """Decide about the mail of each turn."""
        return [self._decide(turn) for turn in turns]

    def _decide(self, turn: Turn) -> Decision:
        key = self._keys[opening_of(turn)["task_id"]]
        right, level = key.right[len(turn.steps)], levels_from(key.kind)[len(turn.steps)]
        arguments: dict[str, str] = {"label": right.label}
        if level.routes:
            arguments["department"] = right.department
        if level.writes:
            arguments["summary"] = right.summary
            arguments |= {"reply": right.reply} if right.reply else {}
        return call("triage", arguments)
