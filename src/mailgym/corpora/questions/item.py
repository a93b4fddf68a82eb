"""One question on its way from the model to the store, and every way that may end."""

from dataclasses import asdict, dataclass, field, replace
from datetime import date
from typing import Any

KEPT = "kept"
MALFORMED = "malformed"
INVENTED = "invented_ids"
UNREALISTIC = "unrealistic"
NO_ANSWER = "no_answer"
NAMES_ID = "names_a_short_id"
COPIED = "copied_from_mail"
NOT_ANSWERABLE = "not_answerable"
DISAGREEMENT = "disagreement"
UNDECIDED = "undecided"
DUPLICATE = "duplicate"
AMBIGUOUS = "ambiguous"
OVER_LIMIT = "over_limit"

FATES: dict[str, str] = {
    KEPT: "kept",
    MALFORMED: "not what was asked for, after every retry",
    INVENTED: "cites a mail that it was not shown",
    UNREALISTIC: "unlikely to be asked, by the model's own word",
    NO_ANSWER: "its answer says that there is none",
    NAMES_ID: "names a mail by the id that only the model saw",
    COPIED: "copied out of a mail word for word",
    NOT_ANSWERABLE: "the mails it cites do not answer it",
    DISAGREEMENT: "the mails it cites give another answer",
    UNDECIDED: "neither matcher nor judge could compare the two answers",
    DUPLICATE: "asked before: the same words, or the same mails and answer",
    AMBIGUOUS: "the same words have several answers",
    OVER_LIMIT: "more than were asked for",
}
"""What may become of a question, in the order in which it is tried, in words."""


@dataclass(frozen=True, slots=True)
class Item:
    """One question that the model wrote.

    Attributes:
        question: The question.
        answer: Its answer.
        message_ids: Message-IDs of the mails that it cites; the ids as written where one of them is invented.
        how_realistic: From 0 to 1, by the word of the model that wrote it; None where it is not said.
        asked_on: The day it is asked.
        facts: Arguments of a search that a knowing searcher would make.
        fate: What became of it so far, of :data:`FATES`.
        note: Why.
    """

    question: str
    answer: str
    message_ids: tuple[str, ...]
    how_realistic: float | None
    asked_on: date | None = None
    facts: dict[str, object] = field(default_factory=dict)
    fate: str = KEPT
    note: str = ""

    def ends(self, fate: str, note: str = "") -> "Item":
        """Return the item with its fate."""
        return replace(self, fate=fate, note=note)

    def to_json(self) -> dict[str, Any]:
        """Return the item as plain data."""
        return {**asdict(self), "asked_on": None if self.asked_on is None else self.asked_on.isoformat()}

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> "Item":
        """Read what :meth:`to_json` wrote.

        Raises:
            KeyError: Or ValueError or TypeError, where it is something else.
        """
        day = data["asked_on"]
        read = {"message_ids": tuple(data["message_ids"]), "asked_on": None if day is None else date.fromisoformat(day)}
        return cls(**{**data, **read})
