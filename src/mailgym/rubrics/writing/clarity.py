"""Whether a reply says plainly what holds and what comes next, or fills space."""

import re
from collections.abc import Sequence

from mailgym.rubrics.writing.english import words_in

_FILLER = re.compile(
    r"\b(?:i hope (?:this|you|that)\b[^.!?]{0,60}\b(?:finds?|doing|well)\b|(?:do not|don't|never) hesitate|feel free|should you have any"
    r"|if you have any (?:\w+ )?(?:questions?|queries|concerns)|any further questions|thank you (?:\w+ )*for (?:reaching out|your (?:\w+ )?(?:mail|e-?mail|message|patience|understanding))"
    r"|reach(?:ed|ing)? out|as soon as possible|asap|in due course|at (?:your|my|our) earliest|will revert|noted|duly noted|kindly be informed|please be advised|in good time"
    r"|rest assured|valued? (?:customer|client|partner|feedback|business)|your (?:satisfaction|business) (?:is|means)|we strive|means (?:a lot|the world)"
    r"|look(?:ing)? into (?:it|this|the matter|your)|taken care of|will be handled|everything is handled|get back to you|keep you (?:posted|updated|informed)|touch base|going forward"
    r"|working on this together|happy to help in any way|anything else (?:i|we) can|for your (?:kind )?(?:information|consideration)|with regard to the above"
    r"|appreciate (?:that you|you (?:reaching|taking|contacting)|your (?:patience|understanding))|looking forward to (?:hearing|working)|it was great to hear"
    r"|words cannot express|from the bottom of|at this (?:point in )?time|circle back|take this (?:very )?seriously|great importance|some thought)\b",
    re.IGNORECASE,
)
LONG_SENTENCE_WORDS = 35


def filler(sentences: Sequence[str]) -> list[str]:
    """Return the phrases that sound like an answer and say nothing."""
    return [match[0] for sentence in sentences for match in _FILLER.finditer(sentence)][:40]


def read_clarity(sentences: Sequence[str]) -> float:
    """Return how plainly sentences say what they say: 0 to 1.

    Every sentence that is filled space takes its share away, one long beyond 35 words a part of it. A single courtesy
    among other sentences costs little.
    """
    if not sentences:
        return 0.0
    full, empty, unwieldy = 0.0, 0.0, 0.0
    for sentence in sentences:
        words = len(words_in(sentence))
        spent = sum(len(words_in(match[0])) for match in _FILLER.finditer(sentence))
        is_empty = spent and (spent * 3 >= words or words - spent <= 6)
        full += not is_empty
        empty += bool(is_empty)
        unwieldy += words > LONG_SENTENCE_WORDS
    allowed = min(1.0, empty)
    share = (full + 0.75 * allowed) / (full + empty)
    return max(0.0, share * (1.0 - 0.4 * unwieldy / len(sentences)))
