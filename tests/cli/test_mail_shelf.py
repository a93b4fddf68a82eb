import sqlite3
import sys
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from tests.cli.terminal import Terminal


def test_mailboxes_are_listed(mailgym: Any, two_store: Path) -> None:
    maya, tom = mailgym("mail", "list", "--store", two_store, "--json").data
    assert maya["mailbox"] == "maya"
    assert maya["owner"] == "Maya"
    assert maya["addresses"] == ["maya@ember.example"]
    assert (maya["messages"], tom["messages"]) == (4, 2)
    assert (maya["first"], maya["last"]) == ("2025-03-04T08:00:00+00:00", "2025-03-07T10:00:00+00:00")
    assert maya["disk_bytes"] == (two_store / "maya.mailbox").stat().st_size
    shown = mailgym("mail", "list", "--store", two_store).out
    assert "2025-03-04" in shown
    assert "Tom" in shown


def test_a_damaged_mailbox_hides_no_other(mailgym: Any, two_store: Path) -> None:
    (two_store / "broken.mailbox").write_bytes(b"no mailbox at all")
    listed = mailgym("mail", "list", "--store", two_store, "--json")
    assert [one["mailbox"] for one in listed.data] == ["maya", "tom"]
    assert "broken.mailbox" in listed.err
    searched = mailgym("mail", "search", "harbour", "--store", two_store)
    assert searched.code == 2
    assert "choose another mailbox with --mailbox NAME" in searched.err


def test_a_store_of_nothing_but_a_damaged_one(mailgym: Any, tmp_path: Path) -> None:
    (tmp_path / "broken.mailbox").write_bytes(b"no mailbox at all")
    result = mailgym("mail", "list", "--store", tmp_path)
    assert (result.code, result.out) == (0, "")
    assert "broken.mailbox" in result.err
    searched = mailgym("mail", "search", "x", "--store", tmp_path)
    assert searched.code == 2
    assert "--mailbox NAME" not in searched.err


@pytest.mark.parametrize("verb", [("list",), ("stats",), ("search", "x"), ("read", "x"), ("thread", "x"), ("rm", "x")])
def test_where_there_is_no_store_or_nothing_in_it(mailgym: Any, tmp_path: Path, verb: tuple[str, ...]) -> None:
    (tmp_path / "file").touch()
    (tmp_path / "empty").mkdir()
    for store, words in (("none", "does not exist"), ("file", "is no folder"), ("empty", "holds no mailbox")):
        result = mailgym("mail", *verb, "--store", tmp_path / store)
        assert result.code == 2
        assert words in result.err
        assert "import mail" in result.err


def test_a_mailbox_is_counted(mailgym: Any, two_store: Path) -> None:
    (facts,) = mailgym("mail", "stats", "maya", "--store", two_store, "--json").data
    assert facts["folders"] == {"inbox": 3, "sent": 1}
    assert (facts["with_attachment"], facts["undated"], facts["authors"]) == (1, 0, 3)
    out = mailgym("mail", "stats", two_store / "maya.mailbox").out
    assert "dates             2025-03-04 to 2025-03-07\n" in out
    assert "folder            inbox: 3\n" in out
    both = mailgym("mail", "stats", "--store", two_store).out
    assert both.index("maya.mailbox") < both.index("\n\n") < both.index("tom.mailbox")


def test_a_mailbox_with_many_folders_names_the_largest(capsys: pytest.CaptureFixture[str]) -> None:
    from mailgym.cli.mail.shelf import _stats_pairs

    counts = ("messages", "undated", "authors", "with_attachment", "with_defects", "raw_bytes", "disk_bytes")
    empty = {"mailbox": "m", "file": "m", "owner": "", "addresses": [], "first": None, "last": None}
    pairs = _stats_pairs(
        {**empty, **dict.fromkeys(counts, 0), "undated": 1, "folders": {f"f{n}": 1 for n in range(23)}}
    )
    assert ("", "and 3 more folders (--json names all)") in pairs
    assert ("dates", "– (1 without a date)") in pairs


