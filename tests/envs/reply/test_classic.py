"""The document's reward, every term and whole episodes worked out by hand."""

import pytest
from tests.envs.reply.letters import GOOD, KEY, SKIP, TASKS, classify, draft

from mailgym.core.clock import FixedClock
from mailgym.core.episode import MalformedAction
from mailgym.envs.reply import make_reply
from mailgym.envs.reply.rubric import ReplyFacts
from mailgym.envs.reply.rubric.classic import (
    REPLY_WEIGHTS,
    accuracy_of,
    format_of,
    reply_clarity,
    reply_format,
    reply_length,
    reply_relevance,
    tone_matching,
)
from mailgym.rubrics.writing.reply import Wanted


def said(**fields: object) -> ReplyFacts:
    return ReplyFacts(classified=True, classification=fields)


def words(count: int) -> str:
    return " ".join(f"word{number}" for number in range(count))


def play(*actions, task="due", clock=None, profile="classic"):
    environment = make_reply(TASKS, profile, clock=clock)
    environment.reset(task)
    results = [environment.step(action) for action in actions]
    return results, environment.owner_view().score


@pytest.mark.parametrize(
    ("fields", "worth"),
    [
        ({"urgency": "high", "category": "work", "requires_reply": True}, 1.0),
        ({"urgency": "high", "category": "spam", "requires_reply": True}, 0.67),
        ({"urgency": "low", "category": "work", "requires_reply": True}, 0.66),
        ({"urgency": "high"}, 0.34),
        ({}, 0.0),
    ],
)
def test_accuracy_adds_a_weight_a_field(fields, worth):
    assert accuracy_of(said(**fields), KEY.labels)[0] == pytest.approx(worth)


@pytest.mark.parametrize(
    ("fields", "worth"),
    [
        ({"urgency": "low", "category": "work", "requires_reply": False, "reason": "short"}, 1.0),
        ({"urgency": "low", "category": "work", "requires_reply": False, "reason": "one two three four five"}, 1.0),
        ({"urgency": "low", "category": "work", "reason": "one two three four five"}, 0.85),
        ({"urgency": "low", "category": "work", "reason": "one two three four"}, 0.75),
        ({"urgency": "low"}, 0.25),
    ],
)
def test_format_is_a_share_of_fields_with_a_bonus_and_at_most_one(fields, worth):
    assert format_of(said(**fields))[0] == pytest.approx(worth)


@pytest.mark.parametrize(
    ("text", "worth"),
    [
        ("Hi Owen, this is a sentence. This is another sentence. Regards", 0.30 + 0.35 + 0.35),
        ("This is a sentence. This is another sentence. Regards", 0.35 + 0.35),
        ("Dear Owen, one long sentence only", 0.30 + 0.15),
        ("Hi. Yes. No. Ok.", 0.30),
        ("Yes. No.", 0.0),
        ("Well then, good bye.\nGood morning Owen", 0.30 + 0.35),
    ],
)
def test_format_of_a_reply_is_greeting_sentences_closing(text, worth):
    assert reply_format(text)[0] == pytest.approx(worth)


def test_relevance_is_the_share_of_keywords_in_any_of_their_forms():
    wanted = Wanted(True, keywords=(("12", "twelve"), ("Ruth",), ("glaze",), ("Friday",)))
    assert reply_relevance("TWELVE tins, says ruth.", wanted)[0] == pytest.approx(0.5)
    assert reply_relevance("Anything at all.", Wanted(True))[0] == pytest.approx(0.5)


@pytest.mark.parametrize(
    ("count", "worth"),
    [(1, 0.3), (24, 0.3), (25, 0.7), (39, 0.7), (40, 1.0), (150, 1.0), (151, 0.7), (250, 0.7), (251, 0.4)],
)
def test_length_has_its_bounds(count, worth):
    assert reply_length(words(count))[0] == worth


@pytest.mark.parametrize(
    ("text", "tone", "worth"),
    [
        ("Please, with regards.", "professional", 2 / 3.2),  # 8 signals: max(2, 3.2)
        ("Please kindly note, sincerely, with regards, thank you.", "professional", 1.0),
        ("Hey! Sounds great.", "friendly", 2 / 2.8),  # 7 signals: max(2, 2.8)
        ("I expect it immediately.", "assertive", 1.0),  # 5 signals: max(2, 2)
        ("I expect it.", "assertive", 0.5),
        ("I apologize, I take full responsibility.", "apologetic", 2 / 2.4),  # 6 signals: max(2, 2.4)
        ("Please please please.", "professional", 1 / 3.2),  # each signal once
        ("Nothing of the sort.", "friendly", 0.0),
    ],
)
def test_tone_is_signals_over_what_is_asked_for(text, tone, worth):
    assert tone_matching(text, tone)[0] == pytest.approx(worth)


