import io
import tracemalloc

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mailgym.corpora.readers.mbox import NoMboxError, read_messages, split_mbox, starts_as_mbox, without_from_line

LINE = b"From a@x.example Mon May 14 10:00:00 2001\n"
TWO = (
    b"From dana-w/sent_items Mon May 14 23:39:00 2001\nSubject: one\n\nhello\n>From here on\n>>From there\n\n"
    b"From bob@x.example Tue May 15 08:00:00 2001\nSubject: two\n\nFrom now on we pay.\n\nFrom me: 10:30, see you\n\n"
)


def raws(content: bytes, chunk_bytes: int = 1 << 20) -> list[bytes]:
    return [raw for _, raw in split_mbox(io.BytesIO(content), chunk_bytes)]


def folders(content: bytes, folder: str = "") -> list[str]:
    return [message.folder for message in read_messages(io.BytesIO(content), "a.mbox", folder)]


def test_messages_lose_their_envelope_and_one_escape_and_nothing_else():
    one, two = read_messages(io.BytesIO(TWO), "a.mbox", tell=lambda: 7)
    assert one.raw == b"Subject: one\n\nhello\nFrom here on\n>From there\n"
    assert two.raw == b"Subject: two\n\nFrom now on we pay.\n\nFrom me: 10:30, see you\n"
    assert (one.folder, two.folder) == ("sent_items", "")
    assert (one.origin, two.origin, two.position) == ("a.mbox#1", "a.mbox#2", 7)


def test_a_folder_in_the_from_line_lies_below_the_folder_of_the_mbox():
    assert folders(TWO, "old") == ["old/sent_items", "old"]


@pytest.mark.parametrize("line_end", [b"\r\n", b"\r"])
def test_crlf_and_lone_cr_lines_are_kept(line_end):
    assert raws(TWO.replace(b"\n", line_end)) == [raw.replace(b"\n", line_end) for raw in raws(TWO)]


def test_a_line_feed_in_a_cr_file_and_a_cr_in_an_lf_file_part_nothing():
    assert len(raws(LINE.replace(b"\n", b"\r") + b"S: s\r\rone\n\n" + LINE)) == 1
    assert len(raws(LINE + b"S: s\n\none\r\r" + LINE)) == 1


@pytest.mark.parametrize(
    "line",
    [
        b"From - Mon May 14 10:00:00 2001",
        b"From 12@xxx Mon May 14 10:00:00 +0000 2001",
        b"From a 2001-05-14 10:00",
        b'From "a b"@x.example Mon May 14 10:00 2001 remote from y',
    ],
)
def test_odd_from_lines_begin_messages(line):
    content = b"\n\r\n\xef\xbb\xbf" + (line + b"\nSubject: s\n\nt\n\n") * 3
    assert raws(content) == [b"Subject: s\n\nt\n"] * 3


def test_a_from_line_needs_an_empty_line_before_it_and_a_date():
    inside = LINE + b"Subject: s\n\ntext\n" + LINE + b"more\n\nFrom here 10:30 on\n\nFrom 2001 on\n"
    assert raws(inside) == [inside.removeprefix(LINE)]


@pytest.mark.parametrize("line", [b"From \r\n", b"From - \r\n", b"From \n", b"From -\r"])
def test_a_from_line_as_thunderbird_writes_it_begins_a_message_if_headers_follow(line):
    line_end = line[line.index(b"-" if b"-" in line else b" ") + 1 :].lstrip(b" ")
    one, two = b"X-Mozilla-Status: 0001\nS: a\n\ntext\n", b"S: b\n\nFrom \nhere\n\nFrom \n\nAgain: From -\n"
    content = b"".join(line + mail.replace(b"\n", line_end) + line_end for mail in (one, two))
    assert raws(content) == [mail.replace(b"\n", line_end) for mail in (one, two)]


def test_a_second_from_line_above_the_headers_goes_too():
    for second in (b">From - Sat Apr 12 2025 15:59:28\n", b">>From x\n", b"From x@x.example\n"):
        assert raws(LINE + second + b"S: s\n\n>From here\n") == [b"S: s\n\nFrom here\n"]
    assert raws(LINE + b"From here on\nall is text\n") == [b"From here on\nall is text\n"]


def test_a_message_without_anything_is_still_a_message():
    assert raws(LINE + b"\n\n" + LINE + b"Subject: s\n\n") == [b"\n", b"Subject: s\n"]
    assert raws(LINE + b"\n" + LINE + LINE) == [b"", LINE]
    assert raws(LINE.strip()) == [b""]


def test_very_long_lines_are_kept_whole():
    content = b"\n" + b"y" * (3 << 20) + b"\n"
    assert raws(LINE + content) == [content]


def test_a_from_line_is_judged_by_its_first_400_bytes():
    tail = b"q" * 5000 + b"\nS: s\n"
    assert raws(LINE.strip() + tail) == [b"S: s\n"]
    with pytest.raises(NoMboxError):
        raws(b"From " + b"z" * 500 + b" Mon May 14 10:00:00 2001\nS: s\n")


