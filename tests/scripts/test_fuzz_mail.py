"""The fuzzing script must pass over what holds and report what does not."""

import importlib
import random
import sys
from pathlib import Path
from typing import Any

import pytest

from mailgym.mail.parse import parse_message

SCRIPTS = Path(__file__).resolve().parents[2] / "scripts"


@pytest.fixture
def script(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(str(SCRIPTS))
    yield importlib.import_module("fuzz_mail")
    for name in ("fuzz_mail", "fuzz_seeds"):
        del sys.modules[name]


def test_mails_and_queries_hold(script, tmp_path, capsys):
    more = tmp_path / "more.eml"
    more.write_bytes(b"Subject: more\n\nwords")
    assert script.main(["-n", "150", str(more)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split(", slowest")[0] for line in lines] == [
        "mail: 150 inputs, 0 failed",
        "text: 37 inputs, 0 failed",
        "query: 150 inputs, 0 failed",
    ]


def test_a_lost_word_a_crash_and_a_slow_mail_are_found(script, tmp_path, capsys, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setattr("mailgym.mail.parse._tidy", lambda texts: "")
    assert script.main(["-n", "40", "--only", "mail"]) == 1
    assert "words are lost" in capsys.readouterr().out
    assert any(tmp_path.glob("fuzz-text-0-*"))
    monkeypatch.undo()
    monkeypatch.syspath_prepend(str(SCRIPTS))
    monkeypatch.setattr(script, "MOST_SECONDS", -1.0)
    with pytest.raises(script.BrokenPromiseError, match="it took"):
        script.check_mail(b"Subject: x\n\n")


def test_words_are_looked_for_in_plain_text_alone(script):
    raw = b"Subject: x\n\nunderstanding is lost"
    assert script.lost_words(raw, parse_message(b"Subject: x\n\nnothing")) == ["understanding"]
    assert script.lost_words(b"Content-Type: text/html\n\nunderstanding", parse_message(raw)) == []


def test_the_same_seed_makes_the_same_inputs(script):
    one, again = (script.mutate(random.Random(3), script.SEEDS, script.TOKENS) for _ in range(2))
    assert one == again
    assert script.plain_mail(random.Random(3)) == script.plain_mail(random.Random(3))


@pytest.mark.soak
def test_a_hundred_thousand_mails_and_queries_hold(script):
    assert script.main(["-n", "100000", "--seed", "1"]) == 0
