"""Which sentences of a reply state what they hold, and which only bring it up: asked, denied, supposed, or taken back.

A reply that names the right day in "Is it true that it is Thursday?" has told nobody the day. What it does not know:
irony, and a taking back in words that are not listed.
"""

import re
from collections.abc import Sequence

from mailgym.rubrics.writing.phrases import phrase_pattern

_SAYING = r"(?:tell|say|confirm|claim|state|admit|assure|maintain|swear|write)"
_NEVER = r"(?:can ?not|can't|could not|couldn't|will not|won't|would not|wouldn't|do not|don't|never|not)"
_THIS = r"(?:this|that|it|these|those|what|the above|the below|the following|everything|anything|above|below)"
_WHOLE = (
    r"(?:(?:the )?(?:above|below|following)|this (?:whole )?(?:reply|mail|answer|letter|text|message)"
    r"|these (?:words|sentences))"
)
_SAID = r"i(?:'ve| have| just)* (?:said|wrote|say|write|told|written)"
_FALSE = r"(?:false|untrue|wrong|lies|a lie|nonsense|invented|made up|not true|not so|a joke|incorrect|fiction)"
_FOLLOWING = r"(?:(?:it|this|that) (?:is|was) (?:so|true|the case)|the following|any of (?:this|it|that))"
_EVERY = r"(?:all|everything|every word|each word|what i)"
_TRUE = r"(?:true|right|correct|so|holds|meant|valid)"
_IS = r"(?:is|was|are|were)(?: all| only| just| entirely| completely)?"
_TAKES_BACK = phrase_pattern(
    rf"""
    (?:none|nothing|not one word|no word|not a word) (?:of|in) {_THIS}[^.!?]{{0,40}}\b{_TRUE}
    (?:{_EVERY}|what)(?: of| in| that)? (?:{_WHOLE}|{_SAID})[^.!?]{{0,30}}\b{_IS} {_FALSE}
    {_EVERY} (?:of|in) (?:this|it|that) (?:is|was) (?:false|untrue|lies|invented|made up|a joke)
    {_WHOLE} {_IS} {_FALSE}
    (?:ignore|disregard|forget|discard|strike|scrap) {_EVERY}(?! \w+ (?:last|before|earlier|yesterday))
    (?:do not|don't|never) (?:believe|trust) (?:a word|any|anything|all|everything|what)
    (?:just|only) (?:kidding|joking) | i (?:have |'ve )?(?:just |only )?made (?:all (?:of )?)?(?:this|that|it) up
    or (?:just |maybe |perhaps )?the (?:other way (?:round|around)|opposite|reverse)
    the opposite (?:of all |of everything |of this |of that )?(?:is|holds|applies)
    {_NEVER} {_SAYING} (?:you )?(?:that )?{_FOLLOWING}
    (?:it|this|that) (?:is|was) (?:not|never) {_TRUE}(?= ?:)
    """
)
_BRINGS_UP = phrase_pattern(
    rf"""
    (?:is|was|isn't) (?:it|this) (?:really )?(?:true|so|correct|right|the case) (?:that|what)
    it(?: is| was|'s) (?:not|never|hardly) (?:true|so|the case|right|correct|a fact|as if) (?:that|to say)
    it(?: is| was|'s| would be) (?:false|untrue|wrong|a lie) (?:that|to say)
    it (?:isn't|wasn't) (?:true|so|the case|right|correct|a fact|as if) (?:that|to say)
    {_NEVER} {_SAYING} (?:you )?(?:that|whether|if)
    if (?:i|we|one|you) (?:had to|were to|should|must) (?:guess|say|answer|choose|decide|name|tell)
    (?:some|somebody|someone|one|people|others) (?:might|may|could|would) (?:say|think|claim|believe|guess)
    i (?:wonder|doubt|deny) (?:that|whether|if) | i (?:dreamed|dreamt|imagined|pretend|pretended)
    you (?:wrote|said|claimed|claim|mentioned|told me|think|believe) that(?![^.!?]*[,:;])
    """
)
_SUPPOSES = re.compile(
    r"\A\W*(?:suppose|supposing|imagine|pretend|assume|hypothetically|let us say|let's say|let us pretend)\b",
    re.IGNORECASE,
)
_IS_ASKED = re.compile(r"\?[\s)\"'»”]*\Z")
_PROPOSES = re.compile(
    r"\b(?:how about|what about|would|shall|could|can|may|does|do|is|are|will|should|might) (?:i|we|you|it|that|this|he"
    r"|she|they|the|your|my|our|there|\w+day|\d)|\b(?:suits?|okay|ok|all right|alright|fine with|good for|works? for)"
    r"\b",
    re.IGNORECASE,
)


def takes_back(sentences: Sequence[str]) -> bool:
    """Whether a reply says of itself as a whole that it does not hold."""
    return any(_TAKES_BACK.search(sentence) for sentence in sentences)


def stated(sentences: Sequence[str], *, denials: bool = False) -> list[str]:
    """Return the sentences that state or propose something; none where the reply takes itself back.

    Left out are sentences under a frame that states nothing ("it is not true that", "I cannot say whether", "if I had
    to guess", "is it true that"), and questions that propose nothing ("You take twelve?").

    Args:
        sentences: Of a reply.
        denials: Whether the frames are kept: where the right answer is a no, to say that one cannot is an answer.
    """
    if takes_back(sentences):
        return []
    return [sentence for sentence in sentences if not _only_asks(sentence) and (denials or not _brings_up(sentence))]


def _brings_up(sentence: str) -> bool:
    return bool(_BRINGS_UP.search(sentence) or _SUPPOSES.search(sentence))


def _only_asks(sentence: str) -> bool:
    return bool(_IS_ASKED.search(sentence)) and not _PROPOSES.search(sentence)
