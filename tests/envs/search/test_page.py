"""docs/search.md names what there is, no more and no less, with the prices of the code."""

import re
from pathlib import Path

from mailgym.envs.base import TaskSet
from mailgym.envs.registry import get_spec
from mailgym.envs.search.rubric import (
    FULL_PRICES,
    ONE_TURN_PRICES,
    BandedRubric,
    FullRubric,
    HardenedRubric,
    OneTurnRubric,
    SearchFacts,
)
from mailgym.envs.search.rubric.classic import BANDS, FEW_SOURCES, FEW_TURNS, PARTIAL, RIGHT_SOURCE
from mailgym.envs.search.rubric.hardened import KNEW_NOT, PRICES, RIGHT, SOURCES, UNSURE, WRONG
from mailgym.envs.search.schema import TOOLS
from mailgym.envs.search.tasks import SearchKey, SearchTask

PAGE = (Path(__file__).parents[3] / "docs" / "search.md").read_text(encoding="utf-8")


def _first_column(heading: str) -> set[str]:
    section = PAGE.split(f"\n{heading}\n")[1].split("\n#")[0]
    return set(re.findall(r"^\| `(\w+)` \|", section, re.MULTILINE))


def _section(heading: str) -> str:
    return PAGE.split(f"\n{heading}\n")[1].split("\n#")[0]


def test_tools_and_arguments() -> None:
    assert _first_column("## The tools") == set(TOOLS)
    for model in TOOLS.values():
        for argument in model.model_fields:
            assert f"`{argument}`" in PAGE


def test_players_and_cheats(small_tasks: TaskSet[SearchTask, SearchKey]) -> None:
    spec = get_spec("find")
    assert _first_column("## Who plays without a model") == {"null", "random", *spec.players(small_tasks)}
    assert _first_column("## The cheats") == set(spec.cheats(small_tasks, 10))
    for name in set(spec.cheats(small_tasks, 10)) - set(spec.cheats(small_tasks, 1)):
        (row,) = re.findall(rf"^\| `{name}` \|.*$", _section("## The cheats"), re.MULTILINE)
        assert row.endswith("(full form) |")


def test_metrics_and_prices() -> None:
    key = SearchKey("q", "t", "m", "single", ("a",))
    for rubric in (FullRubric(), OneTurnRubric()):
        for part in rubric.score(SearchFacts(), key).parts:
            assert f"`{part.name}`" in PAGE
    metrics = {part.name for part in FullRubric().score(SearchFacts(), key).parts if part.weight == 0.0}
    assert _first_column("### Metrics") == metrics
    (bad, turn, repeat) = (
        re.findall(rf"^\| {row}.*$", PAGE, re.MULTILINE)[0] for row in ("a bad call", "a turn", "a call")
    )
    full = FULL_PRICES["hardened"]
    assert f"−{ONE_TURN_PRICES.bad_call:g}" in bad
    assert f"−{full.bad_call:g}" in bad
    assert f"−{full.extra_turn:g}" in turn
    assert f"−{full.repeated_call:g} (`hardened` only)" in repeat
    assert (FULL_PRICES["classic"].repeated_call, ONE_TURN_PRICES.repeated_call) == (0.0, 0.0)
    assert FULL_PRICES["classic"].bad_call == full.bad_call


def test_players_and_cheats_of_search(search_tasks: TaskSet[SearchTask, SearchKey]) -> None:
    spec = get_spec("search")
    players = _first_column("### Who plays `search` without a model")
    assert players == {"null", "random", *spec.players(search_tasks)}
    assert _first_column("### The cheats of `search`") == set(spec.cheats(search_tasks, 10))


def test_metrics_of_search() -> None:
    key = SearchKey("q", "t", "m", "single", ("a",), "Yes", {}, "Is it?", "yes_no")
    shared = {part.name for part in BandedRubric(10).score(SearchFacts(), key).parts}
    shared &= {part.name for part in HardenedRubric().score(SearchFacts(), key).parts}
    assert _first_column("### Metrics of `search`") == shared


def _written(number: float) -> str:
    return f"{number:g}".replace("-", "−")


def test_bands_and_prices_of_search() -> None:
    bands = _section("### The bands of `classic`")
    column = re.findall(r"^\|[^|]+\| ([−\d.]+) \|", bands, re.MULTILINE)
    assert column == [_written(band) for band in BANDS.values()]
    assert f"+ {RIGHT_SOURCE:g} if a right" in bands
    assert f"+ {FEW_SOURCES:g} ÷ number" in bands
    assert f"+ {FEW_TURNS:g} · (1 − turns" in bands
    assert f"Partial credits are {PARTIAL:g} each" in bands
    hardened = _section("### The reward of `hardened`")
    for row, price in (
        ("a wrong answer", WRONG),
        ("an answer that the matcher cannot tell, without a judge", UNSURE),
        ("a bad call", -PRICES.bad_call),
        ("a turn after the first", -PRICES.extra_turn),
        ("a call made before, word for word", -PRICES.repeated_call),
    ):
        assert f"| {row} | {_written(price)} |" in hardened
    assert f"| the right answer | {RIGHT:g}, and {SOURCES:g} · F1" in hardened
    assert re.search(rf"after a search \| {KNEW_NOT:g} \|", hardened)
