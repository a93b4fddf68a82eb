import gzip
import os
import zipfile

import pytest
from tests.corpora.readers.packing import (
    FROM_LINE,
    facts,
    mail,
    mbox,
    read,
    subject,
    tarred,
    unread,
    write_tree,
    zipped,
)

from mailgym.corpora.readers.collection import MOST_HELD_BYTES
from mailgym.corpora.readers.detect import open_source
from mailgym.corpora.readers.source import SourceMessage

SEEN = ("seen",)
MAILDIR = {
    "dovecot-keywords": b"0 work\n",
    "cur/1000001.M1.host:2,FS": mail("a"),
    "cur/1000002.M2.host:2,a": mail("b"),
    "new/1000003.M3.host": mail("c"),
    "tmp/1000004.M4.host": mail("never"),
    ".Sent/cur/1000005.M5.host:2,Sa": mail("d"),
    ".Sent/new": None,
    ".Work.B&APw-cher/cur/1000006.M6.host:2,RPT": mail("e"),
    ".Work.B&APw-cher/maildirfolder": b"",
    "maildirsize": b"1",
}
MAILDIR_FACTS = [
    ("a", "INBOX", ("seen", "flagged"), ()),
    ("b", "INBOX", (), ("work",)),
    ("c", "INBOX", (), ()),
    ("d", "Sent", SEEN, ("work",)),
    ("e", "Work/Bücher", ("answered", "forwarded", "deleted"), ()),
]
MH = {
    "inbox/1": mail("a"),
    "inbox/2": mail("b"),
    "inbox/10": mail("c"),
    "inbox/,3": mail("never"),
    "inbox/.mh_sequences": b"unseen: 2\nreplied: 10\n",
    "inbox/old/1": mail("d"),
}
MH_FACTS = [
    ("a", "inbox", SEEN, ()),
    ("b", "inbox", (), ()),
    ("c", "inbox", ("seen", "answered"), ()),
    ("d", "inbox/old", (), ()),
]
TREE = {
    "Inbox/a.eml": mail("a"),
    "Inbox/2024/b.EML": mail("b"),
    "Sent/1.": mail("c"),
    "Sent/2": mail("d"),
    "Sent/note.mail": FROM_LINE + mail("e"),
    "Sent/from": mail("f"),
}
TREE_FACTS = [
    ("a", "Inbox", (), ()),
    ("b", "Inbox/2024", (), ()),
    ("c", "Sent", (), ()),
    ("d", "Sent", (), ()),
    ("e", "Sent", (), ()),
    ("f", "Sent", (), ()),
]
MBOXES = {
    "Inbox": mbox("a"),
    "Inbox.msf": b"index",
    "Inbox.sbd/Work": mbox("b", "c"),
    "Inbox.sbd/Work.sbd/Old.mbox": mbox("d"),
    "Apple.mbox/mbox": mbox("e", "f"),
    "Empty": b"",
    "packed.mbox.gz": gzip.compress(mbox("g")),
}
MBOXES_FACTS = [
    ("a", "Inbox", (), ()),
    ("b", "Inbox/Work", (), ()),
    ("c", "Inbox/Work", (), ()),
    ("d", "Inbox/Work/Old", (), ()),
    ("e", "Apple", (), ()),
    ("f", "Apple", (), ()),
    ("g", "packed", (), ()),
]
KINDS = {
    "Maildir": (MAILDIR, MAILDIR_FACTS),
    "MH": (MH, MH_FACTS),
    "tree": (TREE, TREE_FACTS),
    "mboxes": (MBOXES, MBOXES_FACTS),
}


@pytest.mark.parametrize("kind", KINDS)
def test_folders_and_flags_on_disk(tmp_path, kind):
    files, expected = KINDS[kind]
    assert facts(write_tree(tmp_path / "m", files)) == expected


