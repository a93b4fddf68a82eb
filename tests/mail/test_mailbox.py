import os
import pickle
import random
import sqlite3
import stat
import threading
from datetime import UTC, date, datetime

import pytest

from mailgym.core.errors import QueryError, StoreError, UnknownMessage
from mailgym.mail.mailbox import Mailbox
from mailgym.mail.store import MailboxWriter


def raw(key: str, day: str | None, subject: str, text: str, from_: str, to: str, attachment: str = "") -> bytes:
    head = f"Message-ID: <{key}>\nFrom: {from_}\nTo: {to}\nSubject: {subject}\n"
    if day is not None:
        head += f"Date: {datetime.fromisoformat(day):%a, %d %b %Y %H:%M:%S} +0000\n"
    if not attachment:
        return f"{head}\n{text}\n".encode()
    return (
        f"{head}Content-Type: multipart/mixed; boundary=b\n\n--b\n\n{text}\n--b\n"
        f"Content-Type: application/pdf; name={attachment}\n\nxx\n--b--\n"
    ).encode()


DANA, BOB, EVE = (
    "Dana Whitfield <dwhitfield@x.example>",
    "Bob Ray <bob@x.example>",
    "=?utf-8?q?=C3=89ve?= <eve@y.example>",
)
MAIL = [
    ("inbox", raw("a", "2001-05-01T09:00", "Budget for storage", "The figures are attached.", DANA, BOB, "plan.pdf")),
    ("inbox", raw("b", "2001-05-02T09:00", "Lunch", "Meet me at noon about the budget.", EVE, BOB)),
    ("sent", raw("c", "2001-05-03T09:00", "Re: Lunch", "Fine.\n\n> Meet me at noon about the budget.", BOB, EVE)),
    ("inbox", raw("d", "2001-05-04T23:59", "Invoice", "Pay invoices 77 promptly.", DANA, f"{BOB}, {EVE}")),
    ("Old Stuff", raw("e", None, "No date", "The undated budget.", DANA, BOB)),
]


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    path = tmp_path_factory.mktemp("store") / "bob.mailbox"
    with MailboxWriter(path, "bob", ["bob@x.example"], "Bob Ray") as box:
        for folder, data in MAIL:
            assert box.add(data, folder) == "added"
    return path


@pytest.fixture
def mailbox(path):
    with Mailbox.open(path) as mailbox:
        yield mailbox


def ids(hits):
    return [hit.message_id for hit in hits]


def test_keywords_match_any_by_rank(mailbox):
    hits = mailbox.search("budget noon")
    assert hits[0].message_id == "b"
    assert set(ids(hits)) == {"a", "b", "c", "e"}
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)
    assert ids(mailbox.search("budget noon", match="all")) == ["b", "c"]


def test_subject_counts_more_than_quoted_text(mailbox):
    order = ids(mailbox.search("budget"))
    assert order[0] == "a"
    assert order[-1] == "c"


def test_words_match_by_stem_and_without_case_or_accents(mailbox):
    assert ids(mailbox.search("INVOICE")) == ["d"]
    assert "b" in ids(mailbox.search("eve", limit=1))
    assert ids(mailbox.search("plan")) == ["a"]


def test_phrases(mailbox):
    assert ids(mailbox.search(["noon about"])) == ["b", "c"]
    assert ids(mailbox.search('"about noon"')) == []


def test_equal_ranks_give_the_newest_first(tmp_path):
    path = tmp_path / "ties.mailbox"
    with MailboxWriter(path, "ties", ["x@x.example"]) as box:
        for day in (3, 9, 5):
            box.add(raw(str(day), f"2001-05-{day:02}T09:00", "same", "same words", DANA, BOB))
    assert ids(Mailbox.open(path).search("words")) == ["9", "5", "3"]


