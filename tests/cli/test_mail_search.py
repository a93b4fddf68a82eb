import re
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.cli.terminal import Terminal

from mailgym.cli.mail import find
from mailgym.mail.message import Address
from mailgym.mail.stored import Hit


def test_the_best_hit_comes_first_with_who_when_and_how_to_read_it(mailgym: Any, maya_store: Path) -> None:
    result = mailgym("mail", "search", "harbour", "attached", "--store", maya_store)
    lines = result.out.splitlines()
    assert result.code == 0
    assert lines[0].split() == ["date", "from", "subject", "folder"]
    assert re.fullmatch(r"2025-03-04 +Dana Whitfield +Harbour plan +inbox", lines[1])
    assert lines[2] == "  The plan for the harbour is attached."
    assert lines[3] == "  id plan-1@e"
    assert mailgym("mail", "read", "plan-1@e", "--store", maya_store).out.startswith("subject   Harbour plan\n")


def test_a_hit_as_json_has_the_whole_id(mailgym: Any, maya_store: Path) -> None:
    data = mailgym("mail", "search", "tapas", "--store", maya_store, "--json").data
    assert data["searched"] == [{"mailbox": "maya", "messages": 4}]
    (hit,) = data["hits"]
    assert hit["message_id"] == "-dash$1@ember.example"
    assert hit["date"] == "2025-03-06T10:00:00+00:00"
    assert hit["from"] == {"name": "Maya Lind", "address": "maya@ember.example"}
    assert hit["to"] == [{"name": "Tom Becker", "address": "tom@ember.example"}]
    assert (hit["mailboxes"], hit["folder"]) == (["maya"], "sent")
    assert hit["score"] > 0


def test_filters_alone_find_mail(mailgym: Any, maya_store: Path) -> None:
    def ids(*arguments: str) -> list[str]:
        data = mailgym("mail", "search", *arguments, "--store", maya_store, "--json").data
        return [hit["message_id"].split("@")[0] for hit in data["hits"]]

    assert ids("--from", "dana", "--sort", "date") == ["evil", "plan-1"]
    assert ids("--to", "tom@ember.example") == ["-dash$1"]
    assert ids("--after", "2025-03-05", "--before", "2025-03-07") == ["-dash$1", "plan-2"]
    assert ids("--folder", "Sent") == ["-dash$1"]
    assert ids("--has-attachment") == ["plan-1"]
    assert ids("harbour", "--no-attachment") == ["plan-2"]
    assert ids("agree", "tapas", "--sort", "date") == ["-dash$1", "plan-2"]
    assert ids("agree", "tapas", "--all-words") == []
    assert ids("--before", "2026-01-01", "-n", "1", "--offset", "1") == ["-dash$1"]


def test_a_word_of_the_shell_with_blanks_is_a_phrase(mailgym: Any, maya_store: Path) -> None:
    found = mailgym("mail", "search", "harbour plan", "--store", maya_store, "--json").data["hits"]
    assert len(found) == 2
    assert mailgym("mail", "search", "plan harbour", "--store", maya_store, "--json").data["hits"] == []
    assert find.typed_keywords(["a b", "c", '"d e" f']) == '"a b" c "d e" f'


def test_no_hit_is_no_failure_and_says_what_was_searched(mailgym: Any, two_store: Path) -> None:
    result = mailgym("mail", "search", "zeppelin", "--from", "dana", "--no-attachment", "--store", two_store)
    assert result.code == 0
    assert result.out == (
        "nothing found in 2 mailboxes (6 messages): any of zeppelin, from dana, without attachments\n"
    )
    beyond = mailgym(
        "mail", "search", "harbour", "--all-words", "--store", two_store, "--mailbox", "tom", "--offset", "5"
    )
    assert beyond.out == "nothing found beyond the first 5 in tom (2 messages): all of harbour\n"


def test_more_hits_are_told(mailgym: Any, maya_store: Path) -> None:
    out = mailgym("mail", "search", "--before", "2026-01-01", "-n", "3", "--store", maya_store).out
    assert out.splitlines()[-1] == "there is more: --offset 3"
    assert "there is more" not in mailgym("mail", "search", "--before", "2026-01-01", "--store", maya_store).out


