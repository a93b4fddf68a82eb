"""``mailgym questions``: questions with answers about the mail of a store: made by a model, brought in, handed out."""

import sys
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from mailgym.cli.options import DEFAULT_RUNS, AsJson, Device, DryRun, Resume, RunsFolder, Seed, Threads
from mailgym.cli.output import note, print_json, show, status
from mailgym.core.errors import ConfigError, UserError

if TYPE_CHECKING:
    from mailgym.corpora.questions.estimate import Estimate
    from mailgym.corpora.questions.generate import Outcome, Progress
    from mailgym.corpora.questions.meter import Usage
    from mailgym.corpora.questions.options import Options
    from mailgym.corpora.questions.survey import Survey
    from mailgym.llm.base import ChatModel
    from mailgym.llm.remote import Price

REMOTE = "openai:"
TIMEOUT_S = 300.0
WithQuestions = Annotated[Path, typer.Option("--store", metavar="FOLDER", help="The folder of mailboxes.")]
Name = Annotated[
    str, typer.Option("--model", metavar="NAME", help="A language model: local, openai:NAME, run:NAME, or a folder.")
]
MailsPerBox = Annotated[int, typer.Option("--mails-per-box", min=1, help="Most mails of a mailbox that are shown.")]
BatchSize = Annotated[int, typer.Option("--batch", min=1, help="Mails shown at once.")]
MinRealistic = Annotated[
    float, typer.Option("--min-realistic", min=0.0, max=1.0, help="Least likelihood that a question is asked.")
]
Into = Annotated[str, typer.Option("--split", help="train, validation or test for all; or by-mailbox.")]
Limit = Annotated[int | None, typer.Option("--limit", min=1, help="Stop once so many questions are kept.")]
MaxChars = Annotated[int, typer.Option("--max-chars", min=1, help="Characters of a mail that are shown.")]
MaxTokens = Annotated[int, typer.Option("--max-tokens", min=1, help="Tokens the model may write in one call.")]
PriceIn = Annotated[float | None, typer.Option("--price-in", min=0.0, help="US dollars for a million tokens read.")]
PriceOut = Annotated[
    float | None, typer.Option("--price-out", min=0.0, help="US dollars for a million tokens written.")
]
Yes = Annotated[bool, typer.Option("--yes", help="Send mail to a remote model without asking first.")]
OneSplit = Annotated[str | None, typer.Option("--split", help="train, validation or test.")]


def register(app: typer.Typer) -> None:
    """Add the commands."""
    family = typer.Typer(help="Questions with answers about the mail of a store.", no_args_is_help=True)
    family.command("generate")(generate)
    family.command("import")(import_)
    family.command("export")(export)
    app.add_typer(family, name="questions")


def generate(
    store: WithQuestions,
    model: Name,
    mails_per_box: MailsPerBox = 1000,
    batch: BatchSize = 20,
    min_realistic: MinRealistic = 0.7,
    split: Into = "by-mailbox",
    limit: Limit = None,
    max_chars: MaxChars = 4000,
    max_tokens: MaxTokens = 4000,
    price_in: PriceIn = None,
    price_out: PriceOut = None,
    seed: Seed = 0,
    runs: RunsFolder = DEFAULT_RUNS,
    device: Device = None,
    threads: Threads = None,
    yes: Yes = False,
    resume: Resume = False,
    dry_run: DryRun = False,
    as_json: AsJson = False,
) -> None:
    """Let a language model write questions about the mail of a store, and check each from its mails alone.

    A remote model (openai:NAME) is sent the text of the mails that are shown: it is said where to, and asked first.

    --dry-run says which mails and calls it takes, and what they cost by --price-in and --price-out.
    """
    from mailgym.corpora.questions.estimate import estimate
    from mailgym.corpora.questions.journal import Journal
    from mailgym.corpora.questions.options import Options
    from mailgym.corpora.questions.survey import survey

    options = Options(mails_per_box, batch, min_realistic, split, seed, max_chars, max_tokens)
    price = _price(price_in, price_out)
    with status("looking over the store") as say:
        surveyed = survey(store, options, lambda done, total: say(f"looked over {done} of {total} mailboxes"))
    with surveyed:
        for name in surveyed.without_owner:
            note(f"{name} does not say whose it is, and is left out: import it again with --owner ADDRESS")
        journal = Journal(store, model, options)
        done = frozenset(journal.made) if resume else frozenset[str]()
        expected = estimate(surveyed, options, done, limit, price)
        if dry_run:
            _show_plan(surveyed, expected, store, as_json)
            return
        journal.check(resume)
        opened = _open(model, runs, device, threads)
        _agree(model, opened, expected, yes)
        outcome = _make(store, surveyed, opened, price, options, model, limit, resume)
    _show_outcome(surveyed, outcome, store, as_json)
    if outcome.batches_failed:
        raise typer.Exit(1)