@pytest.mark.parametrize("top", ["", "./", "backup/"])
@pytest.mark.parametrize("kind", KINDS)
def test_folders_and_flags_in_archives_are_those_on_disk(tmp_path, kind, top):
    files, expected = KINDS[kind]
    last_first = dict(reversed(files.items()))
    for name, content in {
        "a.zip": zipped(files, top.removeprefix("./")),
        "b.tar": tarred(last_first, top),
        "c.tar.gz": tarred(files, top, "w:gz"),
        "d.tar.xz": tarred(last_first, top, "w:xz"),
    }.items():
        (tmp_path / name).write_bytes(content)
        assert facts(tmp_path / name) == expected, name


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ({"Maildir/cur/1.x:2,S": mail("a"), "Maildir/new": None}, [("a", "INBOX", SEEN, ())]),
        (
            {
                "in/cur/1.x:2,S": mail("a"),
                "in/new": None,
                "work/cur/1.y:2,": mail("b"),
                "work/.Old/cur/1.z:2,": mail("c"),
            },
            [("a", "in", SEEN, ()), ("b", "work", (), ()), ("c", "work/Old", (), ())],
        ),
        ({".Sent/cur/1.x:2,S": mail("a"), ".Sent/new": None}, [("a", "Sent", SEEN, ())]),
        ({"cur/1.x:2,S": gzip.compress(mail("a")), "new": None}, [("a", "INBOX", SEEN, ())]),
        ({"cur/odd name": FROM_LINE + mail("a"), "new": None, "cur/.hidden": b"x"}, [("a", "INBOX", (), ())]),
        ({"x/new/1.": mail("a"), "x/1.": mail("b")}, [("a", "x/new", (), ()), ("b", "x", (), ())]),
    ],
)
def test_maildirs_of_other_shapes(tmp_path, files, expected):
    assert facts(write_tree(tmp_path / "m", files)) == expected


def test_one_folder_in_an_archive_keeps_its_name(tmp_path):
    (tmp_path / "a.zip").write_bytes(zipped({"Work/1.eml": mail("a"), "Work/2.eml": mail("b")}))
    assert {item.folder for item in read(tmp_path / "a.zip")} == {"Work"}


def test_a_takeout_has_the_folders_of_its_labels(tmp_path):
    labels = (b"Inbox,Unread", b"Sent,Opened", b'"Trips, long",Archived,Starred')
    mails = b"".join(FROM_LINE + b"X-Gmail-Labels: " + value + b"\n" + mail("m") + b"\n" for value in labels)
    name = "Takeout/Mail/All mail Including Spam and Trash.mbox"
    data = zipped({"Takeout/archive_browser.html": b"<html></html>", name: mails})
    (tmp_path / "takeout.zip").write_bytes(data)
    assert [(item.folder, item.flags, item.labels) for item in read(tmp_path / "takeout.zip")] == [
        ("Inbox", (), ("Inbox", "Unread")),
        ("Sent", SEEN, ("Sent", "Opened")),
        ("Archive", ("seen", "flagged"), ("Trips, long", "Archived", "Starred")),
    ]


def test_a_single_mbox_in_an_archive_has_no_folder(tmp_path):
    (tmp_path / "a.zip").write_bytes(zipped({"deep/inbox.mbox": mbox("a", "b")}))
    assert {item.folder for item in read(tmp_path / "a.zip")} == {""}


@pytest.mark.parametrize("pack", [zipped, tarred])
def test_archives_in_an_archive_are_read_one_level_deep(tmp_path, pack):
    inner = {"Old/1.eml": mail("a"), "New/2.eml": mail("b")}
    deepest = {"x.zip": zipped({"1.eml": mail("never")})}
    outer = {
        "z/in.zip": zipped(inner),
        "t/in.tar.gz": tarred(inner, mode="w:gz"),
        "packed.zip.gz": gzip.compress(zipped({"X/1.eml": mail("e"), "Y/2.eml": mail("f")})),
        "a.mbox.gz": gzip.compress(mbox("c", "d")),
        "deep/a.tar": tarred(deepest),
    }
    path = tmp_path / "out.arc"
    path.write_bytes(pack(outer))
    found = list(open_source(path))
    mails = sorted((subject(item.raw), item.folder) for item in found if isinstance(item, SourceMessage))
    assert mails == [
        ("a", "t/Old"),
        ("a", "z/Old"),
        ("b", "t/New"),
        ("b", "z/New"),
        ("c", "a"),
        ("d", "a"),
        ("e", "X"),
        ("f", "Y"),
    ]
    assert unread(path) == [
        ("out.arc/deep/a.tar/x.zip", "an archive in an archive in an archive: unpack the outer one first")
    ]


def test_a_zip_too_large_to_hold_is_reported(tmp_path, monkeypatch):
    from mailgym.corpora.readers import collection

    monkeypatch.setattr(collection, "MOST_HELD_BYTES", 50)
    assert MOST_HELD_BYTES > 1 << 20
    (tmp_path / "a.tar").write_bytes(tarred({"1.eml": mail("a"), "b.zip": zipped({"1.eml": mail("b")})}))
    reason = "too large to be read inside an archive: unpack the archive first"
    assert unread(tmp_path / "a.tar") == [("a.tar/b.zip", reason)]


