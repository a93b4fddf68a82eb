"""Import of mail beside a loader built as ART·E's is, ``notmuch new`` and ``mu index``, on the same mails, interleaved.

The mboxes are dealt into blocks. In each block every contestant takes the same mails into a fresh store, in an order
that turns from block to block, so that a noisy machine hits all alike. Only the ratios mean anything.

- mailgym: ``import_mail`` of the folder of mboxes, as ``mailgym mail import FOLDER`` calls it, on all cores; then all
  of it once more, which finds nothing new. With ``--separately`` each mbox is imported for itself.
- ART-E-style: one process; Python's ``email`` alone, then its schema; see ``contestants/art_e.py``. With mailparser:
  the same with the parser that ART·E calls.
- notmuch, mu: one process each, over a Maildir whose writing is not timed.

The first two run in a process of their own each, which lives for the whole run and has imported a few mails beforehand.
Mails a second count every mail of the source, those that a contestant leaves out as well. Seconds are those of the
clock; where others use the cores too, the seconds of computing (CPU, all processes) say more.

    python benchmarks/ingest.py --mboxes FOLDER [--blocks 10] [--quick] [--separately]
"""

import argparse
import importlib.util
import multiprocessing
import os
import shutil
import statistics
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from itertools import islice
from pathlib import Path

from contestants.mails import folder_bytes, plain_mboxes, read_mails, spread, verdict, where_it_ran, write_mbox

NAMES = {
    "mailgym": "mailgym",
    "art-e": "ART-E-style",
    "art-e-mailparser": "ART-E-style with mailparser",
    "notmuch": "notmuch",
    "mu": "mu",
}
GOALS = {"art-e": 3.0, "notmuch": 10.0, "mu": 10.0}
WARM_UP_MAILS = 50
QUICK_BLOCKS, QUICK_MBOXES = 2, 6


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one contestant did with one block.

    Attributes:
        seconds: Wall time. phases: the same by phase, where there are several.
        cpu_s: Seconds of computing, in all its processes.
        counts: What became of the mails.
        disk_bytes: Size of what was written.
    """

    seconds: float
    phases: dict[str, float]
    cpu_s: float
    counts: Counter[str]
    disk_bytes: int


@dataclass
class Tally:
    """All outcomes of one contestant, block by block."""

    outcomes: list[Outcome] = field(default_factory=list)

    @property
    def counts(self) -> Counter[str]:
        """What became of all mails."""
        return sum((outcome.counts for outcome in self.outcomes), Counter())

    @property
    def cpu_s(self) -> float:
        """Seconds of computing in all blocks."""
        return sum(outcome.cpu_s for outcome in self.outcomes)

    def phase_s(self, phase: str) -> float:
        """Return the seconds of a phase in all blocks."""
        return sum(outcome.phases.get(phase, 0.0) for outcome in self.outcomes)

    @property
    def seconds(self) -> float:
        """Seconds of all blocks."""
        return sum(outcome.seconds for outcome in self.outcomes)


def computed_s() -> float:
    """Return the seconds of computing of this process and of those that it started and that have ended."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def import_with_mailgym(mboxes: Sequence[Path], folder: Path) -> Outcome:
    """Import a folder of mboxes into one mailbox, then again."""
    (folder / "block").mkdir()
    for mbox in mboxes:
        shutil.copy(mbox, folder / "block")
    return _import_sources([folder / "block"], folder / "store")


def import_separately(mboxes: Sequence[Path], folder: Path) -> Outcome:
    """Import each mbox into a mailbox of its own, one import after the other, then again."""
    return _import_sources(mboxes, folder / "store")


def _import_sources(sources: Sequence[Path], store: Path) -> Outcome:
    from mailgym.core.machine import usable_cores
    from mailgym.corpora.import_mail import import_mail
    from mailgym.corpora.readers.detect import open_source

    counts: Counter[str] = Counter()
    phases: dict[str, float] = {}
    cpu_s = -computed_s()
    for phase in ("import", "again"):
        started = time.perf_counter()
        reports = [import_mail(open_source(source), store, workers=usable_cores()) for source in sources]
        phases[phase] = time.perf_counter() - started
        if phase == "import":
            cpu_s += computed_s()
            for report in reports:
                counts += Counter(added=report.added, duplicate=report.duplicates)
                counts.update({f"skipped: {reason}": count for reason, count in report.skipped.items()})
        elif added := sum(report.added for report in reports):
            raise SystemExit(f"the second import of the same mails added {added}: it must add none")
    return Outcome(phases["import"], phases, cpu_s, counts, folder_bytes(store))


