"""An honest heuristic: cues of each label and department, a summary and a reply from what the mail names.

It is what one would write in an afternoon without a model, on mails of the split train. It reads words, not what is
said with them: a friend who jokes like a lawyer, or a swindler who writes like a neighbour, deceives it.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from email.utils import parseaddr

from mailgym.core.episode import Decision, Turn
from mailgym.envs.playing import call
from mailgym.envs.routing.schema import LEVELS, STARTS, UNROUTED

Cues = Mapping[str, tuple[tuple[float, str], ...]]

LABEL_CUES: Cues = {
    "spam": (
        (1.0, r"^from: [^\n]*@[\w.]*-[\w.-]*>"),
        (1.5, r"dear (?:customer|user|employee|candidate)|decision maker|unsubscribe|to leave this list"),
        (1.5, r"gift cards?|vouchers?|crypto|coins?\b|codes? and send|deposit|inheritance|winner|prize"),
        (1.5, r"(?:card|bank|account) (?:number|data|details|login|log in)|log ?in|password|passport|your id\b"),
        (
            1.0,
            r"do(?:n't| not) (?:tell|contact|discuss|turn|delete|answer)|confidential|strictly between|keep it quiet",
        ),
        (
            1.0,
            r"\bfree\b|only \$|for only|normally goes|no risk|congratulations|guaranteed|cannot unsubscribe|follow up",
        ),
    ),
    "personal": (
        (2.0, r"\b(?:love|hugs?|kisses|xx|mum|dad|aunt|uncle|cousin|darling|grandma)\b"),
        (
            1.5,
            r"birthday|party|wedding|dinner|concert|holiday|weekend|garden|allotment|poker|playlist|flat\b|baby|born",
        ),
        (
            1.0,
            r"\b(?:cake|beer|wine|soup|pie|pizza|coffee|tea|rolls|jam|dumplings?|cat|dog|bike|sofa|van|kids|children)\b",
        ),
        (1.0, r"ha ?ha|haha|!!!|fancy|gossip|sorry for|shall we"),
        (0.5, r"^from: [^\n]*\d@"),
    ),
    "urgent": (
        (
            2.0,
            r"right (?:now|away)|at once|straight away|immediately|this minute|(?:in|within) the next hour",
        ),
        (1.5, r"\b(?:today|tonight|this (?:afternoon|evening))\b"),
        (1.0, r"(?:before|until|at|closes at|by) \d{1,2}:\d\d"),
        (
            1.0,
            r"nobody can|can(?:not|'t) (?:open|print|pay|do|reach|run|refuse|submit)|stand(?:s|ing)? still",
        ),
        (
            1.0,
            r"stolen|burst|fainted|police|ambulance|doctor|alarm|frozen|refuses|hangs|locked|lost|injunction|blocked",
        ),
        (0.5, r"please (?:call|ring|tell|release|have)|who (?:else )?can|or tell me|is gone"),
    ),
    "work": (
        (
            2.5,
            r"no (?:great )?(?:rush|hurry|haste|pressure|stress|need)|not (?:urgent|pressing)|there(?:'s| is) time",
        ),
        (
            2.5,
            r"take (?:all )?(?:the|your) time|whenever|when you (?:have|get)|plenty of time|any (?:day|time)|routine",
        ),
        (
            1.5,
            r"(?:by|before) \d{1,2} (?:jan|feb|mar|apr|may|jun|sep|oct|nov)",
        ),
        (
            1.0,
            r"invoice|contract|draft|quote|offer|licen[cs]es?|budget|board|agenda|interview|form\b|review|questionnaire",
        ),
        (0.5, r"^--$|\| [a-z ]+ \||kind regards|yours faithfully|many thanks in advance|dear \w+ \w+"),
    ),
}
DEPARTMENT_CUES: Cues = {
    "engineering": ((1.0, r"server|api\b|database|release|disk|outage|gateway|interface|checkout|developer|import"),),
    "billing": ((1.0, r"invoice|payment|charged?|\btax\b|refund|receipts?|expenses|bank file|accounts\b|salar"),),
    "security": ((1.0, r"stolen|badges?|breach|virus|security|access\b|attachment|intruder|zip|vault|sign-ins?"),),
    "sales": ((1.0, r"quote|price|tender|trial|stock\b|discount|seats|customer tour|purchasing|supplier let"),),
    "legal": ((1.0, r"lawyers?|court|clause|legal|regulator|agreement|rules\b|liability|notary|solicitor"),),
    "hr": ((1.0, r"parental|personnel|candidates?|interview|probation|shift|sick|reference\b|applied"),),
    "support": ((1.0, r"how do|button|screen|menu|help page|training once|ward|label|trick|find\b|setting"),),
    "management": ((1.0, r"director|board|strategy|decides?\b|top\b|press\b|headcount|whoever|fire brigade"),),
}
TEAMS: Mapping[str, str] = {
    "engineering": "Our engineers are",
    "billing": "Our accounts team is",
    "security": "Our security team is",
    "sales": "Our sales team is",
    "legal": "Our lawyers are",
    "hr": "Our personnel team is",
    "support": "Our support team is",
    "management": "Our management is",
}
VALUE = re.compile(
    r"\$[\d,.]*\d|\b\d{1,2} (?:January|February|March|April|May|June|July|August|September|October|November|December)\b"
    r"|\b(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day\b|\b\d{1,2}:\d\d\b"
)
MOST_VALUES = 2


@dataclass(frozen=True, slots=True)
class Shown:
    """A mail as it is shown, taken apart."""

    email: str
    sender: str
    owner: str
    subject: str
    text: str


class RulesPlayer:
    """Decides about each mail by its cues."""

    @property
    def name(self) -> str:
        """The name shown in tables."""
        return "rules"

    def act(self, turns: Sequence[Turn]) -> list[Decision]:
        """Decide about the mail of each turn."""
        return [_decide(turn) for turn in turns]


def _decide(turn: Turn) -> Decision:
    mail = take_apart(str(turn.observation.get("email", "")))
    level = LEVELS[STARTS.index(turn.observation["metadata"]["task_id"])]
    label = best_by(mail.email, LABEL_CUES, "work")
    department = "none" if label in UNROUTED else best_by(mail.email, DEPARTMENT_CUES, "support")
    arguments = {"label": label}
    if level.routes:
        arguments["department"] = department
    if level.writes:
        arguments["summary"] = summarise(mail, label)
        if label != "spam":
            arguments["reply"] = answer(mail, department)
    return call("triage", arguments)


def take_apart(email: str) -> Shown:
    """Return sender's and owner's first names, subject and text of a raw mail; empty where it lacks them."""
    head, _, text = email.partition("\n\n")
    headers = dict(line.split(": ", 1) for line in head.splitlines() if ": " in line)
    sender, owner = (parseaddr(headers.get(field, ""))[0].partition(" ")[0] for field in ("From", "To"))
    return Shown(email, sender, owner, headers.get("Subject", "").strip("!? "), text)


def best_by(text: str, cues: Cues, otherwise: str) -> str:
    """Return the name whose cues weigh most in a text, each once; the first of several, ``otherwise`` without any."""
    weights = {
        name: sum(weight for weight, pattern in of_name if re.search(pattern, text, re.IGNORECASE | re.MULTILINE))
        if len(of_name) > 1
        else float(len(re.findall(of_name[0][1], text, re.IGNORECASE)))
        for name, of_name in cues.items()
    }
    best = max(weights, key=lambda name: weights[name])
    return best if weights[best] else otherwise


def values_of(text: str) -> list[str]:
    """Return the sums, dates, days and times that a text names, each once, in order."""
    return list(dict.fromkeys(VALUE.findall(text)))


def summarise(mail: Shown, label: str) -> str:
    """Return what the subject says, with the first values that the mail names."""
    values = " and ".join(values_of(mail.text)[:MOST_VALUES])
    about = f"about {mail.subject or 'something'}" + (f", and it names {values}" if values else "")
    if label == "spam":
        return f"This is a fraud or an advert {about}."
    return f"{mail.sender or 'The sender'} writes {about}."


def answer(mail: Shown, department: str) -> str:
    """Return a polite reply: who is on it, and the last values that the mail names."""
    values = " and ".join(values_of(mail.text)[-MOST_VALUES:])
    noted = f" I have noted {values}." if values else ""
    work = f"{TEAMS[department]} looking into it now." if department in TEAMS else "I will gladly come and help."
    return (
        f"Hi {mail.sender or 'there'},\n\nThank you for your message. {work}{noted} You will hear from me soon.\n\n"
        f"Best regards,\n{mail.owner}"
    )
