"""What the IMAP reader makes of a server that misbehaves; the well-kept one is in tests/system/test_imap.py."""

import json
import sys
from collections.abc import Mapping

import pytest
from tests.corpora.readers.scripted_imap import LOGIN, PASSWORD, Box, Script, bodies_asked, serving

from mailgym.core.errors import ConfigError, SourceError
from mailgym.corpora.readers import imap
from mailgym.corpora.readers.imap import open_imap
from mailgym.corpora.readers.imap_url import ImapUrl
from mailgym.corpora.readers.secret import PASSWORD as PASSWORD_VARIABLE
from mailgym.corpora.readers.secret import PASSWORD_COMMAND
from mailgym.corpora.readers.secret import TOKEN as TOKEN_VARIABLE
from mailgym.corpora.readers.source import SourceMessage, Unreadable

ENVIRON = {PASSWORD_VARIABLE: PASSWORD}
Items = list[SourceMessage | Unreadable]


def read(script: Script, folder: str = "", marks: Mapping[str, str] | None = None) -> tuple[Items, list[float]]:
    """Read a scripted account; returns what came and the waits. Marks are keyed by the folder alone."""
    waits: list[float] = []
    with serving(script) as port:
        source = open_imap(f"imap://dana@127.0.0.1:{port}/{folder}", environ=ENVIRON, sleep=waits.append)
        account = f"imap://dana@127.0.0.1:{port}"
        source.resume({f"{account}/{name}": mark for name, mark in (marks or {}).items()})
        return list(source), waits


def outcomes(items: Items) -> list[tuple[int, str]]:
    """Return the UID of each item, with why it could not be read (empty where it could)."""
    return [
        (int(item.origin.rpartition("#")[2]), item.reason if isinstance(item, Unreadable) else "") for item in items
    ]


def last_mark(items: Items) -> dict[str, object]:
    marks = [item.mark for item in items if isinstance(item, SourceMessage)]
    assert marks[-1] is not None
    kept: dict[str, object] = json.loads(marks[-1][1])
    return kept


def three() -> dict[bytes, Box]:
    return {b"INBOX": Box({1: b"Subject: one\r\n\r\n1", 4: b"Subject: four\r\n\r\n4", 9: b"Subject: nine\r\n\r\n9"})}


def test_a_message_without_a_body_is_named_and_tried_again_the_next_time() -> None:
    script = Script(three())
    script.boxes[b"INBOX"].mails[4] = None
    items, _ = read(script)
    assert outcomes(items) == [(1, ""), (4, imap.NO_BODY), (9, "")]
    assert last_mark(items) == {"uidvalidity": 7, "uid": 9, "missed": [4]}

    script = Script(three())
    items, _ = read(script, marks={"INBOX": '{"uidvalidity": 7, "uid": 9, "missed": [4]}'})
    assert outcomes(items) == [(4, "")]
    assert last_mark(items) == {"uidvalidity": 7, "uid": 9, "missed": []}


def test_a_message_that_the_server_refuses_does_not_cost_the_others() -> None:
    script = Script(three(), refused={4})
    items, waits = read(script)
    assert outcomes(items) == [(1, ""), (4, imap.NOT_GIVEN), (9, "")]
    assert bodies_asked(script) == [b"1,4,9", b"1", b"4", b"9"]
    assert waits == []


def test_an_answer_that_is_no_imap_does_not_cost_the_other_messages() -> None:
    items, _ = read(Script(three(), garbled={9}))
    assert outcomes(items) == [(1, ""), (4, ""), (9, imap.NOT_GIVEN)]


def test_a_message_that_the_server_leaves_out_is_named() -> None:
    items, _ = read(Script(three(), left_out={1}))
    assert outcomes(items) == [(1, imap.NOT_GIVEN), (4, ""), (9, "")]


def test_a_message_over_which_the_connection_breaks_is_left_in_the_end() -> None:
    script = Script(three(), broken={4})
    items, waits = read(script)
    assert outcomes(items) == [(1, ""), (4, imap.BREAKS), (9, "")]
    assert bodies_asked(script) == [b"1,4,9", b"1", b"4,9", b"4", b"4", b"4", b"9"]
    assert waits == [1.0, 1.0, 2.0, 4.0, 8.0]
    assert last_mark(items)["missed"] == [4]


