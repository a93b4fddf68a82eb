"""How real replies stand against degenerate ones, by the criteria of writing that need no right answer.

Real replies are taken from a mailbox file or an mbox of yours: messages that quote the message they answer, each judged
against it. Beside every real reply stand texts made of the same message by rules (:data:`CHEATS`). Nothing of the mail
is printed but with ``--show``.

    python benchmarks/replies.py MAILBOX_OR_MBOX [MORE ...] [-n 500] [--seed 0] [--show 5]
"""

import argparse
import random
import re
import statistics
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from contestants.mails import read_mails, where_it_ran

from mailgym.mail.mailbox import Mailbox
from mailgym.mail.message import Address, Message
from mailgym.mail.parse import parse_message
from mailgym.mail.quotes import split_quotes
from mailgym.rubrics.writing.mail import MailFacts
from mailgym.rubrics.writing.reply import ReplyReading, Wanted, read_reply

CRITERIA = (
    "reads_as_reply",
    "faithful",
    "addressed",
    "signed",
    "safe",
    "tone",
    "clarity",
    "original",
    "fitting_length",
    "quality",
)
LEAST_WORDS, MOST_WORDS, LEAST_MAIL_WORDS = 4, 300, 15
_SUBJECT_OF_REPLY = re.compile(r"\s*re\s*:", re.IGNORECASE)
_QUOTE_MARK = re.compile(r"^[ \t]*(?:>+ ?)+", re.MULTILINE)
_FIELD = re.compile(
    r"\s*(?:-{3,}.*|_{3,}|on .{5,120} wrote:|(?:from|sent|to|cc|bcc|date|subject|importance)\s*:.*"
    r"|[^\n]{0,80}@[^\n]{0,80}|[^\n]{0,60}\d{1,2}/\d{1,2}/\d{2,4}[^\n]{0,30})\s*\Z",
    re.IGNORECASE,
)
_WORDS = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Pair:
    """A real reply and the message that it answers."""

    reply: str
    mail: MailFacts


def _soup(mail: MailFacts) -> str:
    return " ".join(dict.fromkeys(_WORDS.findall(mail.text)))


def _frames(mail: MailFacts) -> str:
    words = list(dict.fromkeys(word for word in _WORDS.findall(mail.text) if len(word) > 4))[:20]
    return f"Dear {mail.sender_name},\n\n{' '.join(f'I confirm the {word}.' for word in words)}\n\n{mail.owner_name}"


def _template(mail: MailFacts) -> str:
    return (
        f"Dear {mail.sender_name},\n\nThank you for reaching out. I hope this finds you well. I have received your "
        "message and will get back to you as soon as possible. Please do not hesitate to contact me if you have any "
        f"questions.\n\nBest regards,\n{mail.owner_name}"
    )


def _all_forms(mail: MailFacts) -> str:
    greetings = "".join(f"{word} {mail.sender_name},\n" for word in ("Dear", "Hi", "Hello", "Good morning", "Hey"))
    return greetings + "Best regards,\nKind regards,\nSincerely,\nYours faithfully,\nCheers,\n" + mail.owner_name


CHEATS: dict[str, Callable[[MailFacts], str]] = {
    "its words": _soup,
    "its words, with commas": lambda mail: ", ".join(_WORDS.findall(mail.text)[:80]),
    "its words in one frame": _frames,
    "echo": lambda mail: mail.text,
    "echo as a letter": lambda mail: f"Dear {mail.sender_name},\n\n{mail.text}\n\nBest regards,\n{mail.owner_name}",
    "echo in look-alikes": lambda mail: mail.text.translate(str.maketrans("aeo", "аео")),
    "greetings and sign-offs": _all_forms,
    "template without an answer": _template,
    "one sentence ten times": lambda _: "I will take care of it. " * 10,
    "placeholders": lambda _: "Dear [Name],\n\nThank you for [topic]. I will do it by [date].\n\n[Your Name]",
    "another language": lambda _: "Vielen Dank für Ihre Nachricht, ich melde mich morgen bei Ihnen. Viele Grüße",
    "100,000 characters": lambda _: "Thank you for your message, I will do it. " * 2_500,
}


