"""Mail read from a real IMAP server: only what is new, nothing changed there, broken connections mended.

Needs Debian's dovecot-imapd (make test-system); fails without it, never skips.
"""

import json
import logging
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from tests.system.dovecot import OTHER_ADDRESS, PASSWORD, Account, Dovecot, TokenChecker

from mailgym.core.errors import SourceError
from mailgym.corpora.import_mail import import_mail
from mailgym.corpora.readers import imap
from mailgym.corpora.readers.imap import open_imap
from mailgym.corpora.readers.imap_url import ImapUrl
from mailgym.corpora.readers.secret import PASSWORD as PASSWORD_VARIABLE
from mailgym.corpora.readers.secret import TOKEN as TOKEN_VARIABLE
from mailgym.corpora.readers.secret import TOKEN_COMMAND
from mailgym.corpora.readers.source import SourceMessage, Unreadable
from mailgym.mail.mailbox import Mailbox

pytestmark = pytest.mark.system
READ_ONLY = {"LIST", "EXAMINE", "UID SEARCH", "UID FETCH", "LOGOUT", "CAPABILITY"}
_numbers = count()


@pytest.fixture(scope="module")
def checker() -> Iterator[TokenChecker]:
    checker = TokenChecker()
    yield checker
    checker.close()


@pytest.fixture(scope="module")
def running(checker: TokenChecker) -> Iterator[Dovecot]:
    folder = Path(tempfile.mkdtemp(prefix="mailgym-dovecot-"))  # short, and to be entered by the server's other users
    server = Dovecot(folder, checker.port)
    try:
        yield server
    finally:
        server.kill()
        shutil.rmtree(folder)


@pytest.fixture
def server(running: Dovecot) -> Dovecot:
    """The server with its usual settings, running, whatever the test before did to it."""
    if not running.has_usual_settings:
        running.restart()
    running.start()
    return running


@pytest.fixture
def account(server: Dovecot) -> Account:
    return server.account(next(_numbers))


def mail(number: int, body: str = "See you on Friday.") -> bytes:
    return (
        f"Message-ID: <{number}@x.example>\r\nFrom: tom@x.example\r\nSubject: Note {number}\r\n\r\n{body}\r\n".encode()
    )


def read(
    account: Account, folder: str = "", marks: Mapping[str, str] | None = None, **options: object
) -> list[SourceMessage | Unreadable]:
    source = open_imap(account.url(folder), environ={PASSWORD_VARIABLE: PASSWORD}, **options)  # type: ignore[arg-type]
    source.resume(marks or {})
    return list(source)


def marks_of(items: list[SourceMessage | Unreadable]) -> dict[str, str]:
    return dict(item.mark for item in items if isinstance(item, SourceMessage) and item.mark)


def numbers_of(items: list[SourceMessage | Unreadable]) -> list[int]:
    """Return the numbers of messages made by ``mail``."""
    raws = [item.raw for item in items if isinstance(item, SourceMessage)]
    assert len(raws) == len(items)
    return [int(raw.split(b"<")[1].split(b"@")[0]) for raw in raws]


def test_every_message_comes_whole_with_its_folder_flags_and_keywords(account: Account) -> None:
    account.fill("INBOX", [mail(1)], [b"\\Seen", b"$Forwarded", b"invoices"])
    account.fill('Büro/"50%" & *more*', [mail(2), b"\xff\xfe no header, no end"], [b"\\Flagged", b"$Junk"])
    items = read(account)
    assert {(i.raw, i.folder, i.flags, i.labels) for i in items if isinstance(i, SourceMessage)} == {
        (mail(1), "INBOX", ("seen", "forwarded"), ("invoices",)),
        (mail(2), 'Büro/"50%" & *more*', ("flagged", "spam"), ()),
        (b"\xff\xfe no header, no end", 'Büro/"50%" & *more*', ("flagged", "spam"), ()),
    }
    assert len(items) == 3


def test_nothing_changes_on_the_server(account: Account) -> None:
    account.fill("INBOX", [mail(1), mail(2)])
    account.forget_commands()
    assert numbers_of(read(account, "INBOX")) == [1, 2]
    assert set(account.words()) <= READ_ONLY
    assert all("PEEK" in command for command in account.commands() if "BODY" in command)
    with account.owner() as client:
        assert client.select_folder("INBOX")[b"RECENT"] == 2, "as if nobody had looked"
        assert all(b"\\Seen" not in flags for flags in client.get_flags([1, 2]).values())


