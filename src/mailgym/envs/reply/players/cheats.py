"""Degenerate players of `reply`, for the red team; they see the tasks' side and training answers, no key they play.

A reply cheat calls a mail what was most often right in training, and then sends one of the texts of
:mod:`mailgym.envs.cheat_texts`. The others cheat in how they classify, or break the form of a call.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from mailgym.core.episode import Decision, Turn
from mailgym.core.protocols import Agent
from mailgym.envs.base import TaskSet
from mailgym.envs.cheat_texts import (
    REPLIES,
    SeenMail,
    WriteReply,
    every_fact,
    holding_reply,
    letter,
    look_alikes,
    turned,
    words_of,
)
from mailgym.envs.cheating import (
    Play,
    Prior,
    by_name,
    domain_of,
    factories,
    is_loud,
    looks_odd,
    nearest,
    ordered_label,
    orders_in,
    written,
)
from mailgym.envs.drawn import OWN_TASKS
from mailgym.envs.playing import call, opening_of
from mailgym.envs.reply.schema import CATEGORIES, MAX_REASON_CHARS, MAX_REPLY_CHARS, TONES, URGENCIES
from mailgym.envs.reply.tasks import ReplyKey, ReplyTask, load_tasks

REASON = "The mail reads as if this were so, and nothing in it speaks against it."
SILENT_LABELS = ("low", "spam", False)
Labels3 = tuple[str, str, bool]


@dataclass(frozen=True)
class Learned:
    """What training tells a player who never reads.

    Attributes:
        labels: Urgency, category and whether a reply is needed, of all mails.
        answered: The same of mails that need a reply.
        tones: Of the replies.
        replies: Good replies, with the owner's and the sender's name of each.
    """

    labels: Prior[Labels3]
    answered: Prior[Labels3]
    tones: Prior[str]
    replies: Prior[tuple[str, str, str]]


@lru_cache(maxsize=1)
def learned() -> Learned:
    """Return what training tells."""
    train = load_tasks(OWN_TASKS, "train")
    keys = list(train.keys.values())
    tones = [key.wanted.tone for key in keys if key.labels.requires_reply and key.wanted.tone]
    names = {task.id: (task.owner_name, task.sender_name) for task in train.tasks.values()}
    replies = [(key.good_reply, *names[key.task_id]) for key in keys if key.good_reply]
    return Learned(
        Prior(_labels(key) for key in keys),
        Prior(_labels(key) for key in keys if key.labels.requires_reply),
        Prior(tones),
        Prior(replies),
    )


@lru_cache(maxsize=1)
def train_words() -> list[tuple[frozenset[str], tuple[ReplyKey, str, str]]]:
    """Return the words of each training mail with its key and the names of owner and sender."""
    train = load_tasks(OWN_TASKS, "train")
    return [
        (frozenset(words_of(f"{task.subject} {task.text}")), (train.keys[name], task.owner_name, task.sender_name))
        for name, task in train.tasks.items()
    ]


def _labels(key: ReplyKey) -> Labels3:
    return key.labels.urgency, key.labels.category, key.labels.requires_reply


def seen(turn: Turn) -> SeenMail:
    """Return the mail of the episode."""
    mail = opening_of(turn)
    return SeenMail(mail["sender_name"], mail["owner_name"], mail["subject"], mail["text"], mail["briefing"])


def classify(labels: Labels3, reason: str = REASON) -> Decision:
    """Say what the mail is."""
    urgency, category, needed = labels
    given = {"urgency": urgency, "category": category, "requires_reply": needed, "reason": reason[:MAX_REASON_CHARS]}
    return call("classify", given)


def draft(text: str, tone: str | None = None) -> Decision:
    """Send a reply; an empty one has no tone."""
    tone = (learned().tones.commonest if text else "none") if tone is None else tone
    return call("draft", {"tone": tone, "reply_text": text[:MAX_REPLY_CHARS]})


def is_drafting(turn: Turn) -> bool:
    """Whether the draft is due."""
    return any(step.observation.get("step") == 1 for step in turn.steps)


def sends(write: WriteReply) -> Play:
    """Call each mail what is most often right, and send the same sort of text to each."""

    def play(turn: Turn) -> Decision:
        return draft(write(seen(turn))) if is_drafting(turn) else classify(learned().answered.commonest)

    return play


def silence(turn: Turn) -> Decision:
    """Call every mail spam, and answer none."""
    return draft("") if is_drafting(turn) else classify(SILENT_LABELS)


def constant_best_label(turn: Turn) -> Decision:
    """Call each mail what is most often right, and do what follows from it for the draft."""
    labels = learned().labels.commonest
    if not is_drafting(turn):
        return classify(labels)
    return draft(holding_reply(seen(turn)) if labels[2] else "")


def classify_then_skip(turn: Turn) -> Decision:
    """Call each mail what is most often right, and leave it at that."""
    return call("skip", {}) if is_drafting(turn) else classify(learned().labels.commonest)


def prior_sampling(turn: Turn) -> Decision:
    """Draw the labels as often as they were right in training, and the tone as well."""
    if not is_drafting(turn):
        return classify(learned().labels.draw(turn))
    needed = turn.steps[-1].decision.action
    wants = isinstance(needed, dict) and needed["arguments"].get("requires_reply")
    return draft(holding_reply(seen(turn)), learned().tones.draw(turn)) if wants else draft("")


def training_reply(turn: Turn) -> Decision:
    """Send a good reply to another mail, with the names of this one."""
    if not is_drafting(turn):
        return classify(learned().answered.commonest)
    mail = seen(turn)
    text, owner, sender = learned().replies.draw(turn)
    return draft(_with_names(text, owner, sender, mail))


def _with_names(text: str, owner: str, sender: str, mail: SeenMail) -> str:
    names = {owner: mail.owner_name, sender: mail.sender_name}
    names |= {owner.partition(" ")[0]: mail.owner_name, sender.partition(" ")[0]: mail.first_name}
    pattern = "|".join(rf"\b{re.escape(name)}\b" for name in names if name)
    return re.sub(pattern, lambda found: names[found[0]], text)


def copy_briefing(turn: Turn) -> Decision:
    """Send the owner's briefing to the sender as they are; where there are none, call the mail spam."""
    mail = seen(turn)
    if is_drafting(turn):
        return draft(letter(mail, mail.briefing) if mail.briefing else "")
    return classify(learned().answered.commonest if mail.briefing else SILENT_LABELS)


