"""A server of environments, ready to run: application, guards and uvicorn put together."""

import importlib.util
import socket
from collections.abc import Sequence
from typing import TYPE_CHECKING

from mailgym.core.errors import MissingExtra
from mailgym.serve.guard import guarded
from mailgym.serve.http import Place, allowed_names
from mailgym.serve.services import Served
from mailgym.serve.sessions import Limits

if TYPE_CHECKING:
    import uvicorn

    from mailgym.serve.plain import AddRoutes

LAST_WORDS_S = 10
"""Steps in flight have so long to end when the server is told to."""


def check_extra() -> None:
    """Check that what serving needs is installed.

    Raises:
        MissingExtra: It is not.
    """
    for library in ("fastapi", "uvicorn"):
        if importlib.util.find_spec(library) is None:
            raise MissingExtra(library, "serve")


def openenv_routes() -> "AddRoutes | None":
    """Return what adds OpenEnv's routes, its WebSocket among them; None where OpenEnv is not installed."""
    if importlib.util.find_spec("openenv") is None:
        return None
    from mailgym.serve.openenv import add_openenv

    return add_openenv


def make_server(
    served: Sequence[Served],
    limits: Limits,
    place: Place,
    token: str | None = None,
    names: Sequence[str] = (),
    log_requests: bool = True,
) -> "uvicorn.Server":
    """Return a server for ``serve(sockets=[...])``; see :mod:`mailgym.serve.http` for places, tokens and names.

    Raises:
        MissingExtra: FastAPI or uvicorn is not installed.
    """
    check_extra()
    import uvicorn

    from mailgym.serve.plain import make_app

    app = make_app(served, limits, openenv_routes())
    return uvicorn.Server(
        uvicorn.Config(
            guarded(app, allowed_names(place, names), token, log_requests),
            log_config=None,
            access_log=False,
            lifespan="on",
            server_header=False,
            timeout_graceful_shutdown=LAST_WORDS_S,
        )
    )


def run_server(server: "uvicorn.Server", listening: socket.socket) -> None:
    """Serve until the process is told to stop (Ctrl-C, SIGTERM)."""
    import anyio

    anyio.run(lambda: server.serve(sockets=[listening]))
