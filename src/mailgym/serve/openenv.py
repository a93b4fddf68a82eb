"""The same environments through OpenEnv: its WebSocket sessions, its schemas, its task routes, its clients.

Actions and observations are those of the environment's dialect, so that a client reads over WebSocket what curl reads
over plain HTTP. OpenEnv's own plain-HTTP reset, step and state open and close an environment with every request; where
:mod:`mailgym.serve.plain` serves beside it, its routes stand first and answer them with sessions.

Importing this module imports ``openenv.core``, which takes seconds: only serving does, and only where it is installed.

Source: openenv 0.10.0. Deviations: none known; what its server does with a wrong action (an error of the transport) is
left to envelopes alone, since a wrong action is the environment's to answer and to price.
"""

import uuid
from collections.abc import Callable
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from openenv.core.env_server.http_server import HTTPEnvServer
from openenv.core.env_server.interfaces import Environment as OpenEnvEnvironment
from openenv.core.env_server.types import Action, ConcurrencyConfig, EnvironmentMetadata, Observation, State
from pydantic import ConfigDict, create_model

from mailgym import __version__
from mailgym.core.errors import UserError
from mailgym.envs.base import TaskSet
from mailgym.envs.dialects import Dialect, Moment, Opening
from mailgym.serve.services import Served
from mailgym.serve.sessions import SESSION_FIELDS, Limits, Session

if TYPE_CHECKING:
    from fastapi import FastAPI

TaskSource = Callable[[str], TaskSet[Any, Any]]
"""The tasks of a split."""


class MailgymObservation(Observation):
    """What the agent sees: the fields of the environment's dialect, beside ``done`` and ``reward``."""

    model_config = ConfigDict(extra="allow")


class MailgymState(State):
    """The public state: the fields of the environment's dialect, beside OpenEnv's two."""

    model_config = ConfigDict(extra="allow")


def action_type(dialect: Dialect) -> type[Action]:
    """Return the type of an action: the fields of a step's envelope, none of them judged here."""
    fields: dict[str, Any] = {
        name: (field.annotation, field)
        for name, field in dialect.step_body.model_fields.items()
        if name not in SESSION_FIELDS
    }
    extra = dialect.step_body.model_config.get("extra", "forbid")
    base = type("DialectAction", (Action,), {"model_config": ConfigDict(extra=extra), "__module__": __name__})
    made: type[Action] = create_model("MailgymAction", __base__=base, **fields)
    return made


