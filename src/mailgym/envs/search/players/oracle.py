"""The upper bound: a player that the owner's side hands the answer keys."""

from collections.abc import Mapping, Sequence

from mailgym.core.episode import Decision, Turn
from mailgym.envs.playing import call, opening_of
from mailgym.envs.search.players.play import cite
from mailgym.envs.search.tasks import SearchKey


class Oracle:
    """Makes the ideal search of each question, then cites a right mail.

    It shows what the environment allows: in the one-turn form it is no better than the ideal search, for it
    cannot name a mail that its search does not find. There it does not name the owner as the sender, either: the
    prompt of that form does not show who asks, and what a model cannot know it cannot imitate (docs/decisions.md).
    """

    def __init__(self, keys: Mapping[str, SearchKey]) -> None:
        """Play with these answer keys, by task id."""
        self._keys = keys

    @property
    def name(self) -> str:
        """The name shown in tables."""
        return "oracle"

    def act(self, turns: Sequence[Turn]) -> list[Decision]:
        """Search the facts in the first turn, cite in the second."""
        return [self._decide(turn) for turn in turns]

    def _decide(self, turn: Turn) -> Decision:
        question = opening_of(turn)
        key = self._keys[question["task_id"]]
        if turn.steps:
            return cite(key.message_ids[:1])
        search = {"keywords": [], **key.facts}
        if question["turns_left"] == 1 and search.get("from_addr") == question["owner_name"]:
            del search["from_addr"]
        return call("search_emails", search)
