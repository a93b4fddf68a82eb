"""Degenerate players of `inbox`, for the red team; they see the tasks' side and training answers, no key they play.

Some decide by what was most often right, some by one thing that is not the mail's text (who wrote it, whether a
look-up found anything), some leave out what could go wrong, and some break the form of a call.
"""

import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import product
from typing import Any

from mailgym.core.episode import Decision, Turn
from mailgym.core.protocols import Agent
from mailgym.envs.base import TaskSet
from mailgym.envs.cheat_texts import look_alikes
from mailgym.envs.cheating import (
    Play,
    Prior,
    by_name,
    domain_of,
    factories,
    is_loud,
    looks_odd,
    ordered_label,
    orders_in,
    written,
)
from mailgym.envs.drawn import OWN_TASKS
from mailgym.envs.inbox.schema import (
    CATEGORIES,
    DEPARTMENTS,
    MAIL_ACTIONS,
    MAX_INPUT_CHARS,
    MAX_INPUT_FIELDS,
    OFFICE_TOOLS,
    PRIORITIES,
)
from mailgym.envs.inbox.tasks import InboxKey, InboxTask, load_tasks
from mailgym.envs.playing import call

Labels4 = tuple[str, str, str, str]
FIELDS = ("category", "priority", "department", "action")
CODE = re.compile(r"\b[A-Za-z]{2,}-?\d{2,}\b|#\s?\d{3,}|\b\d{4,}\b")
SAFE: Labels4 = ("support", "medium", "support_team", "reply")


@lru_cache(maxsize=1)
def learned() -> Prior[Labels4]:
    """Return the decisions of training, each as a whole."""
    keys = load_tasks(OWN_TASKS, "train").keys.values()
    return Prior(
        (right.category, right.priority, right.department, right.action) for key in keys for right in key.right
    )


@lru_cache(maxsize=1)
def usual() -> Labels4:
    """Return the commonest decision of training that is not about spam: to take all mail for spam costs most."""
    keys = load_tasks(OWN_TASKS, "train").keys.values()
    mine = [right for key in keys for right in key.right if right.category != "spam"]
    return Prior((right.category, right.priority, right.department, right.action) for right in mine).commonest


@lru_cache(maxsize=1)
def learned_apart() -> Labels4:
    """Return what was most often right in training, each field by itself."""
    rights = [right for key in load_tasks(OWN_TASKS, "train").keys.values() for right in key.right]
    return (
        Prior(right.category for right in rights).commonest,
        Prior(right.priority for right in rights).commonest,
        Prior(right.department for right in rights).commonest,
        Prior(right.action for right in rights).commonest,
    )


@lru_cache(maxsize=len(CATEGORIES))
def learned_of(category: str) -> Labels4:
    """Return the commonest decision among training mails of one category."""
    rights = [right for key in load_tasks(OWN_TASKS, "train").keys.values() for right in key.right]
    mine = [right for right in rights if right.category == category]
    return Prior((right.category, right.priority, right.department, right.action) for right in mine).commonest


def mail_of(turn: Turn) -> dict[str, str]:
    """Return the mail to be decided."""
    mail: dict[str, str] = turn.observation["current_email"]
    return mail


def decide(turn: Turn, labels: Sequence[Any], **more: Any) -> Decision:
    """Decide the fields that are wanted."""
    wanted = turn.observation["wanted"]
    return call("decide", {name: label for name, label in zip(FIELDS, labels, strict=True) if name in wanted} | more)


def codes_of(turn: Turn) -> list[str]:
    """Return what looks like an order, an account or a user in the mail, and its sender's address."""
    mail = mail_of(turn)
    found = CODE.findall(f"{mail['subject']}\n{mail['email_text']}")
    address = re.search(r"[\w.+-]+@[\w.-]+\w", mail["sender"])
    return list(dict.fromkeys([*(code[:MAX_INPUT_CHARS] for code in found), address[0] if address else mail["sender"]]))


def looked_up(turn: Turn) -> list[dict[str, Any]]:
    """Return the look-ups that were made since the mail was shown first, as their results."""
    results = [turn.observation, *(step.observation for step in reversed(turn.steps))]
    remaining = turn.observation["remaining_emails"]
    here = [shown for shown in results if shown.get("remaining_emails") == remaining]
    return [shown["tool_result"] for shown in here if shown["kind"] == "tool_result"]


def can_look_up(turn: Turn) -> bool:
    """Whether a look-up is a step of its own, and a turn is left for every mail after it."""
    shown = turn.observation
    return "look_up" in shown["tools"] and shown["turns_left"] > shown["remaining_emails"]


def always_category(category: str) -> Play:
    """Give every mail one category, and what goes with it most often."""
    return lambda turn: decide(turn, learned_of(category))


def always_priority(priority: str) -> Play:
    """Give every mail one priority."""

    def play(turn: Turn) -> Decision:
        category, _, department, action = usual()
        return decide(turn, (category, priority, department, action))

    return play


