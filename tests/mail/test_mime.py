import email
import email.policy

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.timing import computed_soon

from mailgym.mail.mime import likely_boundary, read_media, read_part, split_multipart, with_lf


def head(data: bytes) -> tuple[dict[str, list[str]], bytes, list[str]]:
    defects: list[str] = []
    part = read_part(data, defects)
    return part.headers, part.body, defects


@pytest.mark.parametrize(
    ("data", "headers", "body"),
    [
        (b"A: 1\nB: 2\n\nbody\n\nmore", {"a": ["1"], "b": ["2"]}, b"body\n\nmore"),
        (b"A: 1\n two\n\tthree\nA:4\n\n", {"a": ["1 two\tthree", "4"]}, b""),
        (b"A : 1\nB:\n\nbody", {"a": ["1"], "b": [""]}, b"body"),
        (b"\nbody only", {}, b"body only"),
        (b"A: 1", {"a": ["1"]}, b""),
        (b"A: 1\n", {"a": ["1"]}, b""),
        (b"", {}, b""),
        (b"From x@y Mon May 14 10:00:00 2001\nA: 1\n\nbody", {"a": ["1"]}, b"body"),
        (b">From x\nA: 1\n\nbody", {"a": ["1"]}, b"body"),
        (b"A: 1\n \n\nbody", {"a": ["1 "]}, b"body"),
        (b"A: 1\n \nSubject: 2\n\nbody", {"a": ["1 "], "subject": ["2"]}, b"body"),
        ("A: é\n\nü".encode(), {"a": ["é"]}, "ü".encode()),
        (b"A: \xe9\n\n", {"a": ["\udce9"]}, b""),
    ],
)
def test_heads_and_bodies_are_told_apart(data, headers, body):
    assert head(data) == (headers, body, [])


@pytest.mark.parametrize(
    ("data", "headers", "body", "defect"),
    [
        (
            b"Subject: a\nlost its space\nTo: b@x\n\nbody",
            {"subject": ["a lost its space"], "to": ["b@x"]},
            b"body",
            "a line among the headers is none",
        ),
        (
            b"junk first\nSubject: a\n\nbody",
            {"subject": ["a"]},
            b"junk first\n\nbody",
            "a line among the headers is none",
        ),
        (
            b"Subject: a\nDear Dana,\nNote: this is text\n\nmore",
            {"subject": ["a"]},
            b"Dear Dana,\nNote: this is text\n\nmore",
            "no empty line between headers and body",
        ),
    ],
)
def test_what_is_no_header_is_not_lost(data, headers, body, defect):
    assert head(data) == (headers, body, [defect])


def test_text_without_headers_is_all_body():
    assert head(b"just words\nand: more\n\nwords") == ({}, b"just words\nand: more\n\nwords", [])


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        (b"a\nb\n", b"a\nb\n"),
        (b"a\r\nb\r\n", b"a\nb\n"),
        (b"a\rb\r\rc", b"a\nb\n\nc"),
        (b"a\r\r\nb\r\r\n", b"a\nb\n"),
        (b"a\rb\n", b"a\rb\n"),
    ],
)
def test_line_ends_become_lf(raw, expected):
    assert with_lf(raw) == expected


@pytest.mark.parametrize(
    ("value", "main", "parameters"),
    [
        ("text/plain", "text/plain", {}),
        ("Text/PLAIN; Charset=UTF-8", "text/plain", {"charset": "UTF-8"}),
        ('text/plain; charset="utf-8"; format=flowed', "text/plain", {"charset": "utf-8", "format": "flowed"}),
        ("text/plain;charset = utf-8 ; x=1", "text/plain", {"charset": "utf-8", "x": "1"}),
        ("text/plain;; charset=utf-8;", "text/plain", {"charset": "utf-8"}),
        ("text/plain (a comment); charset=utf-8 (another)", "text/plain", {"charset": "utf-8"}),
        ('multipart/mixed; boundary="a;b (c) \\"d\\""', "multipart/mixed", {"boundary": 'a;b (c) "d"'}),
        ("multipart/mixed boundary=abc", "multipart/mixed", {"boundary": "abc"}),
        ('multipart/mixed\tboundary="a b" x=y', "multipart/mixed", {"boundary": "a b", "x": "y"}),
        ('a/b; name="never closed', "a/b", {"name": "never closed"}),
        ("a/b; name=plan for june.doc; x=1", "a/b", {"name": "plan for june.doc", "x": "1"}),
        ('a/b; name="C:\\temp\\a.doc"', "a/b", {"name": "C:\\temp\\a.doc"}),
        ("a/b; name=one; name=two", "a/b", {"name": "one"}),
        ("attachment; filename*=utf-8''caf%C3%A9%20menu.txt", "attachment", {"filename": "café menu.txt"}),
        ("attachment; filename*=iso-8859-1'fr'caf%E9.txt", "attachment", {"filename": "café.txt"}),
        ("attachment; filename*=nosuch''caf%E9.txt", "attachment", {"filename": "café.txt"}),
        ("attachment; filename*=plain.txt", "attachment", {"filename": "plain.txt"}),
        ('a; filename*0="one "; filename*1=two; filename*2=".txt"', "a", {"filename": "one two.txt"}),
        ("a; filename*1*=%A9.txt; filename*0*=utf-8''caf%C3", "a", {"filename": "café.txt"}),
        ("a; filename*0*=utf-8''%C3%A9; filename*1=%41.txt", "a", {"filename": "é%41.txt"}),
        ("a; filename*x=1", "a", {"filename*x": "1"}),
        ("", "", {}),
        (";", "", {}),
        (" = ", "=", {}),
    ],
)
def test_values_with_parameters(value, main, parameters):
    media = read_media(value)
    assert (media.value, dict(media.parameters)) == (main, parameters)


