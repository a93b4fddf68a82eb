"""``mailgym runs`` and ``mailgym report``: look at what was run."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from mailgym.cli.options import DEFAULT_RUNS, AsJson, RunsFolder
from mailgym.cli.output import note, print_json, show
from mailgym.core.errors import UserError

if TYPE_CHECKING:
    from mailgym.core.runs import RunFolder

UPDATE_PHASES = ("train", "validation", "warm_start")
"""Phases whose records are one an update, too many to list; those of a curriculum's stages end like them."""

RunName = Annotated[str, typer.Argument(metavar="RUN", help="A run's name, or its folder.")]


def register(app: typer.Typer) -> None:
    """Add the commands."""
    family = typer.Typer(help="Look at runs.", no_args_is_help=True)
    family.command("list")(list_)
    family.command("show")(show_run)
    app.add_typer(family, name="runs")
    app.command()(report)


def open_run(name: str, runs: Path) -> "RunFolder":
    """Open a run by its name under the folder of runs, or by its own folder.

    Raises:
        RunError: There is none.
    """
    from mailgym.core.runs import CONFIG_FILE, RunFolder

    own = Path(name).expanduser()
    return RunFolder.open(own if (own / CONFIG_FILE).is_file() else runs / name)


def list_(runs: RunsFolder = DEFAULT_RUNS, as_json: AsJson = False) -> None:
    """List the runs: what each was, how far it came, and its best validation. A damaged one is told and left out."""
    from rich.table import Table

    from mailgym.core.runs import RunFolder, run_paths

    found = []
    for path in run_paths(runs):
        try:
            found.append(summarise(RunFolder.open(path)))
        except UserError as error:
            note(str(error))
    if as_json:
        print_json(found)
        return
    if not found:
        show(f"no runs in {runs}: make one with  mailgym demo")
        return
    table = Table("run", "what", "model", "update", "best validation", "episodes", "started")
    for facts in found:
        best = "–" if facts["best_validation"] is None else f"{facts['best_validation']:.3f}"
        cells = (
            facts["name"],
            facts["what"],
            facts["model"],
            facts["update"],
            best,
            facts["episodes"],
            facts["started"],
        )
        table.add_row(*("–" if cell is None else str(cell) for cell in cells))
    show(table)


def show_run(run_name: RunName, runs: RunsFolder = DEFAULT_RUNS, as_json: AsJson = False) -> None:
    """Show one run: its configuration, its measurements before and after, and what it ran on."""
    import tomli_w

    run = open_run(run_name, runs)
    measured = [record for record in run.metrics() if not str(record.get("phase")).endswith(UPDATE_PHASES)]
    facts = {**summarise(run), "config": run.config, "measured": measured, "openings": run.openings()}
    if as_json:
        print_json(facts)
        return
    for name in ("name", "what", "model", "update", "best_validation", "episodes", "started"):
        show(f"{name:<16} {'–' if facts[name] is None else facts[name]}")
    for record in measured:
        reward = record.get("reward_mean")
        agent = record.get("agent", "")
        show(f"{record['phase']:<16} {agent} {'' if reward is None else f'reward {reward:.3f}'}".rstrip())
    show("\n" + tomli_w.dumps(run.config).rstrip())
    for opening in run.openings():
        show(f"\n{opening.get('command', '')}  ({opening.get('opened_at', '')})")


def summarise(run: "RunFolder") -> dict[str, Any]:
    """Return what a list of runs shows of one run."""
    asked: dict[str, Any] = run.config.get("run") or run.config.get("eval") or {}
    training = list(run.metrics("train"))
    validation = [r["reward_mean"] for r in run.metrics("validation") if r.get("reward_mean") is not None]
    openings = run.openings()
    return {
        "name": run.name,
        "what": f"{run.config.get('kind', 'train')} {asked.get('env', '')}".strip(),
        "model": asked.get("model"),
        "update": max((record["update"] for record in training if "update" in record), default=None),
        "best_validation": max(validation, default=None),
        "episodes": len(run.episode_keys()),
        "started": openings[0].get("opened_at") if openings else None,
        "folder": str(run.path),
    }


def report(
    run_name: RunName,
    out: Annotated[Path | None, typer.Option("--out", metavar="FOLDER", help="The run's report/ by default.")] = None,
    with_mail: Annotated[
        bool, typer.Option("--with-mail", help="Show the text of real mail too; left out by default.")
    ] = False,
    runs: RunsFolder = DEFAULT_RUNS,
    as_json: AsJson = False,
) -> None:
    """Write a run's report: HTML with plots, Markdown, and the curve as a picture."""
    from mailgym.evaluate.report import write_report

    written = [path for path in write_report(open_run(run_name, runs), out, with_mail) if path is not None]
    if as_json:
        print_json([str(path) for path in written])
        return
    for path in written:
        show(str(path))