def test_several_mailboxes_are_merged_by_place_and_a_shared_message_is_one_hit(mailgym: Any, two_store: Path) -> None:
    data = mailgym("mail", "search", "harbour", "--store", two_store, "--json").data
    places = [(hit["message_id"].split("@")[0], hit["mailboxes"]) for hit in data["hits"]]
    assert sorted(place for place in places[:2]) == [("plan-1", ["maya"]), ("tom-1", ["tom"])]
    assert places[0] == ("tom-1", ["tom"]), "the newer of the two best"
    assert sorted(places[2][1]) == ["maya", "tom"]
    assert len(places) == 3
    shown = mailgym("mail", "search", "harbour", "--store", two_store).out
    assert "id tom-1@em  in tom" in shown
    assert "in maya, tom" in shown or "in tom, maya" in shown
    by_date = mailgym("mail", "search", "harbour", "--store", two_store, "--sort", "date", "--json").data["hits"]
    assert [hit["message_id"].split("@")[0] for hit in by_date] == ["tom-1", "plan-2", "plan-1"]


class FakeMailbox:
    def __init__(self, name: str, count: int) -> None:
        self.hits = [Hit(f"{name}-{place}", None, Address("", name), (), "", "", "", 1.0) for place in range(count)]

    def search(self, keywords: str, *, limit: int, offset: int = 0, **_: Any) -> list[Hit]:
        return self.hits[offset : offset + limit]


def test_pages_of_merged_hits_neither_overlap_nor_leave_gaps() -> None:
    boxes: Any = {"a": FakeMailbox("a", 7), "b": FakeMailbox("b", 3), "c": FakeMailbox("c", 0)}
    how = {"sort": "rank", "match": "any"}

    def page(limit: int, offset: int) -> list[str]:
        return [found.hit.message_id for found in find.search_all(boxes, "x", limit, offset, how)]

    everything = page(100, 0)
    assert everything == ["a-0", "b-0", "a-1", "b-1", "a-2", "b-2", "a-3", "a-4", "a-5", "a-6"]
    assert [message_id for start in range(0, 12, 3) for message_id in page(3, start)] == everything


def test_what_cannot_be_searched_is_one_line(mailgym: Any, two_store: Path) -> None:
    def error(*arguments: str) -> str:
        result = mailgym("mail", "search", *arguments, "--store", two_store)
        assert (result.code, result.out, result.err.count("\n")) == (2, "", 1)
        return str(result.err)

    assert "2001-13-45" in error("harbour", "--after", "2001-13-45")
    assert "sort is 'size'" in error("harbour", "--sort", "size")
    assert "empty" in error()
    assert "'nobody' is no mailbox" in error("harbour", "--mailbox", "nobody")
    assert "there is maya, tom" in error("harbour", "--mailbox", "nobody")
    assert "--mailbox NAME" in error("harbour", "-n", "10000", "--offset", "1")


def test_a_mailbox_by_its_path_needs_no_store(mailgym: Any, two_store: Path, tmp_path: Path) -> None:
    result = mailgym("mail", "search", "dues", "--mailbox", two_store / "tom.mailbox")
    assert "id tom-1@em\n" in result.out
    by_name = mailgym("mail", "search", "dues", "--mailbox", "TOM", "--store", two_store)
    assert by_name.out == result.out


def test_words_are_marked_as_the_index_sees_them_and_lines_fit_the_terminal(
    mailgym: Any, two_store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "60")
    monkeypatch.delenv("NO_COLOR", raising=False)
    terminal = Terminal()
    monkeypatch.setattr(sys, "stdout", terminal)
    mailgym("mail", "search", "agrees", "HARBOURS", "--store", two_store)
    shown = terminal.getvalue()
    assert "\x1b[1;33mharbour\x1b[0m" in shown
    assert "\x1b[1;33magree\x1b[0m" in shown
    bare = re.sub(r"\x1b\[[0-9;]*m", "", shown)
    assert max(map(len, bare.splitlines())) <= 60
    assert "folder" not in bare


def test_hostile_mail_commands_no_terminal(mailgym: Any, maya_store: Path) -> None:
    out = mailgym("mail", "search", "owned", "--store", maya_store).out
    subject, snippet = out.splitlines()[1:3]
    assert "owned" in subject
    assert "<U+202E>" in subject
    assert "red ␛[31mtext␛[0m <U+009B>2J<U+202E>back<U+2066>␇ end [bold]not markup[/bold] :smile:" in snippet
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e\u2066]", out)
