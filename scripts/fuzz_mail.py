"""Feeds damaged mails to the parser and odd queries to the search, many of them, and checks what must hold for each.

Of a mail: no exception, not even one that the parser survives by giving up on the structure; no second spent; what
comes out can be stored; every word of a plain 7-bit text is found again. Of a query: hits, or a ``QueryError`` that
says why. Inputs are made by mutating seeds, those below and the files that are named; where atheris is installed,
``--coverage`` lets it choose the mutations that reach new code.

A failing input is written to a file, whose name is shown, and makes the run fail.
"""

import argparse
import random
import re
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from fuzz_seeds import DATES, PLAIN_WORDS, QUERY_TOKENS, SEEDS, TOKENS

from mailgym.core.errors import QueryError
from mailgym.mail.mailbox import Mailbox
from mailgym.mail.message import Message
from mailgym.mail.parse import parse_message
from mailgym.mail.store import MailboxWriter

MOST_SECONDS = 1.0
MOST_BYTES = 200_000
DEFAULT_INPUTS = 100_000
Check = Callable[[bytes], None]
Make = Callable[[random.Random], bytes]


class BrokenPromiseError(Exception):
    """Something that must hold does not."""


def check_mail(raw: bytes) -> None:
    """Parse one mail and check what must hold for every one.

    Raises:
        BrokenPromiseError: It does not hold.
    """
    started = time.process_time()
    message = parse_message(raw)
    seconds = time.process_time() - started
    if seconds > MOST_SECONDS:
        raise BrokenPromiseError(f"it took {seconds:.1f} s")
    if any(defect.startswith("structure could not be read") for defect in message.defects):
        raise BrokenPromiseError(str(message.defects))
    whole = repr(message) + message.text + message.quoted_text + message.subject
    if "\x00" in message.text + message.subject + message.quoted_text:
        raise BrokenPromiseError("NUL")
    whole.encode("utf-8")
    missing = lost_words(raw, message)
    if missing:
        raise BrokenPromiseError(f"words are lost: {missing[:5]}")


def lost_words(raw: bytes, message: Message) -> list[str]:
    """Return the words of eight letters and more of a plain 7-bit text that are not found again."""
    head, _, body = raw.replace(b"\r\n", b"\n").partition(b"\n\n")
    is_plain = b"content-" not in head.lower() or re.search(rb"(?im)^content-type: text/plain; charset=us-ascii$", head)
    if (
        not is_plain
        or not raw.isascii()
        or b"\r" in raw
        or b"\x1b" in raw
        or b"begin " in body
        or b"encoding" in head.lower()
    ):
        return []
    return [word for word in re.findall(r"[A-Za-z]{8,}", body.decode()) if word not in message.text]


def query_check(folder: Path) -> Check:
    """Return a check of queries on a small mailbox that is made in a folder."""
    path = folder / "fuzz.mailbox"
    with MailboxWriter(path, "dana", ["dana@x.example"]) as box:
        for number, seed in enumerate(seed for seed in SEEDS if seed):
            box.add(seed.replace(b"one@x", b"%d@x" % number))
    mailbox = Mailbox.open(path)

    def check(data: bytes) -> None:
        rng = random.Random(data)
        text = data.decode("utf-8", errors="surrogateescape" if rng.random() < 0.5 else "replace")
        started = time.process_time()
        try:
            hits = mailbox.search(
                text if rng.random() < 0.7 else text.split(" "),
                from_=text[: rng.randrange(20)] if rng.random() < 0.2 else None,
                to=text[-8:] if rng.random() < 0.2 else None,
                after=rng.choice(DATES) if rng.random() < 0.2 else None,
                before=rng.choice(DATES) if rng.random() < 0.2 else None,
                folder=text[:5] if rng.random() < 0.1 else None,
                has_attachment=rng.choice([None, True, False]),
                limit=rng.choice([1, 10, 10_000]),
                offset=rng.choice([0, 1, 10_000]),
                sort=rng.choice(["rank", "date"]),
                match=rng.choice(["any", "all"]),
            )
        except QueryError as error:
            if not str(error).strip():
                raise BrokenPromiseError("a QueryError says nothing") from error
            return
        if time.process_time() - started > MOST_SECONDS:
            raise BrokenPromiseError("it took over a second")
        for hit in hits:
            repr(hit).encode("utf-8")

    return check