def test_what_does_not_begin_with_a_from_line_is_no_mbox():
    for content in (b"", b"\n\n", b"Subject: one mail\n\nhello\n", b"From here on\n"):
        assert not starts_as_mbox(content)
        with pytest.raises(NoMboxError):
            raws(content)


def test_memory_is_that_of_one_message_and_a_chunk():
    one = LINE + b"\n" + (b"w" * 999 + b"\n") * 100 + b"\n"
    content = one * 100
    stream = io.BytesIO(content)
    tracemalloc.start()
    count = sum(1 for _ in split_mbox(stream, 1 << 16))
    peak_bytes = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert count == 100
    assert peak_bytes < len(content) / 10


class TestContentLength:
    BODY = b"one\n\n" + LINE + b">From is as it was\n"

    def mboxcl2(self, length_bytes: int, after: bytes = b"\n" + LINE + b"Subject: t\n\n") -> bytes:
        return LINE + b"Subject: s\nContent-Length: %d\n\n" % length_bytes + self.BODY + after

    def test_a_right_one_keeps_from_lines_in_the_text_and_nothing_is_unescaped(self):
        first, second = raws(self.mboxcl2(len(self.BODY)))
        assert first.endswith(b"\n\n" + self.BODY)
        assert second == b"Subject: t\n"

    def test_a_right_one_may_end_with_the_file(self):
        (only,) = raws(self.mboxcl2(len(self.BODY), b""))
        assert only.endswith(self.BODY)
        assert raws(self.mboxcl2(len(self.BODY), b"\n\n"))[0].endswith(self.BODY)

    @pytest.mark.parametrize("wrong_bytes", [0, 3, 47, 10_000, 1 << 40])
    def test_a_wrong_one_is_not_believed(self, wrong_bytes):
        first, second, third = raws(self.mboxcl2(wrong_bytes))
        assert (first[-5:], second, third) == (b"\none\n", b"From is as it was\n", b"Subject: t\n")

    def test_escapes_go_where_a_right_one_changes_nothing(self):
        body = b"one\n>From here\n"
        content = LINE + b"content-length: %d\n\n" % len(body) + body + b"\n" + LINE + b"S: t\n"
        assert raws(content)[0].endswith(b"one\nFrom here\n")

    def test_crlf(self):
        body = self.BODY.replace(b"\n", b"\r\n")
        content = LINE + b"Content-Length: %d\n\n" % len(body)
        first, second = raws(content.replace(b"\n", b"\r\n") + body + b"\r\n" + LINE.replace(b"\n", b"\r\n"))
        assert first.endswith(body)
        assert second == b""


def test_flags_and_labels_come_from_the_headers():
    content = LINE + b"Status: RO\nX-Status: AF\nX-Keywords: work  urgent\nSubject: s\n\nt\n"
    (message,) = read_messages(io.BytesIO(content), "a")
    assert message.flags == ("seen", "answered", "flagged")
    assert message.labels == ("work", "urgent")


def test_gmail_names_the_folder_whatever_the_mbox_is_called():
    content = LINE + b"X-Gmail-Labels: Archived,Sent,Opened\nSubject: s\n\nt\n"
    assert folders(content, "All mail") == ["Sent"]


def test_the_envelope_of_a_single_mail_is_taken_off():
    assert without_from_line(b"From x\r\nA: b\r\n") == b"A: b\r\n"
    assert without_from_line(b">From x\rA: b\r") == b"A: b\r"
    assert without_from_line(b"From x") == b""
    assert without_from_line(b"From: x\n") == b"From: x\n"


PIECES = st.sampled_from(
    [
        *(LINE, b"From \n", b"From - \r\n", LINE.replace(b"\n", b"\r\n"), LINE.strip() + b"q" * 410),
        *(b"\n", b"\n\n", b"\r\n", b"\r", b"From ", b">From x\n", b">>From ", b"text\n", b"x" * 50, b"S: s\n"),
        *(b"Content-Length: 12\n", b"Content-Length: 60\n\n"),
    ]
)


@settings(max_examples=150, deadline=None)
@given(
    pieces=st.lists(PIECES, max_size=25),
    chunk_bytes=st.integers(1, 700),
    first=st.sampled_from([b"\n", b"\r\n", b"\r"]),
)
def test_splitting_does_not_depend_on_how_much_is_read_at_once(pieces, chunk_bytes, first):
    content = LINE.replace(b"\n", first) + b"".join(pieces)
    assert raws(content, chunk_bytes) == raws(content)


@settings(max_examples=150, deadline=None)
@given(bodies=st.lists(st.lists(st.sampled_from([b"", b"From me 10:00 2001", b">From", b"a", b">From x"])), min_size=1))
def test_what_an_mboxrd_writer_writes_is_read_back(bodies):
    mails = [b"S: s\n\n" + b"".join(line + b"\n" for line in lines) for lines in bodies]
    content = b"".join(LINE + escape(mail) + b"\n" for mail in mails)
    assert raws(content) == mails


def escape(mail: bytes) -> bytes:
    lines = mail.splitlines(keepends=True)
    return b"".join(b">" + line if line.lstrip(b">").startswith(b"From ") else line for line in lines)
