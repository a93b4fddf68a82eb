"""The inverted index in pieces: for each term, the messages that hold it and how much.

A piece covers up to 65,536 messages with consecutive numbers; within it a message is its offset from the first.
How much a message holds of a term is its weighted frequency in quarters, summed over the message's fields and held in
one byte: at 255 (64 times in the text) BM25 is within 2 % of its bound.

Source: column weights as in S. Robertson, H. Zaragoza and M. Taylor (2004), "Simple BM25 extension to multiple
    weighted fields": frequencies are weighted and added before they saturate.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mailgym.mail.terms import MAX_WORD_CHARACTERS, Stems, words_of

FIELD_WEIGHTS_QUARTERS = (10, 6, 4, 1, 4)
"""Weights of subject, people, new text, quoted text and attachment names: 2.5, 1.5, 1, 0.25, 1."""
MAX_MESSAGES = 1 << 16
MAX_WEIGHT_QUARTERS = 255
MAX_KEPT_WORDS = 400_000
MAX_WHOLE_CHARACTERS = 1 << 20
"""Longer texts are read piece by piece."""
_BLANK = re.compile(r"\s")
BYTES_PER_POSTING = 3
_DOC_BITS = 16
_WEIGHT_BITS = 8
_FIELD_BITS = 4

Uint8s = NDArray[np.uint8]
Uint16s = NDArray[np.uint16]
Uint32s = NDArray[np.uint32]


@dataclass(frozen=True, slots=True)
class Postings:
    """A piece of the index.

    Attributes:
        terms: The T different terms, in any order; sorted after :func:`merge`.
        starts: Shape (T + 1,): where each term's postings begin among the P, and P itself.
        docs: Shape (P,): offsets of messages, ascending within a term.
        weights: Shape (P,): weighted frequencies in quarters.
    """

    terms: list[str]
    starts: Uint32s
    docs: Uint16s
    weights: Uint8s

    def __len__(self) -> int:
        """Return the number of postings."""
        return len(self.docs)

    def rows(self) -> Iterator[tuple[str, bytes]]:
        """Walk through (term, its offsets as 16 bit numbers followed by its weights as bytes), terms in order."""
        docs, weights, starts = self.docs.astype("<u2").tobytes(), self.weights.tobytes(), self.starts.tolist()
        for index, term in enumerate(self.terms):
            start, end = starts[index], starts[index + 1]
            yield term, docs[2 * start : 2 * end] + weights[start:end]

    def select(self, keep: NDArray[np.bool_]) -> "Postings":
        """Return the postings of some of the messages, which close ranks. Shape of ``keep``: (messages,)."""
        offsets = np.cumsum(keep, dtype=np.int64) - 1
        kept = keep[self.docs]
        counts = np.diff(self.starts)
        term_ids = np.repeat(np.arange(len(self.terms)), counts)[kept]
        return _pack(self.terms, term_ids, offsets[self.docs[kept]], self.weights[kept])


def split_row(row: bytes) -> tuple[Uint16s, Uint8s]:
    """Return the offsets and weights of one term's row; see :meth:`Postings.rows`."""
    count = len(row) // BYTES_PER_POSTING
    return np.frombuffer(row, "<u2", count), np.frombuffer(row, np.uint8, count, 2 * count)


class Vocabulary(dict[str, int]):
    """The number of each word's stem, given out when a word is first met; kept from chunk to chunk.

    Not for use from several threads at once.

    Attributes:
        terms: The stems by their numbers.
    """

    def __init__(self) -> None:
        """Start with no word known."""
        super().__init__()
        self._stem = Stems()
        self._ids: dict[str, int] = {}
        self.terms: list[str] = []

    def __missing__(self, word: str) -> int:
        stem = self._stem[word]
        number = self._ids.get(stem)
        if number is None:
            number = self._ids[stem] = len(self.terms)
            self.terms.append(stem)
        self[word] = number
        return number

    def forget_if_large(self) -> None:
        """Begin anew where so many words are known that they take too much room; numbers then lose their meaning."""
        if len(self) > MAX_KEPT_WORDS:
            self.clear()
            self._ids.clear()
            self.terms.clear()


