"""Ranks and citations, worked out by hand."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mailgym.rubrics.ranking import citation_share, rank_of_first, reciprocal_rank


@pytest.mark.parametrize(
    ("items", "right", "expected"),
    [
        (["a", "b"], {"a"}, 1.0),
        (["x", "a"], {"a"}, 1 / 2),
        (["x", "y", "z", "a"], {"a"}, 1 / 4),
        (["x", "b", "a"], {"a", "b"}, 1 / 2),  # the first right one counts
        (["x"] * 9 + ["a"], {"a"}, 1 / 10),
        (["x"] * 10 + ["a"], {"a"}, 0.0),  # beyond ten
        ([], {"a"}, 0.0),
        (["x"], set(), 0.0),
    ],
)
def test_reciprocal_rank(items: list[str], right: set[str], expected: float) -> None:
    assert reciprocal_rank(items, right) == expected


def test_rank_of_first_counts_from_one() -> None:
    assert rank_of_first(["x", "a", "a"], {"a"}) == 2
    assert rank_of_first(["x"], {"a"}) is None


@pytest.mark.parametrize(
    ("cited", "right", "expected"),
    [
        (["a"], {"a"}, 1.0),
        (["a", "x"], {"a"}, 1 / 2),
        (["x", "y", "a", "z"], {"a"}, 1 / 4),
        (["a", "b"], {"a", "b"}, 1.0),  # both are right
        (["a", "a"], {"a"}, 1 / 2),  # a repeat is a second citation
        (["a", "made-up"], {"a"}, 1 / 2),
        (["x"], {"a"}, 0.0),
        ([], {"a"}, 0.0),
    ],
)
def test_citation_share(cited: list[str], right: set[str], expected: float) -> None:
    assert citation_share(cited, right) == expected


@given(st.lists(st.sampled_from("abcdef"), max_size=20), st.sets(st.sampled_from("abcdef")))
def test_both_are_between_0_and_1(items: list[str], right: set[str]) -> None:
    assert 0.0 <= reciprocal_rank(items, right) <= 1.0
    assert 0.0 <= citation_share(items, right) <= 1.0
