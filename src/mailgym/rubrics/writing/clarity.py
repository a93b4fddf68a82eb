"""Whether a reply says plainly what holds and what comes next, or fills space."""

from collections.abc import Sequence

from mailgym.rubrics.writing.english import words_in
from mailgym.rubrics.writing.phrases import phrase_pattern

_FILLER = phrase_pattern(
    r"""
    i hope (?:this|you|that)\b[^.!?]{0,60}\b(?:finds?|doing|well) | (?:do not|don't|never) hesitate
    should you have any | if you have (?:any )?(?:\w+ )?(?:questions?|queries|concerns)
    (?:any|for) further questions | reach(?:ed|ing)? out
    thank you (?:\w+ ){0,3}for (?:reaching out|your (?:\w+ )?(?:e-?mail|mail|message|patience))
    (?:i|we)(?: have|'ve)? received your (?:\w+ )?(?:e-?mail|mail|message) | review (?:the|your) \w+ carefully
    thank you (?:\w+ ){0,3}for your (?:\w+ )?(?:understanding|enquiry|reminder) | as soon as possible | asap
    in due course | in good time | at (?:your|my|our) earliest | will revert | (?:duly )?noted | taken? note
    (?:kindly |please )?be (?:informed|advised) | rest assured
    valued? (?:customer|client|partner|feedback|business)
    your (?:satisfaction|business|concern)s? (?:is|are|means) | we strive | mean(?:s|t)? (?:a lot|the world)
    look(?:ing)? into (?:it|this|that|the matter|your) | (?:being |be )?taken care of | everything is handled
    will be handled | (?:get|come) back to you | be in touch | keep you (?:posted|updated|informed) | touch base
    going forward | circle back | working on this together | happy to help in any way | anything else (?:i|we) can
    with regard to the above | for your (?:kind )?(?:information|consideration) | it was great to hear
    words cannot express | from the bottom of
    appreciate (?:that you|you (?:reaching|taking|contacting)|your (?:patience|understanding|time))
    looking forward to (?:hearing|working) | at this (?:point in )?time
    take (?:this|your \w+(?: \w+ \w+ \w+)?) (?:very )?seriously | great importance | some thought | think about it
    let you know
    """
)
LONG_SENTENCE_WORDS = 35
ONE_COURTESY = 0.75


def filler(sentences: Sequence[str]) -> list[str]:
    """Return the phrases that sound like an answer and say nothing."""
    return [match[0] for sentence in sentences for match in _FILLER.finditer(sentence)][:40]


def is_filler(sentence: str) -> bool:
    """Whether a sentence is made of such phrases, with no more than a few words beside."""
    words = len(words_in(sentence))
    spent = sum(len(words_in(match[0])) for match in _FILLER.finditer(sentence))
    return spent > 0 and (spent * 3 >= words or words - spent <= 6)


def read_clarity(sentences: Sequence[str]) -> float:
    """Return how plainly sentences say what they say: 0 to 1.

    Every sentence that is filled space takes its share away, one long beyond 35 words a part of it. A single courtesy
    among other sentences costs little.
    """
    if not sentences:
        return 0.0
    empty = sum(is_filler(sentence) for sentence in sentences)
    unwieldy = sum(len(words_in(sentence)) > LONG_SENTENCE_WORDS for sentence in sentences)
    share = (len(sentences) - empty + ONE_COURTESY * min(1, empty)) / len(sentences)
    return share * (1.0 - 0.4 * unwieldy / len(sentences))
