"""Read one mail, then answer it: classify, and draft the reply (document 001, PersonalMail-RL)."""

from typing import Any

from mailgym.core.clock import Clock
from mailgym.core.errors import UserError
from mailgym.core.protocols import Environment
from mailgym.envs.base import DEFAULT_PROFILE, TaskSet, WorldEnvironment, check_profile
from mailgym.envs.registry import EnvSpec
from mailgym.envs.reply.attacks import attacks_in
from mailgym.envs.reply.dialect import reply_dialect
from mailgym.envs.reply.figures import REPLY_FIGURES
from mailgym.envs.reply.players import HEURISTICS, cheats, players
from mailgym.envs.reply.prompt import ReplyPrompt, render
from mailgym.envs.reply.rubric import ClassicRubric, HardenedRubric, ReplyFacts
from mailgym.envs.reply.rubric.classic import STEP_1
from mailgym.envs.reply.schema import TOOLS
from mailgym.envs.reply.tasks import SPLITS, ReplyKey, ReplyTask, load_tasks, secrets
from mailgym.envs.reply.world import STEPS, ReplyWorld, Rules

MOST_CALLS = 4
"""Two steps, and two wrong calls that can be mended (``hardened``)."""


def make_reply(
    tasks: TaskSet[ReplyTask, ReplyKey],
    profile: str = DEFAULT_PROFILE,
    turns: int | None = None,
    clock: Clock | None = None,
) -> Environment:
    """Return the environment ``reply``.

    Args:
        tasks: The mails and their keys.
        profile: ``classic`` or ``hardened``: docs/reply.md has both.
        turns: Most calls of an episode, 4 by default, at least 2. ``classic`` never takes more than its two steps.
        clock: Ends an episode 120 s after its reset. None, the default and what training takes, for no limit.

    Raises:
        UserError: An unknown profile, or fewer than two turns.
    """
    check_profile(profile)
    chosen = REPLY.turns(turns)
    if chosen < STEPS:
        raise UserError(f"{chosen} turn: a mail is classified and then answered, so ask for at least {STEPS}")
    world = ReplyWorld(Rules(chosen, mend=profile == "hardened"), clock)
    rubric = ClassicRubric() if profile == "classic" else HardenedRubric()
    return WorldEnvironment[Any, Any, ReplyFacts](world, tasks, rubric)


REPLY = EnvSpec(
    id="reply",
    title="classify one mail, then draft the reply that it needs",
    system="001 PersonalMail-RL",
    turn_forms=(MOST_CALLS,),
    load_tasks=load_tasks,
    make=make_reply,
    prompt=ReplyPrompt,
    tools=lambda turns: TOOLS,  # noqa: ARG005 (the same whatever the turns)
    null_action={"name": "skip", "arguments": {}},
    players=players,
    heuristics=HEURISTICS,
    cheats=cheats,
    secrets=secrets,
    render=render,
    figures=REPLY_FIGURES,
    splits=SPLITS,
    needs_mail=False,
    dialect=reply_dialect,
    wrong_rewards={"classic": STEP_1},
    attacks=attacks_in,
)
