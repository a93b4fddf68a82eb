"""Search in one large mailbox and in a small one, beside an ART-E-style search and plain ranked FTS5, interleaved.

Three indexes are built of the same mails: a mailbox by ``mailgym mail import``, a database as ART·E's loader makes it
(``contestants/art_e.py``; it leaves a part of the mails out), and plain FTS5 with ranking (``contestants/fts5.py``).
Then the same queries, drawn from the mails themselves with a fixed seed (``contestants/queries.py``), go to each in
turn, query by query, and each query once, so that a noisy machine hits all alike and no answer is a repeated one.
ART·E's search knows all-of alone: an any-of query is asked of it as all-of.

The files are warm in the system's memory. What is built stays in ``--work`` for the next run; ``--rebuild``
imports the mailbox anew, the other contestants' files stay.

    python benchmarks/search.py --mboxes FOLDER --work FOLDER [--queries 1000] [--part 10000] [--rebuild] [--quick]
"""

import argparse
import importlib
import json
import multiprocessing
import os
import shutil
import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TypeVar

from contestants import art_e, fts5, queries
from contestants.mails import percentile, plain_mboxes, read_mails, spread, verdict, where_it_ran, write_mbox
from contestants.queries import LENGTHS, MATCHES, STRATA, Query

SEED, WARM_UP_SEED = 20260101, 7
WARM_UP_QUERIES = 64
BLOCKS = 5
COLD_TRIES = 7
GOAL_ALL_MS, GOAL_PART_MS = 25.0, 5.0
QUICK_ALL, QUICK_PART, QUICK_QUERIES = 6_000, 1_000, 160
NAMES = ("mailgym", "ART-E-style", "FTS5")
Search = Callable[[Query], int]
_Result = TypeVar("_Result")


@dataclass(frozen=True, slots=True)
class Timing:
    """One query put to one contestant: milliseconds, and how many hits it found (ten at most)."""

    query: Query
    name: str
    block: int
    ms: float
    hits: int


