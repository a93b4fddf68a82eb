"""Books of mail templates: one owner's working and private life each, with the label of every mail beside it.

A book is a TOML file in ``data/<split>/`` and belongs to that split alone. Its texts have slots, ``{owner}``, and
alternatives, ``[one way|another]``; what they are filled with is in :mod:`mailgym.envs.triage.letters`.
"""

import tomllib
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from typing import Any, Literal, get_args

from mailgym.envs.triage.schema import CATEGORIES, MAIL_ACTIONS, Category, MailAction

DATA = "mailgym.envs.triage"
Due = Literal["now", "hour", "today", "tomorrow", "week", "next_week", "month", "none"]
DUES: tuple[Due, ...] = get_args(Due)


@dataclass(frozen=True, slots=True)
class MailTemplate:
    """One mail with open slots, and how it is sorted right.

    Attributes:
        category: Its category.
        action: What is done with it.
        due: By when it must be handled: ``now`` where harm is being done, ``none`` where no time is set.
        sender: ``colleague``, ``client`` or ``friend`` (one of the book's people), or a sender written out.
        subject: The subject.
        text: The body; greeting and sign-off of people are put around it.
        keywords: What a draft should mention; see :class:`~mailgym.envs.triage.tasks.Label`.
        asks: What a draft must settle.
        reply: The body of a draft that does.
    """

    category: Category
    action: MailAction
    due: Due
    sender: str
    subject: str
    text: str
    keywords: tuple[tuple[str, ...], ...] = ()
    asks: tuple[tuple[str, tuple[str, ...]], ...] = ()
    reply: str = ""


@dataclass(frozen=True, slots=True)
class Book:
    """One owner's world.

    Attributes:
        id: Its name; statistics cluster by it.
        owners: Full names of those whose inbox it may be; one an episode.
        company: Where they work.
        domain: Of the company's addresses.
        people: Full names of colleagues.
        clients: Full name, company and domain of each.
        friends: Full names of friends and family.
        strangers: Full names of those who may sign for firms, lists and fraud.
        quotes: Lines of earlier mails that are quoted below some of these; no label follows from them.
        mails: The templates.
    """

    id: str
    owners: tuple[str, ...]
    company: str
    domain: str
    people: tuple[str, ...]
    clients: tuple[tuple[str, str, str], ...]
    friends: tuple[str, ...]
    strangers: tuple[str, ...]
    quotes: tuple[str, ...]
    mails: tuple[MailTemplate, ...]


@lru_cache(maxsize=4)
def read_books(split: str) -> tuple[Book, ...]:
    """Return the books of a split, by name."""
    folder = resources.files(DATA) / "data" / split
    files = sorted((file for file in folder.iterdir() if file.name.endswith(".toml")), key=lambda file: file.name)
    return tuple(_book(file.name.removesuffix(".toml"), file.read_text(encoding="utf-8")) for file in files)


def _book(name: str, text: str) -> Book:
    data = tomllib.loads(text)
    clients = tuple((client[0], client[1], client[2]) for client in data["clients"])
    lists = {field: tuple(data[field]) for field in ("owners", "people", "friends", "strangers", "quotes")}
    mails = tuple(_template(mail) for mail in data["mails"])
    return Book(id=name, company=data["company"], domain=data["domain"], clients=clients, mails=mails, **lists)


def _template(data: dict[str, Any]) -> MailTemplate:
    return MailTemplate(
        category=choose(data["category"], CATEGORIES),
        action=choose(data["action"], MAIL_ACTIONS),
        due=choose(data["due"], DUES),
        sender=data["from"],
        subject=data["subject"],
        text=data["text"].strip(),
        keywords=read_keywords(data),
        asks=read_asks(data),
        reply=data.get("reply", "").strip(),
    )


def choose(value: str, choices: tuple[Any, ...]) -> Any:
    """Return a value that is one of ``choices``.

    Raises:
        ValueError: It is none of them: the data that ships with the package is wrong.
    """
    if value not in choices:
        raise ValueError(f"{value!r} is none of {', '.join(choices)}")
    return value


def read_keywords(data: dict[str, Any]) -> tuple[tuple[str, ...], ...]:
    """Return a mail's keyword groups; each is written as one text with ``/`` between alternatives."""
    return tuple(tuple(group.split("/")) for group in data.get("keywords", ()))


def read_asks(data: dict[str, Any]) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return what a mail's draft must settle; each is written as the kind, then what is accepted."""
    return tuple((ask[0], tuple(ask[1:])) for ask in data.get("asks", ()))
