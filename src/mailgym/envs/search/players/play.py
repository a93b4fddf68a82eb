"""What every hand-made player of mail search needs: its calls as decisions, its episode's question."""

from collections.abc import Sequence
from typing import Any

from mailgym.core.episode import Decision
from mailgym.envs.playing import call

DONT_KNOW = "I don't know"


def cite(message_ids: Sequence[str]) -> Decision:
    """Return the decision to end the episode citing these mails."""
    return call("return_final_answer", {"answer": "", "sources": list(message_ids)})


def answer(text: str, message_ids: Sequence[str]) -> Decision:
    """Return the decision to end the episode with an answer that cites these mails."""
    return call("return_final_answer", {"answer": text, "sources": list(message_ids)})


def hits_of(observation: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the search results that an observation shows, none for another kind."""
    return list(observation["results"]) if observation["kind"] == "results" else []
