"""How generated mail is dressed, whatever it is about: marks, letters and footers from which no label may follow.

A player that reads no word and only counts marks, hyphens, lines and letters must find nothing. So these are drawn by
lot, for mail of every label alike.
"""

import random
import re

SENTENCE_END = re.compile(r"(?<=[a-z]{2})[.!](?=\s|$)")
CALLS = re.compile(r"!+")
KEPT_CALLS, ADDED_CALL = 0.35, 0.35
LOWER_SUBJECT, UPPER_SUBJECT = 0.25, 0.6
SHORT_SUBJECT_WORDS, CHANGED_LENGTH = 3, 0.55
WORD = re.compile(r"\w{3,}|\d+")
LOOSE_END = re.compile(
    r"(\s+(of|the|an?|to|for|in|and|or|your|our|with|by|on|at|is|are|from))*[\s,.;:-]*$", re.IGNORECASE
)
LONGER = (
    *("Re: {}", "Fwd: {}", "{} (sent again)", "{}, see below"),
    *("Re: {} (was: last week)", "{} - as discussed in spring"),
)


def with_marks(text: str, draws: random.Random) -> str:
    """Return a text in which about as many sentences are called out as in any other: most of its own calls go."""
    text = CALLS.sub(lambda found: found[0] if draws.random() < KEPT_CALLS else ".", text)
    ends = [found.start() for found in SENTENCE_END.finditer(text)]
    if ends and draws.random() < ADDED_CALL:
        place = draws.choice(ends)
        text = f"{text[:place]}!{text[place + 1 :]}"
    return text


def of_some_length(subject: str, draws: random.Random, text: str, needed: str) -> str:
    """Return a subject that is about as long as any other: often two or three words of a long one, and more of a short.

    Args:
        subject: The whole subject.
        draws: Decides.
        text: The mail.
        needed: What right answers say; a subject stays whole where it alone names something of that.
    """
    words = subject.split()
    if draws.random() >= CHANGED_LENGTH:
        return subject
    if len(words) <= SHORT_SUBJECT_WORDS:
        return draws.choice(LONGER).format(subject)
    kept = LOOSE_END.sub("", " ".join(words[: draws.choice((2, 3))]))
    lost = set(WORD.findall(subject.lower())) - set(WORD.findall(f"{kept} {text}".lower()))
    return subject if lost & set(WORD.findall(needed.lower())) else kept


def in_some_case(subject: str, draws: random.Random) -> str:
    """Return a subject as some people write it: all small, with a capital, or as it is; its own mark may go."""
    if subject.endswith("!") and draws.random() >= KEPT_CALLS:
        subject = subject.rstrip("!")
    drawn = draws.random()
    if drawn < LOWER_SUBJECT:
        return subject.lower()
    return subject[:1].upper() + subject[1:] if drawn < UPPER_SUBJECT else subject


def with_or_without_hyphen(domain: str, draws: random.Random, hyphenless_share: float = 0.5) -> str:
    """Return a domain without its hyphens, or as it is."""
    return domain.replace("-", "") if draws.random() < hyphenless_share else domain
