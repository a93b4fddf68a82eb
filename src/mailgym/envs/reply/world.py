"""One mail, two steps: what is it, and what is answered. The world knows no label."""

from dataclasses import dataclass
from typing import Any

from mailgym.core.clock import Clock
from mailgym.core.episode import Action
from mailgym.envs.base import Outcome, World
from mailgym.envs.calls import BadCall, GoodCall, read_call
from mailgym.envs.reply.rubric.facts import ReplyFacts
from mailgym.envs.reply.schema import TOOL_OF_STEP, TOOLS, Classify, Draft, well_typed
from mailgym.envs.reply.tasks import ReplyTask

TIMEOUT_S = 120.0
STEPS = 2
EXAMPLE_CALL = {
    1: 'write one JSON object: {"name": "classify", "arguments": {"urgency": "low", "category": "work", '
    '"requires_reply": false, "reason": "why"}}',
    2: 'write one JSON object: {"name": "draft", "arguments": {"tone": "friendly", "reply_text": "the reply"}}',
}
INSTRUCTIONS = {
    1: "Step 1 of 2: classify the mail. Say urgency (high, medium, low), category (work, personal, social, spam), "
    "requires_reply (true, false) and the reason.",
    2: "Step 2 of 2: draft the owner's reply. Say tone (professional, friendly, assertive, apologetic, none) and "
    "reply_text. Where no reply is to be sent, the tone is none and reply_text is empty.",
}


@dataclass(frozen=True, slots=True)
class Rules:
    """What differs between profiles.

    Attributes:
        turns: Most calls of an episode; at least 2.
        mend: Whether a wrong call can be made again while turns last. Without it, each call is one of the two steps,
            right or wrong, and the same action again ends the episode.
        timeout_s: An episode that is older than this at a call is over; needs a clock.
    """

    turns: int
    mend: bool
    timeout_s: float = TIMEOUT_S


class ReplyWorld(World[ReplyTask, ReplyFacts]):
    """Shows a mail, takes a classification, then a draft."""

    def __init__(self, rules: Rules, clock: Clock | None = None) -> None:
        """Play by ``rules``; without a clock there is no time limit."""
        self._rules = rules
        self._clock = clock
        self._facts = ReplyFacts()
        self._task: ReplyTask | None = None
        self._started_s = 0.0
        self._calls = 0
        self._last: Action | None = None

    @property
    def facts(self) -> ReplyFacts:
        """What happened so far."""
        return self._facts

    def opening(self, task: ReplyTask, seed: int) -> dict[str, Any]:  # noqa: ARG002 (nothing here is random)
        """Show the mail."""
        self._facts = ReplyFacts(task)
        self._task = task
        self._calls = 0
        self._last = None
        self._started_s = 0.0 if self._clock is None else self._clock.now_s()
        return self._show("mail")

    def play(self, action: Action) -> Outcome:
        """Play one call: ``classify`` in step 1, ``draft`` in step 2, ``skip`` in either."""
        if self._clock is not None and self._clock.now_s() - self._started_s > self._rules.timeout_s:
            self._facts.timed_out = True
            end = {"kind": "error", "error": f"The episode took longer than {self._rules.timeout_s:g} seconds."}
            return Outcome(end, truncated=True, stop_reason="timed_out")
        self._calls += 1
        if not self._rules.mend and self._calls > 1 and action == self._last:
            self._facts.repeated = True
            end = {"kind": "error", "error": "This is the action before it once more: the episode is over."}
            return Outcome(end, terminated=True, stop_reason="repeated_action")
        self._last = action
        call = self._read(action)
        if isinstance(call, BadCall):
            return self._refuse(call, action)
        if isinstance(call.arguments, Classify):
            self._facts.classified = True
            self._facts.classification = call.arguments.model_dump(mode="json")
            return self._unless_over(self._show("classified"))
        if isinstance(call.arguments, Draft):
            self._facts.replied = True
            self._facts.tone, self._facts.reply_text = call.arguments.tone, call.arguments.reply_text
            return Outcome({"kind": "end"}, terminated=True, stop_reason="drafted")
        return Outcome({"kind": "end"}, terminated=True, stop_reason="skipped")

    def public_state(self) -> dict[str, Any]:
        """Return which step is due, and the calls that are left."""
        return {"step": self._step, "turns_left": self._turns_left}

    @property
    def _step(self) -> int:
        return 2 if self._facts.classified else 1

    @property
    def _turns_left(self) -> int:
        if self._rules.mend:
            return self._rules.turns - self._calls
        return STEPS - self._calls

    def _read(self, action: Action) -> GoodCall | BadCall:
        """Read an action as the call of a tool that is due."""
        step = self._step
        call = read_call(action, TOOLS, EXAMPLE_CALL[step])
        if isinstance(call, GoodCall) and call.tool not in (TOOL_OF_STEP[step], "skip"):
            what = "first classify the mail" if step == 1 else "the mail is classified, now draft the reply"
            return BadCall(call.tool, "unknown_tool", f"{call.tool} is not due: {what}. Please {EXAMPLE_CALL[step]}")
        return call

    def _refuse(self, call: BadCall, action: Action) -> Outcome:
        """Answer a wrong call: it can be mended, or is the step that was due."""
        self._facts.bad_calls += 1
        observation = {"kind": "error", "error": call.error}
        if self._rules.mend:
            return self._unless_over({**observation, "step": self._step, "turns_left": self._turns_left})
        if self._step == 2:
            return Outcome(observation, terminated=True, stop_reason="bad_call")
        self._facts.classified = True
        if call.tool == "classify" and isinstance(action, dict):
            self._facts.classification = well_typed(action.get("arguments"))
        error = f"{call.error} That was step 1. {INSTRUCTIONS[2]}"
        return Outcome({"kind": "error", "error": error, "step": 2, "turns_left": self._turns_left})

    def _unless_over(self, observation: dict[str, Any]) -> Outcome:
        if self._turns_left > 0:
            return Outcome(observation)
        return Outcome(observation, truncated=True, stop_reason="out_of_turns")

    def _show(self, kind: str) -> dict[str, Any]:
        """Return the mail with what is due; after step 1 with the agent's own classification."""
        task = self._task
        assert task is not None
        shown = {
            "kind": kind,
            "task_id": task.id,
            "level": task.level,
            "owner_name": task.owner_name,
            "owner_address": task.owner_address,
            "sender_name": task.sender_name,
            "sender_address": task.sender_address,
            "received": task.received,
            "subject": task.subject,
            "text": task.text,
            "briefing": task.briefing,
            "step": self._step,
            "instruction": INSTRUCTIONS[self._step],
            "tools": list(TOOLS),
            "turns_left": self._turns_left,
        }
        if self._facts.classified:
            shown["classification"] = dict(self._facts.classification)
        return shown
