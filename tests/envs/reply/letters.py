"""One mail that needs a reply and one that needs none, with their keys, for the tests of both rewards."""

from dataclasses import replace
from pathlib import Path

from mailgym.envs.base import TaskSet
from mailgym.envs.reply.tasks import Labels, ReplyKey, ReplyTask
from mailgym.rubrics.writing.reply import Ask, Wanted

TASK = ReplyTask(
    id="due",
    level="easy",
    owner_name="Maya Lind",
    owner_address="maya@kiln.example",
    sender_name="Owen Feld",
    sender_address="owen@glaze.example",
    subject="Glaze order",
    text="Hi Maya, the list closes today. How many tins of glaze do we take, and who fetches them?\n\nOwen",
    received="Monday, 2 June 2025",
    briefing="You take 12 tins. You have a headache. Ruth Okafor fetches them.",
)
KEY = ReplyKey(
    task_id="due",
    template="by hand",
    mailbox="maya@kiln.example",
    kind="easy",
    labels=Labels("high", "work", True),
    wanted=Wanted(
        needs_reply=True,
        keywords=(("tins",), ("12", "twelve"), ("Ruth",), ("glaze",)),
        asks=(Ask("number", ("12",)), Ask("name", ("Ruth Okafor",))),
        tone="professional",
    ),
    good_reason="The list closes today.",
    good_reply="",
    private=(("headache",),),
)
SPAM = replace(TASK, id="spam", sender_name="Prize Desk", text="You have won a prize. Answer today.", subject="Prize")
SPAM_KEY = replace(KEY, task_id="spam", labels=Labels("low", "spam", False), wanted=Wanted(needs_reply=False))
TASKS = TaskSet("test", Path("none"), {"due": TASK, "spam": SPAM}, {"due": KEY, "spam": SPAM_KEY})

GOOD = (
    "Hi Owen,\n\nthank you for asking in time. Please order 12 tins of the glaze for us today, so that we are on the "
    "list. Ruth Okafor will fetch them. Please confirm the order to me, and let me know what it costs us this time.\n\n"
    "Best regards,\nMaya Lind"
)
"""48 words. Professional signals: please, regards, thank you. Kinds of action: a time, a verb, a phrase."""


def classify(urgency: object = "high", category: object = "work", needed: object = True, reason: object = "") -> dict:
    reason = reason or "The list closes today at four."
    arguments = {"urgency": urgency, "category": category, "requires_reply": needed, "reason": reason}
    return {"name": "classify", "arguments": arguments}


def draft(text: object, tone: object = "professional") -> dict:
    return {"name": "draft", "arguments": {"tone": tone, "reply_text": text}}


SKIP = {"name": "skip", "arguments": {}}
