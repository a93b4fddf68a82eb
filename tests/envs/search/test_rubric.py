"""The reward of find, worked out by hand for each line of the table in docs/search.md."""

from typing import Any

import pytest

from mailgym.core.errors import UserError
from mailgym.core.protocols import Environment
from mailgym.envs.base import TaskSet
from mailgym.envs.registry import get_spec
from mailgym.envs.search import make_find
from mailgym.envs.search.rubric import Call, FullRubric, OneTurnRubric, SearchFacts
from mailgym.envs.search.tasks import SearchKey, SearchTask

Tasks = TaskSet[SearchTask, SearchKey]
KEY = SearchKey("q", "t", "m", "single", ("a", "b"))
NO_FILTERS = {"from_addr": None, "to_addr": None, "sent_after": None, "sent_before": None, "max_results": 10}


def searched(*message_ids: str, keywords: int = 1, repeated: bool = False, **filters: Any) -> Call:
    arguments = {"keywords": ["w"] * keywords, **NO_FILTERS, **filters}
    return Call("search_emails", arguments, "ok", message_ids, repeated)


def was_read(message_id: str) -> Call:
    return Call("read_email", {"message_id": message_id}, "ok", (message_id,))


ANSWER = Call("return_final_answer", {}, "ok")
BAD = Call("search_emails", {}, "bad_arguments")


@pytest.mark.parametrize(
    ("facts", "reward"),
    [
        (SearchFacts([searched("a", "x")], answered=True), 1.0),
        (SearchFacts([searched("x", "y", "b", "a")], answered=True), 1 / 3),
        (SearchFacts([searched(*"0123456789a")], answered=True), 0.0),
        (SearchFacts([searched()], answered=True), 0.0),
        (SearchFacts([BAD]), -0.1),
        (SearchFacts([ANSWER], answered=True), 0.0),
        (SearchFacts([ANSWER], answered=True, sources=("a",)), 0.0),  # citing is worth nothing in this form
        (SearchFacts(), 0.0),
    ],
)
def test_one_turn(facts: SearchFacts, reward: float) -> None:
    assert OneTurnRubric().score(facts, KEY).reward == pytest.approx(reward)


@pytest.mark.parametrize(
    ("facts", "reward"),
    [
        # one right citation after one search: 1 − 0.01
        (SearchFacts([searched("a"), ANSWER], answered=True, sources=("a",)), 0.99),
        # one right of four, two searches: 1/4 − 2 · 0.01
        (SearchFacts([searched("x"), searched("a"), ANSWER], answered=True, sources=("a", "x", "y", "no-such")), 0.23),
        # both right mails cited: 2/2 − 0.01
        (SearchFacts([searched("a", "b"), ANSWER], answered=True, sources=("a", "b")), 0.99),
        # wrong, one bad call, one repeat, five turns: −0.05 − 0.02 − 4 · 0.01
        (SearchFacts([searched("x"), BAD, searched("x", repeated=True), searched("y"), ANSWER], True, ("x",)), -0.11),
        # out of turns with the right mail found and read: 0 − 9 · 0.01
        (SearchFacts([searched("a"), *[was_read("a")] * 9], out_of_turns=True), -0.09),
        (SearchFacts([ANSWER], answered=True), 0.0),
        (SearchFacts(), 0.0),
    ],
)
def test_full(facts: SearchFacts, reward: float) -> None:
    assert FullRubric().score(facts, KEY).reward == pytest.approx(reward)


def test_milestones_are_off_by_default_and_metrics_then() -> None:
    facts = SearchFacts([searched("a"), was_read("a")])
    score = FullRubric().score(facts, KEY)
    weights = {part.name: part.weight for part in score.parts}
    assert (weights["ever_found_right_email"], weights["ever_read_right_email"]) == (0.0, 0.0)
    assert (score.values["ever_found_right_email"], score.values["ever_read_right_email"]) == (1.0, 1.0)
    assert score.reward == pytest.approx(-0.01)
    # on: 0.1 for finding and 0.1 for reading, less 0.01 for the second turn
    assert FullRubric(milestone_weight=0.1).score(facts, KEY).reward == pytest.approx(0.19)


