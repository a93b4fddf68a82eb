"""What the degenerate players of `triage` send: entries, ranks that need no reading, what training tells."""

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

from mailgym.core.episode import Decision, Turn
from mailgym.core.seeds import stream
from mailgym.envs.cheat_texts import SeenMail
from mailgym.envs.cheating import Prior, is_loud
from mailgym.envs.drawn import OWN_TASKS
from mailgym.envs.playing import call, opening_of
from mailgym.envs.triage.schema import CATEGORIES, MAX_RESPONSE_CHARS
from mailgym.envs.triage.tasks import load_tasks

Mails = list[dict[str, Any]]
Entry = dict[str, Any]
Rank = Callable[[Turn, Mails], Sequence[int]]


@lru_cache(maxsize=1)
def learned() -> Prior[tuple[str, str]]:
    """Return the categories and actions of training, as pairs."""
    keys = load_tasks(OWN_TASKS, "train").keys.values()
    return Prior((label.category, label.action) for key in keys for label in key.labels)


@lru_cache(maxsize=1)
def learned_apart() -> tuple[str, str]:
    """Return the commonest category and the commonest action of training, each by itself."""
    labels = [label for key in load_tasks(OWN_TASKS, "train").keys.values() for label in key.labels]
    return Prior(label.category for label in labels).commonest, Prior(label.action for label in labels).commonest


@lru_cache(maxsize=len(CATEGORIES))
def action_of(category: str) -> str:
    """Return the commonest action among training mails of a category."""
    labels = [label for key in load_tasks(OWN_TASKS, "train").keys.values() for label in key.labels]
    return Prior(label.action for label in labels if label.category == category).commonest


@lru_cache(maxsize=1)
def learned_drafts() -> Prior[str]:
    """Return the drafts of training."""
    keys = load_tasks(OWN_TASKS, "train").keys.values()
    return Prior(label.draft for key in keys for label in key.labels if label.draft)


def inbox_of(turn: Turn) -> Mails:
    """Return the mails of the inbox."""
    mails: Mails = opening_of(turn)["inbox"]
    return mails


def seen(turn: Turn, mail: dict[str, Any]) -> SeenMail:
    """Return one mail with its sender's and its reader's names."""
    sender = str(mail["from"]).partition("<")[0].strip()
    return SeenMail("" if "@" in sender else sender, opening_of(turn)["owner_name"], mail["subject"], mail["text"])


def text_of(mail: dict[str, Any]) -> str:
    """Return subject and text."""
    return f"{mail['subject']}.\n{mail['text']}"


def entry(mail: dict[str, Any], category: Any, priority: Any, action: Any, response: Any = None) -> Entry:
    """Decide about one mail; a draft is cut to what is taken."""
    decided = {"email_id": mail["email_id"], "category": category, "priority": priority, "action": action}
    if isinstance(response, str):
        response = response[:MAX_RESPONSE_CHARS]
    return decided if response is None else {**decided, "response": response}


def submit(entries: Sequence[Entry], done: bool = True) -> Decision:
    """Send decisions."""
    return call("submit", {"email_actions": list(entries), "done": done})


def in_order(turn: Turn, mails: Mails) -> list[int]:  # noqa: ARG001 (a Rank)
    """Rank as the inbox stands."""
    return list(range(1, len(mails) + 1))


def backwards(turn: Turn, mails: Mails) -> list[int]:  # noqa: ARG001 (a Rank)
    """Rank against the order of the inbox."""
    return list(range(len(mails), 0, -1))


def all_first(turn: Turn, mails: Mails) -> list[int]:  # noqa: ARG001 (a Rank)
    """Rank every mail first."""
    return [1] * len(mails)


def all_middle(turn: Turn, mails: Mails) -> list[int]:  # noqa: ARG001 (a Rank)
    """Rank every mail in the middle."""
    return [(len(mails) + 1) // 2] * len(mails)


def first_or_last(turn: Turn, mails: Mails) -> list[int]:  # noqa: ARG001 (a Rank)
    """Rank loud mails first and all others last."""
    return [1 if is_loud(text_of(mail)) else len(mails) for mail in mails]


def by_length(turn: Turn, mails: Mails) -> list[int]:  # noqa: ARG001 (a Rank)
    """Rank the longest mail first."""
    order = sorted(range(len(mails)), key=lambda place: -len(mails[place]["text"]))
    return [order.index(place) + 1 for place in range(len(mails))]


def at_random(turn: Turn, mails: Mails) -> list[int]:
    """Rank by lot."""
    ranks = in_order(turn, mails)
    stream(turn.seed, "ranks").shuffle(ranks)
    return ranks


RANKS: tuple[Rank, ...] = (in_order, backwards, all_first, all_middle, first_or_last, by_length, at_random)
