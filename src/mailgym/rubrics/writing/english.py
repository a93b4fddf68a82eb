"""The words by which prose is told from a list of words: function words, verbs with their forms, and openings."""

import re

from mailgym.mail.terms import stem_words, words_of
from mailgym.rubrics.writing.phrases import word_set

FUNCTION_WORDS = word_set(
    """
    a an the this that these those my your his her its our their some any no every each all both another other such
    i you he she it we they me him us them mine yours ours myself yourself ourselves who whom whose which what when
    where why how someone anyone everyone nobody nothing something anything everything one am is are was were be
    been being have has had having do does did doing will would shall should can could may might must not to of in
    on at by for with from about as into over after before between through during until till since without within
    against under above up down out off around near per via than like and or but nor so yet if then because while
    though although unless whether also too just only even still already now again here there very much more most
    less least many few well back soon rather really please let's lets once ever never always
    """
)
_AUXILIARIES = word_set(
    """
    am is are was were be been have has had do does did will would shall should can could may might must cannot
    let's i'm i'll i've i'd you're you'll you've you'd we're we'll we've we'd they're they'll they've they'd he's
    she's it's that's there's here's what's he'll she'll it'll that'll he'd she'd it'd who's where's isn't aren't
    wasn't weren't don't doesn't didn't won't wouldn't shouldn't can't couldn't haven't hasn't hadn't mustn't im ive
    dont cant didnt doesnt isnt arent wasnt werent wouldnt shouldnt couldnt havent hasnt hadnt mustnt youre theyre
    thats whats theres id gonna wont
    """
)
_REGULAR = """
    accept add address adjust advise agree allow answer apologize apologise appear apply appreciate approve arrange
    arrive ask assign assist assume assure attach attend authorize authorise avoid believe book call cancel care
    change charge chase chat check claim clarify clear close collect compare complain complete confirm consider
    contact continue correct count cover credit cut decide decline delay deliver depend discuss dispatch double
    draft drop email ensure escalate expect explain extend fail file finalize finalise finish fix flag follow
    forward gather guess hand handle happen hear help hope hurt improve include inform insist intend investigate
    invite invoice involve issue join jump keep land last learn like listen look love mail manage matter mean
    mention mind miss move need note notice notify offer open order own pack park pass pencil phone pick plan please
    post postpone prefer prepare process promise propose provide push raise reach realize realise receive recommend
    refer refund refuse regret reject release remain remember remind remove repair repeat replace reply report
    request require reschedule reserve resolve respond return review save schedule seem share ship sign solve sort
    sound start stay stop suggest suit support suspend talk test thank track train transfer travel trust try turn
    update use verify view visit wait walk want warn wish wonder work worry
    """
_IRREGULAR = """
    be being been | become became | begin began begun | bring brought | buy bought | catch caught |
    choose chose chosen | come came | do doing done | draw drew drawn | drive drove driven | eat ate eaten |
    fall fell fallen | feel felt | find found | fly flew flown | forget forgot forgotten | get got getting gotten |
    give gave given | go goes went gone | grow grew grown | hear heard | hold held | keep kept | know knew known |
    lay laid | lead led | leave left | lend lent | let letting | lose lost | make made | mean meant | meet met |
    pay paid | put putting | read | ride rode | ring rang | run ran running | say said | see saw seen | sell sold |
    send sent | set setting | show showed shown | sit sat | sleep slept | speak spoke spoken | spend spent |
    stand stood | take took taken | teach taught | tell told | think thought | throw threw | understand understood |
    wear wore | win won | write wrote written | cost | cut cutting | hit | hurt | split | quit | mind | owe owed |
    redo redid | withdraw withdrew | overlook overlooked
    """


def _forms(verb: str) -> set[str]:
    if verb.endswith("y") and verb[-2] not in "aeou":
        third, past = verb[:-1] + "ies", verb[:-1] + "ied"
    elif verb.endswith(("s", "sh", "ch", "x", "z")):
        third, past = verb + "es", verb + "ed"
    else:
        third, past = verb + "s", verb + ("d" if verb.endswith("e") else "ed")
    stem = verb[:-1] if verb.endswith("e") and not verb.endswith("ee") else verb
    doubled = (
        {verb + verb[-1] + "ed", verb + verb[-1] + "ing"} if re.search(r"[^aeiou][aeiou][bdglmnprt]\Z", verb) else set()
    )
    return {verb, third, past, stem + "ing"} | doubled


VERBS = frozenset(
    _AUXILIARIES
    | {form for verb in _REGULAR.split() for form in _forms(verb)}
    | {form for row in _IRREGULAR.split("|") for form in (*row.split(), *_forms(row.split()[0]))}
)
_BASES = {form: row.split()[0] for row in _IRREGULAR.split("|") for form in row.split()[1:]}
INTERJECTIONS = word_set(
    """
    yes yep yeah yup no nope sure ok okay thanks thank great perfect confirmed agreed done sorry congratulations
    congrats absolutely certainly definitely understood received approved noted lovely wonderful brilliant excellent
    fine unfortunately happy glad good deal apologies condolences welcome fantastic ta cheers right correct exactly
    all both not maybe perhaps rather love sounds
    """
)
WORD = re.compile(r"[^\W_]+(?:(?:['.@&/:-]|,(?=\d))[^\W_]+)*")


def words_in(text: str) -> list[str]:
    """Return the words of a text in lower case, contractions and hyphened words whole."""
    return [word.lower() for word in WORD.findall(text)]


def is_function_word(word: str) -> bool:
    """Whether a word in lower case binds others together rather than naming something."""
    return word in FUNCTION_WORDS or word in _AUXILIARIES


def is_verb(word: str) -> bool:
    """Whether a word in lower case can be a verb: by the list, by its ending, or as one that is drawn together."""
    return word in VERBS or word.endswith(("'s", "n't", "'ll", "'d", "ise", "ize", "ised", "ized", "ify", "ified"))


def roots(text: str) -> list[str]:
    """Return the stems of a text's words, irregular verbs by their base: "paid" is "pay"."""
    return stem_words([_BASES.get(word, word) for word in words_of(text)])
