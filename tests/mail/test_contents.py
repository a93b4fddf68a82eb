import pytest
from hypothesis import given
from hypothesis import strategies as st

from mailgym.core.errors import StoreError
from mailgym.mail.contents import LEAST_SAMPLES, Contents, Packer, Unpacker, dictionary_id, train_dictionary

TEXT = st.text(st.characters(exclude_categories=["Cs"]))
SAMPLES = [
    f"From: person{n}@x.example\nSubject: about matter {n * n}\n\nDear all, number {n}.\n".encode() for n in range(900)
]


@given(TEXT, TEXT, TEXT, st.binary())
def test_what_was_packed_comes_out(text, new_text, quoted_text, raw):
    for contents in (Contents(text, new_text, quoted_text, raw), Contents(new_text, new_text, quoted_text, raw)):
        assert Unpacker({}).unpack(Packer().pack(contents)) == contents


def test_a_dictionary_saves_room_and_is_needed_again():
    dictionary = train_dictionary(SAMPLES)
    contents = Contents("Dear all", "Dear all", "", SAMPLES[3])
    packed = Packer(dictionary).pack(contents)
    assert len(packed) < len(Packer().pack(contents)) / 1.5
    assert Unpacker({dictionary_id(dictionary): dictionary}).unpack(packed) == contents
    with pytest.raises(StoreError, match="import its mail again"):
        Unpacker({}).unpack(packed)


def test_few_or_empty_samples_train_no_dictionary():
    assert train_dictionary(SAMPLES[: LEAST_SAMPLES - 1]) == b""
    assert train_dictionary([b""] * 1000) == b""
    assert dictionary_id(b"") == 0
    assert Unpacker({}).unpack(Packer(b"").pack(Contents("a", "a", "b", b"c"))).quoted_text == "b"


def test_the_shown_text_is_what_is_new_or_else_what_is_quoted():
    packer, unpacker = Packer(), Unpacker({})
    assert unpacker.shown_text(packer.pack(Contents("n q", "né", "q", b"")), 2) == "n"
    assert unpacker.shown_text(packer.pack(Contents("q", "", "quoted", b"")), 100) == "quoted"


@pytest.mark.parametrize("damage", [lambda b: b[:5], lambda b: b[:-3], lambda b: b[:12] + b"x" * 20])
def test_damage_is_told(damage):
    packed = Packer().pack(Contents("t" * 100, "n", "q", b"raw" * 50))
    with pytest.raises(StoreError, match="damaged"):
        Unpacker({}).unpack(damage(packed))
