"""Write a small mailbox, and search it as it was on a day: mail of later days does not exist then.

Run it with  python examples/search_a_mailbox.py
"""

import tempfile
from datetime import date
from pathlib import Path

from mailgym.mail.mailbox import Mailbox
from mailgym.mail.store import MailboxWriter

MAILS = (
    ("a", "2025-03-04", "Dana Whitfield <dana@ember.example>", "Harbour invoice", "The invoice for March is 400 euro."),
    ("b", "2025-04-04", "Dana Whitfield <dana@ember.example>", "Harbour invoice", "The invoice for April is 420 euro."),
    ("c", "2025-04-05", "Tom Becker <tom@ember.example>", "Re: Harbour invoice", "I paid the Harbour invoice."),
)


def raw_mail(message_id: str, day: str, sender: str, subject: str, text: str) -> bytes:
    """Return one message as mail programs send it."""
    sent = date.fromisoformat(day).strftime("%d %b %Y 09:00:00 +0000")
    head = [f"Message-ID: <{message_id}@x.example>", f"Date: {sent}", f"From: {sender}", "To: maya@ember.example"]
    return "\r\n".join([*head, f"Subject: {subject}", "", text]).encode()


def main() -> None:
    """Write, search, read."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "maya.mailbox"
        with MailboxWriter(path, "maya", ["maya@ember.example"], "Maya Lind") as writer:
            for mail in MAILS:
                writer.add(raw_mail(*mail))
        for as_of in (date(2025, 3, 31), date(2025, 4, 30)):
            with Mailbox.open(path, as_of=as_of) as mailbox:
                hits = mailbox.search(["invoice", "euro"], from_="Dana")
                found = ", ".join(f"{hit.date:%d %B}" for hit in hits if hit.date)
                print(f"on {as_of:%d %B}: {len(mailbox)} mails, Dana's about an invoice in euro: {found}")
                print(f"  the best says: {mailbox.read(hits[0].message_id).new_text.strip()}")


if __name__ == "__main__":
    main()