def test_names_that_may_be_several_are_not_guessed(
    mailgym: Any, two_store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (two_store / "maya.mailbox").rename(two_store / "TOM.mailbox")
    result = mailgym("mail", "stats", "Tom", "--store", two_store)
    assert "'Tom' may be any of TOM, tom" in result.err
    assert mailgym("mail", "stats", "tom", "--store", two_store).code == 0
    monkeypatch.chdir(two_store.parent)
    (two_store.parent / "tom.mailbox").write_bytes((two_store / "tom.mailbox").read_bytes())
    both = mailgym("mail", "stats", "tom.mailbox", "--store", two_store)
    assert "may be ./tom.mailbox or" in both.err
    assert mailgym("mail", "stats", "./tom.mailbox", "--store", two_store).code == 2, "a path without a folder in it"
    assert mailgym("mail", "stats", two_store.parent / "tom.mailbox", "--store", two_store).code == 0
    assert mailgym("mail", "stats", "tom.mailbox", "--store", "nowhere").code == 0


def test_a_mailbox_is_deleted_with_its_leftovers_and_nothing_else(mailgym: Any, two_store: Path) -> None:
    (two_store / "tom.mailbox-journal").touch()
    (two_store / "tom.mailbox.notes").touch()
    planned = mailgym("mail", "rm", "tom", "--store", two_store, "--dry-run")
    assert planned.out.startswith(f"would delete {two_store / 'tom.mailbox'} (2 messages, ")
    assert (two_store / "tom.mailbox").exists()
    deleted = mailgym("mail", "rm", "tom", "--store", two_store, "--yes", "--json").data
    assert deleted["files"] == [str(two_store / "tom.mailbox"), str(two_store / "tom.mailbox-journal")]
    assert sorted(path.name for path in two_store.iterdir()) == ["maya.mailbox", "tom.mailbox.notes"]


@pytest.mark.parametrize("name", ["nobody", "../maya", "*", "TOM", ""])
def test_only_a_whole_name_is_deleted(mailgym: Any, two_store: Path, name: str) -> None:
    result = mailgym("mail", "rm", name, "--store", two_store, "--yes")
    assert result.code == 2
    assert "there is maya, tom" in result.err
    assert len(list(two_store.iterdir())) == 2


def test_without_a_terminal_nothing_is_deleted_unasked(
    mailgym: Any, two_store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", StringIO("y\n"))
    result = mailgym("mail", "rm", "tom", "--store", two_store)
    assert result.code == 2
    assert "--yes" in result.err
    assert (two_store / "tom.mailbox").exists()


@pytest.mark.parametrize("answer", ["n\n", "\n"])
def test_an_answer_but_yes_deletes_nothing(
    mailgym: Any, two_store: Path, monkeypatch: pytest.MonkeyPatch, answer: str
) -> None:
    monkeypatch.setattr(sys, "stdin", Terminal(answer))
    result = mailgym("mail", "rm", "tom", "--store", two_store)
    assert result.code == 2
    assert result.out == ""
    assert "nothing was deleted" in result.err
    assert (two_store / "tom.mailbox").exists()


def test_yes_deletes(mailgym: Any, two_store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", Terminal("y\n"))
    result = mailgym("mail", "rm", "tom", "--store", two_store)
    assert result.code == 0
    assert "delete" in result.err
    assert "2 messages" in result.err
    assert not (two_store / "tom.mailbox").exists()


def test_what_is_no_mailbox_file_is_not_deleted(mailgym: Any, two_store: Path) -> None:
    (two_store / "text.mailbox").write_text("my own notes")
    (two_store / "folder.mailbox").mkdir()
    with sqlite3.connect(two_store / "other.mailbox") as connection:
        connection.execute("CREATE TABLE mine (x)")
    connection.close()
    for name in ("text", "folder", "other"):
        result = mailgym("mail", "rm", name, "--store", two_store, "--yes")
        assert result.code == 2
        assert (two_store / f"{name}.mailbox").exists()


def test_a_damaged_mailbox_and_an_empty_one_and_a_link_can_be_deleted(mailgym: Any, two_store: Path) -> None:
    damaged = two_store / "maya.mailbox"
    damaged.write_bytes(damaged.read_bytes()[:4096])
    (two_store / "empty.mailbox").touch()
    elsewhere = two_store.parent / "elsewhere.mailbox"
    (two_store / "tom.mailbox").rename(elsewhere)
    (two_store / "tom.mailbox").symlink_to(elsewhere)
    (two_store / "dead.mailbox").symlink_to(two_store / "gone")
    assert "it cannot be read" in mailgym("mail", "rm", "maya", "--store", two_store, "--yes").out
    for name in ("empty", "tom", "dead"):
        assert mailgym("mail", "rm", name, "--store", two_store, "--yes").code == 0
    assert list(two_store.iterdir()) == []
    assert elsewhere.exists()


def test_a_mailbox_that_is_being_written_is_not_deleted(mailgym: Any, two_store: Path) -> None:
    writer = sqlite3.connect(two_store / "tom.mailbox", isolation_level=None)
    writer.execute("BEGIN IMMEDIATE")
    try:
        result = mailgym("mail", "rm", "tom", "--store", two_store, "--yes")
    finally:
        writer.close()
    assert result.code == 2
    assert "is being written" in result.err
    assert (two_store / "tom.mailbox").exists()


def test_a_mailbox_that_was_never_begun_is_in_nobodys_way(mailgym: Any, maya_store: Path) -> None:
    (maya_store / "begun.mailbox").touch()
    assert mailgym("mail", "search", "tapas", "--store", maya_store).code == 0
    told = mailgym("mail", "list", "--store", maya_store)
    assert "begun.mailbox" in told.err
    assert mailgym("mail", "rm", "begun", "--yes", "--store", maya_store).code == 0


def test_names_of_files_command_no_terminal(mailgym: Any, maya_store: Path) -> None:
    hostile = maya_store / "a\x1b[31m\x9b.mailbox"
    hostile.write_bytes(next(maya_store.glob("*.mailbox")).read_bytes())
    for verb in (["list"], ["stats"], ["stats", hostile.stem], ["list", "--json"], ["rm", hostile.stem, "--dry-run"]):
        result = mailgym("mail", *verb, "--store", maya_store)
        assert result.code == 0
        assert not {"\x1b", "\x9b"} & set(result.out + result.err)
