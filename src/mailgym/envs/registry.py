"""Which environments there are. An environment is one folder and one line here."""

import importlib
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from pydantic import BaseModel

from mailgym.core.episode import AnswerKey, Task
from mailgym.core.errors import UnknownEnvironment, UserError
from mailgym.core.protocols import Agent, Environment, Prompt
from mailgym.envs.base import TaskSet

_WHERE = {
    "find": "mailgym.envs.search:FIND",
}
"""Environment id → where its :class:`EnvSpec` is, as ``module:name``; imported when first asked for."""

PlayerFactory = Callable[[], Agent]


class LoadTasks(Protocol):
    """Reads tasks and keys from a source."""

    def __call__(self, source: Path, split: str, n: int | None = None, seed: int = 0) -> TaskSet[Task, AnswerKey]:
        """Load ``n`` tasks of ``split`` (all when None or when there are fewer), chosen by ``seed``."""
        ...


@dataclass(frozen=True)
class EnvSpec:
    """Everything the rest of mailgym knows of an environment.

    Attributes:
        id: What users type.
        title: One line that says what an episode is.
        system: The document it implements.
        turn_forms: The numbers of turns that are forms of their own, the one that is trained first.
        load_tasks: ``(source, split, n=None, seed=0)`` → tasks and keys.
        make: ``(tasks, profile="hardened", turns=None)`` → an environment.
        prompt: ``turns`` → how the environment speaks with a language model.
        tools: ``turns`` → tool name to the pydantic model of its arguments: what an agent may do.
        null_action: The valid action that does nothing; it is worth 0.
        players: ``tasks`` → name to factory: honest heuristics, and ``oracle``, which knows the keys.
        heuristics: Names of the honest players.
        cheats: ``(tasks, turns)`` → name to factory: degenerate players that no rubric may reward.
        secrets: An answer key's texts that nothing on the agent's side may show before the world itself does.
        render: An observation as text that a person reads.
    """

    id: str
    title: str
    system: str
    turn_forms: tuple[int, ...]
    load_tasks: LoadTasks
    make: Callable[..., Environment]
    prompt: Callable[[int], Prompt]
    tools: Callable[[int], Mapping[str, type[BaseModel]]]
    null_action: Mapping[str, Any]
    players: Callable[[Any], dict[str, PlayerFactory]]
    heuristics: tuple[str, ...]
    cheats: Callable[[Any, int], dict[str, PlayerFactory]]
    secrets: Callable[[Any], Collection[str]]
    render: Callable[[dict[str, Any]], str]

    @property
    def default_turns(self) -> int:
        """Turns when the caller names none."""
        return self.turn_forms[0]

    def turns(self, turns: int | None) -> int:
        """Return ``turns``, or the default for None.

        Raises:
            UserError: Fewer than one turn.
        """
        chosen = self.default_turns if turns is None else turns
        if chosen < 1:
            raise UserError(f"{chosen} turns: an episode has at least one")
        return chosen


def env_ids() -> tuple[str, ...]:
    """Return the ids of all environments; imports none of them."""
    return tuple(_WHERE)


def get_spec(env_id: str) -> EnvSpec:
    """Return the environment of this id.

    Raises:
        UnknownEnvironment: There is none; the text lists those there are.
    """
    if env_id not in _WHERE:
        raise UnknownEnvironment(f"no environment {env_id!r}: choose one of {', '.join(_WHERE)}")
    module, name = _WHERE[env_id].split(":")
    spec = getattr(importlib.import_module(module), name)
    if not isinstance(spec, EnvSpec) or spec.id != env_id:
        raise UnknownEnvironment(
            f"{_WHERE[env_id]} is not the EnvSpec of {env_id!r}: mend its line in envs/registry.py"
        )
    return spec


def all_specs() -> tuple[EnvSpec, ...]:
    """Return every environment, in the order of the registry."""
    return tuple(get_spec(env_id) for env_id in _WHERE)
