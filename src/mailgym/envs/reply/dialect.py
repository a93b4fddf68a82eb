"""How document 001 speaks with reply by HTTP: routes, bodies and field names, as data that serving reads.

Source: document 001 (PersonalMail-RL): its two action forms, its interface, and the routes of its server. Deviations: a
step's ``reward`` is that step's own score from 0 to 1, as there, while the environment's own is its share of the
episode (0.30 and 0.70); ``/rollout`` and ``/demo/compare`` play actions that are sent to them, and run no model.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from mailgym.core.episode import Action
from mailgym.envs.dialects import Dialect, Moment, Opening, Route, chosen, told
from mailgym.envs.reply.rubric.classic import STEP_1, STEP_2
from mailgym.envs.reply.schema import TOOL_OF_STEP

WHOLE_EPISODE = ("repeated_action", "timed_out")
"""Ends whose price is the episode's, not a step's."""
SHOWN = ("level", "owner_name", "sender_name", "sender_address", "received", "subject", "text", "briefing")
FORMS = {
    "step_1": {
        "urgency": "high | medium | low",
        "category": "work | personal | social | spam",
        "requires_reply": "true | false",
        "reason": "a sentence or two",
    },
    "step_2": {"tone": "professional | friendly | assertive | apologetic | none", "reply_text": "the whole reply"},
}


class Reset(BaseModel):
    """The body of a reset."""

    model_config = ConfigDict(extra="forbid")
    scenario_id: str | int | None = Field(default=None, description="Which scenario; the seed's or the first without.")
    seed: int | None = None
    session_id: str | None = None


class Step(BaseModel):
    """The body of a step: the action flat, or below ``action``."""

    model_config = ConfigDict(extra="forbid")
    urgency: Any = None
    category: Any = None
    requires_reply: Any = None
    reason: Any = None
    tone: Any = None
    reply_text: Any = None
    action: dict[str, Any] | None = Field(default=None, description="The same, nested.")
    session_id: str | None = None


class Played(BaseModel):
    """Both steps of an episode."""

    model_config = ConfigDict(extra="forbid")
    classification: dict[str, Any] = Field(description="The action of step 1.")
    reply: dict[str, Any] = Field(description="The action of step 2.")


class Rollout(Played):
    """The body of ``/rollout``: a scenario, and both steps."""

    scenario_id: str | int | None = None


class Compare(BaseModel):
    """The body of ``/demo/compare``: one scenario, played twice."""

    model_config = ConfigDict(extra="forbid")
    scenario_id: str | int | None = None
    baseline: Played
    trained: Played


def opening(body: Reset, task_ids: Sequence[str], number: int) -> Opening:  # noqa: ARG001 (the seed alone chooses)
    """Return the scenario of an id, or of its number counted from 0."""
    if body.scenario_id is None:
        return Opening(chosen(task_ids, body.seed))
    if isinstance(body.scenario_id, int) and 0 <= body.scenario_id < len(task_ids):
        return Opening(task_ids[body.scenario_id])
    return Opening(str(body.scenario_id))


def action(body: Step, moment: Moment) -> Action:
    """Return the action of the step that is due."""
    given = body.action
    if given is None:
        given = body.model_dump(exclude={"action", "session_id"}, exclude_unset=True)
    if "name" in given:
        return dict(given)
    return {"name": TOOL_OF_STEP[moment.state.get("step", 1)], "arguments": dict(given)}


def answer(moment: Moment) -> dict[str, Any]:
    """Return what a reset and a step are answered."""
    seen = moment.observation
    observation = {name: seen[name] for name in SHOWN if name in seen}
    observation |= {name: seen[name] for name in ("step", "instruction", "classification", "error") if name in seen}
    return {
        "observation": observation,
        "reward": _of_step(moment),
        "done": moment.done,
        "episode_reward": told(sum(moment.rewards)),
        "info": {"scenario_id": moment.state["task_id"], "stop_reason": moment.stop_reason},
    }


def reply_dialect() -> Dialect:
    """Return the dialect of document 001."""
    return Dialect(
        reset_body=Reset,
        step_body=Step,
        opening=opening,
        action=action,
        answer=answer,
        state=lambda moment: moment.state,
        routes=(
            Route(
                "GET", "/scenarios", "tasks", "The scenarios' ids.", shape=lambda found: {"scenarios": found["tasks"]}
            ),
            Route("GET", "/info", "about", "What is served, and the form of both actions.", fixed={"actions": FORMS}),
            Route("POST", "/rollout", "play_actions", "Play both steps of a scenario at once.", Rollout, _of_rollout),
            Route("POST", "/demo/compare", "compare", "Score two answers to one scenario.", Compare, _of_compare),
        ),
        profile="classic",
        split="bank",
    )


def _of_step(moment: Moment) -> float | None:
    if not moment.rewards:
        return None
    if moment.stop_reason in WHOLE_EPISODE:
        return moment.rewards[-1]
    return told(moment.rewards[-1] / (STEP_1 if len(moment.rewards) == 1 else STEP_2))


def _of_rollout(body: Rollout) -> Mapping[str, Any]:
    return {"reset": Reset(scenario_id=body.scenario_id), "actions": _steps(body)}


def _of_compare(body: Compare) -> Mapping[str, Any]:
    return {
        "reset": Reset(scenario_id=body.scenario_id),
        "baseline": _steps(body.baseline),
        "trained": _steps(body.trained),
    }


def _steps(played: Played) -> list[Step]:
    return [Step(action=played.classification), Step(action=played.reply)]
