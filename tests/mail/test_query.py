from datetime import UTC, date, datetime, timedelta, timezone

import pytest

from mailgym.core.errors import QueryError
from mailgym.mail.query import (
    MAX_TERMS,
    Filters,
    Who,
    read_filters,
    read_horizon,
    read_keywords,
    read_moment,
    read_page,
)


def test_a_string_is_split_into_words_and_quoted_phrases():
    terms = read_keywords('budgets "gas Storage" e-mail', "any")
    assert terms.phrases == (("budget",), ("gas", "storag"), ("e", "mail"))
    assert terms.words == ("budgets", "gas", "storage", "e", "mail")
    assert not terms.is_all


def test_a_list_holds_words_and_phrases():
    terms = read_keywords(["gas storage", "June"], "all")
    assert terms.phrases == (("gas", "storag"), ("june",))
    assert terms.is_all


def test_terms_are_taken_once_and_the_first_64_only():
    assert read_keywords("Gas gas GAS gäs", "any").phrases == (("gas",),)
    terms = read_keywords([f"word{i}" for i in range(100)], "any")
    assert len(terms.phrases) == MAX_TERMS
    assert terms.phrases[-1] == ("word63",)


@pytest.mark.parametrize("nothing", [None, "", "  ", [], ["", " "], '""'])
def test_empty_keywords_are_none(nothing):
    assert read_keywords(nothing, "any") is None


@pytest.mark.parametrize("bad", ["***", '"', "🎉", ["-"], "\x00", 7, [1], {"a": 1}, [None]])
def test_keywords_that_name_nothing_are_refused(bad):
    with pytest.raises(QueryError, match="keywords"):
        read_keywords(bad, "any")


def test_an_endless_phrase_is_refused():
    with pytest.raises(QueryError, match="phrase of 65 words"):
        read_keywords([" ".join(["a"] * 65)], "any")


def test_match_is_checked():
    with pytest.raises(QueryError, match="match is 'some'"):
        read_keywords("a", "some")


NOTHING = {
    "from_": None, "to": None, "after": None, "before": None, "folder": None, "has_attachment": None,
}  # fmt: skip


def test_empty_filters_filter_nothing():
    assert read_filters(**NOTHING) == Filters()
    blank = {"from_": "", "to": " ", "after": "", "before": "", "folder": ""}
    assert read_filters(**(NOTHING | blank)) == Filters()


@pytest.mark.parametrize(
    ("label", "filters"),
    [
        ("from", {"from_": "***"}),
        ("to", {"to": 7}),
        ("folder", {"folder": ["x"]}),
        ("has_attachment", {"has_attachment": "yes"}),
        ("after", {"after": "14.5.2001"}),
        ("before", {"before": 2001}),
    ],
)
def test_a_bad_filter_is_named(label, filters):
    with pytest.raises(QueryError, match=f"^{label} is"):
        read_filters(**(NOTHING | filters))


def test_moments():
    may_14 = datetime(2001, 5, 14, tzinfo=UTC)
    assert read_moment("after", "2001-05-14") == may_14
    assert read_moment("after", date(2001, 5, 14)) == may_14
    assert read_moment("after", datetime(2001, 5, 14)) == may_14
    assert read_moment("after", "2001-05-14T02:00:00+02:00") == may_14
    assert read_moment("after", "2001-05-14t00:00:00.0z") == may_14


@pytest.mark.parametrize(
    "bad",
    ["2001-5-14", "2001-02-30", "20010514", "2001-05-14T10:00:00", "0000-01-01", "May 14", "2001-05-14 extra",
     "2001-05-14T25:00:00Z", "٢٠٠١-٠٥-١٤", "0001-01-01T00:00:00+10:00", "yesterday", "2001-W20-1"],
)  # fmt: skip
def test_moments_are_strict(bad):
    with pytest.raises(QueryError, match="write a date such as 2001-05-14"):
        read_moment("after", bad)


def test_long_bad_values_are_shown_in_part():
    with pytest.raises(QueryError) as caught:
        read_moment("after", "x" * 10_000)
    assert len(str(caught.value)) < 250


def test_horizon():
    assert read_horizon(None) == float("inf")
    assert read_horizon(date.max) == datetime(9999, 12, 31, tzinfo=UTC).timestamp() + 86_400
    assert read_horizon(date(2001, 5, 14)) == datetime(2001, 5, 15, tzinfo=UTC).timestamp()
    noon = datetime(2001, 5, 14, 14, tzinfo=timezone(timedelta(hours=2)))
    assert read_horizon(noon) == datetime(2001, 5, 14, 12, 0, 1, tzinfo=UTC).timestamp()
    assert read_horizon(noon.replace(microsecond=999_999)) == read_horizon(noon)
    assert read_horizon(datetime(1969, 12, 31, 23, 59, 58, 500_000)) == -1


@pytest.mark.parametrize("page", [(0, 0, "rank"), (1, -1, "rank"), (True, 0, "rank"), ("5", 0, "rank"), (1, 0, "size")])
def test_page_is_checked(page):
    with pytest.raises(QueryError):
        read_page(*page)


def test_linking_words_between_a_name_and_a_place_of_work_are_left_out() -> None:
    def words(who: str) -> tuple[str, ...]:
        return read_filters(**(NOTHING | {"from_": who})).from_.words

    assert words("Tom from Legal") == words("tom LEGAL") == ("tom", "legal")
    assert words("the") == ("the",)


def test_a_whole_address_is_told_from_a_name():
    assert read_filters(**(NOTHING | {"to": "<Bob@X.example>"})).to == Who("bob@x.example", ())
    assert read_filters(**(NOTHING | {"to": "Bob's"})).to == Who("", ("bob", "s"))
