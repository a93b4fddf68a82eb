"""One connection to an IMAP server that only reads: EXAMINE opens folders, BODY.PEEK fetches messages."""

import socket
import ssl
from array import array
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any, cast

from imapclient import IMAPClient, SocketTimeout
from imapclient.exceptions import IMAPClientAbortError, IMAPClientError
from imapclient.imap_utf7 import decode as decode_utf7

from mailgym.core.errors import SourceError
from mailgym.corpora.readers.imap_url import ImapUrl
from mailgym.corpora.readers.marks import in_order, sort_keywords
from mailgym.corpora.readers.secret import Secret, shown

CONNECT_TIMEOUT_S = 30.0
READ_TIMEOUT_S = 120.0
# A line of an answer may have 1,000,000 bytes (imaplib); 11 bytes a UID stay well below it.
_SEARCH_WINDOW_MESSAGES = 50_000
_NOT_TO_OPEN = {b"\\noselect", b"\\nonexistent"}
_FLAGS = {
    "\\seen": "seen",
    "\\answered": "answered",
    "\\flagged": "flagged",
    "\\draft": "draft",
    "\\deleted": "deleted",
}
_NOT_NOW = ("[UNAVAILABLE]", "[INUSE]", "[LIMIT]")  # RFC 5530


class ConnectionLost(Exception):  # noqa: N818  (what happened; it never leaves the reader)
    """The connection broke, or could not be made; another try may do. Never seen outside the IMAP reader."""


class Refused(Exception):  # noqa: N818  (what happened; it never leaves the reader)
    """The server said no to one command; the connection stands. Never seen outside the IMAP reader."""


@dataclass(frozen=True, slots=True)
class ImapFolder:
    """A folder as the server lists it.

    Attributes:
        name: Its name as the server writes it (modified UTF-7, the server's separator).
        written: The name decoded, with the server's separator.
        path: The name decoded, parts joined by ``/``.
        can_be_opened: False for a name that only holds other folders.
    """

    name: bytes
    written: str
    path: str
    can_be_opened: bool

    def is_named(self, wanted: str) -> bool:
        """Return whether a user means this folder; INBOX has no case."""
        return wanted in (self.path, self.written) or wanted.upper() == self.path.upper() == "INBOX"


@dataclass(frozen=True, slots=True)
class OpenedFolder:
    """What the server says of a folder that it opened.

    Attributes:
        uidvalidity: As long as it stays the same a UID names the same message; None where the server gives none.
        messages: How many it holds.
        uidnext: Every message so far has a lower UID; None where the server doesn't say.
    """

    uidvalidity: int | None
    messages: int
    uidnext: int | None


@dataclass(frozen=True, slots=True)
class Fetched:
    """A message as the server gives it.

    Attributes:
        raw: The message; None where the server has no body for it.
        flags: mailgym's names of its flags, in their order.
        labels: Its owner's keywords and labels.
    """

    raw: bytes | None
    flags: tuple[str, ...]
    labels: tuple[str, ...]


