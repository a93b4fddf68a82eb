"""Degenerate players of `triage` that send again and again, and live on what is told between."""

from collections.abc import Sequence
from itertools import accumulate

from mailgym.core.episode import Decision, Step, Turn
from mailgym.core.seeds import stream
from mailgym.envs.cheating import Play
from mailgym.envs.triage.players.submission import (
    Entry,
    action_of,
    entry,
    first_or_last,
    inbox_of,
    learned_apart,
    submit,
)
from mailgym.envs.triage.schema import CATEGORIES


def repeated_action(turn: Turn) -> Decision:
    """Send the same decisions in every turn, and never say that it is done."""
    mails = inbox_of(turn)
    category, action = learned_apart()
    return submit([entry(mail, category, at, action) for at, mail in enumerate(mails, 1)], done=False)


def flip(turn: Turn) -> Decision:
    """Send the commonest decisions and their contrary by turns: each gain anew."""
    mails = inbox_of(turn)
    category, action = learned_apart()
    if len(turn.steps) % 2:
        return submit([entry(mail, "spam", at, "delete") for at, mail in enumerate(reversed(mails), 1)], done=False)
    return submit([entry(mail, category, at, action) for at, mail in enumerate(mails, 1)], done=False)


def drip(turn: Turn) -> Decision:
    """Decide one mail a turn, so that each is a gain of its own."""
    mails = inbox_of(turn)
    at = len(turn.steps) % len(mails)
    category, action = learned_apart()
    return submit([entry(mails[at], category, at + 1, action)], done=at + 1 == len(mails))


def climb(turn: Turn) -> Decision:
    """Change one mail a turn and keep what raised the reward: read the labels off the gains."""
    mails = inbox_of(turn)
    if not turn.steps:
        return submit(_first_entries(turn), done=False)
    kept = {one["email_id"]: one for one in _best_sent(turn.steps)}
    if turn.steps[-1].result is not None and turn.steps[-1].result.observation["turns_left"] == 1:
        return submit(list(kept.values()))
    trial = len(turn.steps) - 1
    mail = mails[trial % len(mails)]
    mine = kept[mail["email_id"]]
    others = [category for category in CATEGORIES if category != mine["category"]]
    category = others[(trial // len(mails) + trial) % len(others)]
    changed = entry(mail, category, mine["priority"], action_of(category))
    return submit(list({**kept, mail["email_id"]: changed}.values()), done=False)


def climb_ranks(turn: Turn) -> Decision:
    """Exchange the ranks of two mails a turn and keep what raised the reward."""
    if not turn.steps:
        return submit(_first_entries(turn), done=False)
    kept = [dict(one) for one in _best_sent(turn.steps)]
    if turn.steps[-1].result is not None and turn.steps[-1].result.observation["turns_left"] == 1:
        return submit(kept)
    one, other = stream(turn.seed, "exchange", len(turn.steps)).sample(range(len(kept)), 2)
    kept[one]["priority"], kept[other]["priority"] = kept[other]["priority"], kept[one]["priority"]
    return submit(kept, done=False)


def climb_by_category(turn: Turn) -> Decision:
    """Send one category for all mails each turn, then the one that was worth most."""
    mails = inbox_of(turn)
    tried = len(turn.steps)
    if tried >= len(CATEGORIES):
        return submit(_best_sent(turn.steps))
    category = CATEGORIES[tried]
    places = first_or_last(turn, mails)
    entries = [entry(mail, category, at, action_of(category)) for mail, at in zip(mails, places, strict=True)]
    return submit(entries, done=False)


def _best_sent(steps: Sequence[Step]) -> list[Entry]:
    """Return the decisions after which the rewards added up to most; the first of equals."""
    totals = list(accumulate(0.0 if step.result is None else step.result.reward for step in steps))
    action = steps[totals.index(max(totals))].decision.action
    assert isinstance(action, dict)
    return list(action["arguments"]["email_actions"])


def _first_entries(turn: Turn) -> list[Entry]:
    mails = inbox_of(turn)
    category, action = learned_apart()
    return [entry(mail, category, place, action) for place, mail in enumerate(mails, 1)]


RESUBMITS: tuple[Play, ...] = (repeated_action, flip, drip, climb, climb_ranks, climb_by_category)
