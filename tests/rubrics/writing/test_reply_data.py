"""The hand-written replies are what their README says: two files apart, good replies whole, bad ones of all kinds."""

import json
from pathlib import Path
from typing import Any

import pytest

FOLDER = Path(__file__).parent / "data"
TUNING, FINAL = "replies_tuning.jsonl", "replies_final.jsonl"
KINDS = {"date", "time", "amount", "number", "name", "place", "yes_no", "topic"}
TONES = {"", "professional", "friendly", "assertive", "apologetic"}
MIN_PAIRS = 220


def rows(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (FOLDER / name).read_text(encoding="utf-8").splitlines()]


def good_of(row: dict[str, Any]) -> list[str]:
    return row["good"] if isinstance(row["good"], list) else [row["good"]]


ROWS = [pytest.param(row, id=row["id"]) for name in (TUNING, FINAL) for row in rows(name)]


def test_there_are_more_than_enough_pairs_that_need_a_reply_and_half_of_them_are_kept_apart() -> None:
    pairs = {
        name: sum(len(good_of(row)) * len(row["bad"]) for row in rows(name) if row["wanted"]["needs_reply"])
        for name in (TUNING, FINAL)
    }
    assert sum(pairs.values()) >= MIN_PAIRS
    assert min(pairs.values()) >= 0.4 * sum(pairs.values())


def test_no_mail_is_in_both_files_or_twice() -> None:
    ids = [row["id"] for name in (TUNING, FINAL) for row in rows(name)]
    texts = [row["mail"]["text"] for name in (TUNING, FINAL) for row in rows(name)]
    assert len(set(ids)) == len(ids)
    assert len(set(texts)) == len(texts)


@pytest.mark.parametrize("row", ROWS)
def test_a_row_has_the_fields_that_criteria_read(row: dict[str, Any]) -> None:
    assert row.keys() == {"id", "mail", "known", "wanted", "good", "bad"}
    assert row["mail"].keys() == {"sender_name", "sender_address", "owner_name", "subject", "text"}
    assert row["wanted"].keys() == {"needs_reply", "keywords", "asks", "tone"}
    assert row["wanted"]["tone"] in TONES
    assert {ask["kind"] for ask in row["wanted"]["asks"]} <= KINDS
    assert all(ask["accepted"] for ask in row["wanted"]["asks"])
    assert len(row["bad"]) >= 2
    assert all(bad["text"].strip() and bad["why"] for bad in row["bad"])


@pytest.mark.parametrize("row", ROWS)
def test_good_replies_are_due_ones_and_no_bad_one_is_the_same(row: dict[str, Any]) -> None:
    for good in good_of(row):
        assert bool(good) == row["wanted"]["needs_reply"]
        assert good not in [bad["text"] for bad in row["bad"]]
    assert row["wanted"]["needs_reply"] or not (row["wanted"]["asks"] or row["wanted"]["keywords"])


def test_every_value_that_is_asked_for_stands_in_a_good_reply() -> None:
    missing = [
        (row["id"], ask)
        for name in (TUNING, FINAL)
        for row in rows(name)
        for ask in row["wanted"]["asks"]
        for good in good_of(row)
        if ask["kind"] != "yes_no" and not any(answer.lower() in good.lower() for answer in ask["accepted"])
    ]
    assert missing == []


def test_many_bad_replies_are_as_long_as_the_good_ones() -> None:
    needing = [row for name in (TUNING, FINAL) for row in rows(name) if row["wanted"]["needs_reply"]]
    longer = [max(len(bad["text"]) for bad in row["bad"]) >= len(good_of(row)[0]) for row in needing]
    assert sum(longer) >= 0.5 * len(longer)
