"""Mailboxes over the Model Context Protocol: by standard input and output, or by streamable HTTP.

The protocol is the official SDK's business, of either of its generations (with a handshake, and without). Here it is
given the tools, and what it may be reached by. Tools run in threads, so that a long search holds nobody up.

Source: modelcontextprotocol.io, versions 2025-11-25 and 2026-07-28, as the SDK ``mcp`` 2.3 speaks them.
"""

import signal
import socket
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from mailgym import __version__
from mailgym.core.errors import MissingExtra
from mailgym.serve.http import Place, RequireToken, allowed_names
from mailgym.serve.mail_tools import MailTools

if TYPE_CHECKING:
    import uvicorn
    from mcp.server.lowlevel import Server

PATH = "/mcp"
MAX_CALLS_AT_ONCE = 4
MAX_SESSIONS = 200
MAX_BODY_BYTES = 1024 * 1024
LAST_WORDS_S = 2


def check_extra() -> None:
    """Check that the SDK is installed.

    Raises:
        MissingExtra: It is not.
    """
    try:
        import mcp  # noqa: F401
    except ImportError as error:
        raise MissingExtra("mcp", "serve") from error


def make_server(tools: MailTools) -> "Server[dict[str, Any]]":
    """Return a server of these tools; it holds nothing of its clients.

    Raises:
        MissingExtra: The SDK is not installed.
    """
    check_extra()
    import anyio
    from anyio.to_thread import run_sync
    from mcp import types
    from mcp.server.lowlevel import Server

    limiter = anyio.CapacityLimiter(MAX_CALLS_AT_ONCE)
    offered = [
        types.Tool(
            name=tool.name,
            title=tool.title,
            description=tool.description,
            input_schema=tool.input_schema,
            annotations=types.ToolAnnotations(
                read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False
            ),
        )
        for tool in tools.describe()
    ]

    async def list_tools(_context: Any, _params: types.PaginatedRequestParams | None) -> types.ListToolsResult:
        return types.ListToolsResult(tools=offered)

    async def call_tool(_context: Any, params: types.CallToolRequestParams) -> types.CallToolResult:
        answer = await run_sync(tools.call, params.name, params.arguments or {}, limiter=limiter)
        return types.CallToolResult(
            content=[types.TextContent(type="text", text=answer.text)], is_error=answer.is_error
        )

    return Server(
        "mailgym",
        version=__version__,
        title="mailgym: a mailbox",
        instructions=tools.about,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
    )


def serve_stdio(tools: MailTools) -> None:
    """Serve one client by standard input and output, until it closes them; nothing else is written there.

    Ctrl-C ends the process at once: what waits for input in a thread would hold up any gentler end, and there is
    nothing to save.

    Raises:
        MissingExtra: The SDK is not installed.
    """
    server = make_server(tools)
    import anyio

    async def serve() -> None:
        from mcp.server.stdio import stdio_server

        async with stdio_server() as (read, write):
            await server.run(read, write, server.create_initialization_options())

    before = signal.signal(signal.SIGINT, signal.SIG_DFL)
    try:
        anyio.run(serve)
    finally:
        signal.signal(signal.SIGINT, before)


def make_http_server(
    tools: MailTools, place: Place, token: str | None = None, names: Sequence[str] = ()
) -> "uvicorn.Server":
    """Return a server over streamable HTTP at ``/mcp``, for ``serve(sockets=[...])``; see :mod:`mailgym.serve.http`.

    Args:
        tools: What it serves.
        place: Where it will listen.
        token: What clients must show; None for nothing.
        names: By which clients call it, beside the host that it listens on.

    Raises:
        MissingExtra: The SDK is not installed.
    """
    server = make_server(tools)
    import uvicorn
    from mcp.server.transport_security import TransportSecuritySettings

    known = allowed_names(place, names)
    hosts = [host for name in known for host in (name, f"{name}:*")]
    security = TransportSecuritySettings(
        enable_dns_rebinding_protection=True,
        allowed_hosts=hosts,
        allowed_origins=[f"{scheme}://{host}" for scheme in ("http", "https") for host in hosts],
    )
    app: Any = server.streamable_http_app(
        streamable_http_path=PATH,
        json_response=True,
        max_request_body_size=MAX_BODY_BYTES,
        max_sessions=MAX_SESSIONS,
        transport_security=security,
    )
    return uvicorn.Server(
        uvicorn.Config(
            app if token is None else RequireToken(app, token),
            log_config=None,
            access_log=False,
            ws="none",
            lifespan="on",
            server_header=False,
            timeout_graceful_shutdown=LAST_WORDS_S,
        )
    )


def serve_http(server: "uvicorn.Server", listening: socket.socket) -> None:
    """Serve until the process is told to stop (Ctrl-C, SIGTERM)."""
    import anyio

    anyio.run(lambda: server.serve(sockets=[listening]))
