"""The mails that a benchmark works on, where it ran, and the figures it prints."""

import lzma
import os
import platform
import re
import shlex
import shutil
import sqlite3
import statistics
import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path

import psutil

_FROM_LINE = re.compile(rb"(?:\A|(?<=\n\n)|(?<=\r\n\r\n))From [^\n]*\d{4}[^\n]*\n")
_ESCAPED = re.compile(rb"^>(>*From )", re.MULTILINE)
_TO_ESCAPE = re.compile(rb"^(>*From )", re.MULTILINE)


def plain_mboxes(folder: Path, scratch: Path) -> list[Path]:
    """Return the mboxes of a folder, the .xz ones written out plain under ``scratch``, so that nobody's time counts it.

    Raises:
        SystemExit: The folder holds no mbox.
    """
    found = sorted([*folder.glob("*.mbox"), *folder.glob("*.mbox.xz")])
    if not found:
        raise SystemExit(f"{folder} holds no .mbox and no .mbox.xz: name a folder of mboxes with --mboxes")
    return [path if path.suffix == ".mbox" else _written_out(path, scratch) for path in found]


def _written_out(path: Path, scratch: Path) -> Path:
    plain = scratch / path.stem
    if not plain.exists():
        scratch.mkdir(parents=True, exist_ok=True)
        part = plain.with_suffix(".part")
        with lzma.open(path) as packed, part.open("wb") as file:
            shutil.copyfileobj(packed, file, 1 << 20)
        part.replace(plain)
    return plain


def read_mails(mbox: Path) -> Iterator[bytes]:
    """Yield the raw mails of an mbox the quickest way: the whole file in memory, cut at its ``From `` lines."""
    data = mbox.read_bytes()
    starts = [match.span() for match in _FROM_LINE.finditer(data)]
    ends = [start for start, _ in starts[1:]] + [len(data)]
    for (_, start), end in zip(starts, ends, strict=True):
        raw = data[start:end]
        raw = raw.removesuffix(b"\n") if raw.endswith(b"\n\n") else raw  # the empty line that parts them
        yield _ESCAPED.sub(rb"\1", raw) if b"\n>" in raw else raw


def write_mbox(path: Path, mails: Iterable[bytes]) -> int:
    """Write an mbox (mboxrd), whole or not at all; returns how many mails it holds."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part, count = path.with_suffix(".part"), 0
    with part.open("wb") as file:
        for raw in mails:
            escaped = _TO_ESCAPE.sub(rb">\1", raw) if b"\nFrom " in raw or b"\n>" in raw else raw
            file.write(b"From benchmark Mon Jan  1 00:00:00 2001\n" + escaped.removesuffix(b"\n") + b"\n\n")
            count += 1
    part.replace(path)
    return count


def folder_bytes(folder: Path) -> int:
    """Return the size of all files under a folder."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def where_it_ran() -> str:
    """Return the machine, the versions, the load, the date and the command, for the head of what is printed."""
    cpu = next(
        (line.partition(":")[2].strip() for line in _lines(Path("/proc/cpuinfo")) if line.startswith("model name")),
        platform.processor() or platform.machine(),
    )
    memory_gb = psutil.virtual_memory().total / 1e9
    load = os.getloadavg()[0]
    return "\n".join(
        [
            f"command: python {shlex.join(sys.argv)}",
            f"machine: {cpu}, {os.cpu_count()} cores, {memory_gb:.0f} GB, {platform.system()} {platform.release()}; "
            f"load before {load:.1f}",
            f"Python {platform.python_version()}, SQLite {sqlite3.sqlite_version}, commit {_commit()}",
            f"date: {datetime.now(UTC):%Y-%m-%d %H:%M} UTC",
        ]
    )


def _lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").splitlines() if path.exists() else []


def _commit() -> str:
    root = Path(__file__).resolve().parents[2]
    done = subprocess.run(
        ["git", "-C", str(root), "describe", "--always", "--dirty"], capture_output=True, text=True, check=False
    )
    return done.stdout.strip() or "unknown"


def percentile(values: Sequence[float], percent: float) -> float:
    """Return the smallest value that at least this percentage of the values do not exceed (nearest rank)."""
    ordered = sorted(values)
    rank = -(-len(ordered) * percent // 100)
    return ordered[max(0, int(rank) - 1)]


def spread(values: Sequence[float], digits: int = 0) -> str:
    """Return ``median (least to most)``."""
    return f"{statistics.median(values):,.{digits}f} ({min(values):,.{digits}f} to {max(values):,.{digits}f})"


def verdict(is_met: bool) -> str:
    """Return how a goal stands."""
    return "met" if is_met else "MISSED"
