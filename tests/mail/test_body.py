import base64
import struct
from collections import Counter

import pytest

from mailgym.mail.body import MAX_DEPTH, Content
from mailgym.mail.message import Attachment, Message
from mailgym.mail.mime import Part
from mailgym.mail.parse import parse_message


def read(text: str | bytes) -> Message:
    raw = text.encode() if isinstance(text, str) else text
    return parse_message(b"From: a@x.example\nMessage-ID: <a@x>\nDate: 14 May 2001 10:00:00 +0000\n" + raw)


def multipart(kind: str, *parts: str, closing: str = "--b--\n") -> str:
    inside = "".join(f"--b\n{part}\n" for part in parts)
    return f"Content-Type: multipart/{kind}; boundary=b\n\n{inside}{closing}"


PLAIN = "Content-Type: text/plain\n\nplain words"
HTML = "Content-Type: text/html\n\n<p>html words</p>"
PICTURE = "Content-Type: image/png; name=logo.png\nContent-Transfer-Encoding: base64\n\nAAAA"
TNEF = struct.pack("<IH", 0x223E9F78, 1) + b"".join(
    struct.pack("<BII", 2, number, len(content)) + content + b"\0\0"
    for number, content in (
        (0x0002800C, b"body text\0"),
        (0x00069002, b""),
        (0x00018010, b"plan.doc\0"),
        (0x0006800F, b"12345"),
    )
)


def test_an_unclosed_multipart_is_read_to_its_end():
    message = read(multipart("mixed", PLAIN, PICTURE, closing=""))
    assert message.text == "plain words"
    assert message.attachments == (Attachment("logo.png", "image/png", 3),)
    assert message.defects == ("multipart is not closed",)


def test_a_multipart_without_its_boundary_is_text():
    message = read("Content-Type: multipart/mixed; boundary=never\n\njust words")
    assert message.text == "just words"
    assert message.defects == ("multipart without its boundary: taken as text",)
    assert read("Content-Type: multipart/mixed\n\njust words").text == "just words"


@pytest.mark.parametrize("told", ["", "; boundary=other", '; boundary=""'])
def test_a_boundary_that_is_wrong_is_guessed(told):
    message = read(f"Content-Type: multipart/mixed{told}\n\n--=_1\n{PLAIN}\n--=_1\n{PICTURE}\n--=_1--\n")
    assert message.text == "plain words"
    assert [file.file_name for file in message.attachments] == ["logo.png"]


def test_a_multipart_that_is_encoded_as_a_whole_is_decoded():
    inside = base64.encodebytes(f"--b\n{PLAIN}\n--b--\n".encode()).decode()
    assert (
        read(f"Content-Type: multipart/mixed; boundary=b\nContent-Transfer-Encoding: base64\n\n{inside}").text
        == "plain words"
    )


def test_text_outside_the_parts_counts_where_there_is_none_inside():
    lost = read(f"Content-Type: multipart/mixed; boundary=b\n\nSee the picture.\n--b\n{PICTURE}\n--b--\nBest, Dana\n")
    assert lost.text == "See the picture.\n\nBest, Dana"
    assert "text stands outside the parts" in lost.defects
    note = "This is a multi-part message in MIME format."
    assert read(f"Content-Type: multipart/mixed; boundary=b\n\n{note}\n--b\n{PICTURE}\n--b--\n").text == ""
    assert read(f"Content-Type: multipart/mixed; boundary=b\n\nnoise\n--b\n{PLAIN}\n--b--\nnoise").text == "plain words"


def test_of_an_alternative_one_form_is_shown():
    assert read(multipart("alternative", PLAIN, HTML)).text == "plain words"
    assert read(multipart("alternative", HTML)).text == "html words"
    assert read(multipart("alternative", "Content-Type: text/plain\n\n \n", HTML)).text == "html words"
    assert read(multipart("alternative", HTML, "Content-Type: text/plain\n\n")).text == "html words"
    assert read(multipart("alternative", "Content-Type: text/enriched\n\n<bold>rich</bold>", PICTURE)).text == "rich"
    assert (
        read(multipart("alternative", PLAIN, "Content-Type: text/plain\n\nmore words")).text
        == "plain words\n\nmore words"
    )
    only_file = read(multipart("alternative", PICTURE))
    assert (only_file.text, len(only_file.attachments)) == ("", 1)


