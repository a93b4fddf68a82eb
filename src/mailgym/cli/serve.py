"""``mailgym serve``: environments over HTTP, for agents and trainers in any language."""

import logging
from typing import TYPE_CHECKING, Annotated

import typer

from mailgym.cli import choose
from mailgym.cli.options import MailboxFile, Owner, Store, Turns
from mailgym.cli.output import note

if TYPE_CHECKING:
    from mailgym.serve.services import Served

TOKEN_VARIABLE = "MAILGYM_TOKEN"
ALL = "all"


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(serve)


def serve(
    env: Annotated[str, typer.Argument(metavar="ENV", help="An environment's id, or all.")],
    host: Annotated[str, typer.Option("--host", help="Where to listen; others than this machine need a token.")] = (
        "127.0.0.1"
    ),
    port: Annotated[int, typer.Option("--port", min=0, max=65_535, help="0 takes a free one.")] = 8000,
    profile: Annotated[
        str | None, typer.Option("--profile", help="classic or hardened; a document's own routes serve classic.")
    ] = None,
    split: Annotated[str | None, typer.Option("--split", help="Whose tasks; the dialect's own if left.")] = None,
    dialect: Annotated[
        str,
        typer.Option("--dialect", help="document: routes and bodies of the environment's document; own: mailgym's."),
    ] = "document",
    mailbox: MailboxFile = None,
    owner: Owner = None,
    store: Store = None,
    turns: Turns = None,
    max_sessions: Annotated[int, typer.Option("--max-sessions", min=1, help="Of each environment at once.")] = 256,
    session_timeout_s: Annotated[
        float, typer.Option("--session-timeout-s", min=1.0, help="A session idle for so long is closed.")
    ] = 1800.0,
    token: Annotated[
        str | None,
        typer.Option(
            "--token",
            envvar=TOKEN_VARIABLE,
            show_envvar=False,
            help=f"What clients must show; better in {TOKEN_VARIABLE}, where other users cannot see it.",
        ),
    ] = None,
    name: Annotated[
        list[str] | None,
        typer.Option("--name", metavar="NAME", help="By which clients call this host; may be repeated."),
    ] = None,
    quiet: Annotated[bool, typer.Option("--quiet", help="No line of log for each request.")] = False,
) -> None:
    """Serve an environment over HTTP: reset, step and state, with the routes of the document that it implements.

    With "all" every environment that brings its own tasks is served below its id. Ctrl-C ends it, after the steps in
    flight.
    """
    from mailgym.serve.http import Place, check_access, listen
    from mailgym.serve.run import check_extra, make_server, openenv_routes, run_server
    from mailgym.serve.sessions import Limits

    check_extra()
    place = Place(host.strip("[]").lower(), port)
    check_access(place, token, name or [])
    served = [_served(one, profile, split, dialect, turns, mailbox, owner, store) for one in _env_ids(env)]
    server = make_server(served, Limits(max_sessions, session_timeout_s), place, token, name or [], not quiet)
    if not quiet:
        logging.basicConfig(level=logging.INFO, format="%(message)s")
    form = "plain HTTP and OpenEnv" if openenv_routes() else "plain HTTP (OpenEnv's clients need the package openenv)"
    with listen(place) as listening:
        bound = Place(place.host, listening.getsockname()[1])
        what = ", ".join(f"{one.spec.id} ({one.profile}, {len(one.tasks)} {one.tasks.split} tasks)" for one in served)
        guard = "with the token" if token else "without a token, for programs of this machine alone"
        note(
            f"serving {what}\nat http://{bound.name}:{bound.port}/ ({guard}): {form}; its routes: /docs. Ctrl-C ends it"
        )
        run_server(server, listening)


def _env_ids(env: str) -> list[str]:
    from mailgym.envs.registry import all_specs

    return [spec.id for spec in all_specs() if not spec.needs_mail] if env == ALL else [env]


def _served(
    env: str,
    profile: str | None,
    split: str | None,
    dialect: str,
    turns: int | None,
    mailbox: "MailboxFile",
    owner: "Owner",
    store: "Store",
) -> "Served":
    from mailgym.core.errors import UserError
    from mailgym.envs.base import check_profile
    from mailgym.envs.dialects import own_dialect
    from mailgym.envs.registry import get_spec
    from mailgym.serve.services import Served

    spec = get_spec(env)
    if dialect not in ("document", "own"):
        raise UserError(f"no dialect {dialect!r}: choose document or own")
    spoken = spec.dialect() if dialect == "document" else own_dialect()
    chosen = profile or spoken.profile
    check_profile(chosen)
    found = choose.find_store(spec, mailbox, store, owner)
    tasks = choose.load_tasks(spec, found, split or spoken.split, None, 0)
    return Served(spec, tasks, chosen, spoken, turns)
