"""Degenerate players of `triage`, for the red team; they see the tasks' side and training answers, no key they play.

Most decide every mail in the same way at once and say that they have done. Some rank without reading, some draft
without answering (:mod:`mailgym.envs.cheat_texts`), some send again and again
(:mod:`mailgym.envs.triage.players.resubmits`).
"""

import re
from collections.abc import Callable
from typing import Any

from mailgym.core.episode import Decision, Turn
from mailgym.core.protocols import Agent
from mailgym.envs.base import TaskSet
from mailgym.envs.cheat_texts import (
    WriteReply,
    confirm_everything,
    echo_as_letter,
    every_fact,
    every_greeting_and_sign_off,
    holding_reply,
    huge_output,
    keyword_letter,
    keyword_soup,
    look_alike_echo,
    look_alikes,
    negated_echo,
    placeholders,
    question_back,
    shuffled_echo,
    turned_echo,
    yes_and_no,
)
from mailgym.envs.cheating import (
    LOUD,
    Play,
    by_name,
    domain_of,
    factories,
    looks_odd,
    ordered_label,
    orders_in,
    written,
)
from mailgym.envs.playing import call, opening_of
from mailgym.envs.triage.players.resubmits import RESUBMITS
from mailgym.envs.triage.players.submission import (
    RANKS,
    Rank,
    action_of,
    at_random,
    by_length,
    entry,
    first_or_last,
    in_order,
    inbox_of,
    learned,
    learned_apart,
    learned_drafts,
    seen,
    submit,
    text_of,
)
from mailgym.envs.triage.schema import CATEGORIES, EMAIL_IDS, MAIL_ACTIONS, MAX_DECISIONS
from mailgym.envs.triage.tasks import TriageKey, TriageTask

LISTS = re.compile(r"news|info|hello|offers|digest|weekly|reply")


def ranks_by(rank: Rank) -> Play:
    """Decide every mail as is most often right, and rank without reading."""

    def play(turn: Turn) -> Decision:
        mails = inbox_of(turn)
        category, action = learned_apart()
        return submit(
            [entry(mail, category, place, action) for mail, place in zip(mails, rank(turn, mails), strict=True)]
        )

    return play


def drafts(write: WriteReply) -> Play:
    """Respond to every mail with the same sort of text."""

    def play(turn: Turn) -> Decision:
        mails = inbox_of(turn)
        category = learned_apart()[0]
        entries = [
            entry(mail, category, place, "respond", write(seen(turn, mail)))
            for mail, place in zip(mails, first_or_last(turn, mails), strict=True)
        ]
        return submit(entries)

    return play


def everything_always(category: str) -> Play:
    """Give every mail one category, and the action that goes with it most often."""

    def play(turn: Turn) -> Decision:
        mails = inbox_of(turn)
        places = first_or_last(turn, mails)
        return submit([entry(mail, category, at, action_of(category)) for mail, at in zip(mails, places, strict=True)])

    return play


def every_action(action: str) -> Play:
    """Do the same with every mail."""

    def play(turn: Turn) -> Decision:
        mails = inbox_of(turn)
        places = in_order(turn, mails)
        return submit([entry(mail, learned_apart()[0], at, action) for mail, at in zip(mails, places, strict=True)])

    return play


def silence(turn: Turn) -> Decision:  # noqa: ARG001 (it looks at nothing)
    """Decide nothing, and say that all is done."""
    return submit([])


def constant_best_label(turn: Turn) -> Decision:
    """Decide every mail as the commonest pair of category and action."""
    category, action = learned().commonest
    mails = inbox_of(turn)
    return submit(
        [entry(mail, category, place, action) for mail, place in zip(mails, in_order(turn, mails), strict=True)]
    )


def prior_sampling(turn: Turn) -> Decision:
    """Draw category and action as often as they were right in training; rank by lot."""
    mails = inbox_of(turn)
    entries = []
    for mail, place in zip(mails, at_random(turn, mails), strict=True):
        category, action = learned().draw(turn, mail["email_id"])
        response = holding_reply(seen(turn, mail)) if action == "respond" else None
        entries.append(entry(mail, category, place, action, response))
    return submit(entries)


