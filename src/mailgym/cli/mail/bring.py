"""``mailgym mail import`` and ``mailgym mail get``: bring mail in."""

import os
import shlex
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from mailgym.cli.mail import plain
from mailgym.cli.mail.places import DEFAULT_STORE, StoreFolder
from mailgym.cli.options import AsJson, DryRun, Owner
from mailgym.cli.output import console, print_json, progress_bars, show
from mailgym.core.errors import UserError

if TYPE_CHECKING:
    from mailgym.corpora.import_report import ImportReport, MailboxReport, Record
    from mailgym.corpora.readers.source import Source

DEFAULT_DOWNLOADS = Path()
LEAST_S_BETWEEN_UPDATES = 0.1
BY = ("person", "address")
REPORT_HEAD = b'{"origin"'
"""How every line of a report begins."""
IMAP_SCHEMES = ("imap://", "imaps://")
Progress = Callable[[int, int, int | None], None]


SourceName = Annotated[
    str,
    typer.Argument(metavar="SOURCE", help="A file or folder of mail, an archive of them, or imaps://USER@HOST/FOLDER."),
]
MailboxName = Annotated[str | None, typer.Option("--name", help="The mailbox's name; the source's own by default.")]
By = Annotated[
    str | None,
    typer.Option("--by", metavar="HOW", help="A mailbox for each person (the top folder), or for each address."),
]
Addresses = Annotated[
    list[str] | None,
    typer.Option("--address", metavar="ADDRESS", help="An inbox: all mail from or to it. May be repeated."),
]
InboxSplit = Annotated[
    str | None,
    typer.Option("--split", metavar="NAME", help="ART·E's inboxes: art-e, art-e:train or art-e:test."),
]
ReportFile = Annotated[
    Path | None, typer.Option("--report", metavar="FILE", help="What became of every message, as JSONL.")
]
Workers = Annotated[int | None, typer.Option("--workers", min=1, help="Processes that parse; one a core by default.")]
TokenCommand = Annotated[
    str | None, typer.Option("--token-command", metavar="COMMAND", help="IMAP: prints an OAuth2 access token.")
]
PasswordCommand = Annotated[
    str | None, typer.Option("--password-command", metavar="COMMAND", help="IMAP: prints the password.")
]


def register(family: typer.Typer) -> None:
    """Add the commands."""
    family.command("import")(import_)
    getting = typer.Typer(help="Download public mail.", no_args_is_help=True)
    getting.command("enron")(get_enron)
    family.add_typer(getting, name="get")


def import_(
    source: SourceName,
    store: StoreFolder = DEFAULT_STORE,
    owner: Owner = None,
    name: MailboxName = None,
    by: By = None,
    address: Addresses = None,
    split: InboxSplit = None,
    report: ReportFile = None,
    workers: Workers = None,
    token_command: TokenCommand = None,
    password_command: PasswordCommand = None,
    dry_run: DryRun = False,
    as_json: AsJson = False,
) -> None:
    """Import mail; importing again adds only what is new.

    The mail goes into one file a mailbox. Ctrl-C or a kill loses the batch in flight alone: running it again
    finishes the job. --report FILE is written when the import is done, and not at all when it is broken off.
    """
    from mailgym.core.machine import usable_cores
    from mailgym.corpora.import_mail import import_mail
    from mailgym.corpora.readers.detect import open_source
    from mailgym.corpora.readers.enron import by_address

    _check_secret_options(source, token_command, password_command)
    by, inboxes = _parting(by, address or [], split)
    if inboxes and (owner is not None or name is not None):
        raise UserError("each inbox is named and owned by its address: leave out --owner and --name")
    started_s = time.perf_counter()
    with (
        _secret_commands(token_command, password_command),
        _records(report) as record,
        _store_or_scratch(store, dry_run) as folder,
    ):
        opened = open_source(source, by=by)
        with import_bar(f"{'reading' if dry_run else 'importing'} {opened.name}") as progress:
            done = import_mail(
                opened,
                folder,
                owner={inbox: address for address, inbox in inboxes.items()} or owner,
                name=name,
                route=by_address(inboxes) if inboxes else None,
                progress=progress,
                workers=workers or usable_cores(),
                record=record,
            )
    seconds = time.perf_counter() - started_s
    if as_json:
        print_json({**_facts(opened, done, store), "dry_run": dry_run, "seconds": round(seconds, 3)})
        return
    _show_report(opened, done, seconds, dry_run)
    if report is not None:
        plain.print_text(plain.visible(f"what became of each message: {report}"))
    if not dry_run and done.mailboxes:
        _show_next(done, store)


