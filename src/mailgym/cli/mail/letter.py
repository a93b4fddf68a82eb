"""``mailgym mail read``: one message, as it can be read at a terminal, or as it came."""

import sys
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

import typer

from mailgym.cli.mail import plain
from mailgym.cli.mail.places import (
    DEFAULT_STORE,
    MessageId,
    OneMailbox,
    StoreFolder,
    find_message,
    name_some,
    open_mailboxes,
)
from mailgym.cli.options import AsJson
from mailgym.cli.output import console, note, print_json
from mailgym.core.errors import UserError

if TYPE_CHECKING:
    from mailgym.mail.message import Address, Message

MOST_PEOPLE = 20


def register(family: typer.Typer) -> None:
    """Add the command."""
    family.command()(read)


def read(
    message_id: MessageId,
    mailbox: OneMailbox = None,
    store: StoreFolder = DEFAULT_STORE,
    raw: Annotated[bool, typer.Option("--raw", help="The message's own bytes, as they were imported.")] = False,
    headers: Annotated[bool, typer.Option("--headers", help="All of its headers, as they were written.")] = False,
    quotes: Annotated[bool, typer.Option("--quotes/--no-quotes", help="Show quoted text and signature too.")] = True,
    as_json: AsJson = False,
) -> None:
    """Read one message, quotes dimmed.

    Who, when, attachments, what is wrong with it, and its text. Control characters in it are shown, not obeyed.
    --raw writes the exact bytes to a file or a pipe; on a terminal it shows control characters, too.
    """
    if raw + headers + as_json > 1:
        raise UserError("--raw, --headers and --json are three forms of one message: choose one of them")
    with open_mailboxes(mailbox, store) as mailboxes:
        found, names = find_message(mailboxes, message_id)
        if len(names) > 1:
            note(f"in {name_some(names)}; shown as in {names[0]}: choose another with --mailbox NAME")
        box = mailboxes[names[0]]
        if raw:
            _write_raw(box.read_raw(found))
        elif headers:
            head = box.read_raw(found).replace(b"\r\n", b"\n").replace(b"\r", b"\n").partition(b"\n\n")[0]
            plain.print_text(plain.visible(_decoded(head)))
        elif as_json:
            print_json({"mailbox": names[0], **message_facts(box.read(found))})
        else:
            show_message(box.read(found), quotes)


def _write_raw(raw: bytes) -> None:
    if sys.stdout.isatty():
        plain.print_text(plain.visible(_decoded(raw)))
        return
    sys.stdout.flush()
    sys.stdout.buffer.write(raw)
    sys.stdout.buffer.flush()


def _decoded(raw: bytes) -> str:
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        return raw.decode("latin-1")


def message_facts(message: "Message") -> dict[str, Any]:
    """Return a message as plain data: all of its fields, the date as text."""
    facts = asdict(message)
    facts["date"] = message.date.isoformat() if message.date else None
    facts["from"] = facts.pop("from_")
    return facts


def show_message(message: "Message", quotes: bool = True) -> None:
    """Print a message for a person."""
    plain.print_pairs(_head(message))
    target = console()
    for defect in message.defects:
        plain.print_text(plain.one_line(f"defect: {defect}"), plain.WARNING_STYLE, target)
    plain.print_text("", target=target)
    hidden = 0
    for line, is_new in tell_apart(message):
        if is_new or quotes:
            plain.print_text(plain.visible(line), "" if is_new else plain.QUIET_STYLE, target)
        else:
            hidden += bool(line.strip())
    if hidden:
        left_out = f"({hidden:,} lines of quoted text or signature are left out: --quotes shows them)"
        plain.print_text(left_out, plain.QUIET_STYLE, target)


def _head(message: "Message") -> list[tuple[str, str]]:
    date = f"{plain.time_words(message.date)} UTC" if message.date else "unknown"
    original = plain.one_line(message.date_original)
    pairs = [
        ("subject", plain.one_line(message.subject)),
        ("from", plain.one_line(str(message.from_))),
        ("to", _people(message.to)),
        ("cc", _people(message.cc)),
        ("bcc", _people(message.bcc)),
        ("date", f"{date} (written: {original})" if original else date),
        ("folder", plain.one_line(message.folder)),
        ("flags", plain.one_line(", ".join(message.flags))),
        ("labels", plain.one_line(", ".join(message.labels))),
        ("answers", plain.one_line(f"<{message.in_reply_to}>") if message.in_reply_to else ""),
        ("id", plain.one_line(f"<{message.message_id}>")),
    ]
    for attached in message.attachments:
        about = f"{attached.file_name} ({attached.content_type}, {plain.size_words(attached.size_bytes)})"
        pairs.append(("attached", plain.one_line(about)))
    return [(name, value) for name, value in pairs if value or name in ("subject", "from")]


def _people(people: "tuple[Address, ...]") -> str:
    more = len(people) - MOST_PEOPLE
    shown = plain.one_line(", ".join(str(person) for person in people[:MOST_PEOPLE]))
    return f"{shown} and {more:,} more (--headers or --json shows all)" if more > 0 else shown


def tell_apart(message: "Message") -> list[tuple[str, bool]]:
    """Return the lines of a message's text in their order, each with whether its author wrote it for this message.

    Where the two texts cannot be followed through the whole, the new text comes first, then the quoted.
    """
    new = [line.strip() for line in message.new_text.splitlines() if line.strip()]
    quoted = [line.strip() for line in message.quoted_text.splitlines() if line.strip()]
    lines, at_new, at_quoted, is_new = [], 0, 0, True
    for line in message.text.splitlines():
        bare = line.strip()
        if bare:
            fits_new = at_new < len(new) and new[at_new] == bare
            fits_quoted = at_quoted < len(quoted) and quoted[at_quoted] == bare
            if not fits_new and not fits_quoted:
                break
            is_new = fits_new if fits_new != fits_quoted else is_new
            at_new, at_quoted = at_new + is_new, at_quoted + (not is_new)
        lines.append((line, is_new))
    if (at_new, at_quoted) == (len(new), len(quoted)):
        return lines
    apart = [(line, True) for line in message.new_text.splitlines()]
    return apart + [(line, False) for line in message.quoted_text.splitlines()]