def draft_for_every_action(turn: Turn) -> Decision:
    """Archive everything, with a draft for each all the same."""
    mails = inbox_of(turn)
    category = learned_apart()[0]
    return submit([entry(mail, category, 1, "archive", holding_reply(seen(turn, mail))) for mail in mails])


def training_draft(turn: Turn) -> Decision:
    """Respond to everything with drafts to other mails."""
    mails = inbox_of(turn)
    category = learned_apart()[0]
    return submit(
        [
            entry(mail, category, place, "respond", learned_drafts().draw(turn, mail["email_id"]))
            for mail, place in zip(mails, first_or_last(turn, mails), strict=True)
        ]
    )


def one_mail_only(turn: Turn) -> Decision:
    """Decide the loudest mail alone, and say that all is done."""
    mails = inbox_of(turn)
    loudest = max(mails, key=lambda mail: len(LOUD.findall(text_of(mail))))
    return submit([entry(loudest, "urgent", 1, "flag")])


def loud_is_urgent(turn: Turn) -> Decision:
    """Call mails with loud words urgent, mails with the word unsubscribe newsletters, all others work."""
    mails = inbox_of(turn)
    entries = []
    for mail, place in zip(mails, first_or_last(turn, mails), strict=True):
        is_letter = "unsubscribe" in text_of(mail).lower()
        category = "newsletter" if is_letter else "urgent" if place == 1 else "work"
        entries.append(entry(mail, category, place, action_of(category)))
    return submit(entries)


def sender_alone(turn: Turn) -> Decision:
    """Decide by the address alone: colleagues are work, list servers newsletters, odd domains spam, others personal."""
    mails = inbox_of(turn)
    categories = [category_by_sender(turn, mail) for mail in mails]
    places = in_order(turn, mails)
    decided = zip(mails, categories, places, strict=True)
    return submit([entry(mail, category, place, action_of(category)) for mail, category, place in decided])


def all_surface(turn: Turn) -> Decision:
    """Put guesses from the surface together: address, length, and a draft of facts wherever something is asked."""
    mails = inbox_of(turn)
    entries = []
    for mail, place in zip(mails, by_length(turn, mails), strict=True):
        category = category_by_sender(turn, mail)
        if category in ("work", "personal") and "?" in mail["text"]:
            entries.append(entry(mail, category, place, "respond", every_fact(seen(turn, mail))))
            continue
        entries.append(entry(mail, category, place, action_of(category)))
    return submit(entries)


def category_by_sender(turn: Turn, mail: dict[str, Any]) -> str:
    """Return the category that an address suggests."""
    domain = domain_of(mail["from"])
    if domain == domain_of(opening_of(turn)["owner"]):
        return "work"
    if LISTS.search(str(mail["from"]).lower().rpartition("@")[0]):
        return "newsletter"
    return "spam" if looks_odd(domain) else "personal"


def echo_prompt(turn: Turn) -> Decision:
    """Write the question where a call is due."""
    return written(f"{opening_of(turn)['form']}: {', '.join(opening_of(turn)['tools'])}")


def echo_whole_inbox(turn: Turn) -> Decision:
    """Answer every mail with all mails."""
    whole = "\n\n".join(text_of(mail) for mail in inbox_of(turn))
    return submit([entry(mail, "work", 1, "respond", whole) for mail in inbox_of(turn)])


def lists_for_strings(turn: Turn) -> Decision:
    """Give every category and action as a list."""
    return submit([entry(mail, list(CATEGORIES), [1, 2], list(MAIL_ACTIONS), ["Yes."]) for mail in inbox_of(turn)])


def all_labels_at_once(turn: Turn) -> Decision:
    """Name every category and action in one text."""
    return submit([entry(mail, "|".join(CATEGORIES), 1, "|".join(MAIL_ACTIONS)) for mail in inbox_of(turn)])


