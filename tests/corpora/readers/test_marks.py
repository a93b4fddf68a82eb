import pytest

from mailgym.corpora.readers.marks import FLAGS, header_end, in_order, read_gmail_labels, read_marks, sort_keywords


def test_flags_come_once_and_in_one_order():
    assert in_order(["spam", "seen", "seen", "answered"]) == ("seen", "answered", "spam")
    assert in_order(reversed(FLAGS)) == FLAGS


@pytest.mark.parametrize(
    ("headers", "flags"),
    [
        (b"Status: RO\n", ("seen",)),
        (b"Status: O\n", ()),
        (b"X-Status: AFTD\n", ("answered", "flagged", "draft", "deleted")),
        (b"A: b\r\nSTATUS: R\r\nx-status: F\r\n", ("seen", "flagged")),
        (b"A: b\rStatus: R\rC: d\r", ("seen",)),
        (b"X-Mozilla-Status: 0001\nX-Mozilla-Status2: 00000000\n", ("seen",)),
        (b"X-Mozilla-Status: 100f\n", ("seen", "answered", "flagged", "forwarded", "deleted")),
        (b"X-Mozilla-Status: none\n", ()),
        (b"X-Spam-Status: R\nSubject: Status: R\n", ()),
        (b"Subject: s\n", ()),
        (b"", ()),
    ],
)
def test_status_headers_give_flags(headers, flags):
    assert read_marks(headers) == (None, flags, ())


def test_keywords_give_labels_and_some_are_flags():
    headers = b"X-Keywords: work $Forwarded $Junk NonJunk   \nX-Mozilla-Keys: $label1 work\n"
    assert read_marks(headers) == (None, ("forwarded", "spam"), ("work", "$label1"))
    assert sort_keywords(["Junk", "", "a", "a", "$MDNSent"]) == (frozenset({"spam"}), ("a",))


@pytest.mark.parametrize(
    ("value", "folder", "flags"),
    [
        ("Inbox,Important,Unread", "Inbox", ()),
        ("Inbox,Opened,Starred", "Inbox", ("seen", "flagged")),
        ("Inbox,Sent,Opened", "Inbox", ("seen",)),
        ("Sent", "Sent", ("seen",)),
        ("Drafts,Inbox", "Drafts", ("seen", "draft")),
        ("Spam,Unread,Opened", "Spam", ("spam",)),
        ("Trash,Inbox", "Trash", ("seen", "deleted")),
        ("Archived,Opened", "Archive", ("seen",)),
        ("Work,Opened", "Archive", ("seen",)),
        ("Work", "", ("seen",)),
        ("Posteingang,Ungelesen", "Inbox", ()),
        ("Postvak IN?,Odota", "", ("seen",)),
    ],
)
def test_gmail_labels_give_folder_and_flags(value, folder, flags):
    marks = read_gmail_labels(value)
    assert (marks.folder, marks.flags) == (folder, flags)
    assert marks.labels == tuple(value.split(","))


def test_gmail_labels_have_quotes_encoded_words_and_folds():
    headers = (
        b'X-GM-THRID: 1\r\nX-Gmail-Labels: =?UTF-8?Q?Posteingang,"Kunden,_alt",?=\r\n =?UTF-8?Q?Ge=C3=B6ffnet?=\r\n'
        b"Subject: s\r\n"
    )
    assert read_marks(headers) == ("Inbox", ("seen",), ("Posteingang", "Kunden, alt", "Geöffnet"))
    assert read_gmail_labels('"Work, old",Sent').labels == ("Work, old", "Sent")
    assert read_gmail_labels("=?no-such?Q?Inbox?=").labels == ("Inbox",)
    assert read_gmail_labels('a "b,c').labels == ('a "b', "c")


def test_where_headers_end():
    for line_end in (b"\n", b"\r\n", b"\r"):
        headers = b"A: b" + line_end + b"C: d" + line_end
        assert header_end(headers + line_end + b"text" + line_end * 2) == len(headers)
        assert header_end(headers) == len(headers)
        assert header_end(line_end + headers) == 0
