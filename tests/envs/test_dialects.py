"""Rewards as dialects tell them."""

import math

from mailgym.envs.dialects import told


def test_a_reward_is_told_without_the_noise_of_sums() -> None:
    assert told(0.010000000000000009) == 0.01
    assert told(0.1 + 0.2) == 0.3
    assert told(1 / 3) == 0.333333333333
    assert math.copysign(1.0, told(-1e-17)) == 1.0
