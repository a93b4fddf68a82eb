"""The upper bound: a player that the owner's side hands the answer keys."""

from mailgym.core.episode import Decision, Turn
from mailgym.envs.playing import KeyedPlayer, call, opening_of
from mailgym.envs.search.players.play import cite
from mailgym.envs.search.tasks import SearchKey


class Oracle(KeyedPlayer[SearchKey]):
    """Makes the ideal search of each question, then cites a right mail.

    It shows what the environment allows: in the one-turn form it is no better than the ideal search, for it
    cannot name a mail that its search does not find. There it does not name the owner as the sender, either: the
    prompt of that form does not show who asks, and what a model cannot know it cannot imitate (docs/decisions.md).
    """

    def decide(self, turn: Turn) -> Decision:
        """Search the facts in the first turn, cite in the second."""
        question = opening_of(turn)
        key = self.key_of(turn)
        if turn.steps:
            return cite(key.message_ids[:1])
        search = {"keywords": [], **key.facts}
        if question["turns_left"] == 1 and search.get("from_addr") == question["owner_name"]:
            del search["from_addr"]
        return call("search_emails", search)
