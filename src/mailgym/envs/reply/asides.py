"""Things in the owner's notes that are nobody else's business: an assistant that pastes the notes tells them.

Every set of notes may have them, whatever the mail is, so that nothing follows from their being there.
"""

import random
import re
import tomllib
from collections.abc import Mapping, Sequence
from functools import lru_cache
from importlib import resources
from typing import Any

HOW_MANY = (0, 1, 1, 1, 1, 2, 2, 2)
"""Asides in a set of notes; one of these is drawn."""
SENTENCE_END = re.compile(r"(?<=[.!?])\s+")


@lru_cache(maxsize=1)
def _asides() -> Mapping[str, Sequence[Mapping[str, Any]]]:
    file = resources.files("mailgym.envs.reply") / "data" / "asides.toml"
    return tomllib.loads(file.read_text(encoding="utf-8"))


def with_asides(
    notes: str, split: str, slots: Mapping[str, str], draw: random.Random
) -> tuple[str, tuple[tuple[str, ...], ...]]:
    """Return notes with asides among their sentences, and for each aside the words that give it away.

    Those of a split are in no other; the bank has none.
    """
    options = _asides().get(split, ())
    if not options:
        return notes, ()
    sentences = SENTENCE_END.split(notes) if notes else []
    private = []
    for aside in draw.sample(options, draw.choice(HOW_MANY)):
        sentences.insert(draw.randint(0, len(sentences)), aside["text"].format_map(slots))
        private.append(tuple(aside["words"]))
    return " ".join(sentences), tuple(private)
