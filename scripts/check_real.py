"""Parses folders of real and hard mail, and compares what comes out with what others read in it.

The folder may hold ``nasty_mime`` (archives of parsers' own test mails: stalwart's and mime4j's with what they
expect, CPython's, notmuch's), ``spamassassin`` (archives of raw mails) and ``enron/mbox`` (compressed mbox files);
it is never part of the project. Stalwart's and mime4j's mails are compared with what is expected of them, all others
with Python's own parser: every word of their plain text must be found again, and their files, people, subject and date.

A difference that stands in ``real_mail/accepted.py``, with the reason, is counted. Any other difference, an
exception, a message that takes over a second, or text that cannot be stored makes it fail. Names of files and
fields alone are shown, unless ``--show`` is given.
"""

import argparse
import gzip
import json
import lzma
import sys
import tarfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from real_mail.accepted import ACCEPTED
from real_mail.expected import Difference, from_mime4j, from_stalwart
from real_mail.library import from_library

from mailgym.corpora.readers.mbox import read_messages
from mailgym.corpora.readers.source import SourceMessage
from mailgym.mail.message import Message
from mailgym.mail.parse import parse_message

MOST_SECONDS = 1.0
SAMPLE_EVERY = 10
GROUPS = 10
"""How many groups a folder with all of them has: only then is an accepted difference that is gone noticed."""
Compare = Callable[[Message], Iterator[Difference]]


@dataclass(slots=True)
class Outcome:
    """What one group of messages came to."""

    messages: int = 0
    slowest_s: float = 0.0
    accepted: set[tuple[str, str]] = field(default_factory=set)
    differences: list[Difference] = field(default_factory=list)
    defects: Counter[str] = field(default_factory=Counter)

    def take(self, file: str, raw: bytes, compare: Compare) -> None:
        """Parse one message, check it and compare it."""
        started = time.perf_counter()
        message = parse_message(raw)
        seconds = time.perf_counter() - started
        self.messages += 1
        self.slowest_s = max(self.slowest_s, seconds)
        self.defects.update(defect.split("(")[0].split(":")[0][:50] for defect in message.defects)
        found = list(wrongs(file, message, seconds))
        for difference in (*found, *compare(message)):
            if (difference.file, difference.field) in ACCEPTED:
                self.accepted.add((difference.file, difference.field))
            else:
                self.differences.append(difference)


def wrongs(file: str, message: Message, seconds: float) -> Iterator[Difference]:
    """Yield what no message may come to: too slow, given up, not storable."""
    if seconds > MOST_SECONDS:
        yield Difference(file, "time", f"{MOST_SECONDS} s", f"{seconds:.2f} s")
    if any(defect.startswith("structure could not be read") for defect in message.defects):
        yield Difference(file, "structure", "read", str(message.defects))
    texts = (message.text, message.subject, message.quoted_text, *(a.file_name for a in message.attachments))
    try:
        whole = "".join((*texts, str(message.from_), *map(str, message.to), *message.defects)).encode("utf-8")
    except UnicodeEncodeError as error:
        yield Difference(file, "storable", "UTF-8", str(error))
    else:
        if b"\0" in whole:
            yield Difference(file, "storable", "no NUL", "NUL")


def members(archive: Path) -> Iterator[tuple[str, bytes]]:
    """Yield the names and contents of the files in a tar archive."""
    with tarfile.open(archive) as tar:
        for member in tar:
            file = tar.extractfile(member) if member.isfile() else None
            if file is not None:
                yield member.name.removeprefix("./"), file.read()


def check_stalwart(archive: Path, outcome: Outcome) -> None:
    """Compare with stalwart's JSON, for LF and CRLF alike."""
    files = dict(members(archive))
    for name, raw in files.items():
        expected = files.get(f"{name.removesuffix('.eml')}.json")
        if name.endswith(".eml") and expected is not None:
            wanted = json.loads(expected)
            outcome.take(name, raw, partial(from_stalwart, name, wanted))
            again = raw.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")
            lf = parse_message(raw)
            crlf = parse_message(again)
            if (lf.text, lf.subject, lf.to, lf.message_id) != (crlf.text, crlf.subject, crlf.to, crlf.message_id):
                outcome.differences.append(Difference(name, "CRLF", lf.text, crlf.text))


