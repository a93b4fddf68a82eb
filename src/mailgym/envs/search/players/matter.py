"""What a question is about, and how much of it the mails that were seen speak of: threads, and sentences by weight."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from mailgym.envs.search.players.asked import Asked, stems_of
from mailgym.rubrics.values.wording import clean

MAX_SENTENCE_CHARS = 400
MAX_SENTENCES_A_MAIL = 80
BULK = re.compile(
    r"<?(?:no-?reply|news\w*|letters?|tickets?|offers?|claims?|promo\w*|marketing|mailer\w*|bounce\w*|info|updates?|"
    r"notif\w*|alerts?|service)@",
    re.IGNORECASE,
)
GREETING_START = re.compile(r"^(?:… )?(?:[A-Z][\w'-]{1,12} ){1,2}[A-Z]?[\w'-]{0,20}[,:] (?=[A-Z])")
SIGN_OFF_END = re.compile(
    r"(?<=[.!?]) (?:[A-Z][a-z]+ ?)(?:[a-z]+ ?){0,2},? [A-Z][\w'-]*(?: [A-Z][\w'-]*)?(?: .{0,80})?$"
)
GREETING = re.compile(r"^\s*[A-Z][\w'-]*(?: [\w'-]+){0,3}[,:]\s*$")
SIGN_OFF = re.compile(
    r"^\s*(?:[A-Z][\w'-]*(?: [\w'-]+){0,2},|sent from .*|typed with .*|written on .*|from a small .*)\s*$",
    re.IGNORECASE,
)
QUOTE_START = re.compile(
    r"^\s*(?:>|-{2,} ?(?:Original|Forwarded)|_{5,}|On .{5,120}wrote:\s*$|(?:From|Von|De): .+@|Begin forwarded)",
    re.IGNORECASE,
)
FORWARDS = re.compile(r"^\s*(?:fwd?|wg|tr)\s*:", re.IGNORECASE)
SUBJECT_PREFIX = re.compile(r"^(?:\s*(?:re|fwd?|fw|aw|wg|sv|vs)\s*(?:\[\d+\])?:)+", re.IGNORECASE)
HEADER_LINE = re.compile(r"^\s*(?:From|Sent|To|Cc|Date|Subject)\s*:", re.IGNORECASE)
REFLOWED = re.compile(r"(?<=[\w,;])\n(?=[a-z(\d$€£])")
SENTENCE_END = re.compile(r"(?<=[.!?])\s+(?=[A-Z\"'(\d])|\n+")
NOT_A_WORD = re.compile(r"\W+")
UNSEEN = 0.45
"""Weight of a word that no mail has: the mails may say it in other words."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence of a mail.

    Attributes:
        text: As written, without markup.
        mail: The mail it stands in, as its observation; or a hit, whose text is its snippet.
        place: Its number in the mail, from 0.
        weight: How much of the question's matter it, its mail and its thread speak of: 0 to 1.
    """

    text: str
    mail: dict[str, Any]
    place: int
    weight: float


def own_text(mail: dict[str, Any]) -> str:
    """Return what the author of a mail wrote, without greeting and signature; of a forwarded mail, what it forwards."""
    forwards = bool(FORWARDS.match(str(mail["subject"])))
    lines: list[str] = []
    for line in str(mail.get("text", mail.get("snippet", ""))).splitlines():
        if QUOTE_START.match(line) or line.strip() == "--":
            if not forwards:
                break
        elif any(lines) and SIGN_OFF.match(line) and not forwards:
            break
        elif not (GREETING.match(line) and not any(lines)) and not (forwards and HEADER_LINE.match(line)):
            lines.append(line.strip())
    own = REFLOWED.sub(" ", "\n".join(lines))
    return own if "text" in mail else SIGN_OFF_END.sub("", GREETING_START.sub("", own))


def plain_subject(subject: str) -> str:
    """Return a subject without "Re:" and the like, in lower case."""
    return SUBJECT_PREFIX.sub("", subject).strip().lower()


class Matter:
    """What a question is about, and how much of it a text speaks of."""

    def __init__(self, asked: Asked, shown: Sequence[dict[str, Any]]) -> None:
        """Learn from what an episode has shown which words are common and which are in no mail.

        Args:
            asked: What is asked.
            shown: Hits, and mails that were read.
        """
        self.asked = asked
        each = [mail_stems(mail) for mail in shown]
        counts = Counter(stem for stems in each for stem in stems)
        named = stems_of(" ".join(asked.names))
        self._named = named
        self._weights = {
            stem: 1.0 if stem in named else UNSEEN if not counts[stem] else 1.0 - 0.6 * counts[stem] / len(each)
            for stem in asked.stems
        }
        self._whole = sum(self._weights.values()) or 1.0
        self._thread_of = threads_of([plain_subject(mail["subject"]) for mail in shown])
        threads: dict[int, set[str]] = {}
        for mail, stems in zip(shown, each, strict=True):
            if not BULK.search(str(mail["from"])):
                threads.setdefault(self.thread(mail), set()).update(stems)
        self._shares = {thread: self.share(frozenset(stems)) for thread, stems in threads.items()}

    def share(self, stems: frozenset[str]) -> float:
        """Return how much of the matter a set of stems covers, 0 to 1; a word that no mail has counts little."""
        return sum(self._weights[stem] for stem in self.asked.stems & stems) / self._whole

    def name_share(self, mail: dict[str, Any]) -> float:
        """Return how many of the question's names a mail has, in its people, subject or text: 0 to 1."""
        return len(self._named & mail_stems(mail)) / len(self._named) if self._named else 1.0

    def thread(self, mail: dict[str, Any]) -> int:
        """Return the number of a mail's thread: mails whose subjects say the same."""
        return self._thread_of[plain_subject(mail["subject"])]

    def thread_share(self, mail: dict[str, Any]) -> float:
        """Return how much of the matter a mail's thread covers, as far as it was seen; 0 for mail sent to many."""
        return 0.0 if BULK.search(str(mail["from"])) else self._shares.get(self.thread(mail), 0.0)


