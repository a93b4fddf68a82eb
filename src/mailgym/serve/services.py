"""What a served environment answers beside reset, step and state: its further routes, by name.

Each service sees what the agent's side sees: tasks' ids, what was observed and done, rewards. The whole score is told
by one alone, and only where the person who serves has asked for it by a variable of the environment.
"""

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from mailgym.agents.finder import find_agent
from mailgym.core.episode import Action, AnswerKey, MalformedAction, Task
from mailgym.core.errors import NotReset, UserError
from mailgym.core.protocols import Environment
from mailgym.envs.base import TaskSet
from mailgym.envs.dialects import Dialect, Moment, Opening, told
from mailgym.envs.registry import EnvSpec
from mailgym.rollout.engine import EpisodeRequest, play_episodes
from mailgym.serve.sessions import Session

MAX_ACTIONS = 100
"""Most actions that are played in one request."""


@dataclass(frozen=True, slots=True)
class Served:
    """One environment as it is served.

    Attributes:
        spec: The environment.
        tasks: Its tasks; the keys stay in here.
        profile: ``classic`` or ``hardened``.
        dialect: How it is spoken to.
        turns: Most turns of an episode; None for the environment's own.
    """

    spec: EnvSpec
    tasks: TaskSet[Task, AnswerKey]
    profile: str
    dialect: Dialect
    turns: int | None = None

    def make(self) -> Environment:
        """Return a new environment over the tasks."""
        return self.spec.make(self.tasks, profile=self.profile, turns=self.turns)


@dataclass(frozen=True, slots=True)
class Asked:
    """What a request asks of a service.

    Attributes:
        fields: Body and query of the request.
        session: The session it belongs to; None where none is open.
        fixed: What the dialect's route gives.
    """

    fields: Mapping[str, Any]
    session: Session | None
    fixed: Mapping[str, Any]

    @property
    def moment(self) -> Moment:
        """Where the session's episode stands.

        Raises:
            NotReset: None is open.
        """
        if self.session is None:
            raise NotReset("no episode is open in this session: POST /reset first")
        return self.session.moment


def tasks(served: Served, asked: Asked) -> dict[str, Any]:  # noqa: ARG001 (every service takes the request)
    """The ids that a reset takes."""
    return {"tasks": list(served.tasks.task_ids)}


def about(served: Served, asked: Asked) -> dict[str, Any]:
    """What is served: the environment, its tools as JSON schemas, its splits."""
    spec = served.spec
    models = spec.tools(spec.turns(served.turns))
    return {
        "name": spec.id,
        "title": spec.title,
        "system": spec.system,
        "profile": served.profile,
        "split": served.tasks.split,
        "tasks": len(served.tasks),
        "tools": {name: model.model_json_schema() for name, model in models.items()},
        **asked.fixed,
    }


def score(served: Served, asked: Asked) -> dict[str, Any]:  # noqa: ARG001
    """The episode's score so far, and its parts only where a variable of the server's environment allows it."""
    moment = asked.moment
    found: dict[str, Any] = {"score": told(sum(moment.rewards)), "steps": len(moment.rewards), "done": moment.done}
    variable = asked.fixed.get("debug_variable")
    if variable and os.environ.get(variable) == "1":
        assert asked.session is not None
        view = asked.session.environment.owner_view()
        found["parts"] = view.score.to_json()
    return found


def episode_log(served: Served, asked: Asked) -> dict[str, Any]:  # noqa: ARG001
    """What was done in the episode so far, and what it was rewarded."""
    moment = asked.moment
    steps = [
        {"step": number, "action": _shown(action), "reward": told(reward)}
        for number, (action, reward) in enumerate(zip(moment.actions, moment.rewards, strict=True), 1)
    ]
    return {"steps": steps, "done": moment.done}


def sample_action(served: Served, asked: Asked) -> dict[str, Any]:  # noqa: ARG001
    """An action that shows the form and tells nothing of any task."""
    return dict(asked.fixed["action"])


def health(served: Served, asked: Asked) -> dict[str, Any]:  # noqa: ARG001
    """That the server is there."""
    return dict(served.dialect.health)


def baseline(served: Served, asked: Asked) -> dict[str, Any]:
    """The mean score of a player without a model, over all tasks of each group and in the mean of the groups."""
    player = find_agent(asked.fixed["player"], served.spec, served.tasks, turns=served.turns)
    groups: Mapping[str, Callable[[str], bool]] = asked.fixed["groups"]
    scores: dict[str, float] = {}
    for name, belongs in groups.items():
        requests = [EpisodeRequest(task_id) for task_id in served.tasks.task_ids if belongs(task_id)]
        played = play_episodes(served.make, player, requests, 0, served.spec.id)
        rewards = [trajectory.reward for trajectory in played if trajectory.reward is not None]
        if not rewards:
            raise UserError(f"there are no tasks of {name} in split {served.tasks.split}: serve another with --split")
        scores[name] = told(sum(rewards) / len(rewards))
    return {"agent": player.name, "scores": scores, "average": told(sum(scores.values()) / len(scores))}


def play_actions(served: Served, asked: Asked) -> dict[str, Any]:
    """Play given actions on one task, in an episode of its own.

    Raises:
        UserError: There are no actions, or too many.
        UnknownTask: No task has this id.
    """
    opening = served.dialect.opening(asked.fields["reset"], served.tasks.task_ids, 0)
    return _play(served, opening, asked.fields["actions"])


def compare(served: Served, asked: Asked) -> dict[str, Any]:
    """Play two lists of actions on the same task, and tell what the second gains."""
    opening = served.dialect.opening(asked.fields["reset"], served.tasks.task_ids, 0)
    played = {name: _play(served, opening, asked.fields[name]) for name in ("baseline", "trained")}
    gain = played["trained"]["total_reward"] - played["baseline"]["total_reward"]
    return {**played, "improvement": told(gain)}


def _play(served: Served, opening: Opening, bodies: Sequence[Any]) -> dict[str, Any]:
    if not 1 <= len(bodies) <= MAX_ACTIONS:
        raise UserError(f"{len(bodies)} actions: give 1 to {MAX_ACTIONS}")
    session = Session(served.make())
    moment = session.reset(opening)
    steps = [served.dialect.answer(moment)]
    for body in bodies:
        if moment.done:
            break
        moment = session.step(served.dialect.action(body, moment))
        steps.append(served.dialect.answer(moment))
    return {
        "task_id": moment.state["task_id"],
        "steps": steps,
        "total_reward": told(sum(moment.rewards)),
        "done": moment.done,
    }


def _shown(action: Action) -> Any:
    return {"malformed": action.text} if isinstance(action, MalformedAction) else action


SERVICES: dict[str, Callable[[Served, Asked], dict[str, Any]]] = {
    service.__name__: service
    for service in (tasks, about, score, episode_log, sample_action, health, baseline, play_actions, compare)
}