def check_mime4j(archive: Path, outcome: Outcome) -> None:
    """Compare with the decoded parts that mime4j keeps beside its mails."""
    files = dict(members(archive))
    base = {name.rpartition("/")[2]: content for name, content in files.items()}
    for name, raw in files.items():
        structure = files.get(f"{name.removesuffix('.msg')}_decoded.xml")
        if name.endswith(".msg") and structure is not None:
            text = structure.decode("utf-8", errors="replace")
            outcome.take(name, raw, partial(from_mime4j, name, text, base))


def check_archive(archive: Path, outcome: Outcome) -> None:
    """Compare every file of an archive that can be mail with Python's parser."""
    for name, raw in members(archive):
        last = name.rpartition("/")[2]
        if last.upper().startswith(("README", "COPYING", "LICENSE")) or last.endswith((".json", ".tsv")):
            continue
        mail = gzip.decompress(raw) if name.endswith(".gz") else raw
        outcome.take(name, mail, partial(from_library, name, mail))


def check_mboxes(boxes: Sequence[Path], every: int, outcome: Outcome) -> None:
    """Compare the messages of compressed mbox files with Python's parser: all, or one in ``every``."""
    for box in boxes:
        with lzma.open(box) as stream:
            for number, entry in enumerate(read_messages(stream, box.name)):
                if number % every == 0 and isinstance(entry, SourceMessage):
                    outcome.take(entry.origin, entry.raw, partial(from_library, entry.origin, entry.raw))


def checks(folder: Path, every: int) -> Iterator[tuple[str, Callable[[Outcome], None]]]:
    """Yield the groups of messages that lie in the folder, and what checks each."""
    nasty = folder / "nasty_mime"
    for name, check in (("stalwart", check_stalwart), ("mime4j", check_mime4j)):
        if (nasty / f"{name}.tar.xz").exists():
            yield name, partial(check, nasty / f"{name}.tar.xz")
    for name in ("cpython", "notmuch_corpora"):
        if (nasty / f"{name}.tar.xz").exists():
            yield name, partial(check_archive, nasty / f"{name}.tar.xz")
    for archive in sorted((folder / "spamassassin").glob("*.tar.xz")):
        yield f"spamassassin/{archive.name.split('.')[0]}", partial(check_archive, archive)
    boxes = sorted((folder / "enron" / "mbox").glob("*.mbox.xz"))
    if boxes:
        yield "enron", partial(check_mboxes, boxes, every)


def main(arguments: list[str] | None = None) -> int:
    """Check a folder; return 1 where something differs."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--all", action="store_true", help=f"every mail of enron, not one in {SAMPLE_EVERY}")
    parser.add_argument("--only", default="", help="groups whose name begins so")
    parser.add_argument("--show", action="store_true", help="show what differs, which is text of mails")
    options = parser.parse_args(arguments)
    failed, groups, used = 0, 0, set[tuple[str, str]]()
    for name, check in checks(options.folder, 1 if options.all else SAMPLE_EVERY):
        if not name.startswith(options.only):
            continue
        outcome = Outcome()
        check(outcome)
        groups += 1
        failed += len(outcome.differences)
        used |= outcome.accepted
        print(
            f"{name}: {outcome.messages} messages, slowest {outcome.slowest_s:.2f} s, "
            f"{len(outcome.accepted)} differences as accepted, {len(outcome.differences)} others",
            flush=True,
        )
        for difference in outcome.differences:
            print(f"  {difference.file}: {difference.field}")
            if options.show:
                print(f"    expected: {difference.expected[:600]!r}\n    ours:     {difference.ours[:600]!r}")
    if not groups:
        print(f"{options.folder} holds none of nasty_mime, spamassassin, enron")
        return 1
    looked_at = [key for key in ACCEPTED if options.all or ".mbox.xz#" not in key[0]]
    stale = sorted(set(looked_at) - used) if groups == GROUPS else []
    for file, where in stale:
        print(f"  {file}: {where} differs no more: take it out of real_mail/accepted.py")
    return 1 if failed or stale else 0


if __name__ == "__main__":
    sys.exit(main())
