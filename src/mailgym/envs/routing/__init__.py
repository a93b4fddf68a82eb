"""Label, summarise, reply, route: one mail a step, three tasks in a row (document 004)."""

from typing import Any

from mailgym.core.protocols import Environment
from mailgym.envs.base import DEFAULT_PROFILE, TaskSet, WorldEnvironment, check_profile
from mailgym.envs.registry import EnvSpec
from mailgym.envs.routing.dialect import routing_dialect
from mailgym.envs.routing.players import HEURISTICS, cheats, players
from mailgym.envs.routing.prompt import RoutingPrompt, render
from mailgym.envs.routing.published import FIGURES, PUBLISHED
from mailgym.envs.routing.rubric import ClassicRubric, HardenedRubric
from mailgym.envs.routing.rubric.classic import FLOOR
from mailgym.envs.routing.schema import TOOLS
from mailgym.envs.routing.tasks import SPLITS, RoutingKey, RoutingTask, load_tasks, secrets
from mailgym.envs.routing.world import RoutingFacts, RoutingWorld

TURNS = 6
"""Two for each mail: one wrong action can be mended everywhere."""
NULL_ACTION = {"name": "skip", "arguments": {}}


def make(
    tasks: TaskSet[RoutingTask, RoutingKey], profile: str = DEFAULT_PROFILE, turns: int | None = None
) -> Environment:
    """Return the environment ``routing``.

    Args:
        tasks: The episodes and their keys.
        profile: ``classic`` or ``hardened``: docs/routing.md has both.
        turns: Most turns of an episode, 6 by default; it has one to three mails.

    Raises:
        UserError: An unknown profile, or fewer than one turn.
    """
    check_profile(profile)
    hardened = profile == "hardened"
    world = RoutingWorld(ROUTING.turns(turns), mendable=hardened)
    rubric = HardenedRubric() if hardened else ClassicRubric()
    return WorldEnvironment[Any, Any, RoutingFacts](world, tasks, rubric)


ROUTING = EnvSpec(
    id="routing",
    title="label, summarise and answer mails, and route them to departments: three tasks in a row",
    system="004 Email Triage OpenEnv (enterprise)",
    turn_forms=(TURNS,),
    load_tasks=load_tasks,
    make=make,
    prompt=RoutingPrompt,
    tools=lambda turns: TOOLS,  # noqa: ARG005 (the same whatever the turns)
    null_action=NULL_ACTION,
    players=players,
    heuristics=HEURISTICS,
    cheats=cheats,
    secrets=secrets,
    render=render,
    null_rewards={"classic": FLOOR},
    figures=FIGURES,
    published=PUBLISHED,
    splits=SPLITS,
    needs_mail=False,
    wrong_rewards={"classic": FLOOR},
    dialect=routing_dialect,
)
