"""The oracle of `inbox`: it knows the keys, and looks up what an honest agent would have to look up."""

from collections.abc import Mapping, Sequence
from typing import Any

from mailgym.core.episode import Decision, Turn
from mailgym.envs.inbox.office import speaks_of
from mailgym.envs.inbox.schema import FIELDS_OF_LEVEL
from mailgym.envs.inbox.tasks import InboxKey, InboxTask, Labels, Mail
from mailgym.envs.playing import call


class Oracle:
    """Decides every mail as its key says.

    It is there to be imitated as well. So where the decision hangs on the back office it looks there first (and pays
    for it), by an id that the mail names, or by the sender. In ``classic``, where a look-up goes with the decision, it
    names the one that fits the mail.
    """

    name = "oracle"

    def __init__(self, tasks: Mapping[str, InboxTask], keys: Mapping[str, InboxKey]) -> None:
        """Take the tasks, whose back office it reads ids from, and the keys."""
        self._tasks, self._keys = tasks, keys

    def act(self, turns: Sequence[Turn]) -> list[Decision]:
        """Decide each turn's mail, or look up what it hangs on."""
        return [self._play(turn.observation) for turn in turns]

    def _play(self, observation: Mapping[str, Any]) -> Decision:
        task, key = self._tasks[observation["task_id"]], self._keys[observation["task_id"]]
        number = len(task.mails) - observation["remaining_emails"]
        mail, right = task.mails[number], key.right[number]
        wanted = FIELDS_OF_LEVEL[task.level]
        given = {name: getattr(right, name) for name in wanted}
        asked = _tool_input(task, mail, right) if right.fitting_tool else None
        if "look_up" not in observation["tools"]:
            tool = {"use_tool": right.fitting_tool, "tool_input": asked} if right.fitting_tool else {}
            return call("decide", {**given, **tool})
        is_known = observation["tool_result"] is not None
        can_wait = observation["turns_left"] > observation["remaining_emails"]
        if right.needs_tool and len(wanted) > 1 and not is_known and can_wait:
            return call("look_up", {"tool": right.fitting_tool, "tool_input": asked})
        return call("decide", given)


def _tool_input(task: InboxTask, mail: Mail, right: Labels) -> dict[str, str]:
    """Return the id in the mail's text by which the fitting tool finds something; the sender's address otherwise."""
    keys = [
        key for record in task.records if record.tool == right.fitting_tool for key in record.keys if "@" not in key
    ]
    named = [key for key in keys if speaks_of(f"{mail.subject}\n{mail.email_text}", (key.lower(),))]
    return {"id": named[0]} if named else {}