def test_a_server_that_refuses_everything_is_an_error_and_nothing_is_remembered() -> None:
    mails: dict[int, bytes | None] = dict.fromkeys(range(1, 201), b"Subject: x\r\n\r\n")
    with pytest.raises(SourceError, match=r"refused 50 messages .*\[SERVERBUG\].*run the same import again later"):
        read(Script({b"INBOX": Box(mails)}, refused=set(mails)))


def test_a_folder_that_the_server_does_not_open_is_named_and_the_others_are_read() -> None:
    script = Script({b"Locked": Box({1: b"x"}), **three()}, answers={b'EXAMINE "Locked"': b"NO [NOPERM] no"})
    items, _ = read(script)
    assert items[0] == Unreadable(items[0].origin, imap.NOT_OPENED)
    assert items[0].origin.endswith("/Locked")
    assert outcomes(items[1:]) == [(1, ""), (4, ""), (9, "")]
    with pytest.raises(SourceError, match=r"does not open Locked \(.*NOPERM"):
        read(script, "Locked")


def test_names_come_decoded_and_those_that_only_hold_folders_are_left_out() -> None:
    one: dict[int, bytes | None] = {1: b"Subject: x\r\n\r\n"}
    boxes = {
        b'"INBOX"': Box(one),
        b'"INBOX.B&APw-ro"': Box(one),
        b'"INBOX.B&APw-ro.2001"': Box(one),
        b'"Groups"': Box({}, attributes=b"\\Noselect \\HasChildren"),
        b'"Groups.Kite"': Box(one),
        b"2024": Box(one),
    }
    script = Script(boxes, separator=b'"."')
    items, _ = read(script)
    folders = [item.folder for item in items if isinstance(item, SourceMessage)]
    assert folders == ["INBOX", "INBOX/Büro", "INBOX/Büro/2001", "Groups/Kite", "2024"]
    for wanted in ("INBOX.B%C3%BCro/*", "INBOX/B%C3%BCro/*"):
        items, _ = read(script, wanted)
        assert [item.folder for item in items if isinstance(item, SourceMessage)] == folders[1:3]
    assert [item.folder for item in read(script, "inbox")[0] if isinstance(item, SourceMessage)] == ["INBOX"]


def test_a_name_that_is_not_encoded_as_it_must_be_is_shown_and_not_opened() -> None:
    items, _ = read(Script({'"Büro"'.encode(): Box({1: b"x"}), **three()}))
    assert [item.origin.rpartition("/")[2] for item in items if isinstance(item, Unreadable)] == ["Büro"]
    assert len(items) == 4


def test_flags_keywords_and_the_labels_of_gmail_are_kept() -> None:
    box = Box({1: b"Subject: x\r\n\r\n"}, flags=b"\\Recent \\Draft \\answered $Forwarded NonJunk \\Odd B&APw-ro 42")
    box.labels = b'\\Inbox "Trip to Oslo" B&APw-ro 2024 "\\\\Sent"'
    items, _ = read(Script({b"INBOX": box}, capabilities=b"IMAP4rev1 X-GM-EXT-1"))
    (message,) = items
    assert isinstance(message, SourceMessage)
    assert message.flags == ("answered", "forwarded", "draft")
    assert message.labels == ("Büro", "42", "Inbox", "Trip to Oslo", "2024", "Sent")


def test_without_a_uidvalidity_everything_is_read_each_time() -> None:
    script = Script({b"INBOX": Box({1: b"x", 2: b"y"}, uidvalidity=None)})
    items, _ = read(script, marks={"INBOX": '{"uidvalidity": null, "uid": 2, "missed": []}'})
    assert outcomes(items) == [(1, ""), (2, "")]


def test_a_search_that_names_the_last_message_though_it_is_old_brings_nothing() -> None:
    script = Script(three())
    items, _ = read(script, marks={"INBOX": '{"uidvalidity": 7, "uid": 9, "missed": []}'})
    assert items == []
    assert bodies_asked(script) == []


def test_a_folder_without_new_mail_is_not_even_searched() -> None:
    script = Script(three(), uidnext=10)
    items, _ = read(script, marks={"INBOX": '{"uidvalidity": 7, "uid": 9, "missed": []}'})
    assert items == []
    assert not any(command.startswith(b"UID") for command in script.commands)
    items, _ = read(script, marks={"INBOX": '{"uidvalidity": 7, "uid": 9, "missed": [4]}'})
    assert outcomes(items) == [(4, "")]


