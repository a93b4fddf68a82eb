"""Finds the sentence of a mail that says something."""

import re
from collections.abc import Sequence

from mailgym.mail.snippet import make_snippet
from mailgym.mail.terms import stem_words, words_of

MAX_READ_CHARS = 200_000
MAX_SENTENCE_CHARS = 300
WRAPPED_LINE_CHARS = 50
"""A line that is shorter ends what it says; a longer one goes on in the next line."""
_PARAGRAPHS = re.compile(r"\n[ \t]*\n")
_QUOTE_MARKS = re.compile(r"^(?:[ \t]*>)+[ \t]?", re.MULTILINE)
_SENTENCE_END = re.compile(r"(?<=[.!?])[\"')\]]*\s+(?=[\"'(\[]?[^\Wa-z_])")
_SAYING, _NEAR = 3, 1


def best_sentence(text: str, said: str, asked: str = "") -> str:
    """Return the sentence that holds most of the words that were said, and then of those that were asked about.

    Words match by their stems. Of equals the first counts. The sentence is put on one line, and one of more than
    300 characters is cut to the stretch where most of the words stand.

    Args:
        text: Text of a message; its first 200,000 characters are looked at.
        said: What the sentence should say: an answer.
        asked: What it should speak of: a question. Its words of up to three letters do not count.

    Returns:
        The sentence; empty where the text holds no letter or digit.
    """
    wanted = dict.fromkeys(stem_words([word for word in words_of(asked) if len(word) > 3]), _NEAR)
    wanted |= dict.fromkeys(stem_words(words_of(said)), _SAYING)
    best, most = "", -1
    for sentence in split_sentences(text[:MAX_READ_CHARS]):
        stems = set(stem_words(words_of(sentence)))
        worth = sum(weight for stem, weight in wanted.items() if stem in stems)
        if stems and worth > most:
            best, most = sentence, worth
    return make_snippet(best, [*words_of(said), *words_of(asked)], MAX_SENTENCE_CHARS)


def split_sentences(text: str) -> Sequence[str]:
    """Split a text into sentences, each on one line, without marks of quotation.

    A sentence ends at its full stop, at a blank line, and at the end of a line of fewer than 50 characters (a line of a
    list, a greeting); longer lines are those of a wrapped paragraph.
    """
    found = []
    for paragraph in _PARAGRAPHS.split(_QUOTE_MARKS.sub("", text.replace("\r\n", "\n"))):
        piece: list[str] = []
        for line in paragraph.split("\n"):
            piece.append(line)
            if len(line.strip()) < WRAPPED_LINE_CHARS:
                found += _SENTENCE_END.split(" ".join(" ".join(piece).split()))
                piece = []
        found += _SENTENCE_END.split(" ".join(" ".join(piece).split()))
    return [sentence for sentence in found if sentence]