def build(mboxes: Sequence[Path], folder: Path, most: int | None, number: int) -> None:
    """Write the mails, build the contestants' databases and draw the queries."""
    mails = [raw for mbox in mboxes for raw in read_mails(mbox)]
    if most is not None and most < len(mails):
        mails = [mails[place * len(mails) // most] for place in range(most)]
    shutil.rmtree(folder, ignore_errors=True)
    count = write_mbox(folder / "mails.mbox", mails)
    emails = [art_e.parse(raw) for raw in mails]
    kept = art_e.load(folder / "art_e.db", emails)["added"]
    fts5.load(folder / "fts5.db", emails)
    counts = queries.count_mails_by_word(emails)
    queries.save(folder / "queries.jsonl", queries.draw_queries(emails, counts, number, SEED))
    queries.save(folder / "warm-up.jsonl", queries.draw_queries(emails, counts, WARM_UP_QUERIES, WARM_UP_SEED))
    about = {"mails": count, "bytes": (folder / "mails.mbox").stat().st_size, "art_e_mails": kept}
    (folder / "about.json").write_text(json.dumps(about), encoding="utf-8")


def build_mailbox(folder: Path) -> None:
    """Import the mails into a mailbox."""
    shutil.rmtree(folder / "store", ignore_errors=True)
    seconds, kept = _timed(partial(_import, folder))
    about = {"mails": kept, "seconds": seconds, "bytes": _mailbox(folder).stat().st_size}
    (folder / "mailbox.json").write_text(json.dumps(about), encoding="utf-8")


def _mailbox(folder: Path) -> Path:
    return folder / "store" / "mails.mailbox"


def _timed(run: Callable[[], _Result]) -> tuple[float, _Result]:
    started = time.perf_counter()
    result = run()
    return time.perf_counter() - started, result


def _import(folder: Path) -> int:
    from mailgym.core.machine import usable_cores
    from mailgym.corpora.import_mail import import_mail
    from mailgym.corpora.readers.detect import open_source

    source = open_source(folder / "mails.mbox")
    report = import_mail(source, folder / "store", owner="nobody@example.com", name="mails", workers=usable_cores())
    return int(report.added)


def open_contestant(name: str, folder: Path) -> Search:
    """Open one contestant's file; the function puts a query to it and returns the number of hits."""
    if name == "mailgym":
        from mailgym.mail.mailbox import Mailbox

        mailbox = Mailbox.open(_mailbox(folder))

        def ours(query: Query) -> int:
            hits = mailbox.search(
                query.words,
                from_=query.from_,
                to=query.to,
                after=query.after,
                before=query.before,
                match="any" if query.match == "any" else "all",
            )
            return len(hits)

        return ours
    if name == "ART-E-style":
        theirs = art_e.Search(folder / "art_e.db")
        return lambda query: len(theirs(query.words, query.from_, query.to, query.after, query.before))
    plain = fts5.Search(folder / "fts5.db")
    return lambda query: len(plain(query.words, query.match, query.from_, query.to, query.after, query.before))


def measure(folder: Path) -> list[Timing]:
    """Put every query to every contestant, in turns."""
    searches = {name: open_contestant(name, folder) for name in NAMES}
    for query in queries.load(folder / "warm-up.jsonl"):
        for search in searches.values():
            search(query)
    timings = []
    for place, query in enumerate(queries.load(folder / "queries.jsonl")):
        turn = place % len(NAMES)
        for name in (*NAMES[turn:], *NAMES[:turn]):
            started = time.perf_counter()
            hits = searches[name](query)
            timings.append(Timing(query, name, place % BLOCKS, 1e3 * (time.perf_counter() - started), hits))
    return timings


def _cold(name: str, folder: Path, query: Query) -> tuple[float, float, float]:
    """Return the milliseconds of loading libraries, opening the file, and the first query."""
    load_s, _ = _timed(lambda: importlib.import_module("mailgym.mail.mailbox" if name == "mailgym" else "sqlite3"))
    open_s, search = _timed(lambda: open_contestant(name, folder))
    first_s, _ = _timed(lambda: search(query))
    return 1e3 * load_s, 1e3 * open_s, 1e3 * first_s


def cold_starts(folder: Path) -> list[str]:
    """Return lines on the first query of a new process."""
    asked = queries.load(folder / "queries.jsonl")[:COLD_TRIES]
    lines = []
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(1, context, max_tasks_per_child=1) as pool:
        for name in NAMES[:2]:
            times = [pool.submit(_cold, name, folder, query).result() for query in asked]
            loading, opening, first = (spread([row[place] for row in times], 1) for place in range(3))
            lines.append(
                f"cold start, {name}: loading libraries {loading} ms, opening {opening} ms, first query {first} ms"
            )
    return lines


def table(timings: Sequence[Timing]) -> list[str]:
    """Return the percentiles of every contestant, by kind of query."""
    head = " | ".join(f"{name + ' p50, p95, p99, max':^33}" for name in NAMES)
    lines = [f"{'milliseconds':<24}   n | {head}"]
    for label, belongs in _groups():
        rows = [timing for timing in timings if belongs(timing.query)]
        if not rows:
            continue
        cells = [_cell([row.ms for row in rows if row.name == name]) for name in NAMES]
        lines.append(f"{label:<24}{len(rows) // len(NAMES):>4} | {' | '.join(cells)}")
    return lines


def _groups() -> Iterable[tuple[str, Callable[[Query], bool]]]:
    yield "all queries", lambda _: True
    for stratum in STRATA:
        yield stratum, partial(_has, "stratum", stratum)
    for length in LENGTHS:
        yield length, partial(_has, "length", length)
    for match in MATCHES:
        yield f"{match}-of", partial(_has, "match", match)
    yield "4 to 8, any-of", lambda query: query.length == "4 to 8 words" and query.match == "any"
    yield "very common, any-of", lambda query: query.stratum == "very common" and query.match == "any"
    yield "with a filter", lambda query: query.is_filtered
    yield "without", lambda query: not query.is_filtered


def _has(attribute: str, value: str, query: Query) -> bool:
    return bool(getattr(query, attribute) == value)


def _cell(times_ms: Sequence[float]) -> str:
    figures = (*(percentile(times_ms, percent) for percent in (50, 95, 99)), max(times_ms))
    return f"{', '.join(f'{figure:6.1f}' for figure in figures):^33}"


def p95_ms(timings: Sequence[Timing], name: str, block: int | None = None) -> float:
    """Return a contestant's p95, over all queries or those of one block."""
    return percentile([t.ms for t in timings if t.name == name and block in (None, t.block)], 95)


def describe(folder: Path, timings: Sequence[Timing]) -> list[str]:
    """Return what was measured on one set of mails."""
    about, ours = (json.loads((folder / f"{name}.json").read_text(encoding="utf-8")) for name in ("about", "mailbox"))
    lines = [
        f"== {about['mails']:,} mails, {about['bytes'] / 1e6:,.1f} MB; mailgym {ours['mails']:,} mails in "
        f"{ours['bytes'] / 1e6:,.1f} MB, made in {ours['seconds']:.1f} s; ART-E-style {about['art_e_mails']:,} mails",
        *table(timings),
    ]
    for name in NAMES:
        blocks = [p95_ms(timings, name, block) for block in range(BLOCKS)]
        empty = sum(not timing.hits for timing in timings if timing.name == name)
        lines.append(f"{name}: p95 of {BLOCKS} blocks {spread(blocks, 1)} ms; {empty} queries without a hit")
    missed = [timing.query for timing in timings if timing.name == "mailgym" and not timing.hits]
    lines += [f"  mailgym does not find the mail that this was drawn from: {query}" for query in missed[:3]]
    return lines


def main() -> None:
    """Build, measure and print; how the goals stand is said in the last line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--mboxes", type=Path, required=True, help="a folder of .mbox or .mbox.xz files")
    parser.add_argument("--work", type=Path, required=True, help="a folder for what is built; kept for the next run")
    parser.add_argument("--queries", type=int, default=1_000)
    parser.add_argument("--part", type=int, default=10_000, help="how many mails the small mailbox has")
    parser.add_argument("--rebuild", action="store_true", help="import again what --work holds; the rest of it stays")
    parser.add_argument("--quick", action="store_true", help="few mails and queries, to see that it works")
    arguments = parser.parse_args()
    number = QUICK_QUERIES if arguments.quick else arguments.queries
    sizes = {"all": QUICK_ALL, "part": QUICK_PART} if arguments.quick else {"all": None, "part": arguments.part}
    print(where_it_ran())
    p95 = {}
    for label, most in sizes.items():
        folder = arguments.work / f"{label}-{most or 'whole'}-{number}"
        with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as pool:  # its memory ends with it
            if not (folder / "about.json").exists():
                print(f"building {folder}", flush=True)
                mboxes = plain_mboxes(arguments.mboxes, arguments.work / "plain")
                pool.submit(build, mboxes, folder, most, number).result()
            if arguments.rebuild or not (folder / "mailbox.json").exists():
                pool.submit(build_mailbox, folder).result()
        timings = measure(folder)
        print("\n".join([*describe(folder, timings), *cold_starts(folder)]), flush=True)
        p95[label] = [p95_ms(timings, name) for name in NAMES]
    goals = {"all": GOAL_ALL_MS, "part": GOAL_PART_MS}
    parts = [
        f"p95 {ours:.1f} ms in the {'whole' if label == 'all' else 'small'} mailbox (goal {goals[label]:.0f}: "
        f"{verdict(ours <= goals[label])}; ART-E-style {theirs:.1f}, goal below it: {verdict(ours < theirs)}; "
        f"FTS5 ranked {plain:.1f}, {plain / ours:.1f} times as long)"
        for label, (ours, theirs, plain) in p95.items()
    ]
    print(f"mailgym search: {'; '.join(parts)}")


if __name__ == "__main__":
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    main()
