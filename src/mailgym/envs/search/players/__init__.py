"""Who plays mail search without a model: heuristics, an oracle that knows the keys, and cheats."""

from collections.abc import Callable

from mailgym.core.protocols import Agent
from mailgym.envs.base import TaskSet
from mailgym.envs.search.players.answer_cheats import ANSWER_CHEATS
from mailgym.envs.search.players.answer_oracle import AnswerOracle
from mailgym.envs.search.players.cheats import CHEATS, ONE_TURN_CHEATS
from mailgym.envs.search.players.heuristics import (
    Searcher,
    search_all_words,
    search_by_rules,
    search_capitalised_words,
    search_content_words,
    search_newest,
)
from mailgym.envs.search.players.oracle import Oracle
from mailgym.envs.search.players.reader import Reader
from mailgym.envs.search.tasks import SearchKey, SearchTask

_SEARCHES = {
    "newest": search_newest,
    "capitalised_words": search_capitalised_words,
    "all_words": search_all_words,
    "content_words": search_content_words,
    "rules": search_by_rules,
}
HEURISTICS = tuple(_SEARCHES)
ANSWER_HEURISTICS = ("bm25",)


def players(tasks: TaskSet[SearchTask, SearchKey]) -> dict[str, Callable[[], Agent]]:
    """Return the heuristics and the oracle by name. Only the oracle is given the keys."""
    made: dict[str, Callable[[], Agent]] = {name: _searcher(name) for name in _SEARCHES}
    made["oracle"] = lambda: Oracle(tasks.keys)
    return made


def cheats(tasks: TaskSet[SearchTask, SearchKey], turns: int) -> dict[str, Callable[[], Agent]]:  # noqa: ARG001
    """Return by name the degenerate players that differ from honest ones in episodes of ``turns`` turns.

    They are given no key: ``tasks`` is there for environments whose cheats play from the tasks.
    """
    return {**(ONE_TURN_CHEATS if turns == 1 else CHEATS), "newest": _searcher("newest")}


def answer_players(tasks: TaskSet[SearchTask, SearchKey]) -> dict[str, Callable[[], Agent]]:
    """Return the heuristic and the oracle of ``search`` by name. Only the oracle is given the keys."""
    return {"bm25": Reader, "oracle": lambda: AnswerOracle(tasks.keys)}


def answer_cheats(tasks: TaskSet[SearchTask, SearchKey], turns: int) -> dict[str, Callable[[], Agent]]:  # noqa: ARG001
    """Return the degenerate players of ``search`` by name; they are given no key."""
    return dict(ANSWER_CHEATS)


def _searcher(name: str) -> Callable[[], Agent]:
    return lambda: Searcher(name, _SEARCHES[name])
