"""The upper bound of `search`: a player that the owner's side hands the answer keys."""

from collections.abc import Mapping, Sequence

from mailgym.core.episode import Decision, Turn
from mailgym.envs.playing import call, opening_of
from mailgym.envs.search.players.heuristics import search_content_words
from mailgym.envs.search.players.play import DONT_KNOW, answer
from mailgym.envs.search.schema import SearchEmails
from mailgym.envs.search.tasks import SearchKey


class AnswerOracle:
    """Makes the ideal search, reads a right mail, answers, and cites all right mails.

    It shows what the reward is worth to whom knows the answer: it searches and reads once each, since an answer out of
    nothing would show no one how to find it. Where the mailbox does not hold the answer it searches and says so.
    """

    def __init__(self, keys: Mapping[str, SearchKey]) -> None:
        """Play with these answer keys, by task id."""
        self._keys = keys

    @property
    def name(self) -> str:
        """The name shown in tables."""
        return "oracle"

    def act(self, turns: Sequence[Turn]) -> list[Decision]:
        """Search first, read second, answer last; with two turns search and answer, with one answer alone."""
        return [self._decide(turn) for turn in turns]

    def _decide(self, turn: Turn) -> Decision:
        question = opening_of(turn)
        key = self._keys[question["task_id"]]
        if not turn.steps and question["turns_left"] > 1:
            known = {name: value for name, value in key.facts.items() if name in SearchEmails.model_fields}
            return call("search_emails", {"keywords": [], **known} if known else search_content_words(question))
        if len(turn.steps) == 1 and turn.observation["turns_left"] > 1 and key.message_ids:
            return call("read_email", {"message_id": key.message_ids[0]})
        return answer(key.answer or DONT_KNOW, key.message_ids)
