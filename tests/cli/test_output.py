import json
import sys
from io import StringIO
from typing import Any

import pytest

from mailgym.cli import output


class Terminal(StringIO):
    def isatty(self) -> bool:
        return True


def test_bars_go_to_standard_error(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("TERM", "xterm")
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    with output.progress_bars() as report:
        report("reading", 1, 4)
        report("reading", 4, 4)
        report("thinking", 0, None)
    assert "reading" in terminal.getvalue()
    assert "100%" in terminal.getvalue()
    assert capsys.readouterr().out == ""


def test_without_a_terminal_bars_are_silent(capsys: pytest.CaptureFixture[str]) -> None:
    with output.progress_bars() as report:
        report("reading", 1, 4)
    assert capsys.readouterr() == ("", "")


def test_json_holds_nothing_that_a_terminal_obeys(capsys: pytest.CaptureFixture[str]) -> None:
    hostile = {"a\x9b31m": ["\x1b[31m", "\x7f", "\u202e", "\ud800", "é 漢"]}
    output.print_json(hostile)
    shown = capsys.readouterr().out
    assert not any(character in shown for character in "\x1b\x7f\x9b\u202e\ud800")
    assert "é 漢" in shown
    assert json.loads(shown) == hostile


def test_a_status_line(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    with output.status("first") as say:
        say("[second]")
    assert capsys.readouterr().err == "[second]\n"
    monkeypatch.setenv("TERM", "xterm")
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    with output.status("first") as say:
        say("second")
    assert "second" in terminal.getvalue() or "first" in terminal.getvalue()


@pytest.mark.parametrize("text", ["[red]not markup[/red]", "a" * 300])
def test_texts_are_printed_as_they_are(text: Any, capsys: pytest.CaptureFixture[str]) -> None:
    output.show(text)
    assert capsys.readouterr().out == text + "\n"


def test_mail_cannot_command_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    output.show("a\x1b[2J\x1b]52;c;AAAA\x07 b\x9b\ud800\tc\n\u202ed")
    output.note("\x1b[31mred")
    shown = capsys.readouterr()
    assert "\x1b" not in shown.out + shown.err
    assert "\x9b" not in shown.out
    assert shown.err == "\ufffd[31mred\n"


def test_json_with_lone_surrogates_can_be_read_again(capsys: pytest.CaptureFixture[str]) -> None:
    output.print_json({"text": "\ud800é"})
    shown = capsys.readouterr().out
    assert json.loads(shown) == {"text": "\ud800é"}
    assert "é" in shown
    shown.encode()
