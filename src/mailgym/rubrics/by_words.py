"""Compares answers by their words: places, codes, phrases."""

import re
from collections.abc import Sequence

from mailgym.rubrics.values.mention import Match
from mailgym.rubrics.values.places import (
    is_common,
    is_vague,
    kinds_agree,
    may_hold,
    place_kinds,
    place_words,
    same_place,
)
from mailgym.rubrics.values.polarity import has_negation
from mailgym.rubrics.values.wording import Texts, content_words, words

_CODE = re.compile(r"(?=\S*\d)(?=\S*[A-Za-z-])[A-Za-z\d][\w./-]{2,}")
_CODE_IN_TEXT = re.compile(r"[A-Z]{1,4}\s\d{2,12}\b|(?=\S{0,40}\d)(?=\S{0,40}[A-Za-z-])[A-Za-z\d][\w./-]{1,39}\w")
_PHONE = re.compile(r"\+?\(?\d[\d\s().-]{6,20}\d")
ADDRESS = re.compile(r"[\w.+'-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,5}")


def match_place(texts: Texts) -> Match:
    """Compare places: the name in short is enough, another number or another name is wrong."""
    wanted, said = place_words(texts.right), place_words(texts.given)
    if same_place(texts.given, texts.right):
        return Match("right", "both are names of one place")
    if contains_words(wanted, said) >= 0:
        return match_words(" ".join(said), " ".join(wanted), texts.question)
    if _CODE.fullmatch(texts.right) and _codes(texts.given):
        return same_codes(_codes(texts.right), _codes(texts.given), texts.given)
    asked = set(content_words(texts.question))
    kinds = place_kinds(texts.right), place_kinds(texts.given)
    names = (
        [word for word in wanted if word not in kinds[0]],
        [word for word in content_words(" ".join(said)) if word not in kinds[1] and word not in asked],
    )
    if set(names[0]) & set(names[1]):
        return _match_place_names(names, kinds)
    vague = _is_vague_place(texts.given, said) or is_vague(wanted) or not all(names) or max(map(len, names)) > 4
    inside = may_hold(*kinds) and not kinds[0] & place_kinds(texts.question)
    if vague or has_negation(texts.given) or inside:
        return Match("unsure", "the answer's words do not tell the place, or one place may stand inside the other")
    return Match("wrong", "the answer names another place")


def _is_vague_place(text: str, words_said: list[str]) -> bool:
    return is_vague(words_said) or bool(
        re.match(r"(?:in |at |on )?(?:an?|some|another) [^A-Z\d]*\Z", text.lower()[:3] + text[3:])
    )


def _match_place_names(names: tuple[list[str], list[str]], kinds: tuple[set[str], set[str]]) -> Match:
    """Compare two places whose names have words in common."""
    right, given = names
    numbers = _numbered(right), _numbered(given)
    if numbers[0] and numbers[1] and not numbers[0] & numbers[1]:
        return Match("wrong", "the answer names another number")
    in_short = given == right[: len(given)] and not numbers[0]
    if (sorted(right) == sorted(given) or in_short) and kinds_agree(*kinds):
        return Match("right", "the place has the same name")
    shared = set(right) & set(given)
    if is_common(shared) and set(right) - shared and set(given) - shared:
        return Match("wrong", "the answer names another place")
    return Match("unsure", "the places have words in common")


def match_text(texts: Texts) -> Match:
    """Compare phrases, codes, telephone numbers and addresses."""
    if ADDRESS.fullmatch(texts.right):
        return same_codes(
            [texts.right.lower()], [address.lower() for address in ADDRESS.findall(texts.given)], texts.given
        )
    if _PHONE.fullmatch(texts.right):
        numbers = ["".join(filter(str.isdigit, number)) for number in [texts.right, *_PHONE.findall(texts.given)]]
        same = [
            number for number in numbers[1:] if number.endswith(numbers[0][-10:]) or numbers[0].endswith(number[-10:])
        ]
        if numbers[1:]:
            return same_codes(
                [numbers[0]], [numbers[0] if number in same else number for number in numbers[1:]], texts.given
            )
    codes = [code for code in _codes(texts.right) if code not in _codes(texts.question)]
    if _CODE.fullmatch(texts.right) or (len(codes) == 1 and _codes(texts.given) and len(texts.given.split()) <= 3):
        return same_codes(codes, _codes(texts.given), texts.given)
    return match_words(texts.given, texts.right, texts.question)


def _codes(text: str) -> list[str]:
    """Return the codes in a text, such as ``po4471`` for "PO-4471"."""
    return [re.sub(r"[\s./-]", "", code.lower()) for code in _CODE_IN_TEXT.findall(text)]


def same_codes(right: list[str], given: list[str], answer: str) -> Match:
    """Compare codes, numbers or addresses that an answer holds with the right one."""
    if not given:
        return Match("unsure", "the answer names no code")
    if set(right) & set(given):
        if set(given) <= set(right) and not has_negation(answer):
            return Match("right", "the answer names the right code")
        return Match("unsure", "the answer names the right code, and another or a denial")
    return Match("wrong", "the answer names another code")


def contains_words(inner: Sequence[str], outer: Sequence[str]) -> int:
    """Return where the words of one sequence stand in another, one behind the other; -1 where they do not."""
    size = len(inner)
    if not size:
        return -1
    return next((n for n in range(len(outer) - size + 1) if list(outer[n : n + size]) == list(inner)), -1)


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
