"""``mailgym mcp``: a mailbox as tools for any client of the Model Context Protocol."""

import os
import sys
from datetime import date
from typing import TYPE_CHECKING, Annotated

import typer

from mailgym.cli.mail.places import DEFAULT_STORE, OneMailbox, StoreFolder, name_some, open_mailboxes
from mailgym.cli.output import note
from mailgym.core.errors import QueryError, UserError

if TYPE_CHECKING:
    from mailgym.serve.mail_tools import MailTools

TOKEN_VARIABLE = "MAILGYM_MCP_TOKEN"


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(mcp)


def mcp(
    mailbox: OneMailbox = None,
    store: StoreFolder = DEFAULT_STORE,
    as_of: Annotated[
        str | None, typer.Option("--as-of", metavar="DATE", help="Mail after this day or time does not exist.")
    ] = None,
    http: Annotated[
        str | None,
        typer.Option("--http", metavar="HOST:PORT", help="Serve by streamable HTTP; standard input and output else."),
    ] = None,
    token: Annotated[
        str | None,
        typer.Option(
            "--token",
            metavar="TOKEN",
            envvar=TOKEN_VARIABLE,
            show_envvar=False,
            help=f"What clients must show, over HTTP; better in {TOKEN_VARIABLE}, where other users cannot see it.",
        ),
    ] = None,
    name: Annotated[
        list[str] | None,
        typer.Option("--name", metavar="NAME", help="By which clients call this host, over HTTP; may be repeated."),
    ] = None,
) -> None:
    """Serve search, read, thread and stats of a mailbox over the Model Context Protocol (MCP).

    An assistant that starts this command, or connects to it, can search and read the mail, and nothing else: it cannot
    change or send any. What it reads goes to its model.

    Without --mailbox all mailboxes of the store are served, and each call names one. Over HTTP only this machine can
    connect, unless HOST says otherwise, which needs a token.
    """
    from mailgym.serve.mail_tools import MailTools
    from mailgym.serve.mcp import check_extra, serve_stdio

    check_extra()
    until = read_day(as_of)
    if http is None and name:
        raise UserError("--name is for --http HOST:PORT: give both, or neither")
    if http is None and token is not None and os.environ.get(TOKEN_VARIABLE) is None:
        raise UserError("--token is for --http HOST:PORT: give both, or neither")
    with open_mailboxes(mailbox, store) as mailboxes:
        tools = MailTools({name: box.at(until) for name, box in mailboxes.items()})
        what = name_some(list(mailboxes)) + (f" as of {as_of}" if as_of else "")
        if http is not None:
            _serve_http(tools, what, http, token, name or [])
            return
        if sys.stdin.isatty():
            note(f"serving {what} on standard input and output: an MCP client should start this. Ctrl-C ends it")
        serve_stdio(tools)


def read_day(text: str | None) -> date | None:
    """Read the day, or the time, after which mail does not exist; None for none.

    Raises:
        UserError: It is neither.
    """
    from mailgym.mail.query import read_moment

    if text is None:
        return None
    try:
        moment = read_moment("--as-of", text)
    except QueryError as error:
        raise UserError(str(error)) from error
    return moment if "T" in text.upper() or " " in text.strip() else moment.date()


def _serve_http(tools: "MailTools", what: str, http: str, token: str | None, names: list[str]) -> None:
    from mailgym.serve.http import Place, check_access, listen, read_place
    from mailgym.serve.mcp import PATH, make_http_server, serve_http

    place = read_place(http)
    check_access(place, token, names)
    server = make_http_server(tools, place, token, names)
    with listen(place) as listening:
        bound = Place(place.host, listening.getsockname()[1])
        guard = "with the token" if token else "without a token, for programs of this machine alone"
        note(f"serving {what} at http://{bound.name}:{bound.port}{PATH} ({guard}). Ctrl-C ends it")
        serve_http(server, listening)
