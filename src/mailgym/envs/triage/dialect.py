"""How document 003 speaks with triage by HTTP: routes, bodies and field names, as data that serving reads.

Source: document 003 (project guide), its curl lines and its table of endpoints. Deviation: the document's ``/health``
gives no form; OpenEnv's word is taken.
"""

from collections.abc import Sequence
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from mailgym.core.episode import Action
from mailgym.envs.dialects import Dialect, Moment, Opening, Route, chosen, told
from mailgym.envs.triage.schema import FORMS, SIZES


class Reset(BaseModel):
    """The body of a reset."""

    model_config = ConfigDict(extra="forbid")
    task_id: str | None = Field(default=None, description=f"{', '.join(FORMS)}, or an inbox's id.")
    seed: int | None = Field(default=None, description="Which inbox, where there are several; the first one without.")
    session_id: str | None = None


class Step(BaseModel):
    """The body of a step: decisions for some or all mails."""

    model_config = ConfigDict(extra="forbid")
    email_actions: Any = Field(description="A list of {email_id, category, priority, action, response}.")
    done: Any = Field(default=False, description="True when nothing is to be changed any more.")
    session_id: str | None = None


def opening(body: Reset, task_ids: Sequence[str], number: int) -> Opening:  # noqa: ARG001 (the seed alone chooses)
    """Return the inbox of a task's name: the one of this id, else the first, or the seed's, of that form."""
    if body.task_id is None:
        return Opening(chosen(task_ids, body.seed))
    of_form = [task_id for task_id in task_ids if task_id.startswith(body.task_id)]
    return Opening(body.task_id if body.task_id in task_ids or not of_form else chosen(of_form, body.seed))


def action(body: Step, moment: Moment) -> Action:  # noqa: ARG001 (the same whatever was seen)
    """Return the submission."""
    return {"name": "submit", "arguments": {"email_actions": body.email_actions, "done": body.done}}


def answer(moment: Moment) -> dict[str, Any]:
    """Return what a reset and a step are answered."""
    observation = dict(moment.observation)
    observation |= {name: told(observation[name]) for name in ("reward", "reward_so_far") if name in observation}
    return {
        "observation": observation,
        "reward": told(moment.rewards[-1]) if moment.rewards else 0.0,
        "done": moment.done,
        "info": {"stop_reason": moment.stop_reason, "error": moment.observation.get("error")},
    }


def triage_dialect() -> Dialect:
    """Return the dialect of document 003."""
    return Dialect(
        reset_body=Reset,
        step_body=Step,
        opening=opening,
        action=action,
        answer=answer,
        state=lambda moment: moment.state,
        routes=(Route("GET", "/tasks", "tasks", "The three tasks.", shape=lambda _: {"tasks": _tasks()}),),
        profile="classic",
        split="bank",
    )


def _tasks() -> list[dict[str, Any]]:
    return [{"task_id": form, "emails": size} for form, size in SIZES.items()]
