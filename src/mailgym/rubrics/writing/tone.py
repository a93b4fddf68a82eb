"""Hears the tone of a reply by the words that carry it."""

import re

_SIGNALS = {
    "professional": (
        r"\b(?:please|kindly|regards|sincerely|regarding|attached|enclosed|confirm\w*|appreciate|thank you|would be|further"
        r"|assist\w*|ensure|accordingly|proceed|schedul\w+|available|provide\w*|review\w*|request\w*|as agreed|as discussed"
        r"|in line with|prior to|at your convenience|dear|yours|faithfully|correct|invoice|let me know|best)\b"
    ),
    "friendly": (
        r"\b(?:hey|hi|cheers|love|lovely|great|awesome|fantastic|wonderful|brilliant|sounds good|can't wait|looking forward"
        r"|glad|happy|so nice|fun|hugs?|congrat\w*|thrilled|delighted|thanks|thank you|enjoy\w*|hope you|see you|take care"
        r"|miss you|xx?|big|perfect|excited|thanks so much|would love|warm\w*|dear|proud|kind of you|of course)\b|[!]|:-?\)|😊|🎉|❤"
    ),
    "assertive": (
        r"\b(?:must|expect\w*|require\w*|need\w*|immediately|by end of|no later than|deadline|will not|won't|not acceptable|unacceptable"
        r"|cannot|can't|insist\w*|firm\w*|clear\w*|final\w*|otherwise|failing|escalate\w*|refuse\w*|not agree\w*|disagree\w*|stop|decline\w*"
        r"|i want|we want|at once|by (?:mon|tues|wednes|thurs|fri|satur|sun)day|not (?:going to|able to|willing)|request|do not|don't|contract"
        r"|agreed|responsib\w+|right|from now on|in writing|stand by|not possible|no\b)"
    ),
    "apologetic": (
        r"\b(?:apolog\w+|sorry|regret\w*|my (?:mistake|fault|error)|our (?:mistake|fault|error)|responsibility|forgive|should have|shouldn't have"
        r"|should not have|inconvenience|make (?:it|this) right|make up for|embarrass\w+|i understand|frustrat\w+|overlooked|slipped|won't happen again)\b"
    ),
}
TONES = tuple(_SIGNALS)
_PATTERNS = {tone: re.compile(signals, re.IGNORECASE) for tone, signals in _SIGNALS.items()}
_RUDE = re.compile(
    r"\b(?:stupid|idiot\w*|moron\w*|dumb|shut up|ridiculous|pathetic|nonsense|bullshit|crap|damn|hell\b|garbage|rubbish|useless"
    r"|incompetent|lazy|whatever|get lost|get over it|deal with it|not my problem|your problem|none of your business|waste of (?:my )?time"
    r"|wasting my time|stop (?:bothering|whining|complaining|pestering|nagging)|leave me alone|grow up|learn to read|read (?:your|my) (?:own )?mails?"
    r"|use your brain|how dare|are you kidding|can't you read|as i already told you|obviously you|before you write again|calm down|i don't care"
    r"|couldn't care less|who cares|boring|liar|liars|shame on you|sick of)\b",
    re.IGNORECASE,
)
NEUTRAL = 0.7


def rude_words(text: str) -> list[str]:
    """Return the words of a plain text that insult or brush off its reader."""
    return [match[0] for match in _RUDE.finditer(text)][:20]


def read_tone(text: str, tone: str) -> float:
    """Return how far a plain text sounds as it should: 0 to 1.

    A text with no signal of any tone is worth 0.7. Signals of the wanted tone raise it, and those of the others lower
    it only where they outweigh it: all tones at once sound like none. Rude words halve it, each.

    Args:
        text: The whole reply.
        tone: One of :data:`TONES`; empty where any will do, and only rude words count.
    """
    worth = 1.0
    if tone in _PATTERNS:
        counts = {
            name: min(4, len({m[0].lower() for m in pattern.finditer(text)})) for name, pattern in _PATTERNS.items()
        }
        others = max(count for name, count in counts.items() if name != tone)
        share = (counts[tone] + 1.4) / (counts[tone] + 0.5 * others + 2)
        worth = min(1.0, share * (1.0 if counts[tone] else 0.7) + (0.15 if counts[tone] >= others else 0.0))
    return worth * 0.5 ** len(rude_words(text))