class ImapSession:
    """A connection that is logged in. Every method but ``close`` raises ConnectionLost or Refused."""

    def __init__(self, url: ImapUrl, secret: Secret) -> None:
        """Connect and log in.

        Raises:
            ConnectionLost: The server breaks off, or is not ready for now.
            SourceError: The server can't be used as asked: not reached, no trusted certificate, no encryption, or the
                login is refused.
        """
        self._url = url
        self._client = self._connect()
        try:
            if not url.is_tls:
                self._encrypt()
            self._log_in(secret)
            self._has_gmail_labels = self._client.has_capability("X-GM-EXT-1")
        except BaseException as error:
            self.close(politely=False)
            if isinstance(error, OSError | IMAPClientAbortError):
                raise ConnectionLost(explain(url, error)) from None
            if isinstance(error, IMAPClientError | ValueError):
                words = _without(secret, str(error))
                raise SourceError(
                    f"{url.host} does not talk as an IMAP server does ({words}): check host and port"
                ) from None
            raise

    def folders(self) -> list[ImapFolder]:
        """Return every folder, in the server's order."""
        with _errors_named():
            listed = self._client.list_folders()
        found = []
        for attributes, separator, name in listed:
            raw = name if isinstance(name, bytes) else _text(name).encode()
            can_be_opened = not {attribute.lower() for attribute in attributes} & _NOT_TO_OPEN
            path = "/".join(_text(part) for part in (raw.split(separator) if separator else [raw]))
            found.append(ImapFolder(raw, _text(raw), path, can_be_opened))
        return found

    def open(self, folder: ImapFolder) -> OpenedFolder:
        """Open a folder for reading alone (EXAMINE): no flag can change, Recent included."""
        with _errors_named():
            try:
                said = self._client.select_folder(folder.name, readonly=True)
            except UnicodeError:
                raise Refused("its name is not plain ASCII") from None
        return OpenedFolder(said.get(b"UIDVALIDITY"), said[b"EXISTS"], said.get(b"UIDNEXT"))

    def uids(self, opened: OpenedFolder, after: int, also: Sequence[int]) -> "array[int]":
        """Return the UIDs of the open folder, ascending: those above ``after`` and, of ``also``, those still there.

        Asked for in windows of message numbers, the highest first: messages that others delete meanwhile move those
        above them down, into a window that is still to be asked, never out of one.
        """
        wanted = ",".join([*map(str, also), f"{after + 1}:*"])
        found: set[int] = set()
        for last in range(opened.messages, 0, -_SEARCH_WINDOW_MESSAGES):
            first = max(1, last - _SEARCH_WINDOW_MESSAGES + 1)
            with _errors_named():
                found.update(self._client.search(f"{first}:{last} UID {wanted}"))
        retried = set(also)
        return array("Q", sorted(uid for uid in found if uid > after or uid in retried))  # n:* names the last, if below

    def sizes_bytes(self, uids: Sequence[int]) -> dict[int, int]:
        """Return the sizes of messages; those that the server knows no more are left out."""
        with _errors_named():
            said = self._client.fetch(uids, ["RFC822.SIZE"])
        return {uid: size for uid, items in said.items() if isinstance(size := items.get(b"RFC822.SIZE"), int)}

    def fetch(self, uids: Sequence[int]) -> dict[int, Fetched]:
        """Return messages whole, with flags and labels; those that the server does not give are left out."""
        wanted = ["FLAGS", "BODY.PEEK[]", *(["X-GM-LABELS"] if self._has_gmail_labels else [])]
        with _errors_named():
            said = self._client.fetch(uids, wanted)
        return {uid: _fetched(items) for uid, items in said.items() if b"BODY[]" in items}

    def has(self, uid: int) -> bool:
        """Return whether a message is still in the open folder."""
        with _errors_named():
            return uid in self._client.search(f"UID {uid}")

    def close(self, *, politely: bool = True) -> None:
        """Close the connection; what goes wrong with that does no harm."""
        with suppress(OSError, IMAPClientError):
            if politely:
                self._client.logout()
        with suppress(OSError, IMAPClientError):
            self._client.shutdown()

    def _connect(self) -> IMAPClient:
        url = self._url
        timeout = SocketTimeout(connect=CONNECT_TIMEOUT_S, read=READ_TIMEOUT_S)
        context = ssl.create_default_context() if url.is_tls else None
        try:
            client = IMAPClient(url.host, port=url.port, ssl=url.is_tls, ssl_context=context, timeout=timeout)
        except (OSError, IMAPClientError, UnicodeError) as error:
            raise ConnectionLost(explain(url, error)) from error
        client._imap.debug = 0  # else all that comes is turned into text for a log: twice the time, thrice the memory
        client.folder_encode = False
        client.socket().setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)  # a command may go in two parts
        return client

    def _encrypt(self) -> None:
        """Encrypt a connection that began in the clear; on the loopback only where the server insists."""
        client, url = self._client, self._url
        if url.is_loopback and not client.has_capability("LOGINDISABLED"):
            return
        try:
            client.starttls(ssl.create_default_context())
        except IMAPClientError as error:
            raise SourceError(
                f"{url.host} offers no encryption on port {url.port} (STARTTLS: {shown(str(error))}), and a secret is "
                "never sent in the clear: use  imaps://  instead"
            ) from error

    def _log_in(self, secret: Secret) -> None:
        client, url = self._client, self._url
        if (client.welcome or b"").upper().startswith(b"* PREAUTH"):
            return
        refusal: list[str] = []
        try:
            if secret.kind == "token":
                self._log_in_by_token(secret.value, refusal)
            elif client.has_capability("AUTH=PLAIN"):
                client.plain_login(url.user, secret.value)
            elif (url.user + secret.value).isascii():
                client.login(f'"{_escaped(url.user)}"', secret.value)
            else:
                raise SourceError(f"{url.host} takes no password or user name beyond ASCII: choose one in plain ASCII")
        except IMAPClientError as error:
            lost = error if isinstance(error, IMAPClientAbortError) else error.__context__
            if isinstance(lost, IMAPClientAbortError):  # which imapclient turns into a refusal
                raise lost from None
            words = _without(secret, " ".join([str(error), *refusal]))
            if any(code in words.upper() for code in _NOT_NOW):
                raise ConnectionLost(f"it is not ready for logins: {words}") from None
            raise SourceError(
                f"{url.host} refused the {secret.kind} of {url.user} ({words}): {_LOGIN_ADVICE[secret.kind]}"
            ) from None

    def _log_in_by_token(self, token: str, refusal: list[str]) -> None:
        client, url = self._client, self._url
        if client.has_capability("AUTH=XOAUTH2"):
            mechanism, first = "XOAUTH2", f"user={url.user}\1auth=Bearer {token}\1\1"
        elif client.has_capability("AUTH=OAUTHBEARER"):
            user = url.user.replace("=", "=3D").replace(",", "=2C")
            mechanism, first = "OAUTHBEARER", f"n,a={user},\1auth=Bearer {token}\1\1"
        else:
            raise SourceError(f"{url.host} takes no OAuth2 token (neither XOAUTH2 nor OAUTHBEARER): use a password")
        answers = iter((first.encode(), b"" if mechanism == "XOAUTH2" else b"\1"))

        def answer(challenge: bytes) -> bytes | None:
            if challenge:  # the server says why it refuses, and waits for an answer before it does
                refusal.append(challenge.decode("utf-8", errors="replace"))
            return next(answers, None)

        client.sasl_login(mechanism, answer)


