"""How document 002 speaks with the inbox by HTTP: routes, bodies and field names, as data that serving reads.

Source: document 002 (TOKEN0), its curl lines and its paragraph on endpoints. Deviations: a step's ``reward`` is that of
the mail, as there, while the environment's own is its share of the episode's mean; what the document leaves open (the
form of ``/tasks``, ``/manifest``, ``/episode_log``, ``/baseline``) is mailgym's.
"""

from collections.abc import Sequence
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from mailgym.core.episode import Action
from mailgym.envs.dialects import Dialect, Moment, Opening, Route, chosen, told
from mailgym.envs.inbox.schema import FIELDS_OF_LEVEL
from mailgym.envs.inbox.tasks import MAILS_OF_LEVEL

DEBUG_VARIABLE = "EMAIL_TRIAGE_DEBUG_GRADER"
SAMPLE = {
    "category": "support",
    "priority": "medium",
    "department": "support_team",
    "action": "reply",
    "use_tool": None,
    "tool_input": None,
}
"""An example of the form; it is the same whatever the mail."""

DIFFICULTIES = {1: "easy", 2: "medium", 3: "hard"}
OBSERVED = (
    "current_email",
    "inbox_summary",
    "remaining_emails",
    "history",
    "step_count",
    "tool_result",
)


class Reset(BaseModel):
    """The body of a reset."""

    model_config = ConfigDict(extra="forbid")
    task_id: int | str | None = Field(default=None, description="1 (easy), 2 (medium), 3 (hard), or an episode's id.")
    seed: int | None = Field(default=None, description="Which episode of the task; the first one without.")
    session_id: str | None = None


class Step(BaseModel):
    """The body of a step: the decision below ``action``, or flat."""

    model_config = ConfigDict(extra="allow")
    action: dict[str, Any] | str | None = Field(
        default=None, description="The decision; or, where the body is flat, its field of this name."
    )


def opening(body: Reset, task_ids: Sequence[str], number: int) -> Opening:  # noqa: ARG001 (the seed alone chooses)
    """Return the episode of a task number and a seed."""
    if isinstance(body.task_id, str) and not body.task_id.isdigit():
        return Opening(body.task_id)
    level = None if body.task_id is None else int(body.task_id)
    if level is None:
        return Opening(chosen(task_ids, body.seed))
    of_level = [task_id for task_id in task_ids if task_id.split("-")[1:2] == [str(level)]]
    if not of_level:
        return Opening(str(level))  # no such task: answered as an unknown one
    exact = f"bank-{level}-{body.seed}"
    return Opening(exact if exact in of_level else chosen(of_level, body.seed))


def action(body: Step, moment: Moment) -> Action:  # noqa: ARG001 (the same whatever was seen)
    """Return the decision of a nested or a flat body."""
    if isinstance(body.action, dict):
        nested = body.action
        return dict(nested) if "name" in nested else {"name": "decide", "arguments": dict(nested)}
    flat = {name: value for name, value in body.model_dump(exclude_unset=True).items() if name != "session_id"}
    return {"name": "decide", "arguments": flat}


def answer(moment: Moment) -> dict[str, Any]:
    """Return what a reset and a step are answered."""
    seen = moment.observation
    shown = {name: seen[name] for name in OBSERVED}
    if "error" in seen:
        shown["error"] = seen["error"]
    return {
        "observation": shown,
        "reward": _of_mail(moment, moment.rewards[-1]) if moment.rewards else None,
        "done": moment.done,
        "info": {"task_id": seen["task_id"], "wanted": seen["wanted"], "stop_reason": moment.stop_reason},
    }


def state(moment: Moment) -> dict[str, Any]:
    """Return the public state: counters, and no label."""
    return {
        "episode_id": moment.state["task_id"],
        "step_count": moment.state["steps"],
        "remaining_emails": moment.state.get("remaining_emails"),
        "done": moment.done,
        "stop_reason": moment.stop_reason,
    }


def inbox_dialect() -> Dialect:
    """Return the dialect of document 002."""
    levels = {number: _belongs(number) for number in MAILS_OF_LEVEL}
    return Dialect(
        reset_body=Reset,
        step_body=Step,
        opening=opening,
        action=action,
        answer=answer,
        state=state,
        routes=(
            Route("GET", "/tasks", "tasks", "The three tasks.", shape=lambda _: {"tasks": _tasks()}),
            Route("GET", "/manifest", "about", "What is served, and the form of an action."),
            Route("POST", "/grader", "score", "The episode's score.", fixed={"debug_variable": DEBUG_VARIABLE}),
            Route("GET", "/grader", "score", "The episode's score.", fixed={"debug_variable": DEBUG_VARIABLE}),
            Route("GET", "/episode_log", "episode_log", "What was done, and what it earned."),
            Route("GET", "/sample_action", "sample_action", "The form of an action.", fixed={"action": SAMPLE}),
            Route(
                "GET",
                "/baseline",
                "baseline",
                "The rules baseline on every task.",
                fixed={"player": "rules", "groups": {f"task_{number}": levels[number] for number in levels}},
            ),
        ),
        health={"status": "healthy"},
        profile="classic",
        split="bank",
    )


def _of_mail(moment: Moment, reward: float) -> float:
    return told(reward * len(moment.observation["inbox_summary"]))


def _belongs(level: int) -> Any:
    return lambda task_id: task_id.split("-")[1:2] == [str(level)]


def _tasks() -> list[dict[str, Any]]:
    return [
        {"task_id": level, "difficulty": DIFFICULTIES[level], "emails": mails, "fields": list(FIELDS_OF_LEVEL[level])}
        for level, mails in MAILS_OF_LEVEL.items()
    ]
