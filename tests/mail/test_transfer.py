import base64
import binascii

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mailgym.mail.transfer import decode_transfer, decode_uu


def read(body: bytes, encoding: str) -> tuple[bytes, list[str]]:
    defects: list[str] = []
    return decode_transfer(body, encoding, defects), defects


@pytest.mark.parametrize(
    ("body", "encoding", "content"),
    [
        (b"as it stands =41", "", b"as it stands =41"),
        (b"as it stands", "8bit", b"as it stands"),
        (b"a=3D=C3=A9 soft=\nbreak", "quoted-printable", b"a=\xc3\xa9 softbreak"),
        (b"lower =c3=a9", "quoted-printable", b"lower \xc3\xa9"),
        (b"soft= \nbreak=\t\nagain=", "quoted-printable", b"softbreakagain"),
        (b"aGVsbG8gd29ybGQ=\n", "base64", b"hello world"),
        (b"aGVs\nbG8g\n\n d29ybGQ= \n", "base64", b"hello world"),
        (b"", "base64", b""),
        (b"\n", "base64", b""),
        (b"aGVsbG8=", '"base64"', b"hello"),
        (b"aGVsbG8=", "base64; x=y", b"hello"),
        (b"begin 644 x.txt\n%:&5L;&\\ \n`\nend\n", "x-uuencode", b"hello"),
    ],
)
def test_encodings(body, encoding, content):
    assert read(body, encoding) == (content, [])


@pytest.mark.parametrize(
    ("body", "encoding", "content", "defect"),
    [
        (b"50 = half, =ZZ, =C3=A9", "quoted-printable", b"50 = half, =ZZ, \xc3\xa9", "quoted-printable is damaged"),
        (b"ends in =4", "quoted-printable", b"ends in =4", "quoted-printable is damaged"),
        (b"aGVsbG8gd29ybG", "base64", b"hello worl", "base64 is damaged"),
        (b"aGVsbG8gd29ybGQ=QQQ", "base64", b"hello worldA\x04", "base64 is damaged"),
        (b"aGVs!bG8gd29ybGQ=", "base64", b"aGVs!bG8gd29ybGQ=", "base64 is damaged"),
        (b"aGVsbG8=\naGVsbG8=\n", "base64", b"hellohello", "base64 is damaged"),
        (b"aGVsbG8gd29ybGQ= trailing", "base64", b"hello world", "base64 is damaged"),
        (b"this is plain text\nof two lines", "base64", b"this is plain text\nof two lines", "base64 is damaged"),
        (b"Hello\nthis is plain text", "base64", b"Hello\nthis is plain text", "base64 is damaged"),
        (b"what", "x-nobody-knows", b"what", "transfer encoding could not be read: taken as it stands"),
        (b"no begin line", "uuencode", b"no begin line", "transfer encoding could not be read: taken as it stands"),
    ],
)
def test_damage_is_named_and_what_decodes_is_kept(body, encoding, content, defect):
    assert read(body, encoding) == (content, [defect])


def test_a_list_footer_behind_base64_is_kept_as_text():
    text = b"a long enough text to fill more than one line of base64, as mail has it, over and over"
    footer = b"_______\nlist mailing list\nhttps://lists.example/mailman\n" * 5
    content, defects = read(base64.encodebytes(text) + b"\n" + footer, "base64")
    assert content == text + b"\n" + footer.strip()
    assert defects == ["base64 is damaged"]


@given(st.binary(max_size=300))
def test_what_was_encoded_comes_back(content):
    assert read(base64.encodebytes(content), "base64") == (content, [])
    assert read(binascii.b2a_qp(content, quotetabs=True, istext=False), "quoted-printable") == (content, [])


@given(st.binary(max_size=200), st.sampled_from(["base64", "quoted-printable", "x-uuencode"]))
def test_no_bytes_break_it(body, encoding):
    assert isinstance(read(body, encoding)[0], bytes)


@given(st.binary(min_size=1, max_size=300))
def test_uuencoded_lines_come_back_and_the_text_behind_them_is_found(content):
    lines = b"".join(binascii.b2a_uu(content[start : start + 45]) for start in range(0, len(content), 45))
    data = lines + b"`\nend\nbehind"
    assert decode_uu(data, 0) == (content, len(data) - len(b"behind"))


def test_prose_is_not_taken_for_uuencoded_lines():
    assert decode_uu(b"Hello there, this is prose.\nend\n", 0) is None
    assert decode_uu(b"", 0) is None
    assert decode_uu(b"#0V%T\n", 0) is None  # one line without an end proves nothing
    two = b"#0V%T\n#0V%T\nprose behind"
    assert decode_uu(two, 0) == (b"CatCat", two.index(b"prose"))
