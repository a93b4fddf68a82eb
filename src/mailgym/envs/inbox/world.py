"""The inbox as a world: one mail after another is decided, and a back office can be asked.

What differs between the profiles: in ``classic`` every step is a mail's decision, as in the document, and an action
that is none leaves its mail behind; in ``hardened`` a look-up is a step of its own, and a wrong action can be mended.
"""

from dataclasses import asdict
from typing import Any

from mailgym.core.episode import Action
from mailgym.envs.base import Outcome, World
from mailgym.envs.calls import BadCall, GoodCall, ToolArguments, read_call
from mailgym.envs.inbox.office import asked_for, look_up, speaks_of
from mailgym.envs.inbox.rubric import Decided, InboxFacts
from mailgym.envs.inbox.schema import FIELDS_OF_LEVEL, TOOLS, Decide, LookUp
from mailgym.envs.inbox.tasks import InboxTask, Mail

MAX_SUMMARY_CHARS = 48
EXAMPLE_CALL = (
    'write one JSON object: {"name": "decide", "arguments": {"category": "support", "priority": "low", '
    '"department": "support_team", "action": "reply"}}'
)
NO_LOOK_UP = (
    "look_up was not carried out: here every step decides a mail. Name a tool in decide: use_tool and tool_input."
)


class InboxWorld(World[InboxTask, InboxFacts]):
    """A few mails and a back office. It knows no label."""

    def __init__(self, turns: int, *, looks_up_first: bool) -> None:
        """Play at most ``turns`` steps.

        Args:
            turns: Most steps of an episode.
            looks_up_first: Whether a look-up is a step of its own and a wrong action keeps its mail (``hardened``), or
                every step is the end of a mail (``classic``).
        """
        self._turns = turns
        self._looks_up_first = looks_up_first
        self._task = InboxTask("", 1, "", (), ())
        self._facts = InboxFacts()
        self._history: list[dict[str, Any]] = []

    @property
    def facts(self) -> InboxFacts:
        """What happened so far."""
        return self._facts

    def opening(self, task: InboxTask, seed: int) -> dict[str, Any]:  # noqa: ARG002 (nothing here is random)
        """Show the first mail."""
        self._task, self._facts, self._history = task, InboxFacts(), []
        return self._shown("mail", None)

    def play(self, action: Action) -> Outcome:
        """Play one call; what cannot be carried out is answered by an error."""
        self._facts.steps += 1
        call = read_call(action, TOOLS, EXAMPLE_CALL)
        if isinstance(call, GoodCall) and isinstance(call.arguments, LookUp) and not self._looks_up_first:
            call = BadCall(call.tool, "unknown_tool", NO_LOOK_UP)
        if isinstance(call, BadCall):
            self._facts.bad_calls += 1
            if not self._looks_up_first:
                self._leave(None)
            return self._outcome("error", None, call.error)
        return self._carry_out(call.arguments)

    def public_state(self) -> dict[str, Any]:
        """Return how many mails and turns are left."""
        return {"remaining_emails": self._remaining, "turns_left": self._turns_left}

    @property
    def _remaining(self) -> int:
        return len(self._task.mails) - len(self._facts.decided)

    @property
    def _turns_left(self) -> int:
        return self._turns - self._facts.steps

    @property
    def _mail(self) -> Mail:
        return self._task.mails[len(self._facts.decided)]

    def _carry_out(self, arguments: ToolArguments) -> Outcome:
        if isinstance(arguments, LookUp):
            self._facts.look_ups += 1
            return self._outcome("tool_result", self._look_up(arguments.tool, arguments.tool_input)[0])
        if not isinstance(arguments, Decide):
            self._leave(None)
            return self._outcome("mail", None)
        found: dict[str, Any] | None = None
        is_about_mail = False
        if arguments.use_tool is not None:
            found, is_about_mail = self._look_up(arguments.use_tool, arguments.tool_input)
            self._facts.look_ups += 1
        self._leave(arguments, is_about_mail)
        return self._outcome("mail", found)

    def _look_up(self, tool: str, tool_input: dict[str, str | int] | None) -> tuple[dict[str, Any], bool]:
        mail = self._mail
        found = look_up(self._task.records, tool, tool_input, mail.sender)
        whole = f"{mail.sender}\n{mail.subject}\n{mail.email_text}"
        return found, speaks_of(whole, asked_for(tool_input, mail.sender))

    def _leave(self, decision: Decide | None, is_about_mail: bool = False) -> None:
        given = {} if decision is None else decision.model_dump(exclude={"tool_input"}, exclude_none=True)
        self._history.append({"email_id": self._mail.email_id, **given})
        tool = given.pop("use_tool", "") if is_about_mail else ""
        given.pop("use_tool", None)
        self._facts.decided.append(Decided(given or None, self._facts.steps, tool))

    def _outcome(self, kind: str, tool_result: dict[str, Any] | None, error: str = "") -> Outcome:
        if self._remaining == 0:
            kind = "error" if error else "end"
            return Outcome(self._shown(kind, tool_result, error), terminated=True, stop_reason="all_decided")
        shown = self._shown(kind, tool_result, error)
        if self._turns_left == 0:
            return Outcome(shown, truncated=True, stop_reason="out_of_turns")
        return Outcome(shown)

    def _shown(self, kind: str, tool_result: dict[str, Any] | None, error: str = "") -> dict[str, Any]:
        tools = [name for name in TOOLS if self._looks_up_first or name != "look_up"]
        return {
            "kind": kind,
            "task_id": self._task.id,
            "inbox": self._task.inbox,
            "current_email": asdict(self._mail) if self._remaining else None,
            "inbox_summary": [f"{mail.email_id}: {mail.subject[:MAX_SUMMARY_CHARS]}" for mail in self._task.mails],
            "remaining_emails": self._remaining,
            "history": [dict(entry) for entry in self._history],
            "step_count": self._facts.steps,
            "tool_result": tool_result,
            "wanted": list(FIELDS_OF_LEVEL[self._task.level]),
            "tools": tools,
            "turns_left": self._turns_left,
            **({"error": error} if error else {}),
        }