def _check_secret_options(source: str, token_command: str | None, password_command: str | None) -> None:
    given = [
        option
        for option, value in (("--token-command", token_command), ("--password-command", password_command))
        if value is not None
    ]
    if given and not source.lower().startswith(IMAP_SCHEMES):
        raise UserError(f"{given[0]} opens a mail account: it goes with a source such as  imaps://USER@HOST")


@contextmanager
def _secret_commands(token_command: str | None, password_command: str | None) -> Iterator[None]:
    """Make a command given as an option the way to the secret, as long as the block lasts."""
    from mailgym.corpora.readers.secret import choose_command

    before = dict(os.environ)
    choose_command(os.environ, password=password_command, token=token_command)
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(before)


def _parting(by: str | None, addresses: list[str], split: str | None) -> tuple[str | None, dict[str, str]]:
    """Return how the source is to be parted, and the inboxes' names by their addresses, from what says it.

    Raises:
        UserError: The three options do not go together, or one of them is wrong.
    """
    from mailgym.corpora.readers import enron

    if by not in (None, *BY):
        raise UserError(f"--by is {by!r}: write {' or '.join(BY)}")
    for address in addresses:
        if "@" not in address:
            raise UserError(f"--address is {address!r}: write a whole address, such as  dana@example.com")
    if split is not None:
        addresses = [*addresses, *enron.inbox_addresses(split)]
    if addresses and by == "person":
        raise UserError("--address and --split name inboxes: they go with --by address, not with --by person")
    if by == "address" and not addresses:
        raise UserError("--by address needs to know which: name each with --address, or a --split such as art-e:test")
    return ("address", enron.mailbox_names(addresses)) if addresses else (by, {})


@contextmanager
def _records(report: Path | None) -> "Iterator[Callable[[Record], None] | None]":
    """Yield the function that writes what became of one message, None where no report is wanted."""
    from mailgym.core.files import lines_written_whole

    if report is None:
        yield None
        return
    _check_report(report)
    with lines_written_whole(report) as write:
        yield lambda record: write(asdict(record))


def _check_report(report: Path) -> None:
    """Refuse to write over what is no report, such as the mail itself: before the import, not after it.

    Raises:
        UserError: Something else lies there.
    """
    if not report.exists():
        return
    if not report.is_file():
        raise UserError(f"--report {report} is no file: name a file to write to")
    with report.open("rb") as file:
        head = file.read(len(REPORT_HEAD))
    if head and head != REPORT_HEAD:
        raise UserError(f"--report {report} would write over a file that is no report of an import: name another")


@contextmanager
def _store_or_scratch(store: Path, dry_run: bool) -> Iterator[Path]:
    """Yield the store; for a dry run a copy of it that is thrown away, so that what is there counts as there."""
    from mailgym.mail.schema import MAILBOX_SUFFIX

    if not dry_run:
        yield store
        return
    with tempfile.TemporaryDirectory(prefix="mailgym-dry-run-") as scratch:
        for path in store.glob(f"*{MAILBOX_SUFFIX}*") if store.is_dir() else ():
            if path.is_file():
                shutil.copyfile(path, Path(scratch) / path.name)
        yield Path(scratch)


