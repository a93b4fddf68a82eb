from datetime import date
from typing import Any

import pytest

from mailgym.core.episode import Decision, Step, Turn
from mailgym.envs.base import TaskSet
from mailgym.envs.registry import get_spec
from mailgym.envs.search.players import answer_players
from mailgym.envs.search.players.answer_oracle import FEW_RESULTS, AnswerOracle, said_in
from mailgym.envs.search.players.oracle import Oracle
from mailgym.envs.search.tasks import SearchKey, SearchTask
from mailgym.rollout.engine import EpisodeRequest, play_episodes

Tasks = TaskSet[SearchTask, SearchKey]


def key(answer: str, answer_type: str, kind: str = "single") -> SearchKey:
    return SearchKey(
        "t",
        "template",
        "box",
        kind,
        ("right@x.example",),
        answer=answer,
        facts={"keywords": ["harbour"]},
        question="When is the harbour call?",
        answer_type=answer_type,
        asked_on=date(2025, 3, 20),
    )


@pytest.mark.parametrize(
    ("answer", "answer_type", "snippet", "said"),
    [
        ("12 March 2025", "date", "… on Wed, 12 March, at nine.", "12 March"),
        ("15:15", "time", "Stefan can do Thu 3 Apr at 3:15 pm; I took Kepler.", "3:15"),
        ("4,997 GBP", "amount", "they charge GBP 4,997 for it, no longer £5,374", "4,997"),
        ("390", "count", "our paper now says 390 roll cages", "390"),
        ("Rajesh Sorensen", "name", "Rajesh Sorensen takes it from Priya Draper.", "Rajesh Sorensen"),
        ("the Boathouse", "place", "We meet at the Boathouse. Lydia", "the Boathouse"),
        ("No", "yes_no", "the visit is off", "No"),
        ("12 March 2025", "date", "see you on Wednesday", None),
        ("4,997 GBP", "amount", "For you.", None),
    ],
)
def test_a_snippet_says_the_answer_in_its_own_words(
    answer: str, answer_type: str, snippet: str, said: str | None
) -> None:
    assert said_in(snippet, key(answer, answer_type)) == said


def test_no_snippet_says_what_is_worked_out_from_several_or_not_known() -> None:
    assert said_in("moved to 2 March", key("2", "count", "aggregate")) is None
    assert said_in("nothing", SearchKey("t", "template", "box", "unanswerable", ())) is None


def _turn(observation: dict[str, Any], *earlier: dict[str, Any]) -> Turn:
    return Turn("e", observation, tuple(Step(one, Decision(None), None) for one in earlier), 0)


def test_with_two_turns_the_oracle_asks_for_few_results_and_answers_from_them(search_tasks: Tasks) -> None:
    spec = get_spec("search")
    played = play_episodes(
        lambda: spec.make(search_tasks, profile="hardened", turns=2),
        answer_players(search_tasks)["oracle"](),
        [EpisodeRequest(task_id) for task_id in search_tasks.task_ids],
        0,
        "search",
    )
    for trajectory in played:
        searched, answered = (step.decision.action for step in trajectory.steps)
        assert isinstance(searched, dict)
        assert isinstance(answered, dict)
        assert searched["arguments"]["max_results"] == FEW_RESULTS
        shown = {hit["message_id"]: hit["snippet"] for hit in trajectory.steps[1].observation["results"]}
        given, sources = answered["arguments"]["answer"], answered["arguments"]["sources"]
        assert set(sources) <= shown.keys() & set(search_tasks.keys[trajectory.task_id].message_ids)
        assert given in ("I don't know", "Yes", "No") or any(given in shown[source] for source in sources)


def test_the_answer_is_not_known_where_no_right_mail_is_shown() -> None:
    oracle = AnswerOracle({"t": key("12 March 2025", "date")})
    opening = {"kind": "question", "task_id": "t", "turns_left": 2, "question": "When?"}
    wrong = {"message_id": "other@x.example", "snippet": "on 12 March"}
    results = {"kind": "results", "results": [wrong], "turns_left": 1}
    (decision,) = oracle.act([_turn(results, opening)])
    assert decision.action == {"name": "return_final_answer", "arguments": {"answer": "I don't know", "sources": []}}


@pytest.mark.parametrize(("turns", "names_the_owner"), [(1, False), (10, True)])
def test_the_oracle_of_find_names_the_owner_only_where_the_prompt_shows_who_asks(
    turns: int, names_the_owner: bool
) -> None:
    facts = {"keywords": ["harbour"], "from_addr": "Maya Lind", "to_addr": "Tom"}
    oracle = Oracle({"t": SearchKey("t", "template", "box", "sent", ("right@x.example",), facts=facts)})
    opening = {"kind": "question", "task_id": "t", "turns_left": turns, "owner_name": "Maya Lind", "question": "?"}
    (decision,) = oracle.act([_turn(opening)])
    assert isinstance(decision.action, dict)
    assert ("from_addr" in decision.action["arguments"]) == names_the_owner
    assert decision.action["arguments"]["to_addr"] == "Tom"
