"""Options that mean the same in every command."""

from pathlib import Path
from typing import Annotated

import typer

Seed = Annotated[int, typer.Option("--seed", help="Decides every random draw.", min=0)]
Count = Annotated[int | None, typer.Option("-n", help="How many tasks; all of the split by default.", min=1)]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON on standard output, and nothing else there.")]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Say what would be done, and do nothing.")]
Resume = Annotated[bool, typer.Option("--resume", help="Go on with what was broken off.")]
ModelName = Annotated[
    str | None,
    typer.Option(
        "--model",
        metavar="NAME",
        help="A language model: local, openai:NAME, run:NAME, a folder, or a hub id.",
    ),
]
EnvId = Annotated[str, typer.Argument(metavar="ENV", help="An environment: mailgym envs lists them.")]
Profile = Annotated[str, typer.Option("--profile", help="Rules and reward: hardened or classic.")]
Turns = Annotated[int | None, typer.Option("--turns", help="Turns of an episode; the environment's own by default.")]
MailboxFile = Annotated[
    Path | None,
    typer.Option("--mailbox", metavar="FILE", help="Your own mail in a file: mbox, archive of mail, or .mailbox."),
]
Owner = Annotated[
    str | None,
    typer.Option("--owner", metavar="ADDRESS", help="Whose mail it is; found from the mails by default."),
]
Store = Annotated[
    Path | None,
    typer.Option("--store", metavar="FOLDER", help="A folder of mailboxes with questions, as simulate writes it."),
]
Split = Annotated[str, typer.Option("--split", help="Which tasks: test, validation, train (or bank).")]
RunsFolder = Annotated[Path, typer.Option("--runs", metavar="FOLDER", help="Where runs are kept.")]
Device = Annotated[str | None, typer.Option("--device", help="cpu or cuda, for a local model; found by default.")]
Threads = Annotated[int | None, typer.Option("--threads", help="Threads for a local model.", min=1)]

DEFAULT_RUNS = Path("runs")
