"""Finds an agent by its name."""

from collections.abc import Callable
from typing import Any

from mailgym.agents.human import HumanAgent
from mailgym.agents.null import NullAgent
from mailgym.agents.random import RandomAgent
from mailgym.core.episode import AnswerKey, Task
from mailgym.core.errors import UserError
from mailgym.core.protocols import Agent
from mailgym.envs.base import TaskSet
from mailgym.envs.registry import EnvSpec

Factories = dict[str, Callable[[], Agent]]


def find_agent(
    name: str,
    spec: EnvSpec,
    tasks: TaskSet[Task, AnswerKey],
    *,
    turns: int | None = None,
    ask: Callable[[str], str] = input,
    show: Callable[[str], None] = print,
) -> Agent:
    """Return the agent called ``name``.

    Names are ``null``, ``random``, ``human``, the players of the environment (its heuristics and ``oracle``)
    and its cheats. Agents that are language models are made from a model: see
    :class:`mailgym.agents.chat.ChatAgent`.

    Args:
        name: The agent's name.
        spec: The environment it plays.
        tasks: The tasks it will play; the oracle reads their keys.
        turns: Turns of an episode, as given to ``spec.make``; they decide which tools there are.
        ask: Takes a question and returns a line (human only).
        show: Shows a text (human only).

    Raises:
        UserError: There is no such agent; the text lists those there are.
    """
    chosen_turns = spec.turns(turns)
    tools = spec.tools(chosen_turns)
    factories: Factories = {
        "null": lambda: NullAgent(spec.null_action),
        "random": lambda: RandomAgent(tools),
        **spec.players(tasks),
        "human": lambda: HumanAgent(tools, spec.render, ask, show),
    }
    cheats = spec.cheats(tasks, chosen_turns)
    factory = factories.get(name) or cheats.get(name)
    if factory is None:
        only_cheats = [cheat for cheat in cheats if cheat not in factories]
        raise UserError(
            f"no agent {name!r} in {spec.id}: choose one of {', '.join(factories)}, "
            f"or a cheat: {', '.join(only_cheats)}"
        )
    return factory()


def agent_names(spec: EnvSpec, tasks: Any = None) -> tuple[str, ...]:
    """Return the names that :func:`find_agent` takes, cheats left out."""
    return ("null", "random", *spec.players(tasks), "human")
