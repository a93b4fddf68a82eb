"""The rewards of search, each band and each metric worked out by hand."""

from dataclasses import replace
from datetime import date
from typing import Any

import pytest

from mailgym.core.errors import UserError
from mailgym.core.score import Score
from mailgym.envs.base import TaskSet
from mailgym.envs.registry import get_spec
from mailgym.envs.search import make_search
from mailgym.envs.search.rubric import BandedRubric, Call, HardenedRubric, SearchFacts, SimpleRubric, read_answer
from mailgym.envs.search.tasks import SearchKey, SearchTask

NO_FILTERS = {"from_addr": None, "to_addr": None, "sent_after": None, "sent_before": None, "max_results": 10}
KEY = SearchKey("q", "t", "m", "single", ("a", "b"), "11 April", {}, "When is the call?", "date", date(2025, 6, 1))
NOBODY_KNOWS = replace(KEY, message_ids=(), answer="I don't know", answer_type="unknown")
ANSWER = Call("return_final_answer", {}, "ok")
READ = Call("read_email", {"message_id": "a"}, "ok", ("a",))
READ_OTHER = Call("read_email", {"message_id": "x"}, "ok", ("x",))
READ_UNKNOWN = Call("read_email", {"message_id": "?"}, "unknown_message")


def searched(*message_ids: str, repeated: bool = False, same_turn: bool = False) -> Call:
    return Call("search_emails", {"keywords": ["w"], **NO_FILTERS}, "ok", message_ids, repeated, same_turn)


def bad(result: Any, tool: str = "") -> Call:
    return Call(tool, {}, result)


def answered(text: str, *sources: str, before: tuple[Call, ...] = ()) -> SearchFacts:
    return SearchFacts([*before, ANSWER], answered=True, sources=sources, answer=text)


FOUND_AND_READ = (searched("a"), READ)

BANDS: list[tuple[str, SearchFacts, float]] = [
    # a call that cannot be parsed: −2 + 0.1 (no unknown id read)
    ("unparsable", SearchFacts([bad("unparsable")]), -1.9),
    # −2 + 0.1 found + 0.1 read + 0.1 no unknown id
    ("unparsable after finding and reading", SearchFacts([*FOUND_AND_READ, bad("unparsable")]), -1.7),
    ("an unknown tool", SearchFacts([bad("unknown_tool", "delete")]), -1.8),
    ("an unknown tool after finding", SearchFacts([searched("a"), bad("unknown_tool", "delete")]), -1.7),
    ("bad arguments", SearchFacts([bad("bad_arguments", "search_emails")]), -1.7),
    # bad arguments after an unknown id was read: −1.8 + 0.1 found
    ("bad arguments after all", SearchFacts([searched("a"), READ_UNKNOWN, bad("bad_arguments", "x")]), -1.7),
    # wrong: −1 + 0.1 no unknown id
    ("a wrong answer out of nothing", answered("9 May"), -0.9),
    # wrong, found, read, right source: −1 + 4 · 0.1
    ("a wrong answer with every credit", answered("9 May", "a", before=FOUND_AND_READ), -0.6),
    ("a wrong answer after an unknown id", answered("9 May", "x", before=(READ_UNKNOWN,)), -1.0),
    # no answer: 0 + 0.1
    ("I don't know at once", answered("I don't know"), 0.1),
    ("an empty answer", answered(""), 0.1),
    # found and read, and not answered: 0.3; sources of "I don't know" are not looked at
    ("I don't know with every credit", answered("I do not know.", "a", before=FOUND_AND_READ), 0.3),
    ("out of turns", SearchFacts([searched("a"), *[READ] * 9], out_of_turns=True), 0.3),
    ("out of turns, with nothing", SearchFacts([READ_UNKNOWN] * 10, out_of_turns=True), 0.0),
    # right without a source in one turn: 1 + 0.1 · (1 − 1/10)
    ("the right answer at once", answered("11 April"), 1.09),
    # right, right source among one, 3 turns: 1 + 0.3 + 0.1/1 + 0.1 · 0.7
    ("the right answer, cited", answered("April 11", "a", before=FOUND_AND_READ), 1.47),
    # right, right source among four, 3 turns: 1 + 0.3 + 0.1/4 + 0.07
    ("the right answer among sources", answered("11 April", "x", "y", "b", "z", before=FOUND_AND_READ), 1.395),
    # right, wrong source, 2 turns: 1 + 0.1 + 0.08
    ("the right answer, wrongly cited", answered("11 April", "x", before=(searched("x"),)), 1.18),
    # right in ten turns with the right source: 1 + 0.3 + 0.1 + 0
    ("the right answer in the last turn", answered("11 April", "a", before=(*FOUND_AND_READ, *[READ] * 7)), 1.4),
    # an unknown id costs the credit, not the band, and nothing of a right answer
    ("the right answer after an unknown id", answered("11 April", "a", before=(READ_UNKNOWN, READ)), 1.47),
    ("the episode goes on", SearchFacts([searched("a"), READ]), 0.0),
    ("nothing has happened", SearchFacts(), 0.0),
]