@pytest.mark.parametrize(
    ("text", "worth"),
    [
        (words(19), 0.2),  # too few words
        (words(20), 0.55),  # .4, and .15 for different words
        (words(20) + " confirm", 0.80),  # one kind of action: + .25
        (words(20) + " confirm tomorrow", 1.0),  # two kinds: + .25 + .20
        (words(20) + " confirm tomorrow, let me know", 1.0),  # a third adds nothing
        (words(20) + " noted", 0.30),  # filler without action: .4 + .15 − .25
        (words(20) + " noted, confirm", 0.80),  # with action it costs nothing
        ("noted " * 20, 0.15),  # filler, and one word only: .4 − .25
    ],
)
def test_clarity_counts_kinds_of_action(text, worth):
    assert reply_clarity(text)[0] == pytest.approx(worth)


def test_a_good_episode_is_worth_what_the_formulas_say():
    results, score = play(classify(), draft(GOOD))
    # step 1: accuracy 1, format 1. Step 2: format 1, relevance 1, length 1 (48 words), tone 3 / 3.2, clarity 1
    step_2 = 0.25 + 0.30 + 0.15 + 0.15 * 3 / 3.2 + 0.15
    assert results[0].reward == pytest.approx(0.30)
    assert results[1].reward == pytest.approx(0.70 * step_2)
    assert score.values["episode_total"] == pytest.approx(0.30 + 0.70 * step_2) == pytest.approx(score.reward)
    assert results[1].stop_reason == "drafted"


def test_a_short_wrong_episode():
    results, score = play(classify("low", "work", True, "no idea"), draft("Ok. Noted."))
    # step 1: .7 × .66 + .3 × 1 = .762; step 2: no greeting, no sentence, no closing; length .3; clarity .2
    assert results[0].reward == pytest.approx(0.30 * 0.762)
    assert results[1].reward == pytest.approx(0.70 * (0.15 * 0.3 + 0.15 * 0.2))
    assert score.values["classification"] == pytest.approx(0.762)


@pytest.mark.parametrize(("text", "worth"), [("", 0.70), ("  \n", 0.70), ("Please stop.", 0.0), (GOOD, 0.0)])
def test_to_spam_silence_pays_and_any_reply_does_not(text, worth):
    results, _ = play(classify("low", "spam", False), draft(text, "none"), task="spam")
    assert results[1].reward == pytest.approx(worth)


def test_silence_to_a_mail_that_needs_a_reply_is_worth_nothing():
    results, _ = play(classify(), draft("", "none"))
    assert results[1].reward == 0.0


def test_a_list_for_a_string_is_a_field_that_is_missing():
    results, score = play(classify(reason=["The list closes today at four."]))
    # accuracy 1, format 3 / 4 without a bonus: .30 × (.7 + .3 × .75)
    assert results[0].reward == pytest.approx(0.30 * 0.925)
    assert results[0].observation["kind"] == "error"
    assert score.values["bad_calls"] == 1


def test_a_list_is_no_silence_to_spam_either():
    results, _ = play(classify("low", "spam", False), draft([], "none"), task="spam")
    assert (results[1].reward, results[1].stop_reason) == (0.0, "bad_call")


def test_labels_that_do_not_exist_are_missing_too():
    results, _ = play(classify(urgency="urgent", category="office", needed="yes"))
    assert results[0].reward == pytest.approx(0.30 * 0.30 * 0.35)  # one field of four, and the bonus for its words


def test_a_wrong_action_is_that_step_and_the_episode_goes_on():
    results, _ = play(MalformedAction("It is urgent.", "there is no JSON object in it"), draft(GOOD))
    assert (results[0].reward, results[0].done) == (0.0, False)
    assert results[1].reward == pytest.approx(0.70 * (0.85 + 0.15 * 3 / 3.2))


@pytest.mark.parametrize("action", [classify(), draft(GOOD), {"name": "no_tool"}])
def test_the_same_action_again_costs_and_ends(action):
    results, score = play(action, action)
    assert results[1].reward == pytest.approx(-0.1)
    assert (results[1].terminated, results[1].stop_reason) == (True, "repeated_action")
    assert score.values["repeated_action"] == 1


def test_the_clock_ends_an_episode_after_two_minutes_and_costs_a_half():
    clock = FixedClock(1000.0)
    environment = make_reply(TASKS, "classic", clock=clock)
    environment.reset("due")
    clock.advance(120.0)
    assert environment.step(classify()).reward == pytest.approx(0.30)
    clock.advance(0.1)
    late = environment.step(draft(GOOD))
    assert (late.reward, late.truncated, late.stop_reason) == (-0.5, True, "timed_out")
    environment.reset("due")
    assert environment.step(classify()).reward == pytest.approx(0.30)  # a reset starts the clock again


def test_a_skip_ends_the_episode_and_is_worth_nothing():
    results, score = play(SKIP)
    assert (results[0].reward, results[0].stop_reason, score.reward) == (0.0, "skipped", 0.0)


def test_the_weights_are_those_of_the_running_system():
    assert REPLY_WEIGHTS == {
        "reply_format": 0.25,
        "reply_relevance": 0.30,
        "reply_length": 0.15,
        "tone_matching": 0.15,
        "reply_clarity": 0.15,
    }
