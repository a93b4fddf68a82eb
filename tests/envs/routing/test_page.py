"""docs/routing.md names what there is, with the prices and numbers of the code."""

import re
from pathlib import Path

from mailgym.envs.drawn import OWN_TASKS
from mailgym.envs.registry import get_spec
from mailgym.envs.routing.phrasebook import read_phrasebook
from mailgym.envs.routing.prompt import MAX_SHOWN_CHARS
from mailgym.envs.routing.rubric import classic
from mailgym.envs.routing.rubric.hardened import BAD_CALL, WEIGHTS, label_worth
from mailgym.envs.routing.schema import DEPARTMENTS, LABELS, LEVELS, MAX_REPLY_CHARS, MAX_SUMMARY_CHARS, TOOLS
from mailgym.envs.routing.tasks import load_tasks

PAGE = (Path(__file__).parents[3] / "docs" / "routing.md").read_text(encoding="utf-8")


def _section(heading: str) -> str:
    return PAGE.split(f"\n{heading}\n")[1].split("\n#")[0]


def _rows(heading: str) -> list[list[str]]:
    lines = [line for line in _section(heading).splitlines() if line.startswith("| ") and not line.startswith("| ---")]
    rows = [line.strip("|").split("|") for line in lines]
    return [[cell.strip() for cell in row] for row in rows]


def _first_column(heading: str) -> list[str]:
    return [row[0].strip("`") for row in _rows(heading) if row[0].startswith("`")]


def test_tasks_labels_departments_and_tools() -> None:
    for level in LEVELS:
        assert f"| `{level.task_id}` | {level.difficulty} |" in PAGE
    assert set(_first_column("## Labels and departments")) == set(LABELS)
    assert all(f"`{department}`" in _section("## Labels and departments") for department in DEPARTMENTS)
    assert _first_column("## What an agent sees and does") == list(TOOLS)
    for limit in (MAX_SUMMARY_CHARS, MAX_REPLY_CHARS, MAX_SHOWN_CHARS):
        assert f"{limit:,}" in _section("## What an agent sees and does")


def test_prices_of_classic() -> None:
    prices = [row[2] for row in _rows("### `classic`")[1:]]
    assert prices == [
        f"{classic.LABEL:.2f}",
        f"{classic.CONFUSED:.2f}",
        f"{classic.SUMMARY:.2f}",
        f"up to {classic.REPLY:.2f}",
        f"{classic.ANY_REPLY:.2f}",
        f"{classic.DEPARTMENT:.2f}",
    ]
    assert f"clip({classic.BASE} + " in _section("### `classic`")
    assert f"{classic.FLOOR}, {classic.CEILING})" in _section("### `classic`")


def test_prices_of_hardened() -> None:
    rows = {row[0].split(" ")[0]: row[1:] for row in _rows("### `hardened`")[1:]}
    for name, cells in rows.items():
        wanted = [getattr(WEIGHTS[level.difficulty], name) for level in LEVELS]
        assert [0.0 if cell == "–" else float(cell) for cell in cells] == wanted
    assert set(rows) == {"label", "department", "summary", "reply"}
    assert {round(label_worth("spam", WEIGHTS[difficulty]), 9) for difficulty in ("medium", "hard")} == {0.8}
    assert "`spam` (0.80 in the medium and the hard task)" in " ".join(PAGE.split())
    assert f"A wrong action costs {BAD_CALL}" in PAGE


def test_numbers_of_the_splits() -> None:
    for row in _rows("## Where the mails come from")[1:]:
        split = row[0].strip("`")
        tasks = load_tasks(OWN_TASKS, split)
        assert int(row[2]) == len(tasks)
        assert int(row[3]) == len({key.mailbox for key in tasks.keys.values()})
        if split != "bank":
            assert int(row[1]) == sum(len(trio.mails) for trio in read_phrasebook(split).trios)


def test_players_and_cheats() -> None:
    spec = get_spec("routing")
    tasks = load_tasks(OWN_TASKS, "bank")
    assert _first_column("## Who plays without a model") == ["null", "random", *spec.players(tasks)]
    named = set(re.findall(r"^\| `(\w+)` \|", _section("## The cheats"), re.MULTILINE))
    assert named <= set(spec.cheats(tasks, 6))
