"""The check of real mail must find what differs, and accept what is listed: folders of its kind are made here."""

import importlib
import io
import json
import lzma
import sys
import tarfile
from pathlib import Path
from typing import Any

import pytest

SCRIPTS = Path(__file__).resolve().parents[2] / "scripts"
MAIL = b"From: Dana <d@x.example>\nTo: b@x.example\nSubject: Gas\nDate: 14 May 2001 10:00:00 +0000\n\nWords to find.\n"


@pytest.fixture
def script(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(str(SCRIPTS))
    yield importlib.import_module("check_real")
    for name in [name for name in sys.modules if name.split(".")[0] in ("check_real", "real_mail")]:
        del sys.modules[name]


def archive(path: Path, files: dict[str, bytes]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with tarfile.open(path, "w:xz") as tar:
        for name, content in files.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(content)
            tar.addfile(entry, io.BytesIO(content))


def header(name: str, value: Any) -> dict[str, Any]:
    return {"name": name, "value": value}


def expected(text: str = "Words to find.\n") -> dict[str, Any]:
    date = {"year": 2001, "month": 5, "day": 14, "hour": 12, "minute": 0, "second": 0}
    headers = [
        header("from", {"Address": {"List": [{"name": "Dana", "address": "d@x.example"}]}}),
        header("to", {"Address": {"Group": [{"name": None, "addresses": [{"name": None, "address": "b@x.example"}]}]}}),
        header("subject", {"Text": "Gas"}),
        header("date", {"DateTime": {**date, "tz_before_gmt": False, "tz_hour": 2, "tz_minute": 0}}),
    ]
    parts = [{"headers": headers, "body": {"Text": text}}]
    return {"text_body": [0], "html_body": [0], "attachments": [], "parts": parts}


def test_a_folder_that_agrees_passes(script, tmp_path, capsys):
    nasty = tmp_path / "nasty_mime"
    archive(nasty / "stalwart.tar.xz", {"stalwart/a.eml": MAIL, "stalwart/a.json": json.dumps(expected()).encode()})
    structure = b'<message><text-body name="m_decoded_1.txt"/></message>'
    decoded = {"mime4j/m.msg": MAIL, "mime4j/m_decoded.xml": structure, "mime4j/m_decoded_1.txt": b"Words to find.\n"}
    archive(nasty / "mime4j.tar.xz", decoded)
    archive(nasty / "cpython.tar.xz", {"cpython/one.txt": MAIL, "cpython/README": b"no mail"})
    archive(tmp_path / "spamassassin" / "ham.tar.xz", {"ham/1.eml": MAIL})
    box = tmp_path / "enron" / "mbox" / "dana.mbox.xz"
    box.parent.mkdir(parents=True)
    box.write_bytes(lzma.compress(b"From dana Mon May 14 10:00:00 2001\n" + MAIL))
    assert script.main([str(tmp_path)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split(":")[0] for line in lines] == ["stalwart", "mime4j", "cpython", "spamassassin/ham", "enron"]
    assert all("1 messages" in line and "0 others" in line for line in lines)


def test_what_differs_is_named_and_fails_and_is_shown_on_request_alone(script, tmp_path, capsys):
    wrong = json.dumps(expected("Other words.")).encode()
    archive(tmp_path / "nasty_mime" / "stalwart.tar.xz", {"stalwart/a.eml": MAIL, "stalwart/a.json": wrong})
    assert script.main([str(tmp_path)]) == 1
    out = capsys.readouterr().out
    assert "stalwart/a.eml: text" in out
    assert "Other words." not in out
    script.main([str(tmp_path), "--show"])
    assert "Other words." in capsys.readouterr().out


def test_an_accepted_difference_passes_and_is_counted(script, tmp_path, capsys, monkeypatch):
    monkeypatch.setitem(script.ACCEPTED, ("stalwart/a.eml", "text"), "for this test")
    wrong = json.dumps(expected("Other words.")).encode()
    archive(tmp_path / "nasty_mime" / "stalwart.tar.xz", {"stalwart/a.eml": MAIL, "stalwart/a.json": wrong})
    assert script.main([str(tmp_path)]) == 0
    assert "1 differences as accepted, 0 others" in capsys.readouterr().out


def test_a_crash_of_the_parser_and_a_slow_mail_fail(script, tmp_path, capsys, monkeypatch):
    archive(tmp_path / "nasty_mime" / "cpython.tar.xz", {"cpython/one.txt": MAIL})
    monkeypatch.setattr(script, "MOST_SECONDS", -1.0)
    assert script.main([str(tmp_path)]) == 1
    assert "cpython/one.txt: time" in capsys.readouterr().out

    def fail(*_):
        raise RecursionError

    monkeypatch.setattr("mailgym.mail.body.decode_transfer", fail)
    assert script.main([str(tmp_path)]) == 1
    assert "cpython/one.txt: structure" in capsys.readouterr().out


def test_a_folder_without_mail_fails(script, tmp_path, capsys):
    assert script.main([str(tmp_path)]) == 1
    assert "holds none of" in capsys.readouterr().out
