import bz2
import gzip
import json
import lzma
import os
import re
import zipfile

import pytest
import zstandard
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

from mailgym.core.errors import SourceError
from mailgym.corpora.readers.detect import open_source
from mailgym.corpora.readers.source import SourceMessage, Unreadable

ENRON = {
    "maildir/allen-p/_sent_mail/1.": mail("a1"),
    "maildir/allen-p/notes/old/12.": mail("a12"),
    "maildir/arnold-j/inbox/3.": mail("j3"),
}


def opened(tmp_path, name, content):
    path = tmp_path / name
    path.write_bytes(content)
    return open_source(path)


@pytest.mark.parametrize(
    ("name", "content", "kind", "called"),
    [
        ("inbox.mbox", mbox("a", "b"), "mbox", "inbox"),
        ("Sent", mbox("a", "b"), "mbox", "Sent"),
        ("inbox.mbox.xz", lzma.compress(mbox("a", "b")), "mbox, xz", "inbox"),
        ("inbox.gz", gzip.compress(mbox("a", "b")), "mbox, gzip", "inbox"),
        ("inbox.bz2", bz2.compress(mbox("a", "b")), "mbox, bzip2", "inbox"),
        ("inbox.txt", zstandard.compress(mbox("a", "b")), "mbox, zstd", "inbox"),
        ("one.eml", mail("a"), "mail file", "one"),
        ("one", mail("a"), "mail file", "one"),
        ("one.eml", b"no header at all\n", "mail file", "one"),
        ("one.zip.eml", zipped({"a.mbox": mbox("a", "b")}), "zip archive of mbox files", "one"),
        ("one.zip", zipped({"a.eml": mail("a")}), "zip archive of mail files", "one"),
        ("one.tar", tarred({"M/cur/1.x:2,S": mail("a"), "M/new": None}), "tar archive of Maildir messages", "one"),
        (
            "o.tgz",
            tarred({"x/.mh_sequences": b"", "x/1": mail("a")}, mode="w:gz"),
            "tar archive of MH messages, gzip",
            "o",
        ),
        ("o.tar.xz", tarred({"a.mbox": mbox("a", "b")}, mode="w:xz"), "tar archive of mbox files, xz", "o"),
        ("o.tar.gz", tarred(ENRON, mode="w:gz"), "Enron release", "o"),
        ("emails.csv", b'"file","message"\n"a-b/inbox/1.","Subject: s\n\nt"\n', "CSV table of mail", "emails"),
        ("x.jsonl", b'{"message_id": "<1@x>", "subject": "s", "body": "t"}\n', "JSONL table of mail", "x"),
    ],
)
def test_a_file_is_known_by_its_content(tmp_path, name, content, kind, called):
    source = opened(tmp_path, name, content)
    assert (source.kind, source.name, source.size_bytes) == (kind, called, len(content))
    found = list(source)
    assert found
    assert all(isinstance(item, SourceMessage) for item in found)
    assert [item.position for item in found] == sorted(item.position for item in found)
    assert found[-1].position <= len(content)
    source.resume({"any": "mark"})
    assert list(source) == found, "a source can be walked through again"


@pytest.mark.parametrize(
    ("files", "kind"),
    [
        ({"cur/1.x:2,S": mail("a"), "new": None, "tmp": None}, "Maildir"),
        ({"inbox/1": mail("a"), "inbox/.mh_sequences": b""}, "folder of MH messages"),
        ({"Work/a.eml": mail("a")}, "folder of mail files"),
        ({"Inbox": mbox("a", "b"), "Sent": mbox("c")}, "folder of mbox files"),
        ({"old/a.zip": zipped({"a.mbox": mbox("a", "b")})}, "folder of mbox files"),
        ({"maildir/allen-p/inbox/1.": mail("a")}, "Enron release"),
        ({"allen-p/inbox/1.": mail("a")}, "Enron release"),
    ],
)
def test_a_folder_is_known_by_its_content(tmp_path, files, kind):
    source = open_source(write_tree(tmp_path / "My mail", files))
    assert (source.kind, source.name) == (kind, "My mail")
    sizes = [len(content) for content in files.values() if content]
    assert source.size_bytes == sum(sizes)
    found = list(source)
    assert found
    assert found[-1].position <= source.size_bytes


def test_the_folder_in_which_one_is_has_a_name(tmp_path, monkeypatch):
    monkeypatch.chdir(write_tree(tmp_path / "here", {"a.eml": mail("a")}))
    assert open_source(".").name == "here"


