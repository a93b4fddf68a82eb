"""Reads the address of a mail account: ``imaps://user@host[:port]/Folder``."""

import ipaddress
from dataclasses import dataclass
from urllib.parse import unquote

from mailgym.core.errors import SourceError
from mailgym.corpora.readers.secret import WAYS

_PORTS = {"imaps": 993, "imap": 143}
_FORM = "write  imaps://USER@HOST/FOLDER  (no FOLDER: all folders; FOLDER/*: those below it too)"


@dataclass(frozen=True, slots=True)
class ImapUrl:
    """Where an account is and what of it is wanted; never its secret.

    Attributes:
        is_tls: True for ``imaps``: TLS from the first byte.
        user: Name to log in with.
        host: Name or number of the server, lower case.
        port: TCP port.
        folder: The folder wanted, parts joined by ``/``; empty for all.
        with_below: True where the folders below it are wanted as well.
    """

    is_tls: bool
    user: str
    host: str
    port: int
    folder: str
    with_below: bool

    @property
    def account(self) -> str:
        """The account as one line, the same for either scheme: ``imap://user@host:port``."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"imap://{self.user}@{host}:{self.port}"

    @property
    def is_loopback(self) -> bool:
        """Whether the server is this machine, so that nobody on the way can listen."""
        if self.host == "localhost":
            return True
        try:
            return ipaddress.ip_address(self.host).is_loopback
        except ValueError:
            return False


def read_url(url: str) -> ImapUrl:
    """Read an address. Percent-encoding is undone; a user name may hold ``@`` as it is or as ``%40``.

    No error repeats what stands before the host, which may be a secret put there by mistake.

    Raises:
        SourceError: It is no such address, or it holds a password.
    """
    scheme, separator, rest = url.partition("://")
    scheme = scheme.lower()
    if not separator or scheme not in _PORTS:
        raise SourceError(f"this is no address of an IMAP server: {_FORM}")
    authority, _, path = rest.partition("/")
    user, at, place = authority.rpartition("@")
    if ":" in user or (not at and "@" in path and ":" in authority):
        raise SourceError(
            "the address holds a password, which others can read in the list of processes and in the shell's history: "
            f"take it out, change the password, and {WAYS}"
        )
    if not user:
        raise SourceError(f"the address names no user: {_FORM}")
    host, port = _host_and_port(place, _PORTS[scheme])
    with_below = path == "*" or path.endswith("/*")
    folder = path.removesuffix("*").strip("/") if with_below else path.strip("/")
    return ImapUrl(scheme == "imaps", _decoded(user), host, port, _decoded(folder), with_below)


def _host_and_port(place: str, default_port: int) -> tuple[str, int]:
    if place.startswith("["):
        host, bracket, rest = place[1:].partition("]")
        if not bracket or (rest and not rest.startswith(":")):
            raise SourceError(f"the host of the address has a [ without its ]: {_FORM}")
        port = rest.removeprefix(":")
    else:
        host, _, port = place.partition(":")
    host = _decoded(host).lower()
    if not host or any(c.isspace() for c in host):
        raise SourceError(f"the address names no host: {_FORM}")
    if not port:
        return host, default_port
    if not (port.isascii() and port.isdigit() and 0 < int(port) < 65_536):
        raise SourceError(f"the port after the host is not a number from 1 to 65535: {_FORM}")
    return host, int(port)


def _decoded(text: str) -> str:
    try:
        decoded = unquote(text, errors="strict")
    except UnicodeDecodeError:
        raise SourceError("the address has a %-code that is not UTF-8: write it plainly or encode it anew") from None
    if not decoded.isprintable():
        raise SourceError("the address holds a control character: take it out")
    return decoded
