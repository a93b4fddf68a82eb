import pytest

from mailgym.core.episode import Decision, Generation, Step, Trajectory
from mailgym.train.batch import Sample, arrange, to_sample


def trajectory(*generations):
    steps = tuple(Step({}, Decision({"a": 1}, generation=generation), None) for generation in generations)
    return Trajectory("find", "p", "t1", steps, "answered", 1.0, None)


def test_two_turns_become_one_row_and_what_was_read_between_is_masked():
    first = Generation((1, 2), (3, 4), (-0.1, -0.2))
    second = Generation((1, 2, 3, 4, 8, 9), (5,), (-0.3,))
    sample = to_sample(trajectory(first, second), 0.5)
    assert sample.prompt_ids == (1, 2)
    assert sample.tail_ids == (3, 4, 8, 9, 5)
    assert sample.written == (True, True, False, False, True)
    assert sample.old_logprobs == (-0.1, -0.2, 0.0, 0.0, -0.3)
    assert sample.n_written == 3
    assert sample.advantage == 0.5


def test_tokens_that_were_changed_between_turns_are_refused():
    first = Generation((1, 2), (3, 4), (-0.1, -0.2))
    with pytest.raises(ValueError, match="does not continue"):
        to_sample(trajectory(first, Generation((1, 2, 3, 7), (5,), (-0.3,))), 0.5)


def test_a_turn_without_exact_tokens_is_refused():
    with pytest.raises(ValueError, match="no exact tokens"):
        to_sample(trajectory(None), 0.5)


def test_samples_of_one_prompt_come_together_in_order_of_appearance():
    a, b, c = (Sample((i,), (1,), (True,), (0.0,), float(k)) for i, k in ((1, 0), (2, 1), (1, 2)))
    assert arrange([a, b, c]) == [[a, c], [b]]