def test_the_next_run_fetches_nothing_and_the_one_after_only_new_mail(account: Account) -> None:
    account.fill("INBOX", [mail(1), mail(2)])
    account.fill("Sent", [mail(3)])
    first = read(account)
    account.forget_commands()
    assert read(account, marks=marks_of(first)) == []
    assert "UID FETCH" not in account.words()
    assert "EXAMINE" in account.words()

    account.fill("INBOX", [mail(4)])
    account.forget_commands()
    third = read(account, marks=marks_of(first))
    assert numbers_of(third) == [4]
    assert [command for command in account.commands() if "BODY" in command] == ["UID FETCH 3 (FLAGS BODY.PEEK[])"]
    assert read(account, marks={**marks_of(first), **marks_of(third)}) == []


def test_a_folder_that_was_made_anew_is_read_anew(account: Account) -> None:
    account.fill("Notes", [mail(1), mail(2)])
    first = read(account, "Notes")
    with account.owner() as client:
        client.delete_folder("Notes")
    account.fill("Notes", [mail(3)])  # UID 1 again, in a folder of another UIDVALIDITY
    second = read(account, "Notes", marks_of(first))
    assert numbers_of(second) == [3]
    assert read(account, "Notes", marks_of(second)) == []


def test_the_folder_wanted_may_be_one_with_those_below_or_one_alone(account: Account) -> None:
    account.fill("Work", [mail(1)])
    account.fill("Work/Old", [mail(2)])
    account.fill("Workshop", [mail(3)])
    account.fill("Only/Below", [mail(4)])
    account.fill("Café", [mail(5)])
    assert numbers_of(read(account, "Work")) == [1]
    assert numbers_of(read(account, "Work/Old")) == [2]
    assert sorted(numbers_of(read(account, "Work/*"))) == [1, 2]
    assert numbers_of(read(account, "Only/*")) == [4]
    assert numbers_of(read(account, "Caf%C3%A9")) == [5]
    assert sorted(numbers_of(read(account))) == [1, 2, 3, 4, 5]
    with pytest.raises(SourceError, match=r"holds no messages, only folders: write  Only/\*"):
        read(account, "Only")


def test_an_unknown_folder_is_an_error_that_names_those_there_are(account: Account) -> None:
    account.fill("Invoices", [mail(1)])
    with pytest.raises(SourceError, match=r"has no folder 'Invoces': .*near it: Invoices"):
        read(account, "Invoces")
    with pytest.raises(SourceError, match=r"has no folder 'zzz': .*there are: .*Invoices"):
        read(account, "zzz")


def test_more_messages_than_one_batch_come_in_their_order(account: Account) -> None:
    account.fill("INBOX", [mail(number) for number in range(620)])
    account.forget_commands()
    items = read(account, "INBOX")
    assert numbers_of(items) == list(range(620))
    assert items[-1].position == sum(len(mail(number)) for number in range(620))
    assert sum("BODY" in command for command in account.commands()) == 7, "100 at once, 500 sizes at once"


def test_big_messages_are_fetched_alone(account: Account) -> None:
    big = mail(1, "x" * 76 + "\r\n" + ("y" * 76 + "\r\n") * 130_000)
    assert len(big) > 10_000_000
    account.fill("INBOX", [big, big, mail(3)])
    account.forget_commands()
    items = read(account, "INBOX")
    assert [item.raw for item in items if isinstance(item, SourceMessage)] == [big, big, mail(3)]
    bodies = [command.split(" ")[2] for command in account.commands() if "BODY" in command]
    assert bodies == ["1", "2,3"], "no more than 16 MB at once"


def test_mail_that_its_owner_deletes_meanwhile_is_told_as_such(account: Account) -> None:
    account.fill("INBOX", [mail(number) for number in range(130)])
    items: list[SourceMessage | Unreadable] = []
    for item in open_imap(account.url("INBOX"), environ={PASSWORD_VARIABLE: PASSWORD}):
        if not items:
            with account.owner() as client:
                client.select_folder("INBOX")
                client.delete_messages([120])
                client.expunge()
        items.append(item)
    lost = [item for item in items if isinstance(item, Unreadable)]
    assert [(item.origin.rpartition("#")[2], item.reason) for item in lost] == [("120", imap.GONE)]
    assert len(items) == 130


