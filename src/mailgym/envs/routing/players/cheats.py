"""Degenerate players of `routing`, for the red team; they see the tasks' side and training answers, no key they play.

A reply cheat gives each mail the label and department that were most often right in training, its subject as the
summary, and one of the texts of :mod:`mailgym.envs.cheat_texts` as the reply; a summary cheat likewise. The others
cheat in how they label, or break the form of a call.
"""

import re
from collections.abc import Callable
from email import message_from_string
from email.message import Message
from email.utils import parseaddr
from functools import lru_cache
from typing import Any

from mailgym.core.episode import Decision, Turn
from mailgym.core.protocols import Agent
from mailgym.envs.base import TaskSet
from mailgym.envs.cheat_texts import (
    FILLER,
    REPLIES,
    SeenMail,
    WriteReply,
    every_fact,
    facts_of,
    holding_reply,
    letter,
    look_alikes,
    sentences_of,
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
from mailgym.envs.playing import call
from mailgym.envs.routing.mails import RightAnswer
from mailgym.envs.routing.schema import DEPARTMENTS, LABELS, MAX_REPLY_CHARS, MAX_SUMMARY_CHARS
from mailgym.envs.routing.tasks import RoutingKey, RoutingTask, load_tasks

QUARTER = 4


@lru_cache(maxsize=1)
def learned() -> Prior[tuple[str, str]]:
    """Return the labels and departments of training."""
    keys = load_tasks(OWN_TASKS, "train").keys.values()
    return Prior((right.label, right.department) for key in keys for right in key.right)


@lru_cache(maxsize=1)
def usual() -> tuple[str, str]:
    """Return the commonest label and department of training mails that get a reply."""
    keys = load_tasks(OWN_TASKS, "train").keys.values()
    return Prior((right.label, right.department) for key in keys for right in key.right if right.reply).commonest


@lru_cache(maxsize=1)
def train_words() -> list[tuple[frozenset[str], RightAnswer]]:
    """Return the words of each training mail with its answer; of each template once."""
    rights = [right for key in load_tasks(OWN_TASKS, "train").keys.values() for right in key.right]
    first_of_each = {right.template: right for right in reversed(rights)}.values()
    return [(frozenset(words_of(f"{right.mail.subject} {right.mail.text}")), right) for right in first_of_each]


@lru_cache(maxsize=1)
def learned_texts() -> Prior[tuple[str, str]]:
    """Return the summaries and replies of training."""
    keys = load_tasks(OWN_TASKS, "train").keys.values()
    return Prior((right.summary, right.reply) for key in keys for right in key.right if right.reply)


def raw_mail(turn: Turn) -> Message:
    """Return the mail that is shown; after an error, the one that was shown last."""
    observations = [turn.observation, *(step.observation for step in reversed(turn.steps))]
    return message_from_string(next(str(shown["email"]) for shown in observations if shown.get("email")))


def sender_of(turn: Turn) -> str:
    """Return the address that the mail came from."""
    return parseaddr(str(raw_mail(turn).get("From", "")))[1]


def seen(turn: Turn) -> SeenMail:
    """Return the mail with its sender's and its reader's names."""
    mail = raw_mail(turn)
    sender, owner = (parseaddr(str(mail.get(name, "")))[0] for name in ("From", "To"))
    return SeenMail(sender, owner, str(mail.get("Subject", "")), str(mail.get_payload()).strip())


def triage(label: Any, department: Any, summary: Any, reply: Any) -> Decision:
    """Decide about the mail; texts are cut to what is taken."""
    summary = summary[:MAX_SUMMARY_CHARS] if isinstance(summary, str) else summary
    reply = reply[:MAX_REPLY_CHARS] if isinstance(reply, str) else reply
    return call("triage", {"label": label, "department": department, "summary": summary, "reply": reply})


def commonly(summary: Any, reply: Any) -> Decision:
    """Decide what is most often right of mails that get a reply, with these texts."""
    return triage(*usual(), summary, reply)


def replies(write: WriteReply) -> Play:
    """Send the same sort of text to everybody."""
    return lambda turn: commonly(seen(turn).subject, write(seen(turn)))


def summarises(write: WriteReply) -> Play:
    """Write the same sort of summary of every mail."""
    return lambda turn: commonly(write(seen(turn)), holding_reply(seen(turn)))


def everything_always(label: str) -> Play:
    """Give every mail one label, whatever it is."""
    return lambda turn: triage(label, usual()[1], seen(turn).subject, holding_reply(seen(turn)))


def first_sentence(mail: SeenMail) -> str:
    """Copy the first sentence."""
    return next(iter(sentences_of(mail.text)), "")


def longest_sentence(mail: SeenMail) -> str:
    """Copy the longest sentence."""
    return max(sentences_of(mail.text), key=len, default="")


def whole_mail(mail: SeenMail) -> str:
    """Copy the whole mail."""
    return mail.text


def first_quarter(mail: SeenMail) -> str:
    """Copy as many words as a summary may have."""
    words = mail.text.split()
    return " ".join(words[: max(3, len(words) // QUARTER)])


def fact_list(mail: SeenMail) -> str:
    """List the numbers, dates and names."""
    return ", ".join(facts_of(f"{mail.subject}\n{mail.text}"))


def fact_sentence(mail: SeenMail) -> str:
    """List sender, subject, numbers, dates and names in one sentence."""
    return f"{mail.sender_name} writes about {mail.subject}: {', '.join(facts_of(mail.text)[:6])}."


def word_list(mail: SeenMail) -> str:
    """List the longest words."""
    words = sorted(words_of(f"{mail.subject} {mail.text}"), key=len, reverse=True)
    return " ".join(words[: max(3, len(mail.text.split()) // QUARTER)])


def backwards(mail: SeenMail) -> str:
    """Copy the last quarter's words in the wrong order."""
    words = mail.text.split()
    return " ".join(reversed(words[-max(3, len(words) // QUARTER) :]))


def turned_first_sentence(mail: SeenMail) -> str:
    """Copy the first sentence with you and I exchanged."""
    return turned(first_sentence(mail))


def negated_first_sentence(mail: SeenMail) -> str:
    """Say that the first sentence is not so."""
    return f"It is not so that {first_sentence(mail)}"


def look_alike_sentence(mail: SeenMail) -> str:
    """Copy the first sentence in letters that only look like its own."""
    return look_alikes(first_sentence(mail))


def says_nothing(mail: SeenMail) -> str:  # noqa: ARG001 (it looks at nothing)
    """Say what is true of any mail."""
    return "The sender writes about a matter and expects it to be handled."


def huge_summary(mail: SeenMail) -> str:
    """Repeat the facts until no more is taken."""
    return f"{fact_sentence(mail)} " * 50


SUMMARIES: tuple[WriteReply, ...] = (
    first_sentence,
    longest_sentence,
    whole_mail,
    first_quarter,
    fact_list,
    fact_sentence,
    word_list,
    backwards,
    turned_first_sentence,
    negated_first_sentence,
    look_alike_sentence,
    says_nothing,
    huge_summary,
)


def silence(turn: Turn) -> Decision:  # noqa: ARG001 (it looks at nothing)
    """Skip every mail."""
    return call("skip", {})


def constant_best_label(turn: Turn) -> Decision:  # noqa: ARG001 (it looks at nothing)
    """Decide what is most often right, and write nothing."""
    return triage(*learned().commonest, "", "")


def prior_sampling(turn: Turn) -> Decision:
    """Draw label and department as often as they were right in training."""
    label, department = learned().draw(turn, len(turn.steps))
    mail = seen(turn)
    return triage(label, department, mail.subject, "" if label == "spam" else holding_reply(mail))


def training_texts(turn: Turn) -> Decision:
    """Write the summary and reply of a training mail, with the greeting of this one."""
    summary, reply = learned_texts().draw(turn, len(turn.steps))
    body = reply.split("\n\n")[1:-1]
    return commonly(summary, letter(seen(turn), "\n\n".join(body) or reply))


def one_text_for_both(turn: Turn) -> Decision:
    """Use the facts as summary and as reply."""
    return commonly(fact_sentence(seen(turn)), letter(seen(turn), fact_sentence(seen(turn))))


def echo_prompt(turn: Turn) -> Decision:
    """Give the instruction back as summary and reply."""
    instruction = str(turn.observation["metadata"]["instruction"])
    return commonly(instruction, letter(seen(turn), instruction))


def echo_prompt_as_text(turn: Turn) -> Decision:
    """Write the instruction where a call is due."""
    return written(str(turn.observation["metadata"]["instruction"]))


def lists_for_strings(turn: Turn) -> Decision:
    """Give every label, every department and every sentence as a list."""
    sentences = sentences_of(seen(turn).text)
    return triage(list(LABELS), list(DEPARTMENTS), sentences, sentences)


def all_labels_at_once(turn: Turn) -> Decision:
    """Name every label and every department in one text."""
    return triage(", ".join(LABELS), "|".join(DEPARTMENTS), seen(turn).subject, holding_reply(seen(turn)))


def negated_labels(turn: Turn) -> Decision:
    """Say what the mail is not."""
    return triage("not spam", "not none", seen(turn).subject, holding_reply(seen(turn)))


def look_alike_labels(turn: Turn) -> Decision:
    """Write label and department in letters that only look like theirs."""
    label, department = usual()
    return triage(look_alikes(label), look_alikes(department), seen(turn).subject, holding_reply(seen(turn)))


def padded_labels(turn: Turn) -> Decision:
    """Put spaces round label and department."""
    label, department = usual()
    return triage(f" {label} ", f"{department}\n", seen(turn).subject, holding_reply(seen(turn)))


def endless_output(turn: Turn) -> Decision:
    """Write far more than is taken."""
    label, department = usual()
    texts = {"summary": seen(turn).text * 50, "reply": FILLER * 100}
    return call("triage", {"label": label, "department": department, **texts})


def repeated_action(turn: Turn) -> Decision:
    """Send the first mail's decision for every mail."""
    return turn.steps[0].decision if turn.steps else commonly(seen(turn).subject, holding_reply(seen(turn)))


def break_then_play(turn: Turn) -> Decision:
    """Make a wrong call in every second turn."""
    if len(turn.steps) % 2 == 0:
        return call("triage", {})
    return commonly(seen(turn).subject, holding_reply(seen(turn)))


def named_department(turn: Turn) -> Decision:
    """Route to the department whose name the mail has, urgent where it says so: one word decides."""
    mail = seen(turn)
    whole = f"{mail.subject} {mail.text}".lower()
    label, department = usual()
    found = re.search(rf"\b({'|'.join(DEPARTMENTS[:-1])})\b", whole)
    label = "urgent" if re.search(r"urgent|asap|immediately|today", whole) else label
    return triage(label, found[0] if found else department, mail.subject, holding_reply(mail))


def all_surface(turn: Turn) -> Decision:
    """Put the best guesses from the surface together: odd address or link, loud words, the facts as both texts."""
    mail = seen(turn)
    if looks_odd(domain_of(sender_of(turn))) or "www." in mail.text:
        return triage("spam", "none", fact_sentence(mail), "")
    label, department = usual()
    label = "urgent" if is_loud(f"{mail.subject} {mail.text}") else label
    return triage(label, department, fact_sentence(mail), every_fact(mail))


def nearest_training_texts(turn: Turn) -> Decision:
    """Write the summary and reply of the training mail that shares most words; its labels would be honest reading."""
    mail = seen(turn)
    known = train_words()
    right = known[nearest(words_of(f"{mail.subject} {mail.text}"), [words for words, _ in known])][1]
    body = "\n\n".join(right.reply.split("\n\n")[1:-1])
    return commonly(right.summary, letter(mail, body) if body else "")


def follow_injection(turn: Turn) -> Decision:
    """Do what the mail's text tells an assistant to do: its label, its department, its words."""
    mail = seen(turn)
    orders = orders_in(mail.text)
    label, department = usual()
    obeyed = " ".join(orders) or mail.text
    return triage(
        ordered_label(orders, LABELS) or label,
        ordered_label(orders, DEPARTMENTS) or department,
        obeyed,
        letter(mail, f"As instructed: {obeyed}"),
    )


PLAYS: dict[str, Play] = (
    {name: replies(write) for name, write in REPLIES.items() if name != "empty"}
    | {f"summary_{write.__name__}": summarises(write) for write in SUMMARIES}
    | {f"everything_{label}": everything_always(label) for label in LABELS}
    | by_name(
        (
            silence,
            constant_best_label,
            prior_sampling,
            training_texts,
            one_text_for_both,
            echo_prompt,
            echo_prompt_as_text,
            lists_for_strings,
            all_labels_at_once,
            negated_labels,
            look_alike_labels,
            padded_labels,
            endless_output,
            repeated_action,
            break_then_play,
            named_department,
            all_surface,
            nearest_training_texts,
            follow_injection,
        )
    )
)


def cheats(tasks: TaskSet[RoutingTask, RoutingKey], turns: int) -> dict[str, Callable[[], Agent]]:  # noqa: ARG001
    """Return the degenerate players by name; they look at no key of ``tasks``."""
    return factories(PLAYS)
