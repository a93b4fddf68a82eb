"""``mailgym simulate``."""

from pathlib import Path
from typing import Annotated

import typer

from mailgym.cli.options import AsJson, DryRun, Seed
from mailgym.cli.output import print_json, progress_bars, show

DEFAULT_STORE = Path("store")


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(simulate)


def simulate(
    store: Annotated[Path, typer.Option("--store", metavar="FOLDER", help="A new or empty folder.")] = DEFAULT_STORE,
    people: Annotated[int | None, typer.Option("--people", min=12, help="People in each company.")] = None,
    days: Annotated[int | None, typer.Option("--days", min=90, help="Days of mail; questions grow with them.")] = None,
    seed: Seed = 0,
    dry_run: DryRun = False,
    as_json: AsJson = False,
) -> None:
    """Write simulated companies' mailboxes, questions and answer keys into a store.

    Three companies, one each for training, validation and testing: other people, other facts, other templates.
    """
    from mailgym.corpora.simulate.store import Size, write_store

    demo = Size.demo()
    size = demo if people is None and days is None else Size.of(people or demo.people, days or demo.days)
    if dry_run:
        plan = {"store": str(store), "seed": seed, "people": size.people, "days": size.days}
        wanted = {**plan, "mailboxes": size.owners, "questions": size.questions}
        print_json(wanted) if as_json else show(_sentence("would write", store, size.owners, size.questions))
        return
    with progress_bars() as report:
        summary = write_store(store, seed, size, lambda _, done, total: report("writing mailboxes", done, total))
    if as_json:
        print_json({"store": str(store), "seed": seed, "mails": summary.mails, "questions": summary.questions})
        return
    show(_sentence("wrote", store, summary.mails, summary.questions))
    show(f"next: mailgym eval find --store {store}")


def _sentence(verb: str, store: Path, mailboxes: dict[str, int], questions: dict[str, int]) -> str:
    total = sum(mailboxes.values())
    counted = f"{len(mailboxes)} mailboxes ({total:,} mails)" if verb == "wrote" else f"{total} mailboxes"
    asked = ", ".join(f"{count} {split}" for split, count in questions.items())
    return f"{verb} {store}: {counted}, questions: {asked}"
