import sqlite3

import pytest

from mailgym.core.errors import SourceError, StoreError
from mailgym.corpora.import_mail import EMPTY_REASON, NOBODY_REASON, SAME_BYTES, SAME_CONTENT, import_mail
from mailgym.corpora.readers.source import SourceMessage, Unreadable
from mailgym.corpora.workers import Workers
from mailgym.mail.mailbox import Mailbox
from mailgym.mail.store import MailboxWriter

DANA, BOB = "Dana Whitfield <dana@x.example>", "bob@x.example"


def full_disk():
    error = sqlite3.OperationalError("database or disk is full")
    error.sqlite_errorcode = sqlite3.SQLITE_FULL
    return error


def raw(number: int, from_: str, to: str) -> bytes:
    return (
        f"Message-ID: <{number}@x>\nFrom: {from_}\nTo: {to}\n"
        f"Date: Mon, 14 May 2001 10:00:{number % 60:02} +0000\nSubject: s{number}\n\ntext {number}\n"
    ).encode()


def item(number: int, folder: str, from_: str, to: str, mailbox: str = "") -> SourceMessage:
    return SourceMessage(
        raw(number, from_, to), folder, origin=f"mail#{number}", position=100 * number, mailbox=mailbox
    )


ITEMS = [item(1, "sent", DANA, BOB), item(2, "inbox", BOB, DANA), item(3, "inbox", BOB, DANA)]
EMPTY = SourceMessage(b" \n\n", origin="mail#5", position=500)
BROKEN = Unreadable("mail#6", "encrypted", 600)


class Given:
    """A source that gives what it was given, and then may fail."""

    kind = "list"
    size_bytes = 1000

    def __init__(self, items, failure=None, name="dana's mail"):
        self.name = name
        self.items = items
        self.failure = failure
        self.marks = None

    def resume(self, marks):
        self.marks = dict(marks)

    def __iter__(self):
        yield from self.items
        if self.failure is not None:
            raise self.failure


def test_mail_that_is_there_already_moves_the_progress_too(tmp_path, monkeypatch):
    monkeypatch.setattr("mailgym.corpora.import_mail.CHUNK_MESSAGES", 2)
    items = [item(number, "inbox", BOB, DANA) for number in range(1, 6)]
    import_mail(Given(items), tmp_path / "store")
    calls = []
    import_mail(Given([*items, BROKEN]), tmp_path / "store", progress=lambda *call: calls.append(call))
    assert calls == [(2, 200, 1000), (4, 400, 1000), (6, 600, 1000)]


def test_the_progress_never_goes_back(tmp_path, monkeypatch):
    monkeypatch.setattr("mailgym.corpora.import_mail.CHUNK_MESSAGES", 2)
    calls = []
    mixed = [item(1, "inbox", BOB, DANA), EMPTY, BROKEN, item(7, "inbox", BOB, DANA), item(8, "inbox", BOB, DANA)]
    import_mail(Given(mixed), tmp_path / "store", progress=lambda *call: calls.append(call))
    assert [call[0] for call in calls] == sorted(call[0] for call in calls)
    assert [call[1] for call in calls] == sorted(call[1] for call in calls)
    assert calls[-1] == (5, 800, 1000)


def test_every_message_is_counted_once(tmp_path):
    calls, records = [], []
    source = Given([*ITEMS, ITEMS[0], EMPTY, BROKEN])
    report = import_mail(source, tmp_path / "store", progress=lambda *call: calls.append(call), record=records.append)
    (one,) = report.mailboxes
    assert one.path == tmp_path / "store" / "dana-s-mail.mailbox"
    assert (report.added, report.duplicates, report.skipped) == (3, 1, {EMPTY_REASON: 1, "encrypted": 1})
    assert report.total == 6
    assert (one.name, one.added, one.duplicates, one.messages) == ("dana-s-mail", 3, 1, 3)
    assert one.owner_was_found
    assert one.owner.addresses == ("dana@x.example",)
    assert one.owner.name == "Dana Whitfield"
    assert calls[-1] == (6, 600, 1000)
    found = {(record.origin, record.outcome, record.message_id, record.detail) for record in records}
    assert found == {
        ("mail#1", "added", "1@x", ""),
        ("mail#2", "added", "2@x", ""),
        ("mail#3", "added", "3@x", ""),
        ("mail#1", "duplicate", "1@x", SAME_CONTENT),
        ("mail#5", "skipped", "", EMPTY_REASON),
        ("mail#6", "skipped", "", "encrypted"),
    }
    assert len(records) == 6
    with Mailbox.open(one.path) as mailbox:
        assert (len(mailbox), mailbox.name) == (3, "dana-s-mail")
        assert mailbox.owner_addresses == ("dana@x.example",)
        assert mailbox.stats().folders == {"inbox": 2, "sent": 1}


