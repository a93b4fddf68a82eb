from mailgym.corpora.readers.emlx import folder_of_emlx, mail_begin, read_emlx


def test_the_length_says_where_the_mail_ends():
    assert read_emlx(b"5  \r\nabcde<plist>") == (b"abcde", ())
    assert read_emlx(b"99\nshort") == (b"short", ())
    assert read_emlx(b"no length\n") == (b"no length\n", ())
    assert (mail_begin(b"12\nA"), mail_begin(b"A: 12\n")) == (3, -1)


def test_flags_are_read_below_the_mail_alone():
    flags = b"<key>flags</key><integer>%d</integer>"
    content = flags % 4
    assert read_emlx(b"%d\n" % len(content) + content + flags % 1) == (content, ("seen",))


def test_a_folder_is_called_as_in_apple_mail():
    assert folder_of_emlx(("A.mbox", "1A", "Data", "B.mbox", "Messages")) == ("A", "B")
    assert folder_of_emlx(("x", "y")) == ("x", "y")