@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        ({"from_": "dana"}, ["d", "a", "e"]),
        ({"from_": "Whitf dana"}, ["d", "a", "e"]),
        ({"from_": "DWhitfield@X.example"}, ["d", "a", "e"]),
        ({"from_": "Dana <dwhitfield@x.example>"}, ["d", "a", "e"]),
        ({"from_": "x.example"}, ["d", "c", "a", "e"]),
        ({"from_": "whitfield@x.example"}, []),
        ({"from_": "dana ray"}, []),
        ({"from_": "Eve"}, ["b"]),
        ({"to": "eve"}, ["d", "c"]),
        ({"to": "bob", "from_": "eve"}, ["b"]),
        ({"after": "2001-05-03"}, ["d", "c"]),
        ({"before": "2001-05-02"}, ["a"]),
        ({"after": "2001-05-02", "before": date(2001, 5, 3)}, ["b"]),
        ({"after": "2001-05-02T09:00:00Z", "before": "2001-05-02T09:00:01Z"}, ["b"]),
        ({"after": "2001-05-02T09:00:00.5Z", "before": "2001-05-03"}, []),
        ({"folder": "INBOX"}, ["d", "b", "a"]),
        ({"folder": "in"}, []),
        ({"has_attachment": True}, ["a"]),
        ({"has_attachment": False, "folder": "inbox"}, ["d", "b"]),
    ],
)
def test_filters_alone_give_the_newest_first_and_narrow_keywords(mailbox, filters, expected):
    hits = mailbox.search(**filters)
    assert ids(hits) == expected
    assert all(hit.score == 0 for hit in hits)
    with_keywords = mailbox.search("budget invoice figures noon meet fine", **filters)
    assert set(ids(with_keywords)) == set(expected)


def test_pages_and_sorting(mailbox):
    everything = ids(mailbox.search("budget", sort="date"))
    assert everything == ["c", "b", "a", "e"]
    assert ids(mailbox.search("budget", sort="date", limit=2, offset=1)) == ["b", "a"]
    assert ids(mailbox.search("budget", limit=1)) == ["a"]


def test_a_hit_shows_what_is_needed_to_choose(mailbox):
    hit = mailbox.search("figures")[0]
    assert hit.date == datetime(2001, 5, 1, 9, tzinfo=UTC)
    assert str(hit.from_) == "Dana Whitfield <dwhitfield@x.example>"
    assert [str(person) for person in hit.to] == ["Bob Ray <bob@x.example>"]
    assert (hit.subject, hit.snippet) == ("Budget for storage", "The figures are attached.")


@pytest.mark.parametrize("empty", [{}, {"keywords": ""}, {"keywords": [], "from_": " "}])
def test_an_empty_search_is_refused(mailbox, empty):
    with pytest.raises(QueryError, match="search is empty"):
        mailbox.search(**empty)


def test_nothing_later_than_the_date_exists(path):
    with Mailbox.open(path, as_of=date(2001, 5, 2)) as mailbox:
        assert len(mailbox) == 2
        assert [message.message_id for message in mailbox] == ["a", "b"]
        assert set(ids(mailbox.search("budget invoice fine undated"))) == {"a", "b"}
        assert ids(mailbox.search(after="2001-05-01")) == ["b", "a"]
        assert mailbox.stats().messages == 2
        assert mailbox.read("b").subject == "Lunch"
        for hidden in ("c", "e"):
            with pytest.raises(UnknownMessage, match="no message"):
                mailbox.read(hidden)
            with pytest.raises(UnknownMessage):
                mailbox.read_raw(hidden)
    moment = datetime(2001, 5, 2, 9, tzinfo=UTC)
    assert len(Mailbox.open(path, as_of=moment)) == 2
    assert len(Mailbox.open(path, as_of=moment.replace(hour=8, minute=59, second=59))) == 1


def test_another_date_shares_the_file(path):
    mailbox = Mailbox.open(path)
    earlier = mailbox.at(date(2001, 5, 2))
    assert (len(mailbox), len(earlier), len(mailbox)) == (5, 2, 5)
    assert earlier.as_of == date(2001, 5, 2)
    mailbox.close()
    with pytest.raises(StoreError, match="was closed"):
        earlier.search("budget")


def test_read_takes_brackets_and_refuses_the_rest(mailbox):
    assert mailbox.read(" <d> ").text == "Pay invoices 77 promptly."
    assert mailbox.read("c").text == "Fine.\n\n> Meet me at noon about the budget."
    for bad in ("nothing", "", "\x00", "\ud800", "x" * 10_000, 7, None):
        with pytest.raises(UnknownMessage):
            mailbox.read(bad)


