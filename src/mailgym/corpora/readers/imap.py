"""Reads the mail of an IMAP account, changes nothing there, and fetches only what is new the next time."""

import difflib
import getpass
import json
import os
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from mailgym.core.errors import ConfigError, SourceError
from mailgym.corpora.readers.imap_session import ConnectionLost, Fetched, ImapFolder, ImapSession, Refused
from mailgym.corpora.readers.imap_url import ImapUrl, read_url
from mailgym.corpora.readers.secret import Prompt, Secret, find_secret
from mailgym.corpora.readers.source import SourceMessage, Unreadable

_WAITS_S = (1.0, 2.0, 4.0, 8.0, 16.0)
_BATCH_MESSAGES = 100
_BATCH_BYTES = 16_000_000
_SIZES_AT_ONCE = 500
_MOST_LOSSES = 3
_MOST_REFUSALS = 50
_MOST_FOLDERS_NAMED = 12
_GO_ON = "run the same import again later, it goes on from there"
NOT_OPENED = "the server does not open this folder"
NO_BODY = "the server has no body for it"
NOT_GIVEN = "the server does not give it"
BREAKS = "the server breaks the connection over it"
GONE = "deleted on the server during the import"


def open_imap(
    url: str,
    *,
    environ: Mapping[str, str] | None = None,
    prompt: Prompt | None = None,
    sleep: Callable[[float], object] = time.sleep,
) -> "ImapSource":
    """Open an account: find its secret now, connect when it is walked through.

    Args:
        url: ``imaps://user@host[:port]/Folder`` (see :func:`mailgym.corpora.readers.imap_url.read_url`).
        environ: Where the secret is looked for; the process's environment by default.
        prompt: Asks for the password; by default the terminal, if there is one.
        sleep: Waits between tries to mend a broken connection, in seconds.

    Raises:
        SourceError: The address is none, or holds a password.
        ConfigError: There is no secret (see :func:`mailgym.corpora.readers.secret.find_secret`).
    """
    where = read_url(url)
    if prompt is None and sys.stdin is not None and sys.stdin.isatty():
        prompt = getpass.getpass
    secret = find_secret(where.user, where.host, prompt=prompt, environ=os.environ if environ is None else environ)
    return ImapSource(where, secret, sleep)


@dataclass(slots=True)
class _Position:
    """How far a folder was read.

    Attributes:
        key: The key of its mark.
        uidvalidity: Of which life of the folder the UIDs are.
        uid: The highest UID read.
        again: UIDs below it that the server would not give in an earlier run and that are still to be tried.
        missed: UIDs that it would not give in this run.
        batch: How many messages to ask for at once.
        losses: How often the connection broke over one message alone, by UID.
        refusals: Messages refused one after the other.
    """

    key: str
    uidvalidity: int | None = None
    uid: int = 0
    again: set[int] = field(default_factory=set)
    missed: set[int] = field(default_factory=set)
    batch: int = _BATCH_MESSAGES
    losses: Counter[int] = field(default_factory=Counter)
    refusals: int = 0

    def begin(self, uidvalidity: int | None) -> None:
        """Go on if the UIDs still name the same messages; else begin anew."""
        if uidvalidity is None or uidvalidity != self.uidvalidity:
            self.uidvalidity, self.uid, self.again, self.missed = uidvalidity, 0, set(), set()
            self.losses.clear()

    def read(self, uid: int, *, is_missed: bool = False) -> None:
        """Note a message as read, or as one that the server would not give."""
        self.uid = max(self.uid, uid)
        self.again.discard(uid)
        if is_missed:
            self.missed.add(uid)

    def mark(self) -> tuple[str, str]:
        """Return what to remember."""
        kept = {"uidvalidity": self.uidvalidity, "uid": self.uid, "missed": sorted(self.again | self.missed)}
        return self.key, json.dumps(kept)


