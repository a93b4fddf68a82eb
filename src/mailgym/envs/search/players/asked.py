"""What a question asks for: the sort of its answer, the words that name its matter, and the noun it counts."""

import re
from dataclasses import dataclass
from functools import lru_cache

from mailgym.envs.search.players.heuristics import MONTH_NAMES, STOP_WORDS, WORD
from mailgym.rubrics.values.wording import stem

_THING = r"(?:\w+ ){0,3}?"
_SORTS: tuple[tuple[str, str], ...] = (
    (
        "yes_no",
        r"\A(?:so |and |but )?(?:is|are|am|was|were|do|does|did|have|has|had|will|would|can|could|should|shall)\b"
        r"(?!.*\b(?:know|remember|tell me|remind me|say) (?:when|what|who|where|how|which)\b)",
    ),
    ("date", r"\bwhat (?:is|was|are|were) (?:the |my |our |their )?(?:\w+ ){0,2}(?:date|day|deadline)\b"),
    ("duration", r"\bhow (?:long|old)\b|\bhow many (?:minutes|hours|days|weeks|months|years)\b"),
    ("count", r"\bhow (?:many|often)\b|\bnumber of\b|\bhow many times\b"),
    (
        "amount",
        r"\bhow (?:much|far (?:below|above|under|over))\b"
        r"|\b(?:what|which) (?:is|was|are|were|will be|would be)?\s?(?:the |our |my |their )?"
        + _THING
        + r"(?:price|cost|amount|sum|fee|budget|salary|pay|bill|total|rate|deposit|offer|balance|rent|fare|charge)s?\b"
        r"|\bwhat (?:do|does|did|must|should|shall|will|would)(?: [\w'’&-]+){1,10}?"
        r" (?:pay|cost|owe|charge|ask for|want for|earn|spend)\b|\bwhat is left to pay\b",
    ),
    ("time", r"\b(?:what|which) (?:time|hour)\b|\bon the clock\b|\bfrom when to when\b"),
    (
        "date",
        r"\b(?:what|which) (?:date|day|weekday|month|year|week)\b|\b(?:by|until|since|till) when\b|\bdeadline\b",
    ),
    (
        "name",
        r"\bwho(?:m|se)?\b|\b(?:which|what) (?:person|colleague|one of us|supplier|customer|vendor)\b|\bname of\b",
    ),
    (
        "place",
        r"\bwhere\b|\b(?:which|what) "
        + _THING
        + r"(?:room|hotel|city|town|place|venue|restaurant|office|building|floor|desk|address|seat|gate|terminal)\b",
    ),
    ("moment", r"\bwhen\b"),
)
_TYPE_WORDS = frozenset(
    WORD.findall(
        """time day date hour clock place room hotel person people name number amount price cost much many often long
        left still now currently again actually exactly finally latest last new date week month year today yet already
        after all once how"""
    )
)
_COUNTED = re.compile(
    r"\bhow many (?:more |different |of the |of my |of our |new |open |other )?([a-z]+)", re.IGNORECASE
)
_TIMES = re.compile(r"\bhow (?:often|many times)\b|\btimes (?:was|were|did|has|have)\b", re.IGNORECASE)
_OLD = re.compile(
    r"\b(?:original(?:ly)?|initial(?:ly)?|previous(?:ly)?|former(?:ly)?|at first|before the change)\b", re.I
)
_TOTAL = re.compile(r"\b(?:in all|altogether|in total|total|all together|overall|sum of|whole)\b", re.IGNORECASE)
_REST = re.compile(r"\b(?:still owe|still have to pay|left to pay|remain\w*|outstanding|rest of|still open)\b", re.I)
_DIFFERENCE = re.compile(
    r"\b(?:how far|how much (?:less|more|lower|higher|cheaper|below|above)|by how much|differ\w*)\b", re.IGNORECASE
)
_CAPITALISED = re.compile(r"(?<!\A)\b[A-Z][\w&'’-]+(?: (?:(?:van|de|von|der|la|and|&) )*[A-Z][\w&'’-]+)*")


@dataclass(frozen=True, slots=True)
class Asked:
    """What a question asks for.

    Attributes:
        text: The question.
        sort: ``yes_no``, ``duration``, ``count``, ``amount``, ``time``, ``date``, ``moment`` (a date, a time or both),
            ``name``, ``place`` or ``text``.
        names: The names it says, as written.
        stems: Stems of the words that tell its matter from others, names among them.
        counted: Stem of the noun it counts, empty where it counts nothing.
        counts_events: Whether it asks how often something happened.
        is_total: Whether it asks for a sum.
        is_rest: Whether it asks for what is still to be paid.
        is_difference: Whether it asks how far apart two amounts are.
        wants_old: Whether it asks for what held before.
    """

    text: str
    sort: str
    names: tuple[str, ...]
    stems: frozenset[str]
    counted: str
    counts_events: bool
    is_total: bool
    is_rest: bool
    is_difference: bool
    wants_old: bool


@lru_cache(maxsize=4096)
def read_question(text: str) -> Asked:
    """Read a question by its interrogatives and nouns."""
    lowered = " ".join(text.lower().split())
    sort = next((sort for sort, pattern in _SORTS if re.search(pattern, lowered)), "text")
    counted = _COUNTED.search(lowered)
    return Asked(
        text=text,
        sort=sort,
        names=tuple(name for name in _CAPITALISED.findall(text) if name.split()[0] not in MONTH_NAMES and name != "I"),
        stems=stems_of(text) - {stem(word) for word in _TYPE_WORDS},
        counted=stem(counted[1]) if counted and not _TIMES.search(lowered) else "",
        counts_events=bool(_TIMES.search(lowered)),
        is_total=bool(_TOTAL.search(lowered)),
        is_rest=bool(_REST.search(lowered)),
        is_difference=bool(_DIFFERENCE.search(lowered)),
        wants_old=bool(_OLD.search(lowered)),
    )


def stems_of(text: str) -> frozenset[str]:
    """Return the stems of a text's words that are no stop words."""
    return frozenset(root(word) for word in WORD.findall(text.lower()) if word not in STOP_WORDS)


def root(word: str) -> str:
    """Return a word without its commonest endings: enough for a question to meet the words of a mail."""
    plain = stem(word)
    for ending, least in (("ing", 6), ("ed", 5), ("ly", 6), ("e", 5)):
        if plain.endswith(ending) and len(plain) >= least:
            return plain.removesuffix(ending)
    return plain
