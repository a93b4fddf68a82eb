"""The phrasebooks of the three splits; they share no name and no template."""

from mailgym.core.errors import ConfigError
from mailgym.corpora.simulate.phrasebook.book import Bulk, Phrasebook, Script
from mailgym.corpora.simulate.phrasebook.held_out import TEST
from mailgym.corpora.simulate.phrasebook.held_out_stories import TEST_STORIES
from mailgym.corpora.simulate.phrasebook.storybook import Plot, Storybook
from mailgym.corpora.simulate.phrasebook.train import TRAIN
from mailgym.corpora.simulate.phrasebook.train_stories import TRAIN_STORIES
from mailgym.corpora.simulate.phrasebook.validation import VALIDATION
from mailgym.corpora.simulate.phrasebook.validation_stories import VALIDATION_STORIES

PHRASEBOOKS = {book.split: book for book in (TRAIN, VALIDATION, TEST)}
STORYBOOKS = {story.split: story for story in (TRAIN_STORIES, VALIDATION_STORIES, TEST_STORIES)}


def phrasebook(split: str) -> Phrasebook:
    """Return a split's phrasebook.

    Raises:
        ConfigError: There is no such split.
    """
    if split not in PHRASEBOOKS:
        raise ConfigError(f"no split is called {split!r}: choose one of {', '.join(PHRASEBOOKS)}")
    return PHRASEBOOKS[split]


def storybook(split: str) -> Storybook:
    """Return a split's storybook.

    Raises:
        ConfigError: There is no such split.
    """
    return STORYBOOKS[phrasebook(split).split]


__all__ = ["PHRASEBOOKS", "STORYBOOKS", "Bulk", "Phrasebook", "Plot", "Script", "Storybook", "phrasebook", "storybook"]
