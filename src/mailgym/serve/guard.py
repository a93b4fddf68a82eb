"""What stands before every served environment: whom a request names, how long it may be, and a line of log for each.

Nothing here reads what a request says. The log has the method, the path, the status and the time, never a body, a query
or a session's name.
"""

import json
import logging
import re
import time
from collections.abc import MutableMapping, Sequence
from typing import Any

from mailgym.serve.http import CLOSE_UNOPENED, AsgiApp, Receive, RequireToken, Scope, Send

MAX_BODY_BYTES = 1024 * 1024
MAX_PATH_CHARS = 200
access = logging.getLogger("mailgym.access")


def guarded(app: AsgiApp, names: Sequence[str], token: str | None = None, log_requests: bool = True) -> AsgiApp:
    """Return an application behind its guards.

    Args:
        app: What is served.
        names: The hosts that a request may name; others get 421, so that no web page can reach a server of this
            machine by a name of its own (DNS rebinding).
        token: What clients must show; None for nothing.
        log_requests: Whether each request is a line of the log ``mailgym.access``.
    """
    inner: AsgiApp = LimitBody(app, MAX_BODY_BYTES)
    if token is not None:
        inner = RequireToken(inner, token)
    inner = CheckHost(inner, names)
    return LogRequests(inner) if log_requests else inner


class CheckHost:
    """Answers requests whose ``Host`` or ``Origin`` is not one of the server's names with 421."""

    def __init__(self, app: AsgiApp, names: Sequence[str]) -> None:
        """Let these names pass, with any port."""
        self._app = app
        self._names = {name.lower() for name in names}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request; the start and end of the server pass."""
        if scope["type"] == "lifespan" or self._passes(scope):
            await self._app(scope, receive, send)
            return
        if scope["type"] == "websocket":
            await send(CLOSE_UNOPENED)
            return
        await _refuse(send, 421, "this server is not called that: serve with --name NAME to add a name")

    def _passes(self, scope: Scope) -> bool:
        found = {name.lower(): value.decode("latin-1") for name, value in scope.get("headers", ())}
        if self._bare(found.get(b"host", "")) not in self._names:
            return False
        origin = found.get(b"origin")
        return origin is None or self._bare(origin.partition("://")[2]) in self._names

    @staticmethod
    def _bare(host: str) -> str:
        return re.sub(r":\d+$", "", host.strip().lower())


class LimitBody:
    """Answers requests whose body is longer than a limit with 413, whatever their headers say of its length."""

    def __init__(self, app: AsgiApp, most_bytes: int) -> None:
        """Let bodies of up to ``most_bytes`` pass."""
        self._app = app
        self._most_bytes = most_bytes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request. The body is read before the application sees it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        chunks: list[bytes] = []
        size, more = 0, True
        while more:
            event = await receive()
            if event["type"] == "http.disconnect":
                return
            chunk = event.get("body", b"")
            size += len(chunk)
            if size > self._most_bytes:
                await _refuse(send, 413, f"a body has at most {self._most_bytes} bytes")
                return
            chunks.append(chunk)
            more = event.get("more_body", False)
        body = b"".join(chunks)
        given = False

        async def read_again() -> MutableMapping[str, Any]:
            nonlocal given
            if given:
                return await receive()
            given = True
            return {"type": "http.request", "body": body, "more_body": False}

        await self._app(scope, read_again, send)


class LogRequests:
    """Writes one line of JSON a request."""

    def __init__(self, app: AsgiApp) -> None:
        """Log what this application serves."""
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request and log it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        status = 0
        started_s = time.monotonic()

        async def watch(event: MutableMapping[str, Any]) -> None:
            nonlocal status
            if event["type"] == "http.response.start":
                status = event["status"]
            await send(event)

        try:
            await self._app(scope, receive, watch)
        finally:
            took_ms = round(1000 * (time.monotonic() - started_s), 2)
            line = {"method": scope["method"], "path": scope["path"][:MAX_PATH_CHARS], "status": status, "ms": took_ms}
            access.info(json.dumps(line))


async def _refuse(send: Send, status: int, text: str) -> None:
    body = json.dumps({"error": text}).encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
