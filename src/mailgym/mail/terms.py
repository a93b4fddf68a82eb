"""Turns text into the terms of the index: words without case and accents, cut to their stems.

Mail and keywords go through the same functions, so that a word is found however it was written.
"""

import re
import threading
import unicodedata
from functools import cache

MAX_WORD_CHARACTERS = 64
MAX_KEPT_STEMS = 200_000
LANGUAGE = "english"

# Scripts without spaces between words (kana, Han ideographs, Thai): each letter is a word, and several are a phrase.
_UNSPACED = "\u0e00-\u0e7f\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0002ffff"
_WORD = re.compile(rf"[{_UNSPACED}]|[^\W_{_UNSPACED}]+")
_ASCII_BLANKS = {code: " " for code in range(128) if not chr(code).isalnum()}


def words_of(text: str) -> list[str]:
    """Return the words of a text, in order: lower case, without accents, split at all but letters and digits.

    Words longer than 64 characters are cut there.
    """
    if text.isascii():
        words = text.lower().translate(_ASCII_BLANKS).split()
    else:
        words = _WORD.findall(fold(text))
    if text and max(map(len, words), default=0) > MAX_WORD_CHARACTERS:
        return [word[:MAX_WORD_CHARACTERS] for word in words]
    return words


def fold(text: str) -> str:
    """Take case and accents off a text: compatibility forms become plain letters (``ﬁ`` is ``fi``, ``ß`` is ``ss``)."""
    decomposed = unicodedata.normalize("NFKD", text.casefold())
    return "".join(c for c in decomposed if not unicodedata.combining(c)).casefold()


class Stems(dict[str, str]):
    """The stem of every word, made when it is first asked for: ``stems["meetings"]`` is ``meet``.

    Not for use from several threads at once; :func:`stem_words` is.

    Source: M. F. Porter (2001), the English ("Porter 2") Snowball stemmer, by PyStemmer.
    """

    def __init__(self) -> None:
        """Start with no word known."""
        import Stemmer

        super().__init__()
        self._stem = Stemmer.Stemmer(LANGUAGE, 0).stemWord

    def __missing__(self, word: str) -> str:
        if len(self) >= MAX_KEPT_STEMS:
            self.clear()
        stem = self._stem(word) if word.isalpha() else word
        self[word] = stem
        return stem


@cache
def _shared_stems() -> tuple[Stems, threading.Lock]:
    return Stems(), threading.Lock()


def stem_words(words: list[str]) -> list[str]:
    """Return the stems of folded words, from any thread."""
    stems, lock = _shared_stems()
    with lock:
        return [stems[word] for word in words]
