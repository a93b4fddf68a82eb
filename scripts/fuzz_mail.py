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

from mailgym.core.errors import QueryError
from mailgym.mail.mailbox import Mailbox
from mailgym.mail.message import Message
from mailgym.mail.parse import parse_message
from mailgym.mail.store import MailboxWriter

MOST_SECONDS = 1.0
MOST_BYTES = 200_000
DEFAULT_INPUTS = 100_000
Check = Callable[[bytes], None]

PLAIN = b"""From: Dana Whitfield <dana@x.example>
To: "Ray, Bob" <bob@x.example>, Team: a@x.example, b@x.example;, <@relay.example:c@x.example>
Date: Mon, 14 May 2001 16:39:00 -0700 (PDT)
Message-ID: <one@x.example>
References: <zero@x.example>
 <half@x.example>
Subject: =?utf-8?q?Storage_f=C3=BCr?= =?iso-8859-1?b?SnVuZQ==?=
Content-Type: text/plain; charset=us-ascii; format=flowed

Understanding the contract is necessary \nbefore tomorrow.
> previously quoted
-- \nDana
"""
NESTED = b"""From: a@x.example
MIME-Version: 1.0
Content-Type: multipart/mixed; boundary="outer b"

before
--outer b
Content-Type: multipart/alternative; boundary=inner

--inner
Content-Type: text/plain; charset=utf-8
Content-Transfer-Encoding: quoted-printable

Caf=C3=A9 at noon=
, surely

--inner
Content-Type: text/html; charset=windows-1252

<html><head><style>p{color:red}</style></head><body><p>Caf\xe9 <b>at</b> noon<table><tr><td>1<td>2</table>
<blockquote type=cite>old <ul><li>item</ul></blockquote></body></html>
--inner--
--outer b
Content-Type: message/rfc822

Subject: inside
Content-Type: text/plain; charset=iso-2022-jp

\x1b$BF|K\\\x1b(B
--outer b
Content-Type: application/pdf; name*0*=utf-8''plan%20; name*1="b.pdf"
Content-Transfer-Encoding: base64
Content-Disposition: attachment; filename="=?utf-8?q?plan=2Epdf?="

JVBERi0xLjQKJcOkw7zDtsOfCg==
--outer b--
behind
"""
CALENDAR = b"""Content-Type: text/calendar; method=REQUEST
Received: from a by b; Mon May 14 10:00:00 EST 2001

BEGIN:VCALENDAR
BEGIN:VEVENT
SUMMARY:Lunch\\, long
DTSTART;TZID="Europe/Berlin":20010514T120000
ORGANIZER;CN="Ray, Bob":mailto:bob@x.example
END:VEVENT
END:VCALENDAR
"""
TNEF = b"""Content-Type: application/ms-tnef; name=winmail.dat

\x78\x9f\x3e\x22\x01\x00\x02\x02\x90\x06\x00\x02\x00\x00\x00\x00\x00\x00\x00\x02\x10\x80\x01\x00\x06\x00\x00\x00a.txt\x00\x00\x00
"""
UUENCODED = b"""Subject: a file

begin 644 cat.txt
#0V%T
`
end
Thereafter follows ordinary conversation.
"""
SEEDS = (PLAIN, NESTED, CALENDAR, TNEF, UUENCODED, PLAIN.replace(b"\n", b"\r\n"), b"")
TOKENS = (
    b"\n", b"\r\n", b"\r", b"\n\n", b"--b\n", b"--b--\n", b"--outer b\n", b"--inner--\n", b": ", b";", b'"', b"(", b")", b"<", b">",
    b"=?utf-8?q?", b"=?gb2312?b?", b"?=", b"=", b"=3D", b"=\n", b"\x00", b"\xff", b"\xe9", b"\xc3", b"\x1b$B", b"+AGE-", b"~{",
    b"Content-Type: ", b"multipart/mixed; boundary=b", b"multipart/digest", b"message/rfc822\n\n", b"text/html", b"charset=",
    b"utf-16", b"utf-7", b"hz", b"Content-Transfer-Encoding: ", b"base64", b"quoted-printable", b"x-uuencode", b"begin 644 a\n",
    b"filename*0*=utf-8''", b"<div>", b"<table>", b"<!--", b"<script>", b"&#x0;", b"BEGIN:VEVENT\n", b"Date: ", b"31 Feb 99 ",
    b"From: ", b"To: ", b"Subject: ", b"@", b",", b"\\", b"*", b"'", b" ", b"\t",
)  # fmt: skip
QUERY_TOKENS = (
    "storage", "contract", "dana", '"', "'", "*", "-", "NEAR", "AND", "OR", "NOT", "(", ")", ":", "^", "+", "\x00", "\ud800", "😀",
    "é", "e\u0301", "日本", " ", "\n", "%", "_", "\\", ";", "--", "subject:", "{", "}", "ı", "ß", "İ", "2001-05-14", "a" * 300, "𝟘",
)  # fmt: skip
DATES = ("2001-05-14", "2001-13-45", "2001-05-14T10:00:00Z", "", "soon", "9999-12-31", "0001-01-01", "2001-05-14T10:00:00+99:99")


