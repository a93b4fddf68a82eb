import itertools
import math

import numpy as np
import pytest

from mailgym.core.seeds import numpy_stream
from mailgym.evaluate.statistics import (
    PairedDifference,
    bootstrap_mean,
    holm,
    paired_difference,
    resampled_means,
    sign_flip_test,
    student_t_quantile,
)


def test_a_mean_lies_in_its_interval_and_the_seed_decides_it() -> None:
    values = [0.0, 0.2, 0.4, 1.0, 1.0, 0.5]
    interval = bootstrap_mean(values, seed=1)
    assert interval.mean == pytest.approx(3.1 / 6)
    assert interval.low < interval.mean < interval.high
    assert (interval.n, interval.clusters, interval.level) == (6, (), 0.95)
    assert bootstrap_mean(values, seed=1) == interval
    assert bootstrap_mean(values, seed=2) != interval
    assert interval.to_json()["mean"] == interval.mean


def test_every_draw_of_two_values_is_one_of_three_means() -> None:
    means = resampled_means(np.array([0.0, 1.0]), [], 20_000, np.random.default_rng(0))
    shares = {value: float(np.mean(means == value)) for value in (0.0, 0.5, 1.0)}
    assert sum(shares.values()) == pytest.approx(1.0)
    assert shares[0.0] == pytest.approx(0.25, abs=0.02)
    assert shares[0.5] == pytest.approx(0.5, abs=0.02)


def test_whole_clusters_are_drawn() -> None:
    # Clusters a = (0, 0, 0) and b = (1): by hand the draws aa, ab, ba, bb have the means 0, 1/4, 1/4, 1.
    means = resampled_means(np.array([0.0, 0, 0, 1]), [np.array([0, 0, 0, 1])], 20_000, np.random.default_rng(0))
    assert set(np.unique(means)) == {0.0, 0.25, 1.0}
    assert float(np.mean(means == 0.25)) == pytest.approx(0.5, abs=0.02)


def test_two_ways_are_drawn_independently_and_their_counts_multiply() -> None:
    # A 2 x 2 table with one question a cell. By hand: rows drawn (r1, r2) times and columns (c1, c2) times give the
    # mean sum(r c x) / sum(r c); every one of the 16 equally likely draws is counted here.
    table = np.array([[1.0, 2.0], [3.0, 5.0]])
    expected: dict[float, float] = {}
    for rows in itertools.product((0, 1), repeat=2):
        for columns in itertools.product((0, 1), repeat=2):
            mean = float(np.mean([table[row, column] for row in rows for column in columns]))
            expected[round(mean, 6)] = expected.get(round(mean, 6), 0.0) + 1 / 16
    codes = [np.array([0, 0, 1, 1]), np.array([0, 1, 0, 1])]
    means = np.round(resampled_means(table.ravel(), codes, 40_000, np.random.default_rng(0)), 6)
    assert set(np.unique(means)) == set(expected)
    for value, share in expected.items():
        assert float(np.mean(means == value)) == pytest.approx(share, abs=0.01)


def test_draws_in_which_no_question_is_left_are_dropped() -> None:
    # Two questions on the diagonal: drawing row 1 twice and column 2 twice leaves nothing.
    codes = [np.array([0, 1]), np.array([0, 1])]
    means = resampled_means(np.array([0.0, 1.0]), codes, 10_000, np.random.default_rng(0))
    assert np.isfinite(means).all()
    assert len(means) == pytest.approx(10_000 * 14 / 16, rel=0.03)


def test_a_way_with_one_cluster_is_left_out() -> None:
    values = [0.0, 1.0, 0.0, 1.0, 1.0]
    one_mailbox = ["m"] * 5
    assert bootstrap_mean(values, [one_mailbox]) == bootstrap_mean(values)
    templates = ["a", "a", "b", "b", "c"]
    assert bootstrap_mean(values, [templates, one_mailbox]) == bootstrap_mean(values, [templates])
    assert bootstrap_mean(values, [templates, templates]).clusters == (3, 3)


def test_equal_values_and_a_single_value_have_an_interval_of_width_0() -> None:
    for values in ([0.5] * 8, [0.5]):
        for method in ("percentile", "bca"):
            interval = bootstrap_mean(values, method=method)  # type: ignore[arg-type]
            assert (interval.low, interval.mean, interval.high) == (0.5, 0.5, 0.5)


def test_bca_follows_the_skew() -> None:
    values = [-math.log(1 - (index + 0.5) / 40) for index in range(40)]  # an exponential's quantiles: a long right tail
    bca = bootstrap_mean(values, method="bca")
    low, high = np.quantile(resampled_means(np.array(values), [], 10_000, numpy_stream(0, "bootstrap")), [0.025, 0.975])
    assert bca.low > low
    assert bca.high > high
    assert bca.high - bca.mean > bca.mean - bca.low
    clustered = bootstrap_mean(values, [[index % 5 for index in range(40)]], method="bca")
    assert clustered.clusters == (5,)


