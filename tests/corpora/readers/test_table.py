import builtins
import csv
import io
import json
import sys

import pytest
from tests.corpora.readers.packing import facts, mail, read, subject, tarred, zipped

from mailgym.core.errors import MissingExtra, SourceError
from mailgym.corpora.readers.detect import open_source
from mailgym.corpora.readers.source import SourceMessage, Unreadable

ROWS = [
    {
        "message_id": f"<{number}@x.example>",
        "subject": name,
        "from": "a@x.example",
        "to": ["b@x.example"],
        "cc": [],
        "bcc": None,
        "date": "2001-05-14T10:00:00",
        "body": "text\n",
        "file_name": f"allen-p/{folder}/{number}.",
    }
    for number, (name, folder) in enumerate([("one", "inbox"), ("two", "sent/old"), ("three", "inbox")])
]
ROW_FACTS = [
    ("one", "allen-p/inbox", (), ()),
    ("three", "allen-p/inbox", (), ()),
    ("two", "allen-p/sent/old", (), ()),
]


def kaggle(rows) -> bytes:
    file = io.StringIO(newline="")
    writer = csv.writer(file, quoting=csv.QUOTE_ALL)
    writer.writerow(["file", "message"])
    writer.writerows(rows)
    return file.getvalue().encode("utf-8", "surrogateescape")


def jsonl(rows) -> bytes:
    return b"".join(json.dumps(row).encode() + b"\n" for row in rows)


def parquet(rows, **columns) -> bytes:
    pyarrow = pytest.importorskip("pyarrow")
    from pyarrow import parquet

    file = io.BytesIO()
    parquet.write_table(pyarrow.Table.from_pylist(rows), file, row_group_size=2)
    return file.getvalue()


def test_emails_csv_has_a_mailbox_for_each_person(tmp_path):
    raws = [mail("one"), b"Subject: two\n\n" + b"x" * 300_000 + b"\n", b"Subject: gr\xfc\xdfe\n\n\x00\n"]
    files = ["allen-p/_sent_mail/1.", "arnold-j/notes/old/2.", "top"]
    rows = [(file, raw.decode("utf-8", "surrogateescape")) for file, raw in zip(files, raws, strict=True)]
    path = tmp_path / "emails.csv"
    path.write_bytes(kaggle(rows))
    found = read(path)
    assert [item.raw for item in found] == raws
    assert [(item.mailbox, item.folder) for item in found] == [
        ("allen-p", "_sent_mail"),
        ("arnold-j", "notes/old"),
        ("", ""),
    ]
    assert found[0].origin == "emails.csv#1"
    assert {(item.mailbox, item.folder) for item in read(path, by="address")} == {
        ("", "allen-p/_sent_mail"),
        ("", "arnold-j/notes/old"),
        ("", ""),
    }


def test_a_row_that_is_too_short_is_an_empty_mail_for_the_importer(tmp_path):
    (tmp_path / "e.csv").write_bytes(kaggle([("a/b/1.", "Subject: s\n")]) + b"short\r\n\r\n")
    assert [item.raw for item in read(tmp_path / "e.csv")] == [b"Subject: s\n", b""]


def test_jsonl_and_parquet_give_the_same_messages(tmp_path):
    (tmp_path / "a.jsonl").write_bytes(jsonl(ROWS))
    (tmp_path / "a.parquet").write_bytes(parquet(ROWS))
    assert facts(tmp_path / "a.jsonl") == facts(tmp_path / "a.parquet") == ROW_FACTS
    assert [item.raw for item in read(tmp_path / "a.jsonl")] == [item.raw for item in read(tmp_path / "a.parquet")]
    assert {item.mailbox for item in read(tmp_path / "a.parquet", by="person")} == {"allen-p"}


def test_tables_are_read_in_archives(tmp_path):
    files = {
        "a.jsonl": jsonl(ROWS[:1]),
        "b.parquet": parquet(ROWS[1:2]),
        "emails.csv": kaggle([("allen-p/inbox/9.", mail("three").decode())]),
    }
    for name, pack in (("t.zip", zipped), ("t.tar", tarred)):
        (tmp_path / name).write_bytes(pack(files))
        found = read(tmp_path / name)
        assert sorted(subject(item.raw) for item in found) == ["one", "three", "two"]


def test_lines_that_are_no_rows_are_reported(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_bytes(b"\xef\xbb\xbf" + jsonl(ROWS[:1]) + b'\n{"x": 1}\n[]\nnonsense\n' + jsonl(ROWS[1:]))
    items = list(open_source(path))
    assert [item.origin for item in items if isinstance(item, SourceMessage)] == ["a.jsonl#1", "a.jsonl#6", "a.jsonl#7"]
    assert [(item.origin, item.reason) for item in items if isinstance(item, Unreadable)] == [
        (f"a.jsonl#{number}", "not a row of a table of mail") for number in (3, 4, 5)
    ]


def test_paths_of_rows_are_made_printable(tmp_path):
    (tmp_path / "a.jsonl").write_bytes(jsonl([ROWS[0] | {"file_name": "a\ud800b\n/\udcff\u2028c/1."}]))
    assert [item.folder for item in read(tmp_path / "a.jsonl")] == ["a\\ud800b\\x0a/\\xff\\u2028c"]


def test_parquet_of_something_else_or_damaged_says_so(tmp_path):
    (tmp_path / "a.parquet").write_bytes(parquet([{"price": 1}]))
    with pytest.raises(SourceError, match="a table without columns of mail: it needs message_id"):
        open_source(tmp_path / "a.parquet")
    (tmp_path / "b.parquet").write_bytes(parquet(ROWS)[:-20])
    with pytest.raises(SourceError, match="damaged: the table cannot be read to its end"):
        open_source(tmp_path / "b.parquet")


def test_a_csv_whose_columns_are_not_what_they_seemed_is_damaged():
    from mailgym.corpora.readers.streams import StreamError
    from mailgym.corpora.readers.table import read_csv

    with pytest.raises(StreamError, match="damaged"):
        list(read_csv(io.BytesIO(b'file,"message\nmore",x\n')))


def test_parquet_with_text_that_is_none_is_damaged(tmp_path):
    data = parquet([ROWS[0] | {"subject": "unmistakable"}]).replace(b"unmistakable", b"\xff" * 12)
    (tmp_path / "a.parquet").write_bytes(data)
    with pytest.raises(SourceError, match="damaged"):
        open_source(tmp_path / "a.parquet")


def test_parquet_without_its_library_says_what_to_install(tmp_path, monkeypatch):
    (tmp_path / "a.parquet").write_bytes(b"PAR1" + b"x" * 100)
    real_import = builtins.__import__

    def refuse(name, *arguments, **named):
        if name.startswith("pyarrow"):
            raise ModuleNotFoundError(f"No module named {name!r}")
        return real_import(name, *arguments, **named)

    monkeypatch.setattr(builtins, "__import__", refuse)
    with pytest.raises(MissingExtra, match=r"pip install 'mailgym\[parquet\]'"):
        open_source(tmp_path / "a.parquet")


def test_fields_of_any_size_are_read():
    assert sys.maxsize >= 2**31 - 1
    before = csv.field_size_limit()
    from mailgym.corpora.readers.table import read_csv

    list(read_csv(io.BytesIO(kaggle([("a", "b")]))))
    assert csv.field_size_limit() >= max(before, 2**31 - 1)
