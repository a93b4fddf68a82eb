"""``mailgym simulate``."""

from pathlib import Path
from typing import Annotated

import typer

from mailgym.cli.options import AsJson, DryRun, Seed
from mailgym.cli.output import print_json, progress_bars, show

DEFAULT_STORE = Path("store")
FREE_PEOPLE, FREE_DAYS = 24, 420
"""What there is of the other where only one of people and days is given."""


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(simulate)


def simulate(
    store: Annotated[Path, typer.Option("--store", metavar="FOLDER", help="A new or empty folder.")] = DEFAULT_STORE,
    size: Annotated[str, typer.Option("--size", help="full, small, demo, or people and days such as 40x180.")] = "full",
    people: Annotated[
        int | None, typer.Option("--people", min=12, help="People in each company; for search, 16 or more.")
    ] = None,
    days: Annotated[int | None, typer.Option("--days", min=90, help="Days of mail; questions grow with them.")] = None,
    seed: Seed = 0,
    dry_run: DryRun = False,
    as_json: AsJson = False,
) -> None:
    """Write simulated companies' mailboxes, questions and answer keys into a store.

    Three companies, one each for training, validation and testing: other people, other facts, other templates.

    --size full is the corpus of search: 14 mailboxes of some 5,500 mails, 5,500 questions with answers; small has a
    tenth of that mail. demo is what mailgym demo trains on, with questions of find alone. With --people or --days, mail
    grows with both.
    """
    from mailgym.corpora.simulate.store import Size, write_store
    from mailgym.corpora.sources import read_size

    chosen = read_size(size)
    if people is not None or days is not None:
        chosen = Size.of(people or FREE_PEOPLE, days or FREE_DAYS)
    if dry_run:
        plan = {"store": str(store), "seed": seed, "people": chosen.people, "days": chosen.days}
        wanted = {**plan, "mailboxes": chosen.owners, "questions": chosen.questions, "searches": chosen.searches}
        boxes = sum(chosen.owners.values())
        sentence = _sentence(f"would write {store}: {boxes} mailboxes", chosen.questions, chosen.searches)
        print_json(wanted) if as_json else show(sentence)
        return
    with progress_bars() as report:
        summary = write_store(store, seed, chosen, lambda _, done, total: report("writing mailboxes", done, total))
    if as_json:
        counts = {"mails": summary.mails, "questions": summary.questions, "searches": summary.searches}
        print_json({"store": str(store), "seed": seed, **counts})
        return
    wrote = f"wrote {store}: {len(summary.mails)} mailboxes ({sum(summary.mails.values()):,} mails)"
    show(_sentence(wrote, summary.questions, summary.searches))
    env = "search" if any(summary.searches.values()) else "find"
    show(f"next: mailgym eval {env} --store {store}")


def _sentence(what: str, questions: dict[str, int], searches: dict[str, int]) -> str:
    said = [what, f"find: {_counts(questions)}"]
    return ", ".join([*said, f"search: {_counts(searches)}"] if any(searches.values()) else said)


def _counts(questions: dict[str, int]) -> str:
    return " + ".join(f"{count:,} {split}" for split, count in questions.items()) + " questions"
