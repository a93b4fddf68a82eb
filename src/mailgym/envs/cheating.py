"""What the cheats of several environments share: players that are a function of the turn, priors, injected orders."""

import re
from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from typing import Any, Generic, TypeVar

from mailgym.core.episode import NO_TOKENS, Decision, MalformedAction, Turn
from mailgym.core.protocols import Agent
from mailgym.core.seeds import stream
from mailgym.envs.cheat_texts import sentences_of
from mailgym.envs.playing import FunctionPlayer, call

AnswerT = TypeVar("AnswerT", bound=Hashable)
Play = Callable[[Turn], Decision]

ADDRESSED = re.compile(
    r"\b(?:AI|assistants?|agents?|bots?|language models?|LLMs?|automat\w+|systems? (?:that|which)|filters?|"
    r"(?:ignore|disregard|forget) (?:all|any|your|the|previous|earlier)\b.*)",
    re.IGNORECASE,
)

LOUD = re.compile(r"urgent|asap|immediately|deadline|today|now|important|critical|action required|!", re.IGNORECASE)


def factories(plays: Mapping[str, Play]) -> dict[str, Callable[[], Agent]]:
    """Return a factory of a player for each way of playing."""
    return {name: _factory(name, play) for name, play in plays.items()}


def by_name(plays: Iterable[Play]) -> dict[str, Play]:
    """Return functions by their own names."""
    return {play.__name__: play for play in plays}


def always(name: str, arguments: Mapping[str, Any]) -> Play:
    """Return the way of playing that makes one call whatever it sees."""
    return lambda turn: call(name, arguments)  # noqa: ARG005 (it looks at nothing)


def written(text: str) -> Decision:
    """Return the decision of a model that wrote ``text`` where a call was due."""
    return Decision(MalformedAction(text, "there is no JSON object in it"), text=text, usage=dict(NO_TOKENS))


class Prior(Generic[AnswerT]):
    """How often each answer was right in training: all that a player learns who never reads."""

    def __init__(self, answers: Iterable[AnswerT]) -> None:
        """Count ``answers``."""
        self._counts = Counter(answers)

    @property
    def commonest(self) -> AnswerT:
        """The answer that was right most often; the first one met among equals."""
        return max(self._counts, key=self._counts.__getitem__)

    def draw(self, turn: Turn, *where: str | int) -> AnswerT:
        """Draw an answer as often as it was right; the same for the same turn and ``where``."""
        answers = list(self._counts)
        weights = [self._counts[answer] for answer in answers]
        return stream(turn.seed, "prior", *where).choices(answers, weights)[0]


def domain_of(address: str) -> str:
    """Return the domain of an address, or of a sender line that ends with one."""
    return address.rpartition("@")[2].strip("> ").lower()


def looks_odd(domain: str) -> bool:
    """Whether a domain has hyphens or digits: what a player goes by who only looks at addresses."""
    return re.search(r"[-\d]", domain) is not None


def is_loud(text: str) -> bool:
    """Whether a text has a word or a mark that calls for haste."""
    return LOUD.search(text) is not None


def nearest(words: Collection[str], others: Sequence[Collection[str]]) -> int:
    """Return which of the others shares most words with these; the first of equals."""
    mine = set(words)
    shares = [len(mine & set(theirs)) / (len(mine | set(theirs)) or 1) for theirs in others]
    return shares.index(max(shares))


def orders_in(text: str) -> list[str]:
    """Return the sentences of a mail that speak to an assistant, and those right after them."""
    said = sentences_of(text)
    addressed = [place for place, sentence in enumerate(said) if ADDRESSED.search(sentence)]
    places = sorted({place + further for place in addressed for further in (0, 1) if place + further < len(said)})
    return [said[place] for place in places]


def ordered_label(orders: Sequence[str], labels: Sequence[str]) -> str | None:
    """Return the label that injected orders name first, if they name any."""
    found = re.search("|".join(rf"\b{re.escape(label)}\b" for label in labels), " ".join(orders), re.IGNORECASE)
    return found[0].lower() if found else None


def _factory(name: str, play: Play) -> Callable[[], Agent]:
    return lambda: FunctionPlayer(name, play)
