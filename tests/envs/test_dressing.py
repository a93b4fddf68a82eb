"""What generated mail wears by lot: no label may follow from it, and nothing may be lost that an answer needs."""

import random

import pytest

from mailgym.envs.dressing import KEPT_CALLS, in_some_case, of_some_length, with_marks, with_or_without_hyphen

SHOUTED = "Come now! It burns! Nobody is here!"
CALM = "The pump is old. It runs. We keep it."


def shares(text: str, n: int = 400) -> float:
    return sum("!" in with_marks(text, random.Random(seed)) for seed in range(n)) / n


def test_a_calm_text_is_called_out_and_a_shouted_one_calmed() -> None:
    assert 0.25 < shares(CALM) < 0.45
    assert shares(SHOUTED) < 0.9
    assert all(with_marks(SHOUTED, random.Random(seed)).count("!") <= 3 for seed in range(50))
    assert 0 < KEPT_CALLS < 0.5


def test_figures_and_short_forms_keep_their_points() -> None:
    assert all(with_marks("1.5 l, e.g.", random.Random(seed)) == "1.5 l, e.g." for seed in range(50))


def test_a_subject_is_cut_or_made_longer_unless_an_answer_needs_its_words() -> None:
    cut = {of_some_length("Coach party in May", random.Random(seed), "Have you beds?", "in June") for seed in range(60)}
    assert cut == {"Coach party in May", "Coach party"}
    kept = {of_some_length("Coach party in May", random.Random(seed), "Beds?", "In May, yes") for seed in range(60)}
    assert kept == {"Coach party in May"}
    named = {of_some_length("Coach party in May", random.Random(seed), "Beds in May?", "In May") for seed in range(60)}
    assert "Coach party" in named
    longer = {of_some_length("pump", random.Random(seed), "", "") for seed in range(60)}
    assert "pump" in longer
    assert all("pump" in subject for subject in longer)
    assert len(longer) > 4


@pytest.mark.parametrize("subject", ["Pump", "pump", "PUMP!"])
def test_a_subject_is_written_in_several_cases(subject: str) -> None:
    assert len({in_some_case(subject, random.Random(seed)) for seed in range(40)}) > 1


def test_a_hyphen_stays_or_goes() -> None:
    found = {with_or_without_hyphen("a-b.example", random.Random(seed)) for seed in range(20)}
    assert found == {"a-b.example", "ab.example"}
