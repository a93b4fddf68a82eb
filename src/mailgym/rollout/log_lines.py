"""A trajectory as the log lines that OpenEnv's evaluation reads: ``[START]``, one ``[STEP]`` a step, ``[END]``.

Source: document 003, "What the AI Output Looks Like". Every line is one line whatever the agent wrote: actions are JSON
without line breaks, and the line breaks of errors become spaces.
"""

import json
from typing import Any

from mailgym.core.episode import Action, Step, Trajectory

SUCCESS_SCORE = 0.5


def openenv_lines(played: Trajectory, env: str) -> list[str]:
    """Return the log lines of one episode.

    ``score`` is the sum of the step rewards, and ``success`` a score of at least 0.5. An episode that failed has no
    score: its lines say ``score=0.000``, ``success=false`` and, in its last step, why it failed.

    Args:
        played: The episode.
        env: What the lines call the environment.
    """
    lines = [f"[START] task={played.task_id} env={env} model={'_'.join(played.agent.split())}"]
    rewards = []
    for number, step in enumerate(played.steps, 1):
        failed = played.failure is not None and number == len(played.steps)
        rewards.append(_number(step.result.reward if step.result else 0.0, 2))
        done = failed or (step.result is not None and step.result.done)
        error = played.failure.message if failed and played.failure else _error_of(step)
        lines.append(
            f"[STEP] step={number} action={_action(step.decision.action)} reward={rewards[-1]} done={_flag(done)} "
            f"error={' '.join(error.split()) or 'null'}"
        )
    score = played.reward or 0.0
    success = _flag(score >= SUCCESS_SCORE)
    lines.append(
        f"[END] success={success} steps={len(played.steps)} score={_number(score, 3)} rewards={','.join(rewards)}"
    )
    return lines


def _action(action: Action | None) -> str:
    value: Any = action if isinstance(action, dict) or action is None else action.text
    return json.dumps(value, separators=(",", ":"))


def _error_of(step: Step) -> str:
    observation = step.result.observation if step.result else {}
    return str(observation.get("error", "")) if observation.get("kind") == "error" else ""


def _number(value: float, digits: int) -> str:
    return f"{round(value, digits) + 0.0:.{digits}f}"  # never "-0.00"


def _flag(value: bool) -> str:
    return "true" if value else "false"