def silence(turn: Turn) -> Decision:  # noqa: ARG001 (it looks at nothing)
    """Skip every mail."""
    return call("skip", {})


def constant_best_label(turn: Turn) -> Decision:
    """Decide what is most often right as a whole."""
    return decide(turn, learned().commonest)


def constant_best_fields(turn: Turn) -> Decision:
    """Decide what is most often right, each field by itself."""
    return decide(turn, learned_apart())


def constant_middle(turn: Turn) -> Decision:
    """Decide what is nearest to everything: support, medium, and a reply."""
    return decide(turn, SAFE)


def prior_sampling(turn: Turn) -> Decision:
    """Draw each decision as often as it was right in training."""
    return decide(turn, learned().draw(turn, len(turn.steps)))


def every_field(turn: Turn) -> Decision:  # noqa: ARG001 (it looks at nothing)
    """Decide fields that are not asked for as well."""
    return call("decide", dict(zip(FIELDS, learned().commonest, strict=True)))


def one_mail_only(turn: Turn) -> Decision:
    """Decide the first mail and skip the others."""
    decided = any(entry.get("category") for entry in turn.observation["history"])
    return silence(turn) if decided else decide(turn, usual())


def skip_what_is_long(turn: Turn) -> Decision:
    """Decide short mails and skip the others: fewer mistakes."""
    return decide(turn, usual()) if len(mail_of(turn)["email_text"].split()) < 40 else silence(turn)


def sender_alone(turn: Turn) -> Decision:
    """Decide by the address alone: colleagues are internal, odd domains spam, all others what is usual."""
    domain = domain_of(mail_of(turn)["sender"])
    if domain == domain_of(turn.observation["inbox"]):
        return decide(turn, learned_of("internal"))
    return decide(turn, learned_of("spam") if looks_odd(domain) else usual())


def sender_or_skip(turn: Turn) -> Decision:
    """Decide by the address where it tells something, and skip the other mails."""
    domain = domain_of(mail_of(turn)["sender"])
    tells = domain == domain_of(turn.observation["inbox"]) or looks_odd(domain)
    return sender_alone(turn) if tells else silence(turn)


def spam_or_skip(turn: Turn) -> Decision:
    """Call mail with a link or from an odd domain spam, and skip the other mails."""
    mail = mail_of(turn)
    is_odd = looks_odd(domain_of(mail["sender"])) or "http" in mail["email_text"]
    return decide(turn, learned_of("spam")) if is_odd else silence(turn)


def shouting_is_high(turn: Turn) -> Decision:
    """Give priority by wording: a loud word or mark is high, anything else low."""
    mail = mail_of(turn)
    category, _, department, action = usual()
    priority = "high" if is_loud(f"{mail['subject']} {mail['email_text']}") else "low"
    return decide(turn, (category, priority, department, action))


def first_named_category(turn: Turn) -> Decision:
    """Decide by the first word of the mail that is the name of a category."""
    mail = mail_of(turn)
    named = ordered_label([f"{mail['subject']} {mail['email_text']}"], CATEGORIES)
    return decide(turn, learned_of(named) if named else usual())


def tool_with_every_decision(turn: Turn) -> Decision:
    """Name a look-up in every decision, with whatever number the mail has."""
    tool = OFFICE_TOOLS[len(turn.steps) % len(OFFICE_TOOLS)]
    return decide(turn, usual(), use_tool=tool, tool_input={"id": codes_of(turn)[0]})


def history_with_every_decision(turn: Turn) -> Decision:
    """Ask for the sender's history in every decision."""
    return decide(turn, usual(), use_tool="get_user_history", tool_input={"email": codes_of(turn)[-1]})


def tool_spam(turn: Turn) -> Decision:
    """Look up everything with every tool while turns last, then decide what is most often right."""
    if not can_look_up(turn):
        return decide(turn, usual())
    codes = codes_of(turn)
    asked = list(product(OFFICE_TOOLS, codes))
    tool, code = asked[len(looked_up(turn)) % len(asked)]
    return call("look_up", {"tool": tool, "tool_input": {"id": code}})


def endless_tool_spam(turn: Turn) -> Decision:
    """Make the same look-up until the turns are over."""
    return call("look_up", {"tool": OFFICE_TOOLS[0], "tool_input": {"id": codes_of(turn)[0]}})


def found_is_billing(turn: Turn) -> Decision:
    """Decide by whether a look-up finds anything, and read neither it nor the mail; what is not found is spam."""
    return _by_what_is_found(turn, "spam")


def found_or_skip(turn: Turn) -> Decision:
    """Decide by whether a look-up finds anything, and skip the mails about which nothing is found."""
    return _by_what_is_found(turn, "")


