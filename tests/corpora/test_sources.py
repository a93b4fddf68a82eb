import os
from pathlib import Path
from typing import Any

import pytest

from mailgym.core.errors import ConfigError, SourceError
from mailgym.corpora import known_item, sources
from mailgym.corpora.question import Question, read_questions, write_questions
from mailgym.corpora.simulate import store as simulate_store
from mailgym.corpora.simulate.store import Size
from mailgym.corpora.sources import QuestionCounts, mailbox_store, read_size, simulated_store
from mailgym.mail.mailbox import Mailbox
from mailgym.mail.store import MailboxWriter

RAW = b"Message-ID: <a@x>\nDate: Tue, 4 Mar 2025 09:00:00 +0000\nFrom: me@x.example\nTo: you@x.example\n\nHello\n"


@pytest.fixture
def written(monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, Size]]:
    calls: list[tuple[int, Size]] = []

    def write_store(store: Path, seed: int, size: Size, progress: Any) -> None:
        assert not store.exists()
        store.mkdir()
        (store / "half").write_text("half")
        calls.append((seed, size))
        if seed == 13:
            raise KeyboardInterrupt
        write_questions(store, [])

    monkeypatch.setattr(simulate_store, "write_store", write_store)
    return calls


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch, small_store: Path) -> list[tuple[str, tuple[int, ...]]]:
    """Known-item questions have their own tests: here they are one question, and what was asked is kept."""
    calls: list[tuple[str, tuple[int, ...]]] = []

    def questions(mailbox: Mailbox, *numbers: int) -> list[Question]:
        calls.append((mailbox.path.name, numbers))
        return read_questions(small_store)[:1]

    monkeypatch.setattr(known_item, "known_item_questions", questions)
    return calls


def test_sizes_are_read() -> None:
    assert read_size("demo") == Size.demo()
    assert (read_size("small"), read_size("full")) == (Size.small(), Size.full())
    assert read_size("30x600") == Size.of(30, 600)
    for wrong in ("", "big", "x", "3x", "-3x600", "30x600x2"):
        with pytest.raises(ConfigError, match="people and days"):
            read_size(wrong)


def test_a_simulated_store_is_written_once(written: list[Any], tmp_path: Path) -> None:
    first = simulated_store(7, cache=tmp_path)
    assert simulated_store(7, cache=tmp_path) == first
    assert simulated_store(8, cache=tmp_path) != first
    assert simulated_store(7, "30x600", cache=tmp_path) != first
    assert written == [(7, Size.demo()), (8, Size.demo()), (7, Size.of(30, 600))]
    assert first.parent == tmp_path / "stores"


def test_other_code_writes_another_store(written: list[Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = simulated_store(7, cache=tmp_path)
    monkeypatch.setattr(sources, "_code_digest", lambda: "changed")
    assert simulated_store(7, cache=tmp_path) != first


def test_a_store_that_was_broken_off_is_made_again(written: list[Any], tmp_path: Path) -> None:
    for _ in range(2):
        with pytest.raises(KeyboardInterrupt):
            simulated_store(13, cache=tmp_path)
    assert not [path for path in (tmp_path / "stores").iterdir() if not path.name.startswith(".")]


def test_a_mailbox_file_stays_where_it_is(asked: list[Any], tmp_path: Path) -> None:
    path = tmp_path / "mine.mailbox"
    with MailboxWriter(path, "mine", ["me@x.example"]) as writer:
        writer.add(RAW)
    store = mailbox_store(path, 3, QuestionCounts(5, 4, 3), cache=tmp_path / "c")
    assert (store / "mine.mailbox").resolve() == path
    assert len(read_questions(store)) == 1
    assert mailbox_store(path, 3, QuestionCounts(5, 4, 3), cache=tmp_path / "c") == store
    assert asked == [("mine.mailbox", (5, 4, 3, 3))]
    with MailboxWriter(path, "mine", ["me@x.example"]) as writer:
        writer.add(RAW.replace(b"<a@x>", b"<b@x>"))
    assert mailbox_store(path, 3, QuestionCounts(5, 4, 3), cache=tmp_path / "c") != store, "the mail has changed"


def test_a_file_system_without_links(asked: list[Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "mine.mailbox"
    with MailboxWriter(path, "mine", ["me@x.example"]) as writer:
        writer.add(RAW)

    def refuse(*_: Any) -> None:
        raise OSError("no links here")

    monkeypatch.setattr(Path, "symlink_to", refuse)
    store = mailbox_store(path, cache=tmp_path / "c")
    assert (store / "mine.mailbox").read_bytes() == path.read_bytes()
    assert not (store / "mine.mailbox").is_symlink()


def test_an_mbox_is_imported(asked: list[Any], tmp_path: Path) -> None:
    path = tmp_path / "mine.mbox"
    path.write_bytes(b"From me@x.example Tue Mar  4 09:00:00 2025\n" + RAW + b"\n")
    lines: list[tuple[str, int, int | None]] = []
    store = mailbox_store(path, owner="me@x.example", progress=lambda *line: lines.append(line), cache=tmp_path / "c")
    with Mailbox.open(store / "mine.mailbox") as mailbox:
        assert len(mailbox) == 1
    assert lines[0][0] == "importing mine.mbox"
    assert lines[-1] == ("making questions", 0, None)
    defaults = QuestionCounts()
    assert asked == [("mine.mailbox", (defaults.train, defaults.validation, defaults.test, 0))]
    assert store.name.startswith("mine-")


@pytest.mark.parametrize(("name", "words"), [("none.mbox", "does not exist"), (".", "is a folder")])
def test_a_source_that_is_none(tmp_path: Path, name: str, words: str) -> None:
    with pytest.raises(SourceError, match=words):
        mailbox_store(tmp_path / name, cache=tmp_path / "c")


def test_the_code_that_writes_stores_has_one_digest() -> None:
    assert sources._code_digest() == sources._code_digest()
    assert len(sources._code_digest()) == 64
    assert os.sep not in sources._code_digest()
