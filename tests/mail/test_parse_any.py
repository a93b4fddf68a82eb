import re

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.mail.raw_mail import mails
from tests.timing import computed_soon

from mailgym.mail.message import Message
from mailgym.mail.parse import parse_message

RELAXED = settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def check(message: Message, raw: bytes) -> None:
    assert not [defect for defect in message.defects if defect.startswith("structure could not be read")]
    assert message.size_bytes == len(raw)
    assert message.message_id
    for text in (message.text, message.subject, message.quoted_text, repr(message)):
        assert "\0" not in text
        text.encode("utf-8")
    assert "\n" not in message.subject + message.message_id + "".join(file.file_name for file in message.attachments)


@RELAXED
@given(mails())
def test_every_mail_is_read_soon_and_can_be_stored(raw):
    message = computed_soon(lambda: parse_message(raw), 0.5)
    check(message, raw)
    assert parse_message(raw) == message


@RELAXED
@given(st.binary(max_size=400))
def test_any_bytes_are_read(raw):
    check(parse_message(raw), raw)


printed = st.text(alphabet=st.characters(min_codepoint=32, max_codepoint=126) | st.just("\n"), max_size=300)


@RELAXED
@given(printed)
def test_no_word_of_a_plain_body_is_lost(body):
    message = parse_message(b"From: a@x.example\nContent-Type: text/plain\n\n" + body.encode())
    if not message.attachments:  # a uuencoded file is none of the text
        for word in re.findall("[A-Za-z]{8,}", body):
            assert word in message.text


@RELAXED
@given(mails(), st.sampled_from([b"\r\n", b"\r\r\n"]))
def test_line_ends_make_no_difference(raw, line_end):
    lf = raw.replace(b"\r", b"")
    ours, again = parse_message(lf), parse_message(lf.replace(b"\n", line_end))
    assert (ours.text, ours.subject, ours.from_, ours.to, ours.attachments, ours.date) == (
        again.text,
        again.subject,
        again.from_,
        again.to,
        again.attachments,
        again.date,
    )
