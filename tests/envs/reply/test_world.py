import pytest
from tests.envs.reply.letters import GOOD, TASK, TASKS, classify, draft

from mailgym.core.errors import UserError
from mailgym.envs.registry import get_spec
from mailgym.envs.reply import make_reply
from mailgym.envs.reply.schema import MAX_REPLY_CHARS, well_typed


@pytest.mark.parametrize("profile", ["classic", "hardened"])
def test_the_second_observation_shows_the_mail_and_ones_own_classification(profile):
    environment = make_reply(TASKS, profile)
    opening = environment.reset("due")
    assert (opening["kind"], opening["step"], opening["text"]) == ("mail", 1, TASK.text)
    assert "classification" not in opening
    second = environment.step(classify("low", "spam", False)).observation
    assert (second["kind"], second["step"], second["subject"]) == ("classified", 2, TASK.subject)
    assert second["classification"]["urgency"] == "low"
    assert environment.state["step"] == 2


def test_the_classic_profile_takes_two_steps_whatever_the_turns():
    environment = make_reply(TASKS, "classic", turns=9)
    assert environment.reset("due")["turns_left"] == 2
    environment.step({})
    assert environment.state["turns_left"] == 1
    assert environment.step(draft(GOOD)).terminated


def test_two_turns_leave_nothing_to_mend():
    environment = make_reply(TASKS, turns=2)
    environment.reset("due")
    environment.step({})
    assert environment.step(classify()).stop_reason == "out_of_turns"


def test_one_turn_is_refused():
    with pytest.raises(UserError, match="at least 2"):
        make_reply(TASKS, turns=1)


def test_an_unknown_profile_is_refused():
    with pytest.raises(UserError, match="choose one of"):
        make_reply(TASKS, "easy")


@pytest.mark.parametrize("text", [None, ["Hi"], {"text": "Hi"}, "x" * (MAX_REPLY_CHARS + 1)])
def test_a_text_that_is_none_is_an_error_that_names_its_field(text):
    environment = make_reply(TASKS)
    environment.reset("due")
    environment.step(classify())
    assert "reply_text" in environment.step(draft(text)).observation["error"]


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        (None, []),
        ({"urgency": ["high"], "category": "work"}, ["category"]),
        ({"urgency": "High", "requires_reply": 1, "reason": " "}, []),
        ({"requires_reply": False, "reason": "x" * 501, "mood": "good"}, ["requires_reply"]),
    ],
)
def test_fields_are_kept_by_their_type(given, kept):
    assert list(well_typed(given)) == kept


def test_the_spec_brings_its_own_tasks():
    spec = get_spec("reply")
    assert (spec.needs_mail, spec.default_turns, spec.splits[0]) == (False, 4, "test")
    titles = [figure.title for figure in spec.figures]
    assert {"classification", "reply_total", "tone_matching", "episode_total"} <= set(titles)
