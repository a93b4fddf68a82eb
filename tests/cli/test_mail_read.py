import re
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.cli.conftest import ANSWER, MAYAS
from tests.cli.terminal import Terminal

from mailgym.cli.mail import letter, plain
from mailgym.cli.mail.places import find_message, short_id
from mailgym.cli.main import main
from mailgym.mail.message import Address, Attachment
from mailgym.mail.parse import parse_message


def test_a_message_is_shown_whole(mailgym: Any, maya_store: Path) -> None:
    lines = mailgym("mail", "read", "plan-1@ember.example", "--store", maya_store).out.splitlines()
    pairs = dict(re.split(r"  +", line, maxsplit=1) for line in lines[: lines.index("")])
    assert pairs == {
        "subject": "Harbour plan",
        "from": "Dana Whitfield <dana@ember.example>",
        "to": "maya@ember.example",
        "date": "2025-03-04 08:00 UTC (written: Tue, 4 Mar 2025 09:00:00 +0100)",
        "folder": "inbox",
        "flags": "seen",
        "id": "<plan-1@ember.example>",
        "attached": "plan.pdf (application/pdf, 9 bytes)",
    }
    assert "The plan for the harbour is attached." in lines


@pytest.mark.parametrize("wanted", ["plan-2@ember.example", "<plan-2@ember.example>", "plan-2", "<plan-2"])
def test_an_id_may_be_whole_or_a_beginning_that_fits_no_other(mailgym: Any, maya_store: Path, wanted: str) -> None:
    assert "I agree" in mailgym("mail", "read", wanted, "--store", maya_store).out


def test_a_beginning_that_fits_several_names_them(mailgym: Any, two_store: Path) -> None:
    result = mailgym("mail", "read", "plan-", "--store", two_store)
    assert result.code == 2
    assert result.err == (
        "mailgym: 'plan-' fits 2 messages: <plan-1@ember.example>, <plan-2@ember.example>; write more of the id\n"
    )


@pytest.mark.parametrize("wanted", ["nothing", "", "<>", "plan-1@ember.example."])
def test_an_id_that_fits_nothing(mailgym: Any, maya_store: Path, wanted: str) -> None:
    result = mailgym("mail", "read", wanted, "--store", maya_store)
    assert result.code == 2
    assert result.err.count("\n") == 1
    assert "mailgym mail search" in result.err


def test_a_whole_id_wins_over_longer_ones_that_begin_so() -> None:
    class Box:
        def ids_beginning_with(self, beginning: str, limit: int) -> list[str]:
            return [name for name in ("a@x", "a@x.example") if name.startswith(beginning)][:limit]

    boxes: Any = {"one": Box()}
    assert find_message(boxes, "a@x") == ("a@x", ["one"])
    assert find_message(boxes, "a@x.") == ("a@x.example", ["one"])
    assert short_id(boxes, "a@x") == "a@x"
    assert short_id(boxes, "a@x.example") == "a@x.exam"


def test_ids_that_share_a_long_beginning_are_told_apart_in_few_looks() -> None:
    class Box:
        looks = 0

        def ids_beginning_with(self, beginning: str, limit: int) -> list[str]:
            self.looks += 1
            return [name for name in ("x" * 100_000, "x" * 70_000 + "y" * 9) if name.startswith(beginning)][:limit]

    box = Box()
    boxes: Any = {"one": box}
    assert short_id(boxes, "x" * 100_000) == "x" * 70_004
    assert box.looks < 20


def test_an_id_like_an_option_is_typed_in_another_way(mailgym: Any, maya_store: Path) -> None:
    out = mailgym("mail", "search", "tapas", "--store", maya_store).out
    assert "  id '<-dash$1@'\n" in out
    assert "Tapas" in mailgym("mail", "read", "<-dash$1@", "--store", maya_store).out


def test_a_message_in_several_mailboxes_is_shown_once_and_said(mailgym: Any, two_store: Path) -> None:
    result = mailgym("mail", "read", "plan-2", "--store", two_store)
    assert result.out.count("I agree") == 1
    assert "in maya, tom; shown as in maya" in result.err
    assert mailgym("mail", "read", "plan-2", "--store", two_store, "--mailbox", "tom").err == ""


def test_quotes_are_told_apart_and_can_be_left_out(mailgym: Any, maya_store: Path) -> None:
    whole = mailgym("mail", "read", "plan-2", "--store", maya_store).out
    assert "> The plan for the harbour is attached." in whole
    new = mailgym("mail", "read", "plan-2", "--no-quotes", "--store", maya_store).out
    assert "I agree" in new
    assert "> " not in new
    assert "(2 lines of quoted text or signature are left out: --quotes shows them)" in new


