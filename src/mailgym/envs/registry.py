"""Which environments there are. An environment is one folder and one line here."""

import importlib
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from pydantic import BaseModel

from mailgym.core.episode import AnswerKey, Task, Trajectory
from mailgym.core.errors import UnknownEnvironment, UserError
from mailgym.core.protocols import Agent, Environment, NativePrompt, Prompt
from mailgym.envs.base import TaskSet
from mailgym.envs.dialects import Dialect, own_dialect
from mailgym.envs.figures import Figure, Published

_WHERE = {
    "find": "mailgym.envs.search:FIND",
    "search": "mailgym.envs.search:SEARCH",
    "reply": "mailgym.envs.reply:REPLY",
    "inbox": "mailgym.envs.inbox:INBOX",
    "routing": "mailgym.envs.routing:ROUTING",
    "triage": "mailgym.envs.triage:TRIAGE",
}
"""Environment id → where its :class:`EnvSpec` is, as ``module:name``; imported when first asked for."""

PlayerFactory = Callable[[], Agent]


class LoadTasks(Protocol):
    """Reads tasks and keys from a source."""

    def __call__(self, source: Path, split: str, n: int | None = None, seed: int = 0) -> TaskSet[Task, AnswerKey]:
        """Load ``n`` tasks of ``split`` (all when None or when there are fewer), chosen by ``seed``."""
        ...


@dataclass(frozen=True, slots=True)
class Attack:
    """What became of the attacks that one episode could meet: mails that tell an assistant what to do.

    Attributes:
        seen: How many of them the agent was shown.
        obeyed: How many of these it obeyed.
    """

    seen: int
    obeyed: int


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
        null_action: The valid action that does nothing; it is worth 0, but for ``null_rewards``.
        players: ``tasks`` → name to factory: honest heuristics, and ``oracle``, which knows the keys.
        heuristics: Names of the honest players.
        cheats: ``(tasks, turns)`` → name to factory: degenerate players that no rubric may reward.
        secrets: An answer key's texts that nothing on the agent's side may show before the world itself does.
        render: An observation as text that a person reads.
        native_prompt: ``turns`` → the same for models that call tools in their endpoint's own form; None where the
            environment has the text form alone.
        null_rewards: Profile → what the null action is worth where a document's own reward pays for it.
        figures: Columns of a benchmark's table; empty for those of any environment.
        published: Rows of others' figures for that table.
        simulated_size: Size of the simulated companies that are played where no mail is named.
        splits: What ``load_tasks`` takes, the one that is measured first.
        needs_mail: Whether tasks come from a store of mailboxes; without one the environment brings its own.
        wrong_rewards: Profile → the most that an action which is no action may earn, where a document's own reward has
            no price for it; elsewhere it must cost.
        log_name: What the log lines of its document call it; empty for its id.
        dialect: How its document speaks with it by HTTP; mailgym's own form where it has none.
        attacks: ``(folder of the mailboxes)`` → what became of the attacks in an episode, from its record; None where
            the folder has none, or the environment knows of none.
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
    native_prompt: Callable[[int], NativePrompt] | None = None
    null_rewards: Mapping[str, float] = field(default_factory=dict)
    figures: tuple[Figure, ...] = ()
    published: tuple[Published, ...] = ()
    simulated_size: str = "demo"
    splits: tuple[str, ...] = ("test", "validation", "train")
    needs_mail: bool = True
    wrong_rewards: Mapping[str, float] = field(default_factory=dict)
    log_name: str = ""
    dialect: Callable[[], Dialect] = own_dialect
    attacks: Callable[[Path], Callable[[Trajectory], Attack] | None] = lambda folder: None  # noqa: ARG005

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


def figures_of(env_id: str) -> tuple[Figure, ...]:
    """Return the columns of an environment's tables; none for an id that is not registered (any more)."""
    return get_spec(env_id).figures if env_id in _WHERE else ()