class ImapSource:
    """The messages of an account, or of one folder of it; see :class:`mailgym.corpora.readers.source.Source`.

    Folders are opened with EXAMINE and messages fetched with BODY.PEEK, so that nothing changes on the server. The
    mark of a message is its folder's UIDVALIDITY and the highest UID so far: the next time only UIDs above it are
    fetched, and those that the server would not give are tried again. A folder with a new UIDVALIDITY is read anew.
    A broken connection is mended a few times, with growing waits, and reading goes on after the last message given.

    Attributes:
        name: The account: ``dana@x.example``.
        kind: ``IMAP account``.
        size_bytes: None: the server doesn't say beforehand.
    """

    kind = "IMAP account"
    size_bytes: int | None = None

    def __init__(self, url: ImapUrl, secret: Secret, sleep: Callable[[float], object]) -> None:
        """Take an address and its secret; nothing is asked of the server yet."""
        self.name = url.user if "@" in url.user else f"{url.user}@{url.host}"
        self._url = url
        self._secret = secret
        self._sleep = sleep
        self._marks: dict[str, str] = {}
        self._session: ImapSession | None = None
        self._has_been_connected = False
        self._failures = 0
        self._given = 0
        self._bytes = 0

    def resume(self, marks: Mapping[str, str]) -> None:
        """Take what earlier imports remembered: ``imap://user@host:port/Folder`` → its last UID, as JSON."""
        self._marks.update(marks)

    def __iter__(self) -> Iterator[SourceMessage | Unreadable]:
        """Walk through the folders, each in the order of its UIDs.

        Raises:
            SourceError: The server can't be reached or used as asked, the folder is not there, a mark is damaged, or
                the connection broke and could not be mended.
        """
        try:
            for folder in self._wanted():
                yield from self._walk(folder)
        finally:
            self._hang_up(politely=True)

    def _wanted(self) -> list[ImapFolder]:
        folders = self._listed()
        wanted, found = self._url.folder, folders
        if wanted:
            found = [folder for folder in folders if folder.is_named(wanted)]
            if self._url.with_below:
                start = found[0].path if found else wanted
                found += [folder for folder in folders if folder.path.startswith(f"{start}/")]
        to_open = [folder for folder in found if folder.can_be_opened]
        if wanted and not to_open:
            raise self._no_such_folder([folder.path for folder in folders if folder.can_be_opened])
        return to_open

    def _listed(self) -> list[ImapFolder]:
        while True:
            try:
                return self._connected().folders()
            except ConnectionLost as error:
                self._mend(error)
            except Refused as error:
                raise SourceError(f"{self._url.host} does not list its folders ({error}): try again later") from error

    def _no_such_folder(self, paths: list[str]) -> SourceError:
        wanted = self._url.folder
        if any(path.startswith(f"{wanted}/") for path in paths):
            return SourceError(
                f"{wanted!r} holds no messages, only folders: write  {wanted}/*  to import those below it"
            )
        near = difflib.get_close_matches(wanted, paths, n=3)
        named = ", ".join(near or paths[:_MOST_FOLDERS_NAMED]) or "none"
        more = len(paths) - _MOST_FOLDERS_NAMED
        return SourceError(
            f"{self._url.account} has no folder {wanted!r}: name one that there is "
            f"({'near it' if near else 'there are'}: {named}{f' and {more} more' if more > 0 and not near else ''}), "
            "or none for all"
        )

    def _walk(self, folder: ImapFolder) -> Iterator[SourceMessage | Unreadable]:
        position = self._position(f"{self._url.account}/{folder.path}")
        while True:
            try:
                yield from self._read(self._connected(), folder, position)
                return
            except ConnectionLost as error:
                self._mend(error, f" in {folder.path} at UID {position.uid}")
            except Refused as error:
                if self._url.folder and not self._url.with_below:
                    raise SourceError(
                        f"{self._url.host} does not open {folder.path} ({error}): name another folder"
                    ) from error
                yield Unreadable(position.key, NOT_OPENED, self._bytes)
                return

    def _position(self, key: str) -> _Position:
        if key not in self._marks:
            return _Position(key)
        try:
            kept = json.loads(self._marks[key])
            return _Position(key, kept["uidvalidity"], int(kept["uid"]), {int(uid) for uid in kept["missed"]})
        except (ValueError, TypeError, KeyError) as error:
            raise SourceError(
                f"what the mailbox remembers of {key} is damaged: import into a new one, with another --name"
            ) from error

    def _read(
        self, session: ImapSession, folder: ImapFolder, position: _Position
    ) -> Iterator[SourceMessage | Unreadable]:
        opened = session.open(folder)
        position.begin(opened.uidvalidity)
        if opened.uidnext is not None and opened.uidnext <= position.uid + 1 and not position.again:
            return
        uids = session.uids(opened, position.uid, sorted(position.again))
        for start in range(0, len(uids), _SIZES_AT_ONCE):
            chunk = uids[start : start + _SIZES_AT_ONCE].tolist()
            sizes_bytes = self._sizes_bytes(session, chunk)
            while chunk:
                batch = _batch(chunk[: position.batch], sizes_bytes)
                fetched = self._fetch(session, batch, position)
                for uid in batch:
                    yield self._item(session, folder, position, uid, fetched.get(uid))
                chunk = chunk[len(batch) :]

    def _sizes_bytes(self, session: ImapSession, uids: list[int]) -> dict[int, int]:
        try:
            return session.sizes_bytes(uids)
        except Refused:  # then every message is fetched alone, and what is wrong shows there
            return {}

    def _fetch(self, session: ImapSession, uids: list[int], position: _Position) -> dict[int, Fetched]:
        """Fetch a batch; one that the server refuses is asked for message by message, to find the one it means."""
        if len(uids) == 1 and position.losses[uids[0]] >= _MOST_LOSSES:
            return {}
        try:
            fetched = session.fetch(uids)
        except ConnectionLost:
            position.batch = max(1, len(uids) // 10)
            if len(uids) == 1:
                position.losses[uids[0]] += 1
            raise
        except Refused as error:
            if len(uids) > 1:
                alone = (self._fetch(session, [uid], position) for uid in uids)
                return {uid: message for part in alone for uid, message in part.items()}
            position.refusals += 1
            if position.refusals == _MOST_REFUSALS:
                raise SourceError(
                    f"{self._url.host} refused {_MOST_REFUSALS} messages of {position.key}, one after the other "
                    f"({error}): {_GO_ON}"
                ) from error
            return {}
        position.refusals = 0
        position.batch = min(_BATCH_MESSAGES, position.batch * 2)
        return fetched

    def _item(
        self, session: ImapSession, folder: ImapFolder, position: _Position, uid: int, message: Fetched | None
    ) -> SourceMessage | Unreadable:
        origin = f"{position.key}#{uid}"
        if message is None or message.raw is None:
            reason = self._why_missing(session, position, uid)
            if reason == NOT_GIVEN and message is not None:
                reason = NO_BODY
            position.read(uid, is_missed=reason != GONE)
            return Unreadable(origin, reason, self._bytes)
        self._failures = 0
        self._given += 1
        self._bytes += len(message.raw)
        position.read(uid)
        return SourceMessage(
            raw=message.raw,
            folder=folder.path,
            flags=message.flags,
            labels=message.labels,
            origin=origin,
            position=self._bytes,
            mark=position.mark(),
        )

    def _why_missing(self, session: ImapSession, position: _Position, uid: int) -> str:
        if position.losses[uid] >= _MOST_LOSSES:
            self._failures = 0
            return BREAKS
        try:
            return NOT_GIVEN if session.has(uid) else GONE
        except Refused:
            return NOT_GIVEN

    def _connected(self) -> ImapSession:
        if self._session is None:
            try:
                secret = self._secret.renewed() if self._has_been_connected else self._secret
            except ConfigError as error:
                raise SourceError(f"no new secret to go on with after {self._so_far()}: {error}") from error
            self._session = ImapSession(self._url, secret)
            self._has_been_connected = True
        return self._session

    def _mend(self, error: ConnectionLost, where: str = "") -> None:
        """Wait before the next try.

        Raises:
            SourceError: There never was a connection, or all tries are used up.
        """
        self._hang_up(politely=False)
        if not self._has_been_connected:
            raise SourceError(f"{self._url.host} cannot be read: {error}") from error
        if self._failures == len(_WAITS_S):
            raise SourceError(
                f"the connection to {self._url.host} broke{where}, after {self._so_far()}, and could not be mended "
                f"({error}): {_GO_ON}"
            ) from error
        self._sleep(_WAITS_S[self._failures])
        self._failures += 1

    def _so_far(self) -> str:
        return f"{self._given:,} messages" if self._given != 1 else "1 message"

    def _hang_up(self, *, politely: bool) -> None:
        if self._session is not None:
            self._session.close(politely=politely)
            self._session = None


def _batch(uids: Sequence[int], sizes_bytes: Mapping[int, int]) -> list[int]:
    """Return as many messages from the first on as are fetched at once; one of unknown size goes alone."""
    total_bytes = 0
    for count, uid in enumerate(uids):
        total_bytes += sizes_bytes.get(uid, _BATCH_BYTES + 1)
        if count and total_bytes > _BATCH_BYTES:
            return list(uids[:count])
    return list(uids)
