"""An inbox: three to five mails decided one after another; mistakes cost what they cost in life (document 002)."""

from typing import Any

from mailgym.core.protocols import Environment
from mailgym.envs.base import DEFAULT_PROFILE, TaskSet, WorldEnvironment, check_profile
from mailgym.envs.figures import Figure
from mailgym.envs.inbox.attacks import attacks_in
from mailgym.envs.inbox.dialect import inbox_dialect
from mailgym.envs.inbox.players import HEURISTICS, players
from mailgym.envs.inbox.players.cheats import cheats
from mailgym.envs.inbox.prompt import InboxPrompt, render
from mailgym.envs.inbox.rubric import ClassicRubric, HardenedRubric, InboxFacts
from mailgym.envs.inbox.schema import TOOLS
from mailgym.envs.inbox.tasks import SPLITS, InboxKey, InboxTask, load_tasks, secrets
from mailgym.envs.inbox.world import InboxWorld
from mailgym.envs.registry import EnvSpec

TURNS = 12
"""Five mails, each looked up before it is decided, and two turns to mend a call."""


def make_inbox(
    tasks: TaskSet[InboxTask, InboxKey], profile: str = DEFAULT_PROFILE, turns: int | None = None
) -> Environment:
    """Return the environment ``inbox``.

    Args:
        tasks: The episodes and their keys.
        profile: ``classic`` or ``hardened``: docs/inbox.md has both.
        turns: Most steps of an episode, 12 by default; mails that are left when they are used up stay undecided.

    Raises:
        UserError: An unknown profile, or fewer than one turn.
    """
    check_profile(profile)
    is_classic = profile == "classic"
    world = InboxWorld(INBOX.turns(turns), looks_up_first=not is_classic)
    rubric = ClassicRubric() if is_classic else HardenedRubric()
    return WorldEnvironment[Any, Any, InboxFacts](world, tasks, rubric)


INBOX = EnvSpec(
    id="inbox",
    title="decide the mails of an inbox one after another; mistakes cost what they cost in life",
    system="002 TOKEN0",
    turn_forms=(TURNS,),
    load_tasks=load_tasks,
    make=make_inbox,
    prompt=InboxPrompt,
    tools=lambda turns: TOOLS,  # noqa: ARG005 (the same whatever the turns)
    null_action={"name": "skip", "arguments": {}},
    players=players,
    heuristics=HEURISTICS,
    cheats=cheats,
    secrets=secrets,
    render=render,
    figures=(
        Figure("reward [interval]", ("reward",), "interval", digits=3),
        Figure("category", ("category_right",), failed=0.0),
        Figure("priority", ("priority_right",), failed=0.0),
        Figure("department", ("department_right",), failed=0.0),
        Figure("action", ("action_right",), failed=0.0),
        Figure("all right", ("all_right",), failed=0.0),
        Figure("of look-up mails", ("look_up_mails_right",), failed=0.0),
        Figure("undecided", ("undecided",), better="lower"),
        Figure("turns", ("turns",), digits=1),
    ),
    splits=SPLITS,
    needs_mail=False,
    dialect=inbox_dialect,
    wrong_rewards={"classic": 0.0},
    attacks=attacks_in,
)