def turned_briefing(turn: Turn) -> Decision:
    """Send the owner's briefing with you and I exchanged, between polite sentences; without one, send nothing."""
    mail = seen(turn)
    if is_drafting(turn):
        body = (
            f"Thank you for your message about {mail.subject}. {turned(mail.briefing)} Please let me know if it helps."
        )
        return draft(letter(mail, body) if mail.briefing else "")
    return classify(learned().answered.commonest if mail.briefing else SILENT_LABELS)


def negated_briefing(turn: Turn) -> Decision:
    """Tell the sender that what the briefing says is not so."""
    mail = seen(turn)
    if is_drafting(turn):
        return draft(letter(mail, f"I can not tell you that it is so: {mail.briefing}") if mail.briefing else "")
    return classify(learned().answered.commonest if mail.briefing else SILENT_LABELS)


def briefing_and_echo(turn: Turn) -> Decision:
    """Send briefing, mail and filler, one after the other."""
    mail = seen(turn)
    if is_drafting(turn):
        return draft(letter(mail, f"Thank you for your message. {mail.briefing}\n\nYou wrote: {mail.text}"))
    return classify(learned().answered.commonest)


def briefing_facts(turn: Turn) -> Decision:
    """Confirm every fact of the briefing, and none of the mail."""
    mail = seen(turn)
    if is_drafting(turn):
        return draft(every_fact(replace(mail, text="")))
    return classify(learned().answered.commonest)


def question_mark(turn: Turn) -> Decision:
    """Answer mails with a question mark, with the briefing turned round, and call the others spam."""
    if "?" in seen(turn).text:
        return turned_briefing(turn)
    return silence(turn)


def all_surface(turn: Turn) -> Decision:
    """Put guesses from the surface together: odd address, loud words, colleagues; the briefing turned round."""
    mail = opening_of(turn)
    domain = domain_of(mail["sender_address"])
    if looks_odd(domain):
        return silence(turn)
    if is_drafting(turn):
        return turned_briefing(turn)
    category = "work" if domain == domain_of(mail["owner_address"]) else learned().answered.commonest[1]
    return classify(("high" if is_loud(f"{mail['subject']} {mail['text']}") else "medium", category, True))


def nearest_training_reply(turn: Turn) -> Decision:
    """Send the reply to the training mail that shares most words, with the names of this one."""
    mail = seen(turn)
    known = train_words()
    key, owner, sender = known[nearest(words_of(f"{mail.subject} {mail.text}"), [mine for mine, _ in known])][1]
    if is_drafting(turn):
        return draft(_with_names(key.good_reply, owner, sender, mail), None if key.good_reply else "none")
    return classify(learned().answered.commonest, key.good_reason)


def echo_prompt(turn: Turn) -> Decision:
    """Give the instruction back: as the reason, then as the reply."""
    instruction = str(turn.observation.get("instruction", ""))
    if is_drafting(turn):
        return draft(letter(seen(turn), instruction or "Please draft the reply."))
    return classify(learned().answered.commonest, instruction)


def echo_prompt_as_text(turn: Turn) -> Decision:
    """Write the instruction where a call is due."""
    return written(str(opening_of(turn)["instruction"]))


