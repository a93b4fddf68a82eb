"""Every action that a template writes is valid, and says what its recipe says."""

from typing import Annotated, Literal

import pytest
from pydantic import Field

from mailgym.core.seeds import stream
from mailgym.envs.calls import GoodCall, ToolArguments, read_call
from mailgym.envs.registry import all_specs
from mailgym.evaluate.templates.reading import Reading
from mailgym.evaluate.templates.recipe import Recipe
from mailgym.evaluate.templates.slots import BACKWARD, EVERY, FORWARD, IN_TURN, Grammar, Template

SEEN = Reading(
    sender="Dana Whitfield",
    owner="Maya Lind",
    subject="Harbour invoice",
    text="Invoice 17 is due. Can you pay it?",
    ids=("a", "b", "c"),
    items=({"id": "a", "text": "First mail."}, {"id": "b", "text": "Second mail."}),
)


class Decision(ToolArguments):
    email_id: str
    label: Literal["spam", "work"]
    rank: int = Field(ge=1, le=5)
    draft: str | None = None


class Decide(ToolArguments):
    decisions: list[Decision] = Field(max_length=20)
    tags: list[Literal["x", "y", "z"]] = Field(default_factory=list)
    words: list[Annotated[str, Field(max_length=8)]] = Field(default_factory=list)
    sure: bool = True
    weight: float = Field(default=1.0, ge=0.0, le=10.0)
    fixed: Literal["only"] = "only"


class Skip(ToolArguments):
    pass


TOOLS: dict[str, type[ToolArguments]] = {"decide": Decide, "skip": Skip}
FILLINGS = {
    "decide.decisions": EVERY,
    "decide.decisions[].email_id": Recipe(from_ids=True),
    "decide.decisions[].label": "spam",
    "decide.decisions[].rank": FORWARD,
    "decide.decisions[].draft?": True,
    "decide.decisions[].draft|": 0,
    "decide.decisions[].draft|0": Recipe(("{casual greeting}", "{first sentence}", "{signature}")),
    "decide.tags?": True,
    "decide.tags": EVERY,
    "decide.tags[]": "x",
    "decide.words?": True,
    "decide.words": EVERY,
    "decide.words[]": Recipe(("{subject}",), ("budget",)),
    "decide.sure?": True,
    "decide.sure": False,
    "decide.weight?": False,
    "decide.weight": 1.0,
    "decide.fixed?": True,
}


def written(**changes: object) -> dict[str, object]:
    fillings = {**FILLINGS, **changes}
    action = Grammar(TOOLS).action(Template(("decide",), fillings), SEEN, 0)
    assert isinstance(read_call(action, TOOLS, "write it"), GoodCall)
    arguments = action["arguments"]
    assert isinstance(arguments, dict)
    return arguments


def test_an_item_for_each_mail_seen() -> None:
    arguments = written()
    assert arguments["decisions"] == [
        {"email_id": "a", "label": "spam", "rank": 1, "draft": "Hi Dana,\nFirst mail.\nBest regards,\nMaya Lind"},
        {"email_id": "b", "label": "spam", "rank": 2, "draft": "Hi Dana,\nSecond mail.\nBest regards,\nMaya Lind"},
    ]


def test_lists_of_labels_and_of_words() -> None:
    arguments = written()
    assert arguments["tags"] == ["x", "y", "z"], "all labels at once"
    assert arguments["words"] == ["Harbour", "invoice", "budget"]
    assert written(**{"decide.words": 2})["words"] == ["Harbour", "invoice"]
    assert written(**{"decide.words[]": Recipe(from_ids=True)})["words"] == ["a", "b", "c"]


def test_what_is_left_out_and_what_is_fixed() -> None:
    arguments = written()
    assert (arguments["sure"], arguments["fixed"]) == (False, "only")
    assert "weight" not in arguments
    nothing = written(**{"decide.decisions[].draft|": 1})["decisions"]
    assert isinstance(nothing, list)
    assert nothing[0]["draft"] is None


def test_ranks_from_the_end_and_all_equal() -> None:
    for rank, expected in ((BACKWARD, [2, 1]), (3, [3, 3])):
        decisions = written(**{"decide.decisions[].rank": rank})["decisions"]
        assert isinstance(decisions, list)
        assert [one["rank"] for one in decisions] == expected


def test_labels_in_turn() -> None:
    decisions = written(**{"decide.decisions[].label": IN_TURN})["decisions"]
    assert isinstance(decisions, list)
    assert [one["label"] for one in decisions] == ["spam", "work"]


def test_the_plan_goes_on_with_its_last_tool() -> None:
    grammar = Grammar(TOOLS)
    template = Template(("skip", "decide"), FILLINGS)
    assert [grammar.action(template, SEEN, turn)["name"] for turn in range(4)] == ["skip", "decide", "decide", "decide"]
    assert grammar.labels == ["spam", "work", "x", "y", "z"]


def test_a_template_is_told_in_words() -> None:
    told = Grammar(TOOLS).describe(Template(("decide",), FILLINGS))
    assert told["decide.decisions"] == "as many as there are"
    assert told["decide.decisions[].email_id"] == "an id seen, or else: nothing"
    assert told["decide.words[]"] == "{subject} {keywords: budget}"
    assert "decide.weight" not in told
    assert Grammar(TOOLS).describe(Template(("skip",), FILLINGS)) == {}
    none = Grammar(TOOLS).describe(Template(("decide",), {**FILLINGS, "decide.words": 0}))
    assert "decide.words[]" not in none


def test_a_recipe_repeats_and_is_cut() -> None:
    recipe = Recipe(("yes",), ("a", "b"), repeats=2, most_words=5)
    assert recipe.write(SEEN) == "yes a b yes a"
    assert str(recipe) == "yes {keywords: a b}, 2 times, cut to 5 words"
    assert Recipe(from_ids=True).write(SEEN, 4) == "b"
    assert Recipe(("no",), from_ids=True).write(Reading()) == "no"


@pytest.mark.parametrize("env_id", [spec.id for spec in all_specs()])
def test_drawn_and_changed_templates_are_valid_actions_everywhere(env_id: str) -> None:
    """Whatever the optimiser draws for an environment, its tools take: a trial is never lost on a wrong type."""
    spec = next(spec for spec in all_specs() if spec.id == env_id)
    draw = stream(3, env_id)
    for turns in spec.turn_forms:
        tools = spec.tools(turns)
        grammar = Grammar(tools)
        slots = [slot for some in grammar.slots.values() for slot in some]
        fillings = {slot.path: slot.draw(["budget", "meeting"], draw) for slot in slots}
        for _ in range(60):
            for slot in draw.sample(slots, min(3, len(slots))):
                fillings[slot.path] = slot.change(fillings[slot.path], ["budget", "meeting"], draw)
            for tool in grammar.tools:
                action = grammar.action(Template((tool,), fillings), SEEN, 0)
                tools[tool].model_validate(action["arguments"])


def test_a_schema_that_nobody_taught_it_is_refused() -> None:
    class Odd(ToolArguments):
        pair: tuple[int, str]

    with pytest.raises(ValueError, match=r"teach evaluate/templates/slots\.py"):
        Grammar({"odd": Odd})
