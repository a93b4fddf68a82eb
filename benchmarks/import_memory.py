"""Memory of every process while ``mailgym mail import`` reads one large mbox, and the mailbox's size beside it.

The mbox is written first: the mails of a folder of mboxes again and again until it is large enough, from the second
round on with another Message-ID and another first line of text each, so that none is a duplicate. The import runs
through the command line. Of its process tree every process's resident memory is watched: the peak that the kernel
itself kept (Linux; elsewhere the largest sample), and the largest sample of what is its own alone (USS).

    python benchmarks/import_memory.py --mboxes FOLDER [--megabytes 1000] [--scratch FOLDER] [--quick]
"""

import argparse
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import psutil
from contestants.mails import plain_mboxes, read_mails, verdict, where_it_ran, write_mbox

GOAL_MB = 400.0
SAMPLE_S, OWN_MEMORY_EVERY = 0.05, 10
_ID = re.compile(rb"^(Message-ID:[ \t]*<)", re.IGNORECASE | re.MULTILINE)
_TEXT_BEGINS = re.compile(rb"\r?\n\r?\n")


@dataclass
class Peak:
    """The most memory that one process held.

    Attributes:
        command: How it was started, for telling processes apart.
        resident_mb: Peak resident memory, pages shared with others included.
        own_mb: Largest sample of memory that it shares with nobody.
    """

    command: str
    resident_mb: float = 0.0
    own_mb: float = 0.0


@dataclass
class Watch:
    """What was seen of a process tree."""

    peaks: dict[int, Peak] = field(default_factory=dict)
    tree_own_mb: float = 0.0

    def sample(self, root: psutil.Process, with_own: bool) -> None:
        """Look at every process of the tree once; one that has just ended is let go."""
        own_mb = 0.0
        for process in _tree(root):
            try:
                peak = self.peaks.setdefault(process.pid, Peak(" ".join(process.cmdline())[:100]))
                peak.resident_mb = max(peak.resident_mb, _resident_mb(process))
                if with_own:
                    own = process.memory_full_info().uss / 1e6
                    peak.own_mb = max(peak.own_mb, own)
                    own_mb += own
            except (psutil.NoSuchProcess, psutil.AccessDenied, psutil.ZombieProcess):
                continue
        self.tree_own_mb = max(self.tree_own_mb, own_mb)


def _tree(root: psutil.Process) -> list[psutil.Process]:
    try:
        return [root, *root.children(recursive=True)]
    except psutil.NoSuchProcess:
        return []


def _resident_mb(process: psutil.Process) -> float:
    """Return the peak that Linux keeps for a process, elsewhere what it holds now."""
    try:
        status = Path(f"/proc/{process.pid}/status").read_text(encoding="utf-8")
        kept = re.search(r"^VmHWM:\s+(\d+) kB", status, re.MULTILINE)
        if kept:
            return int(kept[1]) * 1024 / 1e6
    except OSError:
        pass
    return float(process.memory_info().rss) / 1e6


def enough_mails(mboxes: Sequence[Path], size_bytes: int) -> Iterator[bytes]:
    """Yield mails, again and again with another id and text, until they take this size."""
    written = turn = 0
    while written < size_bytes:
        for mbox in mboxes:
            for raw in read_mails(mbox):
                mail = changed(raw, turn) if turn else raw
                written += len(mail)
                yield mail
                if written >= size_bytes:
                    return
        turn += 1


def changed(raw: bytes, turn: int) -> bytes:
    """Return a mail with another Message-ID, where it has one, and another first line of text."""
    head = _TEXT_BEGINS.search(raw)
    end = head.end() if head else len(raw)
    headers = _ID.sub(rb"\g<1>%d." % turn, raw[:end], count=1)
    return headers + b"Copy %d.\n" % turn + raw[end:]


def run_import(mbox: Path, store: Path) -> tuple[float, Watch]:
    """Import through the command line; returns the seconds and what was seen.

    Raises:
        SystemExit: The import failed.
    """
    command = "from mailgym.cli.main import main; main()"
    arguments = ["mail", "import", str(mbox), "--store", str(store), "--owner", "nobody@example.com"]
    output = store.with_name("output.txt")
    watch, number = Watch(), 0
    started = time.perf_counter()
    with output.open("wb") as file:
        child = subprocess.Popen([sys.executable, "-c", command, *arguments], stdout=file, stderr=file)
        root = psutil.Process(child.pid)
        while child.poll() is None:
            watch.sample(root, with_own=number % OWN_MEMORY_EVERY == 0)
            number += 1
            time.sleep(SAMPLE_S)
    seconds = time.perf_counter() - started
    told = output.read_text(encoding="utf-8", errors="replace")
    if child.returncode:
        raise SystemExit(f"the import failed ({child.returncode}): {told[-2_000:]}")
    print(told.strip())
    return seconds, watch


def main() -> None:
    """Write the mbox, import it, print; how the goal stands is said in the last line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--mboxes", type=Path, required=True, help="a folder of .mbox or .mbox.xz files")
    parser.add_argument("--megabytes", type=int, default=1_000, help="size of the mbox that is imported")
    parser.add_argument(
        "--scratch", type=Path, default=Path(tempfile.gettempdir()), help="where to write; emptied again"
    )
    parser.add_argument("--quick", action="store_true", help="50 MB, to see that it works")
    arguments = parser.parse_args()
    print(where_it_ran())
    size_bytes = (50 if arguments.quick else arguments.megabytes) * 1_000_000
    arguments.scratch.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="memory-", dir=arguments.scratch) as name:
        folder = Path(name)
        mboxes = plain_mboxes(arguments.mboxes, folder / "plain")
        mbox = folder / "large.mbox"
        count = write_mbox(mbox, enough_mails(mboxes, size_bytes))
        source_bytes = mbox.stat().st_size
        print(f"{count:,} mails, {source_bytes / 1e6:,.0f} MB", flush=True)
        seconds, watch = run_import(mbox, folder / "store")
        mailbox_bytes = sum(path.stat().st_size for path in (folder / "store").iterdir())
    for pid, peak in sorted(watch.peaks.items(), key=lambda item: -item[1].resident_mb):
        print(f"process {pid}: peak {peak.resident_mb:,.0f} MB resident, {peak.own_mb:,.0f} MB its own: {peak.command}")
    most = max(peak.resident_mb for peak in watch.peaks.values())
    print(
        f"import of {source_bytes / 1e6:,.0f} MB in {seconds:.0f} s ({count / seconds:,.0f} mails/s, "
        f"{source_bytes / 1e6 / seconds:.1f} MB/s): peak {most:,.0f} MB in the largest of {len(watch.peaks)} processes "
        f"(goal {GOAL_MB:.0f}: {verdict(most <= GOAL_MB)}), {watch.tree_own_mb:,.0f} MB of their own in all; mailbox "
        f"file {mailbox_bytes / 1e6:,.0f} MB, {mailbox_bytes / source_bytes:.2f} of the source"
    )


if __name__ == "__main__":
    main()
