"""Whether a reply says yes or no, in the many ways in which letters do."""

import re
from collections.abc import Sequence
from typing import Literal

from mailgym.rubrics.writing.phrases import phrase_pattern

Said = Literal["yes", "no", "both", ""]

_WILL = r"(?:i|we)(?: can|'ll| will)(?: \w+ly| also)?"
_IT = r"(?:that|it|this|which|both|either|\w+day|\d+(?:st|nd|rd|th)?|[ap]m|\d:\d\d)(?: \w+)?"
_ANYONE = r"(?:i|we|it|that|this|they|you|he|she|\w+day)(?: \w+ly| just)?"
_AGREES = phrase_pattern(
    rf"""
    love to | let's do (?:it|that|this)
    of course | will do | by all means | go (?:right )?ahead | no problem | not a problem | please do
    (?:i|we)(?:'d| would|'ll| will)(?: be (?:\w+ ){{0,2}}(?:happy|glad|delighted|pleased)| love) to
    (?:happy|glad|delighted|pleased) to (?!hear|see|know|read|learn|have)\w+
    {_IT} (?:works|suits) | {_IT}(?: is|'s| are| sounds| would be) (?:fine|good|ok|okay|perfect|great)
    (?:both|they|those|dates|times) work | works (?:fine|well|perfectly|great|for|with) | suits (?:me|us)
    fine (?:by|with) (?:me|us) | sounds (?:good|great|lovely|fine|perfect) | consider it done
    count (?:me|us) (?:in|on)
    {_WILL} (?:be there|come(?! back| to)|make it|do it|do that|do so|join|attend|confirm|help|bring|cover|give)
    {_WILL} (?:send|offer|meet|lend|write|speak|sign|support|arrange|deliver|host|provide)
    (?:i|we) (?:hereby |\w+ly )?(?:accept|agree|approve|confirm)
    have my (?:ok|okay|approval|go-ahead|blessing)
    (?:is|are|it's|have|has been|you're)(?: all| both)? (?:approved|confirmed|agreed|correct|granted|accepted)
    (?:you|he|she|they|we) (?:can|may)(?! not) | (?:is|are) (?:very )?(?:welcome|allowed|possible)
    (?:i'm|i am|we're|we are)(?: both| all)? (?:in|coming|on)(?! (?:a|the|my|holiday|leave)\b)
    see you (?:then|there|on \w+day) | looking forward to (?:it|seeing|meeting) | with pleasure
    """
)
_REFUSES = phrase_pattern(
    rf"""
    {_ANYONE} can(?: ?not|'t)(?! (?:wait|thank|only|just|believe|tell you|imagine|help but|complain))
    {_ANYONE} (?:won't|will not)(?! (?:only|just|forget|keep you|take long)) | {_ANYONE} may not
    not (?:able|possible|available|going to|in a position|interested|this time|approved)
    unable | unavailable | impossible | declin(?:e|ed|ing) | refuse | reject | pass on
    turn(?: it| this| you| that)? down | (?:i'm|i am|we're|we are) afraid | regret(?:fully)? | unfortunately
    say no | rather not | no can do | no good | isn't (?:going to (?:work|happen)|possible)
    """
)
_SEEMS_TO_REFUSE = phrase_pattern(
    rf"""
    {_ANYONE} (?:would not|wouldn't|could not|couldn't|aren't|doesn't|isn't|haven't|hasn't)
    {_ANYONE} (?:am|are|is|have|has) not(?! (?:only|just)) | {_ANYONE} (?:do|does) not(?! (?:mind|know))
    {_ANYONE} don't(?! (?:mind|worry|know|hesitate|forget|think (?:so )?there)) | not (?:yet|correct|right)
    """
)
_OPENS_YES = re.compile(
    r"\W*(?:approved|confirmed|agreed|accepted|granted|absolutely|certainly|definitely|gladly|sure|ok|okay|deal|done)\b",
    re.I,
)
_SAID = re.compile(
    r"(?:\A|[.:;!?,(-]\s*|\b(?:and|but|so|well|oh|a|say|is|tomorrow)\s)(?:so |well |big |definite |still |clear )?"
    r"(?P<word>yes|yep|yeah|yup|no|nope|nah)\b(?=\s*(?:[,.!;:)-]|\Z)|\s(?:this time|for (?:me|us)"
    r"|from (?:me|us)|please|i|we|he|she|it|that|of course|on both|to \w+)\b)",
    re.IGNORECASE,
)
_ASKS = re.compile(r"\?\s*\Z")


def says_yes_or_no(sentences: Sequence[str]) -> Said:
    """Return what the sentences of a reply say to a yes-or-no question.

    The words yes and no decide where they open a clause, the first of them; ``both`` where the other one opens a clause
    as well. Without them, the first sentence decides that agrees or refuses in other words and asks nothing; and
    without such a one, any that denies something ("we don't do that") is a no.
    """
    opened = [found["word"].lower() for sentence in sentences for found in _SAID.finditer(sentence)]
    plain = ["no" if word in ("no", "nope", "nah") else "yes" for word in opened]
    if plain:
        return "both" if len(set(plain)) > 1 else "yes" if plain[0] == "yes" else "no"
    told = [sentence for sentence in sentences if not _ASKS.search(sentence)]
    for sentence in told:
        denied, agreed = _REFUSES.search(sentence), _AGREES.search(sentence) or _OPENS_YES.match(sentence)
        if denied and agreed:
            return "no" if denied.start() <= agreed.end() else "yes"
        if denied or agreed:
            return "no" if denied else "yes"
    return "no" if any(_SEEMS_TO_REFUSE.search(sentence) for sentence in told) else ""