@pytest.mark.parametrize(
    ("values", "ways", "method", "message"),
    [
        ([], [], "percentile", "no values"),
        ([1.0, float("nan")], [], "percentile", "not finite"),
        ([1.0, 2.0], [["a"]], "percentile", "one cluster a question: got 1 for 2"),
        ([1.0, 2.0], [["a", "b"]] * 3, "percentile", "at most 2"),
        ([1.0, 2.0], [["a", "b"]] * 2, "bca", "at most 1"),
    ],
)
def test_what_cannot_be_measured_is_refused(
    values: list[float], ways: list[list[str]], method: str, message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        bootstrap_mean(values, ways, method=method)  # type: ignore[arg-type]


def _coverage(templates: int, mailboxes: int, *, drawn: str, runs: int = 200) -> float:
    """Share of 95 % intervals that hold the true mean 0, for 120 questions with template and mailbox effects."""
    hits = 0
    for run in range(runs):
        rng = np.random.default_rng(run)
        template, mailbox = np.arange(120) % templates, rng.integers(0, mailboxes, 120)
        effects = rng.normal(0, 0.5, templates)[template] + rng.normal(0, 0.3, mailboxes)[mailbox] * ("m" in drawn)
        values = effects + rng.normal(0, 1, 120)
        ways = [way.tolist() for way, name in ((template, "t"), (mailbox, "m")) if name in drawn]
        interval = bootstrap_mean(values.tolist(), ways, resamples=1000, seed=run)
        hits += interval.low <= 0 <= interval.high
    return hits / runs


def test_intervals_hold_the_truth_as_often_as_they_say_and_ignoring_clusters_does_not() -> None:
    assert _coverage(12, 6, drawn="t") >= 0.90
    assert _coverage(12, 6, drawn="tm") >= 0.93
    assert _coverage(12, 6, drawn="") <= 0.85


def test_sign_flips_by_hand() -> None:
    # Three clusters with sums 3, 2, 1: only all signs alike reach 6, so that p = 2/8.
    assert sign_flip_test([1.0, 2.0, 2.0, 1.0], ["a", "a", "b", "c"]) == 0.25
    # Sums 3 and -1: |2| is reached by (3, -1), (-3, 1), and |4| by the two others.
    assert sign_flip_test([3.0, -1.0], ["a", "b"]) == 1.0
    assert sign_flip_test([1.0] * 10) == pytest.approx(2 / 1024)
    assert sign_flip_test([0.0] * 5) == 1.0


def test_many_clusters_are_flipped_at_random_and_the_observed_flip_counts() -> None:
    assert sign_flip_test([1.0] * 40, resamples=999) == pytest.approx(1 / 1000)
    exact = sign_flip_test([1.0, -0.5, 0.7, 0.2, -0.1, 0.4, 0.9, -0.3, 0.2, 0.6, 0.1, -0.2, 0.8, 0.3])
    sampled = sign_flip_test([1.0, -0.5, 0.7, 0.2, -0.1, 0.4, 0.9, -0.3, 0.2, 0.6, 0.1, -0.2, 0.8, 0.3, 0.0])
    assert sampled == pytest.approx(exact, abs=0.01)


def test_under_no_difference_p_values_are_small_as_rarely_as_they_say() -> None:
    small = 0
    for run in range(300):
        rng = np.random.default_rng(run)
        clusters = np.arange(60) % 12
        differences = rng.normal(0, 0.5, 12)[clusters] + rng.normal(0, 1, 60)
        small += sign_flip_test(differences.tolist(), clusters.tolist()) <= 0.05
    assert small / 300 <= 0.08


def test_a_paired_difference_sees_what_unpaired_means_do_not() -> None:
    rng = np.random.default_rng(0)
    hard = rng.random(80)
    first, second = hard, hard + 0.05 + rng.normal(0, 0.02, 80)
    templates = [index % 10 for index in range(80)]
    mailboxes = [index // 20 for index in range(80)]
    result = paired_difference(first.tolist(), second.tolist(), [templates, mailboxes])
    assert result.interval.mean == pytest.approx(float((second - first).mean()))
    assert 0 < result.interval.low < 0.05 < result.interval.high < 0.07
    assert result.p_value == pytest.approx(2 / 2**10)  # by template, the way with more clusters
    assert result.smallest_p == 2**-9
    assert bootstrap_mean(second.tolist()).low < bootstrap_mean(first.tolist()).high


def test_a_paired_difference_says_how_blind_it_is() -> None:
    few = paired_difference([0.0] * 4, [1.0] * 4, [["a", "a", "b", "b"]])
    assert (few.p_value, few.smallest_p) == (0.5, 0.5)
    many = paired_difference([0.0] * 40, [1.0] * 40)
    assert many.smallest_p == 1 / 10_001
    assert isinstance(many, PairedDifference)
    assert many.to_json()["interval"]["mean"] == 1.0
    with pytest.raises(ValueError, match="same questions: got 1 and 2"):
        paired_difference([1.0], [1.0, 2.0])


def test_holm_by_hand() -> None:
    # Sorted .01, .03, .04 times 3, 2, 1 is .03, .06, .04; made monotone: .03, .06, .06.
    assert holm([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])
    assert holm([0.9, 0.8]) == [1.0, 1.0]
    assert holm([]) == []


@pytest.mark.parametrize(
    ("degrees", "quantile"), [(1, 12.7062), (2, 4.30265), (5, 2.57058), (11, 2.20099), (200, 1.97190)]
)
def test_students_t_is_the_tables(degrees: int, quantile: float) -> None:
    assert student_t_quantile(0.975, degrees) == pytest.approx(quantile, rel=1e-4)
