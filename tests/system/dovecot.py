"""A real IMAP server for the tests: Debian's Dovecot on loopback ports, mail and settings in a folder of its own."""

import grp
import os
import pwd
import shutil
import signal
import socket
import subprocess
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qs

from imapclient import IMAPClient

PASSWORD = "correct horse bättery"
OTHER_ADDRESS = "127.0.0.2"  # to Dovecot a client there is on another machine: no login in the clear
_USERS = 60
_START_TIMEOUT_S = 20.0

_SETTINGS = """
protocols = imap
listen = 127.0.0.1, {other_address}
base_dir = {folder}/run
state_dir = {folder}/state
log_path = {folder}/log
instance_name = {name}
default_internal_user = {system_user}
default_internal_group = {system_group}
default_login_user = {login_user}
first_valid_uid = 1
first_valid_gid = 1
mail_location = maildir:{folder}/mail/%u
ssl = {ssl}
ssl_cert = <{folder}/certificate.pem
ssl_key = <{folder}/key.pem
ssl_dh =
auth_mechanisms = {mechanisms}
auth_failure_delay = 0
rawlog_dir = {folder}/raw/%u
mail_fsync = never
mail_max_userip_connections = 100
mailbox_list_index = no
namespace inbox {{
  inbox = yes
  separator = /
}}
passdb {{
  driver = oauth2
  mechanisms = xoauth2 oauthbearer
  args = {folder}/oauth2.conf
}}
passdb {{
  driver = passwd-file
  args = scheme=PLAIN username_format=%u {folder}/users
}}
userdb {{
  driver = static
  args = uid={mail_user} gid={mail_group} home={folder}/mail/%u
}}
service imap-login {{
  chroot =
  inet_listener imap {{
    port = {port}
  }}
  inet_listener imaps {{
    port = {tls_port}
    ssl = yes
  }}
}}
service anvil {{
  chroot =
  unix_listener anvil-auth-penalty {{
    mode = 0
  }}
}}
service stats {{
  chroot =
}}
"""

_OAUTH2 = """
introspection_mode = post
introspection_url = http://127.0.0.1:{port}/
username_attribute = username
active_attribute = active
active_value = true
timeout_msecs = 5000
"""


