"""What every environment shares: sets of tasks, the life cycle of an episode, the wall between the two sides.

A world is written as a :class:`World`: it sees tasks, plays actions and keeps facts of what happened. It
never holds an answer key. :class:`WorldEnvironment` puts a world, a rubric and the keys together and is the
:class:`mailgym.core.protocols.Environment` that is played: it minds the order of calls, picks the task,
counts steps and keeps the reward, so that a world implements ``opening`` and ``play`` alone.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import date, datetime
from pathlib import Path
from typing import Any, Generic, TypeVar

from mailgym.core.episode import Action, AnswerKey, StepResult, Task
from mailgym.core.errors import EpisodeOver, NotReset, UnknownTask, UserError
from mailgym.core.protocols import OwnerView
from mailgym.core.score import Score
from mailgym.core.seeds import stream
from mailgym.rubrics.base import Rubric

TaskT = TypeVar("TaskT", bound=Task)
KeyT = TypeVar("KeyT", bound=AnswerKey)
FactsT = TypeVar("FactsT")
TaskT_co = TypeVar("TaskT_co", bound=Task, covariant=True)
KeyT_co = TypeVar("KeyT_co", bound=AnswerKey, covariant=True)

PROFILES = ("classic", "hardened")
DEFAULT_PROFILE = "hardened"


@dataclass(frozen=True)
class TaskSet(Generic[TaskT_co, KeyT_co]):
    """The tasks of one split in a fixed order, and apart from them their answer keys.

    Attributes:
        split: ``train``, ``validation`` or ``test``.
        folder: Where the mailboxes lie that the tasks name.
        tasks: Agent's side, by task id.
        keys: Owner's side, by task id.
    """

    split: str
    folder: Path
    tasks: Mapping[str, TaskT_co]
    keys: Mapping[str, KeyT_co] = field(repr=False)

    def __post_init__(self) -> None:
        if not self.tasks:
            raise UserError(f"no tasks in split {self.split!r} of {self.folder}: choose another split or make more")
        if self.tasks.keys() != self.keys.keys():
            raise UserError(f"tasks and answer keys of split {self.split!r} do not belong together: load them again")

    @property
    def task_ids(self) -> tuple[str, ...]:
        """The ids in order."""
        return tuple(self.tasks)

    def __len__(self) -> int:
        return len(self.tasks)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a world answers to one action: a step's result without its reward, which the world cannot know."""

    observation: dict[str, Any]
    terminated: bool = False
    truncated: bool = False
    stop_reason: str | None = None


class World(ABC, Generic[TaskT, FactsT]):
    """One world, agent's side: everything in it is built from tasks alone."""

    @abstractmethod
    def opening(self, task: TaskT, seed: int) -> dict[str, Any]:
        """Start an episode of ``task`` and return the first observation as plain data (JSON types)."""

    @abstractmethod
    def play(self, action: Action) -> Outcome:
        """Play one action. A wrong one is answered by an error observation; nothing is raised for it."""

    @property
    @abstractmethod
    def facts(self) -> FactsT:
        """What happened so far, as the rubric reads it. No label is in it, for the world knows none."""

    def public_state(self) -> dict[str, Any]:
        """Return what a served state shows beside the counters that every environment has; plain data."""
        return {}


class WorldEnvironment(Generic[TaskT, KeyT, FactsT]):
    """A world that is played and scored: see :class:`mailgym.core.protocols.Environment`.

    The reward of a step is the rubric's reward after it minus the rubric's reward before it, so that the
    rewards of an episode add up to its score.
    """

    def __init__(self, world: World[TaskT, FactsT], tasks: TaskSet[TaskT, KeyT], rubric: Rubric[FactsT, KeyT]) -> None:
        """Put ``world`` and ``rubric`` together over ``tasks``. The world is never given the keys."""
        self._world = world
        self._tasks = tasks
        self._rubric = rubric
        self._task: TaskT | None = None
        self._reward = 0.0
        self._step_count = 0
        self._stop_reason: str | None = None

    @property
    def task_ids(self) -> Sequence[str]:
        """The ids that :meth:`reset` takes, in order."""
        return self._tasks.task_ids

    def reset(self, task_id: str | None = None, seed: int | None = None) -> dict[str, Any]:
        """Start an episode and return its first observation.

        Raises:
            UnknownTask: No task has this id in this split.
        """
        if task_id is None:
            ids = self._tasks.task_ids
            task_id = ids[0] if seed is None else ids[stream(seed, "task").randrange(len(ids))]
        if task_id not in self._tasks.tasks:
            raise UnknownTask(
                f"no task {task_id!r} in split {self._tasks.split!r}: its {len(self._tasks)} tasks begin "
                f"with {', '.join(self._tasks.task_ids[:3])}"
            )
        self._task = None  # a reset that fails leaves no half-open episode
        task = self._tasks.tasks[task_id]
        observation = self._world.opening(task, 0 if seed is None else seed)
        self._task = task
        self._step_count = 0
        self._stop_reason = None
        self._reward = self._score().reward
        return observation

    def step(self, action: Action) -> StepResult:
        """Play one action.

        Raises:
            NotReset: Before the first reset.
            EpisodeOver: After the end.
        """
        self._opened()
        if self._stop_reason is not None:
            raise EpisodeOver(f"the episode is over ({self._stop_reason}): call reset() to start another")
        outcome = self._world.play(action)
        self._step_count += 1
        reward_so_far = self._score().reward
        reward = reward_so_far - self._reward
        self._reward = reward_so_far
        if outcome.terminated or outcome.truncated:
            self._stop_reason = outcome.stop_reason or ("terminated" if outcome.terminated else "truncated")
        return StepResult(
            observation=outcome.observation,
            reward=reward,
            terminated=outcome.terminated,
            truncated=outcome.truncated,
            stop_reason=self._stop_reason,
        )

    @property
    def state(self) -> dict[str, Any]:
        """Public state, agent's side: which task, how many steps, whether it is over, what the world shows."""
        if self._task is None:
            return {"task_id": None, "steps": 0, "done": False, "stop_reason": None}
        return {
            "task_id": self._task.id,
            "steps": self._step_count,
            "done": self._stop_reason is not None,
            "stop_reason": self._stop_reason,
            **self._world.public_state(),
        }

    def owner_view(self) -> OwnerView:
        """The whole score so far, the task and the key; owner's side.

        Raises:
            NotReset: Before the first reset.
        """
        task = self._opened()
        return OwnerView(self._score(), plain(task), plain(self._tasks.keys[task.id]))

    def _opened(self) -> TaskT:
        if self._task is None:
            raise NotReset("no episode is open: call reset() first")
        return self._task

    def _score(self) -> Score:
        return self._rubric.score(self._world.facts, self._tasks.keys[self._opened().id])


def plain(record: Task | AnswerKey) -> dict[str, Any]:
    """Return a task or an answer key as plain data: tuples become lists, dates ISO 8601 strings."""
    return {name: _plain_value(value) for name, value in asdict(record).items()}


def _plain_value(value: Any) -> Any:
    if isinstance(value, dict):
        return {str(name): _plain_value(item) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain_value(item) for item in value]
    if isinstance(value, date | datetime):
        return value.isoformat()
    return value


def check_profile(profile: str) -> None:
    """Check a profile's name.

    Raises:
        UserError: It is neither ``classic`` nor ``hardened``.
    """
    if profile not in PROFILES:
        raise UserError(f"no profile {profile!r}: choose one of {', '.join(PROFILES)}")
