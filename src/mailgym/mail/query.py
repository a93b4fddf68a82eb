"""Reads a search from what a person or a model typed, whatever characters it holds.

Keywords are words and nothing else: no character in them has a meaning of its own but the double quotes around a
phrase.
"""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime

from mailgym.core.errors import QueryError
from mailgym.mail.terms import stem_words, words_of

MAX_TERMS = 64
MAX_PHRASE_WORDS = 64
MAX_LIMIT = 10_000
_DAY_S = 86_400

_PIECE = re.compile(r'"([^"]*)"|(\S+)')
_ADDRESS = re.compile(r"[^\s<>,;@\"]{1,128}@[^\s<>,;@\"]{1,255}\.[^\s<>,;@\"]{1,63}")
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)
_RFC_3339 = re.compile(r"\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}:\d{2}(\.\d{1,9})?([Zz]|[+-]\d{2}:\d{2})", re.ASCII)


LINKING_WORDS = frozenset(("at", "from", "in", "of", "our", "the"))
"""Words that people put between a name and where someone works."""


@dataclass(frozen=True, slots=True)
class Terms:
    """The keywords of one search.

    Attributes:
        phrases: Stems of each term, in order: one, or several for a phrase.
        words: All their words as typed, folded: what a snippet shows.
        is_all: Whether all terms must be there; otherwise any suffices.
    """

    phrases: tuple[tuple[str, ...], ...]
    words: tuple[str, ...]
    is_all: bool


@dataclass(frozen=True, slots=True)
class Who:
    """Whom a filter names: one whole address, or words with which words of the name or address begin."""

    address: str
    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Filters:
    """What a message must be; None filters nothing. Dates are seconds since 1970 in UTC, ``before_s`` not included."""

    from_: Who | None = None
    to: Who | None = None
    after_s: float | None = None
    before_s: float | None = None
    folder: str | None = None
    has_attachment: bool | None = None


def read_keywords(keywords: str | Sequence[str] | None, match: str) -> Terms | None:
    """Read keywords: a string of words (phrases in double quotes), or a list of words and phrases.

    Words are told apart as the index does, at anything that is neither letter nor digit: ``e-mail`` is the
    phrase *e mail*. Terms with the same stems are taken once; those after the first 64 are not searched.

    Returns:
        The terms; None where there are no keywords, or only empty ones.

    Raises:
        QueryError: They hold no letter or digit, a phrase has more than 64 words, or something is not a
            string.
    """
    if match not in ("any", "all"):
        raise QueryError(f"match is {match!r}: write 'any' or 'all'")
    pieces = _pieces(keywords)
    if not pieces:
        return None
    phrases: dict[tuple[str, ...], list[str]] = {}
    for piece in pieces:
        words = words_of(piece)
        if len(words) > MAX_PHRASE_WORDS:
            raise QueryError(f"keyword phrase of {len(words)} words: write at most {MAX_PHRASE_WORDS}, better 1 to 3")
        if words:
            phrases.setdefault(tuple(stem_words(words)), words)
    if not phrases:
        raise QueryError(f"keywords {_shown(' '.join(pieces))} hold no letter or digit: write words")
    kept = dict(list(phrases.items())[:MAX_TERMS])
    return Terms(tuple(kept), tuple(word for words in kept.values() for word in words), match == "all")


def _pieces(keywords: str | Sequence[str] | None) -> list[str]:
    if keywords is None:
        return []
    if isinstance(keywords, str):
        found = [phrase or word for phrase, word in _PIECE.findall(keywords)]
    elif isinstance(keywords, Sequence) and all(isinstance(word, str) for word in keywords):
        found = list(keywords)
    else:
        raise QueryError(f"keywords {_shown(keywords)} must be a string or a list of strings")
    return [piece for piece in found if piece.strip()]


def read_filters(
    *,
    from_: str | None,
    to: str | None,
    after: str | date | None,
    before: str | date | None,
    folder: str | None,
    has_attachment: bool | None,
) -> Filters:
    """Read the filters of a search; None and empty strings filter nothing.

    Raises:
        QueryError: A date is not one, or a name has no letter or digit; it names the bad value.
    """
    if has_attachment is not None and not isinstance(has_attachment, bool):
        raise QueryError(f"has_attachment is {_shown(has_attachment)}: write true or false")
    return Filters(
        from_=_who("from", from_) if _is_given("from", from_) else None,
        to=_who("to", to) if _is_given("to", to) else None,
        after_s=None if after is None or after == "" else read_moment("after", after).timestamp(),
        before_s=None if before is None or before == "" else read_moment("before", before).timestamp(),
        folder=_storable(folder or "") if _is_given("folder", folder) else None,
        has_attachment=has_attachment,
    )


def _is_given(label: str, value: object) -> bool:
    if value is None:
        return False
    if not isinstance(value, str):
        raise QueryError(f"{label} is {_shown(value)}: write a string")
    return bool(value.strip())


def _storable(text: str) -> str:
    """Replace lone surrogates, which no database can hold or match."""
    return text.encode("utf-8", errors="replace").decode("utf-8")


def _who(label: str, who: str | None) -> Who:
    """Read a whole address, or else the words of a name.

    Linking words are left out where there are others: "Tom from Legal" is Tom, at an address with "legal" in it.
    """
    text = _storable(who or "")
    address = _ADDRESS.search(text)
    if address:
        return Who(str(address[0]).lower(), ())
    every_word = list(dict.fromkeys(words_of(text)))
    words = [word for word in every_word if word not in LINKING_WORDS][:MAX_TERMS] or every_word
    if not words:
        raise QueryError(f"{label} is {_shown(who)}: write a name or an address")
    return Who("", tuple(words))


def read_moment(label: str, value: str | date) -> datetime:
    """Read a date (its first moment in UTC) or an RFC 3339 time; strictly.

    Raises:
        QueryError: It is neither; it names the bad value.
    """
    if isinstance(value, datetime):
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value
    if isinstance(value, date):
        return datetime(value.year, value.month, value.day, tzinfo=UTC)
    if not isinstance(value, str):
        raise QueryError(f"{label} is {_shown(value)}: write a date such as 2001-05-14")
    text = value.strip()
    try:
        if _DAY.fullmatch(text):
            return datetime.fromisoformat(text).replace(tzinfo=UTC)
        if _RFC_3339.fullmatch(text):
            return datetime.fromisoformat(text.upper()).astimezone(UTC)
    except (ValueError, OverflowError):
        pass
    raise QueryError(
        f"{label} is {_shown(value)}: write a date such as 2001-05-14, or a time such as 2001-05-14T09:00:00Z"
    )


def read_horizon(as_of: date | datetime | None) -> float:
    """Return from which moment on (seconds since 1970, UTC) mail does not exist; infinity: all mail does.

    A date counts to the end of its day in UTC; a time counts the second in which it lies.
    """
    if as_of is None:
        return float("inf")
    if isinstance(as_of, datetime):
        return math.floor(read_moment("as_of", as_of).timestamp()) + 1
    return read_moment("as_of", as_of).timestamp() + _DAY_S


def read_page(limit: int, offset: int, sort: str) -> None:
    """Check how many hits are asked for, and in which order.

    Raises:
        QueryError: One of them is out of range.
    """
    for label, value, least in (("limit", limit, 1), ("offset", offset, 0)):
        if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= MAX_LIMIT:
            raise QueryError(f"{label} is {_shown(value)}: write a whole number from {least} to {MAX_LIMIT}")
    if sort not in ("rank", "date"):
        raise QueryError(f"sort is {sort!r}: write 'rank' or 'date'")


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 80 else f"{text[:77]}..."
