"""Strategies for raw mails: well-formed, odd and damaged ones, built as mail is built."""

import base64
import binascii
import codecs

from hypothesis import strategies as st

WORDS = [
    "storage",
    "contract",
    "Whitfield",
    "deadline",
    "größer",
    "日本語",
    "=?utf-8?q?x?=",
    "-- ",
    ">",
    "http://x.example",
]
CHARSETS = [
    "us-ascii",
    "utf-8",
    "iso-8859-1",
    "koi8-r",
    "gb2312",
    "utf-7",
    "utf-16",
    "iso-2022-jp",
    "x-unknown",
    "no such",
    "",
]
ENCODINGS = ["7bit", "8bit", "quoted-printable", "base64", "x-uuencode", "binary", "nonsense", ""]
TYPES = [
    "text/plain",
    "text/html",
    "text/enriched",
    "text/calendar",
    "text/x-odd",
    "application/pdf",
    "application/ms-tnef",
]
CONTAINERS = ["mixed", "alternative", "related", "report", "digest", "signed", "parallel"]
LINE_ENDS = [b"\n", b"\r\n", b"\r", b"\r\r\n"]

lines = st.lists(st.sampled_from(WORDS), max_size=6).map(" ".join)
texts = st.lists(lines, max_size=6).map("\n".join)
dates = st.sampled_from(
    ["Mon, 14 May 2001 10:00:00 -0700", "14 May 01", "soon", "Mon, 32 Foo", "Mon, 14 May 101 10:00 XYZ", ""]
)
people = st.sampled_from(
    [
        "Dana <d@x.example>",
        "Ray, Bob <b@x.example>",
        '"R, B" <b@x.example>',
        "Team: a@x, b@x;",
        "<@r:a@x>",
        "a (b) @x",
        '"',
        "",
    ]
)
values = st.one_of(people, dates, lines, st.text(max_size=20))
NAMES = ["From", "To", "Cc", "Bcc", "Date", "Subject", "Message-ID", "In-Reply-To", "References", "Received", "Sender"]
names = st.sampled_from([*NAMES, "X-From", "Content-Disposition"])
headers = st.lists(st.tuples(names, values), max_size=8).map(lambda pairs: "".join(f"{n}: {v}\n" for n, v in pairs))


def encoded(text: str, charset: str, encoding: str) -> bytes:
    """Write a text in a charset and a transfer encoding, or as it is where there is none of that name."""
    try:
        codecs.lookup(charset)
        data = text.encode(charset, errors="replace")
    except LookupError:
        data = text.encode()
    if encoding == "base64":
        return base64.encodebytes(data)
    if encoding == "quoted-printable":
        return binascii.b2a_qp(data)
    if encoding == "x-uuencode":
        return b"begin 644 a.txt\n" + binascii.b2a_uu(data[:45]) + b"`\nend\n"
    return data


@st.composite
def leaves(draw: st.DrawFn) -> bytes:
    """Draw a part without parts."""
    charset, encoding = draw(st.sampled_from(CHARSETS)), draw(st.sampled_from(ENCODINGS))
    name = draw(
        st.sampled_from(["", '; name="a b.txt"', "; name*=utf-8''%C3%A9.doc", "; format=flowed; delsp=yes", "; name="])
    )
    disposition = draw(st.sampled_from(["", "inline", "attachment", 'attachment; filename="x.bin"', ";;"]))
    head = f"Content-Type: {draw(st.sampled_from(TYPES))}; charset={charset}{name}\n"
    head += f"Content-Transfer-Encoding: {encoding}\n" + (
        f"Content-Disposition: {disposition}\n" if disposition else ""
    )
    return head.encode() + b"\n" + encoded(draw(texts), charset, encoding)


@st.composite
def containers(draw: st.DrawFn, inner: st.SearchStrategy[bytes]) -> bytes:
    """Draw a part with parts, its boundary told, untold or never closed."""
    if draw(st.integers(min_value=0, max_value=4)) == 0:
        return b"Content-Type: message/rfc822\n\n" + draw(headers).encode("utf-8", "replace") + draw(inner)
    boundary = draw(st.sampled_from(["b", "=_1", "b b", "b--"]))
    told = draw(st.sampled_from([f'; boundary="{boundary}"', f"; boundary={boundary}", "", "; boundary=other"]))
    head = f"Content-Type: multipart/{draw(st.sampled_from(CONTAINERS))}{told}\n\n".encode()
    parts = draw(st.lists(inner, max_size=4))
    body = b"".join(b"--" + boundary.encode() + b"\n" + part + b"\n" for part in parts)
    closing = draw(st.sampled_from([f"--{boundary}--\n", "", f"--{boundary}\n"])).encode()
    return head + draw(st.sampled_from([b"", b"before\n"])) + body + closing + draw(st.sampled_from([b"", b"behind\n"]))


@st.composite
def mails(draw: st.DrawFn) -> bytes:
    """Draw a whole mail; one in a few is damaged."""
    part = draw(st.recursive(leaves(), containers, max_leaves=6))
    raw = bytearray(draw(headers).encode("utf-8", errors="replace") + part)
    for _ in range(draw(st.integers(min_value=0, max_value=6)) // 3):
        if raw:
            start = draw(st.integers(min_value=0, max_value=len(raw) - 1))
            raw[start : start + draw(st.integers(min_value=0, max_value=4))] = draw(st.binary(max_size=4))
    return bytes(raw).replace(b"\n", draw(st.sampled_from(LINE_ENDS)))
