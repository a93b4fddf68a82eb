"""Answers that are lists: all items, in any order, and no others."""

import re
from collections.abc import Callable

from mailgym.rubrics.values.mention import Match, Outcome
from mailgym.rubrics.values.names import find_names
from mailgym.rubrics.values.wording import content_words

MOST_ITEMS = 30

_LEAD = re.compile(
    r"\A[^:\n]{0,120}:\s+(?=\S)|\A[^,\n]{0,120}?\b(?:are|were|is|was|include|includes|included|namely)\s+(?=\S)"
)
_NUMBERED = re.compile(r"(?:^|\n)\s*(?:\d{1,2}[.)]|[a-z][.)])\s+", re.IGNORECASE)
_PROTECTED = re.compile(
    r"\b[A-Z][a-z]{2,8}\.? \d{1,2}(?:st|nd|rd|th)?, (?=(?:19|20)\d\d)|(?<=\d),(?=\d{3}\b)|\b[A-Z][a-z]+, (?=[A-Z]{2}\b)"
    r"|\b(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day, (?=\d|(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec))"
)
_NAMED = re.compile(r"[A-Z][\w'.&-]*(?: [A-Z][\w'.&-]*){0,3}")
_SPLIT = re.compile(r"\s*;\s*|\s*\n\s*")
_SPLIT_COMMA = re.compile(r"\s*,\s*(?:and\s+|&\s+|plus\s+|or\s+)?|\s+(?:and|&|plus|as well as|along with)\s+")


def split_items(text: str) -> list[str]:
    """Return the items of a list, in order; a text that is no list is one item.

    Commas inside dates and numbers part nothing; where there are lines or semicolons, commas part nothing at all.
    """
    bare = _NUMBERED.sub("\n", text).strip()
    if "\n" in bare or ";" in bare:
        parts = [re.sub(r"\A(?:and|&)\s+", "", part) for part in _SPLIT.split(bare)]
    else:
        guarded = _PROTECTED.sub(lambda match: match[0].replace(",", "\x00"), bare)
        parts = [part.replace("\x00", ",") for part in _SPLIT_COMMA.split(guarded)]
    return [part.strip(" .,") for part in parts if part.strip(" .,")]


def match_items(answer: str, truth: str, question: str, compare: Callable[[str, str], Match]) -> Match:
    """Compare two lists item by item.

    Args:
        answer: The given list, with or without a sentence around it.
        truth: The right list.
        question: What was asked.
        compare: Compares one given item with one right one.
    """
    if re.search(r"\b(?:or|either)\b", answer.lower()) and not re.search(r"\bor\b", truth.lower()):
        return Match("unsure", "the answer offers items to choose from")
    if re.search(r"\b(?:not|except|but)\b|n't\b", answer.lower()):
        return Match("unsure", "the answer denies an item")
    rights = split_items(_without_lead(truth))
    givens = split_items(_without_lead(answer))
    if len(givens) < len(rights):  # semicolons and commas used alike
        givens = split_items(_without_lead(answer).replace(";", ",").replace("\n", ", "))
    if len(rights) > MOST_ITEMS or len(givens) > MOST_ITEMS:
        return Match("unsure", f"a list of more than {MOST_ITEMS} items is not read")
    table = [[compare(given, right).verdict for given in givens] for right in rights]
    return _verdict(table, givens, question)


def _verdict(table: list[list[Outcome]], givens: list[str], question: str) -> Match:
    """Return the verdict on a table of right items (rows) and given ones (columns)."""
    missing = [row for row in table if "right" not in row]
    open_ = [number for number in range(len(givens)) if all(row[number] != "right" for row in table)]
    if any("unsure" in row for row in missing):
        return Match("unsure", "an item of the answer cannot be compared with a right one")
    if missing:
        return Match("wrong", f"the answer lacks {len(missing)} of {len(table)} items")
    if not open_ and len(givens) >= len(table):
        return Match("right", "the answer has all items and no other")
    extra = [number for number in open_ if all(row[number] == "wrong" for row in table)]
    if open_ and extra == open_ and all(_is_item(givens[number], question) for number in extra):
        return Match("wrong", "the answer has items too many")
    return Match("unsure", "the answer has all items, and more or fewer of them")


def _without_lead(text: str) -> str:
    rest = _LEAD.sub("", text, count=1)
    return rest if len(split_items(rest)) >= len(split_items(text)) else text


def is_name(item: str) -> bool:
    """Whether an item is nothing but words with capitals."""
    return bool(_NAMED.fullmatch(item))


def _is_item(text: str, question: str) -> bool:
    """Whether a part of an answer is an item of its own, not the end of a sentence."""
    return len(content_words(text)) <= 4 and (bool(find_names(text, (), question)) or bool(re.search(r"\d", text)))
