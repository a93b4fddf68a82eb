"""Shows where in a message the keywords stand."""

from collections import Counter
from collections.abc import Iterator, Sequence

SNIPPET_CHARACTERS = 160
SEARCHED_CHARACTERS = 8_000
_LEAST_STEM = 3


def make_snippet(text: str, words: Sequence[str], length: int = SNIPPET_CHARACTERS) -> str:
    """Cut out the stretch of a text that holds most of the words; its beginning where it holds none.

    Words match by their beginnings, as an approximation of the index's stemming: a snippet only shows, it
    decides nothing.

    Args:
        text: Text of a message; only its first 8,000 characters are looked at.
        words: Single words.
        length: Most characters, ellipses apart.
    """
    flat = " ".join(text[:SEARCHED_CHARACTERS].split())
    if len(flat) <= length:
        return flat
    start = _densest(_places(flat, words), length * 3 // 4)
    start = max(0, min(start - length // 4, len(flat) - length))
    end = start + length
    if start > 0:
        start = flat.find(" ", start, end) + 1 or start
    if end < len(flat):
        blank = flat.rfind(" ", start, end)
        end = blank if blank > start else end
    return ("… " if start > 0 else "") + flat[start:end].strip() + (" …" if end < len(flat) else "")


def _places(flat: str, words: Sequence[str]) -> list[tuple[int, str]]:
    """Return where the words' stems stand, in order."""
    stems = {word.lower()[: max(_LEAST_STEM, len(word) - 2)] for word in words}
    lowered = flat.lower()
    if not stems or len(lowered) != len(flat):  # a few letters change their length: then places would be off
        return []
    return sorted((place, stem) for stem in stems for place in _beginnings(lowered, stem))


def _beginnings(text: str, stem: str) -> Iterator[int]:
    """Yield where words begin with a stem."""
    place = text.find(stem)
    while place >= 0:
        if place == 0 or not text[place - 1].isalnum():
            yield place
        place = text.find(stem, place + len(stem))


def _densest(places: list[tuple[int, str]], width: int) -> int:
    """Return where the first stretch of this width begins that holds most different stems; 0 if there are none."""
    best, most, left = 0, 0, 0
    inside: Counter[str] = Counter()
    for place, stem in places:
        inside[stem] += 1
        while place - places[left][0] >= width:
            gone = places[left][1]
            inside[gone] -= 1
            if not inside[gone]:
                del inside[gone]
            left += 1
        if len(inside) > most:
            best, most = places[left][0], len(inside)
    return best
