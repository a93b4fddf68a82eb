"""Texts by recipe: fixed phrases, copied pieces, keywords, a number of repeats and a length."""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from mailgym.evaluate.templates.reading import Reading

LENGTHS_WORDS = (None, None, 3, 8, 15, 30, 45, 60, 90, 140, 220)
REPEATS = (1, 1, 1, 1, 2, 4)
MOST_PIECES, MOST_KEYWORDS = 9, 30
ID_SHARE = 0.3

_PHRASES = (
    "Thank you for your email.",
    "Thanks for letting me know.",
    "I have read your message carefully and I understand the situation.",
    "I will look into this today and send you an update by tomorrow.",
    "I will review it and get back to you by Friday at 3 pm with the next steps.",
    "Yes, that works for me.",
    "No, I am afraid that is not possible.",
    "I can confirm this.",
    "I confirm the date, the time and the amount.",
    "I am very sorry for the inconvenience, and I apologize for the delay.",
    "We take full responsibility and will make this right.",
    "We must insist that this is resolved immediately.",
    "Could you please send me the details?",
    "Let me know if you have any questions.",
    "Please let me know which time suits you, and I will schedule a call.",
    "I am looking forward to hearing from you.",
    "Our team has been informed and is working on it.",
    "It needs attention because of what the mail says.",
    "This message asks for a decision about the matter below.",
    "yes",
    "no",
    "I don't know",
    "Not urgent, no action needed.",
)
_GREETINGS = ("Hello,", "Dear Sir or Madam,")
_CLOSINGS = ("Best regards,", "Kind regards,\nThe team", "Thanks again!")

COPIES: dict[str, Callable[[Reading], str]] = {
    "{greeting}": lambda seen: f"Dear {seen.sender}," if seen.sender else "Hello,",
    "{casual greeting}": lambda seen: f"Hi {seen.sender.split()[0] if seen.sender else 'there'},",
    "{signature}": lambda seen: f"Best regards,\n{seen.owner}".strip(),
    "{sender}": lambda seen: seen.sender,
    "{subject}": lambda seen: seen.subject,
    "{about}": lambda seen: f"I am writing about {seen.subject or 'your message'}.",
    "{text}": lambda seen: seen.text,
    "{first sentence}": lambda seen: (seen.sentences or [""])[0],
    "{first two sentences}": lambda seen: " ".join(seen.sentences[:2]),
    "{last sentence}": lambda seen: (seen.sentences or [""])[-1],
    "{longest words}": lambda seen: " ".join(seen.longest_words),
    "{names}": lambda seen: " ".join(seen.names),
    "{numbers}": lambda seen: " ".join(seen.numbers),
    "{echoed}": lambda seen: f"You wrote: {(seen.sentences or [''])[0]} I agree and will do so.",
    "{confirmed}": lambda seen: f"I confirm {', '.join([*seen.numbers[:4], *seen.names[:3]]) or 'it'}.",
}
PIECES = (*COPIES, *_PHRASES, *_GREETINGS, *_CLOSINGS)


@dataclass(frozen=True, slots=True)
class Recipe:
    """How a text is written.

    Attributes:
        pieces: Phrases, and names of :data:`COPIES`, in order.
        keywords: Words written after them, blank between.
        repeats: How often the whole is written.
        most_words: Where it is cut; None for nowhere.
        from_ids: An id that was seen takes the text's place, where there is one.
    """

    pieces: tuple[str, ...] = ()
    keywords: tuple[str, ...] = ()
    repeats: int = 1
    most_words: int | None = None
    from_ids: bool = False

    def __str__(self) -> str:
        """The recipe in words."""
        parts = [*self.pieces, *([f"{{keywords: {' '.join(self.keywords)}}}"] if self.keywords else [])]
        text = " ".join(parts) or "nothing"
        text += f", {self.repeats} times" * (self.repeats > 1)
        text += f", cut to {self.most_words} words" * (self.most_words is not None)
        return f"an id seen, or else: {text}" if self.from_ids else text

    def write(self, seen: Reading, place: int = 0) -> str:
        """Write the text for what was seen.

        Args:
            seen: What was read off the episode.
            place: Which of several texts it is: chooses the id.
        """
        if self.from_ids and seen.ids:
            return seen.ids[place % len(seen.ids)]
        pieces = [COPIES[piece](seen) if piece in COPIES else piece for piece in self.pieces]
        text = "\n".join(part for part in [*pieces, " ".join(self.keywords)] if part)
        text = "\n".join([text] * self.repeats)
        words = text.split()
        if self.most_words is not None and len(words) > self.most_words:
            return " ".join(words[: self.most_words])
        return text


