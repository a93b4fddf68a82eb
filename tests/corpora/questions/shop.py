"""A shop's mail, a store of it, and a scripted model that asks about it and answers as its prompts say."""

import json
import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path

from mailgym.core.episode import Failure
from mailgym.llm.base import ChatReply, ChatRequest
from mailgym.llm.scripted import ScriptedModel
from mailgym.mail.store import MailboxWriter

FIRST_DAY = datetime(2024, 1, 1, 9, tzinfo=UTC)
THINGS = ("kiln", "ladder", "printer", "canoe", "violin", "boiler", "carpet", "awning", "safe", "loom")
PEOPLE = ("Dana", "Tom", "Ines")
MAIL = re.compile(r"Mail (m\d+):\n<mail_data>\n(.*?)\n</mail_data>", re.DOTALL)
COST = re.compile(r"The (\w+ \d+) costs (\d+) euro")
Answer = Callable[[ChatRequest], str | ChatReply | Failure]


def raw(message_id: str, sent: datetime | None, subject: str, text: str, *head: str, sender: str = "Dana") -> bytes:
    """Return a message to Maya."""
    date = f"Date: {format_datetime(sent)}\r\n" if sent is not None else ""
    more = "".join(f"{line}\r\n" for line in head)
    people = f"From: {sender} Berg <{sender.lower()}@shop.example>\r\nTo: Maya Lind <maya@ember.example>\r\n"
    return f"Message-ID: <{message_id}@x>\r\n{date}{people}Subject: {subject}\r\n{more}\r\n{text}\r\n".encode()


def offer(number: int, days: int) -> bytes:
    """Return the offer of a thing that no other mail offers, with its price."""
    thing, person = f"{THINGS[number % len(THINGS)]} {number}", PEOPLE[number % len(PEOPLE)]
    text = f"Hello Maya, here is my offer. The {thing} costs {100 + number} euro, and it is yours until Friday."
    return raw(f"offer-{number}", FIRST_DAY + timedelta(days=days), f"Offer {number}", text, sender=person)


def write_box(store: Path, name: str = "maya", count: int = 60, *more: bytes) -> Path:
    """Write a mailbox with so many offers, a week apart, and other mails."""
    path = store / f"{name}.mailbox"
    with MailboxWriter(path, name, [f"{name}@ember.example"], f"{name.capitalize()} Lind") as writer:
        for number in range(count):
            writer.add(offer(number, 7 * number))
        for mail in more:
            writer.add(mail)
    return path


def draft(question: str, answer: str, *ids: str, how_realistic: float = 0.9) -> dict[str, object]:
    """Return one item as a model writes it."""
    return {"question": question, "answer": answer, "message_ids": list(ids), "how_realistic": how_realistic}


def asks(request: ChatRequest) -> bool:
    """Tell whether a request asks for questions."""
    return request.messages[0].content.startswith("You write questions")


def answers(request: ChatRequest) -> bool:
    """Tell whether a request asks for an answer."""
    return request.messages[0].content.startswith("You answer a question")


def shown(request: ChatRequest) -> list[tuple[str, str]]:
    """Return the mails that a request shows: ids and texts."""
    return MAIL.findall(request.messages[1].content)


def honest(request: ChatRequest) -> str:
    """Ask for the price of everything offered, and answer from what is shown."""
    if asks(request):
        found = [(short_id, *match.groups()) for short_id, text in shown(request) if (match := COST.search(text))]
        return json.dumps([draft(f"How much is the {thing}?", f"{cost} euro", one) for one, thing, cost in found])
    assert answers(request), "the judge is not needed for prices"
    costs = [match[2] for _, text in shown(request) if (match := COST.search(text))]
    return f"{costs[0]} euro" if costs else "I don't know"


def model_of(answer: Answer = honest, tokens: tuple[int, int] | None = (100, 10)) -> ScriptedModel:
    """Return a model that answers so, with the tokens of each call."""

    def reply(request: ChatRequest) -> ChatReply | Failure:
        said = answer(request)
        if not isinstance(said, str):
            return said
        usage = {"prompt_tokens": float(tokens[0]), "completion_tokens": float(tokens[1])} if tokens else {}
        return ChatReply(said, usage=usage)

    return ScriptedModel(reply, "scripted")