def test_a_wrong_password_is_an_error_without_it(account: Account, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    with pytest.raises(
        SourceError, match=r"refused the password of dana\d+@ember.example .*make a password for apps"
    ) as error:
        list(open_imap(account.url(), environ={PASSWORD_VARIABLE: "sesame-4711"}))
    assert "sesame" not in repr(error.value) + caplog.text
    assert error.value.__cause__ is None


def test_no_log_holds_the_secret_or_the_mail(account: Account, caplog: pytest.LogCaptureFixture) -> None:
    account.fill("INBOX", [mail(1, "quite confidential")])
    caplog.set_level(logging.DEBUG)
    source = open_imap(account.url(), environ={PASSWORD_VARIABLE: PASSWORD})
    assert numbers_of(list(source)) == [1]
    assert PASSWORD not in caplog.text + repr(source)
    assert "confidential" not in caplog.text


def test_a_certificate_is_checked_and_may_be_named(account: Account, monkeypatch: pytest.MonkeyPatch) -> None:
    account.fill("INBOX", [mail(1)])
    environ = {PASSWORD_VARIABLE: PASSWORD}
    monkeypatch.delenv("SSL_CERT_FILE", raising=False)
    with pytest.raises(SourceError, match=r"certificate is not trusted \(self-signed certificate\).*SSL_CERT_FILE"):
        list(open_imap(account.url(scheme="imaps"), environ=environ))
    monkeypatch.setenv("SSL_CERT_FILE", str(account.server.certificate))
    assert numbers_of(list(open_imap(account.url(scheme="imaps"), environ=environ))) == [1]
    with pytest.raises(SourceError, match=r"certificate is not for this name .*127\.0\.0\.1"):
        list(open_imap(account.url(scheme="imaps", host="127.0.0.1"), environ=environ))


def test_tls_asked_of_a_port_without_it_is_an_error(account: Account) -> None:
    url = account.url().replace("imap://", "imaps://")
    with pytest.raises(SourceError, match="does not speak TLS on port"):
        list(open_imap(url, environ={PASSWORD_VARIABLE: PASSWORD}))


def test_a_connection_in_the_clear_is_encrypted_where_the_server_insists(
    account: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    account.fill("INBOX", [mail(1)])
    url, environ = account.url(host=OTHER_ADDRESS), {PASSWORD_VARIABLE: PASSWORD}
    with pytest.raises(SourceError, match="certificate is not trusted"):
        list(open_imap(url, environ=environ))
    monkeypatch.setenv("SSL_CERT_FILE", str(account.server.certificate))
    assert numbers_of(list(open_imap(url, environ=environ))) == [1]
    assert ", TLS, " in account.last_login()


def test_a_connection_to_another_machine_is_encrypted_before_the_login(
    account: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    account.fill("INBOX", [mail(1)])
    assert numbers_of(read(account)) == [1]
    assert ", secured, " in account.last_login(), "in the clear, on the loopback"
    monkeypatch.setattr(ImapUrl, "is_loopback", False)
    monkeypatch.setenv("SSL_CERT_FILE", str(account.server.certificate))
    assert numbers_of(read(account)) == [1]
    assert ", TLS, " in account.last_login()


def test_no_secret_goes_to_another_machine_in_the_clear(account: Account, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ImapUrl, "is_loopback", False)
    account.server.restart(ssl="no")
    with pytest.raises(SourceError, match=r"offers no encryption .*never sent in the clear: use  imaps://"):
        read(account)
    assert f"user=<{account.user}>" not in account.server.said()


@pytest.mark.parametrize("mechanism", ["xoauth2", "oauthbearer"])
def test_a_token_opens_the_account(account: Account, checker: TokenChecker, mechanism: str) -> None:
    account.fill("INBOX", [mail(1)])
    account.server.restart(mechanisms=f"plain {mechanism}")
    checker.tokens["ya29.good"] = account.user
    items = list(open_imap(account.url(), environ={TOKEN_VARIABLE: "ya29.good"}))
    assert numbers_of(items) == [1]
    assert f"method={mechanism.upper()}" in account.server.said()
    with pytest.raises(SourceError, match=r"refused the token of .*tokens run out") as error:
        list(open_imap(account.url(), environ={TOKEN_VARIABLE: "ya29.stale"}))
    assert "stale" not in str(error.value)


def test_a_server_that_takes_no_token_says_so(account: Account) -> None:
    account.server.restart(mechanisms="plain")
    with pytest.raises(SourceError, match="takes no OAuth2 token"):
        list(open_imap(account.url(), environ={TOKEN_VARIABLE: "ya29.good"}))


def test_a_server_killed_and_started_again_in_the_middle_costs_no_message(account: Account) -> None:
    account.fill("INBOX", [mail(number) for number in range(250)])
    waits: list[float] = []

    def sleep(wait_s: float) -> None:
        waits.append(wait_s)
        if len(waits) == 2:
            account.server.start()

    items = []
    for item in open_imap(account.url("INBOX"), environ={PASSWORD_VARIABLE: PASSWORD}, sleep=sleep):
        items.append(item)
        if len(items) == 3:
            account.server.kill()
    assert numbers_of(items) == list(range(250)), "each once, in order"
    assert waits == [1.0, 2.0]


def test_a_server_that_stays_away_is_an_error_and_the_next_run_goes_on(account: Account) -> None:
    account.fill("INBOX", [mail(number) for number in range(150)])
    waits: list[float] = []
    items = []

    def read_and_kill() -> None:
        for item in open_imap(account.url("INBOX"), environ={PASSWORD_VARIABLE: PASSWORD}, sleep=waits.append):
            items.append(item)
            account.server.kill()

    with pytest.raises(SourceError, match=r"broke in INBOX at UID 100, after 100 messages.*run the same import again"):
        read_and_kill()
    assert waits == [1.0, 2.0, 4.0, 8.0, 16.0]
    account.server.start()
    assert numbers_of(items) + numbers_of(read(account, "INBOX", marks_of(items))) == list(range(150))


def test_a_token_that_ran_out_is_fetched_anew_when_the_connection_is_mended(
    account: Account, checker: TokenChecker, tmp_path: Path
) -> None:
    account.fill("INBOX", [mail(number) for number in range(150)])
    token = tmp_path / "token"
    token.write_text("ya29.first\n")
    checker.tokens["ya29.first"] = account.user

    def sleep(_: float) -> None:
        checker.tokens.pop("ya29.first", None)
        checker.tokens["ya29.second"] = account.user
        token.write_text("ya29.second\n")
        account.server.start()

    items = []
    for item in open_imap(account.url("INBOX"), environ={TOKEN_COMMAND: f"cat {token}"}, sleep=sleep):
        items.append(item)
        if len(items) == 1:
            account.server.kill()
    assert numbers_of(items) == list(range(150))


def test_an_account_is_imported_and_then_only_what_is_new(account: Account, tmp_path: Path) -> None:
    account.fill("INBOX", [mail(1), mail(2)])
    account.fill("Archive", [mail(3), mail(1)])

    def imported() -> tuple[int, int, dict[str, int]]:
        source = open_imap(account.url(), environ={PASSWORD_VARIABLE: PASSWORD})
        done = import_mail(source, tmp_path, owner=account.user)
        return done.added, done.duplicates, done.skipped

    assert imported() == (3, 1, {})
    (file,) = tmp_path.glob("*.mailbox")
    with Mailbox.open(file) as mailbox:
        assert {message.folder for message in mailbox} == {"INBOX", "Archive"}
    account.forget_commands()
    assert imported() == (0, 0, {})
    assert "UID FETCH" not in account.words()
    account.fill("INBOX", [mail(4)])
    assert imported() == (1, 0, {})


def test_nobody_listening_is_an_error_at_once(account: Account) -> None:
    account.server.kill()
    with pytest.raises(SourceError, match=r"Connection refused.*check host, port and network"):
        read(account, sleep=lambda _: pytest.fail("no waiting for a server that was never there"))


@pytest.mark.parametrize("way", ["environment", "--password-command"])
def test_the_command_line_imports_an_account(account: Account, tmp_path: Path, way: str) -> None:
    account.fill("INBOX", [mail(1), mail(2)], [b"\\Seen"])
    account.fill("Work", [mail(3)])
    environ = {name: value for name, value in os.environ.items() if not name.startswith("MAILGYM_IMAP_")}
    options = ["--name", "me", "--owner", "me@x.example", "--store", str(tmp_path), "--json"]
    if way == "environment":
        environ[PASSWORD_VARIABLE] = PASSWORD
    else:
        options += [way, f"printf %s {shlex.quote(PASSWORD)}"]

    def run(*arguments: str) -> dict[str, Any]:
        code = "from mailgym.cli.main import main; main()"
        command = [sys.executable, "-c", code, "mail", *arguments]
        done = subprocess.run(
            command, env=environ, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL
        )
        assert done.returncode == 0, done.stderr
        assert PASSWORD not in done.stdout + done.stderr
        return dict(json.loads(done.stdout))

    assert run("import", account.url(), *options)["added"] == 3
    assert run("import", account.url(), *options)["read"] == 0
    account.fill("Work", [mail(4)])
    assert run("import", account.url(), *options)["added"] == 1
    found = run("search", "note", "--folder", "work", "--store", str(tmp_path), "--json")["hits"]
    assert {hit["message_id"] for hit in found} == {"3@x.example", "4@x.example"}
