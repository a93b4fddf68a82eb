"""Where and for whom a server listens over HTTP: the address, the token, and the names that it answers to.

Without a token a server listens on this machine alone. Requests are refused whose ``Host`` or ``Origin`` is not among
the server's names, so that no web page can reach it by pointing a name of its own at this machine (DNS rebinding).
"""

import hmac
import ipaddress
import re
import socket
from collections.abc import Awaitable, Callable, MutableMapping, Sequence
from dataclasses import dataclass
from typing import Any

from mailgym.core.errors import UserError

LOCAL_HOST = "127.0.0.1"
LOCAL_NAMES = ("localhost", "127.0.0.1", "[::1]")
EVERY_ADDRESS = ("0.0.0.0", "::")
LEAST_TOKEN_CHARS = 16
BACKLOG = 128
CLOSE_UNOPENED = {"type": "websocket.close", "code": 1008}
"""Refuses a WebSocket before it opens: servers answer its handshake with 403."""
MAX_PORT = 65_535
_PLACE = re.compile(r"(?:(?P<host>\[[0-9A-Fa-f:.]+\]|[^:\s\[\]/]*):)?(?P<port>\d{1,5})")
_NAME = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?|\[[0-9A-Fa-f:.]+\]")

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
AsgiApp = Callable[[Scope, Receive, Send], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Place:
    """Where a server listens.

    Attributes:
        host: A name or an address, an IPv6 one without brackets.
        port: 0 takes a free one.
    """

    host: str
    port: int

    @property
    def is_local(self) -> bool:
        """Whether nobody but this machine can reach it."""
        if self.host == "localhost":
            return True
        try:
            return ipaddress.ip_address(self.host).is_loopback
        except ValueError:
            return False

    @property
    def name(self) -> str:
        """The host as a URL has it."""
        return f"[{self.host}]" if ":" in self.host else self.host


def read_place(text: str) -> Place:
    """Read ``HOST:PORT``, ``[IPv6]:PORT``, ``:PORT`` or ``PORT``; without a host it is this machine alone.

    Raises:
        UserError: It is none of these.
    """
    found = _PLACE.fullmatch(text.strip())
    if not found or int(found["port"]) > MAX_PORT:
        raise UserError(f"--http is {text!r:.80}: write HOST:PORT, such as {LOCAL_HOST}:8123, or the port alone")
    host = (found["host"] or LOCAL_HOST).strip("[]").lower()
    return Place(host, int(found["port"]))


def check_access(place: Place, token: str | None, names: Sequence[str]) -> None:
    """Check that whoever can reach a server may.

    Args:
        place: Where it listens.
        token: What clients must show; None for nothing.
        names: By which clients call it, beside the host that it listens on.

    Raises:
        UserError: Others can reach it and there is no token, or no name for them; or one of them is not usable.
    """
    if token is not None and not (len(token) >= LEAST_TOKEN_CHARS and token.isascii() and token.isprintable()):
        raise UserError(
            f"the token is shorter than {LEAST_TOKEN_CHARS} characters, or has others than ASCII: make one with  "
            "python -c 'import secrets; print(secrets.token_urlsafe())'"
        )
    if token is not None and " " in token:
        raise UserError("the token has a blank in it: write one without")
    if not place.is_local and token is None:
        raise UserError(
            f"{place.name} can be reached from other machines, and mail is private: add --token TOKEN, or serve on "
            f"{LOCAL_HOST}:{place.port}"
        )
    if place.host in EVERY_ADDRESS and not names:
        raise UserError(f"{place.name} is no name to call a server by: add --name NAME, the one that clients will use")
    for name in names:
        if not _NAME.fullmatch(name):
            raise UserError(f"--name is {name!r:.80}: write a host name or address, without scheme, port or path")


def allowed_names(place: Place, names: Sequence[str]) -> list[str]:
    """Return the hosts that requests may name: this machine's own, the one that is listened on, and the names given."""
    own = [] if place.host in EVERY_ADDRESS else [place.name]
    return list(dict.fromkeys([*LOCAL_NAMES, *own, *names]))


def listen(place: Place) -> socket.socket:
    """Listen at a place, from now on; its port is known then, whichever was asked for.

    Raises:
        UserError: Its host is unknown, or its port taken or not allowed.
    """
    try:
        found = socket.getaddrinfo(place.host, place.port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    except OSError as error:
        raise UserError(f"{place.host} is no host of this machine ({error.strerror}): try {LOCAL_HOST}") from error
    family, _, _, _, address = min(found, key=lambda one: one[0] != socket.AF_INET)
    listening = socket.socket(family, socket.SOCK_STREAM)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(address)
        listening.listen(BACKLOG)
    except OSError as error:
        listening.close()
        why = error.strerror or str(error)
        raise UserError(f"cannot listen on {place.name}:{place.port} ({why}): choose another port") from error
    return listening


class RequireToken:
    """Lets requests through that show the token (``Authorization: Bearer TOKEN``), and answers the others with 401."""

    def __init__(self, app: AsgiApp, token: str) -> None:
        """Guard an application."""
        self._app = app
        self._wanted = token.encode("ascii")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request; the start and end of the server pass."""
        if scope["type"] == "lifespan" or self._shows_token(scope):
            await self._app(scope, receive, send)
            return
        if scope["type"] == "websocket":
            await send(CLOSE_UNOPENED)
            return
        body = b"this server wants a token: send the header  Authorization: Bearer TOKEN\n"
        headers = [
            (b"content-type", b"text/plain; charset=utf-8"),
            (b"content-length", str(len(body)).encode()),
            (b"www-authenticate", b"Bearer"),
        ]
        await send({"type": "http.response.start", "status": 401, "headers": headers})
        await send({"type": "http.response.body", "body": body})

    def _shows_token(self, scope: Scope) -> bool:
        shown = [value for name, value in scope.get("headers", ()) if name.lower() == b"authorization"]
        if len(shown) != 1:
            return False
        scheme, _, token = shown[0].partition(b" ")
        return scheme.lower() == b"bearer" and hmac.compare_digest(token.strip(), self._wanted)
