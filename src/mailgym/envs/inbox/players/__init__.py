"""Who plays `inbox` without a model: the rules baseline, a bag of words, an oracle that knows the keys, and cheats."""

from collections.abc import Callable

from mailgym.core.protocols import Agent
from mailgym.envs.base import TaskSet
from mailgym.envs.inbox.players.oracle import Oracle
from mailgym.envs.inbox.players.rules import Rules
from mailgym.envs.inbox.players.words import BagOfWords
from mailgym.envs.inbox.tasks import InboxKey, InboxTask

HEURISTICS = ("rules", "bag_of_words")


def players(tasks: TaskSet[InboxTask, InboxKey]) -> dict[str, Callable[[], Agent]]:
    """Return the heuristics and the oracle by name. Only the oracle is given the keys."""
    return {"rules": Rules, "bag_of_words": BagOfWords, "oracle": lambda: Oracle(tasks.tasks, tasks.keys)}
