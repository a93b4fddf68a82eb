"""``mailgym mail``: bring mail in, find it again, look at it, and delete it."""

import typer

from mailgym.cli.mail import bring, conversation, find, letter, shelf


def register(app: typer.Typer) -> None:
    """Add the family of commands."""
    family = typer.Typer(help="Bring mail in, find it again, look at it, delete it.", no_args_is_help=True)
    for room in (bring, find, letter, conversation, shelf):
        room.register(family)
    app.add_typer(family, name="mail")
