"""Search beside its definition, worked out message by message."""

import math
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mailgym.mail.mailbox import Mailbox
from mailgym.mail.prepare import RawMessage
from mailgym.mail.store import MailboxWriter
from mailgym.mail.terms import stem_words, words_of

VOCABULARY = ["gas", "storage", "storages", "june", "call", "the", "plan"]
START = datetime(2001, 5, 1, tzinfo=UTC)
SENTENCE = st.lists(st.sampled_from(VOCABULARY), max_size=7).map(" ".join)
MAIL = st.tuples(SENTENCE, SENTENCE, st.integers(0, 5))
QUERY = st.lists(st.lists(st.sampled_from(VOCABULARY), min_size=1, max_size=3).map(" ".join), min_size=1, max_size=3)


def write(path, mails):
    with MailboxWriter(path, "m", ["a@x.example"]) as writer:
        for start in range(0, len(mails), 3):
            writer.add_many(
                RawMessage(
                    f"Message-ID: <{number}@x>\nFrom: a@x.example\nTo: b@x.example\nSubject: {subject}\n"
                    f"Date: {START + timedelta(days=day):%a, %d %b %Y %H:%M:%S +0000}\n\n{text}\n".encode()
                )
                for number, (subject, text, day) in enumerate(mails[start : start + 3], start)
            )
            writer.flush()


def stems(text):
    return stem_words(words_of(text))


def count(phrase, words):
    return sum(words[at : at + len(phrase)] == phrase for at in range(len(words)))


def by_hand(mails, query, day, *, is_all):
    """BM25 over the mails of the first days, in the words of the docstrings."""
    people = stems("a@x.example") + stems("b@x.example")
    visible = {n: mail for n, mail in enumerate(mails) if mail[2] <= day}
    fields = {n: (stems(subject), people, stems(text)) for n, (subject, text, _) in visible.items()}
    lengths = {n: sum(map(len, found)) for n, found in fields.items()}
    mean = sum(lengths.values()) / max(len(lengths), 1)

    def frequency(n, stem):
        return sum(weight * found.count(stem) for weight, found in zip((2.5, 1.5, 1.0), fields[n], strict=True))

    phrases = list(dict.fromkeys(tuple(stems(term)) for term in query))
    scores, held = dict.fromkeys(visible, 0.0), dict.fromkeys(visible, 0)
    for phrase in phrases:
        having = {n: min(frequency(n, stem) for stem in phrase) for n in visible}
        having = {n: least for n, least in having.items() if least > 0}
        rarity = math.log1p((len(visible) - len(having) + 0.5) / (len(having) + 0.5))
        for n, least in having.items():
            if any(count(list(phrase), found) for found in fields[n]):
                norm = 1.2 * (0.25 + 0.75 * lengths[n] / mean)
                scores[n] += rarity * 2.2 * least / (least + norm)
                held[n] += 1
    hits = [n for n in visible if (held[n] == len(phrases) if is_all else held[n])]
    return [(f"{n}@x", scores[n]) for n in sorted(hits, key=lambda n: (-round(scores[n], 4), -mails[n][2], n))]


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(st.lists(MAIL, min_size=1, max_size=9), QUERY, st.integers(-1, 6), st.booleans(), st.integers(1, 10))
def test_search_is_what_its_definition_says(tmp_path, mails, query, day, is_all, limit):
    path = tmp_path / "m.mailbox"
    path.unlink(missing_ok=True)
    write(path, mails)
    with Mailbox.open(path, as_of=(START + timedelta(days=day)).date()) as mailbox:
        found = mailbox.search(query, limit=limit, match="all" if is_all else "any")
        newest = mailbox.search(query, limit=limit, match="all" if is_all else "any", sort="date")
    expected = by_hand(mails, query, day, is_all=is_all)
    assert [hit.score for hit in found] == pytest.approx([score for _, score in expected[:limit]], rel=1e-4)
    assert [hit.message_id for hit in found] == [message_id for message_id, _ in expected[:limit]]
    by_date = sorted((int(message_id[:-2]) for message_id, _ in expected), key=lambda n: (-mails[n][2], n))
    assert [hit.message_id for hit in newest] == [f"{n}@x" for n in by_date[:limit]]


def test_many_equal_hits_are_cut_by_date_and_then_by_their_order(tmp_path):
    mails = [("gas", "", number % 4) for number in range(30)]
    write(tmp_path / "m.mailbox", mails)
    with Mailbox.open(tmp_path / "m.mailbox") as mailbox:
        order = sorted(range(30), key=lambda number: (-mails[number][2], number))
        for limit in (1, 3, 8, 12, 29, 30):
            assert [hit.message_id for hit in mailbox.search("gas", limit=limit)] == [f"{n}@x" for n in order[:limit]]
            last = mailbox.search("gas", limit=4, offset=limit)
            assert [hit.message_id for hit in last] == [f"{n}@x" for n in order[limit : limit + 4]]


def test_phrases_are_looked_up_beyond_the_first_candidates(tmp_path, monkeypatch):
    monkeypatch.setattr("mailgym.mail.rank.FIRST_LOOK", 2)
    mails = [("call conference", "", 1)] * 8 + [("conference call", "long " * 50, 1)] * 3
    write(tmp_path / "m.mailbox", mails)
    with Mailbox.open(tmp_path / "m.mailbox") as mailbox:
        assert [hit.message_id for hit in mailbox.search('"conference call"')] == ["8@x", "9@x", "10@x"]
        mixed = mailbox.search('"conference call" call', limit=20)
        assert [hit.message_id for hit in mixed[:3]] == ["8@x", "9@x", "10@x"]
        assert len(mixed) == 11