def free_port() -> int:
    """Return a TCP port of the loopback that is free now."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


def program(name: str) -> str:
    """Return the path of one of Dovecot's programs, which Debian puts out of most users' way."""
    found = shutil.which(name, path=f"{os.environ.get('PATH', '')}:/usr/sbin:/sbin")
    assert found is not None, "this test needs an IMAP server: apt-get install dovecot-imapd"
    return found


def server_program() -> str:
    """Return the server's path.

    Raises:
        AssertionError: It is not installed, or its settings have another form than those written here.
    """
    path = program("dovecot")
    version = subprocess.run([path, "--version"], capture_output=True, text=True, check=True).stdout.split()[0]
    assert version.startswith("2.3."), f"this test writes settings for Dovecot 2.3, not {version}: write them anew"
    return path


class TokenChecker:
    """Answers Dovecot's question whose token it is, as a provider of OAuth2 does.

    Attributes:
        tokens: The user of each token that is good; it may change.
    """

    def __init__(self) -> None:
        self.tokens: dict[str, str] = {}
        tokens = self.tokens

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                form = self.rfile.read(int(self.headers["Content-Length"])).decode()
                user = tokens.get(parse_qs(form).get("token", [""])[0])
                answer = f'{{"active": true, "username": "{user}"}}' if user else '{"active": false}'
                self.send_response(200)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(answer)))
                self.end_headers()
                self.wfile.write(answer.encode())

            def log_message(self, *args: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.port = int(self._server.server_address[1])
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)
        self._thread.start()

    def close(self) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()


class Dovecot:
    """The server, with many accounts.

    It runs as the current user; where that is root, which may not log in, as users that Debian's package makes.
    """

    def __init__(self, folder: Path, token_port: int) -> None:
        self._folder = folder
        self._process: subprocess.Popen[bytes] | None = None
        self.port, self.tls_port = free_port(), free_port()
        self.certificate = folder / "certificate.pem"
        is_root = os.getuid() == 0
        me = pwd.getpwuid(os.getuid()).pw_name
        my_group = grp.getgrgid(os.getgid()).gr_name
        nobody = pwd.getpwnam("nobody")
        self._names = {
            "system_user": "dovecot" if is_root else me,  # the package's own users
            "system_group": "dovecot" if is_root else my_group,
            "login_user": "dovenull" if is_root else me,
            "mail_user": nobody.pw_uid if is_root else os.getuid(),
            "mail_group": nobody.pw_gid if is_root else os.getgid(),
        }
        folder.chmod(0o755)
        for name in ("mail", "raw"):
            (folder / name).mkdir()
            os.chown(folder / name, int(self._names["mail_user"]), int(self._names["mail_group"]))
        users = "".join(f"dana{number}@ember.example:{{PLAIN}}{PASSWORD}\n" for number in range(_USERS))
        (folder / "users").write_text(users, encoding="utf-8")
        (folder / "oauth2.conf").write_text(_OAUTH2.format(port=token_port))
        make_certificate(self.certificate, folder / "key.pem")
        self.configure()

    def configure(self, *, ssl: str = "yes", mechanisms: str = "plain login xoauth2 oauthbearer") -> None:
        """Write the settings; they hold from the next start on."""
        text = _SETTINGS.format(
            folder=self._folder,
            name=self._folder.name,
            port=self.port,
            tls_port=self.tls_port,
            other_address=OTHER_ADDRESS,
            ssl=ssl,
            mechanisms=mechanisms,
            **self._names,
        )
        (self._folder / "dovecot.conf").write_text(text)
        self._settings = (ssl, mechanisms)

    @property
    def has_usual_settings(self) -> bool:
        """Whether it was last configured as it is at first."""
        return self._settings == ("yes", "plain login xoauth2 oauthbearer")

    def restart(self, *, ssl: str = "yes", mechanisms: str = "plain login xoauth2 oauthbearer") -> None:
        """Start anew with other settings."""
        self.kill()
        self.configure(ssl=ssl, mechanisms=mechanisms)
        self.start()

    def start(self) -> None:
        """Start, if it does not run, and return when it answers."""
        if self._process is not None:
            return
        self._process = subprocess.Popen(
            [server_program(), "-F", "-c", str(self._folder / "dovecot.conf")],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        deadline = time.monotonic() + _START_TIMEOUT_S
        while True:
            try:
                with socket.create_connection(("127.0.0.1", self.port), timeout=1):
                    return
            except OSError:
                assert self._process.poll() is None, f"Dovecot ended: {self.said()}"
                assert time.monotonic() < deadline, f"Dovecot does not answer: {self.said()}"
                time.sleep(0.02)

    def kill(self) -> None:
        """Kill it and all its processes at once, in the middle of whatever they do."""
        if self._process is not None:
            os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait(timeout=_START_TIMEOUT_S)
            self._process = None

    def said(self) -> str:
        """Return its log."""
        log = self._folder / "log"
        return log.read_text() if log.exists() else ""

    def account(self, number: int) -> "Account":
        """Return an account that no other test has used, and make the place for its log of commands."""
        account = Account(self, f"dana{number}@ember.example", self._folder / "raw" / f"dana{number}@ember.example")
        account.raw_log.mkdir()
        os.chown(account.raw_log, int(self._names["mail_user"]), int(self._names["mail_group"]))
        return account


class Account:
    """One user's mail on the server, as its owner, who may change things, and as the log of commands shows it."""

    def __init__(self, server: Dovecot, user: str, raw_log: Path) -> None:
        self.server, self.user, self.raw_log = server, user, raw_log

    def url(self, folder: str = "", *, scheme: str = "imap", host: str = "localhost") -> str:
        """Return the address for mailgym."""
        port = self.server.tls_port if scheme == "imaps" else self.server.port
        return f"{scheme}://{self.user}@{host}:{port}/{folder}"

    @contextmanager
    def owner(self) -> Iterator[IMAPClient]:
        """Connect as the owner does, for changes."""
        with IMAPClient("127.0.0.1", port=self.server.port, ssl=False, timeout=20) as client:
            client.plain_login(self.user, PASSWORD)
            yield client

    def fill(self, folder: str, mails: Sequence[bytes], flags: Sequence[bytes] = ()) -> None:
        """Put mails into a folder, which is made if there is none."""
        with self.owner() as client:
            if not client.folder_exists(folder):
                client.create_folder(folder)
            for mail in mails:
                client.append(folder, mail, flags)

    def last_login(self) -> str:
        """Return what the server's log says of the last login: how, and whether through TLS."""
        return [line for line in self.server.said().splitlines() if f"Login: user=<{self.user}>" in line][-1]

    def forget_commands(self) -> None:
        """Forget what was asked so far."""
        for file in self.raw_log.glob("*.in"):
            file.unlink()

    def commands(self) -> list[str]:
        """Return what clients asked since they were forgotten, in order, without time and tag."""
        lines = [line for file in sorted(self.raw_log.glob("*.in")) for line in file.read_text().splitlines()]
        return [line.split(" ", 2)[2] for line in lines if line.count(" ") >= 2]

    def words(self) -> list[str]:
        """Return the commands alone: ``EXAMINE``, ``UID FETCH`` ..."""
        asked = [command.split(" ") for command in self.commands()]
        return [" ".join(words[:2]) if words[0] == "UID" else words[0] for words in asked]


def make_certificate(certificate: Path, key: Path) -> None:
    """Write a self-signed certificate for localhost and the other address, and its key."""
    done = subprocess.run(
        [
            *("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2"),
            *("-subj", "/CN=localhost", "-addext", f"subjectAltName=DNS:localhost,IP:{OTHER_ADDRESS}"),
            *("-keyout", str(key), "-out", str(certificate)),
        ],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, f"openssl failed: {done.stderr}"
