"""notmuch and mu, as Debian packages them: each indexes a Maildir into a fresh database of its own."""

import os
import re
import shutil
import subprocess
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from contestants.mails import folder_bytes

PACKAGES = {"notmuch": "notmuch", "mu": "maildir-utils"}


@dataclass(frozen=True, slots=True)
class Indexed:
    """What an indexer did: the seconds it took, the mails it holds now, and the size of its database in bytes."""

    seconds: float
    kept: int
    disk_bytes: int


def missing(program: str) -> str | None:
    """Return how to install a program that is not there; None where it is."""
    if shutil.which(program):
        return None
    return f"{program} IS LEFT OUT: it is not installed (apt-get install {PACKAGES[program]})"


def version(program: str) -> str:
    """Return the first line of a program's own version."""
    return subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout.splitlines()[0]


def write_maildir(folder: Path, mails: Iterable[bytes]) -> int:
    """Write one file a mail, all read already; returns how many."""
    for name in ("cur", "new", "tmp"):
        (folder / name).mkdir(parents=True)
    count = 0
    for raw in mails:
        (folder / "cur" / f"1000000000.{count}.benchmark:2,S").write_bytes(raw)
        count += 1
    return count


def index_with_notmuch(maildir: Path, home: Path) -> Indexed:
    """Time ``notmuch new`` with a fresh database."""
    config = home / "notmuch-config"
    config.write_text(
        f"[database]\npath={maildir}\n[user]\nname=Nobody\nprimary_email=nobody@example.com\n[new]\ntags=\n",
        encoding="utf-8",
    )
    environment = {**os.environ, "HOME": str(home), "NOTMUCH_CONFIG": str(config)}
    started = time.perf_counter()
    _run(["notmuch", "new", "--quiet"], environment)
    seconds = time.perf_counter() - started
    kept = int(_run(["notmuch", "count", "*"], environment))
    return Indexed(seconds, kept, folder_bytes(maildir / ".notmuch"))


def index_with_mu(maildir: Path, home: Path) -> Indexed:
    """Time ``mu init`` and ``mu index`` with a fresh database."""
    database = home / "mu"
    environment = {**os.environ, "HOME": str(home), "MU_HOME": str(database)}
    started = time.perf_counter()
    _run(["mu", "init", f"--muhome={database}", f"--maildir={maildir}"], environment)
    _run(["mu", "index", f"--muhome={database}", "--quiet"], environment)
    seconds = time.perf_counter() - started
    told = _run(["mu", "info", f"--muhome={database}", "--nocolor"], environment)
    count = re.search(r"messages in store[^\d]*([\d,]+)", told)
    if count is None:
        raise SystemExit(f"mu info does not say how many messages it holds:\n{told}")
    return Indexed(seconds, int(count[1].replace(",", "")), folder_bytes(database))


def _run(command: list[str], environment: dict[str, str]) -> str:
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    if done.returncode:
        raise SystemExit(
            f"{' '.join(command)} failed ({done.returncode}): {done.stderr.strip() or done.stdout.strip()}"
        )
    return done.stdout
