"""The phrasebooks of the three splits; they share no name and no template."""

from mailgym.core.errors import ConfigError
from mailgym.corpora.simulate.phrasebook.book import Bulk, Phrasebook, Script
from mailgym.corpora.simulate.phrasebook.held_out import TEST
from mailgym.corpora.simulate.phrasebook.train import TRAIN
from mailgym.corpora.simulate.phrasebook.validation import VALIDATION

PHRASEBOOKS = {book.split: book for book in (TRAIN, VALIDATION, TEST)}


def phrasebook(split: str) -> Phrasebook:
    """Return a split's phrasebook.

    Raises:
        ConfigError: There is no such split.
    """
    if split not in PHRASEBOOKS:
        raise ConfigError(f"no split is called {split!r}: choose one of {', '.join(PHRASEBOOKS)}")
    return PHRASEBOOKS[split]


__all__ = ["PHRASEBOOKS", "Bulk", "Phrasebook", "Script", "phrasebook"]