@pytest.mark.parametrize(("what", "facts", "reward"), BANDS, ids=[what for what, _, _ in BANDS])
def test_every_band_and_credit(what: str, facts: SearchFacts, reward: float) -> None:
    assert BandedRubric(10).score(facts, KEY).reward == pytest.approx(reward)


def test_bands_never_meet() -> None:
    """The most of a band is less than the least of the next: partial credits stay below 0.5."""
    most_partial = 4 * 0.1
    assert most_partial < 0.5
    assert -1.8 + most_partial < -1.0
    assert -1.0 + most_partial < 0.0
    assert 0.0 + most_partial < 1.0


def test_in_the_band_of_no_answer_is_also_i_dont_know_where_nobody_knows() -> None:
    score = BandedRubric(10).score(answered("I don't know"), NOBODY_KNOWS)
    assert (score.reward, score.values["answer_correct"]) == (pytest.approx(0.1), 1.0)
    assert BandedRubric(10).score(answered("11 April"), NOBODY_KNOWS).reward == pytest.approx(-0.9)


@pytest.mark.parametrize(
    ("facts", "key", "reward"),
    [
        (answered("11 April"), KEY, 1.0),
        (answered("9 May", "a"), KEY, 0.0),
        (answered("I don't know"), KEY, 0.0),
        (answered("I don't know"), NOBODY_KNOWS, 1.0),
        (SearchFacts([bad("unparsable")]), KEY, 0.0),
        (SearchFacts(), KEY, 0.0),
    ],
)
def test_the_simple_reward_is_one_for_a_right_answer(facts: SearchFacts, key: SearchKey, reward: float) -> None:
    assert SimpleRubric().score(facts, key).reward == reward


HARDENED: list[tuple[str, SearchFacts, SearchKey, float]] = [
    # 0.7 + 0.3 · F1(1/1, 1/2) = 0.7 + 0.3 · 2/3, less two turns
    ("right, one of two cited", answered("11 April", "a", before=FOUND_AND_READ), KEY, 0.7 + 0.2 - 0.02),
    ("right, both cited", answered("11 April", "a", "b", before=FOUND_AND_READ), KEY, 1.0 - 0.02),
    # F1 of 2 right among 8 cited: P 1/4, R 1: 0.4
    ("right, citing everything", answered("11 April", *"abcdefgh"), KEY, 0.7 + 0.3 * 0.4),
    ("right, nothing cited", answered("11 April"), KEY, 0.7),
    ("right, wrongly cited", answered("11 April", "x"), KEY, 0.7),
    ("wrong", answered("9 May"), KEY, -1.0),
    ("wrong, rightly cited", answered("9 May", "a", "b"), KEY, -1.0),
    ("I don't know, not having tried", answered("I don't know"), NOBODY_KNOWS, 0.0),
    ("I don't know after a search", answered("Not found.", before=(searched("x"),)), NOBODY_KNOWS, 0.5 - 0.01),
    ("an answer that nobody has", answered("11 April", "a", before=(searched("a"),)), NOBODY_KNOWS, -1.0 - 0.01),
    ("a needless I don't know", answered("I don't know", before=(searched("a"),)), KEY, -0.01),
    ("no answer", answered(""), KEY, 0.0),
    # found and read pay nothing: −9 · 0.01
    ("out of turns", SearchFacts([searched("a"), *[READ_OTHER] * 9], out_of_turns=True), KEY, -0.09),
    # three bad calls of which one an unknown id, 4 turns, right: 0.7 − 3 · 0.05 − 3 · 0.01
    (
        "mended calls",
        answered("11 April", before=(bad("unparsable"), bad("bad_arguments", "x"), READ_UNKNOWN)),
        KEY,
        0.7 - 0.15 - 0.03,
    ),
    # one turn with three calls, a repeat among them: −0.02
    (
        "three calls in a turn",
        SearchFacts([searched("a"), searched("x", same_turn=True), searched("a", repeated=True, same_turn=True)]),
        KEY,
        -0.02,
    ),
    ("nothing has happened", SearchFacts(), KEY, 0.0),
]


@pytest.mark.parametrize(("what", "facts", "key", "reward"), HARDENED, ids=[what for what, _, _, _ in HARDENED])
def test_the_hardened_reward(what: str, facts: SearchFacts, key: SearchKey, reward: float) -> None:
    assert HardenedRubric().score(facts, key).reward == pytest.approx(reward)


def test_a_guess_between_two_does_not_pay() -> None:
    yes = replace(KEY, answer="Yes", answer_type="yes_no", question="Is the call on?")
    no = replace(yes, answer="No")
    guess = answered("Yes", "a", "b")
    assert sum(HardenedRubric().score(guess, key).reward for key in (yes, no)) / 2 <= 0.0