def test_quotes_are_dim_on_a_terminal(mailgym: Any, maya_store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.delenv("NO_COLOR", raising=False)
    terminal = Terminal()
    monkeypatch.setattr(sys, "stdout", terminal)
    mailgym("mail", "read", "plan-2", "--store", maya_store)
    shown = terminal.getvalue()
    assert "\x1b[2m> Please say yes.\x1b[0m" in shown
    assert "\nI agree with the harbour plan.\n" in shown


def test_raw_is_the_exact_bytes(maya_store: Path, capsysbinary: Any) -> None:
    assert main(["mail", "read", "evil@", "--raw", "--store", str(maya_store)]) == 0
    assert capsysbinary.readouterr().out == MAYAS[3][2]


def test_raw_on_a_terminal_is_not_obeyed(mailgym: Any, maya_store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "dumb")
    terminal = Terminal()
    monkeypatch.setattr(sys, "stdout", terminal)
    assert mailgym("mail", "read", "evil@", "--raw", "--store", maya_store).code == 0
    shown = terminal.getvalue()
    assert "Subject: =?utf-8?q?" in shown
    assert "\x1b" not in shown
    assert "␛[31m" in shown


def test_headers_are_as_they_were_written(mailgym: Any, maya_store: Path) -> None:
    out = mailgym("mail", "read", "plan-2", "--headers", "--store", maya_store).out
    raw_head = MAYAS[1][2].partition(b"\r\n\r\n")[0].decode().replace("\r\n", "\n")
    assert out == raw_head + "\n"


def test_headers_in_another_charset_are_shown_all_the_same() -> None:
    assert letter._decoded("Zoë".encode()) == letter._decoded("Zoë".encode("latin-1")) == "Zoë"


def test_json_has_every_field(mailgym: Any, maya_store: Path) -> None:
    data = mailgym("mail", "read", "plan-1", "--json", "--store", maya_store).data
    assert data["mailbox"] == "maya"
    assert data["date"] == "2025-03-04T08:00:00+00:00"
    assert data["from"] == {"name": "Dana Whitfield", "address": "dana@ember.example"}
    assert data["attachments"] == [{"file_name": "plan.pdf", "content_type": "application/pdf", "size_bytes": 9}]
    assert data["new_text"].strip() == "The plan for the harbour is attached."


def test_one_form_at_a_time(mailgym: Any, maya_store: Path) -> None:
    result = mailgym("mail", "read", "plan-1", "--json", "--raw", "--store", maya_store)
    assert result.code == 2
    assert "choose one of them" in result.err


def test_hostile_mail_is_shown_and_not_obeyed(mailgym: Any, maya_store: Path) -> None:
    out = mailgym("mail", "read", "evil@", "--store", maya_store).out
    assert "red ␛[31mtext␛[0m <U+009B>2J<U+202E>back<U+2066>␇ end\n" in out
    assert "[bold]not markup[/bold] :smile:" in out
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", out)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain\ttext\nhere", "plain\ttext\nhere"),
        ("a\r\nb\rc", "a\nb␍c"),
        ("\x00\x7f\x85", "␀␡<U+0085>"),
        ("\u2028\ud800", "<U+2028><U+D800>"),
        ("שלום \u200f مرحبا", "שלום \u200f مرحبا"),
    ],
)
def test_what_a_terminal_would_obey_is_visible(text: str, shown: str) -> None:
    assert plain.visible(text) == shown


def parsed(text: str = ANSWER) -> Any:
    return parse_message(f"Subject: s\n\n{text}".encode())


def test_lines_are_told_apart_in_their_order() -> None:
    message = parsed("first\n\n> quoted\n\nanswer\n> more\nlast\n")
    told = letter.tell_apart(message)
    assert [line for line, is_new in told if is_new and line] == ["first", "answer", "last"]
    assert [line for line, is_new in told if not is_new and line] == ["> quoted", "> more"]
    assert [line for line, _ in told] == message.text.splitlines()


def test_texts_that_do_not_follow_each_other_are_shown_one_after_the_other() -> None:
    for new, quoted in (("other words", "> quoted"), ("first", ""), ("first\nfirst", "> quoted")):
        message = replace(parsed("first\n> quoted"), new_text=new, quoted_text=quoted)
        told = letter.tell_apart(message)
        assert told == [(line, True) for line in new.split("\n")] + [(line, False) for line in quoted.splitlines()]


def test_a_line_that_may_be_either_stays_with_those_before_it() -> None:
    message = replace(parsed("a\nsame\n> b\nsame"), new_text="a\nsame", quoted_text="> b\nsame")
    assert letter.tell_apart(message) == [("a", True), ("same", True), ("> b", False), ("same", False)]


def test_a_message_with_everything(capsys: pytest.CaptureFixture[str]) -> None:
    message = replace(
        parsed(),
        subject="",
        date=None,
        to=tuple(Address("", f"p{n}@x.example") for n in range(25)),
        cc=(Address("Zoë", ""),),
        labels=("work", "later"),
        in_reply_to="b@x",
        attachments=(Attachment("a\x1b.zip", "application/zip", 1_234_567),),
        defects=("no date\x07",),
    )
    letter.show_message(message)
    out = capsys.readouterr().out
    assert re.search(r"^subject +$", out, re.MULTILINE)
    assert re.search(r"^to +p0@.*p19@x\.example and 5 more \(--headers or --json shows all\)$", out, re.MULTILINE)
    assert re.search(r"^cc +Zoë$", out, re.MULTILINE)
    assert re.search(r"^date +unknown$", out, re.MULTILINE)
    assert re.search(r"^labels +work, later$", out, re.MULTILINE)
    assert re.search(r"^answers +<b@x>$", out, re.MULTILINE)
    assert "a␛.zip (application/zip, 1.2 MB)" in out
    assert "defect: no date␇" in out


@pytest.mark.parametrize(
    ("size_bytes", "words"),
    [
        (0, "0 bytes"),
        (734, "734 bytes"),
        (1000, "1.0 kB"),
        (99_949, "99.9 kB"),
        (250_000, "250 kB"),
        (3 * 10**15, "3000 TB"),
    ],
)
def test_sizes_in_words(size_bytes: int, words: str) -> None:
    assert plain.size_words(size_bytes) == words
