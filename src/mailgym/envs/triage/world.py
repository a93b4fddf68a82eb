"""The inbox as a world: one tool, which sends decisions about its mails. It knows no label."""

from dataclasses import dataclass, field
from typing import Any

from mailgym.core.episode import Action
from mailgym.envs.base import Outcome, World
from mailgym.envs.calls import BadCall, read_call
from mailgym.envs.triage.schema import TOOLS, EmailAction, Submit
from mailgym.envs.triage.tasks import Mail, TriageTask

MAX_MAIL_CHARS = 4_000
EXAMPLE_CALL = (
    'write one JSON object: {"name": "submit", "arguments": {"email_actions": [{"email_id": "e1", '
    '"category": "work", "priority": 1, "action": "read"}]}}'
)


@dataclass(slots=True)
class TriageFacts:
    """What happened in an episode so far, without any label.

    Attributes:
        mails: The inbox.
        owner_name: Whose it is.
        decisions: What is decided, by the mail's id: the latest decision about each.
        said_done: Whether the agent said that it has done.
        ended: Whether the episode is over.
        bad_calls: How many calls could not be carried out.
        submissions: How many could.
        changed: How many decisions replaced another one.
    """

    mails: tuple[Mail, ...] = ()
    owner_name: str = ""
    decisions: dict[str, EmailAction] = field(default_factory=dict)
    said_done: bool = False
    ended: bool = False
    bad_calls: int = 0
    submissions: int = 0
    changed: int = 0

    @property
    def undecided(self) -> list[str]:
        """The ids of the mails that nothing is decided about, in the order of the inbox."""
        return [mail.email_id for mail in self.mails if mail.email_id not in self.decisions]


class TriageWorld(World[TriageTask, TriageFacts]):
    """One inbox, decided about in as many submissions as there are turns."""

    def __init__(self, turns: int) -> None:
        """Play for at most ``turns`` turns."""
        self._turns = turns
        self._facts = TriageFacts()

    @property
    def facts(self) -> TriageFacts:
        """What happened so far."""
        return self._facts

    def opening(self, task: TriageTask, seed: int) -> dict[str, Any]:  # noqa: ARG002 (nothing here is random)
        """Show the whole inbox."""
        self._facts = TriageFacts(task.mails, task.owner_name)
        return {
            "kind": "inbox",
            "task_id": task.id,
            "form": task.form,
            "owner": task.owner,
            "owner_name": task.owner_name,
            "now": task.now,
            "inbox": [show_mail(mail) for mail in task.mails],
            "tools": list(TOOLS),
            "turns_left": self._turns,
        }

    def play(self, action: Action) -> Outcome:
        """Take decisions, or say what is wrong with the call."""
        facts = self._facts
        submitted = self._read(action)
        if isinstance(submitted, str):
            facts.bad_calls += 1
            return self._outcome({"kind": "error", "error": submitted, "undecided": facts.undecided})
        facts.submissions += 1
        for decision in submitted.email_actions:
            earlier = facts.decisions.get(decision.email_id)
            facts.changed += earlier is not None and earlier != decision
            facts.decisions[decision.email_id] = decision
        facts.said_done = submitted.done
        return self._outcome(self._feedback())

    def public_state(self) -> dict[str, Any]:
        """Return what is decided, and the turns that are left."""
        return {"decided": self._decided(), "turns_left": self._turns_left}

    @property
    def _turns_left(self) -> int:
        return self._turns - self._facts.submissions - self._facts.bad_calls

    def _read(self, action: Action) -> Submit | str:
        """Return the submission, or what is wrong with it."""
        read = read_call(action, TOOLS, EXAMPLE_CALL)
        if isinstance(read, BadCall):
            return read.error
        assert isinstance(read.arguments, Submit)
        ids = [mail.email_id for mail in self._facts.mails]
        for decision in read.arguments.email_actions:
            if decision.email_id not in ids:
                return f"Nothing was decided: this inbox has no mail {decision.email_id}, only {ids[0]} to {ids[-1]}."
            if decision.priority > len(ids):
                return f"Nothing was decided: priorities go from 1 to {len(ids)} here, not to {decision.priority}."
        return read.arguments

    def _feedback(self) -> dict[str, Any]:
        facts = self._facts
        undecided = facts.undecided
        text = f"{len(facts.decisions)} of {len(facts.mails)} mails are decided."
        if undecided:
            text += f" Still undecided: {', '.join(undecided)}."
        elif not facts.said_done:
            text += " Send changes, or send done=true."
        return {"kind": "feedback", "feedback": text, "decided": self._decided(), "undecided": undecided}

    def _decided(self) -> dict[str, Any]:
        return {name: decision.model_dump(mode="json") for name, decision in self._facts.decisions.items()}

    def _outcome(self, observation: dict[str, Any]) -> Outcome:
        facts = self._facts
        observation = {**observation, "turns_left": self._turns_left}
        if facts.said_done and not facts.undecided:
            facts.ended = True
            return Outcome(observation, terminated=True, stop_reason="all_decided")
        if self._turns_left == 0:
            facts.ended = True
            return Outcome(observation, truncated=True, stop_reason="out_of_turns")
        return Outcome(observation)


def show_mail(mail: Mail) -> dict[str, Any]:
    """Return a mail as plain data; text beyond 4,000 characters is cut, and the cut is said."""
    return {
        "email_id": mail.email_id,
        "from": mail.sender,
        "received": mail.received,
        "subject": mail.subject,
        "text": mail.text[:MAX_MAIL_CHARS],
        "cut_chars": max(0, len(mail.text) - MAX_MAIL_CHARS),
    }
