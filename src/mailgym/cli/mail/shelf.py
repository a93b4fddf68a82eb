"""``mailgym mail list``, ``stats`` and ``rm``: the mailboxes of a store."""

import sqlite3
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from mailgym.cli.mail import plain
from mailgym.cli.mail.places import DEFAULT_STORE, StoreFolder, find_mailbox, mailbox_paths
from mailgym.cli.options import AsJson, DryRun
from mailgym.cli.output import note, print_json, show
from mailgym.core.errors import StoreError, UserError

if TYPE_CHECKING:
    from mailgym.mail.mailbox import Mailbox

LEFTOVERS = ("-journal", "-wal", "-shm")
"""What SQLite may leave beside a file when it is killed."""

MOST_FOLDERS = 20
_SQLITE_HEAD, _ID_AT, _LOCK_WAIT_S = b"SQLite format 3\x00", slice(68, 72), 0.5


def register(family: typer.Typer) -> None:
    """Add the commands."""
    family.command()(stats)
    family.command("list")(list_)
    family.command("rm")(remove)


def list_(store: StoreFolder = DEFAULT_STORE, as_json: AsJson = False) -> None:
    """List the mailboxes of a store.

    Of each: owner, messages, first and last date, size. A damaged one is told and left out.
    """
    from rich.table import Table
    from rich.text import Text

    rows = [_summary(path) for path in mailbox_paths(store)]
    facts = [row for row in rows if row is not None]
    if as_json:
        print_json(facts)
        return
    if not facts:
        return
    table = Table("mailbox", "owner", "messages", "first", "last", "on disk")
    table.columns[2].justify = table.columns[5].justify = "right"
    for one in facts:
        owner = plain.one_line(one["owner"] or ", ".join(one["addresses"])) or "–"
        dates = [(one[key] or "–")[:10] for key in ("first", "last")]
        size = plain.size_words(one["disk_bytes"])
        name = plain.one_line(one["mailbox"])
        table.add_row(*(Text(cell) for cell in (name, owner, f"{one['messages']:,}", *dates, size)))
    show(table)


def _summary(path: Path) -> dict[str, Any] | None:
    from mailgym.mail.mailbox import Mailbox

    try:
        with Mailbox.open(path) as mailbox:
            counted = _counted(mailbox)
    except StoreError as error:
        note(str(error))
        return None
    return {
        key: counted[key]
        for key in ("mailbox", "file", "owner", "addresses", "messages", "first", "last", "disk_bytes")
    }


def _counted(mailbox: "Mailbox") -> dict[str, Any]:
    counted = mailbox.stats()
    return {
        "mailbox": mailbox.path.stem,
        "file": str(mailbox.path),
        "owner": mailbox.owner_name,
        "addresses": list(mailbox.owner_addresses),
        "messages": counted.messages,
        "first": counted.first.isoformat() if counted.first else None,
        "last": counted.last.isoformat() if counted.last else None,
        "undated": counted.undated,
        "authors": counted.people,
        "with_attachment": counted.with_attachment,
        "with_defects": counted.with_defects,
        "raw_bytes": counted.size_bytes,
        "disk_bytes": mailbox.path.stat().st_size,
        "folders": counted.folders,
    }


def stats(
    mailbox: Annotated[
        str | None,
        typer.Argument(metavar="[MAILBOX]", help="A mailbox of the store, or a file; all of the store else."),
    ] = None,
    store: StoreFolder = DEFAULT_STORE,
    as_json: AsJson = False,
) -> None:
    """Count what a mailbox holds, and its size on disk.

    Messages, dates, authors, attachments, defects, folders.
    """
    from mailgym.mail.mailbox import Mailbox

    paths = mailbox_paths(store) if mailbox is None else [find_mailbox(mailbox, store)]
    counted = []
    for path in paths:
        with Mailbox.open(path) as opened:
            counted.append(_counted(opened))
    if as_json:
        print_json(counted)
        return
    for place, facts in enumerate(counted):
        if place:
            plain.print_text("")
        plain.print_pairs(_stats_pairs(facts))


