"""An honest heuristic: who writes from where, words that give a mail away, phrases that say when, a draft by template.

It was written with the training books open and is not changed for others.
"""

import re
from collections.abc import Sequence
from typing import Any

from mailgym.core.episode import Decision, Turn
from mailgym.envs.playing import call, opening_of

PRIVATE_PROVIDERS = ("postbox.example",)
SUBSCRIBED = re.compile(
    r"subscri|newsletter|mailing list|on (our|the|this) list|our readers?\b|reader survey|circular|this letter",
    re.IGNORECASE,
)
TEMPTING = re.compile(
    r"http://|congratulations|\bwon\b|prize|lottery|password|suspended|verify|by card|a card\b|bitcoin|gift|guarantee"
    r"|free\b|bank\b|account number|million|passport|confidential|assistant|language model|\bAI\b|per cent of"
    r"|\bfee\b|leads|demo|when (may|can|could) (i|we)|fifteen minutes|20 minutes|ten minutes\?",
    re.IGNORECASE,
)
PRIVATE = re.compile(
    r"your own|private|dear (parents|reader|patient|citizen|tenant|insured|member|customer)|\bmum\b|\bdad\b"
    r"|grand(ma|pa)|birthday|wedding|holiday|family",
    re.IGNORECASE,
)
SOON = re.compile(
    r"minutes?\b|half an hour|half hour|before (ten|9:\d\d)|at 9:\d\d|within the hour|right now|at once|\bnow\b",
    re.IGNORECASE,
)
WHEN_H: tuple[tuple[str, float], ...] = (
    (r"(?<!tomorrow )(at|by) noon(?! tomorrow)|2 pm|today at noon", 4.0),
    (r"today|this afternoon|tonight", 7.5),
    (r"tomorrow", 27.0),
    (r"thursday", 52.0),
    (r"friday", 74.0),
    (r"monday|next tuesday|next week", 170.0),
    (r"(three|five) weeks|end of the month", 520.0),
)
"""Patterns of time, soonest first, and the hours they are taken for."""
SOON_H, WORK_H, PERSONAL_H, NEWSLETTER_H, SPAM_H = 0.5, 2000.0, 2100.0, 3000.0, 4000.0
ASKS = re.compile(r"\?|yes or no|say so|tell me|a word from you|let me know", re.IGNORECASE)
NOTHING_TO_DO = re.compile(
    r"nothing|no (reply|answer|need)|need not|do(es)? not need|without|for your (files|records|papers)|keep (it|this)",
    re.IGNORECASE,
)
FOR_THE_FILES = re.compile(
    r"files?\b|records?\b|papers|receipt|album|archive|keep|attached|confirm|statement|success", re.IGNORECASE
)
FOR_SALE = re.compile(r"%|half price|sale\b|\boffers?\b|three for two|points|\boff\b", re.IGNORECASE)
TO_KNOW = re.compile(
    r"recall|ends? support|\brule|\blimit|\bfee\b|deposit|\btax\b|new\b.*\bappl|changes?\b", re.IGNORECASE
)


class Rules:
    """Sorts by senders, words and patterns, all mails at once; it learns nothing from answers."""

    @property
    def name(self) -> str:
        """The name shown in tables."""
        return "rules"

    def act(self, turns: Sequence[Turn]) -> list[Decision]:
        """Decide all mails of each inbox."""
        return [sort_inbox(opening_of(turn)) for turn in turns]


def sort_inbox(opening: dict[str, Any]) -> Decision:
    """Return the decision about a whole inbox."""
    owner_domain = opening["owner"].rpartition("@")[2]
    categories = [category_of(mail, owner_domain) for mail in opening["inbox"]]
    hours = [hours_of(mail, category) for mail, category in zip(opening["inbox"], categories, strict=True)]
    decisions = []
    for mail, category, due_h in zip(opening["inbox"], categories, hours, strict=True):
        action = action_of(mail, category)
        decision: dict[str, Any] = {
            "email_id": mail["email_id"],
            "category": category,
            "priority": 1 + sum(other < due_h for other in hours),
            "action": action,
        }
        if action == "respond" and opening["form"] == "email-triage-full":
            decision["response"] = draft_for(mail, opening["owner_name"])
        decisions.append(decision)
    return call("submit", {"email_actions": decisions, "done": True})


def category_of(mail: dict[str, Any], owner_domain: str) -> str:
    """Return a mail's category by where it comes from, then by its words."""
    domain = mail["from"].rpartition("@")[2].rstrip(">")
    text = f"{mail['subject']}\n{mail['text']}"
    is_inside, is_private = domain == owner_domain, domain in PRIVATE_PROVIDERS
    if not is_inside and _bare(owner_domain) in _bare(domain):
        return "spam"
    if not is_inside and not is_private:
        if SUBSCRIBED.search(text):
            return "newsletter"
        if len({found[0].lower() for found in TEMPTING.finditer(text)}) > 1 or "http://" in text:
            return "spam"
    if is_private:
        return "personal"
    if SOON.search(text):
        return "urgent"
    return "personal" if not is_inside and PRIVATE.search(text) else "work"


def hours_of(mail: dict[str, Any], category: str) -> float:
    """Return by when a mail is due, as far as its soonest time phrase says."""
    if category in ("newsletter", "spam"):
        return NEWSLETTER_H if category == "newsletter" else SPAM_H
    text = f"{mail['subject']}\n{mail['text']}".lower()
    if category == "urgent":
        return SOON_H
    found = [due_h for pattern, due_h in WHEN_H if re.search(pattern, text)]
    return found[0] if found else PERSONAL_H if category == "personal" else WORK_H


def action_of(mail: dict[str, Any], category: str) -> str:
    """Return what is done with a mail."""
    text = mail["text"]
    if category == "spam":
        return "delete"
    if category == "newsletter":
        return "delete" if FOR_SALE.search(text) else "read" if TO_KNOW.search(text) else "archive"
    if ASKS.search(text):
        return "respond"
    if NOTHING_TO_DO.search(text):
        return "archive" if FOR_THE_FILES.search(text) else "read"
    return "flag"


def draft_for(mail: dict[str, Any], owner_name: str) -> str:
    """Return a draft that takes up the subject and promises an answer."""
    first_name = mail["from"].split()[0].strip("<>")
    return (
        f"Hello {first_name},\n\nthank you for your mail about {mail['subject']}. I have read it, I am looking into it "
        "now, and you will have my answer as soon as I can give it.\n\n"
        f"Best regards,\n{owner_name.split(maxsplit=1)[0]}"
    )


def _bare(domain: str) -> str:
    return domain.removesuffix(".example").replace("-", "")