class Failure(Exception):
    """Something that must hold does not."""


def check_mail(raw: bytes) -> None:
    """Parse one mail and check what must hold for every one.

    Raises:
        Failure: It does not hold.
    """
    started = time.process_time()
    message = parse_message(raw)
    seconds = time.process_time() - started
    if seconds > MOST_SECONDS:
        raise Failure(f"it took {seconds:.1f} s")
    if any(defect.startswith("structure could not be read") for defect in message.defects):
        raise Failure(str(message.defects))
    whole = repr(message) + message.text + message.quoted_text + message.subject
    if "\x00" in message.text + message.subject + message.quoted_text:
        raise Failure("NUL")
    whole.encode("utf-8")
    missing = lost_words(raw, message)
    if missing:
        raise Failure(f"words are lost: {missing[:5]}")


def lost_words(raw: bytes, message: Message) -> list[str]:
    """Return the words of eight letters and more of a plain 7-bit text that are not found again."""
    head, _, body = raw.replace(b"\r\n", b"\n").partition(b"\n\n")
    is_plain = b"content-" not in head.lower() or re.search(rb"(?im)^content-type: text/plain; charset=us-ascii$", head)
    if not is_plain or not raw.isascii() or b"\r" in raw or b"\x1b" in raw or b"begin " in body or b"encoding" in head.lower():
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
                raise Failure("a QueryError says nothing") from error
            return
        if time.process_time() - started > MOST_SECONDS:
            raise Failure("it took over a second")
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


def run(check: Check, inputs: int, seed: int, seeds: Sequence[bytes], tokens: Sequence[bytes], label: str) -> int:
    """Check that many inputs; return how many failed."""
    rng = random.Random(seed)
    started, failed, slowest_s = time.perf_counter(), 0, 0.0
    for number in range(inputs):
        data = mutate(rng, seeds, tokens)
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
    print(f"{label}: {number + 1} inputs, {failed} failed, slowest {slowest_s:.2f} s, {seconds:.0f} s in all", flush=True)
    return failed


def run_by_coverage(check: Check, seeds: Sequence[bytes], inputs: int) -> None:
    """Let atheris choose the inputs; it ends the process at the first that fails."""
    import atheris

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
        failed += run(check_mail, options.inputs, options.seed, seeds, TOKENS, "mail")
    if options.only != "mail":
        tokens = [token.encode("utf-8", errors="surrogatepass") for token in QUERY_TOKENS]
        with tempfile.TemporaryDirectory() as folder:
            check = query_check(Path(folder))
            failed += run(check, options.inputs, options.seed, [b"", b"storage contract", *tokens], tokens, "query")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
