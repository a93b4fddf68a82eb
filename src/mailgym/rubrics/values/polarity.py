"""Yes and no, in the forms in which answers say them."""

import re

from mailgym.rubrics.values.wording import content_words

_WHO = r"(?:it|he|she|they|i|you|we|there)"
_DOES = r"(?:is|was|are|were|did|does|do|has|have|had|will|can|would)"
_YES = re.compile(
    rf"""
    \A(?:yes|yep|yeah|yup|sure|correct|right|true|affirmative|indeed|absolutely|definitely|certainly|of\ course
    |that(?:'s|\ is)\ (?:right|correct|true)|{_WHO}\ {_DOES}\Z)(?![\w'])
    """,
    re.VERBOSE,
)
_NO = re.compile(
    rf"""
    \A(?:no|nope|nah|not\ (?:yet|at\ all|really|anymore)|not|never|false|incorrect|negative|wrong
    |that(?:'s|\ is)\ (?:not|wrong|incorrect|false)\b
    |{_WHO}\ (?:{_DOES}\ not|(?:{_DOES}|wo|ca)n't|can't|cannot)(?:\ yet)?\Z)(?![\w'])
    """,
    re.VERBOSE,
)
_NEGATION = re.compile(
    r"\b(?:not|never|no longer|cannot|nobody|no one|nothing|without|neither|failed to|refused to)\b|n't\b"
    r"|\bno (?!doubt|problem)\w+"
)
_BOTH = re.compile(
    r"\byes and no\b|\b(?:yes|no),? or (?:yes|no)\b"
    r"|\b(?:maybe|perhaps|possibly|probably|likely|might|unclear|depends)\b"
)
_NEGATIVE_QUESTION = re.compile(r"\A\W*(?:\w+n't|cannot)\b|\A\W*\w+ (?:\w+ ){1,3}not\b|,\s*\w+(?:n't)?\b[^,]{0,20}\Z")
_SAID = re.compile(r"\b(?:is|was|be|:)\s+\W?(yes|no)\b(?!\s+\w)")
_AUXILIARY_WORDS = "is are was were did does do has have had will would can could should am any ever yet still already"
_AUXILIARIES = frozenset(_AUXILIARY_WORDS.split())


def polarity(text: str) -> str:
    """Return ``yes`` or ``no`` where the text opens with it, ``both`` where it hedges, else an empty string."""
    lowered = text.lower().strip()
    if _BOTH.search(lowered):
        return "both"
    lowered = re.sub(r"\A(?:well|oh|so|the answer is|answer)[\s,:]+", "", lowered)
    opening = re.split(r"[.,;:!\n(]|\s-\s", lowered, maxsplit=1)[0].strip()
    if _NO.match(opening):
        return "no"
    if _YES.match(opening):
        return "yes"
    said = _SAID.findall(lowered)
    return said[0] if len(set(said)) == 1 else ""


def said_polarity(text: str, question: str) -> str:
    """Return what a text says to a yes-or-no question: by how it opens, else by saying the question over again.

    Empty where neither tells: "The invoice was disputed" does not say whether it was paid.
    """
    opened = polarity(text)
    denies = bool(_NEGATION.search(text.lower()))
    rest = re.split(r"[.,;:!\n]", text, maxsplit=1)
    if opened == "yes" and len(rest) > 1 and _says_over(rest[1], question) and _NEGATION.search(rest[1].lower()):
        return "both"
    if opened:
        return opened
    if not question or _NEGATION.search(question.lower()):
        return ""
    if _says_over(text, question):
        return "no" if denies else "yes"
    return ""


def _says_over(text: str, question: str) -> bool:
    asked = [word for word in content_words(question) if word not in _AUXILIARIES]
    said = set(content_words(text))
    same = [word for word in asked if word in said or any(_same_verb(word, other) for other in said)]
    return len(asked) >= 2 and len(same) == len(asked)


def _same_verb(a: str, b: str) -> bool:
    """Whether two words are forms of one regular verb: confirm, confirmed."""
    short, long = sorted((a, b), key=len)
    return (
        len(short) > 3
        and long.startswith(short.rstrip("e"))
        and long[len(short.rstrip("e")) :] in ("ed", "ing", "e", "es", "s")
    )


def is_negative_question(question: str) -> bool:
    """Whether a question asks "isn't it" or "is it not", to which yes and no can mean the same."""
    return bool(_NEGATIVE_QUESTION.search(question.lower()))


def has_negation(text: str) -> bool:
    """Whether a text denies anything."""
    return bool(_NEGATION.search(text.lower()))