def test_enron_has_a_mailbox_for_each_person_and_by_address_none(tmp_path):
    path = tmp_path / "enron.tar.gz"
    path.write_bytes(tarred(ENRON, mode="w:gz"))
    unpacked = write_tree(tmp_path / "unpacked", ENRON)
    for place in (path, unpacked, unpacked / "maildir"):
        found = {subject(item.raw): (item.mailbox, item.folder) for item in read(place)}
        assert found == {
            "a1": ("allen-p", "_sent_mail"),
            "a12": ("allen-p", "notes/old"),
            "j3": ("arnold-j", "inbox"),
        }
        assert {item.mailbox for item in read(place, by="address")} == {""}
    assert {item.folder for item in read(unpacked / "maildir", by="address")} == {
        "allen-p/_sent_mail",
        "allen-p/notes/old",
        "arnold-j/inbox",
    }
    assert facts(unpacked / "maildir" / "allen-p") == [("a1", "_sent_mail", (), ()), ("a12", "notes/old", (), ())]


def test_any_tree_can_go_by_person(tmp_path):
    root = write_tree(tmp_path / "m", {"dana/Inbox/1.eml": mail("a"), "tom.mbox": mbox("b"), "top.eml": mail("c")})
    write_tree(root, {"ann/cur/1.x:2,": mail("d"), "ann/new": None, "eve/cur/1.y:2,": mail("e"), "eve/new": None})
    assert {subject(item.raw): (item.mailbox, item.folder) for item in read(root, by="person")} == {
        "a": ("dana", "Inbox"),
        "b": ("tom", ""),
        "c": ("", ""),
        "d": ("ann", ""),
        "e": ("eve", ""),
    }


NOT_MAIL = {
    "x.pst": (b"!BDN" + b"x" * 100, "readpst"),
    "x.msg": (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 600, "save the mail as .eml"),
    "x.7z": (b"7z\xbc\xaf\x27\x1c" + b"\0" * 100, "7z archive: unpack it"),
    "x.rar": (b"Rar!\x1a\x07\x01\x00", "rar archive: unpack it"),
    "empty.mbox": (b"", "is empty"),
    "empty.xz": (lzma.compress(b""), "is empty"),
    "blank.mbox": (b"\n\n", "first line must read"),
    "notes.txt": (b"milk, eggs\n", "first line must read"),
    "image.png": (b"\x89PNG\r\n\x1a\n" + b"\0" * 600, "first line must read"),
    "config.yaml": (b"name: x\nfrom: here\n", "first line must read"),
    "zeros": (bytes(2000), "first line must read"),
    "photos.zip": (zipped({"a.png": b"\x89PNG", "b.txt": b"x"}), "zip archive without mail in it"),
    "nothing.zip": (zipped({}), "zip archive without mail in it"),
    "photos.tar.gz": (tarred({"a.png": b"\x89PNG"}, mode="w:gz"), "tar archive without mail in it"),
    "cut.zip": (zipped({"a.eml": mail("a") * 90})[:-30], "damaged"),
    "cut.gz": (gzip.compress(mbox("a"))[:-30], "damaged: it is cut off"),
    "broken.xz": (b"\xfd7zXZ\x00" + b"no such thing" * 9, "damaged"),
    "columns.jsonl": (b'{"subject": null, "body": null}\n', "not a row of a table of mail"),
}


@pytest.mark.parametrize("name", NOT_MAIL)
def test_what_is_no_mail_says_what_it_is_and_what_would_do(tmp_path, name):
    content, words = NOT_MAIL[name]
    with pytest.raises(SourceError, match=words):
        opened(tmp_path, name, content)


def test_an_encrypted_archive_says_so(tmp_path):
    data = bytearray(zipped({"a.eml": mail("a")}))
    for header in (b"PK\x03\x04", b"PK\x01\x02"):
        data[data.index(header) + (6 if header.endswith(b"\x04") else 8)] |= 1
    with pytest.raises(SourceError, match="is encrypted: unpack it with its password"):
        opened(tmp_path, "secret.zip", bytes(data))


@pytest.mark.parametrize(
    ("files", "words"),
    [
        ({}, "is empty: name an mbox"),
        ({".git/config": b"x", ".DS_Store": b"x"}, "is empty"),
        ({"cur": None, "new": None, "tmp/1.x.y": mail("a")}, "is empty|none of them mail"),
        ({"a.png": b"\x89PNG", "b/c.txt": b"hello"}, "holds 2 files, none of them mail"),
        ({"a.pst": b"!BDNxxxx"}, "readpst"),
        ({"a.zip": zipped({"a.eml": mail("a")})[:-30]}, "nothing in .* can be read .damaged"),
    ],
)
def test_a_folder_without_mail_says_what_it_holds(tmp_path, files, words):
    with pytest.raises(SourceError, match=words):
        open_source(write_tree(tmp_path / "m", files | {"empty": None}))


