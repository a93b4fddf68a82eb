"""Builds a search from what a person or a model typed, whatever characters it holds.

Each keyword becomes one FTS5 string, so that nothing in it can act as query syntax; all else goes in as
parameters.
Source: SQLite FTS5 documentation, section 3.1, "FTS5 Strings": within double quotes only the double quote
    itself is special, and is written twice.
"""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta

from mailgym.core.errors import QueryError
from mailgym.mail.schema import name_words

MAX_TERMS = 64
MAX_PHRASE_WORDS = 64
MAX_LIMIT = 10_000
COLUMN_WEIGHTS = {"subject": 2.5, "people": 1.5, "new_text": 1.0, "quoted_text": 0.25, "attachments": 1.0}

_PIECE = re.compile(r'"([^"]*)"|(\S+)')
_WORD = re.compile(r"[^\W_]+")
_ADDRESS = re.compile(r"[^\s<>,;@\"]{1,128}@[^\s<>,;@\"]{1,255}\.[^\s<>,;@\"]{1,63}")
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)
_RFC_3339 = re.compile(r"\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}:\d{2}(\.\d{1,9})?([Zz]|[+-]\d{2}:\d{2})", re.ASCII)


LINKING_WORDS = frozenset(("at", "from", "in", "of", "our", "the"))
"""Words that people put between a name and where someone works."""


@dataclass(frozen=True, slots=True)
class Terms:
    """The keywords of one search.

    Attributes:
        phrases: Words of each term, in order: one word, or several for a phrase.
        expression: The FTS5 expression.
    """

    phrases: tuple[tuple[str, ...], ...]
    expression: str


@dataclass(frozen=True, slots=True)
class Filters:
    """SQL conditions on ``messages m``, all of which must hold, and their parameters."""

    conditions: tuple[str, ...]
    parameters: tuple[object, ...]


def read_keywords(keywords: str | Sequence[str] | None, match: str) -> Terms | None:
    """Read keywords: a string of words (phrases in double quotes), or a list of words and phrases.

    Words are told apart as the index does, at anything that is neither letter nor digit: ``e-mail`` is the
    phrase *e mail*. Terms are taken once each (case aside); those after the first 64 are not searched.

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
    phrases: dict[tuple[str, ...], tuple[str, ...]] = {}
    for piece in pieces:
        words = tuple(_WORD.findall(unicodedata.normalize("NFC", piece)))
        if len(words) > MAX_PHRASE_WORDS:
            raise QueryError(f"keyword phrase of {len(words)} words: write at most {MAX_PHRASE_WORDS}, better 1 to 3")
        if words:
            phrases.setdefault(tuple(word.casefold() for word in words), words)
    if not phrases:
        raise QueryError(f"keywords {_shown(' '.join(pieces))} hold no letter or digit: write words")
    kept = tuple(phrases.values())[:MAX_TERMS]
    strings = ['"' + " ".join(words).replace('"', '""') + '"' for words in kept]
    return Terms(kept, (" AND " if match == "all" else " OR ").join(strings))


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
    with_keywords: bool,
) -> Filters:
    """Turn the filters of a search into SQL; None and empty strings filter nothing.

    ``with_keywords`` says whether the keywords already narrow the messages down; it changes the plan, not the
    result.

    Raises:
        QueryError: A date is not one, or a name has no letter or digit; it names the bad value.
    """
    conditions: list[str] = []
    parameters: list[object] = []
    for label, who, is_author in (("from", from_, True), ("to", to, False)):
        if _is_given(label, who):
            people, values = _people(label, _storable(who or ""))
            parameters += values
            if is_author:
                conditions.append(f"m.author_id IN ({people})")
            elif with_keywords:
                conditions.append(
                    f"EXISTS (SELECT 1 FROM recipients r WHERE r.number = m.number AND r.address_id IN ({people}))"
                )
            else:
                conditions.append(f"m.number IN (SELECT number FROM recipients WHERE address_id IN ({people}))")
    for label, when, sign in (("after", after, ">="), ("before", before, "<")):
        if when is not None and when != "":
            conditions.append(f"m.date_s {sign} ?")
            parameters.append(read_moment(label, when).timestamp())
    if _is_given("folder", folder):
        conditions.append("m.folder = ? COLLATE NOCASE")
        parameters.append(_storable(folder or ""))
    if has_attachment is not None:
        if not isinstance(has_attachment, bool):
            raise QueryError(f"has_attachment is {_shown(has_attachment)}: write true or false")
        conditions.append("m.has_attachment = ?")
        parameters.append(int(has_attachment))
    return Filters(tuple(conditions), tuple(parameters))


def _is_given(label: str, value: object) -> bool:
    if value is None:
        return False
    if not isinstance(value, str):
        raise QueryError(f"{label} is {_shown(value)}: write a string")
    return bool(value.strip())


def _storable(text: str) -> str:
    """Replace lone surrogates, which no database can hold or match."""
    return text.encode("utf-8", errors="replace").decode("utf-8")


def _people(label: str, who: str) -> tuple[str, list[object]]:
    """Select the ids of a whole address, or else of all that have words with these beginnings.

    Linking words are left out where there are others: "Tom from Legal" is Tom, at an address with "legal" in it.
    """
    address = _ADDRESS.search(who)
    if address:
        return "SELECT id FROM addresses WHERE address = ?", [str(address[0]).strip("'.").lower()]
    every_word = name_words(who)
    words = [word for word in every_word if word not in LINKING_WORDS][:MAX_TERMS] or every_word
    if not words:
        raise QueryError(f"{label} is {_shown(who)}: write a name or an address")
    one = "SELECT address_id FROM address_words WHERE word >= ? AND word < ?"
    return " INTERSECT ".join([one] * len(words)), [bound for word in words for bound in (word, word + "\U0010ffff")]


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

    A date counts to the end of its day in UTC; a time counts itself in.
    """
    if as_of is None:
        return float("inf")
    if isinstance(as_of, datetime):
        return read_moment("as_of", as_of).timestamp() + 1
    if as_of == date.max:
        return float("inf")
    return read_moment("as_of", as_of + timedelta(days=1)).timestamp()


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
