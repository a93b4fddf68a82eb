import pytest
from tests.corpora.readers.packing import mail, mbox, tarred, zipped

from mailgym.corpora.readers.forms import Form, form_of, looks_like_mail
from mailgym.corpora.readers.streams import HEAD_BYTES


@pytest.mark.parametrize(
    ("head", "form"),
    [
        (b"", Form.EMPTY),
        (mbox("a"), Form.MBOX),
        (mail("a"), Form.MAIL),
        (zipped({"a": b"x"}), Form.ZIP),
        (tarred({"a": b"x"}), Form.TAR),
        (b"\x1f\x8b\x08\x00", Form.COMPRESSED),
        (b"71\n" + mail("a") + b"<plist/>", Form.EMLX),
        (b"7110\n" + mail("a") + b"x" * 9000, Form.EMLX),
        (b"7110\nhello\n", Form.OTHER),
        (b"PAR1xxxx", Form.PARQUET),
        (b"file,message\n", Form.CSV),
        (b'\xef\xbb\xbf"Message","File","x"\r\n', Form.CSV),
        (b'{"subject": "s", "body": "t"}', Form.JSONL),
        (b'{"subject": "s", "body": "long' + b"x" * 9000, Form.JSONL),
        (b'{\n "subject": "s", "body": "t"}', Form.OTHER),
        (b'{"name": "x"}\n', Form.OTHER),
        (b"file,message", Form.OTHER),
        (b"file,messages\n", Form.OTHER),
        (b"plain text\n", Form.OTHER),
        (bytes(1000), Form.OTHER),
    ],
)
def test_the_first_bytes_say_what_a_file_is(head, form):
    assert form_of(head[:HEAD_BYTES]) is form


def test_a_name_of_mail_makes_text_a_mail_and_nothing_else():
    assert form_of(b"hello\n", is_called_mail=True) is Form.MAIL
    assert form_of(b"", is_called_mail=True) is Form.MAIL
    assert form_of(mbox("a"), is_called_mail=True) is Form.MBOX
    assert form_of(zipped({"a": b"x"}), is_called_mail=True) is Form.ZIP
    assert form_of(b"\0\1\2", is_called_mail=True) is Form.OTHER
    assert form_of(b"From: a\nTo: b\n\n\0", is_called_mail=True) is Form.MAIL


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        (b"\r\nReceived: from x\r\n\tby y\r\nFrom : a\r\n\r\n: no field", True),
        (b"From x\nFrom: a\nDate: b\n", True),
        (b">From x\rFrom: a\rDate: b\r", True),
        (b"From: a\nDate: b\n" + b"x" * HEAD_BYTES, True),
        (b"From: a\nDate: b\nno field\n", False),
        (b" From: a\nDate: b\n", False),
        (b"From: a\nName: b\n", False),
        (b"", False),
    ],
)
def test_mail_begins_with_fields_of_mail(head, expected):
    assert looks_like_mail(head[:HEAD_BYTES]) is expected