def threads_of(subjects: Sequence[str]) -> dict[str, int]:
    """Number subjects so that those share a number of which one says all that the other says."""
    numbers: dict[str, int] = {}
    stems_by_number: dict[int, frozenset[str]] = {}
    for subject in sorted(dict.fromkeys(subjects), key=lambda subject: len(stems_of(subject))):
        stems = stems_of(subject)
        same = next((number for number, known in stems_by_number.items() if known and known <= stems), None)
        numbers[subject] = len(numbers) if same is None else same
        stems_by_number.setdefault(numbers[subject], stems)
    return numbers


def mail_stems(mail: dict[str, Any]) -> frozenset[str]:
    """Return the stems of a mail or a hit: people, the parts of their addresses, subject, and its author's own text."""
    people = " ".join(str(mail.get(name, "")) for name in ("from", "to", "cc"))
    return stems_of(f"{NOT_A_WORD.sub(' ', people)} {mail['subject']} {own_text(mail)}")


def sentences(matter: Matter, mail: dict[str, Any]) -> list[Sentence]:
    """Return the sentences of a mail with their weights."""
    base = 0.4 * matter.thread_share(mail) + 0.25 * matter.share(mail_stems(mail))
    pieces = [piece.strip() for piece in SENTENCE_END.split(own_text(mail)) if piece.strip()]
    found = []
    before = 0.0
    for place, piece in enumerate(pieces[:MAX_SENTENCES_A_MAIL]):
        share = matter.share(stems_of(piece))
        found.append(Sentence(clean(piece[:MAX_SENTENCE_CHARS]), mail, place, base + 0.25 * share + 0.1 * before))
        before = share
    return found
