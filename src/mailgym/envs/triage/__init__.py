"""An inbox to sort: 5, 8 or 12 mails at once (document 003, Email Triage OpenEnv)."""

from mailgym.core.protocols import Environment
from mailgym.envs.base import DEFAULT_PROFILE, TaskSet, check_profile
from mailgym.envs.figures import Figure
from mailgym.envs.registry import EnvSpec
from mailgym.envs.triage.attacks import attacks_in
from mailgym.envs.triage.dialect import triage_dialect
from mailgym.envs.triage.environment import TriageEnvironment
from mailgym.envs.triage.players import HEURISTICS, cheats, players
from mailgym.envs.triage.prompt import TriagePrompt, render
from mailgym.envs.triage.rubric import ClassicRubric, HardenedRubric, TriageRubric
from mailgym.envs.triage.schema import TOOLS
from mailgym.envs.triage.tasks import SPLITS, TriageKey, TriageTask, load_tasks, secrets
from mailgym.envs.triage.world import TriageWorld

FULL_TURNS = 15
"""One mail at a time, of twelve, and three more to mend."""


def make(
    tasks: TaskSet[TriageTask, TriageKey], profile: str = DEFAULT_PROFILE, turns: int | None = None
) -> Environment:
    """Return the environment ``triage``.

    Args:
        tasks: The inboxes and their keys.
        profile: ``classic`` or ``hardened``: docs/triage.md has both.
        turns: Most submissions of an episode, 15 by default; with 1 the first one counts as it is.

    Raises:
        UserError: An unknown profile, or fewer than one turn.
    """
    check_profile(profile)
    rubric: TriageRubric = ClassicRubric() if profile == "classic" else HardenedRubric()
    return TriageEnvironment(TriageWorld(TRIAGE.turns(turns)), tasks, rubric)


TRIAGE = EnvSpec(
    id="triage",
    title="sort an inbox: category, priority and action of every mail, and drafts",
    system="003 Email Triage OpenEnv",
    turn_forms=(FULL_TURNS, 1),
    load_tasks=load_tasks,
    make=make,
    prompt=TriagePrompt,
    tools=lambda turns: TOOLS,  # noqa: ARG005 (the same whatever the turns)
    null_action={"name": "submit", "arguments": {"email_actions": [], "done": False}},
    players=players,
    heuristics=HEURISTICS,
    cheats=cheats,
    secrets=secrets,
    render=render,
    figures=(
        Figure("reward", ("reward",), "interval", failed=0.0),
        Figure("classification", ("classification",)),
        Figure("ranking", ("ranking",)),
        Figure("action", ("action",)),
        Figure("response", ("response",)),
        Figure("decided", ("decided_share",)),
        Figure("turns", ("turns",), digits=1),
    ),
    splits=SPLITS,
    needs_mail=False,
    dialect=triage_dialect,
    wrong_rewards={"classic": 0.0},
    log_name="email-triage",
    attacks=attacks_in,
)