def test_what_is_not_there_or_no_file_is_said(tmp_path):
    with pytest.raises(SourceError, match="does not exist: check the path"):
        open_source(tmp_path / "none")
    for name in ("a\0b", "~no-such-user/x", str(tmp_path / "a.eml" / "x")):
        with pytest.raises(SourceError, match="does not exist: check the path"):
            open_source(name)
    with pytest.raises(SourceError, match="cannot be read: file name too long: check the path"):
        open_source("x" * 5000)
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(SourceError, match="neither a file nor a folder"):
        open_source(tmp_path / "pipe")
    with pytest.raises(SourceError, match="download it, and name the file"):
        open_source("https://mail.example/takeout.zip")
    with pytest.raises(SourceError, match="cannot be parted by 'week'"):
        open_source(tmp_path, by="week")


def test_a_home_folder_is_found(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(write_tree(tmp_path, {"a.eml": mail("a")})))
    assert read("~/a.eml")


def test_an_imap_address_is_opened_as_such(monkeypatch):
    from mailgym.corpora.readers import imap

    monkeypatch.setattr(imap, "open_imap", lambda url: ("opened", url))
    assert open_source("imaps://dana@mail.example/INBOX") == ("opened", "imaps://dana@mail.example/INBOX")


def until_it_fails(source):
    found = []
    try:
        for item in source:
            found.append(item.raw)
    except SourceError as error:
        return found, str(error)
    raise AssertionError("it did not fail")


@pytest.mark.parametrize("compress", [lzma.compress, gzip.compress, bz2.compress, zstandard.compress])
def test_a_damaged_file_gives_what_can_be_read_and_says_how_far(tmp_path, compress):
    whole = mbox(*(os.urandom(600).hex() for _ in range(900)))
    source = opened(tmp_path, "a.mbox", compress(whole)[:-200])
    found, error = until_it_fails(source)
    assert re.search(r"beyond its first \d+ messages \(damaged.*\): get the file again", error)
    assert 500 < len(found) < 900, "nothing that can be decompressed is lost"
    assert b"".join(b"x" + raw for raw in found) in whole.replace(FROM_LINE, b"x").replace(b"\n\nx", b"\nx")


def test_a_damaged_tar_gives_what_can_be_read(tmp_path):
    source = opened(tmp_path, "a.tar", tarred({f"{n}.eml": mail(f"m{n}") for n in range(9)})[:-6500])
    found, error = until_it_fails(source)
    assert "beyond its first 4 messages (damaged: it is cut off)" in error
    assert [subject(raw) for raw in found] == ["m0", "m1", "m2", "m3"]


def test_members_that_fail_are_reported_and_the_rest_is_read(tmp_path):
    data = bytearray(zipped({"a.eml": mail("a"), "b.eml": mail("b" * 50), "c.eml": mail("c")}))
    at = data.index(b"b.eml") + 30
    data[at : at + 10] = b"\xff" * 10
    found = list(opened(tmp_path, "a.zip", bytes(data)))
    assert [subject(item.raw) for item in found if isinstance(item, SourceMessage)] == ["a", "c"]
    (bad,) = [item for item in found if isinstance(item, Unreadable)]
    assert bad.origin == "a.zip/b.eml"
    assert bad.reason.startswith("damaged")


def test_unknown_compression_and_encryption_are_reported_for_each_member(tmp_path):
    path = tmp_path / "a.zip"
    data = bytearray(zipped({"a.eml": mail("a"), "b.eml": mail("b"), "c.eml": mail("c")}))
    for name, field, value in (("b.eml", (-22, -38), 1), ("c.eml", (-20, -36), 97)):
        local = data.index(name.encode())
        central = data.index(name.encode(), local + 40)
        data[local + (field[0] - 2)] = value
        data[central + field[1]] = value
    path.write_bytes(bytes(data))
    with zipfile.ZipFile(path) as archive:
        assert [info.flag_bits & 1 for info in archive.infolist()] == [0, 1, 0]
    assert unread(path) == [
        ("a.zip/b.eml", "encrypted"),
        ("a.zip/c.eml", "compressed in a way that cannot be read"),
    ]


def test_json_lines_need_no_name(tmp_path):
    row = {"message_id": "<1@x>", "subject": "hello", "from": "a@x", "to": ["b@x"], "body": "t", "file_name": "in/1."}
    source = opened(tmp_path, "rows", json.dumps(row).encode() + b"\n")
    (message,) = source
    assert (subject(message.raw), message.folder, message.origin) == ("hello", "in", "rows#1")
