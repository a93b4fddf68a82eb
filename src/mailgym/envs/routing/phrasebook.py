"""The hand-written templates of `routing` and the words that fill them, read from the files in ``data/``.

``data/<split>-<number>.toml`` holds a split's templates in threes (``[[trio]]``), and ``data/words.toml`` the people,
companies and other words of each split: no template, name, company or product is in two splits. ``data/bank.toml``
holds the bank, which is written out in full.
"""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Any, cast

from mailgym.envs.routing.mails import MailTemplate, Owner
from mailgym.envs.routing.schema import LEVELS, Department, Label

BANK_OWNER = Owner("Jordan", "Reyes", "Halden Cloud", "halden.example")


@dataclass(frozen=True, slots=True)
class Trio:
    """Three templates that make an episode together."""

    id: str
    mails: tuple[MailTemplate, ...]


@dataclass(frozen=True, slots=True)
class Phrasebook:
    """What a split's mails are made of.

    Attributes:
        trios: Its templates, in threes.
        words: What a slot of a template may be filled with, by kind.
        owners: Whose mail it is.
    """

    trios: tuple[Trio, ...]
    words: Mapping[str, tuple[str, ...]]
    owners: tuple[Owner, ...]


@lru_cache(maxsize=4)
def read_phrasebook(split: str) -> Phrasebook:
    """Return the phrasebook of ``train``, ``validation`` or ``test``."""
    folder = files(__package__).joinpath("data")
    names = sorted(entry.name for entry in folder.iterdir() if entry.name.startswith(f"{split}-"))
    tables = [tomllib.loads(folder.joinpath(name).read_text(encoding="utf-8")) for name in names]
    trios = tuple(_trio(trio) for table in tables for trio in table["trio"])
    words = tomllib.loads(folder.joinpath("words.toml").read_text(encoding="utf-8"))[split]
    owners = tuple(Owner(*map(str.strip, line.split(","))) for line in words.pop("owners"))
    return Phrasebook(trios, {kind: tuple(choices) for kind, choices in words.items()}, owners)


def read_bank() -> dict[str, tuple[MailTemplate, ...]]:
    """Return the mails of the bank by difficulty, in the order of their rotation."""
    text = files(__package__).joinpath("data").joinpath("bank.toml").read_text(encoding="utf-8")
    table = tomllib.loads(text)
    return {
        level.difficulty: tuple(
            _template(mail, f"bank-{level.difficulty}-{place}") for place, mail in enumerate(table[level.difficulty], 1)
        )
        for level in LEVELS
    }


def _trio(table: Mapping[str, Any]) -> Trio:
    mails = [_template(mail, f"{table['id']}/{number}") for number, mail in enumerate(table["mail"], 1)]
    return Trio(table["id"], tuple(mails))


def _template(table: Mapping[str, Any], template_id: str) -> MailTemplate:
    return MailTemplate(
        id=template_id,
        label=cast(Label, table["label"]),
        department=cast(Department, table.get("department", "none")),
        sender=table["from"],
        subject=table["subject"],
        text=table["text"].strip("\n"),
        facts=tuple(table.get("facts", ())),
        asks=tuple(table.get("asks", ())),
        keywords=tuple(table.get("keywords", ())),
        summary=table.get("summary", ""),
        reply=table.get("reply", "").strip("\n"),
    )
