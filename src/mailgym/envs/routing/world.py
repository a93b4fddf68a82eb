"""The world of `routing`: one mail a step, until the last task is done. It sees tasks alone and knows no label."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from mailgym.core.episode import Action
from mailgym.envs.base import Outcome, World
from mailgym.envs.calls import BadCall, read_call
from mailgym.envs.routing.schema import TOOLS, Level, Triage, levels_from
from mailgym.envs.routing.tasks import RoutingTask

EXAMPLE_CALL = 'write one JSON object: {"name": "triage", "arguments": {"label": "work"}}'


@dataclass(frozen=True, slots=True)
class Handled:
    """What was done with one mail.

    Attributes:
        decision: The arguments of the call; None where the mail was skipped, or where a wrong action stands for it.
        wrong: A wrong action stands for it.
    """

    decision: Triage | None
    wrong: bool = False


@dataclass
class RoutingFacts:
    """What happened in an episode so far.

    Attributes:
        levels: The episode's tasks, in order.
        handled: What was done with their mails, in the same order, as far as the episode has come.
        bad_calls: Actions that were no action.
    """

    levels: tuple[Level, ...] = ()
    handled: list[Handled] = field(default_factory=list)
    bad_calls: int = 0


class RoutingWorld(World[RoutingTask, RoutingFacts]):
    """Shows the mails of a task one after another."""

    def __init__(self, turns: int, mendable: bool) -> None:
        """Play at most ``turns`` turns.

        Args:
            turns: Most actions of an episode.
            mendable: Whether a wrong action leaves the mail for another try (``hardened``); without it the wrong
                action is what was done with the mail, and the next one comes (``classic``).
        """
        self._turns = turns
        self._mendable = mendable
        self._task: RoutingTask | None = None
        self._turns_played = 0
        self._facts = RoutingFacts()

    @property
    def facts(self) -> RoutingFacts:
        """What happened so far."""
        return self._facts

    def opening(self, task: RoutingTask, seed: int) -> dict[str, Any]:  # noqa: ARG002 (nothing is drawn)
        """Show the first mail."""
        self._task = task
        self._turns_played = 0
        self._facts = RoutingFacts(levels_from(task.start))
        return self._next_mail()

    def play(self, action: Action) -> Outcome:
        """Take what is done with the mail that was shown last."""
        self._turns_played += 1
        call = read_call(action, TOOLS, EXAMPLE_CALL)
        if isinstance(call, BadCall):
            self._facts.bad_calls += 1
            if self._mendable:
                again = {"kind": "error", "error": call.error, "metadata": self._metadata()}
                return self._outcome(again, over=False)
            self._facts.handled.append(Handled(None, wrong=True))
            return self._go_on({"kind": "error", "error": call.error})
        decision = call.arguments
        self._facts.handled.append(Handled(decision if isinstance(decision, Triage) else None))
        return self._go_on({})

    def public_state(self) -> dict[str, Any]:
        """Tell which of the three tasks is on, and how many mails were handled."""
        return {"mails_handled": len(self._facts.handled), "metadata": self._metadata()}

    def _go_on(self, told: Mapping[str, Any]) -> Outcome:
        over = len(self._facts.handled) == len(self._facts.levels)
        observation = {"kind": "end", "email": "", "metadata": self._metadata()} if over else self._next_mail()
        return self._outcome({**observation, **told}, over)

    def _outcome(self, observation: dict[str, Any], over: bool) -> Outcome:
        if over:
            return Outcome(observation, terminated=True, stop_reason="all_handled")
        if self._turns_played >= self._turns:
            return Outcome(observation, truncated=True, stop_reason="out_of_turns")
        return Outcome(observation)

    def _next_mail(self) -> dict[str, Any]:
        assert self._task is not None
        email = self._task.emails[len(self._facts.handled)]
        return {"kind": "mail", "task_id": self._task.id, "email": email, "metadata": self._metadata()}

    def _metadata(self) -> dict[str, Any]:
        """Return the document's metadata: which of the three tasks, what it asks, how many steps were taken."""
        levels = self._facts.levels
        level = levels[min(len(self._facts.handled), len(levels) - 1)]
        return {"task_id": level.task_id, "instruction": level.instruction, "steps_taken": self._turns_played}
