"""Draws searches from the mails themselves, stratified by how many mails hold their words; one seed, one draw."""

import json
import random
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from datetime import timedelta
from pathlib import Path

from contestants.art_e import Email

_WORD = re.compile(r"(?<![^\W_])[^\W_]{2,30}(?![^\W_])")
_MOST_CHARACTERS = 100_000  # of one mail that words are drawn from
_WINDOW = timedelta(days=15)
FILTERED_SHARE = 0.25
MOST_TRIES = 200_000

STRATA = ("rare", "medium", "common", "very common")
_UPPER_SHARES = (1e-4, 0.05, 0.30, 1.0)
LENGTHS = {"1 word": (1, 1), "2 words": (2, 2), "3 words": (3, 3), "4 to 8 words": (4, 8)}
MATCHES = ("any", "all")


@dataclass(frozen=True, slots=True)
class Query:
    """One search.

    Attributes:
        words: Its keywords, all from one mail.
        match: ``any`` or ``all``.
        stratum: How common its most common word is.
        length: Its key in ``LENGTHS``.
        from_: An author's address. to: a recipient's. after: first day. before: day that ends it. Empty: no filter.
    """

    words: tuple[str, ...]
    match: str
    stratum: str
    length: str
    from_: str = ""
    to: str = ""
    after: str = ""
    before: str = ""

    @property
    def is_filtered(self) -> bool:
        """Whether it has a filter."""
        return bool(self.from_ or self.to or self.after or self.before)


def words_of(mail: Email) -> list[str]:
    """Return the different words of subject and body, in order."""
    text = f"{mail.subject}\n{mail.body[:_MOST_CHARACTERS]}"
    return list(dict.fromkeys(_WORD.findall(text.casefold())))


def count_mails_by_word(mails: Iterable[Email]) -> Counter[str]:
    """Return in how many mails each word stands."""
    counts: Counter[str] = Counter()
    for mail in mails:
        counts.update(words_of(mail))
    return counts


def stratum(mails_with_it: int, mails: int) -> int:
    """Return the place in ``STRATA`` of a word that so many of the mails hold; a word of one mail is rare."""
    share = mails_with_it / mails
    if mails_with_it <= 1:
        return 0
    return next(place for place, upper in enumerate(_UPPER_SHARES) if share <= upper)


def draw_queries(mails: Sequence[Email], counts: Counter[str], number: int, seed: int) -> list[Query]:
    """Draw queries, as many of each stratum, length and match; a quarter of them with a filter. All find their mail.

    A query of a stratum has at least one word of it and none that is more common.

    Raises:
        SystemExit: The mails hold no such words.
    """
    chance = random.Random(seed)
    cells = [(s, length, match) for s in range(len(STRATA)) for length in LENGTHS for match in MATCHES]
    drawn = [_draw(mails, counts, chance, *cells[place % len(cells)]) for place in range(number)]
    chance.shuffle(drawn)
    return drawn


def _draw(
    mails: Sequence[Email], counts: Counter[str], chance: random.Random, place: int, length: str, match: str
) -> Query:
    wanted = chance.randint(*LENGTHS[length])
    for _ in range(MOST_TRIES):
        mail = chance.choice(mails)
        places = {word: stratum(counts[word], len(mails)) for word in words_of(mail)}
        exact = [word for word, its in places.items() if its == place]
        if not exact:
            continue
        first = chance.choice(exact)
        others = [word for word, its in places.items() if its <= place and word != first]
        if len(others) >= wanted - 1:
            words = [first, *chance.sample(others, wanted - 1)]
            chance.shuffle(words)
            return Query(tuple(words), match, STRATA[place], length, **_filters(mail, chance))
    raise SystemExit(f"no mail has {wanted} words that are {STRATA[place]} at most: give more mails with --mboxes")


def _filters(mail: Email, chance: random.Random) -> dict[str, str]:
    kind = chance.choice(("from", "to", "after", "window"))
    if chance.random() >= FILTERED_SHARE:
        return {}
    if kind == "from" and mail.from_:
        return {"from_": mail.from_}
    if kind == "to" and mail.to:
        return {"to": mail.to[0]}
    if mail.date is None:
        return {}
    if kind == "after":
        return {"after": f"{mail.date:%Y-%m-%d}"}
    return {"after": f"{mail.date - _WINDOW:%Y-%m-%d}", "before": f"{mail.date + _WINDOW:%Y-%m-%d}"}


def save(path: Path, queries: Sequence[Query]) -> None:
    """Write queries as JSON lines."""
    path.write_text("".join(json.dumps(asdict(query)) + "\n" for query in queries), encoding="utf-8")


def load(path: Path) -> list[Query]:
    """Read what ``save`` wrote."""
    return list(_read(path.read_text(encoding="utf-8").splitlines()))


def _read(lines: Iterable[str]) -> Iterator[Query]:
    for line in lines:
        row = json.loads(line)
        yield Query(**{**row, "words": tuple(row["words"])})