def test_reading_gives_back_every_field(mailbox):
    message = mailbox.read("a")
    assert [a.file_name for a in message.attachments] == ["plan.pdf"]
    assert message.defects == ()
    undated = mailbox.read("e")
    assert (undated.date, undated.folder, undated.defects) == (None, "Old Stuff", ("no date",))


def test_messages_are_walked_through_from_the_oldest(mailbox):
    assert [message.message_id for message in mailbox] == ["e", "a", "b", "c", "d"]


def test_stats(mailbox):
    stats = mailbox.stats()
    assert (stats.messages, stats.undated, stats.with_attachment, stats.with_defects, stats.people) == (5, 1, 1, 1, 3)
    assert (stats.first, stats.last) == (datetime(2001, 5, 1, 9, tzinfo=UTC), datetime(2001, 5, 4, 23, 59, tzinfo=UTC))
    assert stats.folders == {"inbox": 3, "Old Stuff": 1, "sent": 1}
    assert stats.size_bytes == sum(len(data) for _, data in MAIL)


NASTY = ['"', '""', "'", "\x00", "*", "bud*", "-budget", "NEAR(a b)", "a AND b", "OR", "NOT budget", "subject:budget",
         "^budget", "(", ")", "{a b}:c", "a + b", "\\", ";DROP TABLE messages", "%", "_", "🎉 budget", "\ud800", "é",
         "x" * 10_000, "a " * 10_000, '"unbalanced', "\n\t", "\u202e", "१२", "a" * 300 + '"']  # fmt: skip


@pytest.mark.parametrize("text", NASTY)
def test_any_characters_give_hits_or_a_clear_error(mailbox, text):
    for search in ({"keywords": text}, {"keywords": [text, "budget"]}, {"from_": text}, {"to": text},
                   {"folder": text}, {"after": text}, {"keywords": text, "from_": text, "match": "all"}):  # fmt: skip
        refusal = ""
        try:
            assert isinstance(mailbox.search(**search), list)
        except QueryError as error:
            refusal = str(error)
        assert len(refusal) < 300


def test_operators_are_plain_words(mailbox):
    assert set(ids(mailbox.search("budget NOT figures"))) == set(ids(mailbox.search(["budget", "not", "figures"])))
    assert ids(mailbox.search("bud*")) == []
    assert ids(mailbox.search("subject:budget")) == []  # the phrase "subject budget", not a column


def test_random_characters_never_reach_sqlite_as_syntax(mailbox):
    rng = random.Random(5)
    for _ in range(300):
        text = "".join(rng.choice("\"'*()^-+:{},.ANDORT \x00é🎉budget") for _ in range(rng.randint(1, 30)))
        try:
            mailbox.search(text, from_=text[:5])
        except QueryError:
            continue


def test_threads_each_get_their_own_connection(mailbox):
    results, errors = [], []

    def work():
        try:
            results.extend(ids(mailbox.search("invoice")) for _ in range(50))
        except Exception as error:
            errors.append(error)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not errors
    assert results == [["d"]] * 200


def test_it_survives_pickling(path):
    mailbox = Mailbox.open(path, as_of=date(2001, 5, 2))
    again = pickle.loads(pickle.dumps(mailbox))
    assert (len(again), again.as_of) == (2, date(2001, 5, 2))


def test_it_survives_a_fork(mailbox):
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.write(writer, ",".join(ids(mailbox.search("invoice"))).encode())
        finally:
            os._exit(0)
    os.waitpid(child, 0)
    os.close(writer)
    with os.fdopen(reader, "rb") as file:
        assert file.read() == b"d"
    assert ids(mailbox.search("invoice")) == ["d"]


def test_it_opens_from_a_read_only_folder_and_changes_nothing(path, tmp_path):
    folder = tmp_path / "fixed"
    folder.mkdir()
    copy = folder / "bob.mailbox"
    copy.write_bytes(path.read_bytes())
    copy.chmod(stat.S_IRUSR)
    folder.chmod(stat.S_IRUSR | stat.S_IXUSR)
    try:
        with Mailbox.open(copy) as mailbox:
            assert ids(mailbox.search("invoice")) == ["d"]
            with pytest.raises(StoreError, match="readonly"), mailbox._file.reading() as connection:
                connection.execute("DELETE FROM messages")
        assert [file.name for file in folder.iterdir()] == ["bob.mailbox"]
        assert copy.read_bytes() == path.read_bytes()
    finally:
        folder.chmod(stat.S_IRWXU)