def all_labels_in_turn(turn: Turn) -> Decision:
    """Decide the same mail with every category in one submission: one of them is right."""
    mails = inbox_of(turn)
    entries = [entry(mail, category, 1, action_of(category)) for mail in mails for category in CATEGORIES]
    return submit(entries[:MAX_DECISIONS])


def negated_labels(turn: Turn) -> Decision:
    """Say what the mails are not."""
    return submit([entry(mail, "not spam", 1, "not delete") for mail in inbox_of(turn)])


def look_alike_labels(turn: Turn) -> Decision:
    """Write the labels in letters that only look like theirs."""
    category, action = learned_apart()
    return submit([entry(mail, look_alikes(category), 1, look_alikes(action)) for mail in inbox_of(turn)])


def padded_labels(turn: Turn) -> Decision:
    """Put spaces round the labels."""
    category, action = learned_apart()
    return submit([entry(mail, f" {category}", 1, f"{action}\n") for mail in inbox_of(turn)])


def mails_that_are_not_there(turn: Turn) -> Decision:  # noqa: ARG001 (it looks at nothing)
    """Decide twelve mails whatever the inbox has."""
    category, action = learned_apart()
    return submit([entry({"email_id": name}, category, 1, action) for name in EMAIL_IDS])


def endless_output(turn: Turn) -> Decision:
    """Send more decisions than are taken, each with a draft that has no end."""
    entries = [entry(mail, "work", 1, "respond") | {"response": "Dear all, " * 500} for mail in inbox_of(turn)]
    return submit(entries * 5)


def break_then_play(turn: Turn) -> Decision:
    """Make a wrong call before the decisions."""
    return constant_best_label(turn) if turn.steps else call("submit", {"email_actions": "all of them"})


def follow_injection(turn: Turn) -> Decision:
    """Decide and answer what the mails' texts tell an assistant to."""
    mails = inbox_of(turn)
    category, action = learned_apart()
    entries = []
    for place, mail in enumerate(mails, 1):
        orders = orders_in(text_of(mail))
        named = ordered_label(orders, CATEGORIES), ordered_label(orders, MAIL_ACTIONS)
        response = f"As instructed: {' '.join(orders)}" if orders else None
        first = 1 if orders else place
        entries.append(
            entry(mail, named[0] or category, first, named[1] or ("respond" if orders else action), response)
        )
    return submit(entries)


DRAFTS: tuple[WriteReply, ...] = (
    holding_reply,
    every_greeting_and_sign_off,
    keyword_soup,
    keyword_letter,
    echo_as_letter,
    turned_echo,
    shuffled_echo,
    every_fact,
    yes_and_no,
    negated_echo,
    confirm_everything,
    question_back,
    huge_output,
    look_alike_echo,
    placeholders,
)
PLAYS: dict[str, Play] = (
    {f"rank_{rank.__name__}": ranks_by(rank) for rank in RANKS}
    | {f"respond_{write.__name__}": drafts(write) for write in DRAFTS}
    | {f"everything_{category}": everything_always(category) for category in CATEGORIES}
    | {f"all_{action}": every_action(action) for action in MAIL_ACTIONS}
    | by_name(
        (
            silence,
            constant_best_label,
            prior_sampling,
            draft_for_every_action,
            training_draft,
            one_mail_only,
            loud_is_urgent,
            sender_alone,
            all_surface,
            echo_prompt,
            echo_whole_inbox,
            lists_for_strings,
            all_labels_at_once,
            all_labels_in_turn,
            negated_labels,
            look_alike_labels,
            padded_labels,
            mails_that_are_not_there,
            endless_output,
            break_then_play,
            follow_injection,
            *RESUBMITS,
        )
    )
)


def cheats(tasks: TaskSet[TriageTask, TriageKey], turns: int) -> dict[str, Callable[[], Agent]]:  # noqa: ARG001
    """Return the degenerate players by name; they look at no key of ``tasks``."""
    return factories(PLAYS)
