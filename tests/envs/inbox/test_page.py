"""docs/inbox.md names what there is, with the numbers of the code."""

import re
from pathlib import Path

from mailgym.envs.inbox import INBOX, TURNS
from mailgym.envs.inbox.bank import BANK_SEEDS, forms
from mailgym.envs.inbox.generate import EPISODES_OF_LEVEL
from mailgym.envs.inbox.letters import read_book
from mailgym.envs.inbox.prompt import MAX_SHOWN_MAIL_CHARS
from mailgym.envs.inbox.rubric import (
    BAD_CALL_PRICE,
    FAR_CATEGORY,
    IMPORTANT_AS_SPAM,
    LOOK_UP_PRICE,
    NEAR,
    SPAM_AS_IMPORTANT,
    STEP_PRICE,
    TOOL_BONUS,
    URGENT_MISSED,
    WEIGHTS,
    ClassicRubric,
    HardenedRubric,
    InboxFacts,
)
from mailgym.envs.inbox.schema import CATEGORIES, FIELDS_OF_LEVEL, OFFICE_TOOLS, TOOLS
from mailgym.envs.inbox.tasks import MAILS_OF_LEVEL, SPLITS, InboxKey, Labels, load_tasks

PAGE = (Path(__file__).parents[3] / "docs" / "inbox.md").read_text(encoding="utf-8")


def row(start: str) -> list[str]:
    (line,) = re.findall(rf"^\| {re.escape(start)} \|.*$", PAGE, re.MULTILINE)
    return [cell.strip() for cell in line.strip("|").split("|")][1:]


def section(heading: str) -> str:
    return PAGE.split(f"\n{heading}\n")[1].split("\n#")[0]


def first_column(heading: str) -> list[str]:
    return re.findall(r"^\| `([\w-]+)` \|", section(heading), re.MULTILINE)


def test_tools_categories_and_tasks() -> None:
    assert first_column("## What an agent sees and does") == list(TOOLS)
    assert set(first_column("## How a mail is decided")) == set(CATEGORIES)
    for argument in (name for model in TOOLS.values() for name in model.model_fields):
        assert f"`{argument}`" in PAGE
    assert all(f"`{tool}`" in PAGE for tool in OFFICE_TOOLS)
    for level, name in ((1, "1, easy"), (2, "2, medium"), (3, "3, hard")):
        assert row(name) == [str(MAILS_OF_LEVEL[level]), ", ".join(FIELDS_OF_LEVEL[level])]
    assert f"at most {TURNS} steps" in PAGE
    assert f"up to {MAX_SHOWN_MAIL_CHARS:,} characters" in PAGE


def test_the_classic_table_has_the_codes_numbers() -> None:
    for field in FIELDS_OF_LEVEL[3]:
        weights = [WEIGHTS[level][field] for level in (1, 2, 3)]
        assert row(f"{field} right") == [f"{weight:g}" if weight else "–" for weight in weights]
    assert row("any other wrong category") == [f"−{-FAR_CATEGORY:g}"] * 3
    for name, price in (
        ("`high` priority not seen", URGENT_MISSED),
        ("spam taken for something else", SPAM_AS_IMPORTANT),
        ("something else taken for spam", IMPORTANT_AS_SPAM),
    ):
        assert row(name) == ["–", f"−{price:g}", f"−{price:g}"]
    assert row("the number of the step") == [f"−{STEP_PRICE:g} each"] * 3
    assert row("a look-up that fits the mail") == [f"+{TOOL_BONUS:g}"] * 3
    near = " ".join(section("### `classic`").split())
    for pair, share in NEAR.items():
        one, other = pair
        assert f"{one} and {other} {share:g}" in near or f"{other} and {one} {share:g}" in near


def test_parts_and_metrics_of_both_profiles() -> None:
    right = Labels("spam", "low", "ignore", "archive", needs_tool=True)
    key = InboxKey("t", "template", "us", "task 3", 3, (right,), ("a/b",))
    for rubric in (ClassicRubric(), HardenedRubric()):
        for part in rubric.score(InboxFacts(), key).parts:
            assert f"`{part.name}`" in PAGE
    assert row("`look_ups`") == [f"−{LOOK_UP_PRICE:g} each, of the episode's reward"]
    assert row("`bad_calls`") == [f"−{BAD_CALL_PRICE:g} each, of the episode's reward"]


def test_splits_and_their_sizes() -> None:
    assert first_column("## The tasks") == list(SPLITS)
    for split, counts in EPISODES_OF_LEVEL.items():
        assert row(f"`{split}`") == [str(sum(counts.values())), f"{len(read_book(split).templates)} templates"]
    for split in ("bank", "bank-alone"):
        assert row(f"`{split}`")[0] == str(len(load_tasks(Path("own"), split)))
    assert f"{len(forms())} mails written by hand, seeds {BANK_SEEDS[0]} to {BANK_SEEDS[-1]}" in PAGE


def test_players() -> None:
    tasks = load_tasks(Path("own"), "validation", 2, 0)
    assert first_column("## Who plays without a model") == ["null", "random", *INBOX.players(tasks)]