_LOGIN_ADVICE = {
    "password": "check user name and password; where the account asks for a second factor, make a password for apps at "
    "your provider, or use an OAuth2 token",
    "token": "tokens run out within about an hour: get a new one, for this user and with leave to read mail by IMAP",
}


def explain(url: ImapUrl, error: Exception) -> str:
    """Say why a connection could not be made, and what to do."""
    if isinstance(error, ssl.SSLCertVerificationError):
        if "mismatch" in error.verify_message:
            return f"its certificate is not for this name ({error.verify_message}): use the name that it is for"
        return (
            f"its certificate is not trusted ({error.verify_message}): if the server is yours, name the file of its "
            "certificate (PEM) in the environment variable SSL_CERT_FILE"
        )
    if isinstance(error, ssl.SSLError):
        return (
            f"it does not speak TLS on port {url.port} ({shown(str(error))}): another port, or  imap://  for STARTTLS?"
        )
    if isinstance(error, TimeoutError):
        return f"it does not answer on port {url.port} within {CONNECT_TIMEOUT_S:.0f} s: check host, port and network"
    return f"{shown(str(error)) or type(error).__name__}: check host, port and network"


@contextmanager
def _errors_named() -> Iterator[None]:
    try:
        yield
    except (OSError, IMAPClientAbortError) as error:
        raise ConnectionLost(shown(str(error)) or type(error).__name__) from error
    except (IMAPClientError, ValueError) as error:  # ValueError: imapclient cannot read the answer
        raise Refused(shown(str(error))) from error


def _without(secret: Secret, words: str) -> str:
    return shown(words.replace(secret.value, "…"))


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"')


def _text(raw: object) -> str:
    """Decode modified UTF-7; what is no such text is read as UTF-8, which some servers send instead."""
    if not isinstance(raw, bytes):  # imapclient turns digits into a number, and NIL into None
        return "NIL" if raw is None else str(raw)
    try:
        return cast(str, decode_utf7(raw)) if raw.isascii() else raw.decode("utf-8", errors="replace")
    except ValueError:
        return raw.decode("ascii", errors="replace")


def _fetched(items: dict[bytes, Any]) -> Fetched:
    words = [_text(flag) for flag in items.get(b"FLAGS") or ()]
    system = {_FLAGS[word.lower()] for word in words if word.lower() in _FLAGS}
    flags, keywords = sort_keywords(word for word in words if not word.startswith("\\"))
    labels = [_text(label).removeprefix("\\") for label in items.get(b"X-GM-LABELS") or ()]
    body = items[b"BODY[]"]
    return Fetched(
        raw=str(body).encode() if isinstance(body, int) else body,
        flags=in_order(system | flags),
        labels=tuple(dict.fromkeys([*keywords, *labels])),
    )
