"""Hears the tone of a reply by the words that carry it.

Source: the environments' own tones; document 001 counts lexical signals of the wanted tone alone, so that a text
with all signals of all tones has every tone.
"""

import re

from mailgym.rubrics.writing.phrases import phrase_pattern

_FRIENDLY = phrase_pattern(
    r"""
    hey | hi | cheers | love | lovely | great | awesome | fantastic | wonderful | brilliant | can't wait
    looking forward | glad | happy | fun | hugs? | congrat\w* | thrilled | delighted | thanks? | enjoy\w* | hope
    see you | take care | miss you | xx? | perfect | excited | warm\w* | proud | kind of you | of course | gladly
    nice | good luck | fingers crossed | welcome | thinking of you | dear | pleasure | best | cake | sweet
    laugh\w* | :-?\) | please
    """
)
_INFORMAL = phrase_pattern(
    r"""
    hey+ | lol | xx+ | gonna | wanna | btw | yep | nope | yeah | hugs? | omg | haha\w* | dude | mate | buddy
    """
)
_STIFF = phrase_pattern(
    r"""
    kindly | please be advised | be informed | hereby | yours (?:sincerely|faithfully) | dear (?:sir|madam|customer)
    at (?:your|our) earliest | enquiry | regarding | pursuant | aforementioned | to whom it may concern
    further questions | hr department | policy | compliance
    """
)
_FIRM = phrase_pattern(
    r"""
    must | expect\w* | require\w* | need\w* | immediately | by end of | no later than | deadline | will not | won't
    (?:not |un)acceptable | cannot | can't | insist\w* | firm\w* | clear\w* | final\w* | otherwise | escalate\w*
    refuse\w* | disagree\w* | stop | declin\w* | i want | we want | at once
    not (?:going to|willing|possible|agree\w*) | do not | don't | contract | agreed | responsib\w+ | from now on
    in writing | stand by | only if | no | less than | not there | by \w+day | i'd sign | i ask you | we ask you
    unless | until then | instead | reject\w* | dispute | owe[sd]? | due
    """
)
_TIMID = phrase_pattern(
    r"""
    maybe | perhaps | possibly | hopefully | if (?:that's|it's|it is|that is) (?:ok|okay|alright|possible)
    sorry to ask | tiny | don't take it | just wondering | no worries if | i guess | kind of | sort of
    """
)
_SORRY = phrase_pattern(
    r"""
    apolog\w+ | sorry | regret\w* | forgive | (?:my|our) (?:own )?(?:mistake|fault|error|oversight) | responsibility
    should(?: have|n't have| not have) | make (?:it|this|that|up)[ ](?:right|good|for) | embarrass\w+
    won't happen again | is not how (?:this|it|that) should | you're right | you are right | ashamed | let you down
    """
)
_RUDE = phrase_pattern(
    r"""
    stupid | idiot\w* | moron\w* | dumb | shut up | ridiculous | pathetic | nonsense | bullshit | crap | damn
    garbage | rubbish | useless | incompetent | lazy | get lost | get over it | (?:not my|your own|your) problem
    none of your business | wast(?:e|ing) (?:of )?(?:my |our )?time
    stop (?:bothering|whining|complaining|pestering|nagging) | leave me alone | grow up | learn to read
    use your (?:brain|head) | how dare | are you kidding | you must be joking | can't you read
    as i already told you | before you write again | calm down | (?:don't|do not) care | couldn't care less
    who cares | liars? | shame on you | sick of | forget it | if you like it or not | ear ?plugs | that stuff
    find somebody else | bother (?:me|us|somebody else) | what do you want now | for the last time
    pull yourself together | your fault | not my job | you people | your own fault | what's wrong with you
    better things to do | if you had read | go away | are you serious | tough luck | nobody cares
    for (?:god|heaven)'?s sake | suit yourself | think before you | get real | fools? | quit whining | read it again
    how hard can it be | blame yourself | don't bother | no excuse
    you clearly (?:don't|do not|can't|cannot|haven't) | obviously you | use your eyes
    told you (?:before|already|twice)
    """
)
TONES = ("professional", "friendly", "assertive", "apologetic")
_PLEAS_TOO_MANY = 3


def rude_words(text: str) -> list[str]:
    """Return the words of a plain text that insult or brush off its reader."""
    return [match[0] for match in _RUDE.finditer(text)][:20]


def read_tone(text: str, tone: str) -> float:
    """Return how far a plain text sounds as it should: 0 to 1.

    Professional is what is neither chatty nor shouting, friendly has a warm word and is not stiff, assertive has a firm
    word and does not plead, apologetic regrets something once or twice. A text that is chatty, stiff, firm and contrite
    at once sounds like none. Rude words halve the worth, each.

    Args:
        text: The whole reply.
        tone: One of :data:`TONES`; empty where any will do, and only rude words count.
    """
    warm, chatty, stiff, firm, timid, sorry = (
        _different(pattern, text) for pattern in (_FRIENDLY, _INFORMAL, _STIFF, _FIRM, _TIMID, _SORRY)
    )
    pleas = len(_SORRY.findall(text))
    begging = 0.15 * max(0, pleas - _PLEAS_TOO_MANY)
    worth = 1.0
    if tone == "professional":
        worth = 1.0 - 0.2 * chatty - 0.1 * max(0, text.count("!") - 2) - begging
    elif tone == "friendly":
        worth = 0.6 + 0.2 * min(2, warm) - 0.15 * max(0, stiff - 1) + 0.1 * min(1, chatty)
    elif tone == "assertive":
        worth = 0.6 + 0.2 * min(2, firm) - 0.2 * timid - 0.15 * max(0, pleas - 1)
    elif tone == "apologetic":
        worth = 0.4 + 0.4 * min(1, sorry) + 0.2 * min(1, max(0, sorry - 1)) - begging
    if chatty and stiff > 1 and firm > 1 and sorry > 1:
        worth *= 0.5
    return max(0.0, min(1.0, worth)) * 0.5 ** len(rude_words(text))


def _different(pattern: re.Pattern[str], text: str) -> int:
    return len({match[0].lower() for match in pattern.finditer(text)})