def test_a_plain_form_that_only_points_to_the_other_is_not_shown():
    rich = f"Content-Type: text/html\n\n<p>{'The whole offer in many words. ' * 20}</p>"
    stub = "Content-Type: text/plain\n\nYour mail program does not support HTML. View it in your browser."
    assert read(multipart("alternative", stub, rich)).text.startswith("The whole offer in many words.")
    assert read(multipart("alternative", stub, HTML)).text.startswith("Your mail program")  # it says more
    about = "Content-Type: text/plain\n\nShall we send the letter as HTML?"
    assert read(multipart("alternative", about, rich)).text == "Shall we send the letter as HTML?"


def test_an_alternative_keeps_the_files_of_the_form_not_shown_and_what_is_no_form():
    related = f"Content-Type: multipart/related; boundary=r\n\n--r\n{HTML}\n--r\n{PICTURE}\n--r--\n"
    calendar = "Content-Type: text/calendar\n\nBEGIN:VEVENT\nSUMMARY:Lunch\nEND:VEVENT"
    message = read(multipart("alternative", PLAIN, related, calendar))
    assert message.text == "plain words\n\nEvent: Lunch"
    assert [file.file_name for file in message.attachments] == ["logo.png", "unnamed.ics"]
    shown = read(multipart("alternative", related))
    assert (shown.text, len(shown.attachments)) == ("html words", 1)


def test_messages_inside_are_searchable_and_named():
    inner = "Subject: Inner =?utf-8?q?off=C3=A9r?=\nContent-Type: text/html\n\n<p>old words</p>"
    message = read(multipart("mixed", PLAIN, f"Content-Type: message/rfc822\n\n{inner}"))
    assert message.text == "plain words"
    assert message.quoted_text == "Inner offér\n\nold words"
    assert message.attachments == (Attachment("Inner offér.eml", "message/rfc822", len(inner.encode())),)
    encoded = base64.encodebytes(inner.encode()).decode()
    coded = f"Content-Type: message/rfc822; name=fwd.eml\nContent-Transfer-Encoding: base64\n\n{encoded}"
    message = read(multipart("mixed", PLAIN, coded))
    assert message.quoted_text == "Inner offér\n\nold words"
    assert message.attachments[0].file_name == "fwd.eml"
    alone = read(f"Content-Type: message/rfc822\n\n{inner}")
    assert (alone.text, alone.quoted_text) == ("", "Inner offér\n\nold words")


def test_a_digest_holds_messages():
    message = read(multipart("digest", "\nSubject: one\n\nfirst words", "\nSubject: two\n\nsecond words"))
    assert message.quoted_text == "one\n\nfirst words\n\ntwo\n\nsecond words"


def test_reports_of_delivery_are_readable():
    status = "Content-Type: message/delivery-status\n\nFinal-Recipient: rfc822; b@x.example\nStatus: 5.1.1"
    returned = "Content-Type: text/rfc822-headers\n\nFrom: Dana <d@x.example>\nSubject: =?utf-8?q?Caf=C3=A9?=\nX-Y: z"
    message = read(multipart("report", PLAIN, status, returned))
    assert message.text == "plain words\n\nFinal-Recipient: rfc822; b@x.example\nStatus: 5.1.1"
    assert message.quoted_text == "From: Dana <d@x.example>\nSubject: Café"
    assert message.attachments == ()
    odd = read(multipart("report", "Content-Type: text/rfc822-headers\n\n\nnone at all"))
    assert odd.quoted_text == "none at all"


def test_flowed_text_is_put_together_and_keeps_its_quotes():
    message = read("Content-Type: text/plain; format=flowed\n\nOne \nline.\n> old \n> words\n")
    assert message.text == "One line.\n> old words"
    assert read("Content-Type: text/plain; Format=Flowed; DelSp=Yes\n\nOne wo \nrd.").text == "One word."


def test_uuencoded_files_in_text_are_attachments():
    cat, dog = "begin 644 cat.txt\n#0V%T\n`\nend", "begin 600 dog.txt\n#9&]G\n`\nend"
    body = f"before\n\n{cat}\nbetween\nbegin 644 no file, just words\n{dog}\nbehind"
    message = read(f"Content-Type: text/plain\n\n{body}")
    assert message.text == "before\n\nbetween\nbegin 644 no file, just words\nbehind"
    assert [(file.file_name, file.size_bytes) for file in message.attachments] == [("cat.txt", 3), ("dog.txt", 3)]


def test_a_plain_form_that_is_but_a_file_keeps_it():
    message = read(multipart("alternative", "Content-Type: text/plain\n\nbegin 644 cat.txt\n#0V%T\n`\nend\n", HTML))
    assert [file.file_name for file in message.attachments] == ["cat.txt"]


