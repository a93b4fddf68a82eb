import base64
import random
from datetime import UTC, datetime

import pytest
from tests.timing import computed_soon

from mailgym.mail.headers import read_display_name
from mailgym.mail.message import Address, Attachment
from mailgym.mail.parse import parse_message


def raw(*lines: str) -> bytes:
    return "\n".join(lines).encode()


PLAIN = raw(
    'From: "Dana Whitfield" <DWhitfield@X.example>',
    "To: Bob Ray <bob@x.example>, carol@y.example",
    "Cc: Dee <dee@x.example>",
    "Bcc: <eve@x.example>",
    "Date: Mon, 14 May 2001 16:39:00 -0700 (PDT)",
    "Message-ID: <one.1@x.example>",
    "In-Reply-To: <zero@x.example>",
    "References: <start@x.example>\n <zero@x.example>",
    "Subject: Gas storage\n for June",
    "",
    "Please book it.",
    "",
    "> shall I?",
)


def test_plain_message_is_read_whole():
    message = parse_message(PLAIN, "inbox", ("seen",))
    assert message.message_id == "one.1@x.example"
    assert message.date == datetime(2001, 5, 14, 23, 39, tzinfo=UTC)
    assert message.date_original == "Mon, 14 May 2001 16:39:00 -0700 (PDT)"
    assert message.subject == "Gas storage for June"
    assert message.from_ == Address("Dana Whitfield", "dwhitfield@x.example")
    assert message.to == (Address("Bob Ray", "bob@x.example"), Address("", "carol@y.example"))
    assert message.cc == (Address("Dee", "dee@x.example"),)
    assert message.bcc == (Address("", "eve@x.example"),)
    assert message.text == "Please book it.\n\n> shall I?"
    assert (message.new_text, message.quoted_text) == ("Please book it.", "> shall I?")
    assert (message.folder, message.flags) == ("inbox", ("seen",))
    assert message.in_reply_to == "zero@x.example"
    assert message.references == ("start@x.example", "zero@x.example")
    assert message.defects == ()
    assert message.size_bytes == len(PLAIN)
    assert str(message.from_) == "Dana Whitfield <dwhitfield@x.example>"
    assert str(message.bcc[0]) == "eve@x.example"


def test_crlf_and_lf_read_the_same():
    lf, crlf = parse_message(PLAIN), parse_message(PLAIN.replace(b"\n", b"\r\n"))
    assert (lf.text, lf.subject, lf.message_id) == (crlf.text, crlf.subject, crlf.message_id)


def test_missing_id_is_derived_from_the_content():
    body = raw("From: a@x.example", "Date: Mon, 14 May 2001 10:00:00 +0000", "", "hi")
    first, again = parse_message(body), parse_message(body.replace(b"\n", b"\r\n") + b"\r\n")
    assert first.message_id == again.message_id
    assert first.message_id.startswith("sha256-")
    assert first.message_id != parse_message(body + b"!").message_id
    assert "no Message-ID: derived from the content" in first.defects


@pytest.mark.parametrize(
    ("header", "expected"),
    [
        ("=?utf-8?q?Caf=C3=A9_menu?=", "Café menu"),
        ("=?ISO-8859-1?Q?a?= =?ISO-8859-1?Q?b?=", "ab"),
        ("=?utf-8?B?4oKs?= and =?utf-8?B?4oKs?=", "€ and €"),
        ("=?utf-8?B?4oI=?= =?utf-8?B?rA==?=", "€"),  # one character split over two words
        ("=?nosuch?q?abc?=", "abc"),
        ("=?utf-8?b?a?=", "a"),
    ],
)
def test_encoded_words(header, expected):
    assert parse_message(raw(f"Subject: {header}", "", "x")).subject == expected


def test_raw_8_bit_headers_are_kept():
    assert parse_message("Subject: Café\n\nx".encode()).subject == "Café"
    message = parse_message("Subject: Café\n\nx".encode("latin-1"))
    assert message.subject == "Café"
    assert "header holds bytes of an unnamed charset" in message.defects


@pytest.mark.parametrize(
    ("date", "expected", "defect"),
    [
        ("Mon, 14 May 2001 10:00:00 -0000", datetime(2001, 5, 14, 10, tzinfo=UTC), None),
        ("14 May 01 10:00 GMT", datetime(2001, 5, 14, 10, tzinfo=UTC), None),
        ("1 Jan 1980 00:00:00 +0000", datetime(1980, 1, 1, tzinfo=UTC), "unlikely date: year 1980"),
        ("soon", None, "date could not be read: 'soon'"),
        ("Mon, 99 May 2001 10:00:00 +0000", None, "date could not be read: 'Mon, 99 May 2001 10:00:00 +0000'"),
        ("Fri, 1 Jan 0001 00:00:00 +2300", None, "date could not be read: 'Fri, 1 Jan 0001 00:00:00 +2300'"),
    ],
)
def test_dates(date, expected, defect):
    message = parse_message(raw(f"Date: {date}", "From: a@x.example", "Message-ID: <a@b>", "", "x"))
    if expected is not None and expected.year > 1:
        assert message.date == expected
    assert message.date_original == date
    if defect is None:
        assert message.defects == ()
    elif message.date is None:
        assert defect in message.defects


