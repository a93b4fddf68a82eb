"""Names of places: short forms of streets, rooms, states and cities."""

import re

from mailgym.rubrics.values.wording import folded

_ALIASES = (
    "new york city|nyc|new york",
    "los angeles|la",
    "san francisco|sf",
    "washington dc|washington d c|dc|washington",
    "united kingdom|uk|great britain|britain",
    "united states|usa|us|u s|u s a|united states of america|america",
    "las vegas|vegas",
    "philadelphia|philly",
    "saint louis|street louis",
    "saint paul|street paul",
)
_STATES = (
    "al alabama|ak alaska|az arizona|ar arkansas|ca california|co colorado|ct connecticut|de delaware|fl florida"
    "|ga georgia|hi hawaii|id idaho|il illinois|in indiana|ia iowa|ks kansas|ky kentucky|la louisiana|me maine"
    "|md maryland|ma massachusetts|mi michigan|mn minnesota|ms mississippi|mo missouri|mt montana|ne nebraska|nv nevada"
    "|nh new hampshire|nj new jersey|nm new mexico|ny new york|nc north carolina|nd north dakota|oh ohio|ok oklahoma"
    "|or oregon|pa pennsylvania|ri rhode island|sc south carolina|sd south dakota|tn tennessee|tx texas|ut utah"
    "|vt vermont|va virginia|wa washington|wv west virginia|wi wisconsin|wy wyoming"
)
STATE_NAMES = {line.partition(" ")[0]: line.partition(" ")[2] for line in _STATES.split("|")}
_KIND_WORDS = (
    "room conference meeting hall building floor office suite street avenue road boulevard cafe restaurant hotel city"
    " town airport terminal center inn pub bar bistro tavern house park theater museum club station library"
)
_KINDS = frozenset(_KIND_WORDS.split())
# What stands inside what: a room named where a building was asked for may be the same place, or not.
_INNER = frozenset({"room", "conference", "meeting", "hall", "suite", "floor", "office", "terminal"})
_OUTER = frozenset(
    {"building", "floor", "office", "hotel", "city", "town", "airport", "street", "avenue", "road", "boulevard"}
)
# Words that a name can do without: "Cedar" is the Cedar Room, and "the Tower" not the tower floor.
_SILENT = frozenset(
    {"room", "conference", "meeting", "hotel", "restaurant", "cafe", "city", "town", "airport", "inn", "pub", "bar"}
)
_COMMON_WORDS = (
    "old new north south east west northern southern eastern western upper lower big small great little grand main"
    " central first second third left right back front inner outer the"
)
_COMMON = frozenset(_COMMON_WORDS.split())
_VAGUE_WORDS = (
    "downtown uptown here there home outside inside upstairs downstairs abroad remote remotely online usual same nearby"
    " somewhere elsewhere anywhere local town site onsite offsite premises place venue location headquarters hq campus"
)
_VAGUE = frozenset(_VAGUE_WORDS.split())
_SHORT_KINDS = (
    "st street|ave avenue|rd road|blvd boulevard|bldg building|rm room|fl floor|ste suite|conf conference|ctr center"
    "|centre center|theatre theater"
)
_KIND_ENDINGS = dict(pair.split(" ", 1) for pair in _SHORT_KINDS.split("|"))


def place_words(text: str) -> list[str]:
    """Return the words of a place, short forms of streets and states written out."""
    out: list[str] = []
    bare = re.sub(r",\s*([A-Z]{2})\b", lambda match: ", " + STATE_NAMES.get(match[1].lower(), match[1]), text)
    for word in folded(bare).split():
        out.append(_KIND_ENDINGS.get(word, word))
    return [word for word in out if word not in ("in", "at", "on", "of", "to", "our", "its")]


def same_place(a: str, b: str) -> bool:
    """Whether both are names of one place that is known by several."""
    x, y = " ".join(place_words(a)), " ".join(place_words(b))
    return any({x, y} <= set(names.split("|")) for names in _ALIASES)


def place_kinds(text: str) -> set[str]:
    """Return the words that say what kind of place it is."""
    return set(place_words(text)) & _KINDS


def kinds_agree(a: set[str], b: set[str]) -> bool:
    """Whether two places of one name can be one place: what only one of them says, a name can do without."""
    return a ^ b <= _SILENT


def may_hold(a: set[str], b: set[str]) -> bool:
    """Whether a place of one kind may stand inside one of the other kind."""
    return a != b and bool((a & _INNER and b & _OUTER) or (a & _OUTER and b & _INNER))


def is_vague(place: list[str]) -> bool:
    """Whether words name no place that others could not mean as well."""
    return bool(set(place) & _VAGUE)


def is_common(shared: set[str]) -> bool:
    """Whether words are those that many names of places begin with."""
    return shared <= _COMMON
