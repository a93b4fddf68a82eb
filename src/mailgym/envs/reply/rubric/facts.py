"""What happened in an episode of `reply`, without any label: what the world writes and the rubrics read."""

from dataclasses import dataclass, field
from typing import Any

from mailgym.envs.reply.tasks import ReplyTask


@dataclass(slots=True)
class ReplyFacts:
    """What happened so far.

    Attributes:
        task: The mail that is played; None before the first.
        classified: Whether step 1 was taken.
        classification: Its fields that have a value of their type; all four of them unless the call was wrong.
        replied: Whether step 2 was taken by a valid draft.
        tone: The tone that the draft names.
        reply_text: The draft; blank for none to be sent.
        bad_calls: Calls that could not be carried out.
        repeated: Whether the last action was the one before it, where that ends the episode.
        timed_out: Whether the clock ended it.
    """

    task: ReplyTask | None = None
    classified: bool = False
    classification: dict[str, Any] = field(default_factory=dict)
    replied: bool = False
    tone: str = ""
    reply_text: str = ""
    bad_calls: int = 0
    repeated: bool = False
    timed_out: bool = False
