"""What can be done without understanding: word lists for the labels, and a form letter around the owner's notes."""

import re
from collections.abc import Sequence
from typing import Any

from mailgym.core.episode import Decision, Turn
from mailgym.envs.playing import call, opening_of


def _listed(words: str) -> frozenset[str]:
    return frozenset(words.split())


SPAM = _listed(
    "winner prize lottery bitcoin crypto unsubscribe guaranteed offer discount click verify suspended inheritance "
    "million cash bonus deal limited wire password loan casino seo ranking investor free"
)
SOCIAL = _listed(
    "party dinner birthday barbecue picnic wedding drinks invite invitation celebrate concert game film reunion "
    "brunch housewarming choir hike weekend rsvp"
)
PERSONAL = _listed(
    "mum mom dad sister brother aunt grandma family doctor dentist landlord rent school daughter son bank insurance "
    "appointment flat neighbour kids vet clinic lease"
)
WORK = _listed(
    "meeting project client report budget contract invoice deadline team quarter customer supplier release schedule "
    "office proposal slides order server agenda review"
)
HIGH = _listed(
    "urgent urgently immediately asap today tonight emergency critical now deadline noon hour hours overdue "
    "outage final"
)
LOW = _listed("newsletter fyi whenever someday eventually month summer reminder info archive hurry")
NO_REPLY = re.compile(
    r"no (?:need|reply)|not need to (?:reply|answer)|do not reply|don't reply|nothing to do|for your information"
    r"|noreply|no-reply|unsubscribe|just (?:so you know|to let you know)",
    re.I,
)
WORD = re.compile(r"[a-z]+")
SENTENCE = re.compile(r"(?<=[.!?])\s+")
PLAIN = _listed("have your that this with from they them what when will would could there been were about which where")
ASKED = (
    (re.compile(r"\b(?:when|time|hour)\b", re.I), re.compile(r"\b\d{1,2}:\d\d\b")),
    (re.compile(r"\b(?:when|day|date|which evening)\b", re.I), re.compile(r"\b\w+day, \d+ \w+")),
    (re.compile(r"\bhow (?:much|many)\b|\bsum\b|\bprice\b", re.I), re.compile(r"\d")),
    (re.compile(r"\b(?:who|whom|name|person)\b", re.I), re.compile(r"\b[A-Z][a-z]+ [A-Z][a-z]+")),
)
"""What a question word asks for, as it looks."""
APOLOGY = re.compile(r"\b(?:complain\w*|disappoint\w*|unacceptable|wrong|mistake|late|broken|hurt)\b", re.I)


class Rules:
    """Counts words; replies with a form letter that holds the owner's notes in the first person.

    It is as honest as a form letter can be: it reads the mail's question as little as it reads the notes.
    """

    @property
    def name(self) -> str:
        """The name shown in tables."""
        return "rules"

    def act(self, turns: Sequence[Turn]) -> list[Decision]:
        """Classify in the first turn, draft in the second."""
        return [self._decide(turn) for turn in turns]

    def _decide(self, turn: Turn) -> Decision:
        mail = opening_of(turn)
        said = classify(mail)
        if not turn.steps:
            return call("classify", said)
        if not said["requires_reply"]:
            return call("draft", {"tone": "none", "reply_text": ""})
        tone, text = draft(mail, said["category"])
        return call("draft", {"tone": tone, "reply_text": text})


def classify(mail: dict[str, Any]) -> dict[str, Any]:
    """Return the labels that word lists give, as arguments of ``classify``."""
    own = mail["text"].split("\nOn ")[0]
    words = WORD.findall(f"{mail['subject']} {own} {mail['sender_address']}".lower())
    counts = {
        name: sum(word in listed for word in words)
        for name, listed in (("spam", SPAM), ("social", SOCIAL), ("personal", PERSONAL), ("work", WORK))
    }
    category = max(counts, key=lambda name: (counts[name], name == "work"))
    if category == "spam" and counts["spam"] < 2:
        category = max(("social", "personal", "work"), key=lambda name: (counts[name], name == "work"))
    high, low = (sum(word in listed for word in words) for listed in (HIGH, LOW))
    urgency = "low" if category == "spam" or low > high else "high" if high else "medium"
    asked = "?" in own or re.search(r"\b(?:let me know|confirm|tell me|send me|rsvp)\b", own, re.I) is not None
    needed = category != "spam" and asked and NO_REPLY.search(own) is None
    reason = f"It has {counts[category]} words of {category} and {high} words of haste."
    return {"urgency": urgency, "category": category, "requires_reply": needed, "reason": reason}


def draft(mail: dict[str, Any], category: str) -> tuple[str, str]:
    """Return tone and text of a form letter."""
    first = mail["sender_name"].split()[0] if mail["sender_name"].split() else "there"
    owner = mail["owner_name"]
    facts = in_first_person(" ".join(fitting(mail)))
    if APOLOGY.search(mail["text"]):
        tone, thanks, close = "apologetic", "I am sorry for the trouble, and I apologise.", "Kind regards,"
    elif category == "work":
        tone, thanks, close = "professional", "thank you for your mail.", "Best regards,"
    else:
        tone, thanks, close = "friendly", "lovely to hear from you.", "Cheers,"
    middle = f" {facts}" if facts else " I will look at it and answer you by tomorrow."
    return tone, f"Hi {first},\n\n{thanks}{middle} Please let me know if you need anything else.\n\n{close}\n{owner}"


def fitting(mail: dict[str, Any]) -> list[str]:
    """Return the sentences of the owner's notes that share a word with the mail or hold what a question word asks for.

    A sentence about the owner alone is left out: it may be private.
    """
    text = f"{mail['subject']} {mail['text']}"
    known = _stems(text)
    asked = [wanted for question, wanted in ASKED if question.search(text)]
    sentences = SENTENCE.split(mail["briefing"]) if mail["briefing"] else []
    return [
        sentence
        for sentence in sentences
        if len(_stems(sentence) & known) >= 2 or any(wanted.search(sentence) for wanted in asked)
    ]


def _stems(text: str) -> set[str]:
    return {word[:5] for word in WORD.findall(text.lower()) if len(word) > 3 and word not in PLAIN}


def in_first_person(notes: str) -> str:
    """Return the owner's notes to the assistant as the owner would say them: you are → I am, your → my."""
    swaps = (
        (r"\b[Yy]ou are\b", "I am"),
        (r"\b[Yy]ou were\b", "I was"),
        (r"\b[Yy]ours\b", "mine"),
        (r"\b[Yy]ourself\b", "myself"),
        (r"\bYour\b", "My"),
        (r"\byour\b", "my"),
        (r"\b[Yy]ou\b", "I"),
    )
    for pattern, own in swaps:
        notes = re.sub(pattern, own, notes)
    return notes
