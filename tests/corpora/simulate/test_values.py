from datetime import date, time

import pytest

from mailgym.core.seeds import stream
from mailgym.corpora.simulate.values import DATE_STYLES, MONEY_STYLES, TIME_STYLES, Habit, Money, answer_text

DAY = date(2024, 5, 3)


def habit(**other: object) -> Habit:
    return Habit(**{"date": DATE_STYLES[0], "time": "24h", "money": MONEY_STYLES[0], "spells_numbers": False} | other)  # type: ignore[arg-type]


def test_dates_are_written_in_each_style() -> None:
    assert [habit(date=style).write(DAY) for style in DATE_STYLES] == [
        "Friday 3 May",
        "3 May",
        "May 3",
        "Fri 3 May",
        "3 May 2024",
        "2024-05-03",
        "Friday, May 3",
        "the 3rd of May",
    ]


def test_near_days_are_named_by_those_who_do() -> None:
    near = habit(says_near_days=True)
    days = [near.write(date(2024, 5, day), date(2024, 5, 6)) for day in (5, 6, 7, 8, 12, 13)]
    assert days == ["Sunday 5 May", "Monday 6 May", "tomorrow", "Wednesday", "Sunday", "Monday 13 May"]
    assert near.write(DAY) == habit().write(DAY, date(2024, 5, 2)) == "Friday 3 May"


@pytest.mark.parametrize(
    ("moment", "expected"),
    [
        (time(9, 0), ["9:00", "9.00", "9am", "9 am", "9 o'clock"]),
        (time(15, 30), ["15:30", "15.30", "3:30pm", "3:30 pm", "15:30"]),
        (time(12, 0), ["12:00", "12.00", "12pm", "12 pm", "12 o'clock"]),
        (time(7, 0), ["7:00", "7.00", "7am", "7 am", "7:00"]),
        (time(0, 15), ["0:15", "0.15", "12:15am", "12:15 am", "0:15"]),
    ],
)
def test_times_are_written_in_each_style_and_never_ambiguously(moment: time, expected: list[str]) -> None:
    assert [habit(time=style).write(moment) for style in TIME_STYLES] == expected


def test_money_is_written_in_each_style() -> None:
    written = [habit(money=style).write(Money(12_500, "GBP")) for style in MONEY_STYLES]
    assert written == ["GBP 12,500", "12,500 GBP", "£12,500", "£12,500.00", "12500 GBP"]


def test_small_numbers_are_words_with_those_who_spell_them() -> None:
    assert [habit(spells_numbers=True).write(n) for n in (0, 7, 12, 13)] == ["zero", "seven", "twelve", "13"]
    assert habit().write(7) == "7"
    assert habit().write("room Kepler") == "room Kepler"


def test_an_answer_key_has_one_form_for_each_type() -> None:
    values = [DAY, time(8, 5), Money(1_250, "EUR"), 12, "Dana Whitfield"]
    assert [answer_text(value) for value in values] == ["3 May 2024", "08:05", "1,250 EUR", "12", "Dana Whitfield"]


def test_habits_differ_and_are_drawn_from_the_stream() -> None:
    habits = [Habit.draw(stream(1, "habit", number)) for number in range(40)]
    assert habits == [Habit.draw(stream(1, "habit", number)) for number in range(40)]
    assert len(set(habits)) > 20