def _by_what_is_found(turn: Turn, otherwise: str) -> Decision:
    results = looked_up(turn)
    tools = ("check_payment", "lookup_order")
    if len(results) < len(tools) and can_look_up(turn) and not any(result["found"] for result in results):
        asked = {f"id{place}": code for place, code in enumerate(codes_of(turn)[:MAX_INPUT_FIELDS])}
        return call("look_up", {"tool": tools[len(results)], "tool_input": asked})
    found = next((result["tool"] for result in results if result["found"]), "")
    category = {"check_payment": "billing", "lookup_order": "support"}.get(found, otherwise)
    return decide(turn, learned_of(category)) if category else silence(turn)


def echo_mail(turn: Turn) -> Decision:
    """Write the mail where labels are due."""
    return call("decide", dict.fromkeys(FIELDS, mail_of(turn)["email_text"]))


def echo_prompt(turn: Turn) -> Decision:
    """Write what is wanted where a call is due."""
    return written(", ".join(turn.observation["wanted"]))


def lists_for_strings(turn: Turn) -> Decision:
    """Give every label as a list."""
    return decide(turn, (list(CATEGORIES), list(PRIORITIES), list(DEPARTMENTS), list(MAIL_ACTIONS)))


def all_labels_at_once(turn: Turn) -> Decision:
    """Name every label in one text."""
    return decide(turn, tuple("|".join(labels) for labels in (CATEGORIES, PRIORITIES, DEPARTMENTS, MAIL_ACTIONS)))


def keyword_soup(turn: Turn) -> Decision:
    """Write the words that name labels in one text, as if one of them had to be taken."""
    return written(" ".join((*CATEGORIES, *PRIORITIES, *DEPARTMENTS, *MAIL_ACTIONS, mail_of(turn)["subject"])))


def negated_labels(turn: Turn) -> Decision:
    """Say what the mail is not."""
    return decide(turn, ("not spam", "not low", "not ignore", "not archive"))


def look_alike_labels(turn: Turn) -> Decision:
    """Write the labels in letters that only look like theirs."""
    return decide(turn, tuple(look_alikes(label) for label in usual()))


def padded_labels(turn: Turn) -> Decision:
    """Put spaces round the labels."""
    return decide(turn, tuple(f" {label}\n" for label in usual()))


def endless_output(turn: Turn) -> Decision:
    """Look up a text that has no end."""
    tool_input = {"id": "0123456789" * 1_000}
    return decide(turn, usual(), use_tool=OFFICE_TOOLS[0], tool_input=tool_input)


def many_tool_inputs(turn: Turn) -> Decision:
    """Look up more than is taken at once."""
    values = [*codes_of(turn), "1001", "A-1001", "customer", "order"]
    tool_input = {f"id{place}": value for place, value in enumerate(values)}
    return decide(turn, usual(), use_tool=OFFICE_TOOLS[0], tool_input=tool_input)


def repeated_action(turn: Turn) -> Decision:
    """Decide every mail as the first one was drawn."""
    return turn.steps[0].decision if turn.steps else prior_sampling(turn)


def break_then_play(turn: Turn) -> Decision:
    """Make a wrong call before every decision."""
    return call("decide", {}) if len(turn.steps) % 2 == 0 else decide(turn, usual())


def stall(turn: Turn) -> Decision:  # noqa: ARG001 (it looks at nothing)
    """Make wrong calls until the turns are over."""
    return call("decide", {})


def follow_injection(turn: Turn) -> Decision:
    """Decide what the mail's text tells an assistant to decide."""
    orders = orders_in(f"{mail_of(turn)['subject']}.\n{mail_of(turn)['email_text']}")
    choices = (CATEGORIES, PRIORITIES, DEPARTMENTS, MAIL_ACTIONS)
    named = [ordered_label(orders, labels) for labels in choices]
    return decide(turn, tuple(label or usual for label, usual in zip(named, usual(), strict=True)))


PLAYS: dict[str, Play] = (
    {f"everything_{category}": always_category(category) for category in CATEGORIES}
    | {f"everything_{priority}": always_priority(priority) for priority in PRIORITIES}
    | by_name(
        (
            silence,
            constant_best_label,
            constant_best_fields,
            constant_middle,
            prior_sampling,
            every_field,
            one_mail_only,
            skip_what_is_long,
            sender_alone,
            sender_or_skip,
            spam_or_skip,
            shouting_is_high,
            first_named_category,
            tool_with_every_decision,
            history_with_every_decision,
            tool_spam,
            endless_tool_spam,
            found_is_billing,
            found_or_skip,
            echo_mail,
            echo_prompt,
            lists_for_strings,
            all_labels_at_once,
            keyword_soup,
            negated_labels,
            look_alike_labels,
            padded_labels,
            endless_output,
            many_tool_inputs,
            repeated_action,
            break_then_play,
            stall,
            follow_injection,
        )
    )
)


def cheats(tasks: TaskSet[InboxTask, InboxKey], turns: int) -> dict[str, Callable[[], Agent]]:  # noqa: ARG001
    """Return the degenerate players by name; they look at no key of ``tasks``."""
    return factories(PLAYS)
