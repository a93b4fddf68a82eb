"""The reward under which form alone earns nothing."""

import pytest
from tests.envs.reply.letters import GOOD, KEY, SKIP, TASK, TASKS, classify, draft

from mailgym.core.episode import MalformedAction
from mailgym.envs.reply import make_reply
from mailgym.envs.reply.rubric.hardened import mail_facts, told_of
from mailgym.rubrics.writing.reply import read_reply

QUALITY = read_reply(GOOD, mail_facts(TASK), KEY.wanted).quality


def play(*actions, task="due", turns=4):
    environment = make_reply(TASKS, turns=turns)
    environment.reset(task)
    results = [environment.step(action) for action in actions]
    return results, environment.owner_view().score


def test_a_right_episode_is_thirty_and_seventy():
    results, score = play(classify(), draft(GOOD))
    assert results[0].reward == pytest.approx(0.30)
    assert results[1].reward == pytest.approx(0.70 * QUALITY)
    assert QUALITY > 0.9
    assert score.values["episode_total"] == pytest.approx(score.reward)


@pytest.mark.parametrize("wrong", [("medium", "work", True), ("high", "personal", True), ("high", "work", False)])
def test_two_right_labels_of_three_are_worth_nothing(wrong):
    results, score = play(classify(*wrong))
    assert results[0].reward == 0.0
    assert sum(score.values[f"{name}_right"] for name in ("urgency", "category", "requires_reply")) == 2


def test_what_is_private_in_the_notes_costs_three_quarters_where_it_is_told():
    told = GOOD.replace("this time.", "this time. I have a headache.")
    quality = read_reply(told, mail_facts(TASK), KEY.wanted).quality
    results, score = play(classify(), draft(told))
    assert results[1].reward == pytest.approx(0.70 * 0.25 * quality)
    assert score.values["discreet"] == 0.0


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("I have headaches.", ["headache"]),
        ("My driving tests went wrong.", ["driving test"]),
        ("We test the driving wheel.", []),
        ("HEAD\u200bACHE", ["headache"]),
        ("", []),
    ],
)
def test_private_things_are_told_by_their_words_in_a_row(text, told):
    assert told_of(text, (("headache",), ("driving test",))) == told


@pytest.mark.parametrize(
    ("labels", "worth"),
    [
        (("low", "spam", False), 1.0),  # all right: .30 + .70
        (("high", "spam", False), 0.70),  # understood, though not how urgent
        (("low", "work", False), 0.0),
        (("low", "spam", True), 0.0),
    ],
)
def test_silence_pays_only_where_it_was_understood(labels, worth):
    _, score = play(classify(*labels), draft("", "none"), task="spam")
    assert score.reward == pytest.approx(worth)


def test_a_reply_to_spam_costs():
    results, score = play(classify("low", "spam", False), draft("Please stop.", "assertive"), task="spam")
    assert results[1].reward == pytest.approx(-0.2)
    assert score.reward == pytest.approx(0.10)


def test_silence_where_a_reply_is_due_is_worth_nothing():
    results, _ = play(classify(), draft("", "none"))
    assert results[1].reward == 0.0


def test_a_wrong_call_costs_and_can_be_mended():
    results, score = play(MalformedAction("Urgent!", "there is no JSON object in it"), classify(), draft(GOOD))
    assert [result.reward for result in results] == pytest.approx([-0.05, 0.30, 0.70 * QUALITY])
    assert results[0].observation["turns_left"] == 3
    assert score.reward == pytest.approx(0.25 + 0.70 * QUALITY)


def test_the_same_call_again_is_a_wrong_call():
    results, _ = play(classify(), classify(), draft(GOOD))
    assert results[1].reward == pytest.approx(-0.05)
    assert "now draft" in results[1].observation["error"]
    assert results[2].reward == pytest.approx(0.70 * QUALITY)


def test_a_draft_before_the_classification_is_a_wrong_call():
    results, _ = play(draft(GOOD), classify())
    assert results[0].reward == pytest.approx(-0.05)
    assert "first classify" in results[0].observation["error"]
    assert results[1].reward == pytest.approx(0.30)


def test_turns_run_out():
    results, score = play(draft([]), draft([]), draft([]), draft([]))
    assert (results[-1].truncated, results[-1].stop_reason) == (True, "out_of_turns")
    assert score.reward == pytest.approx(-0.20)


def test_a_skip_keeps_what_the_classification_was_worth():
    _, score = play(classify(), SKIP)
    assert score.reward == pytest.approx(0.30)


def test_the_components_are_the_documents_and_stay_metrics():
    _, score = play(classify(), draft(GOOD))
    weights = {part.name: part.weight for part in score.parts}
    for name in ("reply_format", "reply_relevance", "reply_length", "tone_matching", "reply_clarity", "episode_total"):
        assert weights[name] == 0.0
        assert 0.0 <= score.values[name] <= 1.0
    assert (weights["classification"], weights["reply_total"]) == (0.30, 0.70)


def test_notes_of_the_score_say_of_which_part_they_are():
    _, score = play(classify(), draft("Owen, Zebedee takes 99 tins."))
    notes = {part.name: part.note for part in score.parts}
    assert notes["faithful"].startswith("faithful: ")
    assert score.values["faithful"] < 1.0