def test_every_metric_of_art_e_under_its_name() -> None:
    facts = SearchFacts(
        [
            searched("x", "a"),
            searched("y", same_turn=True),
            bad("unparsable"),
            bad("unknown_tool", "nope"),
            bad("bad_arguments", "read_email"),
            READ_UNKNOWN,
            READ,
            ANSWER,
        ],
        answered=True,
        sources=("x", "a"),
        answer="11 April",
    )
    for rubric in (BandedRubric(10), HardenedRubric(), SimpleRubric()):
        values = rubric.score(facts, KEY).values
        expected = {
            "answer_correct": 1.0,
            "sources_correct": 1.0,
            "num_turns": 7.0,
            "attempted_answer": 1.0,
            "ever_found_right_email": 1.0,
            "ever_read_right_email": 1.0,
            "cant_parse_tool_call": 1.0,
            "bad_tool_call_name": 1.0,
            "bad_tool_call_args": 1.0,
            "ran_out_of_turns": 0.0,
            "returned_i_dont_know": 0.0,
            "num_sources": 2.0,
            "ever_tried_to_read_invalid_email": 1.0,
            "hallucinated": 0.0,
            "answer_unsure": 0.0,
            "citation_f1": 0.5,
        }
        assert {name: values[name] for name in expected} == expected


@pytest.mark.parametrize(
    ("facts", "said", "metrics"),
    [
        (SearchFacts([searched("a")]), "nothing", {}),
        (SearchFacts([searched("a")] * 10, out_of_turns=True), "nothing", {"ran_out_of_turns": 1.0}),
        (answered("  "), "nothing", {}),
        (answered("I couldn't find it in your mail."), "dont_know", {"returned_i_dont_know": 1.0}),
        (answered("9 May", "a"), "wrong", {"hallucinated": 1.0, "attempted_answer": 1.0, "sources_correct": 1.0}),
        (answered("11 April", "x"), "right", {"answer_correct": 1.0, "attempted_answer": 1.0}),
    ],
)
def test_what_was_said(facts: SearchFacts, said: str, metrics: dict[str, float]) -> None:
    assert read_answer(facts, KEY).said == said
    values = HardenedRubric().score(facts, KEY).values
    of_answers = (
        "answer_correct",
        "sources_correct",
        "attempted_answer",
        "returned_i_dont_know",
        "hallucinated",
        "answer_unsure",
        "ran_out_of_turns",
    )
    assert {name: values[name] for name in of_answers if values[name]} == metrics


UNSURE_KEY = replace(KEY, answer="because the hall was flooded", answer_type="text", question="Why was it moved?")
UNSURE = answered("water had come into the room", "a", "b")


def test_an_answer_that_cannot_be_told_is_neither_and_carries_both_scores() -> None:
    score = HardenedRubric().score(UNSURE, UNSURE_KEY)
    assert score.values["answer_unsure"] == 1.0
    assert (score.values["answer_correct"], score.values["hallucinated"]) == (0.0, 0.0)
    assert score.reward == pytest.approx(-0.1)
    judgement = score.judgement
    assert judgement is not None
    assert judgement.if_right is not None
    assert judgement.if_wrong is not None
    assert (judgement.matched, judgement.right, judgement.given) == ("unsure", UNSURE_KEY.answer, UNSURE.answer)
    assert judgement.question == "Why was it moved? (asked on 2025-06-01)"
    assert judgement.if_right.reward == pytest.approx(1.0)
    assert judgement.if_wrong.reward == pytest.approx(-1.0)
    banded = BandedRubric(10).score(UNSURE, UNSURE_KEY)
    assert banded.judgement is not None
    rewards = [s.reward for s in (banded.judgement.if_right, banded, banded.judgement.if_wrong) if isinstance(s, Score)]
    # right: 1 + 0.3 + 0.1/2 + 0.09; unsure: 0 + 0.2; wrong: −1 + 0.2
    assert rewards == pytest.approx([1.44, 0.2, -0.8])


def test_a_judge_may_be_asked_about_sure_answers_and_never_about_none() -> None:
    sure = HardenedRubric().score(answered("9 May"), KEY).judgement
    assert sure is not None
    assert (sure.matched, sure.if_right, sure.if_wrong) == ("wrong", None, None)
    for facts, key in ((SearchFacts(), KEY), (answered("I don't know"), KEY), (answered("9 May"), NOBODY_KNOWS)):
        assert HardenedRubric().score(facts, key).judgement is None


def test_the_profile_chooses_the_reward_and_a_reward_can_be_chosen(
    search_tasks: TaskSet[SearchTask, SearchKey],
) -> None:
    def at_once(**options: Any) -> float:
        environment = make_search(search_tasks, **options)
        environment.reset("s-count")
        action = {"name": "return_final_answer", "arguments": {"answer": "24", "sources": ["chairs@x.example"]}}
        return environment.step(action).reward

    assert at_once() == pytest.approx(1.0)
    assert at_once(profile="classic") == pytest.approx(1.49)  # 1 + 0.3 + 0.1 + 0.1 · 0.9
    assert at_once(profile="classic", turns=2) == pytest.approx(1.45)
    assert at_once(profile="classic", reward="simple") == 1.0
    assert at_once(reward="banded") == pytest.approx(1.49)
    with pytest.raises(UserError, match="choose one of banded, simple, hardened"):
        at_once(reward="kind")
    assert get_spec("search").null_rewards == {"classic": pytest.approx(0.1)}
