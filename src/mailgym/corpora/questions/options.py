"""What is asked of the making of questions."""

from dataclasses import asdict, dataclass
from typing import Any

from mailgym.core.errors import ConfigError

BY_MAILBOX = "by-mailbox"
SPLITS = ("train", "validation", "test")


@dataclass(frozen=True, slots=True)
class Options:
    """How questions are made from a store's mail.

    Attributes:
        mails_per_box: Most mails that are shown to the model of one mailbox.
        batch: Mails shown at once.
        min_realistic: Questions that the model itself finds less likely to be asked (0 to 1) are dropped.
        split: ``train``, ``validation`` or ``test`` for all questions, or ``by-mailbox``.
        seed: Decides which mails are shown, and each call's own randomness.
        max_chars: Characters of one mail's text that are shown; the rest is cut, and the model is told so.
        max_tokens: Tokens that the model may write in one call.
    """

    mails_per_box: int = 1000
    batch: int = 20
    min_realistic: float = 0.7
    split: str = BY_MAILBOX
    seed: int = 0
    max_chars: int = 4000
    max_tokens: int = 4000

    def __post_init__(self) -> None:
        """Check the values.

        Raises:
            ConfigError: One of them is out of range.
        """
        wrong = [name for name in ("mails_per_box", "batch", "max_chars", "max_tokens") if getattr(self, name) < 1]
        if wrong:
            raise ConfigError(f"{' and '.join(wrong)} must be at least 1")
        if not 0 <= self.min_realistic <= 1:
            raise ConfigError(f"min_realistic is {self.min_realistic:g}: give a number from 0 to 1")
        if self.split not in (*SPLITS, BY_MAILBOX):
            raise ConfigError(f"no split {self.split!r}: choose one of {', '.join((*SPLITS, BY_MAILBOX))}")

    def to_json(self) -> dict[str, Any]:
        """Return the options as plain data."""
        return asdict(self)
