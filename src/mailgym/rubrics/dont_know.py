"""Answers that say that the answer is not known, in any form."""

import re
from typing import Literal

from mailgym.rubrics.values.moments import find_moments
from mailgym.rubrics.values.quantities import find_quantities
from mailgym.rubrics.values.wording import clean

MOST_CHARACTERS_READ = 4_000

_ADVERBS = (
    "really honestly just simply still currently actually unfortunately sadly also clearly explicitly exactly yet"
    " directly"
)
_ADVERB = rf"(?:(?:{_ADVERBS.replace(' ', '|')})\ ){{0,2}}"
_MAIL = (
    r"(?:e-?mails?|mails?|messages?|mailbox|inbox|correspondence|threads?|search(?:es)?|results?|sources?|records?"
    r"|documents?|context|data)"
)
_NOT = r"(?:\b(?:not|cannot|cant|couldnt|dont|doesnt|didnt|isnt|wasnt)\b|n't\b)"
_PLAIN = re.compile(
    rf"""
    \b(?:do|does|did|could|would)?(?:\ not|n't|nt)\ {_ADVERB}know\b
    |\b(?:am|i'm|are|is|was|we're)\ {_ADVERB}(?:not\ )?{_ADVERB}(?:unsure|uncertain|not\ (?:sure|certain|aware))\b
    |(?:\ not|n't)\ {_ADVERB}(?:sure|certain|aware)\b|\b(?:not|un)\ ?sure\b
    |\b(?:have|has|'ve|had)\ {_ADVERB}no\ (?:idea|clue|information|way\ of\ knowing|record|answer)\b
    |\bno\ (?:idea|clue)\b|\bidk\b|\bdunno\b|\bbeats\ me\b|\bwho\ knows\b
    |\bdon't\ have\ (?:an?\ |the\ |any\ |enough\ )?(?:\w+\ )?(?:answer|information|idea|details?|data)\b
    |\A(?:unknown|unclear|undetermined|undisclosed|unspecified|n/?a|not\ known|none\ known|i\ pass|pass|no\ answer
        |unanswerable|not\ answerable|indeterminate|\?+|null)\W*\Z
    """,
    re.VERBOSE,
)
_NOT_FOUND = re.compile(
    rf"""
    {_NOT}\ (?:seem\ to\ be\ |appear\ to\ be\ |be\ )?anything\b|\bthere\ (?:is|was)\ nothing\b
    |{_NOT}\ {_ADVERB}(?:been\ |be\ )?
        (?:mentioned|stated|specified|indicated|disclosed|known|clear|documented|determined)\b
    |\b(?:i|we|you|one|it|that|this|they|anyone|nobody|{_MAIL})(?:\ \w+){{0,3}}?
        (?:\ (?:is|was|are|were|ca|could|can|do|does|did|have|has|had|am|would))?\ ?{_NOT}\ {_ADVERB}
        (?:been\ )?(?:able\ to\ |possible\ to\ )?
        (?:find|found|locate|located|determine|tell|say|said|answer|answered|confirm|identify|identified|establish|see
        |mention|mentions|state|specify|contain|include|give|given|provide|provided|indicate|discuss|disclose|reveal
        |available|recorded|help)\b
    |\A(?:{_NOT})\ {_ADVERB}(?:found|available|provided|given|recorded|possible)\b
    |\bunable\ to\ (?:find|locate|determine|answer|tell|say|confirm|identify|help|provide)\b|\bfailed\ to\ find\b
    |\bunclear\b|\b(?:is|are|was|were|'s|remains?)\ (?:unknown|unspecified|undisclosed)\b
    |\b{_MAIL}\ (?:is|are)\ silent\b
    |\b(?:no|not\ any|without\ any|not\ enough|insufficient|lacks?|lacking)\ {_ADVERB}
        (?:such\ |relevant\ |clear\ |specific\ |further\ |explicit\ |direct\ )?
        (?:information|mentions?|evidence|indication|details?|answer|trace|reference|{_MAIL})\b
    |\b(?:no|none|nothing|neither)(?:\ of|\ in)?(?:\ the|\ my|\ your|\ these|\ those|\ any|\ our|\ them)?
        (?:\ \w+)?(?:\ {_MAIL})?\ (?:that\ )?(?:say|says|said|mention|mentions|mentioned|tell|tells|state|states|stated
        |indicate|indicates|specify|specifies|give|gives|contain|contains|answers?)\b
    |\bnothing\ (?:in|about|on|found|to)\b
    """,
    re.VERBOSE,
)
_ASSERTS = re.compile(
    r"""
    \b(?:i\ (?:think|believe|guess|suppose|suspect|assume|would\ (?:say|guess))|my\ (?:best\ )?guess|probably
    |most\ likely|likely|presumably
    |it(?:'s|\ is|\ was|\ will\ be|\ must\ be|\ should\ be|\ may\ be|\ might\ be|\ could\ be)
    |(?:he|she|they)\ (?:is|was|are|were|will|said|has|have)|maybe|perhaps|possibly|appears\ to\ be|seems\ to\ be
    |must\ be|should\ be|the\ answer\ is|(?:is|was)\ probably)\b
    """,
    re.VERBOSE,
)
_TALK_OF_SEARCH = re.compile(
    r"\b(?:search\w*|look\w*|read|check\w*|review\w*|went through|tried|asked?|contact)\b"
    rf"|\b(?:mention\w*|refer\w*|discuss\w*|about)\b|\b{_MAIL}\b"
)
_SPLIT = re.compile(
    r"""
    (?<=[.!?;\n])\s+|\n|;|\s-\s
    |,?\s+\b(?:but|however|although|though|except\ that|nevertheless|that\ said)\b,?
    |,\s+(?=(?:it|he|she|they|the\ answer|probably|maybe|perhaps|i\ (?:think|believe|guess))\b)
    """,
    re.VERBOSE,
)


def dont_know_kind(text: str) -> Literal["", "plain", "not found"]:
    """Return how a text says that the answer is not known, empty where it does not.

    ``plain``: "I don't know" and its like. ``not found``: the mail says nothing of it, which can also mean "none" or
    "no" where a question asks how many, or whether.
    """
    cleaned = clean(text[:MOST_CHARACTERS_READ])
    lowered = cleaned.lower()
    parts = [part.strip(" ,.!") for part in _SPLIT.split(lowered) if part and part.strip(" ,.!")]
    kinds = [_kind_of(part) for part in parts]
    if not any(kinds):
        return ""
    asserting = any(_asserts(part) for part, kind in zip(parts, kinds, strict=True) if not kind)
    if asserting:
        return ""
    return "plain" if "plain" in kinds else "not found"


def speaks_of_not_knowing(text: str) -> bool:
    """Whether any part of a text says that something is not known, whatever else it says."""
    lowered = clean(text[:MOST_CHARACTERS_READ]).lower()
    return any(_kind_of(part.strip(" ,.!")) for part in _SPLIT.split(lowered) if part)


def _kind_of(part: str) -> Literal["", "plain", "not found"]:
    if _PLAIN.search(part):
        return "plain"
    return "not found" if _NOT_FOUND.search(part) else ""


def _asserts(part: str) -> bool:
    if _ASSERTS.search(part):
        return True
    if _TALK_OF_SEARCH.search(part):
        return False
    return bool(find_quantities(part) or find_moments(part, bare_times=True)) or bool(re.match(r"(?:yes|no)\b", part))
