"""A person plays: what they are asked, and what comes of what they type."""

from typing import Any

from mailgym.agents.finder import find_agent
from mailgym.agents.human import read_value
from mailgym.core.episode import Turn
from mailgym.envs.base import TaskSet
from mailgym.envs.registry import get_spec
from mailgym.envs.search.tasks import SearchKey, SearchTask
from mailgym.rollout.engine import EpisodeRequest, play_episodes

Tasks = TaskSet[SearchTask, SearchKey]
QUESTION = {"kind": "question", "question": "Where?", "owner_name": "Maya", "today": "2025-06-01", "turns_left": 10}


class Terminal:
    """Types the given lines and keeps what was shown."""

    def __init__(self, *lines: str) -> None:
        self.lines = list(lines)
        self.asked: list[str] = []
        self.shown: list[str] = []

    def ask(self, question: str) -> str:
        self.asked.append(question)
        return self.lines.pop(0)

    def act(self, tasks: Tasks, observation: dict[str, Any]) -> Any:
        agent = find_agent("human", get_spec("find"), tasks, turns=10, ask=self.ask, show=self.shown.append)
        (decision,) = agent.act([Turn("e", observation, (), 0)])
        return decision.action


def test_a_search_is_asked_field_by_field(small_tasks: Tasks) -> None:
    terminal = Terminal("search_emails", "toner, harbour bill", "Dana", "", "2025-03-01", "", "5")
    assert terminal.act(small_tasks, QUESTION) == {
        "name": "search_emails",
        "arguments": {
            "keywords": ["toner", "harbour bill"],
            "from_addr": "Dana",
            "sent_after": "2025-03-01",
            "max_results": 5,
        },
    }
    assert terminal.shown == ["Today: 2025-06-01. I am Maya.\nWhere?"]
    assert "1 search_emails  2 read_email  3 return_final_answer" in terminal.asked[0]
    assert "(or Enter)" not in terminal.asked[1]
    assert "from_addr (or Enter) – Sender" in terminal.asked[2]


def test_slips_are_asked_again(small_tasks: Tasks) -> None:
    terminal = Terminal("9", "read", "1", "toner", "", "", "", "", "many", "2", "1@x.example")
    assert terminal.act(small_tasks, QUESTION) == {"name": "read_email", "arguments": {"message_id": "1@x.example"}}
    assert terminal.shown[1:3] == ["There is no tool '9'.", "There is no tool 'read'."]
    assert terminal.shown[3].startswith("max_results: Input should be a valid integer")


def test_a_person_plays_an_episode(small_tasks: Tasks) -> None:
    terminal = Terminal("1", "payroll", "", "", "", "", "", "3", "It was down", "outage@x.example")
    spec = get_spec("find")
    agent = find_agent("human", spec, small_tasks, turns=10, ask=terminal.ask, show=terminal.shown.append)
    (played,) = play_episodes(lambda: spec.make(small_tasks, turns=10), agent, [EpisodeRequest("q-outage")], 0, "find")
    assert played.reward == 0.99
    assert "payroll trouble" in terminal.shown[0]
    assert "outage@x.example" in terminal.shown[1]


def test_what_is_typed_becomes_what_is_asked_for() -> None:
    assert read_value("a, ,b", {"type": "array"}) == ["a", "b"]
    assert read_value('[{"email_id": "e1"}]', {"type": "array"}) == [{"email_id": "e1"}]
    assert read_value('[{"email_id": ', {"type": "array"}) == '[{"email_id": '
    assert read_value("[one, two", {"type": "array"}) == ["[one", "two"]
    assert read_value("7", {"type": "string"}) == "7"
    assert read_value("7", {"anyOf": [{"type": "string"}, {"type": "null"}]}) == "7"
    assert read_value("7", {"type": "integer"}) == 7
    assert read_value("true", {"type": "boolean"}) is True
    assert read_value("seven", {"type": "integer"}) == "seven"