def test_an_unknown_folder_is_an_error_that_names_those_there_are() -> None:
    boxes = {b'"Box %d"' % number: Box({}) for number in range(15)}
    with pytest.raises(SourceError, match=r"has no folder 'zzz': .*there are: Box 0, .*, Box 11 and 3 more\)"):
        read(Script(boxes), "zzz")
    with pytest.raises(SourceError, match=r"near it: Box 1[,)]"):
        read(Script(boxes), "box 1")
    with pytest.raises(SourceError, match=r"there are: none\)"):
        read(Script({}), "zzz")
    with pytest.raises(SourceError, match=r"holds no messages, only folders: write  Groups/\*"):
        read(Script({b"Groups": Box({}, attributes=b"\\Noselect"), b"Groups/Kite": Box({})}), "Groups")


def test_many_messages_are_searched_in_windows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mailgym.corpora.readers.imap_session._SEARCH_WINDOW_MESSAGES", 4)
    script = Script({b"INBOX": Box(dict.fromkeys(range(3, 23, 2), b"x"))})
    items, _ = read(script)
    assert [uid for uid, _ in outcomes(items)] == list(range(3, 23, 2))
    searches = [command for command in script.commands if command.startswith(b"UID SEARCH")]
    assert searches == [b"UID SEARCH 7:10 UID 1:*", b"UID SEARCH 3:6 UID 1:*", b"UID SEARCH 1:2 UID 1:*"]


def test_sizes_that_the_server_refuses_make_it_one_message_at_a_time() -> None:
    script = Script(three(), answers={b"UID FETCH 1,4,9 (RFC822.SIZE)": b"NO no"})
    items, _ = read(script)
    assert outcomes(items) == [(1, ""), (4, ""), (9, "")]
    assert bodies_asked(script) == [b"1", b"4", b"9"]


@pytest.mark.parametrize("mark", ["", "[]", "7", '{"uid": 3}', '{"uidvalidity": 7, "uid": "x", "missed": []}'])
def test_a_damaged_mark_is_an_error(mark: str) -> None:
    with pytest.raises(SourceError, match="damaged: import into a new one"):
        read(Script(three()), marks={"INBOX": mark})


def test_a_server_that_breaks_off_at_once_is_an_error() -> None:
    with pytest.raises(SourceError, match=r"127\.0\.0\.1 cannot be read: .*Too busy"):
        read(Script(three(), welcome=b"* BYE Too busy"))


def test_a_server_that_is_no_imap_server_is_an_error() -> None:
    with pytest.raises(SourceError, match=r"cannot be read: .*check host, port and network"):
        read(Script(three(), welcome=b"220 mail.x.example ESMTP"))


def test_a_server_that_is_not_ready_for_logins_is_said_to_be_so() -> None:
    script = Script(three(), answers={LOGIN: b"NO [UNAVAILABLE] starting"})
    with pytest.raises(SourceError, match="not ready for logins"):
        read(script)


def test_an_account_that_is_open_already_is_not_logged_in_to() -> None:
    script = Script(three(), welcome=b"* PREAUTH hello")
    items, _ = read(script)
    assert len(items) == 3
    assert not any(command.startswith((b"LOGIN", b"AUTH")) for command in script.commands)


def test_a_server_that_repeats_the_password_in_its_refusal_does_not_bring_it_into_the_error() -> None:
    with serving(Script(three())) as port, pytest.raises(SourceError, match="refused the password") as error:
        list(open_imap(f"imap://dana@127.0.0.1:{port}", environ={PASSWORD_VARIABLE: "hunter2"}))
    assert "hunter2" not in str(error.value)
    assert error.value.__cause__ is None


TOKEN_MECHANISMS = [
    (b"XOAUTH2", b"user=da,na\1auth=Bearer ya29\1\1", b""),
    (b"OAUTHBEARER", b"n,a=da=2Cna,\1auth=Bearer ya29\1\1", b"\1"),
]


@pytest.mark.parametrize(("mechanism", "sent", "closing"), TOKEN_MECHANISMS)
def test_a_token_is_sent_as_its_mechanism_wants_it(mechanism: bytes, sent: bytes, closing: bytes) -> None:
    script = Script(three(), capabilities=b"IMAP4rev1 AUTH=PLAIN AUTH=" + mechanism, accepted={sent})
    with serving(script) as port:
        assert len(list(open_imap(f"imap://da,na@127.0.0.1:{port}", environ={TOKEN_VARIABLE: "ya29"}))) == 3
        script.accepted.clear()
        with pytest.raises(
            SourceError, match=r'refused the token of da,na \(.*"status":"400".*tokens run out'
        ) as error:
            list(open_imap(f"imap://da,na@127.0.0.1:{port}", environ={TOKEN_VARIABLE: "ya29"}))
    assert script.authenticated == [sent, sent, closing]
    assert "ya29" not in str(error.value)