def import_as_art_e(mboxes: Sequence[Path], folder: Path, parser: str = "parse") -> Outcome:
    """Parse all mails, then load them into one database."""
    from contestants import art_e

    parse = getattr(art_e, parser)
    started, cpu_s = time.perf_counter(), -computed_s()
    emails = [parse(raw) for mbox in mboxes for raw in read_mails(mbox)]
    parsed = time.perf_counter()
    counts = art_e.load(folder / "art_e.db", emails)
    loaded = time.perf_counter()
    phases = {"parsing": parsed - started, "loading": loaded - parsed}
    return Outcome(loaded - started, phases, cpu_s + computed_s(), counts, folder_bytes(folder))


LOADERS: dict[str, Callable[[Sequence[Path], Path], Outcome]] = {
    "art-e": import_as_art_e,
    "art-e-mailparser": partial(import_as_art_e, parser="parse_with_mailparser"),
}


def import_with_indexer(program: str, mboxes: Sequence[Path], folder: Path) -> Outcome:
    """Write a Maildir, untimed, and let notmuch or mu index it."""
    from contestants import indexers

    maildir = folder / "Maildir"
    written = indexers.write_maildir(maildir, (raw for mbox in mboxes for raw in read_mails(mbox)))
    index = indexers.index_with_notmuch if program == "notmuch" else indexers.index_with_mu
    cpu_s = -computed_s()
    done = index(maildir, folder)
    cpu_s += computed_s()
    counts = Counter(added=done.kept, **{"same Message-ID or unreadable": written - done.kept})
    return Outcome(done.seconds, {}, cpu_s, counts, done.disk_bytes)


def warm_up(run: Callable[[Sequence[Path], Path], Outcome], mbox: Path, scratch: Path) -> None:
    """Import a few mails, so that libraries are loaded."""
    few = scratch / "few.mbox"
    if not few.exists():
        write_mbox(few, islice(read_mails(mbox), WARM_UP_MAILS))
    with tempfile.TemporaryDirectory(dir=scratch) as folder:
        run([few], Path(folder))


def run_blocks(
    blocks: Sequence[Sequence[Path]],
    names: Sequence[str],
    scratch: Path,
    own_import: Callable[[Sequence[Path], Path], Outcome] = import_with_mailgym,
) -> dict[str, Tally]:
    """Let the contestants take block after block, in turns."""
    tallies = {name: Tally() for name in names}
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(1, context) as ours, ProcessPoolExecutor(1, context) as theirs:
        if "mailgym" in names:
            ours.submit(warm_up, own_import, blocks[0][0], scratch).result()
        for name in names:
            if name in LOADERS:
                theirs.submit(warm_up, LOADERS[name], blocks[0][0], scratch).result()
        for number, mboxes in enumerate(blocks):
            turn = number % len(names)
            for name in (*names[turn:], *names[:turn]):
                folder = Path(tempfile.mkdtemp(dir=scratch))
                if name == "mailgym":
                    outcome = ours.submit(own_import, mboxes, folder).result()
                elif name in LOADERS:
                    outcome = theirs.submit(LOADERS[name], mboxes, folder).result()
                else:
                    outcome = import_with_indexer(name, mboxes, folder)
                shutil.rmtree(folder)
                tallies[name].outcomes.append(outcome)
            print(f"block {number + 1} of {len(blocks)}: {_in_short(tallies)}", flush=True)
    return tallies


def _in_short(tallies: dict[str, Tally]) -> str:
    last = {name: tally.outcomes[-1] for name, tally in tallies.items()}
    mails = max(outcome.counts.total() for outcome in last.values())
    rates = (f"{NAMES[name]} {mails / outcome.seconds:,.0f}" for name, outcome in last.items())
    return f"{mails:,} mails; mails/s: {', '.join(rates)}"


def report(tallies: dict[str, Tally], source_bytes: int) -> list[str]:
    """Return what was found, line by line, the ratios last.

    Raises:
        SystemExit: The contestants did not see the same number of mails.
    """
    seen = {name: tally.counts.total() for name, tally in tallies.items()}
    if len(set(seen.values())) != 1:
        raise SystemExit(f"the contestants saw different numbers of mails: {seen}")
    (mails,) = set(seen.values())
    lines = [f"{mails:,} mails, {source_bytes / 1e6:,.1f} MB; mails/s over all, median of blocks (least to most)"]
    for name, tally in tallies.items():
        rates = [outcome.counts.total() / outcome.seconds for outcome in tally.outcomes]
        lost = {reason: count for reason, count in tally.counts.items() if reason not in ("added", "duplicate")}
        left_out = ", ".join(
            f"{count:,} {reason}" for reason, count in sorted(lost.items(), key=lambda i: -i[1]) if count
        )
        disk = sum(outcome.disk_bytes for outcome in tally.outcomes)
        lines.append(
            f"{NAMES[name] + ':':<28} {mails / tally.seconds:>8,.0f} mails/s; blocks {spread(rates)}; computing "
            f"{1e3 * tally.cpu_s / mails:.2f} ms a mail; kept {tally.counts['added']:,}, duplicates "
            f"{tally.counts['duplicate']:,}, left out {sum(lost.values()):,}{f' ({left_out})' if left_out else ''}; "
            f"{disk / 1e6:,.1f} MB written, {disk / source_bytes:.2f} of the source"
        )
    lines += _phases(tallies)
    if "mailgym" in tallies:
        lines += _ratios(tallies, source_bytes)
    return lines


