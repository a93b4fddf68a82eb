"""Numbers written in English words: "twelve hundred", "one and a half million", "two dozen"."""

import re
from fractions import Fraction

_UNITS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen"
    " eighteen nineteen"
)
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
SMALL = {word: number for number, word in enumerate(_UNITS.split())}
SMALL |= {word: 10 * number for number, word in enumerate(_TENS.split(), 2)}
SCALES = {
    "hundred": 100,
    "dozen": 12,
    "grand": 1000,
    "thousand": 1000,
    "million": 10**6,
    "billion": 10**9,
    "trillion": 10**12,
}
_ORDINAL_WORDS = (
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth"
    " sixteenth seventeenth eighteenth nineteenth twentieth twenty-first twenty-second twenty-third twenty-fourth"
    " twenty-fifth twenty-sixth twenty-seventh twenty-eighth twenty-ninth thirtieth thirty-first"
)
ORDINALS = {word: number for number, word in enumerate(_ORDINAL_WORDS.split(), 1)}
_SMALL_WORD = "|".join(sorted(SMALL, key=len, reverse=True))
_SCALE_WORD = "|".join(SCALES)
NUMBER_WORDS = (
    rf"(?:(?:{_SMALL_WORD}|half(?:\ an?)?|an?)(?=[\ -](?:{_SCALE_WORD}))|(?:{_SMALL_WORD})(?![a-z]))"
    rf"(?:[\ -](?:and\ (?:a\ )?)?(?:{_SMALL_WORD}|{_SCALE_WORD}|half|quarter)s?(?![a-z])){{0,10}}"
)
_ANY_WORD = re.compile(r"[a-z]+")


def read_number_words(text: str) -> Fraction | None:
    """Return the number that words such as :data:`NUMBER_WORDS` finds stand for, None where they are no number."""
    total, current, seen = Fraction(0), Fraction(0), False
    for word in _ANY_WORD.findall(text.lower()):
        bare = word if word in SMALL or word in SCALES else word.removesuffix("s")
        if bare in SMALL:
            current += SMALL[bare]
        elif bare in ("half", "quarter"):
            current += Fraction(1, 2 if bare == "half" else 4)
        elif bare in ("hundred", "dozen"):
            current = Fraction(current or 1) * SCALES[bare]
        elif bare in SCALES:
            total, current = total + Fraction(current or 1) * SCALES[bare], Fraction(0)
            if "and a half" in text.lower().partition(word)[2]:
                return total + total / 2 if total == SCALES[bare] else total + Fraction(SCALES[bare], 2)
        elif word not in ("and", "a", "an"):
            return None
        else:
            continue
        seen = True
    return total + current if seen else None
