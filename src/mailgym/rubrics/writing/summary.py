"""What a summary of a message is worth: the key facts, in few words, in words of one's own.

Source: the hardened criterion for summaries of the environments that write; the system's document (004) pays for any
text of more than ten characters.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from mailgym.mail.terms import stem_words, words_of
from mailgym.rubrics.values.wording import clean
from mailgym.rubrics.writing.asks import same_date, same_quantity
from mailgym.rubrics.writing.denial import is_denied
from mailgym.rubrics.writing.echo import copied_share, longest_copy
from mailgym.rubrics.writing.english import roots, words_in
from mailgym.rubrics.writing.letter import Letter
from mailgym.rubrics.writing.mail import MailFacts
from mailgym.rubrics.writing.plain import plain
from mailgym.rubrics.writing.reply import MOST_MAIL_CHARACTERS
from mailgym.rubrics.writing.sentences import read_prose
from mailgym.rubrics.writing.values_in import pieces_of, values_in

LENGTH_SHARE = 0.25
LEAST_ROOM_WORDS = 20
FREE_SPAN_WORDS, WHOLE_SPAN_WORDS = 6, 14
FREE_COPY = 0.4


@dataclass(frozen=True, slots=True)
class SummaryReading:
    """What was read of a summary; every number is from 0 to 1.

    Attributes:
        carried: Share of the facts that it states.
        short: 1 up to a quarter of the message's words (20 words for a short message), 0 from twice that on.
        original: 1 for the agent's own words, 0 for a copied stretch of 14 words or a copy altogether.
        quality: carried x short x original x the share of it that reads as prose.
        notes: Why a number is below 1, by its name. Owner's side only.
    """

    carried: float
    short: float
    original: float
    quality: float
    notes: dict[str, str] = field(default_factory=dict)


def read_summary(text: str, mail: MailFacts, facts: tuple[tuple[str, ...], ...]) -> SummaryReading:
    """Return what a summary is worth; it never raises, whatever the text.

    A fact is carried where one of its forms stands in the summary: by value where it is no more than a date, time,
    amount or number, else by the stems of its words within one sentence; what is denied is not. Without facts, what
    counts is that it is short, its author's own, and speaks of the message.

    Args:
        text: The summary.
        mail: The message.
        facts: The key facts, each a group of forms.
    """
    shown = plain(text)
    words = words_in(shown.text)
    if not words:
        return SummaryReading(0.0, 0.0, 0.0, 0.0, {"carried": "the summary is empty"})
    source = plain(mail.text, MOST_MAIL_CHARACTERS).text
    subject = plain(mail.subject).text
    pieces = tuple(pieces_of(shown.text))
    notes: dict[str, str] = {}
    missing = [group[0] for group in facts if group and not any(_carries(pieces, shown.text, form) for form in group)]
    if missing:
        notes["carried"] = "lacks " + ", ".join(missing)
    carried = 1.0 - len(missing) / len(facts) if facts else _speaks_of(shown.text, f"{subject}\n{source}")
    short = 0.0 if shown.is_cut else _short(len(words), len(words_in(source)), notes)
    original = _original(shown.text, (source, subject), notes)
    reads = _reads(pieces) * (1.0 - shown.disguised)
    if reads < 1:
        notes["quality"] = "it does not read as prose"
    return SummaryReading(carried, short, original, carried * short * original * reads, notes)


def _carries(pieces: Sequence[str], text: str, form: str) -> bool:
    form = plain(form).text
    wanted, given = values_in(form), values_in(text)
    if not _words_beside(form):
        dates = all(any(same_date(right, said) for said in given.dates) for right in wanted.dates)
        quantities = all(any(same_quantity(right, said) for said in given.quantities) for right in wanted.quantities)
        times = all(right in given.times for right in wanted.times)
        if dates and quantities and times and (wanted.dates or wanted.quantities or wanted.times):
            return True
    stems = set(roots(form))
    holding = [piece for piece in pieces if stems and stems <= set(roots(piece))]
    return any(not is_denied(piece, form) for piece in holding)


def _words_beside(form: str) -> bool:
    """Whether a form of a fact has words beside its value."""
    values = values_in(form)
    return not (values.dates or values.quantities or values.times) or len(clean(form).split()) > 4


def _short(count: int, mail_count: int, notes: dict[str, str]) -> float:
    room = max(LEAST_ROOM_WORDS, round(LENGTH_SHARE * mail_count))
    if count > room:
        notes["short"] = f"{count} words where {room} are room"
    return max(0.0, min(1.0, 2.0 - count / room))


def _original(text: str, sources: tuple[str, ...], notes: dict[str, str]) -> float:
    """Return 1 for own words; a stretch of more than 6 copied words takes off, one of 14 leaves nothing."""
    span, share = longest_copy(text, sources), copied_share(text, sources)
    if words_in(text) == words_in(sources[1]):
        span, share = WHOLE_SPAN_WORDS, 1.0
    by_span = (WHOLE_SPAN_WORDS - span) / (WHOLE_SPAN_WORDS - FREE_SPAN_WORDS)
    by_share = (1.0 - share) / (1.0 - FREE_COPY)
    worth = max(0.0, min(1.0, by_span, by_share))
    if worth < 1:
        notes["original"] = f"{share:.0%} of its words are copied, {span} in a row"
    return worth


def _speaks_of(text: str, source: str) -> float:
    shared = set(stem_words([w for w in words_of(text) if len(w) > 3])) & set(stem_words(words_of(source)))
    return min(1.0, len(shared) / 3)


def _reads(pieces: tuple[str, ...]) -> float:
    share = read_prose(Letter((), pieces, (), "")).share
    return max(0.0, min(1.0, (share - 0.2) / 0.5))