class OpenEnvAdapter(OpenEnvEnvironment):
    """One session of one environment, as OpenEnv's server plays it."""

    SUPPORTS_CONCURRENT_SESSIONS = True

    def __init__(self, served: Served, tasks_of: TaskSource) -> None:
        """Play ``served``; ``tasks_of`` gives the tasks of other splits, for OpenEnv's task routes."""
        super().__init__()
        self._served = served
        self._tasks_of = tasks_of
        self._session = Session(served.make())
        self._split = served.tasks.split
        self._episode_id: str | None = None

    def reset(self, seed: int | None = None, episode_id: str | None = None, **kwargs: Any) -> MailgymObservation:
        """Open an episode: that of ``split`` and ``index``, or as the dialect's reset reads the other fields.

        Raises:
            UnknownTask: No task has this id.
            UserError: An index without a split, or a split that does not exist.
            IndexError: The split has no task of this index.
        """
        self._episode_id = episode_id or str(uuid.uuid4())
        if "index" in kwargs or "split" in kwargs:
            opening = self._of_split(kwargs.get("split"), kwargs.get("index"), seed)
        else:
            self._play_split(self._served.tasks.split)
            dialect = self._served.dialect
            fields = {"seed": seed, **kwargs}
            known = {name: value for name, value in fields.items() if name in dialect.reset_body.model_fields}
            opening = dialect.opening(dialect.reset_body.model_validate(known), self._served.tasks.task_ids, 0)
        return self._shown(self._session.reset(opening))

    def step(self, action: Action, timeout_s: float | None = None, **kwargs: Any) -> MailgymObservation:  # noqa: ARG002
        """Play one action; a wrong one is answered, not raised.

        Raises:
            NotReset: No episode is open.
            EpisodeOver: It is over.
        """
        dialect = self._served.dialect
        given = action.model_dump(exclude_unset=True, exclude={"metadata"})
        body = dialect.step_body.model_validate(given)
        return self._shown(self._session.step(dialect.action(body, self._session.moment)))

    @property
    def state(self) -> MailgymState:
        """The public state; before the first reset it has no episode."""
        if not self._session.is_open:
            return MailgymState(episode_id=self._episode_id, step_count=0)
        moment = self._session.moment
        shown = {**self._served.dialect.state(moment), "task_id": moment.state["task_id"]}
        return MailgymState(**{**shown, "episode_id": self._episode_id, "step_count": moment.state["steps"]})

    def get_metadata(self) -> EnvironmentMetadata:
        """What is served, in a line."""
        spec = self._served.spec
        return EnvironmentMetadata(
            name=spec.id, description=f"{spec.title} (mailgym; system {spec.system})", version=__version__
        )

    def list_splits(self) -> list[str]:
        """The splits of the environment."""
        return list(self._served.spec.splits)

    def list_tasks(self, split: str) -> list[dict[str, Any]]:
        """The tasks of a split: ids and places, and nothing else of them."""
        return [{"id": task_id, "index": index} for index, task_id in enumerate(self._checked(split).task_ids)]

    def num_tasks(self, split: str) -> int:
        """How many tasks a split has."""
        return len(self._checked(split))

    def get_task(self, split: str, index: int) -> dict[str, Any]:
        """One task of a split.

        Raises:
            IndexError: There is none of this index.
        """
        return {"id": self._id_of(split, index), "index": index}

    def get_task_range(self, split: str, start: int | None = None, stop: int | None = None) -> list[dict[str, Any]]:
        """A slice of a split's tasks."""
        return self.list_tasks(split)[start:stop]

    def close(self) -> None:
        """Nothing is held that needs closing."""

    def _of_split(self, split: Any, index: Any, seed: int | None) -> Opening:
        name = split if isinstance(split, str) else self._served.tasks.split
        if index is None:
            self._play_split(name)
            return Opening(None, seed)
        if not isinstance(index, int):
            raise UserError("index must be a whole number: the place of a task in its split")
        task_id = self._id_of(name, index)
        self._play_split(name)
        return Opening(task_id)

    def _id_of(self, split: str, index: int) -> str:
        ids = self._checked(split).task_ids
        if not 0 <= index < len(ids):
            raise IndexError(f"split {split} has tasks 0 to {len(ids) - 1}, not {index}")
        return ids[index]

    def _play_split(self, split: str) -> None:
        if split != self._split:
            self._session = Session(
                self._served.spec.make(self._checked(split), profile=self._served.profile, turns=self._served.turns)
            )
            self._split = split

    def _checked(self, split: str) -> TaskSet[Any, Any]:
        if split not in self._served.spec.splits:
            raise UserError(f"no split {split!r}: choose one of {', '.join(self._served.spec.splits)}")
        return self._served.tasks if split == self._served.tasks.split else self._tasks_of(split)

    def _shown(self, moment: Moment) -> MailgymObservation:
        answered = self._served.dialect.answer(moment)
        seen = {name: value for name, value in answered["observation"].items() if name not in ("done", "reward")}
        return MailgymObservation(done=moment.done, reward=answered["reward"], **seen)


def add_openenv(app: "FastAPI", served: Served, limits: Limits) -> None:
    """Add OpenEnv's routes of one environment to an application; routes that are there already stay before them."""
    source = served.tasks.folder

    @lru_cache(maxsize=len(served.spec.splits))
    def tasks_of(split: str) -> TaskSet[Any, Any]:
        return served.spec.load_tasks(source, split)

    server = HTTPEnvServer(
        lambda: OpenEnvAdapter(served, tasks_of),
        action_type(served.dialect),
        MailgymObservation,
        concurrency_config=ConcurrencyConfig(
            max_concurrent_envs=limits.most_sessions, session_timeout=limits.session_timeout_s
        ),
        env_name=served.spec.id,
        state_cls=MailgymState,
    )
    server.register_routes(app, mode="simulation")
