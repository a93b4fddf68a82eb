"""Answers that are words rather than values: polarity, places, items, phrases."""

import re
from collections.abc import Sequence

from mailgym.rubrics.values.mention import Match
from mailgym.rubrics.values.wording import content_words, folded, words

_YES = re.compile(
    r"\A(?:yes|yep|yeah|yup|sure|correct|right|true|affirmative|indeed|absolutely|definitely|certainly|of course|that(?:'s| is) (?:right|correct|true)"
    r"|(?:it|he|she|they|i|you|we|there) (?:is|was|are|were|did|does|do|has|have|had|will|can|would)\Z)(?![\w'])"
)
_NO = re.compile(
    r"\A(?:no|nope|nah|not (?:yet|at all|really|anymore)|not|never|false|incorrect|negative|wrong|that(?:'s| is) (?:not|wrong|incorrect|false)\b"
    r"|(?:it|he|she|they|i|you|we|there) (?:(?:is|was|are|were|did|does|do|has|have|had|will|can|would) not|(?:is|was|are|were|did|does|do|has|have|had|wo|ca|would)n't|cannot)\Z)(?![\w'])"
)
_NEGATION = re.compile(
    r"\b(?:not|never|no longer|cannot|nobody|no one|nothing|without|neither|failed to|refused to)\b|n't\b|\bno (?!doubt|problem)\w+"
)
_BOTH = re.compile(
    r"\byes and no\b|\b(?:yes|no),? or (?:yes|no)\b|\b(?:maybe|perhaps|possibly|probably|likely|might|unclear|depends)\b"
)
_AUXILIARIES = frozenset(
    "is are was were did does do has have had will would can could should am any ever yet still already".split()
)


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
    return ""


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


_ALIASES = (
    "new york city|nyc|new york", "los angeles|la", "san francisco|sf", "washington dc|washington d c|dc|washington", "united kingdom|uk|great britain|britain",
    "united states|usa|us|u s|u s a|united states of america|america", "las vegas|vegas", "philadelphia|philly", "saint louis|st louis", "saint paul|st paul",
)  # fmt: skip
_STATES = (
    "al alabama|ak alaska|az arizona|ar arkansas|ca california|co colorado|ct connecticut|de delaware|fl florida|ga georgia|hi hawaii|id idaho|il illinois|in indiana"
    "|ia iowa|ks kansas|ky kentucky|la louisiana|me maine|md maryland|ma massachusetts|mi michigan|mn minnesota|ms mississippi|mo missouri|mt montana|ne nebraska"
    "|nv nevada|nh new hampshire|nj new jersey|nm new mexico|ny new york|nc north carolina|nd north dakota|oh ohio|ok oklahoma|or oregon|pa pennsylvania"
    "|ri rhode island|sc south carolina|sd south dakota|tn tennessee|tx texas|ut utah|vt vermont|va virginia|wa washington|wv west virginia|wi wisconsin|wy wyoming"
)
STATE_NAMES = {line.partition(" ")[0]: line.partition(" ")[2] for line in _STATES.split("|")}
_KINDS = frozenset(
    "room conference meeting hall building floor office suite street avenue road boulevard cafe restaurant hotel city town airport terminal center centre".split()
)
_KIND_ENDINGS = {
    "st": "street",
    "ave": "avenue",
    "rd": "road",
    "blvd": "boulevard",
    "bldg": "building",
    "rm": "room",
    "fl": "floor",
    "ste": "suite",
    "conf": "conference",
    "ctr": "center",
    "centre": "center",
    "theatre": "theater",
}


def place_words(text: str) -> list[str]:
    """Return the words of a place, short forms of streets and states written out."""
    out: list[str] = []
    bare = re.sub(r",\s*([A-Z]{2})\b", lambda match: ", " + STATE_NAMES.get(match[1].lower(), match[1]), text)
    for word in folded(bare).split():
        out.append(_KIND_ENDINGS.get(word, word))
    return [word for word in out if word not in ("in", "at", "on", "of", "to", "our", "its")]


def same_place(a: str, b: str) -> bool:
    """Whether both are names of one place that is known by several."""
    x, y = " ".join(place_words(a)), " ".join(place_words(b))
    return any({x, y} <= set(names.split("|")) for names in _ALIASES)


def place_kinds(text: str) -> set[str]:
    """Return the words that say what kind of place it is."""
    return set(place_words(text)) & _KINDS


def contains_words(inner: Sequence[str], outer: Sequence[str]) -> int:
    """Return where the words of one sequence stand in another, one behind the other; -1 where they do not."""
    size = len(inner)
    if not size:
        return -1
    return next((n for n in range(len(outer) - size + 1) if list(outer[n : n + size]) == list(inner)), -1)


def has_negation(text: str) -> bool:
    """Whether a text denies anything."""
    return bool(_NEGATION.search(text.lower()))


def match_words(given: str, right: str, question: str) -> Match:
    """Compare two phrases by their words; ``unsure`` wherever another wording could mean the same.

    Right: the right phrase stands in the answer with little else that the question did not say. Wrong: it stands there
    and is denied or offered beside another, or both name the same thing by another number.
    """
    wanted, said = content_words(right), content_words(given)
    if not wanted:
        wanted, said = words(right), words(given)
    asked = set(content_words(question))
    place = contains_words(wanted, said)
    if place >= 0:
        return _stands_in(given, right, len([w for w in said if w not in asked]) - len(wanted), len(wanted))
    numbers_right, numbers_given = _numbered(wanted), _numbered(said)
    if numbers_right and numbers_given and not numbers_right & numbers_given:
        plain_right, plain_given = set(wanted) - numbers_right, set(said) - numbers_given - asked
        if plain_right & set(said) or not plain_right or (not plain_given and len(said) <= len(wanted)):
            return Match("wrong", "the answer names another number")
    if sorted(wanted) == sorted(said) and len(wanted) <= 3 and has_negation(given) == has_negation(right):
        return Match("right", "the answer has the same words")
    return Match("unsure", "words alone do not tell whether the answer means the same")


def _numbered(tokens: Sequence[str]) -> set[str]:
    return {token for token in tokens if any(sign.isdigit() for sign in token)}


def _stands_in(given: str, right: str, extra: int, size: int) -> Match:
    lowered, phrase = given.lower(), re.escape(right.lower())
    if re.search(
        rf"\b(?:not|never|isn't|wasn't|no longer|instead of|rather than)\s+(?:\w+\s+){{0,3}}{phrase}", lowered
    ) and not has_negation(right):
        return Match("wrong", "the answer denies the right phrase")
    if (
        re.search(rf"{phrase}\W+(?:or)\b|\b(?:or|either)\W+(?:the |a |an )?{phrase}", lowered)
        and " or " not in f" {right.lower()} "
    ):
        return Match("wrong", "the answer offers several values to choose from")
    if has_negation(given) and not has_negation(right):
        return Match("unsure", "the answer has the right phrase and denies something")
    if extra <= (3 if size == 1 else 8):
        return Match("right", "the answer has the right phrase")
    return Match("unsure", "the answer has the right phrase among much else")