def test_what_is_no_mail_is_reported_among_mails_only(tmp_path):
    files = {
        "in/1.eml": mail("a"),
        "in/photo.jpg": b"\xff\xd8\xff" + b"\0" * 50,
        "in/.hidden": b"x",
        "in/backup~": b"x",
        "in/.git/config": b"x",
        "in/Thumbs.db": b"x",
        "in/report.docx": zipped({"word/document.xml": b"<x/>"}),
        "elsewhere/photo.jpg": b"\xff\xd8\xff",
        "elsewhere/broken.mbox": b"no From line\n",
        "elsewhere/2.eml": b"\x00\x01binary",
        "elsewhere/a.pst": b"!BDN",
        "elsewhere/a.doc": b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",
    }
    root = write_tree(tmp_path / "m", files)
    expected = [
        ("m/elsewhere/2.eml", "not a mail file"),
        ("m/elsewhere/a.pst", "an Outlook data file: convert it with readpst"),
        ("m/elsewhere/broken.mbox", "not a mail file"),
        ("m/in/photo.jpg", "not a mail file"),
        ("m/in/report.docx", "not a mail file"),
    ]
    assert sorted(unread(root)) == expected
    (tmp_path / "m.tar").write_bytes(tarred(files))
    assert sorted(unread(tmp_path / "m.tar")) == [(f"m.tar{path[1:]}", reason) for path, reason in expected]


def test_an_empty_mail_is_left_to_the_importer(tmp_path):
    root = write_tree(tmp_path / "m", {"1.eml": b"", "2.eml": mail("a")})
    assert [item.raw for item in read(root)] == [b"", mail("a")]


def test_a_mail_kept_with_its_from_line_is_one_mail_and_no_folder(tmp_path):
    labelled = FROM_LINE + b"X-Gmail-Labels: Sent\n" + mail("c")
    files = {"in/1": mbox("a"), "in/00002.0a1b": mbox("b"), "in/3.msg": labelled, "in/.mh_sequences": b"flagged: 1\n"}
    assert facts(write_tree(tmp_path / "m", files)) == [
        ("a", "in", ("seen", "flagged"), ()),
        ("b", "in", (), ()),
        ("c", "Sent", SEEN, ("Sent",)),
    ]
    assert facts(write_tree(tmp_path / "n", {"in/1": mbox("a", "b"), "2": mail("c")})) == [
        ("a", "in/1", (), ()),
        ("b", "in/1", (), ()),
        ("c", "", (), ()),
    ]


def test_files_of_apple_mail_have_folders_and_flags(tmp_path):
    def emlx(name: str, flags: int) -> bytes:
        plist = b"<plist><dict><key>flags</key>\n\t<integer>%d</integer></dict></plist>\n" % flags
        return b"%-10d\n" % len(mail(name)) + mail(name) + plist

    files = {
        "INBOX.mbox/1A/Data/Messages/1.emlx": emlx("a", 1 | 1 << 4),
        "INBOX.mbox/1A/Data/Messages/2.emlx": emlx("b", 1 << 24 | 3 << 10),
        "INBOX.mbox/Info.plist": b"<plist/>",
        "Work.mbox/Old.mbox/1A/Data/Messages/3.partial.emlx": emlx("c", 1 << 2 | 1 << 8 | 1 << 6 | 2),
        "plain/4.emlx": emlx("d", 0),
    }
    assert facts(write_tree(tmp_path / "V10", files)) == [
        ("a", "INBOX", ("seen", "flagged"), ()),
        ("b", "INBOX", ("spam",), ()),
        ("c", "Work/Old", ("answered", "forwarded", "draft", "deleted"), ()),
        ("d", "plain", (), ()),
    ]
    assert {item.raw for item in read(tmp_path / "V10")} == {mail(name) for name in "abcd"}
    assert open_source(tmp_path / "V10").kind == "folder of Apple Mail messages"
    assert [item.raw for item in read(tmp_path / "V10" / "plain" / "4.emlx")] == [mail("d")]


def test_links_in_archives_are_reported(tmp_path):
    import io
    import tarfile

    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w") as archive:
        for name, kind in (("1.eml", tarfile.REGTYPE), ("2.eml", tarfile.SYMTYPE), ("pipe", tarfile.FIFOTYPE)):
            info = tarfile.TarInfo(name)
            info.type, info.linkname = kind, "1.eml"
            info.size = len(mail("a")) if kind == tarfile.REGTYPE else 0
            archive.addfile(info, io.BytesIO(mail("a")))
    (tmp_path / "a.tar").write_bytes(file.getvalue())
    assert unread(tmp_path / "a.tar") == [
        ("a.tar/2.eml", "a link in an archive"),
        ("a.tar/pipe", "a file of a special kind in an archive"),
    ]