def index_messages(fields_by_message: Sequence[Sequence[str]], vocabulary: Vocabulary) -> tuple[Postings, Uint32s]:
    """Index messages whose fields are subject, people, new text, quoted text and attachment names.

    Returns:
        The postings, and the length of each message in words.
    """
    vocabulary.forget_if_large()
    read = vocabulary.__getitem__
    found: list[int] = []
    counts: list[int] = []
    long_texts: dict[int, int] = {}
    for fields in fields_by_message:
        for text in fields:
            if len(text) > MAX_WHOLE_CHARACTERS:
                kept, long_texts[len(counts)] = _count_long(text, vocabulary)
                found.extend(kept)
                counts.append(len(kept))
                continue
            words = words_of(text) if text else ()
            found.extend(map(read, words))
            counts.append(len(words))
    by_field = np.array(counts, np.int64)
    docs = np.repeat(np.arange(len(fields_by_message)), len(FIELD_WEIGHTS_QUARTERS))
    weights = np.tile(np.array(FIELD_WEIGHTS_QUARTERS, np.int64), len(fields_by_message))
    keys = np.array(found, np.int64) << (_DOC_BITS + _FIELD_BITS)
    keys |= np.repeat(docs << _FIELD_BITS | weights, by_field)
    keys.sort()
    pairs = keys >> _FIELD_BITS
    firsts = np.flatnonzero(np.diff(pairs, prepend=-1))
    sums = np.add.reduceat(keys & ((1 << _FIELD_BITS) - 1), firsts) if len(firsts) else firsts
    pairs = pairs[firsts]
    numbers = pairs >> _DOC_BITS
    is_first = np.diff(numbers, prepend=-1) != 0
    terms = [vocabulary.terms[number] for number in numbers[is_first].tolist()]
    term_ids = np.cumsum(is_first) - 1
    by_field[list(long_texts)] = list(long_texts.values())
    lengths = by_field.reshape(-1, len(FIELD_WEIGHTS_QUARTERS)).sum(axis=1).astype(np.uint32)
    doc_mask = (1 << _DOC_BITS) - 1
    return _pack(terms, term_ids, pairs & doc_mask, np.minimum(sums, MAX_WEIGHT_QUARTERS)), lengths


def _count_long(text: str, vocabulary: Vocabulary) -> tuple[list[int], int]:
    """Read a long text piece by piece, in little memory.

    Returns:
        The number of each word's stem, as often as it stands there but for what no weight could count; and how many
        words there are.
    """
    times: Counter[int] = Counter()
    start, words_in_all = 0, 0
    while start < len(text):
        end = start + MAX_WHOLE_CHARACTERS
        blank = _BLANK.search(text, end, end + MAX_WORD_CHARACTERS)
        end = blank.start() if blank is not None else end
        words = words_of(text[start:end])
        times.update(map(vocabulary.__getitem__, words))
        words_in_all += len(words)
        start = end
    return [number for number, count in times.items() for _ in range(min(count, MAX_WEIGHT_QUARTERS))], words_in_all


def merge(pieces: Iterable[tuple[int, Postings]]) -> Postings:
    """Put pieces together; each comes with the offset of its first message in the whole.

    Raises:
        ValueError: The whole would have more than 65,536 messages.
    """
    ids: dict[str, int] = {}
    keys = []
    for offset, piece in pieces:
        if len(piece) and offset + int(piece.docs.max()) >= MAX_MESSAGES:
            raise ValueError(f"a piece of the index holds at most {MAX_MESSAGES} messages")
        local = np.array([ids.setdefault(term, len(ids)) for term in piece.terms], np.int64)
        term_ids = np.repeat(local, np.diff(piece.starts))
        key = (term_ids << _DOC_BITS | (piece.docs.astype(np.int64) + offset)) << _WEIGHT_BITS
        keys.append(key | piece.weights)
    if not keys:
        return Postings([], np.zeros(1, np.uint32), np.zeros(0, np.uint16), np.zeros(0, np.uint8))
    whole = np.concatenate(keys)
    shift = _DOC_BITS + _WEIGHT_BITS
    term_ids, terms = _in_order(list(ids), whole >> shift)
    whole = term_ids << shift | (whole & ((1 << shift) - 1))
    whole.sort()
    docs = whole >> _WEIGHT_BITS & ((1 << _DOC_BITS) - 1)
    return _pack(terms, whole >> shift, docs, whole & ((1 << _WEIGHT_BITS) - 1))


def _in_order(terms: list[str], term_ids: NDArray[np.int64]) -> tuple[NDArray[np.int64], list[str]]:
    """Sort the terms, and number the postings by their places in that order."""
    order = sorted(range(len(terms)), key=terms.__getitem__)
    places = np.empty(len(terms), np.int64)
    places[order] = np.arange(len(terms))
    return places[term_ids], [terms[index] for index in order]


def _pack(
    terms: list[str], term_ids: NDArray[np.int64], docs: NDArray[np.int64], weights: NDArray[np.integer]
) -> Postings:
    """Make a piece of postings in order of term and message, leaving out terms that have none."""
    counts = np.bincount(term_ids, minlength=len(terms))
    used = np.flatnonzero(counts)
    starts = np.zeros(len(used) + 1, np.uint32)
    np.cumsum(counts[used], out=starts[1:])
    kept = terms if len(used) == len(terms) else [terms[index] for index in used.tolist()]
    return Postings(kept, starts, docs.astype(np.uint16), weights.astype(np.uint8))