def test_what_is_no_mailbox_is_refused(path, tmp_path):
    with pytest.raises(StoreError, match="is not a mailbox file"):
        Mailbox.open(tmp_path / "none.mailbox")
    with pytest.raises(StoreError, match="is not a mailbox file"):
        Mailbox.open(tmp_path)
    for content in (b"", b"not a database at all, whatever its suffix says" * 100):
        bad = tmp_path / "bad.mailbox"
        bad.write_bytes(content)
        with pytest.raises(StoreError, match=r"mailbox"):
            Mailbox.open(bad)
    newer = tmp_path / "newer.mailbox"
    newer.write_bytes(path.read_bytes())
    with sqlite3.connect(newer) as connection:
        connection.execute("PRAGMA user_version = 99")
    connection.close()
    with pytest.raises(StoreError, match="schema version 99"):
        Mailbox.open(newer)


def test_a_damaged_file_is_a_store_error(path, tmp_path):
    damaged = tmp_path / "damaged.mailbox"
    data = bytearray(path.read_bytes())
    data[8192:] = b"\xff" * (len(data) - 8192)
    damaged.write_bytes(bytes(data))
    with pytest.raises(StoreError, match="import its mail again"):
        Mailbox.open(damaged).search("budget")


def test_an_interrupted_import_that_cannot_be_put_right_says_so(path, tmp_path, monkeypatch):
    copy = tmp_path / "bob.mailbox"
    copy.write_bytes(path.read_bytes())
    copy.with_name("bob.mailbox-journal").write_bytes(b"x" * 600)

    def refuse(*_, **__):
        raise sqlite3.OperationalError("attempt to write a readonly database")

    monkeypatch.setattr(sqlite3, "connect", refuse)
    with pytest.raises(StoreError, match="make its folder writable"):
        Mailbox.open(copy)


def test_a_phrase_that_would_have_to_be_looked_up_without_end_is_refused(mailbox, monkeypatch):
    monkeypatch.setattr("mailgym.mail.mailbox.MAX_LOOKED_UP", 1)
    assert ids(mailbox.search('"about the budget"', limit=1)) == ["b"]
    with pytest.raises(QueryError, match="without quotes"):
        mailbox.search('"budget the about"')


def test_a_thread_is_the_conversation_up_to_the_date(mailbox):
    thread = mailbox.thread("c")
    assert list(thread) == ["b", "c"]
    assert [node.parent for node in thread.nodes] == [None, "b"]
    assert list(mailbox.thread("b")) == ["b", "c"]
    assert list(mailbox.at(date(2001, 5, 2)).thread("b")) == ["b"]
    with pytest.raises(UnknownMessage):
        mailbox.at(date(2001, 5, 2)).thread("c")


def test_threads_by_references_go_through_messages_that_are_not_there(tmp_path):
    path = tmp_path / "t.mailbox"
    with MailboxWriter(path, "t", ["x@x.example"]) as box:
        for key, head in (
            ("a", ""),
            ("c", "References: <a@h> <20010502.lost@h>\n"),
            ("d", "In-Reply-To: <20010502.lost@h>\n"),
        ):
            box.add(
                head.encode() + raw(f"{key}@h", f"2001-05-0{ord(key) - 96}T09:00", f"subject {key}", "t", DANA, BOB)
            )
    with Mailbox.open(path) as mailbox:
        for start in "acd":
            assert set(mailbox.thread(f"{start}@h")) == {"a@h", "c@h", "d@h"}


def test_an_address_is_found_with_the_points_of_a_sentence_and_with_its_own(tmp_path):
    path = tmp_path / "p.mailbox"
    with MailboxWriter(path, "p", ["x@x.example"]) as box:
        box.add(raw("a@h", None, "s", "t", "<.williams@x.example>", BOB))
        box.add(raw("b@h", None, "s", "t", "williams@x.example", BOB))
    with Mailbox.open(path) as mailbox:
        assert ids(mailbox.search(from_=".williams@x.example")) == ["a@h", "b@h"]
        assert ids(mailbox.search(from_="'williams@x.example'.")) == ["b@h"]
        assert ids(mailbox.search(to="bob@x.example.")) == ["a@h", "b@h"]