def _price(price_in: float | None, price_out: float | None) -> "Price | None":
    from mailgym.llm.remote import Price

    if price_in is None and price_out is None:
        return None
    if price_in is None or price_out is None:
        raise ConfigError("--price-in and --price-out make a price together: give both")
    return Price(price_in, price_out)


def _open(name: str, runs: Path, device: str | None, threads: int | None) -> "ChatModel":
    from mailgym.llm.names import open_model

    note(f"opening {name}")
    return open_model(name, runs=runs, device=device, threads=threads, timeout_s=TIMEOUT_S)


def _agree(name: str, model: "ChatModel", expected: "Estimate", yes: bool) -> None:
    """Say what leaves the machine, and ask; nothing leaves it for a local model.

    Raises:
        UserError: There is nobody to ask, and --yes is not given.
        Exit: The answer is no.
    """
    from mailgym.llm.remote import RemoteModel

    if not isinstance(model, RemoteModel) or not expected.batches:
        return
    note(
        f"the text of up to {expected.mails:,} mails of {_count(expected.mailboxes, 'mailbox', 'mailboxes')} goes to "
        f"{name.removeprefix(REMOTE)} at {model.endpoint}: {_plan_line(expected)}"
    )
    if yes:
        return
    if not sys.stdin.isatty():
        raise UserError("nothing was sent, for there is nobody to ask: add --yes if the mail may be sent there")
    if not typer.confirm("Send it?", default=False, err=True):
        note("nothing was sent")
        raise typer.Exit(1)


def _make(
    store: Path,
    surveyed: "Survey",
    model: "ChatModel",
    price: "Price | None",
    options: "Options",
    name: str,
    limit: int | None,
    resume: bool,
) -> "Outcome":
    from mailgym.corpora.questions.generate import generate_questions
    from mailgym.corpora.questions.meter import Metered

    try:
        with status("asking for questions") as say:
            return generate_questions(
                store,
                surveyed,
                Metered(model, price),
                options,
                name=name,
                limit=limit,
                resume=resume,
                progress=lambda progress: say(_progress_line(progress)),
            )
    except KeyboardInterrupt:
        note("what was made so far is kept: go on with --resume")
        raise


def _progress_line(progress: "Progress") -> str:
    parts = [f"batch {progress.batches_done} of {progress.batches}", f"{progress.kept} questions kept"]
    parts += [_usage_words(progress.usage)] if progress.usage.calls else []
    if progress.seconds_left is not None and progress.batches_done < progress.batches:
        minutes = progress.seconds_left / 60
        parts.append(f"about {minutes:.0f} min left" if minutes >= 1.5 else f"about {progress.seconds_left:.0f} s left")
    return ", ".join(parts)


def _usage_words(usage: "Usage") -> str:
    tokens = f"{usage.prompt_tokens:,} tokens read, {usage.completion_tokens:,} written"
    return f"{tokens}, ${usage.cost_usd:,.2f}" if usage.calls and usage.priced == usage.calls else tokens


def _plan_line(expected: "Estimate") -> str:
    cost = "" if expected.cost_usd is None else f", ${expected.cost_usd:,.2f}"
    return (
        f"about {expected.calls:,} calls, {expected.prompt_tokens:,} tokens read and "
        f"{expected.completion_tokens:,} written{cost}"
    )


