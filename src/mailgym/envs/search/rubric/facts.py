"""What happened in an episode of mail search, without any label: what a world writes and a rubric reads."""

from dataclasses import dataclass, field
from typing import Any, Literal

Result = Literal["ok", "unparsable", "unknown_tool", "bad_arguments", "unknown_message"]


@dataclass(frozen=True, slots=True)
class Call:
    """One call of an episode.

    Attributes:
        tool: The tool that was called; empty when none could be read.
        arguments: Its validated arguments; empty unless they were valid.
        result: What came of it.
        message_ids: The mails it gave, best first.
        repeated: Whether a valid call with the same arguments was made before.
        same_turn: Whether it was made in the same turn as the call before it.
    """

    tool: str
    arguments: dict[str, Any]
    result: Result
    message_ids: tuple[str, ...] = ()
    repeated: bool = False
    same_turn: bool = False


@dataclass(slots=True)
class SearchFacts:
    """What happened in an episode so far, without any label.

    Attributes:
        calls: Every call, oldest first.
        answered: Whether a final answer was given (in the one-turn form: a search, or a final answer).
        sources: The mails that the final answer cites, in order; empty before it.
        out_of_turns: Whether the limit cut the episode.
        answer: The text of the final answer; empty before it.
    """

    calls: list[Call] = field(default_factory=list)
    answered: bool = False
    sources: tuple[str, ...] = ()
    out_of_turns: bool = False
    answer: str = ""

    def searches(self) -> list[Call]:
        """Return the searches that were carried out."""
        return [call for call in self.calls if call.tool == "search_emails" and call.result == "ok"]

    def reads(self) -> list[Call]:
        """Return the calls to read a mail, those of unknown ids included."""
        return [call for call in self.calls if call.tool == "read_email"]

    def count(self, result: Result) -> int:
        """Return how many calls came out as ``result``."""
        return sum(call.result == result for call in self.calls)

    @property
    def turns(self) -> int:
        """Turns played: calls made in one reply are one turn."""
        return sum(not call.same_turn for call in self.calls)

    @property
    def attempted_answer(self) -> bool:
        """Whether an answer was given that names any mail: cited, or (one-turn form) by a search."""
        return self.answered and bool(self.sources or self.calls[-1].tool == "search_emails")

    @property
    def bad_calls(self) -> int:
        """How many calls could not be carried out."""
        return sum(call.result != "ok" for call in self.calls)

    @property
    def repeats(self) -> int:
        """How many calls had been made before."""
        return sum(call.repeated for call in self.calls)

    def found(self, message_ids: tuple[str, ...]) -> bool:
        """Return whether a search gave one of these mails."""
        return any(set(message_ids) & set(call.message_ids) for call in self.searches())

    def read(self, message_ids: tuple[str, ...]) -> bool:
        """Return whether one of these mails was read."""
        return any(set(message_ids) & set(call.message_ids) for call in self.reads())