def test_again_adds_only_what_is_new_and_keeps_the_owner(tmp_path):
    import_mail(Given(ITEMS), tmp_path, owner="Me <me@x.example>, other@x.example", name="mine")
    records = []
    again = Given([*ITEMS, item(4, "sent", DANA, BOB)])
    report = import_mail(again, tmp_path, name="mine", record=records.append)
    (one,) = report.mailboxes
    assert (report.added, report.duplicates, one.messages) == (1, 3, 4)
    assert not one.owner_was_found
    assert one.owner.addresses == ("me@x.example", "other@x.example")
    assert one.owner.name == "Me"
    details = [(record.outcome, record.message_id, record.detail) for record in records]
    assert details[0] == ("duplicate", "1@x", SAME_BYTES)
    assert details[-1] == ("added", "4@x", "")


def test_a_given_owner_gets_a_name_from_the_address(tmp_path):
    report = import_mail(Given(ITEMS), tmp_path, owner="dana.whitfield@x.example", name="a/b")
    assert report.mailboxes[0].owner.name == "Dana Whitfield"
    assert report.mailboxes[0].path.name == "a-b.mailbox"


def test_a_source_that_fails_at_once_leaves_nothing_behind(tmp_path):
    store = tmp_path / "store"
    with pytest.raises(SourceError, match=r"^no mail here$"):
        import_mail(Given([], SourceError("no mail here")), store)
    assert not list(store.glob("*"))
    assert import_mail(Given([EMPTY]), store).mailboxes == ()
    assert not list(store.glob("*"))


def test_owner_and_name_are_checked(tmp_path):
    with pytest.raises(SourceError, match="write an address"):
        import_mail(Given(ITEMS), tmp_path, owner="Dana")
    with pytest.raises(SourceError, match="give one with --name"):
        import_mail(Given(ITEMS), tmp_path, name="///")


def test_an_owner_that_cannot_be_found_is_left_open(tmp_path):
    anonymous = Given([SourceMessage(b"Subject: s\n\ntext\n")])
    (one,) = import_mail(anonymous, tmp_path).mailboxes
    assert (one.owner.addresses, one.owner_was_found, one.messages) == ((), False, 1)
    (one,) = import_mail(anonymous, tmp_path, owner="a@x.example").mailboxes
    assert (one.owner.addresses, one.duplicates) == (("a@x.example",), 1)


@pytest.mark.parametrize("workers", [1, 2])
def test_a_source_that_breaks_off_keeps_what_came_before(tmp_path, monkeypatch, workers):
    monkeypatch.setattr("mailgym.corpora.import_mail.CHUNK_MESSAGES", 20)
    monkeypatch.setattr("mailgym.corpora.import_mail.LEAST_MESSAGES_FOR_WORKERS", float("-inf"))
    items = [item(number, "inbox", BOB, DANA) for number in range(50)]
    with pytest.raises(SourceError, match=r"it broke.*the 48 messages before it are kept"):
        import_mail(Given(items[:48], SourceError("it broke")), tmp_path, workers=workers)
    with Mailbox.open(tmp_path / "dana-s-mail.mailbox") as mailbox:
        assert len(mailbox) == 48
        assert len(mailbox.search("text", limit=100)) == 48
    report = import_mail(Given(items), tmp_path, workers=workers)
    assert (report.added, report.duplicates) == (2, 48)


def test_a_full_disk_leaves_no_empty_mailbox(tmp_path, monkeypatch):
    def full(*_):
        raise full_disk()

    monkeypatch.setattr(MailboxWriter, "_insert", full)
    with pytest.raises(StoreError, match="room on the disk"):
        import_mail(Given(ITEMS), tmp_path / "store")
    assert list((tmp_path / "store").iterdir()) == []