def test_missing_date_comes_from_received():
    message = parse_message(raw("Received: from a by b; Mon, 14 May 2001 10:00:00 +0000", "", "x"))
    assert message.date == datetime(2001, 5, 14, 10, tzinfo=UTC)
    assert "date taken from the last Received header" in message.defects
    assert parse_message(b"Subject: x\n\ny").date is None


def test_charsets_that_lie_are_noted_and_decoded_all_the_same():
    head = b"Content-Type: text/plain; charset=%s\n\n"
    assert parse_message(head % b"us-ascii" + "Café".encode()).text == "Café"
    wrong = parse_message(head % b"utf-8" + "Café".encode("latin-1"))
    assert wrong.text == "Café"
    assert "text is not valid utf-8" in wrong.defects
    for charset in (b"nonsense", b"hex", b"rot13", b"undefined", b"a\x00b"):
        assert "Cafe" in parse_message(head % charset + b"Cafe").text
    assert parse_message(head % b"ANSI_X3.4-1968" + b"plain").defects[0] == "no Message-ID: derived from the content"


def test_nul_and_surrogates_never_get_through():
    message = parse_message(b"Content-Type: text/plain; charset=utf-7\n\na\x00b +2AA-")
    assert "\x00" not in message.text
    message.text.encode("utf-8")
    assert {"text held NUL characters", "text held lone surrogates"} <= set(message.defects)


def test_html_only_mail_is_rendered_without_scripts():
    html = "<html><head><title>T</title><style>p{}</style></head><body><p>One &amp; two</p><script>evil()</script>"
    message = parse_message(raw("Content-Type: text/html", "", html))
    assert message.text.strip() == "One & two"
    assert parse_message(raw("Content-Type: text/html", "", "  ")).text == ""


def multipart(kind: str, *parts: str) -> bytes:
    inside = "".join(f"--b\n{part}\n" for part in parts)
    return f"Message-ID: <m@x>\nContent-Type: multipart/{kind}; boundary=b\n\n{inside}--b--\n".encode()


PLAIN_PART = "Content-Type: text/plain\n\nplain words\n"
HTML_PART = "Content-Type: text/html\n\n<p>html words</p>\n"


def test_alternatives_give_the_plain_form_else_the_html():
    assert parse_message(multipart("alternative", PLAIN_PART, HTML_PART)).text == "plain words"
    assert parse_message(multipart("alternative", HTML_PART)).text.strip() == "html words"
    empty = "Content-Type: text/plain\n\n\n"
    assert parse_message(multipart("alternative", empty, HTML_PART)).text.strip() == "html words"


def test_alternative_keeps_attachments_of_the_form_not_shown():
    related = (
        'Content-Type: multipart/related; boundary="r"\n\n--r\nContent-Type: text/html\n\n<p>html words</p>\n'
        "--r\nContent-Type: image/png; name=logo.png\nContent-Transfer-Encoding: base64\n\nAAAA\n--r--\n"
    )
    message = parse_message(multipart("alternative", PLAIN_PART, related))
    assert message.text == "plain words"
    assert message.attachments == (Attachment("logo.png", "image/png", 3),)


def test_attachments_keep_name_type_and_size():
    data = base64.b64encode(b"12345").decode()
    pdf = f'Content-Type: application/pdf; name="a b.pdf"\nContent-Transfer-Encoding: base64\n\n{data}\n'
    encoded = "Content-Type: text/plain\nContent-Disposition: attachment; filename*=utf-8''caf%C3%A9.txt\n\nxyz"
    unnamed = f"Content-Type: application/zip\nContent-Transfer-Encoding: base64\n\n{data}\n"
    message = parse_message(multipart("mixed", PLAIN_PART, pdf, encoded, unnamed))
    assert message.text == "plain words"
    assert message.attachments == (
        Attachment("a b.pdf", "application/pdf", 5),
        Attachment("café.txt", "text/plain", 3),
        Attachment("unnamed.zip", "application/zip", 5),
    )


def test_an_attached_message_counts_as_quoted():
    inner = "Content-Type: message/rfc822\n\nSubject: Inner offer\n\nold words\n"
    message = parse_message(multipart("mixed", PLAIN_PART, inner))
    assert message.text == "plain words"
    assert message.quoted_text == "Inner offer\n\nold words"
    assert message.attachments[0].file_name == "Inner offer.eml"