def test_files_that_vanish_or_cannot_be_opened_are_reported(tmp_path, monkeypatch):
    root = write_tree(
        tmp_path / "m", {"1.eml": mail("a"), "2.eml": mail("b"), "3.eml": mail("c"), "sub/4.eml": mail("d")}
    )
    (root / "gone.eml").symlink_to(tmp_path / "nowhere")
    source = open_source(root)
    real_open, real_scan = open, os.scandir

    def refuse(path, *arguments, **named):
        if str(path).endswith("2.eml"):
            raise PermissionError(13, "Permission denied")
        return real_open(path, *arguments, **named)

    def refuse_folder(path):
        if str(path).endswith("sub"):
            raise PermissionError(13, "Permission denied")
        return real_scan(path)

    monkeypatch.setattr("builtins.open", refuse)
    monkeypatch.setattr(os, "scandir", refuse_folder)
    items = iter(source)
    assert subject(next(items).raw) == "a"
    (root / "3.eml").unlink()
    rest = list(items)
    assert [(item.origin, item.reason) for item in rest] == [
        ("m/2.eml", "cannot be read: permission denied"),
        ("m/3.eml", "cannot be read: no such file or directory"),
        ("m/gone.eml", "cannot be read: no such file or directory"),
        ("m/sub", "cannot be read: permission denied"),
    ]


def test_loops_of_links_end(tmp_path):
    root = write_tree(tmp_path / "m", {"a/1.eml": mail("a")})
    (root / "a" / "up").symlink_to(root)
    (root / "b").symlink_to(root / "a")
    (root / "me").symlink_to("me")
    found = list(open_source(root))
    assert [subject(item.raw) for item in found if isinstance(item, SourceMessage)] == ["a"]


def test_names_in_any_encoding_are_printable(tmp_path):
    folder = tmp_path / "m"
    folder.mkdir()
    name = os.fsencode(folder) + b"/Gr\xfc\xdfe\n\x1b[1m"
    os.mkdir(name)  # noqa: PTH102 -- a name that is no text
    with open(name + b"/1.eml", "wb") as file:  # noqa: PTH123
        file.write(mail("a"))
    (only,) = read(folder)
    assert only.folder == "Gr\\xfc\\xdfe\\x0a\\x1b[1m"
    assert only.origin == "m/Gr\\xfc\\xdfe\\x0a\\x1b[1m/1.eml"


def test_names_in_zips_without_the_flag_of_utf8(tmp_path):
    for written, shown in (("Entwürfe".encode(), "Entwürfe"), (b"\x81ber", "über")):
        path = tmp_path / "a.zip"
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr("n" * len(written) + "/1.eml", mail("a"))
            archive.writestr("other/1.eml", mail("b"))
        path.write_bytes(path.read_bytes().replace(b"n" * len(written), written))
        assert {item.folder for item in read(path)} == {shown, "other"}


def test_a_member_of_a_zip_without_a_name_is_passed_over(tmp_path):
    data = zipped({"q": mail("a"), "2.eml": mail("b")})
    local, central = data.index(b"q"), data.rindex(b"q")
    nameless = bytearray(data)
    nameless[local], nameless[central] = 0, 0
    (tmp_path / "a.zip").write_bytes(bytes(nameless))
    assert [subject(item.raw) for item in read(tmp_path / "a.zip")] == ["b"]


def test_a_note_of_the_mail_program_is_no_mail(tmp_path):
    note = (
        b"Date: 1 Jan 2020 00:00:00 +0000\nFrom: Mail System Internal Data <MAILER-DAEMON@x.example>\n"
        b"Subject: DON'T DELETE THIS MESSAGE -- FOLDER INTERNAL DATA\nX-IMAP: 1577836800 2\nStatus: RO\n\ntext\n"
    )
    (tmp_path / "inbox").write_bytes(FROM_LINE + note + b"\n" + mbox("a", "b"))
    items = list(open_source(tmp_path / "inbox"))
    assert [subject(item.raw) for item in items if isinstance(item, SourceMessage)] == ["a", "b"]
    assert unread(tmp_path / "inbox") == [("inbox#1", "a note of the mail program to itself")]
