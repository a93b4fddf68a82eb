"""Tells what reads as prose from lists of words, templates and text in another language."""

import re
from dataclasses import dataclass
from functools import lru_cache

from mailgym.rubrics.values.dates import MONTHS, WEEKDAYS
from mailgym.rubrics.writing.english import INTERJECTIONS, is_function_word, is_verb, words_in
from mailgym.rubrics.writing.letter import Letter

_PLACEHOLDER = re.compile(
    r"\[[A-Za-z][A-Za-z0-9 _/'.-]{0,40}\]|\{\{?\s*\w[\w .]{0,40}\}?\}|<(?!\S+@)[A-Za-z][A-Za-z _/-]{1,40}>"
    r"|(?<!_)_{4,20}(?!_)|\bX{3,}\b|\byour name here\b|\((?:insert|your|name|date|amount)[a-z ]{0,30}\)|\blorem ipsum\b"
    r"|\bas an ai\b|\b(?:ai|language) (?:language )?(?:model|assistant)\b",
    re.IGNORECASE,
)
_DAYS = frozenset((*MONTHS, *WEEKDAYS))
LEAST_FUNCTION_SHARE = 0.25
MOST_NAMING_RUN = 6
MOST_FRAGMENT_WORDS = 14
MOST_WORDS_UNPARTED = 45


@dataclass(frozen=True, slots=True)
class Prose:
    """How far a letter reads as one.

    Attributes:
        share: The share of its words that stand in sentences, each sentence counted once, fragments for half: 0 to 1.
        counted: Its sentences that read as such, each once; of a letter that mostly reads as one, its short fragments
            too ("2. Galvanised.").
        note: Why the share is what it is; empty where it is 1.
    """

    share: float
    counted: tuple[str, ...]
    note: str = ""


def placeholders(text: str) -> list[str]:
    """Return what a template left open: ``[Your Name]``, ``{date}``."""
    return [match[0] for match in _PLACEHOLDER.finditer(text)][:20]


@lru_cache(maxsize=512)
def read_prose(letter: Letter) -> Prose:
    """Return which of a letter's pieces are sentences, and the share of words in them.

    A piece is a sentence where it holds a verb, at least a quarter of its words (numbers, months and weekdays left out)
    bind others together (articles, pronouns, prepositions, auxiliaries), and no more than six words follow one another
    that only name something; or where it is short and opens as an answer does ("Yes, Thursday."). A fragment is a short
    piece beside at least as many words in sentences. Greetings beyond the first and sign-offs beyond the second count
    as words in no sentence.
    """
    kinds: dict[str, tuple[str, str, int]] = {}
    repeated = 0
    for piece in letter.sentences:
        words = words_in(piece)
        key = " ".join(words)
        if key in kinds:
            repeated += len(words)
        else:
            kinds[key] = (_kind(words, piece), piece, len(words))
    counts = {
        kind: sum(size for of, _, size in kinds.values() if of == kind) for kind in ("sentence", "fragment", "list")
    }
    extra = 2 * (max(0, len(letter.greetings) - 1) + max(0, len(letter.sign_offs) - 2))
    total = sum(counts.values()) + repeated + extra
    if not total:
        return Prose(0.0, (), "there is no sentence in it")
    with_fragments = counts["sentence"] >= counts["fragment"] and counts["sentence"] > 2 * counts["list"]
    kept = ("sentence", "fragment") if with_fragments else ("sentence",)
    counted = tuple(piece for kind, piece, _ in kinds.values() if kind in kept)
    varied = _variety([words_in(piece) for piece in counted])
    share = (counts["sentence"] + 0.5 * counts["fragment"] * with_fragments) / total * varied
    loose = counts["list"] + (0 if with_fragments else counts["fragment"])
    notes = {"words in no sentence": loose, "words said again": repeated, "for greetings or sign-offs too many": extra}
    note = ", ".join(f"{number} {what}" for what, number in notes.items() if number)
    return Prose(share, counted, f"{note} says the same over again".strip() if varied < 1 else note)


def _kind(words: list[str], piece: str) -> str:
    commas = piece.count(",") + piece.count(";") + piece.count("/")
    if is_sentence(words, commas):
        return "sentence"
    is_list = len(words) > MOST_FRAGMENT_WORDS or commas > 3 or _longest_run(words) > MOST_NAMING_RUN
    return "list" if is_list else "fragment"


def is_sentence(words: list[str], commas: int = 0) -> bool:
    """Whether words in lower case read as a sentence, or as a short answer."""
    if not words:
        return False
    verbs = sum(is_verb(word) for word in words)
    bound = sum(is_function_word(word) for word in words)
    if words[0] in INTERJECTIONS and len(words) <= 8:
        return len(words) <= 4 or bound > 0 or verbs > 0
    if len(words) <= 4:
        return verbs > 0 and len(words) > 1 and commas < 2
    plain = sum(not (word in _DAYS or any(sign.isdigit() for sign in word)) for word in words)
    if not verbs or bound < max(1, LEAST_FUNCTION_SHARE * plain) or _longest_run(words) > MOST_NAMING_RUN:
        return False
    joined = sum(word in ("and", "or", "&") for word in words)
    is_list = joined * 5 > len(words) and joined > 3
    return (
        not is_list and (commas * 3 <= len(words) or commas < 3) and (commas > 0 or len(words) <= MOST_WORDS_UNPARTED)
    )


def _longest_run(words: list[str]) -> int:
    """Return the most words that follow one another without one that binds or acts."""
    longest = run = 0
    for word in words:
        run = 0 if is_function_word(word) or any(sign.isdigit() for sign in word) else run + 1
        longest = max(longest, run)
    return longest


def _variety(sentences: list[list[str]]) -> float:
    """Return 1 for sentences that differ, less where the same words come again and again, or the same opening."""
    triples = [tuple(words[n : n + 3]) for words in sentences for n in range(len(words) - 2)]
    worth = min(1.0, len(set(triples)) / len(triples) / 0.8) if len(triples) >= 12 else 1.0
    openings = [tuple(words[:2]) for words in sentences if len(words) > 2]
    if len(openings) >= 4:
        worth *= min(1.0, len(set(openings)) / len(openings) / 0.6)
    return worth