@pytest.mark.parametrize("piece", ['\\";', "(", "x=", ' ="', ";a=b", "*0=", '"', "=?"])
def test_parameters_without_end_take_no_long_time(piece):
    computed_soon(lambda: read_media('text/plain; a="' + piece * 100_000), 1.0)
    computed_soon(lambda: read_media("text/plain " + piece * 100_000), 1.0)


@pytest.mark.parametrize(
    ("value", "media", "defects"),
    [
        ("text", "text/plain", []),
        ("", "text/plain", []),
        ("nonsense", "text/plain", ["content type could not be read: taken as text"]),
        ("a/b/c", "text/plain", ["content type could not be read: taken as text"]),
        ("application/PDF", "application/pdf", []),
    ],
)
def test_content_types_that_are_none_are_text(value, media, defects):
    found: list[str] = []
    assert read_part(f"Content-Type: {value}\n\n".encode(), found).media.value == media
    assert found == defects


def split(body: bytes, boundary: str = "b") -> tuple[bytes, list[bytes], bytes, list[str]]:
    defects: list[str] = []
    found = split_multipart(body, boundary, defects)
    return found.preamble, found.parts, found.epilogue, defects


NOT_CLOSED = ["multipart is not closed"]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (b"pre\n--b\none\n--b\ntwo\n--b--\npost", (b"pre", [b"one", b"two"], b"post", [])),
        (b"--b\none\n--b--", (b"", [b"one"], b"", [])),
        (b"--b  \none\n\n--b--\t\n", (b"", [b"one\n"], b"", [])),
        (b"--b\n--b\n\n--b--\n", (b"", [b"", b""], b"", [])),
        (b"--b\none\n--bb\nstill\n--b--", (b"", [b"one\n--bb\nstill"], b"", [])),
        (b"--b\none --b\nstill", (b"", [b"one --b\nstill"], b"", NOT_CLOSED)),
        (b"--b\none", (b"", [b"one"], b"", NOT_CLOSED)),
        (b"--b", (b"", [b""], b"", NOT_CLOSED)),
        (b"--b\none\n--b--\npost\n--b\ntwo\n--b--", (b"", [b"one", b"two"], b"post\n", [])),
        (b"no boundary", (b"no boundary", [], b"", [])),
        (b"", (b"", [], b"", [])),
        (b"--b--\npost", (b"", [], b"post", [])),
    ],
)
def test_multiparts_are_split_at_their_boundary(body, expected):
    assert split(body) == expected


def test_boundaries_may_hold_anything():
    assert split("--ü +?\none\n--ü +?--".encode(), "ü +?")[1] == [b"one"]
    assert split(b"--a\xe9\none\n--a\xe9--", "a\udce9")[1] == [b"one"]


def test_a_boundary_that_is_not_told_is_found_before_headers():
    assert likely_boundary(b"pre\n--=_abc 1\n--=_abc\nContent-Type: text/plain\n\nx") == "=_abc"
    assert likely_boundary(b"-- \nDana\n--\n") == ""


names = st.text(alphabet="ABCxyz-", min_size=1, max_size=8)
values = st.text(alphabet="ab :;=é\"'<>", max_size=20).map(str.strip)
lines = st.text(alphabet="ab c-:=", max_size=20)


@given(st.lists(st.tuples(names, values), min_size=1, max_size=5), st.lists(lines, max_size=5))
def test_well_formed_heads_are_read_as_the_standard_library_reads_them(pairs, body):
    raw = "".join(f"{name}: {value}\n" for name, value in pairs).encode() + b"\n" + "\n".join(body).encode()
    theirs = email.message_from_bytes(raw, policy=email.policy.compat32)
    headers, ours, defects = head(raw)
    expected: dict[str, list[str]] = {}
    for name, value in theirs.raw_items():
        text = str(value).encode("utf-8", errors="surrogateescape").decode("utf-8")
        expected.setdefault(name.lower(), []).append(text)
    assert headers == expected
    assert ours == "\n".join(body).encode()
    assert defects == []


@given(st.lists(st.text(alphabet="ab c-\n", max_size=20), min_size=1, max_size=4), st.text(alphabet="ab\n", max_size=9))
def test_well_formed_multiparts_are_split_as_the_standard_library_splits_them(parts, around):
    inside = "".join(f"--limit\n\n{part}\n" for part in parts)
    raw = f"Content-Type: multipart/mixed; boundary=limit\n\n{around}\n{inside}--limit--\n{around}".encode()
    theirs = email.message_from_bytes(raw, policy=email.policy.compat32)
    ours = split(read_part(raw, []).body, "limit")
    assert [b"\n" + part.get_payload().encode() for part in theirs.get_payload()] == ours[1]


@given(st.binary(max_size=200), st.text(max_size=5))
def test_no_bytes_break_it(data, boundary):
    defects: list[str] = []
    part = read_part(with_lf(data), defects)
    split_multipart(part.body, boundary.encode("utf-8", "ignore").decode(), defects)
    read_media(boundary)
    likely_boundary(data)
