from collections import Counter
from pathlib import Path

import import_memory
import ingest
import pytest
import search
from contestants.mails import write_mbox
from contestants.queries import Query


def outcome(seconds: float, disk_bytes: int = 500, **counts: int) -> ingest.Outcome:
    phases = {"import": seconds, "again": seconds / 4, "parsing": seconds, "loading": 0.0}
    return ingest.Outcome(seconds, phases, 2 * seconds, Counter(counts), disk_bytes)


def test_ratios_of_an_import_are_those_worked_out_by_hand() -> None:
    tallies = {
        "mailgym": ingest.Tally([outcome(1.0, added=100), outcome(2.0, added=90, duplicate=10)]),
        "art-e": ingest.Tally([outcome(4.0, added=60, **{"long body": 40}), outcome(6.0, added=100)]),
        "notmuch": ingest.Tally([outcome(9.0, added=100), outcome(18.0, added=100)]),
    }
    lines = ingest.report(tallies, source_bytes=2_000)
    assert "200 mails" in lines[0]
    assert lines[1].split()[:3] == ["mailgym:", "67", "mails/s;"]
    assert "computing 30.00 ms a mail" in lines[1]
    assert "left out 40 (40 long body)" in lines[2]
    assert lines[-1] == (
        "mailgym imports 3.5 x ART-E-style (goal 3: met), 9.0 x notmuch (goal 10: MISSED), mu not measured; "
        "0 mails left out (goal 0: met); mailbox files 0.50 of the source"
    )


def test_a_contestant_without_a_goal_is_told_without_a_verdict() -> None:
    names = ("mailgym", "art-e", "art-e-mailparser", "notmuch", "mu")
    tallies = {name: ingest.Tally([outcome(1.0 + place, added=10)]) for place, name in enumerate(names)}
    assert "; 0 mails" in ingest.report(tallies, 1_000)[-1]
    assert "MISSED), 3.0 x ART-E-style with mailparser, 4.0 x notmuch (goal 10" in ingest.report(tallies, 1_000)[-1]


def test_mails_that_the_import_leaves_out_miss_the_goal() -> None:
    tallies = {"mailgym": ingest.Tally([outcome(1.0, added=9, **{"skipped: empty": 1})])}
    assert "1 mails left out (goal 0: MISSED)" in ingest.report(tallies, 1_000)[-1]


def test_contestants_that_saw_different_mails_are_no_comparison() -> None:
    tallies = {"mailgym": ingest.Tally([outcome(1.0, added=9)]), "mu": ingest.Tally([outcome(1.0, added=10)])}
    with pytest.raises(SystemExit, match="different numbers of mails"):
        ingest.report(tallies, 1_000)


def test_an_unknown_contestant_is_refused_and_a_missing_one_is_named_with_its_package(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit, match="choose of mailgym"):
        ingest.chosen("mailgym,maildrop")
    monkeypatch.setenv("PATH", "")
    assert ingest.chosen("mailgym,mu") == ["mailgym"]
    assert "mu IS LEFT OUT: it is not installed (apt-get install maildir-utils)" in capsys.readouterr().out


def test_the_art_e_style_import_splits_its_time(tmp_path: Path) -> None:
    mails = [
        b"Message-ID: <%d@x>\nFrom: a@x.example\nDate: 1 Jan 2001 10:00:00 +0000\n\nText %d\n" % (n, n) for n in (1, 2)
    ]
    write_mbox(tmp_path / "a.mbox", mails)
    (tmp_path / "out").mkdir()
    done = ingest.import_as_art_e([tmp_path / "a.mbox"], tmp_path / "out")
    assert done.counts == Counter(added=2)
    assert done.seconds == pytest.approx(done.phases["parsing"] + done.phases["loading"])
    assert done.disk_bytes > 0


def test_the_groups_of_a_table_hold_the_queries_they_name() -> None:
    queries = [
        Query(("gas",), "any", "common", "1 word"),
        Query(("gas", "the"), "all", "very common", "2 words", from_="a@x.example"),
    ]
    timings = [
        search.Timing(query, name, 0, ms, 1)
        for name in search.NAMES
        for query, ms in zip(queries, (2.0, 40.0), strict=True)
    ]
    rows = {line[:24].strip(): line for line in search.table(timings)}
    assert "   2 |     2.0,   40.0,   40.0,   40.0" in rows["all queries"]
    assert "   1 |    40.0" in rows["with a filter"]
    assert "   1 |     2.0" in rows["common"]
    assert "rare" not in rows
    assert search.p95_ms(timings, "mailgym") == 40.0


def test_repeated_mails_differ_in_id_and_text() -> None:
    raw = b"Subject: x\nmessage-id: <1@x.example>\n\nText\nMessage-ID: <quoted@x.example>\n"
    assert import_memory.changed(raw, 3) == (
        b"Subject: x\nmessage-id: <3.1@x.example>\n\nCopy 3.\nText\nMessage-ID: <quoted@x.example>\n"
    )


def test_mails_are_repeated_until_they_take_the_size_and_none_twice(tmp_path: Path) -> None:
    mails = [b"Message-ID: <%d@x.example>\n\nText %d\n" % (n, n) for n in range(5)]
    write_mbox(tmp_path / "a.mbox", mails)
    made = list(import_memory.enough_mails([tmp_path / "a.mbox"], 1_000))
    assert 1_000 <= sum(map(len, made)) < 1_100
    assert len(set(made)) == len(made)
