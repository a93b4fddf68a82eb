"""What a reply or a summary is held against."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class MailFacts:
    """A message, as far as a reply to it or a summary of it is judged by it.

    Attributes:
        sender_name: Who wrote it; empty where that is not known.
        sender_address: The address it came from; may be empty.
        owner_name: Who replies; empty where that is not known.
        subject: Its subject.
        text: Its text.
        known: Further texts whose numbers, dates, names and links a reply may use: the task's instruction, the owner's
            calendar, right answers.
    """

    sender_name: str
    sender_address: str
    owner_name: str
    subject: str
    text: str
    known: tuple[str, ...] = ()
