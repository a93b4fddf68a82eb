from collections import defaultdict

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mailgym.mail.postings import (
    FIELD_WEIGHTS_QUARTERS,
    MAX_WEIGHT_QUARTERS,
    Postings,
    Vocabulary,
    index_messages,
    merge,
    split_row,
)
from mailgym.mail.segments import pack_postings, unpack_postings
from mailgym.mail.terms import stem_words, words_of

WORDS = st.lists(st.sampled_from(["gas", "Gases", "june", "é", "7", "x-y"]), max_size=6).map(" ".join)
MESSAGES = st.lists(st.tuples(*[WORDS] * 5), max_size=8)


def as_dict(postings: Postings) -> dict[str, dict[int, int]]:
    found = {}
    for term, row in postings.rows():
        docs, weights = split_row(row)
        assert list(docs) == sorted(set(docs.tolist()))
        found[term] = dict(zip(docs.tolist(), weights.tolist(), strict=True))
    return found


def by_hand(messages) -> dict[str, dict[int, int]]:
    found = defaultdict(lambda: defaultdict(int))
    for doc, fields in enumerate(messages):
        for text, weight in zip(fields, FIELD_WEIGHTS_QUARTERS, strict=True):
            for stem in stem_words(words_of(text)):
                found[stem][doc] = min(found[stem][doc] + weight, MAX_WEIGHT_QUARTERS)
    return {term: dict(docs) for term, docs in found.items()}


def test_a_small_index_by_hand():
    postings, lengths = index_messages(
        [("Meetings", "Bob", "hello meeting", "", ""), ("", "", "", "meet", "a.pdf")], Vocabulary()
    )
    assert as_dict(postings) == {
        "a": {1: 4}, "bob": {0: 6}, "hello": {0: 4}, "meet": {0: 14, 1: 1}, "pdf": {1: 4},
    }  # fmt: skip
    assert lengths.tolist() == [4, 3]


def test_frequencies_are_bounded():
    postings, lengths = index_messages([("w " * 1000, "", "", "", "")], Vocabulary())
    assert as_dict(postings) == {"w": {0: 255}}
    assert lengths.tolist() == [1000]


@given(MESSAGES)
def test_postings_are_the_weighted_frequencies(messages):
    postings, _ = index_messages(messages, Vocabulary())
    assert as_dict(postings) == by_hand(messages)
    assert len(postings) == sum(map(len, by_hand(messages).values()))


@given(MESSAGES, st.data())
def test_selecting_messages_is_indexing_them_alone(messages, data):
    keep = data.draw(st.lists(st.booleans(), min_size=len(messages), max_size=len(messages)))
    postings, _ = index_messages(messages, Vocabulary())
    kept = [message for message, is_kept in zip(messages, keep, strict=True) if is_kept]
    assert as_dict(postings.select(np.array(keep, bool))) == by_hand(kept)


@given(st.lists(MESSAGES, max_size=4))
def test_merging_pieces_is_indexing_all(pieces):
    offsets = [sum(map(len, pieces[:index])) for index in range(len(pieces))]
    merged = merge(
        (offset, unpack_postings(pack_postings(index_messages(piece, Vocabulary())[0])))
        for offset, piece in zip(offsets, pieces, strict=True)
    )
    assert as_dict(merged) == by_hand([message for piece in pieces for message in piece])
    assert merged.terms == sorted(merged.terms)


def test_a_piece_holds_no_more_messages_than_its_numbers_can_name():
    postings, _ = index_messages([("a", "", "", "", "")], Vocabulary())
    assert as_dict(merge([(65_535, postings)])) == {"a": {65_535: 10}}
    with pytest.raises(ValueError, match="65536"):
        merge([(65_536, postings)])


def test_a_vocabulary_that_is_kept_or_forgotten_changes_nothing(monkeypatch):
    monkeypatch.setattr("mailgym.mail.postings.MAX_KEPT_WORDS", 3)
    vocabulary = Vocabulary()
    for number in range(6):
        messages = [(f"alpha w{number}", "beta", "", "", ""), (f"w{number - 1} gamma", "", "", "", "")]
        assert as_dict(index_messages(messages, vocabulary)[0]) == by_hand(messages)
        assert len(vocabulary) <= 3 + 5


def test_a_long_text_is_indexed_piece_by_piece_as_it_would_be_whole(monkeypatch):
    words = [f"word{number % 70}" for number in range(3_000)] + ["caf\u00e9", "x" * 200, "漢字", "end"]
    fields = [("Subject here", "Dana dana@x.example", " ".join(words), "> often " * 400, "")]
    whole, whole_lengths = index_messages(fields, Vocabulary())
    monkeypatch.setattr("mailgym.mail.postings.MAX_WHOLE_CHARACTERS", 500)
    pieces, lengths = index_messages(fields, Vocabulary())
    assert dict(pieces.rows()) == dict(whole.rows())
    assert lengths.tolist() == whole_lengths.tolist() == [2 + 4 + 3_000 + 5 + 400]
