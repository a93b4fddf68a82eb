"""Reads the hand-written replies that the criteria are tuned and measured on."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from mailgym.rubrics.writing.mail import MailFacts
from mailgym.rubrics.writing.reply import Ask, Wanted

DATA = Path(__file__).parent / "data"


@dataclass(frozen=True)
class Pair:
    """A good and a bad reply to one message, and why the bad one is bad."""

    name: str
    mail: MailFacts
    wanted: Wanted
    good: str
    bad: str
    why: str


def read_pairs(path: Path) -> Iterator[Pair]:
    for line in path.read_text(encoding="utf-8").splitlines():
        if not line.strip():
            continue
        row = json.loads(line)
        mail = MailFacts(**row["mail"], known=tuple(row["known"]))
        said = row["wanted"]
        asks = tuple(Ask(ask["kind"], tuple(ask["accepted"]), ask.get("required", True)) for ask in said["asks"])
        wanted = Wanted(said["needs_reply"], tuple(map(tuple, said["keywords"])), asks, said["tone"])
        goods = row["good"] if isinstance(row["good"], list) else [row["good"]]
        for good in goods:
            for bad in row["bad"]:
                yield Pair(row["id"], mail, wanted, good, bad["text"], bad["why"])
