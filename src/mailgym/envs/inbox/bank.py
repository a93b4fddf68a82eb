"""The bank: 42 mails written by hand, and the document's seeded episodes over them."""

import tomllib
from functools import lru_cache
from importlib.resources import files
from typing import Any

from mailgym.core.errors import UserError
from mailgym.core.seeds import stream
from mailgym.envs.inbox.office import Record
from mailgym.envs.inbox.schema import FIELDS_OF_LEVEL
from mailgym.envs.inbox.tasks import MAILS_OF_LEVEL, InboxKey, InboxTask, Labels, Mail, Pair

BANK_SEEDS = tuple(range(42, 72))
"""The seeds of the split ``bank``; the document's examples play seed 42."""

COMPANY, INBOX_ADDRESS = "fernwick", "help@fernwick.example"


@lru_cache(maxsize=1)
def _bank() -> dict[str, Any]:
    text = (files("mailgym.envs.inbox") / "data" / "bank.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


def forms() -> dict[str, str]:
    """Return every mail's form by its id: ``plain``, ``noisy``, ``thread`` or ``ambiguous``."""
    return {mail["id"]: mail["form"] for mail in _bank()["mail"]}


def bank_episode(level: int, seed: int) -> Pair:
    """Return the episode of a task number and a seed: 3, 4 or 5 mails drawn from the bank.

    Raises:
        UserError: The task number is not 1, 2 or 3.
    """
    if level not in MAILS_OF_LEVEL:
        raise UserError(f"no task {level}: the bank has 1 (category), 2 (and priority) and 3 (and department, action)")
    mails = stream(seed, "inbox bank", level).sample(_bank()["mail"], MAILS_OF_LEVEL[level])
    return _pair(f"bank-{level}-{seed}", level, mails)


def episodes() -> list[Pair]:
    """Return the episodes of every task number, one a seed."""
    return [bank_episode(level, seed) for level in MAILS_OF_LEVEL for seed in BANK_SEEDS]


def alone() -> list[Pair]:
    """Return every mail as an episode of its own, under every task number: how the document grades its baseline."""
    return [
        _pair(f"alone-{level}-{mail['id']}", level, [mail]) for level in FIELDS_OF_LEVEL for mail in _bank()["mail"]
    ]


def _pair(task_id: str, level: int, mails: list[dict[str, Any]]) -> Pair:
    records = tuple(Record(item["tool"], tuple(item["keys"]), tuple(item["lines"])) for item in _bank()["record"])
    task = InboxTask(task_id, level, INBOX_ADDRESS, tuple(_mail(mail) for mail in mails), records)
    right = tuple(
        Labels(mail["category"], mail["priority"], mail["department"], mail["action"], mail.get("tool", ""))
        for mail in mails
    )
    ids = tuple(mail["id"] for mail in mails)
    return task, InboxKey(task_id, ids[0], COMPANY, f"task {level}", level, right, ids)


def _mail(mail: dict[str, Any]) -> Mail:
    return Mail(mail["id"], mail["subject"], mail["sender"], mail["text"].strip("\n"), mail["difficulty"])
