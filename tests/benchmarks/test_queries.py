import random
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from contestants import fts5, queries
from contestants.art_e import Email
from contestants.queries import LENGTHS, MATCHES, STRATA

OFTEN = ["market", "gas", "power", "price"]
SELDOM = [f"{first}{second}{third}" for first in "bcdfg" for second in "aeiou" for third in "lmnrst"]


def made_up(count: int) -> list[Email]:
    chance = random.Random(3)
    mails = []
    for number in range(count):
        words = ["the", "and", f"unique{number}", f"single{number}", f"alone{number}", f"lonely{number}"]
        words += [f"only{number}x{place}" for place in range(6)]
        words += [word for word in OFTEN if chance.random() < 0.2] + chance.sample(SELDOM, 4)
        chance.shuffle(words)
        date = datetime(2001, 1, 1) + timedelta(days=number)
        people = f"p{number % 7}@x.example", (f"q{number % 5}@x.example",)
        mails.append(Email(f"<{number}@x.example>", "Subject", people[0], people[1], (), (), date, " ".join(words)))
    return mails


@pytest.fixture(scope="module")
def mails() -> list[Email]:
    return made_up(300)


@pytest.mark.parametrize(
    ("mails_with_it", "expected"),
    [(1, "rare"), (11, "rare"), (12, "medium"), (5_571, "medium"), (5_572, "common"), (33_429, "common")],
)
def test_a_word_belongs_to_the_stratum_of_its_share(mails_with_it: int, expected: str) -> None:
    assert STRATA[queries.stratum(mails_with_it, 111_430)] == expected


def test_a_word_of_one_mail_is_rare_however_few_there_are() -> None:
    assert STRATA[queries.stratum(1, 2)] == "rare"
    assert STRATA[queries.stratum(2, 2)] == "very common"


def test_every_cell_is_drawn_alike_and_the_same_for_one_seed(mails: list[Email]) -> None:
    counts = queries.count_mails_by_word(mails)
    drawn = queries.draw_queries(mails, counts, 64, seed=1)
    cells = [(query.stratum, query.length, query.match) for query in drawn]
    assert sorted(set(cells)) == sorted((s, length, m) for s in STRATA for length in LENGTHS for m in MATCHES)
    assert {cells.count(cell) for cell in cells} == {2}
    assert drawn == queries.draw_queries(mails, counts, 64, seed=1)
    assert drawn != queries.draw_queries(mails, counts, 64, seed=2)


def test_a_query_holds_a_word_of_its_stratum_and_none_more_common(mails: list[Email]) -> None:
    counts = queries.count_mails_by_word(mails)
    for query in queries.draw_queries(mails, counts, 96, seed=4):
        places = [queries.stratum(counts[word], len(mails)) for word in query.words]
        assert STRATA[max(places)] == query.stratum
        least, most = LENGTHS[query.length]
        assert least <= len(query.words) <= most


def test_every_query_finds_its_mail_in_plain_fts5_and_filters_are_among_them(
    mails: list[Email], tmp_path: Path
) -> None:
    fts5.load(tmp_path / "fts5.db", mails)
    search = fts5.Search(tmp_path / "fts5.db")
    drawn = queries.draw_queries(mails, queries.count_mails_by_word(mails), 96, seed=5)
    for query in drawn:
        assert search(query.words, query.match, query.from_, query.to, query.after, query.before)
    assert 10 < sum(query.is_filtered for query in drawn) < 40
    search.close()


def test_plain_fts5_ranks_and_filters(tmp_path: Path) -> None:
    day = datetime(2001, 5, 14)
    mails = [
        Email(
            "<1>", "Lunch", "a@x.example", ("b@x.example",), (), (), day, "The harvest of apples " + "and more " * 30
        ),
        Email("<2>", "Harvest", "b@x.example", ("a@x.example",), (), (), day, "Harvests of apples, harvested"),
        Email("<3>", "Pears", "b@x.example", (), (), (), None, "Pears"),
    ]
    fts5.load(tmp_path / "fts5.db", mails)
    search = fts5.Search(tmp_path / "fts5.db")
    assert [hit[0] for hit in search(["harvest", "pears"], "any", before="2001-05-15", after="2001-05-01")] == [
        "<2>",
        "<1>",
    ]
    assert [hit[0] for hit in search(["harvest", "lunch"], "all")] == ["<1>"]
    assert [hit[0] for hit in search(["apples"], "any", from_="a@x.example")] == ["<1>"]
    assert [hit[0] for hit in search(["apples"], "any", to="a@x.example")] == ["<2>"]
    search.close()


def test_words_that_no_mail_has_are_refused() -> None:
    few = [Email("<1>", "one", "a@x.example", (), (), (), None, "two three")]
    counts = queries.count_mails_by_word(few)
    queries.MOST_TRIES, tries = 50, queries.MOST_TRIES
    try:
        with pytest.raises(SystemExit, match="give more mails"):
            queries.draw_queries(few, counts, 32, seed=1)
    finally:
        queries.MOST_TRIES = tries


def test_queries_survive_their_file(mails: list[Email], tmp_path: Path) -> None:
    drawn = queries.draw_queries(mails, queries.count_mails_by_word(mails), 32, seed=6)
    queries.save(tmp_path / "q.jsonl", drawn)
    assert queries.load(tmp_path / "q.jsonl") == drawn


def test_no_part_of_a_longer_word_is_taken_for_a_word() -> None:
    mail = Email("<1>", "x" * 31, "a@x.example", (), (), (), None, "y" * 30 + " z snake_case")
    assert queries.words_of(mail) == ["y" * 30, "snake", "case"]