def test_a_source_of_many_mailboxes_fills_each(tmp_path, monkeypatch):
    monkeypatch.setattr("mailgym.corpora.import_mail.MAX_OPEN_MAILBOXES", 2)
    monkeypatch.setattr("mailgym.corpora.import_mail.CHUNK_MESSAGES", 2)
    people = ["ann", "bea", "cid", "ann", "bea", "cid"]
    items = [item(n, "sent", f"{who}@x.example", "all@x.example", who) for n, who in enumerate(people)]
    report = import_mail(Given(items), tmp_path)
    assert [(one.name, one.added, one.messages) for one in report.mailboxes] == [
        (w, 2, 2) for w in ("ann", "bea", "cid")
    ]
    assert [one.owner.addresses for one in report.mailboxes] == [(f"{w}@x.example",) for w in ("ann", "bea", "cid")]


def test_a_route_sends_each_message_to_everybody_concerned(tmp_path):
    def route(addresses):
        return [name for name in ("dana", "bob") if any(a.startswith(name) for a in addresses)]

    items = [*ITEMS, item(4, "", "eve@x.example", "ann@x.example"), item(5, "", "eve@x.example", BOB)]
    records = []
    owners = {"dana": "dana@x.example", "bob": "bob@x.example"}
    report = import_mail(Given(items), tmp_path, owner=owners, route=route, record=records.append)
    assert (report.added, report.skipped, report.total) == (4, {NOBODY_REASON: 1}, 5)
    assert [(one.name, one.messages, one.owner.addresses) for one in report.mailboxes] == [
        ("bob", 4, ("bob@x.example",)),
        ("dana", 3, ("dana@x.example",)),
    ]
    assert [record.mailbox for record in records] == ["dana, bob"] * 3 + ["", "bob"]
    again = import_mail(Given(items), tmp_path, owner=owners, route=route)
    assert (again.added, again.duplicates) == (0, 4)


def test_marks_are_remembered_once_their_messages_are_kept(tmp_path):
    marked = [SourceMessage(raw(n, BOB, DANA), origin=str(n), mark=("imap://x/INBOX", f"7:{n}")) for n in range(5)]
    import_mail(Given(marked[:3]), tmp_path)
    again = Given(marked[2:])
    import_mail(again, tmp_path)
    assert again.marks == {"imap://x/INBOX": "7:2"}
    known = Given([marked[4]])
    import_mail(known, tmp_path)
    assert known.marks == {"imap://x/INBOX": "7:4"}


def test_names_too_long_for_a_file_are_cut_and_stay_apart(tmp_path):
    for number, name in enumerate(("n" * 300, "n" * 299 + "m", "é" * 200)):
        report = import_mail(Given([item(number, "inbox", BOB, DANA)]), tmp_path, name=name)
        assert report.mailboxes[0].path.is_file()
        assert len(report.mailboxes[0].path.name.encode()) < 230
    assert len(list(tmp_path.glob("*.mailbox"))) == 3


@pytest.mark.parametrize(("left", "count"), [(10, 1), (100, 3)])
def test_workers_are_started_only_where_enough_is_left(tmp_path, monkeypatch, left, count):
    counts = []

    class Counted(Workers):
        def __init__(self, workers, dictionary):
            counts.append(workers)
            super().__init__(1, dictionary)

    monkeypatch.setattr("mailgym.corpora.import_mail.Workers", Counted)
    monkeypatch.setattr("mailgym.corpora.import_mail.CHUNK_MESSAGES", 10)
    monkeypatch.setattr("mailgym.corpora.import_mail.LEAST_MESSAGES_FOR_WORKERS", 20)
    source = Given([item(number, "", BOB, DANA) for number in range(1, 11 + left)])
    source.size_bytes = 100 * (10 + left)
    assert import_mail(source, tmp_path, workers=3).added == 10 + left
    assert counts == [count]


def test_people_whose_names_make_the_same_file_name_share_no_mailbox(tmp_path):
    people = ("a b", "a-b", "A-B", "a b")
    items = [item(number, "inbox", BOB, DANA, person) for number, person in enumerate(people)]
    for added in (4, 0):
        report = import_mail(Given(items), tmp_path)
        assert (report.added, len(report.mailboxes)) == (added, 3)
        assert sorted(one.messages for one in report.mailboxes) == [1, 1, 2]