def _show_plan(surveyed: "Survey", expected: "Estimate", store: Path, as_json: bool) -> None:
    splits = _by_split(surveyed.splits.values())
    if as_json:
        about = {"store": str(store), "mailboxes_by_split": splits, "left_out": surveyed.left_out}
        print_json({**about, **expected.to_json(), "without_owner": surveyed.without_owner})
        return
    boxes = _count(expected.mailboxes, "mailbox", "mailboxes")
    show(f"would show {expected.mails:,} mails of {boxes} in {expected.batches:,} batches: {_plan_line(expected)}")
    show(f"mailboxes: {_listed(splits)}")
    if surveyed.left_out:
        show(f"mails that cannot be chosen: {_listed(surveyed.left_out)}")
    if expected.cost_usd is None:
        show("the cost is shown with --price-in and --price-out, in US dollars for a million tokens")


def _show_outcome(surveyed: "Survey", outcome: "Outcome", store: Path, as_json: bool) -> None:
    splits = _by_split(question.split for question in outcome.questions)
    if as_json:
        batches = {"done": outcome.batches_done, "failed": outcome.batches_failed, "left": outcome.batches_left}
        about = {"store": str(store), "kept_by_split": splits, "became": outcome.fates, "batches": batches}
        more = {"usage": outcome.usage.to_json(), "left_out": surveyed.left_out, "record": str(outcome.journal)}
        print_json({**about, **more, "failure": outcome.failure if outcome.batches_failed else ""})
        return
    from mailgym.corpora.questions.item import FATES

    total = sum(outcome.fates.values())
    kept = f"kept {len(outcome.questions):,} of {_count(total, 'question', 'questions')}"
    show(f"{kept} from {_count(outcome.batches_done, 'batch', 'batches')}" + (f": {_listed(splits)}" if splits else ""))
    _show_fates(outcome.fates, FATES)
    usage = outcome.usage
    show(f"{_count(usage.calls, 'call', 'calls')}, {usage.cached:,} more from the cache: {_usage_words(usage)}")
    show(f"what became of each: {outcome.journal}")
    if outcome.batches_left:
        show(f"{_count(outcome.batches_left, 'batch', 'batches')} more can be made: --resume with a higher --limit")
    if outcome.batches_failed:
        note(f"{_count(outcome.batches_failed, 'batch', 'batches')} failed ({outcome.failure}): go on with --resume")


def import_(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A table of questions: .parquet or .jsonl.")],
    store: WithQuestions,
    split: OneSplit = None,
    limit: Limit = None,
    as_json: AsJson = False,
) -> None:
    """Bring in ART·E's questions, or a table with its columns, for the mailboxes that the store has.

    Their split is --split, the table's own column, or the beginning of the file's name (train-…, test-…).
    """
    from mailgym.corpora.questions.exchange import ROW_FATES, import_questions

    done = import_questions(file, store, split=split, limit=limit)
    splits = _by_split(question.split for question in done.questions)
    if as_json:
        about = {"file": str(file), "store": str(store), "became": done.fates}
        print_json({**about, "kept_by_split": splits, "example": done.example})
        return
    total = sum(done.fates.values())
    found = f": {_listed(splits)}" if splits else ""
    show(f"kept {len(done.questions):,} of {_count(total, 'row', 'rows')}{found}")
    _show_fates(done.fates, ROW_FATES)
    if done.example:
        show(f"the first row that is no question: {done.example}")


def export(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Where to write: .parquet or .jsonl.")],
    store: WithQuestions,
    split: OneSplit = None,
    as_json: AsJson = False,
) -> None:
    """Write the store's questions with answers as a table with the columns of ART·E's dataset."""
    from mailgym.corpora.questions.exchange import export_questions

    count = export_questions(store, file, split)
    if as_json:
        print_json({"file": str(file), "store": str(store), "split": split, "questions": count})
        return
    show(f"wrote {_count(count, 'question', 'questions')} to {file}")


def _show_fates(fates: dict[str, int], words: dict[str, str]) -> None:
    for fate, count in fates.items():
        if count and fate != "kept":
            show(f"  {count:,} dropped: {words[fate]}")


def _by_split(splits: Iterable[str]) -> dict[str, int]:
    found = Counter(splits)
    return {split: found[split] for split in ("train", "validation", "test") if found[split]}


def _listed(counts: dict[str, int]) -> str:
    return ", ".join(f"{name} {count:,}" for name, count in counts.items())


def _count(count: int, one: str, several: str) -> str:
    return f"{count:,} {one if count == 1 else several}"
