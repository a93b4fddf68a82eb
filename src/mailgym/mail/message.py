"""What a message is once it has been read: plain data, the same whatever format it came in."""

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class Address:
    """One person as a header names them.

    Attributes:
        name: Display name, decoded; empty where the header gives none.
        address: The address, as written but for its case (lower); empty where none could be read.
    """

    name: str
    address: str

    def __str__(self) -> str:
        """Return ``Name <address>``, or whichever of the two there is."""
        if self.name and self.address:
            return f"{self.name} <{self.address}>"
        return self.name or self.address


@dataclass(frozen=True, slots=True)
class Attachment:
    """One attached file: its name and size, not its content (the raw message keeps that).

    Attributes:
        file_name: Name as sent, decoded; made up from the content type where there is none.
        content_type: Such as ``application/pdf``, lower case.
        size_bytes: Size after its transfer encoding is undone.
    """

    file_name: str
    content_type: str
    size_bytes: int


@dataclass(frozen=True, slots=True)
class Message:
    """One e-mail.

    Attributes:
        message_id: Message-ID without angle brackets; derived from the raw bytes where the message has none.
        date: When it was sent, in UTC; None where no date could be read.
        date_original: The Date header as it was written.
        subject: Decoded subject on one line.
        from_: The first author.
        to: Recipients. cc: copies. bcc: blind copies, where the message still says so.
        text: The readable text: plain text parts, or HTML rendered to text.
        new_text: What of ``text`` the author wrote for this message.
        quoted_text: The rest of it: quoted and forwarded messages, and the signature.
        attachments: Attached files.
        folder: Where its owner kept it.
        flags: Of ``seen``, ``answered``, ``flagged``, ``forwarded``, ``draft``, ``deleted``, ``spam``.
        labels: Its owner's labels or keywords, as written.
        in_reply_to: Message-ID of the message that it answers, empty if it says none.
        references: Message-IDs of its thread, oldest first.
        defects: What was wrong with it and how it was read all the same.
        size_bytes: Length of the raw message.
    """

    message_id: str
    date: datetime | None
    date_original: str
    subject: str
    from_: Address
    to: tuple[Address, ...]
    cc: tuple[Address, ...]
    bcc: tuple[Address, ...]
    text: str
    new_text: str
    quoted_text: str
    attachments: tuple[Attachment, ...]
    folder: str
    flags: tuple[str, ...]
    labels: tuple[str, ...]
    in_reply_to: str
    references: tuple[str, ...]
    defects: tuple[str, ...]
    size_bytes: int
