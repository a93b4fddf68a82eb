from fractions import Fraction

import pytest

from mailgym.rubrics.values.mention import MOST_MENTIONS
from mailgym.rubrics.values.number_words import read_number_words
from mailgym.rubrics.values.quantities import Quantity, find_quantities, relate_quantities


def only(text: str) -> Quantity:
    (mention,) = find_quantities(text)
    return mention.value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1,200", 1200),
        ("1 200 000", 1_200_000),
        ("1'200", 1200),
        ("1.200,50", Fraction(2401, 2)),
        ("1,200.50", Fraction(2401, 2)),
        ("1,5", Fraction(3, 2)),
        ("1.234.567", 1_234_567),
        (".5", Fraction(1, 2)),
        ("-5", -5),
        ("1.2k", 1200),
        ("3 mm", 3_000_000),
        ("7bn", 7 * 10**9),
        ("twelve hundred", 1200),
        ("one hundred and five", 105),
        ("two and a half thousand", 2500),
        ("a million and a half", 1_500_000),
        ("half a million", 500_000),
        ("ninety-nine", 99),
        ("three dozen", 36),
        ("two hundred thousand", 200_000),
        ("twice", 2),
        ("thrice", 3),
        ("nobody", 0),
        ("no invoices", 0),
    ],
)
def test_numbers_are_read(text: str, value: Fraction) -> None:
    assert only(text).values[0] == value


@pytest.mark.parametrize("text", ["", "first", "the 3rd", "no", "No, thanks", "one of them", "the one", "A4", "12x"])
def test_what_is_no_number_is_none(text: str) -> None:
    assert find_quantities(text) == []


def test_a_point_before_three_digits_has_two_readings() -> None:
    assert only("1.200").values == (Fraction(6, 5), Fraction(1200))
    assert only("0.200").values == (Fraction(1, 5),)


@pytest.mark.parametrize(
    ("text", "currency"),
    [
        ("$5", "$"),
        ("5 dollars", "$"),
        ("50 cents", "$"),
        ("US$5", "USD"),
        ("USD 5", "USD"),
        ("5 usd", "USD"),
        ("$5 USD", "USD"),
        ("CAD 5", "CAD"),
        ("5 €", "EUR"),
        ("£5", "GBP"),
        ("5 quid", "GBP"),
        ("5", ""),
    ],
)
def test_currencies_are_read(text: str, currency: str) -> None:
    assert only(text).currency == currency


@pytest.mark.parametrize(
    ("text", "unit", "value"),
    [
        ("90 minutes", "time", 5400),
        ("1.5 h", "time", 5400),
        ("an hour and a half", "time", 5400),
        ("1 hour and 30 minutes", "time", 5400),
        ("three quarters of an hour", "time", 2700),
        ("half a day", "time", 43_200),
        ("2 years", "months", 24),
        ("3 business days", "work", 3),
        ("15 %", "share", 15),
        ("25 basis points", "share", Fraction(1, 4)),
        ("2 kg", "weight", 2000),
    ],
)
def test_measures_are_read_in_their_base_unit(text: str, unit: str, value: Fraction) -> None:
    assert (only(text).unit, only(text).values[0]) == (unit, value)


def test_labels_and_totals_stand_beside() -> None:
    standings = {str(m.value.values[0]): m.standing for m in find_quantities("invoice 4711: 5 out of 12 boxes")}
    assert standings == {"4711": "beside", "5": "holds", "12": "beside"}


def test_a_text_of_numbers_is_read_up_to_a_limit() -> None:
    assert len(find_quantities("5 " * 1000)) == MOST_MENTIONS


@pytest.mark.parametrize("words", ["", "and", "a", "five apples"])
def test_other_words_are_no_number_words(words: str) -> None:
    assert read_number_words(words) is None


@pytest.mark.parametrize(
    ("right", "given", "relation"),
    [
        ("$500", "500", "same"),
        ("$500", "CAD 500", "same"),  # dollars, of whichever country
        ("USD 500", "CAD 500", "other"),
        ("500", "$500", "maybe"),
        ("3 days", "$3", "none"),
        ("3 days", "72 hours", "same"),
        ("3 days", "3", "same"),
        ("3 days", "4", "other"),
        ("3 days", "3 people", "maybe"),
        ("3 days", "3 kg", "none"),
        ("1 month", "30 days", "maybe"),
        ("1 month", "90 days", "other"),
        ("$45 per hour", "$45 per day", "other"),
        ("$45 per hour", "$45", "same"),
        ("$1.2 million", "$1,234,567", "same"),
        ("$1.2 million", "$1,260,000", "other"),
        ("$1,234,567", "about $1.2 million", "maybe"),
        ("$1,234,567", "$1.2 million", "maybe"),
        ("$1,234", "$1,200", "other"),
        ("600", "more than 500", "maybe"),
        ("400", "more than 500", "other"),
        ("400", "less than 500", "maybe"),
        ("more than 500", "over 500", "same"),
        ("500", "at least 500", "maybe"),
        ("500", "around 480", "maybe"),
        ("500", "around 300", "other"),
    ],
)
def test_quantities_compared(right: str, given: str, relation: str) -> None:
    assert relate_quantities(only(right), only(given)) == relation


def test_what_the_question_counts_tells_the_unit() -> None:
    assert relate_quantities(only("14 days"), only("14"), "day") == "same"
    assert relate_quantities(only("14 days"), only("2"), "day") == "other"
    assert relate_quantities(only("14"), only("2 weeks"), "day") == "same"
    assert relate_quantities(only("14"), only("2 weeks"), "invoice") == "none"
    assert relate_quantities(only("14"), only("14 weeks"), "invoice") == "maybe"


def test_thousands_parted_in_two_ways_are_read_without_an_error() -> None:
    assert only("58 924,864 383,975").values == (58_924_864_383_975,)
