"""The rules baseline: words of the bank's mails, weighed by hand; it never looks anything up.

It was written on the bank's 42 mails alone, and has stayed as it was since: the generated mails came after it.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from mailgym.core.episode import Decision, Turn
from mailgym.envs.inbox.office import address_of
from mailgym.envs.playing import call

QUOTED = re.compile(r"^>.*$", re.MULTILINE)

SPAM = re.compile(
    r"congratulations|claim your prize|voucher|unsubscribe|inheritance|million|l0an|pre-?ap+roved|"
    r"(?:verify|confirm) your password|passport|transfer fee|first page in"
)
CUES: dict[str, tuple[tuple[str, int], ...]] = {
    "billing": (
        (r"refund|charged twice|two times|double charge|second charge|debited", 4),
        (r"correct the in|invoice? [a-z]{2}-\d+|\binvi?oi?ce\b|\binvioce\b", 3),
        (r"\bbill\b|vat number|payable|statement", 1),
        (r"not a complaint|was right|are settled|don't want\s+a refund", -6),
        (r"the upgrade went|about your other", -2),
    ),
    "support": (
        (r"log ?in\b|locked out|password|reset link", 3),
        (r"\bis down\b|completely down|white page|error \d+|data breach|stands? still", 5),
        (r"print[e]?r jams|export|works again|settings|tracking says|licence not found|close the ticket", 4),
        (r"hasn't arrived|error|bug\b", 2),
    ),
    "sales": (
        (r"\bdemo\b|pricing|price|quote|qoute|discount", 2),
        (r"\bseats?\b|contract|renewal|buy|plan cost|next larger plan", 2),
        (r"another product|other offer|plan cost us", 3),
    ),
    "internal": (
        (r"sent by a colleague", 9),
        (r"rota|approval|for your information|dear all|hi all", 3),
    ),
}
HIGH = re.compile(
    r"is down|completely down|stands? still|everybody loses|tomorrow|at two\b|by five|before four|charged twice|"
    r"two times|fee twice|locked out|data breach"
)
CALM = re.compile(
    r"no hurry|small question|works again|no answer needed|fyi|information only|no need to get back|copy of invoice"
)
NOTHING_TO_DO = re.compile(r"no answer needed|no need to get back|close the ticket|information only|nothing to do")
HAND_ON = re.compile(r"pass (?:it )?on|forward to|hand this to|answers are not read")
BEYOND_THE_TEAM = re.compile(r"is down|completely down|stand still|data breach|lawyers")
TEAM_OF = {"spam": "ignore", "support": "support_team", "billing": "finance", "sales": "sales_team"}
INTERNAL_TEAMS = (
    ("finance", re.compile(r"approval of finance|budget")),
    ("sales_team", re.compile(r"sales people|pricing calls")),
    ("support_team", re.compile(r"on call|support team|team lead")),
)


def decide(mail: Mapping[str, str], inbox: str) -> dict[str, str]:
    """Return all four fields for a mail, from its words, and from whether it comes from the inbox's own company."""
    text = QUOTED.sub("", f"{mail['sender']}\n{mail['subject']}\n{mail['email_text']}").lower()
    if address_of(mail["sender"]).endswith(inbox[inbox.index("@") :]):
        text += "\nsent by a colleague"
    category = _category(text)
    return {
        "category": category,
        "priority": _priority(text, category),
        "department": TEAM_OF.get(category) or _team(text),
        "action": _action(text, category),
    }


def _category(text: str) -> str:
    if SPAM.search(text):
        return "spam"
    points = {
        name: sum(weight for cue, weight in cues if re.search(cue, " ".join(text.split())))
        for name, cues in CUES.items()
    }
    return max(points, key=lambda name: points[name]) if max(points.values()) > 0 else "support"


def _priority(text: str, category: str) -> str:
    if category == "spam" or CALM.search(text):
        return "low"
    return "high" if HIGH.search(text) else "medium"


def _team(text: str) -> str:
    return next((team for team, words in INTERNAL_TEAMS if words.search(text)), "ignore")


def _action(text: str, category: str) -> str:
    if category == "spam" or NOTHING_TO_DO.search(text):
        return "archive"
    if BEYOND_THE_TEAM.search(text):
        return "escalate"
    return "forward" if HAND_ON.search(text) else "reply"


class Rules:
    """Decides every mail by :func:`decide`, and gives the fields that are asked for."""

    name = "rules"

    def act(self, turns: Sequence[Turn]) -> list[Decision]:
        """Decide each turn's mail."""
        return [_play(turn.observation) for turn in turns]


def _play(observation: Mapping[str, Any]) -> Decision:
    decided = decide(observation["current_email"], observation["inbox"])
    return call("decide", {name: decided[name] for name in observation["wanted"]})
