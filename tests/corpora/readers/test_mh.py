from mailgym.corpora.readers.mh import read_sequences


def test_sequences_give_flags_and_labels():
    sequences = read_sequences(b"cur: 4\nunseen: 2-3 9\nreplied: 1\nFlagged: 1-2\ntodo: 1\nnot a sequence\n: 5\n")
    assert sequences.marks(1) == (("seen", "answered", "flagged"), ("todo",))
    assert sequences.marks(2) == (("flagged",), ())
    assert sequences.marks(4) == (("seen",), ())
    assert sequences.marks(9) == ((), ())


def test_without_a_sequence_of_unseen_all_is_seen():
    assert read_sequences(b"").marks(7) == (("seen",), ())
