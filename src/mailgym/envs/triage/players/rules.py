"""An honest heuristic: words that give a category away, phrases that say when, and a template for drafts."""

import re
from collections.abc import Sequence
from typing import Any

from mailgym.core.episode import Decision, Turn
from mailgym.envs.playing import call, opening_of

GIVEAWAYS: dict[str, tuple[str, ...]] = {
    "spam": (
        "congratulations", "won", "winner", "prize", "verify your", "confirm your", "password", "suspended", "click",
        "http://", "offer", "guarantee", "limited time", "act now", "free", "bitcoin", "investment", "leads",
        "increase your", "lottery", "inheritance", "beneficiary",
    ),
    "newsletter": (
        "unsubscribe", "subscribed", "subscriber", "newsletter", "issue", "this week", "digest", "editor", "readers",
        "webinar", "edition",
    ),
    "urgent": (
        "urgent", "immediately", "right now", "asap", "at once", "down", "outage", "emergency", "stopped", "leak",
        "minutes", "half an hour", "within the hour", "critical", "fire",
    ),
    "personal": (
        "love", "hugs", "mum", "dad", "dinner", "birthday", "weekend", "kids", "party", "x ", "holiday", "cousin",
        "grandma", "garden", "photos", "postbox.example",
    ),
    "work": (
        "meeting", "report", "contract", "project", "budget", "invoice", "team", "client", "customer", "schedule",
        "deadline", "regards", "order", "review", "approval",
    ),
}  # fmt: skip
WHEN_H: tuple[tuple[str, float], ...] = (
    (r"\bright now|\bnow\b|immediately|at once|is down|stopped", 0.0),
    (r"minutes|half an hour|half hour|within the hour|before ten|9:\d\d", 0.5),
    (r"noon today|today at noon|by noon\b(?! tomorrow)|2 pm", 4.0),
    (r"today|this afternoon|tonight|by four", 7.0),
    (r"tomorrow", 27.0),
    (r"thursday", 52.0),
    (r"friday", 74.0),
    (r"monday|next tuesday|next week", 170.0),
    (r"weeks|month", 520.0),
)
"""Patterns of time, soonest first, and the hours they are taken for."""
UNDATED_H = {"urgent": 1.0, "work": 2000.0, "personal": 2100.0, "newsletter": 3000.0, "spam": 4000.0}
ASKS = re.compile(r"\?|let me know|tell me|answer|reply|please (say|write|send|confirm)", re.IGNORECASE)
TO_DO = re.compile(r"\b(sign|pay|fill in|enter|approve|bring|book|check|complete|submit|must|please)\b", re.IGNORECASE)
FOR_RECORD = re.compile(r"receipt|for your records|confirmation|no action|nothing to do|fyi", re.IGNORECASE)


class Rules:
    """Sorts by keywords and patterns, all mails at once; it learns nothing from answers."""

    @property
    def name(self) -> str:
        """The name shown in tables."""
        return "rules"

    def act(self, turns: Sequence[Turn]) -> list[Decision]:
        """Decide all mails of each inbox."""
        return [sort_inbox(opening_of(turn)) for turn in turns]


def sort_inbox(opening: dict[str, Any]) -> Decision:
    """Return the decision about a whole inbox by keywords."""
    categories = [category_of(mail) for mail in opening["inbox"]]
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


def category_of(mail: dict[str, Any]) -> str:
    """Return the category that most giveaway words speak for; ``work`` among equals."""
    text = f"{mail['from']}\n{mail['subject']}\n{mail['text']} ".lower()
    counts = {category: sum(word in text for word in words) for category, words in GIVEAWAYS.items()}
    best = max(counts.values())
    return "work" if counts["work"] == best else next(name for name, count in counts.items() if count == best)


def hours_of(mail: dict[str, Any], category: str) -> float:
    """Return by when a mail is due as far as its first time phrase says."""
    if category in ("newsletter", "spam"):
        return UNDATED_H[category]
    text = f"{mail['subject']}\n{mail['text']}".lower()
    found = [due_h for pattern, due_h in WHEN_H if re.search(pattern, text)]
    return found[0] if found else UNDATED_H[category]


def action_of(mail: dict[str, Any], category: str) -> str:
    """Return what is done with a mail: spam is deleted, questions are answered, requests flagged."""
    if category == "spam":
        return "delete"
    if category == "newsletter":
        return "archive"
    if ASKS.search(mail["text"]):
        return "respond"
    if FOR_RECORD.search(mail["text"]):
        return "archive"
    return "flag" if TO_DO.search(mail["text"]) else "read"


def draft_for(mail: dict[str, Any], owner_name: str) -> str:
    """Return a draft that takes up the subject and promises an answer."""
    first_name = mail["from"].split()[0].strip("<>")
    return (
        f"Hello {first_name},\n\nthank you for your mail about {mail['subject']}. I have read it, I am looking into it "
        "now, and you will have my answer as soon as I can give it.\n\n"
        f"Best regards,\n{owner_name.split(maxsplit=1)[0]}"
    )