def test_a_server_that_takes_no_token_says_so() -> None:
    with serving(Script(three())) as port, pytest.raises(SourceError, match="takes no OAuth2 token"):
        list(open_imap(f"imap://dana@127.0.0.1:{port}", environ={TOKEN_VARIABLE: "ya29"}))


def test_a_password_goes_by_plain_where_the_server_takes_it() -> None:
    script = Script(three(), capabilities=b"IMAP4rev1 AUTH=PLAIN", accepted={"\0dana\0pässword".encode()})
    with serving(script) as port:
        assert len(list(open_imap(f"imap://dana@127.0.0.1:{port}", environ={PASSWORD_VARIABLE: "pässword"}))) == 3


def test_a_connection_that_breaks_during_the_login_is_an_error() -> None:
    script = Script(three(), answers={LOGIN: b"\r\n* BYE"})
    with pytest.raises(SourceError, match=r"cannot be read: .*check host, port and network"):
        read(script)


def test_a_password_beyond_ascii_needs_a_server_that_takes_it() -> None:
    with serving(Script(three())) as port, pytest.raises(SourceError, match="beyond ASCII"):
        list(open_imap(f"imap://dana@127.0.0.1:{port}", environ={PASSWORD_VARIABLE: "pässword"}))


def test_a_server_without_encryption_gets_no_secret(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ImapUrl, "is_loopback", False)
    script = Script(three())
    with pytest.raises(SourceError, match="never sent in the clear"):
        read(script)
    assert not any(command.startswith((b"LOGIN", b"AUTH")) for command in script.commands)


def test_a_server_that_does_not_list_its_folders_is_an_error() -> None:
    with pytest.raises(SourceError, match="does not list its folders"):
        read(Script(three(), answers={b'LIST "" "*"': b"NO not now"}))


def test_a_list_that_is_cut_off_is_asked_for_again() -> None:
    class Once(dict[bytes, bytes]):
        def get(self, key: bytes, default: object = None) -> bytes | None:  # type: ignore[override]
            return self.pop(key, None)

    script = Script(three(), answers=Once({b'LIST "" "*"': b"OK\r\n* BYE going down"}))
    items, waits = read(script)
    assert len(items) == 3
    assert waits == [1.0]


def test_a_command_that_gives_no_new_secret_ends_the_reading() -> None:
    script = Script(three(), broken={4})
    with serving(script) as port:
        source = open_imap(
            f"imap://dana@127.0.0.1:{port}/INBOX",
            environ={PASSWORD_COMMAND: f'{sys.executable} -c \'print("open \\"sesame\\"")\''},
            sleep=lambda _: object.__setattr__(source._secret, "command", "false"),
        )
        with pytest.raises(SourceError, match=r"no new secret to go on with after 0 messages: .*false failed"):
            list(source)


def test_the_account_is_named_by_its_address() -> None:
    assert open_imap("imaps://dana@x.example@imap.x.example", environ=ENVIRON).name == "dana@x.example"
    source = open_imap("imaps://dana@x.example/INBOX", environ=ENVIRON)
    assert (source.name, source.kind, source.size_bytes) == ("dana@x.example", "IMAP account", None)


def test_a_terminal_is_asked_for_the_password(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    monkeypatch.setattr("getpass.getpass", lambda text: asked.append(text) or PASSWORD)
    monkeypatch.setattr("sys.stdin.isatty", lambda: True, raising=False)
    with serving(Script(three())) as port:
        assert len(list(open_imap(f"imap://dana@127.0.0.1:{port}", environ={}))) == 3
    assert asked == ["Password for dana on 127.0.0.1: "]


def test_without_a_terminal_the_ways_to_a_password_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin.isatty", lambda: False, raising=False)
    monkeypatch.setenv(PASSWORD_VARIABLE, "")
    with pytest.raises(ConfigError, match="MAILGYM_IMAP_TOKEN_COMMAND"):
        open_imap("imaps://dana@x.example/INBOX")
