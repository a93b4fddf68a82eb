"""Words that the document's reward takes for tone, action and filler; lists of our own around those that it names.

Source: document 001 names four signals of *professional*, four of *friendly*, three of *assertive*, three of
*apologetic*, kinds of actionable signals and three fillers, and no full list. Each tone has here as many signals as in
the running system, since the reward divides by their number.
"""

import re


def _any_of(*signals: str) -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(rf"\b(?:{signal})\b", re.IGNORECASE) for signal in signals)


TONE_SIGNALS: dict[str, tuple[re.Pattern[str], ...]] = {
    "professional": _any_of(
        r"please",
        r"kindly",
        r"regards",
        r"sincerely",
        r"thank you",
        r"I (?:can )?confirm|I am writing",
        r"attached|enclosed",
        r"I would (?:like|suggest|propose|appreciate)",
    ),
    "friendly": _any_of(
        r"hey",
        r"cheers",
        r"sounds (?:great|good|fun|lovely)",
        r"would love|I'd love",
        r"looking forward|can't wait",
        r"catch up|see you",
        r"(?:happy|glad) to",
    ),
    "assertive": _any_of(
        r"I (?:expect|insist|require)",
        r"immediately|without delay",
        r"by (?:the )?end of|no later than",
        r"I (?:need|must have) (?:this|that|it|the|you)",
        r"please (?:ensure|make sure|see to it)",
    ),
    "apologetic": _any_of(
        r"I (?:do )?apologi[sz]e|my apologies",
        r"(?:deeply|truly|very|so) sorry|I am sorry|I'm sorry",
        r"I take full responsibility|(?:entirely )?my fault",
        r"regret",
        r"we (?:apologi[sz]e|are sorry)|our mistake",
        r"should (?:not|never) have happened|make (?:it|this) up to",
    ),
}
GREETING = re.compile(r"^[ \t]*(?:dear|hi|hello|hey|good (?:morning|afternoon|evening|day))\b", re.I | re.M)
CLOSING = re.compile(r"\b(?:best|regards|thanks|thank you|sincerely|cheers|yours|greetings)\b", re.I)
ACTIONS = (
    re.compile(
        r"\b(?:by|before|until|today|tonight|tomorrow|(?:mon|tues|wednes|thurs|fri|satur|sun)day)\b"
        r"|\bat \d{1,2}(?:[:.]\d{2})?\b",
        re.I,
    ),
    re.compile(
        r"\b(?:confirm|schedule|send|share|prepare|review|book|call|arrange|bring|update|resolve|follow up)\b", re.I
    ),
    re.compile(r"\blet me know\b|\b(?:can|could|would) you\b|\bdoes that (?:work|suit)\b|\btell me\b", re.I),
)
"""Three kinds of actionable signal: a timeline, a verb of action, a phrase that coordinates. Each counts once."""
FILLER = re.compile(
    r"\b(?:noted|will revert|as soon as possible|thanks|thank you|okay|ok|got it|will get back)\b", re.I
)
