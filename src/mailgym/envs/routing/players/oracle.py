"""The upper bound: a player that the owner's side hands the answer keys."""

from mailgym.core.episode import Decision, Turn
from mailgym.envs.playing import KeyedPlayer, call
from mailgym.envs.routing.schema import levels_from
from mailgym.envs.routing.tasks import RoutingKey


class Oracle(KeyedPlayer[RoutingKey]):
    """Gives the right label and department and the model summary and reply, as far as each task asks for them."""

    def decide(self, turn: Turn) -> Decision:
        """Decide about the mail of each turn."""
        key = self.key_of(turn)
        right, level = key.right[len(turn.steps)], levels_from(key.kind)[len(turn.steps)]
        arguments: dict[str, str] = {"label": right.label}
        if level.routes:
            arguments["department"] = right.department
        if level.writes:
            arguments["summary"] = right.summary
            arguments |= {"reply": right.reply} if right.reply else {}
        return call("triage", arguments)
