"""Makes one pattern of a list of phrases, and a set of a list of words."""

import re


def phrase_pattern(phrases: str) -> re.Pattern[str]:
    """Return a pattern that finds any of some phrases as whole words, in any case.

    Args:
        phrases: Regular expressions, parted by ``|`` with blanks around it or by line ends; a single blank within a
            phrase stands for itself.
    """
    parts = [part.strip() for line in phrases.splitlines() for part in line.split(" | ")]
    return re.compile(rf"(?<!\w)(?:{'|'.join(part for part in parts if part)})(?!\w)", re.IGNORECASE)


def word_set(words: str) -> frozenset[str]:
    """Return the words of a text, parted by blanks and line ends."""
    return frozenset(words.split())
