"""How generated mails are worded: alternatives and slots filled in, and what stands around a mail's core."""

import random
import re
import textwrap
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Any

ALTERNATIVES = re.compile(r"\[([^\[\]]*\|[^\[\]]*)\]")
LONG_WORD = re.compile(r"\b[a-z]{5,}\b")
SPACED_POINT = re.compile(r" (?=[.,;:](?:\s|$))")
STYLES = ("polite", "curt", "rambling", "hasty", "thread")
SLIP_SHARE, WRAP_SHARE, WRAP_COLUMNS = 0.08, 0.4, 72
MOST_ASIDES = {"supplier": 0, "stranger": 1}
"""Of senders who do not chat as much as others."""

REFERENCE_SHARES = {"customer": 0.8, "prospect": 0.3, "stranger": 0.5}
"""How often a sender names all ids there are, whatever the matter is."""


@dataclass(frozen=True)
class Book:
    """The templates and phrases of one split.

    Attributes:
        companies: Whose inbox it may be: name and domain.
        outside_asides: What outsiders mention beside their matter.
        inside_asides: What colleagues mention.
        references: How an outsider names account, user and order at once.
    """

    templates: tuple[dict[str, Any], ...]
    companies: tuple[tuple[str, str], ...]
    products: tuple[str, ...]
    people: tuple[str, ...]
    firms: tuple[str, ...]
    colleagues: tuple[str, ...]
    outside_asides: tuple[str, ...]
    inside_asides: tuple[str, ...]
    quotes: tuple[str, ...]
    references: tuple[str, ...]
    greetings: tuple[str, ...]
    closings: tuple[str, ...]


def read_book(split: str) -> Book:
    """Return the templates and phrases of a split."""
    data = _read(f"{split}.toml")
    pools = {name: tuple(values) for name, values in data["pools"].items()}
    pools["companies"] = tuple((name, domain) for name, domain in pools["companies"])
    return Book(templates=tuple(data["template"]), **pools)


@lru_cache(maxsize=1)
def read_states() -> dict[str, dict[str, list[str]]]:
    """Return what the back office's screens may say: tool → name of the state → its lines with slots."""
    return _read("states.toml")


def _read(name: str) -> dict[str, Any]:
    return tomllib.loads((files("mailgym.envs.inbox") / "data" / name).read_text(encoding="utf-8"))


def slug(name: str) -> str:
    """Return a firm's name as the first part of a domain."""
    return re.sub(r"[^a-z]+", "-", name.lower()).strip("-")


def wording(text: str, slots: Mapping[str, str], rng: random.Random) -> str:
    """Return a template's text with one of each ``[a|b]`` chosen, ``{slots}`` filled in, and blanks made single."""
    chosen = ALTERNATIVES.sub(lambda found: rng.choice(found[1].split("|")), text)
    return SPACED_POINT.sub("", " ".join(chosen.format_map(slots).split()))


def letter(core: str, sender: str, slots: Mapping[str, str], book: Book, rng: random.Random) -> str:
    """Return a whole mail around its core; what stands around it is drawn whatever the mail is about.

    Args:
        core: The matter, as sentences; the first may begin in lower case.
        sender: ``customer``, ``prospect``, ``colleague``, ``supplier`` or ``stranger``.
        slots: Names of the sender.
        book: The split's phrases.
        rng: Draws.
    """
    style = rng.choice(STYLES)
    asides = list(book.inside_asides if sender == "colleague" else book.outside_asides)
    count = {"curt": 0, "rambling": 2}.get(style, rng.randint(0, 1))
    count = min(count, MOST_ASIDES.get(sender, count))
    before, after = _around([wording(aside, slots, rng) for aside in rng.sample(asides, count)], rng)
    if rng.random() < REFERENCE_SHARES.get(sender, 0.0):
        (before if rng.random() < 0.7 else after).append(wording(rng.choice(book.references), slots, rng) + ".")
    body = " ".join([*before, _as_sentence(core), *after])
    greeting, closing = rng.choice(book.greetings), rng.choice(book.closings)
    if style == "hasty":
        body = LONG_WORD.sub(lambda word: slip(word[0], rng) if rng.random() < SLIP_SHARE else word[0], body)
        return f"{body} {slots['first'].lower()}"
    if style == "curt":
        return f"{body}\n\n{slots['name']}"
    if rng.random() < WRAP_SHARE:
        body = textwrap.fill(body, WRAP_COLUMNS, break_long_words=False, break_on_hyphens=False)
    signature = slots["name"] if sender != "customer" else f"{slots['name']}\n{slots['firm']}"
    parts = [greeting, body, "\n".join(filter(None, (closing, signature)))]
    if style == "thread":
        quoted = textwrap.fill(wording(rng.choice(book.quotes), slots, rng), WRAP_COLUMNS)
        parts.append("\n".join(f"> {line}" for line in (f"{slots['us']} wrote:", *quoted.splitlines())))
    return "\n\n".join(part for part in parts if part)


def _as_sentence(text: str) -> str:
    """Return a text that begins with a capital, unless it begins with an id."""
    first = text.split(maxsplit=1)[0]
    return text if any(letter.isdigit() for letter in first) else text[:1].upper() + text[1:]


def _around(asides: list[str], rng: random.Random) -> tuple[list[str], list[str]]:
    """Return which asides stand before the core and which behind it."""
    before = [aside for aside in asides if rng.random() < 0.5]
    return before, [aside for aside in asides if aside not in before]


def slip(word: str, rng: random.Random) -> str:
    """Return a word with two neighbouring letters inside it in the wrong order."""
    place = rng.randrange(1, len(word) - 2)
    return word[:place] + word[place + 1] + word[place] + word[place + 2 :]
