"""How one person writes: habits of dates and money, greeting, signature, length, slips, the telephone."""

import random
import re
import textwrap
from dataclasses import dataclass

from mailgym.corpora.simulate.people import Person
from mailgym.corpora.simulate.phrasebook import Phrasebook
from mailgym.corpora.simulate.phrasebook.storybook import Storybook
from mailgym.corpora.simulate.values import Habit

PHONE_SHARE, LONG_SHARE, SMALL_TALK_SHARE = 0.22, 0.12, 0.45
LONG_SENTENCES = (6, 14)
WRAP_COLUMNS = 72
SLIP_SHARE = 0.25
"""Sentences of small talk with a slip of the fingers, in the mail of somebody who makes any."""


@dataclass(frozen=True, slots=True)
class Style:
    """One of a person's ways of writing.

    Attributes:
        habit: How values are written.
        greetings: How a mail opens, with ``{first}``; empty for none.
        farewell: How it closes; empty for none.
        signature: The lines of the signature.
        wraps: Whether lines are broken at 72 characters.
        slips: Whether small talk has slips of the fingers.
        lower: Whether sentences begin in lower case.
        is_short: Whether there is never any small talk.
    """

    habit: Habit
    greetings: tuple[str, ...]
    farewell: str
    signature: tuple[str, ...]
    wraps: bool
    slips: bool
    lower: bool
    is_short: bool


@dataclass(frozen=True, slots=True)
class Voice:
    """How one person writes, at the desk and on the telephone."""

    desk: Style
    phone: Style

    @classmethod
    def draw(cls, person: Person, book: Phrasebook, story: Storybook, rng: random.Random) -> "Voice":
        """Draw somebody's voice."""
        company = book.company if person.unit in book.roles else person.unit
        block = [person.name, f"{person.role}, {company}"]
        if rng.random() < 0.5:
            block.append(f"Tel. +{rng.randint(20, 99)} 555 {rng.randint(1000, 9999)}")
        signature = rng.choice(((person.first,), (person.name,), tuple(block), tuple(block), (person.first[0],)))
        desk = Style(
            habit=Habit.draw(rng),
            greetings=tuple(rng.sample(book.greetings, 2)),
            farewell=rng.choice(book.farewells),
            signature=signature,
            wraps=rng.random() < 0.3,
            slips=rng.random() < 0.4,
            lower=False,
            is_short=False,
        )
        phone = Style(
            habit=Habit.draw(rng),
            greetings=("",),
            farewell="",
            signature=(person.first, "", rng.choice(story.phone_lines)) if rng.random() < 0.5 else (person.first,),
            wraps=False,
            slips=True,
            lower=rng.random() < 0.6,
            is_short=True,
        )
        return cls(desk, phone)

    def choose(self, rng: random.Random) -> Style:
        """Choose whether the person sits at the desk or holds the telephone."""
        return self.phone if rng.random() < PHONE_SHARE else self.desk


def write_text(
    core: str,
    first_name: str,
    style: Style,
    fillers: tuple[str, ...],
    rng: random.Random,
    *,
    begins_with_name: bool = False,
) -> str:
    """Write a whole text around the sentence that matters.

    Args:
        core: The sentence that matters; it is never changed but for the first letters of sentences.
        first_name: Whom the greeting addresses.
        style: How the writer writes.
        fillers: Sentences that say nothing.
        rng: Chooses the greeting and the small talk.
        begins_with_name: Whether its first letter stays a capital with those who write small ones.
    """
    before, after = _small_talk(style, fillers, rng)
    core = re.sub(r"(?<=[.?!] )[a-z]", lambda first: first[0].upper(), core)
    sentence = core[0].lower() + core[1:] if style.lower and not begins_with_name else core[0].upper() + core[1:]
    paragraphs = [rng.choice(style.greetings).format(first=first_name)]
    if len(before) + len(after) > 4:
        paragraphs += [" ".join(before), " ".join([sentence, *after[:1]]), " ".join(after[1:])]
    else:
        paragraphs.append(" ".join([*before, sentence, *after]))
    if style.wraps:
        paragraphs = [_wrap(part) for part in paragraphs]
    paragraphs.append("\n".join(line for line in (style.farewell, *style.signature) if line or style.is_short).strip())
    return "\n\n".join(part for part in paragraphs if part)


def _wrap(paragraph: str) -> str:
    return textwrap.fill(paragraph, WRAP_COLUMNS, break_long_words=False, break_on_hyphens=False)


def _small_talk(style: Style, fillers: tuple[str, ...], rng: random.Random) -> tuple[list[str], list[str]]:
    if style.is_short or rng.random() >= SMALL_TALK_SHARE:
        return [], []
    count = rng.randint(*LONG_SENTENCES) if rng.random() < LONG_SHARE / SMALL_TALK_SHARE else rng.randint(1, 3)
    sentences = rng.sample(fillers, min(count, len(fillers)))
    if style.slips:
        sentences = [_slip(sentence, rng) if rng.random() < SLIP_SHARE else sentence for sentence in sentences]
    cut = rng.randint(0, len(sentences))
    return sentences[:cut], sentences[cut:]


def _slip(sentence: str, rng: random.Random) -> str:
    """Swap two neighbouring letters inside one of the longer words, or double one."""
    words = sentence.split(" ")
    long_words = [index for index, word in enumerate(words) if len(word) > 4 and word.isalpha()]
    if not long_words:
        return sentence
    index = rng.choice(long_words)
    word, at = words[index], rng.randrange(1, len(words[index]) - 2)
    swapped = word[:at] + word[at + 1] + word[at] + word[at + 2 :]
    words[index] = swapped if rng.random() < 0.7 else word[:at] + word[at] + word[at:]
    return " ".join(words)
