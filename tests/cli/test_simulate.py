from pathlib import Path
from typing import Any

import pytest

from mailgym.corpora.simulate import store as simulate_store
from mailgym.corpora.simulate.store import Size, StoreSummary


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Path, int, Size]]:
    """Replace the writing, which has its own tests, by a record of what was asked."""
    calls: list[tuple[Path, int, Size]] = []

    def write_store(store: Path, seed: int, size: Size, progress: Any) -> StoreSummary:
        calls.append((store, seed, size))
        progress("train-a.mailbox", 1, 1)
        return StoreSummary(store, {"train-a.mailbox": 1234}, {"train": 7, "test": 3}, {"train": 4000})

    monkeypatch.setattr(simulate_store, "write_store", write_store)
    return calls


def test_the_full_corpus_by_default(mailgym: Any, asked: list[Any]) -> None:
    result = mailgym("simulate", "--store", "s")
    assert asked == [(Path("s"), 0, Size.full())]
    assert result.out.splitlines() == [
        "wrote s: 1 mailboxes (1,234 mails), find: 7 train + 3 test questions, search: 4,000 train questions",
        "next: mailgym eval search --store s",
    ]


def test_a_size_by_name_or_by_numbers(mailgym: Any, asked: list[Any]) -> None:
    mailgym("simulate", "--size", "demo")
    mailgym("simulate", "--size", "30x100")
    assert [size for _, _, size in asked] == [Size.demo(), Size.of(30, 100)]
    refused = mailgym("simulate", "--size", "huge")
    assert (refused.code, len(asked)) == (2, 2)
    assert "write demo, small, full, or people and days" in refused.err


def test_free_numbers(mailgym: Any, asked: list[Any]) -> None:
    result = mailgym("simulate", "--people", "30", "--seed", "5", "--json")
    assert asked == [(Path("store"), 5, Size.of(30, 420))]
    assert result.data == {
        "store": "store",
        "seed": 5,
        "mails": {"train-a.mailbox": 1234},
        "questions": {"train": 7, "test": 3},
        "searches": {"train": 4000},
    }
    mailgym("simulate", "--days", "90")
    assert asked[-1][2] == Size.of(24, 90)


def test_a_dry_run_writes_nothing(mailgym: Any, asked: list[Any]) -> None:
    shown = mailgym("simulate", "--dry-run").out
    assert shown.startswith("would write store: 14 mailboxes, find: 768 train + 64 validation + 240 test questions, ")
    assert shown.endswith("search: 4,000 train + 500 validation + 1,000 test questions\n")
    assert "search" not in mailgym("simulate", "--dry-run", "--size", "demo").out
    assert mailgym("simulate", "--dry-run", "--json").data["questions"] == Size.full().questions
    assert asked == []


def test_a_store_that_is_not_empty(mailgym: Any, tmp_path: Path) -> None:
    (tmp_path / "x").write_text("")
    result = mailgym("simulate", "--store", tmp_path)
    assert (result.code, result.out) == (2, "")
    assert "is not empty" in result.err
