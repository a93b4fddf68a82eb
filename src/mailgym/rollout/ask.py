"""Asks an agent a question about a mailbox that nobody knows the answer to: an episode without answer key and reward.

The world, its rules and its prompts are those of the environment ``search`` under ``hardened``, so that an agent does
here what it was trained and measured for.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import date, datetime
from pathlib import Path

from mailgym.core.episode import Failure, Step, StepResult, Turn
from mailgym.core.errors import UnknownMessage
from mailgym.core.protocols import Agent
from mailgym.core.seeds import derive_seed
from mailgym.envs.search.tasks import SearchTask
from mailgym.envs.search.world import SearchWorld, answer_rules_for
from mailgym.mail.mailbox import Mailbox
from mailgym.mail.message import Address, Message
from mailgym.mail.sentence import best_sentence
from mailgym.rubrics.answers import is_dont_know

TASK_ID = "asked"


@dataclass(frozen=True, slots=True)
class Source:
    """A mail that an answer stands on.

    Attributes:
        sentence: What of it says so: the one that holds most words of the answer.
    """

    message_id: str
    date: datetime | None
    from_: Address
    subject: str
    sentence: str


@dataclass(frozen=True, slots=True)
class Reply:
    """What asking came to.

    Attributes:
        answer: The agent's answer, empty where it gave none.
        is_known: Whether it gave one and does not say that it does not know.
        sources: The mails it cites, in its order.
        missing_sources: Ids it cites that are in no mailbox, or not yet.
        steps: What it did.
        stop_reason: ``answered``, ``out_of_turns``, or ``failed``.
        failure: Why it failed, None where it did not.
    """

    answer: str
    is_known: bool
    sources: tuple[Source, ...]
    missing_sources: tuple[str, ...]
    steps: tuple[Step, ...]
    stop_reason: str
    failure: Failure | None = None


def ask(
    question: str,
    mailbox: Path,
    agent: Agent,
    *,
    asked_on: date,
    turns: int,
    on_step: Callable[[Step], None] = lambda step: None,  # noqa: ARG005
    seed: int = 0,
) -> Reply:
    """Ask an agent a question about a mailbox.

    Args:
        question: The question, as the mailbox's owner would ask it.
        mailbox: The mailbox file.
        agent: Who answers: an agent of the environment ``search``.
        asked_on: Today; mail after its end (UTC) does not exist, and messages without a date do not either.
        turns: Most turns.
        on_step: Called after every step.
        seed: Decides every random draw.

    Raises:
        StoreError: The mailbox is missing or damaged.
    """
    with Mailbox.open(mailbox, as_of=asked_on) as box:
        owner = box.owner_addresses[0] if box.owner_addresses else ""
        task = SearchTask(TASK_ID, question, owner, box.owner_name or owner, asked_on, mailbox.name)
        world = SearchWorld(mailbox.parent, answer_rules_for("hardened", turns))
        steps, stop_reason = _play(world, task, agent, on_step, seed)
        failure = steps[-1].decision.failure
        facts = world.facts
        answer = facts.answer.strip() if stop_reason == "answered" else ""
        cited = tuple(dict.fromkeys(facts.sources)) if stop_reason == "answered" else ()
        found = {one: message for one in cited if (message := _read(box, one)) is not None}
        return Reply(
            answer=answer,
            is_known=bool(answer) and not is_dont_know(answer),
            sources=tuple(_source(message, answer, question) for message in found.values()),
            missing_sources=tuple(one for one in cited if one not in found),
            steps=steps,
            stop_reason=stop_reason,
            failure=failure,
        )


def _play(
    world: SearchWorld, task: SearchTask, agent: Agent, on_step: Callable[[Step], None], seed: int
) -> tuple[tuple[Step, ...], str]:
    """Play the question; return the steps and why it ended."""
    observation = world.opening(task, seed)
    steps: list[Step] = []
    while True:
        turn = Turn(TASK_ID, observation, tuple(steps), derive_seed(seed, "turn", len(steps)))
        (decision,) = agent.act([turn])
        if decision.failure is None and decision.action is None:
            nothing = Failure("model", f"{agent.name} decided nothing and named no failure")
            decision = replace(decision, failure=nothing)
        if decision.failure is not None or decision.action is None:
            steps.append(Step(observation, decision, None))
            return tuple(steps), "failed"
        outcome = world.play(decision.action)
        result = StepResult(outcome.observation, 0.0, outcome.terminated, outcome.truncated, outcome.stop_reason)
        steps.append(Step(observation, decision, result))
        on_step(steps[-1])
        if result.done:
            return tuple(steps), result.stop_reason or "ended"
        observation = result.observation


def _read(box: Mailbox, message_id: str) -> Message | None:
    try:
        return box.read(message_id)
    except UnknownMessage:
        return None


def _source(message: Message, answer: str, question: str) -> Source:
    sentence = best_sentence(message.text, answer, question)
    return Source(message.message_id, message.date, message.from_, message.subject, sentence)
