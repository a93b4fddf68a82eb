"""The chat agent builds conversations and reads replies; the model is scripted."""

import json
from collections.abc import Sequence

import pytest

from mailgym.agents.chat import ChatAgent
from mailgym.core.episode import Decision, Failure, Generation, MalformedAction, Step, StepResult, Trajectory, Turn
from mailgym.core.score import Score
from mailgym.envs.base import TaskSet
from mailgym.envs.registry import get_spec
from mailgym.envs.search.prompt import SearchPrompt
from mailgym.envs.search.tasks import SearchKey, SearchTask
from mailgym.llm.base import ChatReply, ChatRequest, Sampling
from mailgym.rollout.engine import EpisodeRequest, play_episodes

GENERATION = Generation((1, 2), (3,), (-0.5,))
QUESTION = {"kind": "question", "question": "Where?", "owner_name": "Maya", "today": "2025-06-01", "turns_left": 10}
RESULTS = {"kind": "results", "results": [], "turns_left": 9}
SEARCH = '{"name": "search_emails", "arguments": {"keywords": ["bill"]}}'


class Script:
    """Answers each request with the next reply, and keeps what it was asked."""

    name = "script"

    def __init__(self, *replies: ChatReply) -> None:
        self.replies = list(replies)
        self.asked: list[ChatRequest] = []
        self.sampling: Sampling | None = None

    def chat(self, requests: Sequence[ChatRequest], sampling: Sampling) -> list[ChatReply]:
        self.asked += requests
        self.sampling = sampling
        return [self.replies.pop(0) for _ in requests]


def _turn(generation: Generation | None = None, second: bool = True) -> Turn:
    if not second:
        return Turn("e", QUESTION, (), seed=7)
    decision = Decision({"name": "search_emails"}, text=SEARCH, generation=generation)
    return Turn("e", RESULTS, (Step(QUESTION, decision, StepResult(RESULTS, 0.0)),), seed=8)


def test_all_turns_are_asked_at_once() -> None:
    model = Script(ChatReply(SEARCH, GENERATION, {"prompt_tokens": 2.0}), ChatReply("I would rather not."))
    agent = ChatAgent(model, SearchPrompt(10), Sampling(1.0, 40), name="mine")
    searched, refused = agent.act([_turn(second=False), _turn()])
    assert agent.name == "mine"
    assert model.sampling == Sampling(1.0, 40)
    assert [request.seed for request in model.asked] == [7, 8]
    assert searched.action == {"name": "search_emails", "arguments": {"keywords": ["bill"]}}
    assert (searched.text, searched.generation, searched.usage) == (SEARCH, GENERATION, {"prompt_tokens": 2.0})
    assert isinstance(refused.action, MalformedAction)
    assert refused.text == "I would rather not."


def test_the_conversation_is_told_whole() -> None:
    model = Script(ChatReply(SEARCH), ChatReply(SEARCH))
    agent = ChatAgent(model, SearchPrompt(10))
    agent.act([_turn(second=False), _turn()])
    first, second = model.asked
    assert [message.role for message in first.messages] == ["system", "user", "assistant", "user"]
    assert second.messages[:4] == first.messages
    assert [(message.role, message.content) for message in second.messages[4:]] == [
        ("assistant", SEARCH),
        ("user", "No mail found: try fewer filters or other keywords.\nTurns left: 9."),
    ]
    assert agent.name == "script"
    assert model.sampling == Sampling()


def test_exact_tokens_go_on_from_the_last_turn() -> None:
    model = Script(ChatReply(SEARCH), ChatReply(SEARCH))
    ChatAgent(model, SearchPrompt(10)).act([_turn(GENERATION), _turn(None)])
    with_tokens, without = model.asked
    assert with_tokens.previous == GENERATION
    assert with_tokens.new_messages == with_tokens.messages[-1:]
    assert (without.previous, without.new_messages) == (None, ())


def test_a_failure_is_a_value() -> None:
    failure = Failure("model", "the endpoint is down")
    (decision,) = ChatAgent(Script(ChatReply("", failure=failure)), SearchPrompt(1)).act([_turn(second=False)])
    assert (decision.action, decision.failure) == (None, failure)


def test_a_model_that_answers_too_little_is_an_error() -> None:
    class Silent(Script):
        def chat(self, requests: Sequence[ChatRequest], sampling: Sampling) -> list[ChatReply]:
            return []

    with pytest.raises(ValueError, match="zip"):
        ChatAgent(Silent(), SearchPrompt(1)).act([_turn(second=False)])


def test_a_model_plays_find(small_tasks: TaskSet[SearchTask, SearchKey]) -> None:
    cite = '{"name": "return_final_answer", "arguments": {"answer": "", "sources": ["outage@x.example"]}}'
    model = Script(ChatReply("hm"), ChatReply(SEARCH.replace("bill", "payroll")), ChatReply(cite))
    spec = get_spec("find")
    agent = ChatAgent(model, spec.prompt(10))
    (played,) = play_episodes(lambda: spec.make(small_tasks, turns=10), agent, [EpisodeRequest("q-outage")], 0, spec.id)
    assert played.reward == pytest.approx(1.0 - 0.05 - 2 * 0.01)  # one bad call, two turns after the first
    assert "outage@x.example" in model.asked[2].messages[-1].content


@pytest.mark.parametrize("depth", [40, 500, 900])
def test_an_action_nested_too_deep_to_be_kept_is_malformed(depth: int) -> None:
    text = '{"name": "search_emails", "arguments": {"keywords": ' + "[" * depth + "]" * depth + "}}"
    (decision,) = ChatAgent(Script(ChatReply(text)), SearchPrompt(1)).act([_turn(second=False)])
    assert isinstance(decision.action, MalformedAction)
    step = Step(QUESTION, decision, StepResult({}, 0.0, terminated=True, stop_reason="bad_call"))
    trajectory = Trajectory("find", "script", "t", (step,), "bad_call", 0.0, Score(()))
    assert Trajectory.from_json(json.loads(json.dumps(trajectory.to_json()))) == trajectory