def draw_recipe(vocabulary: Sequence[str], draw: random.Random) -> Recipe:
    """Draw a recipe: whole replies, bare phrases, soups of keywords, copies and ids."""
    form = draw.random()
    pieces = tuple(draw.choice(PIECES) for _ in range(draw.randint(1, 5)))
    if form < 0.4:
        closing = draw.choice(("{signature}", *_CLOSINGS))
        pieces = (draw.choice(("{greeting}", "{casual greeting}", *_GREETINGS)), *pieces, closing)
    elif form < 0.6:
        pieces = (draw.choice(PIECES),)
    elif form < 0.7:
        pieces = ()
    keywords = _draw_keywords(vocabulary, draw) if form > 0.55 and draw.random() < 0.6 else ()
    from_ids = draw.random() < ID_SHARE
    return Recipe(pieces, keywords, draw.choice(REPEATS), draw.choice(LENGTHS_WORDS), from_ids)


def change_recipe(recipe: Recipe, vocabulary: Sequence[str], draw: random.Random) -> Recipe:
    """Return a recipe with one thing changed."""
    kind = draw.choice(("pieces", "pieces", "pieces", "anew", "keywords", "length", "repeats", "ids"))
    if kind == "anew":
        return draw_recipe(vocabulary, draw)
    if kind == "pieces":
        return replace(recipe, pieces=_change_pieces(recipe.pieces, draw))
    if kind == "keywords":
        return replace(recipe, keywords=_change_keywords(recipe.keywords, vocabulary, draw))
    if kind == "length":
        return replace(recipe, most_words=draw.choice(LENGTHS_WORDS))
    if kind == "repeats":
        return replace(recipe, repeats=draw.choice(REPEATS))
    return replace(recipe, from_ids=not recipe.from_ids)


def _change_pieces(pieces: tuple[str, ...], draw: random.Random) -> tuple[str, ...]:
    """Add, drop or swap one piece."""
    kind = draw.choice(("add", "drop", "swap"))
    place = draw.randint(0, max(len(pieces) - 1, 0))
    if kind == "add" or not pieces:
        return (*pieces[:place], draw.choice(PIECES), *pieces[place:])[:MOST_PIECES]
    return (*pieces[:place], *([draw.choice(PIECES)] if kind == "swap" else []), *pieces[place + 1 :])


def _draw_keywords(vocabulary: Sequence[str], draw: random.Random) -> tuple[str, ...]:
    return tuple(draw.sample(list(vocabulary), min(len(vocabulary), draw.randint(1, MOST_KEYWORDS))))


def _change_keywords(keywords: tuple[str, ...], vocabulary: Sequence[str], draw: random.Random) -> tuple[str, ...]:
    if keywords and draw.random() < 0.3:
        return ()
    if not keywords or draw.random() < 0.2:
        return _draw_keywords(vocabulary, draw)
    kept = [word for word in keywords if draw.random() < 0.8]
    added = draw.sample(list(vocabulary), min(len(vocabulary), draw.randint(0, 4)))
    return tuple(dict.fromkeys([*kept, *added]))[:MOST_KEYWORDS]
