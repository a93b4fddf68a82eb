import re
from pathlib import Path
from typing import Any

import pytest

from mailgym.cli.mail import conversation
from mailgym.mail.parse import parse_message
from mailgym.mail.thread import ThreadNode


def test_a_thread_is_a_tree_with_the_beginning_of_what_is_new_in_each(mailgym: Any, maya_store: Path) -> None:
    lines = mailgym("mail", "thread", "plan-2", "--store", maya_store).out.splitlines()
    assert lines == [
        "Harbour plan",
        "  2025-03-04 08:00  Dana Whitfield  id plan-1@e",
        "    The plan for the harbour is attached.",
        "Re: Harbour plan",
        ">   2025-03-05 10:00  Tom Becker  id plan-2@e",
        "      I agree with the harbour plan.",
    ]


def test_a_thread_is_the_same_from_whichever_message(mailgym: Any, two_store: Path) -> None:
    first = mailgym("mail", "thread", "plan-1", "--store", two_store, "--json").data
    again = mailgym("mail", "thread", "plan-2", "--store", two_store, "--json")
    assert first == again.data
    assert "the thread is that of maya" in again.err
    assert [(one["message_id"], one["parent"], one["depth"]) for one in first["messages"]] == [
        ("plan-1@ember.example", None, 0),
        ("plan-2@ember.example", "plan-1@ember.example", 1),
    ]
    assert first["mailbox"] == "maya"


def test_full_shows_the_new_texts_alone(mailgym: Any, maya_store: Path) -> None:
    out = mailgym("mail", "thread", "plan-1", "--full", "--store", maya_store).out
    assert "      I agree with the harbour plan." in out
    assert "> The plan" not in out


def test_a_message_alone_and_one_that_is_not_there(mailgym: Any, maya_store: Path) -> None:
    assert len(mailgym("mail", "thread", "evil", "--store", maya_store, "--json").data["messages"]) == 1
    shown = mailgym("mail", "thread", "evil", "--store", maya_store).out
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e\u2066]", shown)
    assert mailgym("mail", "thread", "nothing", "--store", maya_store).code == 2


class DeepMailbox:
    """A thread so deep that no screen could indent it."""

    name = "deep"

    def thread(self, message_id: str) -> Any:
        class Thread:
            nodes = tuple(ThreadNode(f"m{n:09}@x", f"m{n - 1:09}@x" if n else None, n) for n in range(300))

        return Thread

    def read(self, message_id: str) -> Any:
        return parse_message(
            b"Subject: deep\n\n> only a quote\n" + b"" if message_id.endswith("0@x") else b"Subject: deep\n\nx"
        )

    def ids_beginning_with(self, beginning: str, limit: int) -> list[str]:
        return [f"m{n:09}@x" for n in range(300) if f"m{n:09}@x".startswith(beginning)][:limit]


def test_a_deep_thread_stays_on_the_screen(mailgym: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    from contextlib import contextmanager

    @contextmanager
    def open_mailboxes(wanted: str | None, store: Path) -> Any:
        yield {"deep": DeepMailbox()}

    monkeypatch.setattr(conversation, "open_mailboxes", open_mailboxes)
    monkeypatch.setattr(conversation, "short_id", lambda boxes, message_id: message_id)
    lines = mailgym("mail", "thread", "m000000007@x").out.splitlines()
    assert lines[0] == "deep"
    assert len(lines) == 601
    assert lines[2].strip() == "(nothing new in it)"
    assert lines[-2].startswith("                  +291 ")
    assert max(map(len, lines)) < 80
