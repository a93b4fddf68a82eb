"""``mailgym mail thread``: the conversation that a message belongs to."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from mailgym.cli.mail import plain
from mailgym.cli.mail.letter import message_facts, tell_apart
from mailgym.cli.mail.places import (
    DEFAULT_STORE,
    MessageId,
    OneMailbox,
    StoreFolder,
    find_message,
    name_some,
    open_mailboxes,
    short_id,
)
from mailgym.cli.options import AsJson
from mailgym.cli.output import console, note, print_json

if TYPE_CHECKING:
    from rich.console import Console

    from mailgym.mail.mailbox import Mailbox
    from mailgym.mail.message import Message
    from mailgym.mail.thread import ThreadNode

MOST_INDENTS, INDENT, ASKED_STYLE = 8, "  ", "bold"


def register(family: typer.Typer) -> None:
    """Add the command."""
    family.command()(thread)


def thread(
    message_id: MessageId,
    mailbox: OneMailbox = None,
    store: StoreFolder = DEFAULT_STORE,
    full: Annotated[bool, typer.Option("--full", help="All new text of every message, not its beginning.")] = False,
    as_json: AsJson = False,
) -> None:
    """Show the conversation that a message belongs to, as a tree.

    Of each message: when, who, and how what is new in it begins. Answers stand below what they answer, further in.
    The message that was asked for is marked with ``>``.
    """
    with open_mailboxes(mailbox, store) as mailboxes:
        found, names = find_message(mailboxes, message_id)
        if len(names) > 1:
            note(f"in {name_some(names)}; the thread is that of {names[0]}: choose another with --mailbox NAME")
        box = mailboxes[names[0]]
        nodes = box.thread(found).nodes
        if as_json:
            print_json({"mailbox": names[0], "messages": [_facts(node, box) for node in nodes]})
            return
        target = console()
        subject = ""
        for node in nodes:
            message = box.read(node.message_id)
            if message.subject != subject:
                plain.print_text(plain.one_line(message.subject) or "(no subject)", "underline", target)
                subject = message.subject
            shown = plain.typed_id(short_id({names[0]: box}, node.message_id))
            _show_node(node, message, shown, node.message_id == found, full, target)


def _facts(node: "ThreadNode", box: "Mailbox") -> dict[str, Any]:
    return {"parent": node.parent, "depth": node.depth, **message_facts(box.read(node.message_id))}


def _show_node(
    node: "ThreadNode", message: "Message", shown_id: str, is_asked: bool, full: bool, target: "Console"
) -> None:
    from rich.text import Text

    indent = INDENT * min(node.depth, MOST_INDENTS)
    deeper = f"+{node.depth - MOST_INDENTS} " if node.depth > MOST_INDENTS else ""
    head = Text("> " if is_asked else "  ", style=ASKED_STYLE) + Text(indent + deeper)
    head.append(
        f"{plain.time_words(message.date)}  {plain.person_words(message.from_)}", ASKED_STYLE if is_asked else ""
    )
    head.append(f"  id {plain.visible(shown_id)}", plain.QUIET_STYLE)
    plain.print_text(head, target=target)
    margin = "    " + indent
    new = [plain.visible(line).rstrip() for line, is_new in tell_apart(message) if is_new]
    if full:
        for line in new:
            plain.print_text((margin + line).rstrip(), target=target)
        plain.print_text("", target=target)
        return
    beginning = " ".join(" ".join(new).split())
    opening = Text(margin + (beginning or "(nothing new in it)"), style="" if beginning else plain.QUIET_STYLE)
    opening.truncate(max(target.width, len(margin) + 20), overflow="ellipsis")
    plain.print_text(opening, target=target)
