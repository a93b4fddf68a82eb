"""A small IMAP server on the loopback that misbehaves as it is told, for what a well-kept server never does."""

import base64
import re
import socketserver
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

LOGIN = b'LOGIN "dana" "open \\"sesame\\""'  # of user dana with this password, as RFC 3501 quotes it
PASSWORD = 'open "sesame"'


@dataclass
class Box:
    """A folder: its messages by UID (None: no body), flags and labels of all of them as the server writes them."""

    mails: dict[int, bytes | None]
    flags: bytes = b""
    labels: bytes = b""
    uidvalidity: int | None = 7
    attributes: bytes = b"\\HasNoChildren"


@dataclass
class Script:
    """What the server has and how it misbehaves.

    Attributes:
        boxes: Folders by name, as they stand in a LIST answer.
        separator: Of the parts of names.
        capabilities: Announced before and after the login.
        refused: UIDs for which a FETCH with them is answered NO.
        garbled: UIDs whose answer is no IMAP.
        left_out: UIDs that a FETCH does not answer, though SEARCH lists them.
        broken: UIDs over whose bodies the connection breaks.
        welcome: The greeting.
        commands: What clients asked, without tags; the server's record.
        answers: Fixed answers to whole commands, each the line after the tag.
        uidnext: What EXAMINE says of it.
        accepted: What opens the account after AUTHENTICATE.
        authenticated: What clients sent after AUTHENTICATE, decoded; the server's record.
    """

    boxes: dict[bytes, Box]
    separator: bytes = b'"/"'
    capabilities: bytes = b"IMAP4rev1"
    refused: set[int] = field(default_factory=set)
    garbled: set[int] = field(default_factory=set)
    left_out: set[int] = field(default_factory=set)
    broken: set[int] = field(default_factory=set)
    welcome: bytes = b"* OK ready"
    commands: list[bytes] = field(default_factory=list)
    answers: dict[bytes, bytes] = field(default_factory=dict)
    uidnext: int | None = None
    accepted: set[bytes] = field(default_factory=set)
    authenticated: list[bytes] = field(default_factory=list)


class _Handler(socketserver.StreamRequestHandler):
    disable_nagle_algorithm = True
    script: Script
    box: Box | None = None

    def handle(self) -> None:
        try:
            self._say(self.script.welcome)
            while line := self.rfile.readline():
                tag, _, command = line.rstrip(b"\r\n").partition(b" ")
                self.script.commands.append(command)
                answer = self.script.answers.get(command) or self._answer(command)
                if answer is None:
                    return
                self._say(tag + b" " + answer)
        except ConnectionError:
            return

    def _say(self, line: bytes) -> None:
        self.wfile.write(line + b"\r\n")

    def _answer(self, command: bytes) -> bytes | None:
        words = command.split(b" ")
        verb = b" ".join(words[:2]) if words[0] == b"UID" else words[0]
        if verb == b"CAPABILITY":
            self._say(b"* CAPABILITY " + self.script.capabilities)
        elif verb == b"LOGIN":
            return b"OK hello" if command == LOGIN else b"NO wrong " + command
        elif verb == b"AUTHENTICATE":
            return self._authenticate()
        elif verb == b"LIST":
            for name, box in self.script.boxes.items():
                self._say(b"* LIST (%s) %s %s" % (box.attributes, self.script.separator, name))
        elif verb == b"EXAMINE":
            self.box = self.script.boxes.get(command.removeprefix(b"EXAMINE ")) or self.script.boxes.get(
                command.removeprefix(b"EXAMINE ").strip(b'"')
            )
            if self.box is None:
                return b"NO [NONEXISTENT] not there"
            self._say(b"* %d EXISTS" % len(self.box.mails))
            self._say(b"* 0 RECENT")
            if self.box.uidvalidity is not None:
                self._say(b"* OK [UIDVALIDITY %d] ok" % self.box.uidvalidity)
            if self.script.uidnext is not None:
                self._say(b"* OK [UIDNEXT %d] ok" % self.script.uidnext)
        elif verb == b"UID SEARCH":
            self._search(words)
        elif verb == b"UID FETCH":
            return self._fetch(words)
        elif verb == b"LOGOUT":
            self._say(b"* BYE")
        return b"OK done"

    def _authenticate(self) -> bytes:
        self._say(b"+ ")
        said = base64.b64decode(self.rfile.readline())
        self.script.authenticated.append(said)
        if said in self.script.accepted:
            return b"OK hello"
        if b"Bearer" in said:  # RFC 7628: say why, as a challenge, and wait for an answer
            self._say(b"+ " + base64.b64encode(b'{"status":"400"}'))
            self.script.authenticated.append(base64.b64decode(self.rfile.readline()))
        return b"NO [AUTHENTICATIONFAILED] no"

    def _search(self, words: list[bytes]) -> None:
        assert self.box is not None
        uids = sorted(self.box.mails)
        if words[2] != b"UID":
            first, last = map(int, words[2].split(b":"))
            uids = uids[first - 1 : last]
        wanted = words[-1].split(b",")
        found = set()
        for part in wanted:
            first_uid, _, last_uid = part.partition(b":")
            highest = max(self.box.mails) if last_uid == b"*" else int(first_uid)
            low, high = sorted((int(first_uid), highest))
            found |= {uid for uid in uids if low <= uid <= high}
        self._say(b" ".join([b"* SEARCH", *(b"%d" % uid for uid in sorted(found))]))

    def _fetch(self, words: list[bytes]) -> bytes | None:
        assert self.box is not None
        uids = [uid for uid in map(int, words[2].split(b",")) if uid in self.box.mails]
        is_body = b"BODY.PEEK[]" in words[-1] or any(b"BODY.PEEK" in word for word in words)
        if is_body and self.script.broken & set(uids):
            return None
        if is_body and self.script.refused & set(uids):
            return b"NO [SERVERBUG] some cannot be read"
        for number, uid in enumerate(uids):
            if uid in self.script.left_out:
                continue
            raw = self.box.mails[uid]
            head = b"* %d FETCH (UID %d " % (number + 1, uid)
            if is_body and uid in self.script.garbled:
                self._say(head + b"FLAGS)")
            elif not is_body:
                self._say(head + b"RFC822.SIZE %d)" % len(raw or b""))
            else:
                labels = b"X-GM-LABELS (%s) " % self.box.labels if b"X-GM-EXT-1" in self.script.capabilities else b""
                body = b"NIL" if raw is None else b"{%d}\r\n%s" % (len(raw), raw)
                self._say(head + b"FLAGS (%s) %sBODY[] %s)" % (self.box.flags, labels, body))
        return b"OK done"


@contextmanager
def serving(script: Script) -> Iterator[int]:
    """Serve a script; yields the port."""

    class Server(socketserver.ThreadingTCPServer):
        allow_reuse_address = True
        daemon_threads = True

    handler = type("Handler", (_Handler,), {"script": script})
    with Server(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        thread.start()
        try:
            yield int(server.server_address[1])
        finally:
            server.shutdown()
            thread.join()


def bodies_asked(script: Script) -> list[bytes]:
    """Return the sets of UIDs whose bodies were asked for, in order."""
    found = [re.fullmatch(rb"UID FETCH (\S+) \(.*BODY.PEEK.*\)", command) for command in script.commands]
    return [match[1] for match in found if match]
