"""Mail search: a question about one mailbox, tools to search, read and answer (document 000, ART·E).

``FIND`` is its task kind in which the answer is the mail itself.
"""

from typing import Any

from mailgym.core.errors import UserError
from mailgym.core.protocols import Environment
from mailgym.envs.base import DEFAULT_PROFILE, TaskSet, WorldEnvironment, check_profile
from mailgym.envs.registry import EnvSpec
from mailgym.envs.search.players import HEURISTICS, cheats, players
from mailgym.envs.search.prompt import SearchPrompt, render
from mailgym.envs.search.rubric import FULL_PRICES, FullRubric, OneTurnRubric, SearchFacts
from mailgym.envs.search.schema import tools
from mailgym.envs.search.tasks import SearchKey, SearchTask, load_tasks, secrets
from mailgym.envs.search.world import SearchWorld, rules_for

FULL_TURNS = 10


def make_find(
    tasks: TaskSet[SearchTask, SearchKey],
    profile: str = DEFAULT_PROFILE,
    turns: int | None = None,
    milestone_weight: float = 0.0,
) -> Environment:
    """Return the environment ``find``.

    Args:
        tasks: The questions and their keys.
        profile: ``classic`` or ``hardened``: docs/search.md has both.
        turns: 1 (the default) for the one-turn form; more for the full form.
        milestone_weight: Full form: credit for finding and for reading the right mail; 0, the default, for
            none.

    Raises:
        UserError: An unknown profile, fewer than one turn, or milestones in the one-turn form.
    """
    check_profile(profile)
    chosen_turns = FIND.turns(turns)
    world = SearchWorld(tasks.folder, rules_for(profile, chosen_turns), tools(chosen_turns))
    if chosen_turns == 1:
        if milestone_weight:
            raise UserError("the one-turn form has no milestones: ask for more turns or leave milestone_weight at 0")
        return WorldEnvironment[Any, Any, SearchFacts](world, tasks, OneTurnRubric())
    rubric = FullRubric(FULL_PRICES[profile], milestone_weight)
    return WorldEnvironment[Any, Any, SearchFacts](world, tasks, rubric)


FIND = EnvSpec(
    id="find",
    title="find the mail that answers a question about one mailbox",
    system="000 ART·E",
    turn_forms=(1, FULL_TURNS),
    load_tasks=load_tasks,
    make=make_find,
    prompt=SearchPrompt,
    tools=tools,
    null_action={"name": "return_final_answer", "arguments": {"answer": "", "sources": []}},
    players=players,
    heuristics=HEURISTICS,
    cheats=cheats,
    secrets=secrets,
    render=render,
)