def test_parts_nested_too_deep_are_kept_as_text_with_a_defect():
    part = PLAIN_PART
    for level in range(40):
        part = f"Content-Type: multipart/mixed; boundary=b{level}\n\n--b{level}\n{part}\n--b{level}--\n"
    message = parse_message(part.encode())
    assert "parts nested deeper than 30 were taken as text" in message.defects
    assert "plain words" in message.text


def test_messages_nested_without_end_are_kept_as_text():
    message = parse_message(b"Content-Type: message/rfc822\n\n" * 1200 + b"\nthe words inside")
    assert "parts nested deeper than 30 were taken as text" in message.defects
    assert "the words inside" in message.quoted_text


def test_what_breaks_the_parser_is_kept_as_text(monkeypatch):
    def fail(*_):
        raise RecursionError

    monkeypatch.setattr("mailgym.mail.body.split_multipart", fail)
    message = parse_message(multipart("mixed", PLAIN_PART))
    assert "structure could not be read (RecursionError): the whole message is taken as text" in message.defects
    assert "plain words" in message.text


def test_odd_address_lists_never_lose_the_rest():
    message = parse_message(raw("From: undisclosed", "To: Team: a@x.example, b@x.example;, <>, c@x.example", "", "x"))
    assert [person.address for person in message.to] == ["a@x.example", "b@x.example", "c@x.example"]
    assert message.from_ == Address("undisclosed", "")
    assert parse_message(raw("Sender: s@x.example", "", "x")).from_.address == "s@x.example"


def test_exchange_names_fill_in_for_a_bare_author():
    message = parse_message(raw("From: p.allen@x.example", "X-From: Allen, Phillip K. </O=X/CN=PALLEN>", "", "x"))
    assert message.from_ == Address("Phillip K. Allen", "p.allen@x.example")
    assert read_display_name("Phillip K Allen", []) == "Phillip K Allen"
    assert read_display_name("news@x.example", []) == ""


def test_header_control_characters_are_removed():
    message = parse_message(b"Subject: a\x00b\x1bc\nMessage-ID: <a b@c> <d@e>\n\nx")
    assert message.subject == "a b c"
    assert message.message_id == "ab@c"


def test_of_several_headers_the_first_that_can_be_read_counts():
    message = parse_message(
        raw(
            "From: ",
            "From: Dana <d@x.example>",
            "From: b@x.example",
            "Subject:",
            "Subject: one",
            "Subject: two",
            "Date: soon",
            "Date: 14 May 2001 10:00:00 +0000",
            "Message-ID: <>",
            "Message-ID: <a@x>",
            "Message-ID: <b@x>",
            "To: a@x.example",
            "To: b@x.example, a@x.example",
            "",
            "x",
        )
    )
    assert message.from_ == Address("Dana", "d@x.example")
    assert (message.subject, message.message_id) == ("one", "a@x")
    assert message.date == datetime(2001, 5, 14, 10, tzinfo=UTC)
    assert message.date_original == "soon"
    assert [person.address for person in message.to] == ["a@x.example", "b@x.example"]
    assert {f"several {name} headers" for name in ("From", "Subject", "Date", "Message-ID")} <= set(message.defects)


def test_labels_and_flags_are_one_line_each():
    message = parse_message(PLAIN, "in\nbox", ("seen",), ("two\twords", "Möbel"))
    assert (message.folder, message.flags, message.labels) == ("in box", ("seen",), ("two words", "Möbel"))


def test_cr_line_ends_are_read():
    message = parse_message(PLAIN.replace(b"\n", b"\r"))
    assert (message.subject, message.text) == ("Gas storage for June", "Please book it.\n\n> shall I?")


def test_utf8_addresses_and_headers_need_no_encoding():
    message = parse_message("From: Jürgen <jürgen@bücher.example>\nSubject: Größe 日本\n\nx".encode())
    assert message.from_ == Address("Jürgen", "jürgen@bücher.example")
    assert message.subject == "Größe 日本"


def test_it_never_raises_whatever_the_bytes():
    rng = random.Random(7)
    seeds = [PLAIN, multipart("mixed", PLAIN_PART, HTML_PART), b"", b"\n", b"\xff" * 50, b"From: =?\n\n"]
    for _ in range(400):
        data = bytearray(rng.choice(seeds))
        for _ in range(rng.randint(0, 15)):
            if data:
                data[rng.randrange(len(data))] = rng.randrange(256)
        repr(parse_message(bytes(data))).encode("utf-8")


def test_parameters_that_would_take_minutes_to_read_are_cut():
    raw = b'From: a@x.example\nContent-Type: text/plain; a="' + b'\\";' * 100_000 + b"\n\nhello"
    assert computed_soon(lambda: parse_message(raw), 1.0).text == "hello"


def test_a_file_name_with_lone_surrogates_costs_only_them():
    message = parse_message(b"From: a@x.example\nContent-Type: application/pdf; name*=utf-7''%2B2AA-.pdf\n\nhello")
    (attachment,) = message.attachments
    assert attachment.file_name == "\ufffd.pdf"
    assert message.text == ""