@contextmanager
def import_bar(what: str) -> Iterator[Progress]:
    """Show how far an import is, on standard error: messages, messages a second, time left.

    Yields the function that is told (messages, position, size in bytes or None); without a size it only counts.
    """
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

    target = console(stderr=True)
    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(bar_width=24),
        TaskProgressColumn(),
        TextColumn("{task.fields[counted]}", markup=False),
        TimeRemainingColumn(compact=True),
    )
    started_s, shown_s = time.perf_counter(), 0.0
    last: tuple[int, int, int | None] = (0, 0, None)
    with Progress(*columns, console=target, disable=not target.is_terminal) as display:
        bar = display.add_task(plain.one_line(what), total=None, counted="")

        def update(messages: int, position: int, size_bytes: int | None) -> None:
            elapsed_s = max(time.perf_counter() - started_s, 1e-9)
            counted = f"{plain.counted(messages, 'mail')}  {messages / elapsed_s:,.0f} mails/s"
            display.update(bar, completed=position, total=size_bytes, counted=counted)

        def report(messages: int, position: int, size_bytes: int | None) -> None:
            nonlocal shown_s, last
            last = (messages, position, size_bytes)
            now_s = time.perf_counter()
            if now_s - shown_s >= LEAST_S_BETWEEN_UPDATES:
                shown_s = now_s
                update(*last)

        yield report
        messages, position, size_bytes = last
        update(messages, position if size_bytes is None else size_bytes, size_bytes)


def _facts(source: "Source", done: "ImportReport", store: Path) -> dict[str, Any]:
    mailboxes = [
        {
            "mailbox": one.name,
            "file": str(store / one.path.name),
            "owner": one.owner.name,
            "addresses": list(one.owner.addresses),
            "owner_was_found": one.owner_was_found,
            "added": one.added,
            "duplicates": one.duplicates,
            "messages": one.messages,
        }
        for one in done.mailboxes
    ]
    counts = {"read": done.total, "added": done.added, "duplicates": done.duplicates, "skipped": done.skipped}
    return {"source": source.name, "kind": source.kind, **counts, "mailboxes": mailboxes}


def _show_report(source: "Source", done: "ImportReport", seconds: float, dry_run: bool) -> None:
    from rich.table import Table
    from rich.text import Text

    skipped = sum(done.skipped.values())
    rate = f"{seconds:.1f} s ({done.total / max(seconds, 1e-9):,.0f} a second)"
    read = plain.counted(done.total, "message")
    plain.print_text(f"{plain.one_line(source.name)} ({source.kind}): {read} read in {rate}")
    would = "would be " if dry_run else ""
    plain.print_text(f"{done.added:,} {would}added, {plain.counted(done.duplicates, 'duplicate')}, {skipped:,} skipped")
    for reason, count in sorted(done.skipped.items(), key=lambda item: -item[1]):
        plain.print_text(f"  {count:,} skipped: {plain.one_line(reason)}")
    if not done.mailboxes:
        return
    table = Table("mailbox", "owner", "added", "duplicates", "messages then" if dry_run else "messages now")
    table.columns[1].overflow = "fold"  # an address is of no use when its end is cut off
    for column in table.columns[2:]:
        column.justify = "right"
    for one in done.mailboxes:
        numbers = (f"{number:,}" for number in (one.added, one.duplicates, one.messages))
        table.add_row(Text(plain.one_line(one.name)), Text(_owner_words(one)), *numbers)
    show(table)


def _owner_words(one: "MailboxReport") -> str:
    addresses = ", ".join(one.owner.addresses)
    whose = f"{one.owner.name} <{addresses}>" if one.owner.name and addresses else one.owner.name or addresses
    return plain.one_line(f"{whose} (found)" if one.owner_was_found else whose) or "unknown: name it with --owner"


def _show_next(done: "ImportReport", store: Path) -> None:
    first = done.mailboxes[0].path
    where = "" if store == DEFAULT_STORE else f" --store {shlex.quote(str(store))}"
    plain.print_text(f"next: mailgym mail search WORDS{where}")
    plain.print_text(f"or:   mailgym eval find --mailbox {shlex.quote(str(first))}")


def get_enron(
    to: Annotated[Path, typer.Option("--to", metavar="FOLDER", help="Where to put it.")] = DEFAULT_DOWNLOADS,
    as_json: AsJson = False,
) -> None:
    """Download CMU's release of the Enron mail (443 MB).

    A broken download goes on where it ended. The archive is read once to check it, and its SHA-256 kept beside it
    for the next time.
    """
    from mailgym.corpora.readers import download

    with progress_bars() as bars:
        path = download.get_enron(to, lambda done, total: bars("downloading", done, total))
    if as_json:
        print_json({"file": str(path), "bytes": path.stat().st_size})
        return
    plain.print_text(f"{path}: {plain.size_words(path.stat().st_size)}")
    plain.print_text(f"next: mailgym mail import {shlex.quote(str(path))}")
