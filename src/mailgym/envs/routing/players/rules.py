"""An honest heuristic: words by which each label and department is known, the mail's best sentence, a polite reply.

It is what one would write in an afternoon without a model. It reads words, not what is said with them: a mail that
speaks of an outage that is over, or a swindler who speaks of invoices, deceives it.
"""

import re
from collections.abc import Mapping, Sequence
from email.utils import parseaddr

from mailgym.core.episode import Decision, Turn
from mailgym.envs.playing import call
from mailgym.envs.routing.schema import LEVELS, STARTS, UNROUTED

LABEL_WORDS: Mapping[str, str] = {
    "spam": r"click|verify|password|winner|won|free|gift|voucher|guarantee\w*|bank details|card|fee|prize|selected"
    r"|congratulations|unsubscribe|dear (?:customer|user|employee)|login|log in|coin|expires?|confidential|deposit",
    "personal": r"dinner|party|birthday|wedding|mum|dad|love|kids|children|cake|weekend|holiday|beer|wine|hug|xx|lunch"
    r"|concert|dog|cat|garden|cinema|football|cousin|aunt|uncle|flat|sofa|kitchen",
    "urgent": r"urgent\w*|immediately|at once|right away|right now|straight away|emergency|asap|outage|down|today"
    r"|cannot wait|critical|stolen|stopped|blocked|nobody can|this minute|before it is too late|fails?|hours?",
    "work": r"meeting|invoice|contract|offer|report|quote|budget|agenda|review|licen[cs]e|form|team|board|project"
    r"|customer|order|price|draft|schedule|training|supplier|office",
}
DEPARTMENT_WORDS: Mapping[str, str] = {
    "engineering": r"server|api|database|release|disk|outage|gateway|interface|checkout|developer|certificate|bug",
    "billing": r"invoice|payment|charge[ds]?|tax|vat|refund|receipts?|expenses|bank|accounts|billing|salar(?:y|ies)",
    "security": r"stolen|password|badge|breach|virus|security|access|phish\w*|attachment|lock|stranger|sign-ins?",
    "sales": r"quote|price|tender|offer|demo|licen[cs]es|seats|discount|order|trial|stock|bid",
    "legal": r"contract|lawyers?|court|clause|legal|regulator|agreement|trademark|guarantee|liability|warrant|notary",
    "hr": r"leave|personnel|candidate|interview|probation|shift|sick|training course|reference|hr|staff|threat\w*",
    "support": r"how do|help|button|screen|menu|manual|export|guide|app|find|feature|wrong|label",
    "management": r"board|strategy|decide|decision|director|press|recall|management|budget|partnership|reporter",
}
SENTENCE = re.compile(r"(?<=[.!?])\s+|\n+")
FIRST_NAME = re.compile(r"[^\W\d_]+")
MOST_SUMMARY_WORDS = 14


class RulesPlayer:
    """Decides about each mail by counting words."""

    @property
    def name(self) -> str:
        """The name shown in tables."""
        return "rules"

    def act(self, turns: Sequence[Turn]) -> list[Decision]:
        """Decide about the mail of each turn."""
        return [_decide(turn) for turn in turns]


def _decide(turn: Turn) -> Decision:
    email = str(turn.observation.get("email", ""))
    level = LEVELS[STARTS.index(turn.observation["metadata"]["task_id"])]
    head, _, text = email.partition("\n\n")
    headers = dict(line.split(": ", 1) for line in head.splitlines() if ": " in line)
    sender, owner, subject = (headers.get(name, "") for name in ("From", "To", "Subject"))
    label = most_named(f"{subject}\n{text}", LABEL_WORDS, "work")
    arguments = {"label": label}
    if level.routes:
        unrouted = label in UNROUTED
        arguments["department"] = "none" if unrouted else most_named(f"{subject}\n{text}", DEPARTMENT_WORDS, "support")
    if level.writes:
        arguments["summary"] = summarise(text)
        if label != "spam":
            arguments["reply"] = answer(parseaddr(sender)[0], parseaddr(owner)[0], text)
    return call("triage", arguments)


def most_named(text: str, words: Mapping[str, str], otherwise: str) -> str:
    """Return the name whose words stand most often in a text; the first of several, ``otherwise`` where none does."""
    counts = {name: len(re.findall(rf"\b(?:{pattern})\b", text, re.IGNORECASE)) for name, pattern in words.items()}
    best = max(counts, key=lambda name: counts[name])
    return best if counts[best] else otherwise


def summarise(text: str) -> str:
    """Return the beginning of the sentence that holds the most figures and names."""
    sentences = [sentence.strip() for sentence in SENTENCE.split(text) if len(sentence.split()) > 4]
    telling = max(sentences or [text], key=lambda sentence: len(re.findall(r"\d[\d:.,]*|(?<=\s)[A-Z]\w+", sentence)))
    return " ".join(telling.split()[:MOST_SUMMARY_WORDS]).rstrip(",;:.!?") + "."


def answer(sender: str, owner: str, text: str) -> str:
    """Return a polite reply that names a day, a date and a time of the mail where it has them."""
    to, by = (FIRST_NAME.findall(name)[:1] for name in (sender, owner))
    named = re.findall(
        r"\b(?:\d{1,2} (?:January|February|March|April|May|June|July|August|September|October|November|December)"
        r"|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|\d{1,2}:\d\d)\b",
        text,
    )
    about = f" I have noted {named[-1]}." if named else ""
    return (
        f"Hi {''.join(to) or 'there'},\n\nThank you for your message.{about} I will take care of it with the right "
        f"people and get back to you.\n\nBest regards,\n{''.join(by)}"
    )
