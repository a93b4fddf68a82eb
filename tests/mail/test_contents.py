import hashlib
from concurrent.futures import ThreadPoolExecutor

import pytest
import zstandard
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


def test_several_threads_unpack_at_once():
    raws = [hashlib.sha256(str(number).encode()).digest() * 300 + str(number).encode() for number in range(600)]
    dictionary = train_dictionary(raws)
    assert dictionary
    packer = Packer(dictionary)
    blobs = [packer.pack(Contents(f"t{n}" * 500, f"n{n}" * 500, "q", raw)) for n, raw in enumerate(raws)]
    unpacker = Unpacker({dictionary_id(dictionary): dictionary})

    def wrong(first):
        places = [place for place in range(first, 600, 5) for _ in range(8)]
        return [place for place in places if unpacker.unpack(blobs[place]).raw != raws[place]]

    with ThreadPoolExecutor(6) as pool:
        assert not any(pool.map(wrong, range(6)))


def test_of_a_large_message_only_the_text_is_unpacked():
    contents = Contents("hello", "hello", "> bye", bytes(5_000_000))
    blob = Packer().pack(contents)
    unpacker = Unpacker({})
    assert unpacker.unpack(blob) == contents
    whole = zstandard.ZstdDecompressor().decompress(blob[12:])
    damaged_at_the_end = blob[:12] + zstandard.ZstdCompressor(level=1).compress(whole)[:-20]
    for one in (blob, damaged_at_the_end):
        assert unpacker.texts(one) == ("hello", "hello", "> bye")
        assert unpacker.shown_text(one, 3) == "hel"
    with pytest.raises(StoreError, match="damaged"):
        unpacker.unpack(damaged_at_the_end)
    with pytest.raises(StoreError, match="damaged"):
        unpacker.texts(blob[:30])