def test_milestones_are_off_in_the_environment_and_can_be_asked_for(small_tasks: Tasks) -> None:
    def found_and_left(environment: Environment) -> float:
        environment.reset("q-outage")
        environment.step({"name": "search_emails", "arguments": {"keywords": ["payroll"]}})
        null = environment.step(dict(get_spec("find").null_action))
        assert null.terminated
        return environment.owner_view().score.reward

    assert found_and_left(make_find(small_tasks, turns=10)) == pytest.approx(-0.01)
    assert found_and_left(make_find(small_tasks, "classic", turns=10)) == pytest.approx(-0.01)
    assert found_and_left(make_find(small_tasks, turns=10, milestone_weight=0.2)) == pytest.approx(0.19)
    with pytest.raises(UserError, match="no milestones"):
        make_find(small_tasks, turns=1, milestone_weight=0.2)


def test_repeats_are_priced_by_the_hardened_profile_alone(small_tasks: Tasks) -> None:
    rewards = {}
    for profile in ("classic", "hardened"):
        environment = make_find(small_tasks, profile, turns=10)
        environment.reset("q-bill")
        action = {"name": "search_emails", "arguments": {"keywords": ["Harbour"], "from_addr": ""}}
        same = {"name": "search_emails", "arguments": {"keywords": ["Harbour"], "max_results": 10}}
        rewards[profile] = [environment.step(action).reward, environment.step(same).reward]
    assert rewards["classic"] == pytest.approx([0.0, -0.01])
    assert rewards["hardened"] == pytest.approx([0.0, -0.03])  # the same call, however it is written


def test_metrics() -> None:
    facts = SearchFacts(
        [
            searched("x", "a", keywords=3, from_addr="Dana"),
            searched("y", keywords=0, sent_before="2025-01-01"),
            Call("", {}, "unparsable"),
            Call("nope", {}, "unknown_tool"),
            BAD,
            Call("read_email", {}, "unknown_message"),
            was_read("x"),
            ANSWER,
        ],
        answered=True,
        sources=("x", "a"),
    )
    values = FullRubric().score(facts, KEY).values
    assert values == {
        "citation_share": 0.5,
        "bad_calls": 4.0,
        "extra_turns": 7.0,
        "repeated_calls": 0.0,
        "reciprocal_rank": 0.5,
        "ever_found_right_email": 1.0,
        "ever_read_right_email": 0.0,
        "num_turns": 8.0,
        "attempted_answer": 1.0,
        "cant_parse_tool_call": 1.0,
        "bad_tool_call_name": 1.0,
        "bad_tool_call_args": 1.0,
        "ran_out_of_turns": 0.0,
        "num_sources": 2.0,
        "ever_tried_to_read_invalid_email": 1.0,
        "used_from": 1.0,
        "used_dates": 1.0,
        "num_keywords": 1.5,
    }
    one_turn = OneTurnRubric().score(SearchFacts([searched("x", "a")], answered=True), KEY)
    assert set(values) - {"citation_share"} == set(one_turn.values)
    assert one_turn.values["attempted_answer"] == 1.0


def test_an_answer_that_names_nothing_is_no_attempt() -> None:
    null = SearchFacts([searched("a"), ANSWER], answered=True)
    assert FullRubric().score(null, KEY).values["attempted_answer"] == 0.0
    assert OneTurnRubric().score(SearchFacts([ANSWER], answered=True), KEY).values["attempted_answer"] == 0.0


def test_notes_say_why() -> None:
    score = FullRubric().score(SearchFacts([searched("x", "a"), ANSWER], True, ("x",)), KEY)
    notes = {part.name: part.note for part in score.parts}
    assert notes["citation_share"] == "cited ['x'], right: ['a', 'b']"
    assert notes["reciprocal_rank"] == "rank of the right mail in each search: [2]"
