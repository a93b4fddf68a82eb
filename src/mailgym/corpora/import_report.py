"""What an import says of itself: what became of every message, and what each mailbox got."""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from mailgym.corpora.owner import Owner


@dataclass(frozen=True, slots=True)
class Record:
    """What became of one input message.

    Attributes:
        origin: Where in the source it lies.
        mailbox: The mailbox it belongs to; several with commas between.
        outcome: ``added`` if it is new in one mailbox at least.
        message_id: The id under which it stands; empty where it was skipped.
        detail: Why it was skipped, or how it is known to be a duplicate.
    """

    origin: str
    mailbox: str
    outcome: Literal["added", "duplicate", "skipped"]
    message_id: str
    detail: str


@dataclass(frozen=True, slots=True)
class MailboxReport:
    """What an import brought to one mailbox.

    Attributes:
        owner: Whose mail it is; without addresses where it could not be found.
        owner_was_found: True when the owner was found from the mails, False when it was given or known before.
        messages: Messages in the mailbox now.
    """

    path: Path
    name: str
    owner: Owner
    owner_was_found: bool
    added: int
    duplicates: int
    messages: int


@dataclass(frozen=True, slots=True)
class ImportReport:
    """What became of every message of a source.

    Attributes:
        mailboxes: The mailboxes that the source's messages belong to, by name.
        added: Messages that are new in one mailbox at least.
        duplicates: Messages that were there already.
        skipped: Messages left out, by reason.
    """

    mailboxes: tuple[MailboxReport, ...]
    added: int
    duplicates: int
    skipped: dict[str, int]

    @property
    def total(self) -> int:
        """Messages that the source holds: each was added, a duplicate, or skipped."""
        return self.added + self.duplicates + sum(self.skipped.values())