def mutate(rng: random.Random, seeds: Sequence[bytes], tokens: Sequence[bytes]) -> bytes:
    """Make an input of seeds: cut, doubled, spliced, with bytes changed and marks put in."""
    data = bytearray(rng.choice(seeds))
    for _ in range(rng.choice((0, 1, 1, 2, 3, 5, 9, 20))):
        start = rng.randrange(len(data) + 1)
        end = min(len(data), start + rng.choice((0, 1, 1, 2, 8, 40, 200)))
        kind = rng.randrange(6)
        if kind == 0 and start < len(data):
            data[start] = rng.randrange(256)
        elif kind == 1:
            del data[start:end]
        elif kind == 2:
            data[start:start] = data[start:end] * rng.choice((1, 1, 2, 50))
        elif kind == 3:
            other = rng.choice(seeds)
            data[start:end] = other[rng.randrange(len(other) + 1) :][: rng.choice((10, 100, 1000))]
        else:
            data[start:start] = rng.choice(tokens) * rng.choice((1, 1, 1, 2, 300))
    return bytes(data[:MOST_BYTES])


def plain_mail(rng: random.Random) -> bytes:
    """Make a mail of 7-bit text alone, of which no word may be lost."""
    head = rng.choice(
        (b"Subject: x\n", b"From: a@x.example\nContent-Type: text/plain; charset=us-ascii\n", b"A: b\n\tc\n")
    )
    words = (rng.choice(PLAIN_WORDS) + rng.choice((" ", " ", "\n", "\n\n", " \n")) for _ in range(rng.randrange(60)))
    return head + b"\n" + "".join(words).encode()


def run(make: Make, check: Check, inputs: int, seed: int, label: str) -> int:
    """Check that many inputs; return how many failed."""
    rng = random.Random(seed)
    started, failed, slowest_s = time.perf_counter(), 0, 0.0
    for number in range(inputs):
        data = make(rng)
        before = time.process_time()
        try:
            check(data)
        except Exception as error:  # whatever goes wrong is what is looked for
            failed += 1
            path = Path(tempfile.gettempdir()) / f"fuzz-{label}-{seed}-{number}"
            path.write_bytes(data)
            print(f"{label} {number}: {type(error).__name__}: {error} ({path})")
            if failed >= 20:
                break
        slowest_s = max(slowest_s, time.process_time() - before)
    seconds = time.perf_counter() - started
    print(
        f"{label}: {number + 1} inputs, {failed} failed, slowest {slowest_s:.2f} s, {seconds:.0f} s in all", flush=True
    )
    return failed


def run_by_coverage(check: Check, seeds: Sequence[bytes], inputs: int) -> None:
    """Let atheris choose the inputs; it ends the process at the first that fails."""
    import atheris  # noqa: PLC0415 - not part of the project's environment

    with tempfile.TemporaryDirectory() as folder:
        for number, seed in enumerate(seeds):
            (Path(folder) / str(number)).write_bytes(seed)
        atheris.instrument_all()
        atheris.Setup([sys.argv[0], f"-runs={inputs}", f"-max_len={MOST_BYTES}", folder], check)
        atheris.Fuzz()


def main(arguments: list[str] | None = None) -> int:
    """Fuzz; return 1 where something failed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", type=Path, help="more seeds: raw mails")
    parser.add_argument("-n", "--inputs", type=int, default=DEFAULT_INPUTS)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", choices=("mail", "query"))
    parser.add_argument("--coverage", action="store_true", help="guided by coverage, mails alone; needs atheris")
    options = parser.parse_args(arguments)
    seeds = [*SEEDS, *(path.read_bytes()[:MOST_BYTES] for path in options.files)]
    if options.coverage:
        run_by_coverage(check_mail, seeds, options.inputs)
        return 0
    failed = 0
    if options.only != "query":
        failed += run(lambda rng: mutate(rng, seeds, TOKENS), check_mail, options.inputs, options.seed, "mail")
        failed += run(plain_mail, check_mail, options.inputs // 4, options.seed, "text")
    if options.only != "mail":
        tokens = [token.encode("utf-8", errors="surrogatepass") for token in QUERY_TOKENS]
        with tempfile.TemporaryDirectory() as folder:
            check = query_check(Path(folder))
            starts = [b"", b"storage contract", *tokens]
            failed += run(lambda rng: mutate(rng, starts, tokens), check, options.inputs, options.seed, "query")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
