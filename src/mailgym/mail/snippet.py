"""Shows where in a message the keywords stand."""

import re
from collections.abc import Sequence

SNIPPET_CHARACTERS = 160
SEARCHED_CHARACTERS = 20_000
_LEAST_STEM = 3


def make_snippet(text: str, words: Sequence[str], length: int = SNIPPET_CHARACTERS) -> str:
    """Cut out the stretch of a text that holds most of the words; its beginning where it holds none.

    Words match by their beginnings, as an approximation of the index's stemming: a snippet only shows, it
    decides nothing.

    Args:
        text: Text of a message; only its first 20,000 characters are looked at.
        words: Single words.
        length: Most characters, ellipses apart.
    """
    flat = " ".join(text[:SEARCHED_CHARACTERS].split())
    if len(flat) <= length:
        return flat
    found = _places(flat, words)
    start = 0
    if found:
        start = max((_distinct_within(found, i, length), -place, place) for i, (place, _) in enumerate(found))[2]
        start = max(0, min(start - length // 4, len(flat) - length))
    end = start + length
    if start > 0:
        start = flat.find(" ", start, end) + 1 or start
    if end < len(flat):
        blank = flat.rfind(" ", start, end)
        end = blank if blank > start else end
    return ("… " if start > 0 else "") + flat[start:end].strip() + (" …" if end < len(flat) else "")


def _places(flat: str, words: Sequence[str]) -> list[tuple[int, str]]:
    stems = {word.casefold()[: max(_LEAST_STEM, len(word) - 2)] for word in words}
    if not stems:
        return []
    longest_first = sorted(stems, key=lambda stem: (-len(stem), stem))
    pattern = re.compile(r"\b(" + "|".join(re.escape(stem) for stem in longest_first) + ")", re.IGNORECASE)
    return [(match.start(), match[1].casefold()) for match in pattern.finditer(flat)][:200]


def _distinct_within(found: list[tuple[int, str]], index: int, length: int) -> int:
    limit = found[index][0] + length * 3 // 4
    return len({stem for place, stem in found[index:] if place < limit})
