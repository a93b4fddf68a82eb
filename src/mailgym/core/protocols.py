"""The two protocols everything meets at: Environment and Agent."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

from mailgym.core.episode import Action, ChatMessage, Decision, StepResult, Turn
from mailgym.core.score import Score


@dataclass(frozen=True, slots=True)
class OwnerView:
    """The owner's side of an episode: never handed to an agent, never served."""

    score: Score
    task: dict[str, Any]
    key: dict[str, Any]


class Environment(Protocol):
    """One world. ``step`` never waits on a network."""

    @property
    def task_ids(self) -> Sequence[str]:
        """The ids that :meth:`reset` takes, in a fixed order."""
        ...

    def reset(self, task_id: str | None = None, seed: int | None = None) -> dict[str, Any]:
        """Start an episode and return its first observation (plain data).

        Without ``task_id`` the seed picks a task (seed None: the first one).

        Raises:
            UnknownTask: No task has this id.
        """
        ...

    def step(self, action: Action) -> StepResult:
        """Play one action. A wrong action is answered by an error observation, never by an exception.

        Raises:
            NotReset: Before the first reset.
            EpisodeOver: After the end.
        """
        ...

    @property
    def state(self) -> dict[str, Any]:
        """Public state, plain data: what may be served to the agent's side."""
        ...

    def owner_view(self) -> OwnerView:
        """The whole score so far and the key; owner's side only."""
        ...


class Agent(Protocol):
    """Chooses actions. It is asked for many episodes at once, so that a local model can batch them."""

    @property
    def name(self) -> str:
        """The name shown in tables."""
        ...

    def act(self, turns: Sequence[Turn]) -> list[Decision]:
        """Decide one action for each turn, in order. Failures are values in the decisions, never exceptions."""
        ...


class Prompt(Protocol):
    """How an environment speaks with a language model: one place, used by training, evaluation and serving."""

    def opening(self, observation: dict[str, Any]) -> list[ChatMessage]:
        """Chat messages for the first turn: system, worked examples, the task."""
        ...

    def reply(self, observation: dict[str, Any]) -> list[ChatMessage]:
        """Chat messages that answer the model's last turn (tool results, errors)."""
        ...

    def parse(self, text: str) -> Action:
        """Read an action from what the model wrote."""
        ...


@runtime_checkable
class WritingPrompt(Prompt, Protocol):
    """A prompt that can also say how a model writes an action: what imitation needs."""

    def write(self, action: dict[str, Any]) -> str:
        """Return an action in the prompt's own form; :meth:`Prompt.parse` reads the same action from it."""
        ...


class NativePrompt(Prompt, Protocol):
    """A prompt for models that call tools in their endpoint's own form: it describes no tool in its text."""

    def answers(self, observation: dict[str, Any], calls: int) -> list[str]:
        """Return what each of the last turn's ``calls`` calls is answered, in their order."""
        ...
