import random
from datetime import date, timedelta

import pytest

from mailgym.corpora.simulate.when import phrases_for, remember


def said_of(day: date) -> dict[str, tuple[date, date]]:
    return {when.phrase: (when.after, when.before) for when in phrases_for(day, day)}


def test_phrases_mean_these_days() -> None:
    said = said_of(date(2024, 2, 3))
    assert said == {
        "in February": (date(2024, 2, 1), date(2024, 3, 1)),
        "in early February": (date(2024, 2, 1), date(2024, 2, 11)),
        "in the first week of February": (date(2024, 2, 1), date(2024, 2, 8)),
        "around 3 February": (date(2024, 1, 30), date(2024, 2, 8)),
        "around February 3": (date(2024, 1, 30), date(2024, 2, 8)),
        "around the 3rd of February": (date(2024, 1, 30), date(2024, 2, 8)),
    }
    assert said_of(date(2023, 12, 31))["in the last week of December"] == (date(2023, 12, 25), date(2024, 1, 1))
    assert said_of(date(2023, 12, 31))["in late December"] == (date(2023, 12, 21), date(2024, 1, 1))
    assert said_of(date(2023, 5, 15))["in the middle of May"] == (date(2023, 5, 11), date(2023, 5, 21))


@pytest.mark.parametrize(
    ("day", "ordinal"), [(1, "1st"), (2, "2nd"), (11, "11th"), (12, "12th"), (13, "13th"), (22, "22nd")]
)
def test_ordinals(day: int, ordinal: str) -> None:
    assert f"around the {ordinal} of May" in said_of(date(2023, 5, day))


def test_a_remembered_date_is_true_on_every_day_of_four_years() -> None:
    rng = random.Random(0)
    for offset in range(4 * 365 + 1):
        day = date(2021, 1, 1) + timedelta(days=offset)
        when = remember(day, rng)
        assert when.after <= day < when.before
        assert (when.before - when.after).days <= 31
        assert str(day.year) not in when.phrase