def read_source(path: Path) -> Iterator[Message]:
    """Yield the messages of a mailbox file, else of an mbox."""
    with path.open("rb") as file:
        is_mailbox = file.read(15) == b"SQLite format 3"
    if is_mailbox:
        with Mailbox.open(path) as mailbox:
            yield from mailbox
    else:
        for raw in read_mails(path):
            yield parse_message(raw)


def find_pairs(messages: Iterator[Message]) -> Iterator[Pair]:
    """Yield every reply that quotes what it answers, long and short ones left out."""
    for message in messages:
        if not _SUBJECT_OF_REPLY.match(message.subject) or not message.to:
            continue
        answered = answered_text(message.quoted_text)
        count = len(message.new_text.split())
        if not LEAST_WORDS <= count <= MOST_WORDS or len(answered.split()) < LEAST_MAIL_WORDS:
            continue
        sender, owner = message.to[0], message.from_
        subject = _SUBJECT_OF_REPLY.sub("", message.subject).strip()
        facts = MailFacts(name_of(sender), sender.address, name_of(owner), subject, answered)
        yield Pair(message.new_text, facts)


def name_of(address: Address) -> str:
    """Return a person's name, else what the address says of it: ``tom.becker@…`` is Tom Becker."""
    return address.name or " ".join(re.findall(r"[a-z]{2,}", address.address.partition("@")[0])).title()


def answered_text(quoted: str) -> str:
    """Return the text of the message that a quoted one begins with, its marks and header lines left out."""
    lines = _QUOTE_MARK.sub("", quoted).split("\n")
    start = 0
    while start < len(lines) and (not lines[start].strip() or _FIELD.match(lines[start])):
        start += 1
    return split_quotes("\n".join(lines[start:])).new_text


def share_beaten(real: Sequence[float], cheat: Sequence[float]) -> float:
    """Return how often a real reply is worth more than the cheat on the same message; equal ones count for half."""
    wins = sum(1.0 if a > b else 0.5 if a == b else 0.0 for a, b in zip(real, cheat, strict=True))
    return wins / len(real)


def report(pairs: Sequence[Pair]) -> list[str]:
    """Return the table: real replies, then each cheat; means, and how often the real one is worth more."""
    wanted = Wanted(needs_reply=True)
    texts = {"real replies": [pair.reply for pair in pairs]}
    texts |= {name: [cheat(pair.mail) for pair in pairs] for name, cheat in CHEATS.items()}
    readings: dict[str, list[ReplyReading]] = {
        name: [read_reply(text, pair.mail, wanted) for text, pair in zip(row, pairs, strict=True)]
        for name, row in texts.items()
    }
    real = [reading.quality for reading in readings["real replies"]]
    lines = [f"| {len(pairs)} messages | {' | '.join(CRITERIA)} | real one worth more |"]
    lines.append("| --- |" + " ---: |" * (len(CRITERIA) + 1))
    for name, row in readings.items():
        means = [statistics.fmean(getattr(reading, criterion) for reading in row) for criterion in CRITERIA]
        beaten = "" if name == "real replies" else f"{share_beaten(real, [r.quality for r in row]):.3f}"
        lines.append(f"| {name} | {' | '.join(f'{mean:.2f}' for mean in means)} | {beaten} |")
    return lines


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sources", nargs="+", type=Path)
    parser.add_argument("-n", type=int, default=500, help="messages, drawn from all that fit")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--show", type=int, default=0, help="print that many of the real replies that are worth least")
    arguments = parser.parse_args()
    pairs = [pair for path in arguments.sources for pair in find_pairs(read_source(path))]
    pairs = list({pair.reply: pair for pair in pairs}.values())
    if not pairs:
        raise SystemExit("none of the messages is a reply that quotes what it answers: name other mail")
    drawn = random.Random(arguments.seed).sample(pairs, min(arguments.n, len(pairs)))
    print(where_it_ran(), f"{len(pairs)} replies found, {len(drawn)} drawn", *report(drawn), sep="\n")
    wanted = Wanted(needs_reply=True)
    worst = sorted(drawn, key=lambda pair: read_reply(pair.reply, pair.mail, wanted).quality)
    for pair in worst[: arguments.show]:
        reading = read_reply(pair.reply, pair.mail, wanted)
        print(f"--- {reading.quality:.2f} {reading.notes}\n{pair.reply}")


if __name__ == "__main__":
    main()