def _phases(tallies: dict[str, Tally]) -> list[str]:
    lines = []
    for name, tally in tallies.items():
        if name in LOADERS:
            parsing, loading = (tally.phase_s(phase) for phase in ("parsing", "loading"))
            lines.append(f"{NAMES[name]}: {parsing:.1f} s parsing, {loading:.1f} s loading")
    if "mailgym" in tallies:
        first, again = (tallies["mailgym"].phase_s(phase) for phase in ("import", "again"))
        lines.append(f"mailgym: {first:.1f} s; again, nothing new: {again:.1f} s ({again / first:.2f} of it)")
    return lines


def _ratios(tallies: dict[str, Tally], source_bytes: int) -> list[str]:
    ours, lines, short = tallies["mailgym"], [], []
    for name, shown in NAMES.items():
        if name == "mailgym" or (name not in tallies and name not in GOALS):
            continue
        if name not in tallies:
            short.append(f"{shown} not measured")
            continue
        pairs = zip(tallies[name].outcomes, ours.outcomes, strict=True)
        ratios = [theirs.seconds / own.seconds for theirs, own in pairs]
        overall = tallies[name].seconds / ours.seconds
        computing = tallies[name].cpu_s / ours.cpu_s
        lines.append(
            f"mailgym / {shown}: {overall:.2f} over all; blocks {spread(ratios, 2)}; by computing {computing:.2f}"
        )
        median = statistics.median(ratios)
        goal = GOALS.get(name)
        standing = f" (goal {goal:.0f}: {verdict(median >= goal)})" if goal else ""
        short.append(f"{median:.1f} x {shown}{standing}")
    dropped = sum(count for reason, count in ours.counts.items() if reason.startswith("skipped"))
    disk = sum(outcome.disk_bytes for outcome in ours.outcomes) / source_bytes
    lines.append(
        f"mailgym imports {', '.join(short)}; {dropped:,} mails left out (goal 0: {verdict(not dropped)}); "
        f"mailbox files {disk:.2f} of the source"
    )
    return lines


def chosen(wanted: str) -> list[str]:
    """Return the contestants that can run; says which cannot, and why.

    Raises:
        SystemExit: A name is none.
    """
    from contestants import indexers

    names = []
    for name in wanted.split(","):
        if name not in NAMES:
            raise SystemExit(f"--contestants names {name!r}: choose of {', '.join(NAMES)}")
        problem = indexers.missing(name) if name in indexers.PACKAGES else None
        if name == "art-e-mailparser" and not importlib.util.find_spec("mailparser"):
            problem = f"{NAMES[name]} IS LEFT OUT: it is not installed (pip install mail-parser)"
        if problem:
            print(f"!! {problem}", flush=True)
            continue
        if name in indexers.PACKAGES:
            print(indexers.version(name))
        names.append(name)
    return names


def main() -> None:
    """Measure and print; the ratios stand in the last line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--mboxes", type=Path, required=True, help="a folder of .mbox or .mbox.xz files")
    parser.add_argument(
        "--scratch", type=Path, default=Path(tempfile.gettempdir()), help="where to write; emptied again"
    )
    parser.add_argument("--blocks", type=int, default=10)
    parser.add_argument("--contestants", default=",".join(NAMES))
    parser.add_argument("--separately", action="store_true", help="mailgym makes a mailbox of each mbox")
    parser.add_argument("--quick", action="store_true", help="a few small mboxes, to see that it works")
    arguments = parser.parse_args()
    print(where_it_ran())
    names = chosen(arguments.contestants)
    arguments.scratch.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="ingest-", dir=arguments.scratch) as folder:
        mboxes = plain_mboxes(arguments.mboxes, Path(folder) / "plain")
        if arguments.quick:
            mboxes = sorted(mboxes, key=lambda path: path.stat().st_size)[:QUICK_MBOXES]
        count = min(QUICK_BLOCKS if arguments.quick else arguments.blocks, len(mboxes))
        blocks = [mboxes[start::count] for start in range(count)]
        own_import = import_separately if arguments.separately else import_with_mailgym
        tallies = run_blocks(blocks, names, Path(folder), own_import)
        print("\n".join(report(tallies, sum(path.stat().st_size for path in mboxes))))


if __name__ == "__main__":
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    main()
