"""Searches on a mailbox written by hand."""

from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest

from mailgym.core.errors import QueryError
from mailgym.corpora.question import Question
from mailgym.corpora.simulate.knowing import search, search_rank, searches_needed
from mailgym.mail.mailbox import Mailbox
from mailgym.mail.prepare import RawMessage
from mailgym.mail.store import MailboxWriter


def raw(message_id: str, day: str, subject: str, text: str, sender: str = "Dana Lee <dana@x.example>") -> RawMessage:
    sent = date.fromisoformat(day).strftime("%d %b %Y 09:00:00 +0000")
    head = f"Message-ID: <{message_id}>\r\nDate: {sent}\r\nFrom: {sender}\r\nTo: me@x.example\r\nSubject: {subject}"
    return RawMessage(f"{head}\r\n\r\n{text}\r\n".encode())


@pytest.fixture
def mailbox(tmp_path: Path) -> Iterator[Mailbox]:
    path = tmp_path / "mine.mailbox"
    with MailboxWriter(path, "mine", ["me@x.example"]) as writer:
        writer.add_many(
            [
                raw("keys", "2025-03-03", "Keys", "Tom Becker looks after the keys of Osprey."),
                raw("seat", "2025-02-03", "Moved", "New seat in the loft.", "Tom Becker <tom@x.example>"),
                raw("room", "2025-03-04", "Room", "The room for Lantern is large. The room is warm."),
                raw("end", "2025-03-20", "Room", "Nothing about the project by name, but the thread goes on."),
                raw("hidden", "2025-03-21", "Zebra", "Quite another matter."),
                *(raw(f"seat-{n}", f"2024-01-{n + 1:02d}", "New seat", "New seat, new seat.") for n in range(12)),
            ]
        )
    with Mailbox.open(path) as opened:
        yield opened


def question(keywords: list[str], *message_ids: str) -> Question:
    facts: dict[str, object] = {"keywords": keywords}
    day = date(2025, 3, 31)
    return Question("q", "test", "mine.mailbox", "me@x.example", "Me", day, "?", message_ids, "a", "single", "t", facts)


def test_a_search_takes_the_tools_arguments(mailbox: Mailbox) -> None:
    assert [hit.message_id for hit in search(mailbox, {"keywords": ["keys"]})] == ["keys"]
    assert [hit.message_id for hit in search(mailbox, {"from_addr": "Tom"})] == ["seat"]
    late = search(mailbox, {"keywords": ["room"], "sent_after": "2025-03-10", "sent_before": "2025-03-30"})
    assert [hit.message_id for hit in late] == ["end"]
    assert len(search(mailbox, {"keywords": ["seat"]})) == 10
    with pytest.raises(QueryError):
        search(mailbox, {})


def test_the_rank_is_that_of_the_first_right_mail(mailbox: Mailbox) -> None:
    assert search_rank(mailbox, question([], "room", "keys"), {"keywords": ["Lantern", "Osprey", "room"]}) == 1
    assert search_rank(mailbox, question([], "hidden"), {"keywords": ["Lantern"]}) == float("inf")


def test_one_search_is_needed_where_the_facts_find_all(mailbox: Mailbox) -> None:
    assert searches_needed(mailbox, question(["Lantern"], "room")) == 1


def test_a_person_whom_a_mail_names_is_searched_next(mailbox: Mailbox) -> None:
    """First the facts (1), then those of 14 and of 45 days (2, 3), then Tom Becker with the last fact (4)."""
    assert searches_needed(mailbox, question(["Osprey", "new seat"], "keys", "seat")) == 4


def test_recent_mail_and_the_thread_of_what_was_found_are_searched(mailbox: Mailbox) -> None:
    assert searches_needed(mailbox, question(["Lantern"], "room", "end")) == 4


def test_what_no_fact_leads_to_is_not_found(mailbox: Mailbox) -> None:
    assert searches_needed(mailbox, question(["Lantern"], "room", "hidden")) == float("inf")
