"""Mail search: a question about one mailbox, tools to search, read and answer (document 000, ART·E).

``FIND`` is its task kind in which the answer is the mail itself; in ``SEARCH`` the answer counts.
"""

from typing import Any, Literal

from mailgym.core.errors import UserError
from mailgym.core.protocols import Environment
from mailgym.envs.base import DEFAULT_PROFILE, TaskSet, WorldEnvironment, check_profile
from mailgym.envs.registry import EnvSpec
from mailgym.envs.search.attacks import attacks_in
from mailgym.envs.search.players import (
    ANSWER_HEURISTICS,
    HEURISTICS,
    answer_cheats,
    answer_players,
    cheats,
    players,
)
from mailgym.envs.search.prompt import AnswerPrompt, NativeAnswerPrompt, SearchPrompt, render
from mailgym.envs.search.published import ANSWER_FIGURES, ART_E
from mailgym.envs.search.rubric import (
    FULL_PRICES,
    AnswerRubric,
    BandedRubric,
    FullRubric,
    HardenedRubric,
    OneTurnRubric,
    SearchFacts,
    SimpleRubric,
)
from mailgym.envs.search.schema import TOOLS, tools
from mailgym.envs.search.tasks import SearchKey, SearchTask, load_answer_tasks, load_tasks, secrets
from mailgym.envs.search.world import SearchWorld, answer_rules_for, rules_for

FULL_TURNS = 10
NULL_ACTION = {"name": "return_final_answer", "arguments": {"answer": "", "sources": []}}
Reward = Literal["banded", "simple", "hardened"]
REWARD_OF_PROFILE: dict[str, Reward] = {"classic": "banded", "hardened": "hardened"}


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


def make_search(
    tasks: TaskSet[SearchTask, SearchKey],
    profile: str = DEFAULT_PROFILE,
    turns: int | None = None,
    reward: Reward | None = None,
) -> Environment:
    """Return the environment ``search``.

    Args:
        tasks: The questions and their keys.
        profile: ``classic`` or ``hardened``: docs/search.md has both.
        turns: Most turns of an episode, 10 by default.
        reward: ``banded`` (the profile ``classic``), ``hardened``, or ``simple``: 1 for a right answer, nothing else
            counts. None takes the profile's own.

    Raises:
        UserError: An unknown profile or reward, or fewer than one turn.
    """
    check_profile(profile)
    chosen_turns = SEARCH.turns(turns)
    rubrics: dict[str, AnswerRubric] = {
        "banded": BandedRubric(chosen_turns),
        "simple": SimpleRubric(),
        "hardened": HardenedRubric(),
    }
    chosen = reward or REWARD_OF_PROFILE[profile]
    if chosen not in rubrics:
        raise UserError(f"no reward {chosen!r}: choose one of {', '.join(rubrics)}")
    world = SearchWorld(tasks.folder, answer_rules_for(profile, chosen_turns))
    return WorldEnvironment[Any, Any, SearchFacts](world, tasks, rubrics[chosen])


FIND = EnvSpec(
    id="find",
    title="find the mail that answers a question about one mailbox",
    system="000 ART·E",
    turn_forms=(1, FULL_TURNS),
    load_tasks=load_tasks,
    make=make_find,
    prompt=SearchPrompt,
    tools=tools,
    null_action=NULL_ACTION,
    players=players,
    heuristics=HEURISTICS,
    cheats=cheats,
    secrets=secrets,
    render=render,
)
SEARCH = EnvSpec(
    id="search",
    title="answer a question about one mailbox, citing the mails that say so",
    system="000 ART·E",
    turn_forms=(FULL_TURNS,),
    load_tasks=load_answer_tasks,
    make=make_search,
    prompt=AnswerPrompt,
    tools=lambda turns: TOOLS,  # noqa: ARG005 (the same whatever the turns)
    null_action=NULL_ACTION,
    players=answer_players,
    heuristics=ANSWER_HEURISTICS,
    cheats=answer_cheats,
    secrets=secrets,
    render=render,
    native_prompt=NativeAnswerPrompt,
    null_rewards={"classic": 0.1},
    figures=ANSWER_FIGURES,
    published=ART_E,
    simulated_size="full",
    attacks=attacks_in,
)