def test_winmail_is_named_with_the_files_inside():
    coded = base64.encodebytes(TNEF).decode()
    head = "Content-Type: application/ms-tnef; name=winmail.dat\nContent-Transfer-Encoding: base64\n\n"
    message = read(multipart("mixed", PLAIN, head + coded))
    assert [(file.file_name, file.size_bytes) for file in message.attachments] == [
        ("winmail.dat", len(TNEF)),
        ("plan.doc", 5),
    ]
    assert (message.text, message.quoted_text) == ("plain words", "body text")
    broken = read(multipart("mixed", PLAIN, head + "AAAA"))
    assert len(broken.attachments) == 1
    assert "TNEF could not be read" in broken.defects


@pytest.mark.parametrize(
    ("part", "is_text", "name"),
    [
        ("Content-Type: text/plain\n\nwords", True, None),
        ("Content-Type: text/plain; name=a.txt\n\nwords", False, "a.txt"),
        ("Content-Type: text/plain\nContent-Disposition: attachment\n\nwords", False, "unnamed.txt"),
        ("Content-Type: text/plain; name=a.txt\nContent-Disposition: inline\n\nwords", True, "a.txt"),
        ("Content-Type: text/x-log\n\nwords", True, None),
        ("Content-Type: text/x-log; name=a.log\n\nwords", False, "a.log"),
        ("Content-Type: application/octet-stream\n\nwords", False, "unnamed.bin"),
        (
            "Content-Type: a/zip\nContent-Disposition: inline; filename*0*=utf-8''caf; filename*1*=%C3%A9.zip\n\nwords",
            False,
            "café.zip",
        ),
        ('Content-Type: application/zip; name="=?utf-8?q?caf=C3=A9=2Ezip?="\n\nwords', False, "café.zip"),
        ("Content-Type: message/external-body; access-type=anon-ftp; name=far.txt\n\nwords", False, "far.txt"),
        ('Content-Type: a/b\nContent-Disposition: inline; filename="caf\udce9.b"\n\nwords', False, "café.b"),
    ],
)
def test_what_is_text_and_what_is_a_file(part, is_text, name):
    raw = multipart("mixed", part, PICTURE).encode("utf-8", errors="surrogateescape")
    message = read(raw)
    assert message.text == ("words" if is_text else "")
    assert [file.file_name for file in message.attachments] == ([name] if name else []) + ["logo.png"]


def test_a_message_that_is_one_text_shows_it_whatever_it_is_called():
    message = read("Content-Type: text/plain; name=a.txt\nContent-Disposition: attachment\n\nwords")
    assert message.text == "words"
    assert [file.file_name for file in message.attachments] == ["a.txt"]
    assert read("Content-Type: nonsense\n\nwords").text == "words"


def test_a_page_is_read_in_the_charset_that_it_names_itself():
    page = '<meta charset="koi8-r"><p>привет</p>'.encode("koi8-r")
    assert read(b"Content-Type: text/html\n\n" + page).text == "привет"


def test_headers_without_a_charset_are_read_in_that_of_the_first_text():
    body = multipart("mixed", 'Content-Type: text/plain; charset="big5"\n\nwords')
    message = read("Subject: 你好\n".encode("big5") + body.encode())
    assert message.subject == "你好"
    inside = multipart(
        "mixed",
        multipart("alternative", "Content-Type: text/html; charset=big5\n\nwords")
        .replace("=b\n", "=c\n")
        .replace("--b", "--c"),
    )
    assert read("Subject: 你好\n".encode("big5") + inside.encode()).subject == "你好"


def test_parts_nested_too_deep_stay_text():
    part = PLAIN
    for level in range(200):
        part = f"Content-Type: multipart/mixed; boundary=b{level}x\n\n--b{level}x\n{part}\n--b{level}x--\n"
    message = read(part)
    assert "plain words" in message.text
    assert "parts nested deeper than 30 were taken as text" in message.defects


def nested_alternatives(depth: int, innermost: bytes) -> bytes:
    """Alternatives in alternatives, each with a form that shows nothing beside the next one."""
    raw = b"Subject: x\n"
    for level in range(depth):
        raw += b"Content-Type: multipart/alternative; boundary=b%d\n\n--b%d\n" % (level, level)
        raw += b"Content-Type: text/html\n\n<p></p>\n--b%d\n" % level
    return raw + b"Content-Type: text/html\n\n" + innermost


def test_alternatives_in_alternatives_are_read_once_each() -> None:
    read: Counter[int] = Counter()
    before = Content.add

    def counted(self: Content, part: Part, depth: int = 0) -> None:
        read[depth] += 1
        before(self, part, depth)

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(Content, "add", counted)
        message = parse_message(nested_alternatives(MAX_DEPTH - 1, b"<p>the heart of it</p>"))
    assert message.text == "the heart of it"
    assert max(read.values()) <= 2
