"""Whether a reply says yes or no, in the many ways in which letters do."""

import re
from collections.abc import Sequence
from typing import Literal

from mailgym.rubrics.values.polarity import polarity

Said = Literal["yes", "no", "both", ""]

_YES = re.compile(
    r"""
    \byes\b|\byep\b|\byeah\b|\bof\ course\b|\bwill\ do\b|\bby\ all\ means\b|\bgo\ (?:right\ )?ahead\b
    |\b(?:i|we)(?:'d|\ would|'ll|\ will)\ (?:be\ (?:very\ |more\ than\ |only\ too\ )?(?:happy|glad|delighted|pleased)|love)\ to\b
    |\b(?:happy|glad|delighted|pleased)\ to\ (?!hear|see|know|read|learn)|\bcount\ (?:me|us)\ in\b
    |\b(?:that|it|this|which|both|either|\w+day|\d+(?:st|nd|rd|th)?|[ap]m|\d:\d\d)\ (?:date\ |slot\ |time\ )?(?:works?|suits?|is\ (?:fine|good|ok|okay|perfect|great))\b
    |\bworks\ (?:fine|well|perfectly|great|for|with)\b|\bsuits\ (?:me|us)\b|\bfine\ (?:by|with)\ (?:me|us)\b
    |\bsounds\ (?:good|great|lovely|fine|perfect)\b|\b(?:i|we)(?:\ can|'ll|\ will|\ am\ able\ to)\ (?:gladly\ |certainly\ |happily\ |also\ )?
      (?:be\ there|come|make|do|join|attend|confirm|take|help|bring|cover|give|send|offer|meet|lend|write|speak|review|look|sign|support|arrange|deliver|host|provide)\b
    |\b(?:i|we)\ (?:hereby\ |gladly\ |happily\ )?(?:accept|agree|approve|confirm)\b|\b(?:is|are|it's|have|has\ been)\ (?:approved|confirmed|agreed|correct|granted)\b
    |\A\W*(?:approved|confirmed|agreed|accepted|granted|absolutely|certainly|definitely|gladly|sure|ok|okay|deal|done)\b
    |\b(?:you|we)\ (?:can|may)\b(?!\ not)|\b(?:is|are)\ (?:welcome|allowed|possible|right|fine)\b|\bnot\ a\ problem\b|\bno\ problem\b
    |\b(?:count\ on|looking\ forward\ to\ (?:it|seeing|meeting))\b|\bi'm\ in\b|\bi\ am\ in\b|\bhave\ my\ (?:ok|okay|approval|go-ahead|blessing)\b
    """,
    re.VERBOSE | re.IGNORECASE,
)
_NO = re.compile(
    r"""
    \bno,|\A\W*no\b(?!\ (?:problem|worries|doubt|trouble|need|rush))|\bnope\b
    |\b(?:i|we|it|that|this|they|you|he|she|\w+day)(?:\ really|\ simply|\ just|\ unfortunately)?\ (?:can(?:\ ?not|'t)|won't|will\ not|would\ not|wouldn't|am\ not|are\ not|do\ not|don't|does\ not|doesn't|is\ not|isn't|have\ not|haven't|could\ not|couldn't)
      (?!\ (?:hesitate|worry|forget|wait|mind|thank|know|only|just|find\ it\ hard))
    |\b(?:un(?:able|available)|impossible)\b|\bnot\ (?:able|possible|available|going\ to|in\ a\ position|interested|yet|this\ time|approved|correct|right)\b
    |\b(?:decline|refuse|reject|pass\ on|turn\ (?:it|this|you|that)?\ ?down)\b|\b(?:i'm|i\ am|we're|we\ are)\ afraid\b|\bregret(?:fully)?\b
    |\bunfortunately\b|\bhave\ to\ say\ no\b|\bthat's\ a\ no\b|\bthe\ answer\ is\ no\b
    """,
    re.VERBOSE | re.IGNORECASE,
)
_ASKS = re.compile(r"\?\s*\Z")


def says_yes_or_no(sentences: Sequence[str]) -> Said:
    """Return what the sentences of a reply say to a yes-or-no question; ``both`` where they say one and the other.

    A sentence that opens with yes or no decides, the first of them. Without one, what the sentences that ask nothing say
    in other words is counted: both ways is ``both``.
    """
    opened = [said for sentence in sentences if (said := polarity(sentence)) in ("yes", "no")]
    plain = [
        said for sentence, said in zip(sentences, map(polarity, sentences), strict=True) if said and _opens(sentence)
    ]
    if plain and plain[0] in ("yes", "no"):
        return "yes" if plain[0] == "yes" else "no"
    telling = [sentence for sentence in sentences if not _ASKS.search(sentence)]
    denied = any(_NO.search(sentence) for sentence in telling)
    agreed = any(_YES.search(_NO.sub(" ", sentence)) for sentence in telling)
    if denied and agreed:
        return "both"
    if denied or agreed:
        return "no" if denied else "yes"
    return "yes" if opened[:1] == ["yes"] else "no" if opened[:1] == ["no"] else ""


def _opens(sentence: str) -> bool:
    return bool(
        re.match(
            r"\W*(?:well,? |oh,? |so,? )?(?:yes|no|yep|yeah|nope)\b(?! (?:problem|worries|doubt|need|rush))",
            sentence,
            re.IGNORECASE,
        )
    )
