from mailgym.core.score import Score
from mailgym.rubrics.price import Prices


def test_prices_add_up() -> None:
    # 2 bad calls of 0.05, 4 turns after the first of 0.01, 1 repeat of 0.02: 0.10 + 0.04 + 0.02
    parts = Prices(bad_call=0.05, extra_turn=0.01, repeated_call=0.02).parts(bad_calls=2, turns=5, repeated_calls=1)
    assert abs(Score(parts).reward - -0.16) < 1e-12
    assert {part.name: part.value for part in parts} == {"bad_calls": 2, "extra_turns": 4, "repeated_calls": 1}


def test_nothing_played_costs_nothing() -> None:
    assert Score(Prices(1.0, 1.0, 1.0).parts(bad_calls=0, turns=0, repeated_calls=0)).reward == 0.0