def _stats_pairs(facts: dict[str, Any]) -> list[tuple[str, str]]:
    owner = plain.one_line(f"{facts['owner']} <{', '.join(facts['addresses'])}>".strip())
    of_raw = f", {facts['disk_bytes'] / facts['raw_bytes']:.0%} of the raw mail" if facts["raw_bytes"] else ""
    dates = " to ".join((facts[key] or "")[:10] for key in ("first", "last")) if facts["first"] else "–"
    pairs = [
        ("mailbox", plain.one_line(f"{facts['mailbox']} ({facts['file']})")),
        ("owner", owner),
        ("messages", f"{facts['messages']:,}"),
        ("dates", dates + (f" ({facts['undated']:,} without a date)" if facts["undated"] else "")),
        ("authors", f"{facts['authors']:,} addresses"),
        ("with attachments", f"{facts['with_attachment']:,}"),
        ("with defects", f"{facts['with_defects']:,}"),
        ("on disk", f"{plain.size_words(facts['disk_bytes'])}{of_raw} ({plain.size_words(facts['raw_bytes'])})"),
    ]
    folders = list(facts["folders"].items())
    pairs += [("folder", f"{plain.one_line(name) or '(none)'}: {count:,}") for name, count in folders[:MOST_FOLDERS]]
    if len(folders) > MOST_FOLDERS:
        pairs.append(("", f"and {len(folders) - MOST_FOLDERS:,} more folders (--json names all)"))
    return pairs


def remove(
    name: Annotated[str, typer.Argument(metavar="NAME", help="A mailbox of the store, by its whole name.")],
    store: StoreFolder = DEFAULT_STORE,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
    dry_run: DryRun = False,
    as_json: AsJson = False,
) -> None:
    """Delete a mailbox; asks first.

    That is one file, and what a killed import may have left beside it. The mail it was imported from, and questions
    and runs made of it, stay where they are.
    """
    path = _deletable(name, store)
    files = [file for file in (path, *(path.with_name(path.name + end) for end in LEFTOVERS)) if _is_there(file)]
    size_bytes = sum(file.lstat().st_size for file in files)
    what = plain.one_line(f"{path} ({_messages(path)}, {plain.size_words(size_bytes)})")
    if not dry_run:
        _refuse_if_written(path)
        if not yes:
            _ask(what)
        for file in files:
            file.unlink()
    if as_json:
        print_json({"dry_run": dry_run, "files": [str(file) for file in files], "bytes": size_bytes})
    else:
        plain.print_text(f"{'would delete' if dry_run else 'deleted'} {what}")


def _deletable(name: str, store: Path) -> Path:
    from mailgym.mail.schema import APPLICATION_ID, MAILBOX_SUFFIX

    paths = {path.stem: path for path in mailbox_paths(store)}
    path = paths.get(name.removesuffix(MAILBOX_SUFFIX))
    if path is None:
        raise UserError(f"{name!r} is no mailbox in {store}: there is {', '.join(paths)}")
    if not path.is_file():
        if path.is_symlink():  # it leads nowhere: the link is all there is
            return path
        raise StoreError(f"{path} is not a file: mailgym deletes mailbox files only")
    with path.open("rb") as file:
        head = file.read(_ID_AT.stop)
    if head and (not head.startswith(_SQLITE_HEAD) or head[_ID_AT] != APPLICATION_ID.to_bytes(4, "big")):
        raise StoreError(f"{path} does not begin as a mailbox file does: look at it, and delete it yourself")
    return path


def _is_there(file: Path) -> bool:
    return file.is_symlink() or file.is_file()


def _messages(path: Path) -> str:
    from mailgym.mail.mailbox import Mailbox

    try:
        with Mailbox.open(path) as mailbox:
            return plain.counted(len(mailbox), "message")
    except StoreError:
        return "it cannot be read"


def _refuse_if_written(path: Path) -> None:
    """Refuse to delete a mailbox into which an import is writing."""
    if not path.is_file():
        return
    try:
        connection = sqlite3.connect(f"{path.resolve().as_uri()}?mode=rw", uri=True, timeout=_LOCK_WAIT_S)
        try:
            connection.execute("BEGIN IMMEDIATE")
            connection.execute("ROLLBACK")
        finally:
            connection.close()
    except sqlite3.Error as error:
        if getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_BUSY:
            raise StoreError(f"{path} is being written: wait until the import is done, or stop it") from error


def _ask(what: str) -> None:
    if not sys.stdin.isatty():
        raise UserError("there is no terminal to ask at: say --yes to delete it without a question")
    sys.stderr.write(f"delete {what}? [y/N] ")
    sys.stderr.flush()
    if sys.stdin.readline().strip().lower() not in ("y", "yes"):
        raise UserError("nothing was deleted")
