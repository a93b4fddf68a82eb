"""Answers that say that the answer is not known, in any form."""

import re
from typing import Literal

from mailgym.rubrics.values.moments import find_moments
from mailgym.rubrics.values.quantities import find_quantities
from mailgym.rubrics.values.wording import clean

MOST_CHARACTERS_READ = 4_000

_ADVERB = r"(?:(?:really|honestly|just|simply|still|currently|actually|unfortunately|sadly|also|clearly|explicitly|exactly|yet|directly) ){0,2}"
_MAIL = r"(?:e-?mails?|mails?|messages?|mailbox|inbox|correspondence|threads?|search(?:es)?|results?|sources?|records?|documents?|context|data)"
_PLAIN = re.compile(
    rf"\b(?:{_ADVERB}(?:do|does|did|could|would)(?: not|n't|nt) {_ADVERB}know\b|(?:am|'m|are|is|was|'re) {_ADVERB}(?:not|n't) {_ADVERB}(?:sure|certain|aware)\b"
    rf"|(?:have|has|'ve|had) {_ADVERB}no (?:idea|clue|information|way of knowing|record|answer)\b|no idea\b|\bidk\b|\bdunno\b|not sure\b"
    r"|beats me\b|no clue\b|who knows\b|don't have (?:an?|the|any|enough) (?:\w+ )?(?:answer|information|idea|details?|data))"
    r"|\A(?:unknown|unclear|undetermined|undisclosed|unspecified|n/?a|not known|none known|i pass|pass|no answer|unanswerable|not answerable|indeterminate|\?+|null)\W*\Z"
)
_NOT_FOUND = re.compile(
    rf"\b(?:could|can|was|were|am|is|are|have|has|had|do|does|did)?(?: ?not|n't|nt|not) {_ADVERB}(?:been )?(?:able to )?"
    r"(?:find|found|locate|located|determine|determined|tell|say|said|answer|answered|confirm|confirmed|identify|identified|establish|established|see|mention|mentions|mentioned|state|stated"
    r"|specify|specified|contain|include|included|give|given|provide|provided|indicate|indicated|discuss|discussed|disclose|disclosed|reveal|available|known|clear|recorded|documented|possible to|help)\b"
    r"|\bunable to (?:find|locate|determine|answer|tell|say|confirm|identify|help|provide)\b|\bfailed to find\b|\bunclear\b"
    rf"|\b(?:no|not any|without any|not enough|insufficient|lacks?|lacking) {_ADVERB}(?:such |relevant |clear |specific |further |explicit |direct )?(?:information|mentions?|records?|evidence|indication|details?|data|answer|trace|reference|results?|{_MAIL})\b"
    rf"|\b(?:no|none|nothing|neither)(?: of)?(?: in| of)?(?: the| my| your| these| those| any| our)?(?: \w+)? {_MAIL}? ?(?:that )?(?:say|says|said|mention|mentions|mentioned|tell|tells|state|states|stated|indicate|indicates|specify|specifies|give|gives|contain|contains|answers?)\b"
    rf"|\bnothing (?:in|about|on|found|to)\b|\b(?:is|are|was|were) unknown\b|\b(?:it|that|this) (?:is|'s) unknown\b|\b{_MAIL} (?:is|are) silent\b"
)
_ASSERTS = re.compile(
    r"\b(?:i (?:think|believe|guess|suppose|suspect|assume|would (?:say|guess))|my (?:best )?guess|probably|most likely|likely|presumably|it(?:'s| is| was| will be| must be| should be| may be| might be| could be)"
    r"|(?:he|she|they) (?:is|was|are|were|will|said|has|have)|maybe|perhaps|possibly|appears to be|seems to be|must be|should be|the answer is|is probably|was probably)\b"
)
_TALK_OF_SEARCH = re.compile(
    rf"\b(?:search\w*|look\w*|read|check\w*|review\w*|went through|tried|asked?|contact|{_MAIL}|mention\w*|refer\w*|discuss\w*|about)\b"
)
_SPLIT = re.compile(
    r"(?<=[.!?;\n])\s+|\n|;|\s-\s|,?\s+\b(?:but|however|although|though|yet|still|except that|nevertheless|that said)\b,?|,\s+(?=(?:it|he|she|they|the answer|probably|maybe|perhaps|i (?:think|believe|guess))\b)"
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
