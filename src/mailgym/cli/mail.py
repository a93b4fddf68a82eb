"""``mailgym mail``: bring mail in."""

from pathlib import Path
from typing import Annotated

import typer

from mailgym.cli.options import AsJson, DryRun, Owner
from mailgym.cli.output import print_json, progress_bars, show

DEFAULT_STORE = Path("store")


def register(app: typer.Typer) -> None:
    """Add the family of commands."""
    family = typer.Typer(help="Bring mail in.", no_args_is_help=True)
    family.command("import")(import_)
    app.add_typer(family, name="mail")


def import_(
    source: Annotated[Path, typer.Argument(metavar="FILE", help="An mbox file: plain, .xz, .gz or .bz2.")],
    store: Annotated[Path, typer.Option("--store", metavar="FOLDER", help="The folder of mailboxes.")] = DEFAULT_STORE,
    owner: Owner = None,
    name: Annotated[str | None, typer.Option("--name", help="The mailbox's name; the file's own by default.")] = None,
    dry_run: DryRun = False,
    as_json: AsJson = False,
) -> None:
    """Import an mbox into a mailbox file; importing again adds only what is new."""
    from mailgym.corpora.import_mail import import_mbox

    if dry_run:
        import tempfile

        with tempfile.TemporaryDirectory() as scratch, progress_bars() as bars:
            report = import_mbox(
                source, Path(scratch), owner, name, lambda done, total: bars(f"reading {source.name}", done, total)
            )
    else:
        with progress_bars() as bars:
            report = import_mbox(
                source, store, owner, name, lambda done, total: bars(f"importing {source.name}", done, total)
            )
    path = store / report.path.name
    if as_json:
        counts = {"messages": report.total, "added": report.added, "duplicates": report.duplicates}
        about = {"owner": report.owner.name, "addresses": list(report.owner.addresses)}
        print_json({"mailbox": str(path), "dry_run": dry_run, **counts, "skipped": report.skipped, **about})
        return
    found = " (found from the mails)" if report.owner_was_found else ""
    show(f"{'would write ' if dry_run else ''}{path}: {report.owner.name} <{', '.join(report.owner.addresses)}>{found}")
    show(f"{report.total:,} messages read: {report.added:,} added, {report.duplicates:,} duplicates")
    for reason, count in report.skipped.items():
        show(f"{count:,} skipped: {reason}")
    if not dry_run:
        show(f"next: mailgym eval find --mailbox {path}")
