"""Sessions by name: one episode each, closed when idle, refused over capacity."""

import threading
from typing import Any

import pytest

from mailgym.core.clock import FixedClock
from mailgym.core.errors import EpisodeOver, NotReset, ServerFull, UnknownTask
from mailgym.envs.base import TaskSet
from mailgym.envs.dialects import Opening
from mailgym.envs.search import make_find
from mailgym.serve.sessions import Limits, Sessions

SEARCH = {"name": "search_emails", "arguments": {"keywords": ["toner"], "from_addr": "Dana Whitfield"}}


@pytest.fixture
def clock() -> FixedClock:
    return FixedClock()


@pytest.fixture
def sessions(small_tasks: TaskSet[Any, Any], clock: FixedClock) -> Sessions:
    return Sessions(lambda: make_find(small_tasks, turns=3), Limits(2, 60.0), clock)


def test_each_name_has_an_episode_of_its_own(sessions: Sessions, small_tasks: TaskSet[Any, Any]) -> None:
    first, second = small_tasks.task_ids[:2]
    with sessions.opened("a") as session:
        session.reset(Opening(first))
    with sessions.opened("b") as session:
        session.reset(Opening(second))
    with sessions.found("a") as session:
        moment = session.step(SEARCH)
    assert moment.state["task_id"] == first
    assert moment.actions == (SEARCH,)
    assert len(moment.rewards) == 1
    with sessions.found("b") as session:
        assert session.moment.state == {
            "task_id": second,
            "steps": 0,
            "done": False,
            "stop_reason": None,
            "turns_left": 3,
        }


def test_over_capacity_a_new_one_is_refused_and_old_ones_live(sessions: Sessions) -> None:
    for name in "ab":
        with sessions.opened(name) as session:
            session.reset(Opening())
    with pytest.raises(ServerFull, match="all 2 sessions are taken"), sessions.opened("c"):
        pass
    with sessions.opened("a") as session:
        assert session.reset(Opening()).state["steps"] == 0


def test_an_idle_session_is_closed_and_its_place_is_free(sessions: Sessions, clock: FixedClock) -> None:
    for name in "ab":
        with sessions.opened(name) as session:
            session.reset(Opening())
    clock.advance(59)
    with sessions.found("a"):
        pass
    clock.advance(2)
    assert len(sessions) == 1
    with pytest.raises(NotReset, match="closed after idling"), sessions.found("b"):
        pass
    with sessions.opened("c"):
        assert len(sessions) == 2


def test_a_session_that_is_played_in_is_not_closed(sessions: Sessions, clock: FixedClock) -> None:
    with sessions.opened("a") as session:
        clock.advance(1000)
        assert len(sessions) == 1
        session.reset(Opening())


def test_calls_out_of_order(sessions: Sessions) -> None:
    with sessions.opened("a") as session:
        with pytest.raises(NotReset):
            session.step(SEARCH)
        with pytest.raises(UnknownTask):
            session.reset(Opening("no such task"))
        session.reset(Opening())
        for _ in range(3):
            session.step(SEARCH)
        with pytest.raises(EpisodeOver):
            session.step(SEARCH)
        assert session.moment.truncated
        assert session.moment.stop_reason == "out_of_turns"


def test_requests_of_one_session_wait_for_each_other(sessions: Sessions) -> None:
    inside = threading.Event()
    order: list[str] = []

    def second() -> None:
        inside.wait(10)
        with sessions.opened("a"):
            order.append("second")

    thread = threading.Thread(target=second)
    thread.start()
    with sessions.opened("a"):
        inside.set()
        order.append("first")
    thread.join(10)
    assert order == ["first", "second"]


def test_a_session_idles_from_the_end_of_its_last_request_on(sessions: Sessions, clock: FixedClock) -> None:
    with sessions.opened("a") as session:
        session.reset(Opening())
        clock.advance(1000)
    with sessions.found("a") as found:
        assert found is session


def test_a_session_that_somebody_waits_for_is_not_closed(sessions: Sessions, clock: FixedClock) -> None:
    waits, inside = threading.Event(), threading.Event()
    found: list[object] = []

    def second() -> None:
        inside.wait(10)
        waits.set()
        with sessions.found("a") as session:
            found.append(session)

    thread = threading.Thread(target=second)
    thread.start()
    with sessions.opened("a") as session:
        session.reset(Opening())
        inside.set()
        waits.wait(10)
        while session.users < 2:
            thread.join(0.001)
        clock.advance(1000)
        assert len(sessions) == 1
    thread.join(10)
    assert found == [session]
    assert session.users == 0
