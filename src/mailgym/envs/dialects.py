"""How an environment is spoken to by HTTP: routes, bodies and field names, as data that serving reads.

Every environment can be served in mailgym's own form (:func:`own_dialect`). One that implements a published system has
in its ``dialect.py`` what that system's document types: which tasks a reset names, which fields a step has, what is
answered, and which further routes there are. A dialect sees the agent's side alone, as the agent does.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from mailgym.core.episode import Action
from mailgym.core.seeds import stream

Service = Literal[
    "tasks", "about", "score", "episode_log", "sample_action", "baseline", "play_actions", "compare", "health"
]
REWARD_DECIMALS = 12


class ResetBody(BaseModel):
    """What mailgym's own reset takes."""

    model_config = ConfigDict(extra="forbid")
    task_id: str | None = Field(default=None, description="Which task; without it the seed chooses.")
    seed: int | None = Field(default=None, description="Chooses the task; without both the first one is opened.")
    session_id: str | None = Field(default=None, description="Which session; see the header X-Session-Id.")


class StepBody(BaseModel):
    """What mailgym's own step takes."""

    model_config = ConfigDict(extra="forbid")
    action: dict[str, Any] = Field(description='One call of a tool: {"name": …, "arguments": {…}}.')
    session_id: str | None = Field(default=None, description="Which session; see the header X-Session-Id.")


@dataclass(frozen=True, slots=True)
class Opening:
    """Which episode a reset opens; both None for the first task."""

    task_id: str | None = None
    seed: int | None = None


@dataclass(frozen=True, slots=True)
class Moment:
    """Where an episode stands, the agent's side.

    Attributes:
        observation: The newest one.
        state: The public state.
        rewards: Those of the steps so far.
        actions: What was done so far.
        done: Whether it is over.
        terminated: Whether the task ended.
        truncated: Whether a limit cut it.
        stop_reason: Why it ended.
    """

    observation: dict[str, Any]
    state: dict[str, Any]
    rewards: tuple[float, ...] = ()
    actions: tuple[Action, ...] = ()
    done: bool = False
    terminated: bool = False
    truncated: bool = False
    stop_reason: str | None = None


@dataclass(frozen=True, slots=True)
class Route:
    """A further route.

    Attributes:
        method: ``GET`` or ``POST``.
        path: From the environment's root on.
        service: What answers it; see :mod:`mailgym.serve.services`.
        about: One line for whoever reads the server's own description.
        body: The envelope of a POST; None for none.
        fields: A valid body → what the service is given of it; its own fields where left.
        shape: Puts what the service gives into the document's form; as it is where left.
        fixed: What the service is given beside the request.
    """

    method: Literal["GET", "POST"]
    path: str
    service: Service
    about: str
    body: type[BaseModel] | None = None
    fields: Callable[[Any], Mapping[str, Any]] | None = None
    shape: Callable[[dict[str, Any]], Any] | None = None
    fixed: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Dialect:
    """One way to speak with one environment.

    Attributes:
        reset_body: The envelope of a reset; ``session_id`` is read from it where it has that field.
        step_body: The envelope of a step. It is not to judge the action: a wrong one is the environment's to answer.
        opening: A valid reset body, the ids there are, and how many resets came before → which episode.
        action: A valid step body and what was seen last → the action.
        answer: What a reset and a step are answered.
        state: What the state's route answers.
        routes: Further routes.
        health: What ``/health`` answers.
        profile: What is served unless told otherwise.
        split: Whose tasks are served unless told otherwise.
    """

    reset_body: type[BaseModel]
    step_body: type[BaseModel]
    opening: Callable[[Any, Sequence[str], int], Opening]
    action: Callable[[Any, Moment], Action]
    answer: Callable[[Moment], dict[str, Any]]
    state: Callable[[Moment], dict[str, Any]]
    routes: tuple[Route, ...] = ()
    health: Mapping[str, Any] = field(default_factory=lambda: {"status": "healthy"})
    profile: str = "hardened"
    split: str = "validation"


def chosen(task_ids: Sequence[str], seed: int | None) -> str:
    """Return one of the ids: the first without a seed, the seed's choice with one.

    Raises:
        ValueError: There are none.
    """
    if not task_ids:
        raise ValueError("no task to choose from")
    return task_ids[0] if seed is None else task_ids[stream(seed, "task").randrange(len(task_ids))]


def told(reward: float) -> float:
    """Return a reward as a document's figures have it: to 12 decimals, without the noise of sums and no ``-0.0``."""
    return round(reward, REWARD_DECIMALS) + 0.0


def own_dialect() -> Dialect:
    """Return mailgym's own form, the same for every environment."""
    return Dialect(
        reset_body=ResetBody,
        step_body=StepBody,
        opening=lambda body, _ids, _number: Opening(body.task_id, body.seed),
        action=lambda body, _: dict(body.action),
        answer=_answer,
        state=lambda moment: moment.state,
    )


def _answer(moment: Moment) -> dict[str, Any]:
    return {
        "observation": moment.observation,
        "reward": moment.rewards[-1] if moment.rewards else None,
        "done": moment.done,
        "terminated": moment.terminated,
        "truncated": moment.truncated,
        "stop_reason": moment.stop_reason,
    }