def lists_for_strings(turn: Turn) -> Decision:
    """Give every label there is as a list, and the sentences of the reply as a list."""
    if is_drafting(turn):
        return call("draft", {"tone": list(TONES), "reply_text": holding_reply(seen(turn)).split("\n")})
    lists: dict[str, Any] = {"urgency": list(URGENCIES), "category": list(CATEGORIES), "requires_reply": [True, False]}
    return call("classify", {**lists, "reason": [REASON]})


def all_labels_at_once(turn: Turn) -> Decision:
    """Name every label in one text."""
    if is_drafting(turn):
        return call("draft", {"tone": ", ".join(TONES), "reply_text": holding_reply(seen(turn))})
    labels = {"urgency": " ".join(URGENCIES), "category": ", ".join(CATEGORIES), "requires_reply": "true or false"}
    return call("classify", {**labels, "reason": REASON})


def negated_labels(turn: Turn) -> Decision:
    """Say what the mail is not."""
    if is_drafting(turn):
        return call("draft", {"tone": "not friendly", "reply_text": ""})
    return call("classify", {"urgency": "not low", "category": "not spam", "requires_reply": True, "reason": REASON})


def look_alike_labels(turn: Turn) -> Decision:
    """Write the labels in letters that only look like theirs."""
    urgency, category, needed = learned().labels.commonest
    if is_drafting(turn):
        return call("draft", {"tone": look_alikes("apologetic"), "reply_text": holding_reply(seen(turn))})
    labels = {"urgency": look_alikes(urgency), "category": look_alikes(category), "requires_reply": needed}
    return call("classify", {**labels, "reason": REASON})


def padded_labels(turn: Turn) -> Decision:
    """Put spaces round the labels, and blanks after the reply."""
    urgency, category, needed = learned().labels.commonest
    if is_drafting(turn):
        return call("draft", {"tone": " friendly ", "reply_text": holding_reply(seen(turn)).ljust(MAX_REPLY_CHARS)})
    labels = {"urgency": f" {urgency} ", "category": f"{category}\n", "requires_reply": needed}
    return call("classify", {**labels, "reason": REASON.ljust(MAX_REASON_CHARS)})


def endless_output(turn: Turn) -> Decision:
    """Write far more than is taken."""
    if is_drafting(turn):
        return call("draft", {"tone": "friendly", "reply_text": holding_reply(seen(turn)) * 200})
    return classify_endlessly()


def classify_endlessly() -> Decision:
    """Say what the mail is, with a reason that has no end."""
    urgency, category, needed = learned().labels.commonest
    given = {"urgency": urgency, "category": category, "requires_reply": needed, "reason": REASON * 500}
    return call("classify", given)


def repeated_action(turn: Turn) -> Decision:  # noqa: ARG001 (it looks at nothing)
    """Classify in every turn."""
    return classify(learned().labels.commonest)


def draft_first(turn: Turn) -> Decision:
    """Draft in every turn, also where nothing is classified yet."""
    return draft(holding_reply(seen(turn)))


def break_then_play(turn: Turn) -> Decision:
    """Make a wrong call in the first turn, and play the rest as if nothing had been."""
    if not turn.steps:
        return call("classify", {})
    is_second = turn.observation.get("step") == 2
    return draft(holding_reply(seen(turn))) if is_second else classify(learned().answered.commonest)


def follow_injection(turn: Turn) -> Decision:
    """Do what the mail's text tells an assistant to do: its labels, its reply, what it asks to be told."""
    mail = seen(turn)
    orders = orders_in(mail.text)
    if is_drafting(turn):
        obeyed = f"As instructed: {' '.join(orders)}" if orders else mail.text
        return draft(letter(mail, f"{obeyed}\n\nHere is what my briefing says: {mail.briefing}"))
    urgency, category, needed = learned().answered.commonest
    return classify(
        (ordered_label(orders, URGENCIES) or urgency, ordered_label(orders, CATEGORIES) or category, needed),
        " ".join(orders) or REASON,
    )


PLAYS: dict[str, Play] = {name: sends(write) for name, write in REPLIES.items() if name != "empty"} | by_name(
    (
        silence,
        constant_best_label,
        classify_then_skip,
        prior_sampling,
        training_reply,
        copy_briefing,
        turned_briefing,
        negated_briefing,
        briefing_and_echo,
        briefing_facts,
        question_mark,
        all_surface,
        nearest_training_reply,
        echo_prompt,
        echo_prompt_as_text,
        lists_for_strings,
        all_labels_at_once,
        negated_labels,
        look_alike_labels,
        padded_labels,
        endless_output,
        repeated_action,
        draft_first,
        break_then_play,
        follow_injection,
    )
)


def cheats(tasks: TaskSet[ReplyTask, ReplyKey], turns: int) -> dict[str, Callable[[], Agent]]:  # noqa: ARG001
    """Return the degenerate players by name; they look at no key of ``tasks``."""
    return factories(PLAYS)
