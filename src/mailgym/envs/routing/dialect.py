"""How document 004 speaks with routing by HTTP: routes, bodies and field names, as data that serving reads.

Source: document 004, its quick start, its example of a step's answer and its table of endpoints. Deviations: a step's
``reward`` is that of the mail, as there, while the environment's own is its share of the episode's mean; ``/health``
says OpenEnv's word and the document's, ``ok``, beside it.
"""

from collections.abc import Sequence
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from mailgym.core.episode import Action
from mailgym.envs.dialects import Dialect, Moment, Opening, Route, chosen, told
from mailgym.envs.routing.schema import LEVELS, STARTS, levels_from


class Reset(BaseModel):
    """The body of a reset."""

    model_config = ConfigDict(extra="forbid")
    task_id: str | None = Field(default=None, description=f"{', '.join(STARTS)}, or an episode's id.")
    seed: int | None = Field(default=None, description="Which mails; without it each reset takes the next ones.")
    session_id: str | None = None


class Step(BaseModel):
    """The body of a step: the action flat, or below ``action``."""

    model_config = ConfigDict(extra="forbid")
    label: Any = Field(default=None, description="spam, personal, work or urgent.")
    summary: Any = Field(default=None, description="The mail in one short sentence.")
    reply: Any = Field(default=None, description="The answer to its sender.")
    department: Any = Field(default=None, description="Who should handle it.")
    action: dict[str, Any] | None = Field(default=None, description="The same, nested.")
    session_id: str | None = None


def opening(body: Reset, task_ids: Sequence[str], number: int) -> Opening:
    """Return an episode that starts with the task named: the seed's, or the next in rotation."""
    start = body.task_id or STARTS[0]
    if start in task_ids:
        return Opening(start)
    starting = [task_id for task_id in task_ids if task_id.partition(":")[0] == start]
    if not starting:
        return Opening(start)  # no such task: answered as an unknown one
    return Opening(starting[number % len(starting)] if body.seed is None else chosen(starting, body.seed))


def action(body: Step, moment: Moment) -> Action:  # noqa: ARG001 (the same whatever was seen)
    """Return what is done with the mail."""
    given = body.action
    if given is None:
        given = body.model_dump(exclude={"action", "session_id"}, exclude_none=True)
    return dict(given) if "name" in given else {"name": "triage", "arguments": dict(given)}


def answer(moment: Moment) -> dict[str, Any]:
    """Return what a reset and a step are answered."""
    seen = moment.observation
    start = str(moment.state["task_id"]).partition(":")[0]
    reward = told(moment.rewards[-1] * len(levels_from(start))) if moment.rewards else 0.0
    observation = {
        "email": seen.get("email", ""),
        "done": moment.done,
        "reward": reward,
        "metadata": seen["metadata"],
    }
    if "error" in seen:
        observation["error"] = seen["error"]
    return {"observation": observation, "reward": reward, "done": moment.done}


def state(moment: Moment) -> dict[str, Any]:
    """Return the document's two fields, and whether the episode is over."""
    return {"episode_id": moment.state["task_id"], "step_count": moment.state["steps"], "done": moment.done}


def routing_dialect() -> Dialect:
    """Return the dialect of document 004."""
    return Dialect(
        reset_body=Reset,
        step_body=Step,
        opening=opening,
        action=action,
        answer=answer,
        state=state,
        routes=(Route("GET", "/tasks", "tasks", "The three tasks.", shape=lambda _: {"tasks": _tasks()}),),
        health={"status": "healthy", "detail": "ok"},
        profile="classic",
        split="bank",
    )


def _tasks() -> list[dict[str, Any]]:
    return [
        {"task_id": level.task_id, "difficulty": level.difficulty, "instruction": level.instruction} for level in LEVELS
    ]
