"""Turns text into the terms of the index: words without case and accents, cut to their stems.

Mail and keywords go through the same functions, so that a word is found however it was written.
"""

import os
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
_ASCII = bytes(ord(chr(code).lower()) if chr(code).isalnum() and code < 128 else ord(" ") for code in range(256))
"""What each byte of an ASCII text becomes: lower case, and a blank for all but letters and digits."""


def words_of(text: str) -> list[str]:
    """Return the words of a text, in order: lower case, without accents, split at all but letters and digits."""
    if text.isascii():
        return text.encode().translate(_ASCII).decode().split()
    return _WORD.findall(fold(text))


def fold(text: str) -> str:
    """Take case and accents off a text: compatibility forms become plain letters (``ﬁ`` is ``fi``, ``ß`` is ``ss``)."""
    decomposed = unicodedata.normalize("NFKD", text.casefold())
    return "".join(c for c in decomposed if not unicodedata.combining(c)).casefold()


class Stems(dict[str, str]):
    """The stem of every word, made when it is first asked for: ``stems["meetings"]`` is ``meet``.

    Of words longer than 64 characters only so many count. Not for use from several threads at once;
    :func:`stem_words` is.

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
        counted = word[:MAX_WORD_CHARACTERS]
        stem = self._stem(counted) if counted.isalpha() else counted
        self[word] = stem
        return stem


@cache
def _shared_stems() -> tuple[Stems, threading.Lock]:
    return Stems(), threading.Lock()


if hasattr(os, "register_at_fork"):  # not on Windows
    os.register_at_fork(after_in_child=_shared_stems.cache_clear)  # another thread may have held the lock


def stem_words(words: list[str]) -> list[str]:
    """Return the stems of folded words, from any thread."""
    stems, lock = _shared_stems()
    with lock:
        return [stems[word] for word in words]
