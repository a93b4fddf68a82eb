"""Names of people, companies and teams: parts, titles, initials, short forms, addresses."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice

from mailgym.rubrics.values.dates import MONTHS, WEEKDAYS
from mailgym.rubrics.values.mention import MOST_MENTIONS, Mention, Relation

_TITLES = "mr mrs ms miss dr prof professor sir madam mme mister herr frau rev hon capt captain"
_SUFFIXES = (
    "jr sr ii iii iv phd esq md cpa mba inc incorporated corp corporation ltd llc llp gmbh ag plc co company limited"
)
_PARTICLES_LINE = "van von de der den di la le del da du bin al ter st"
TITLES, SUFFIXES, _PARTICLES = (frozenset(line.split()) for line in (_TITLES, _SUFFIXES, _PARTICLES_LINE))
_SHORT_FORMS = (
    "robert bob rob bobby robbie|william bill will billy|michael mike mick|elizabeth liz beth lisa eliza"
    "|james jim jimmy jamie|john jack johnny|richard rick dick rich|thomas tom tommy|katherine kate kathy katie cathy"
    "|catherine cathy kate katie|margaret maggie meg peggy|jennifer jen jenny|christopher chris|christine chris christy"
    "|daniel dan danny|david dave|joseph joe|joshua josh|matthew matt|nicholas nick|anthony tony|andrew andy drew"
    "|samuel sam|samantha sam|benjamin ben|alexander alex|alexandra alex|stephen steve|steven steve|gregory greg"
    "|jeffrey jeff|kenneth ken|lawrence larry|edward ed eddie ted|charles charlie chuck|patricia pat patty trish"
    "|patrick pat|susan sue susie|deborah deb debbie|barbara barb|rebecca becky|victoria vicky|philip phil|phillip phil"
    "|ronald ron|donald don|timothy tim|vincent vince|zachary zach|nathaniel nate|nathan nate|peter pete|raymond ray"
    "|frederick fred|gerald jerry gerry|leonard len|louis lou|martin marty|theodore ted|walter walt|abigail abby"
    "|amanda mandy|jessica jess|kimberly kim|pamela pam|sandra sandy|teresa terry|theresa terry|valerie val"
    "|cynthia cindy|jacqueline jackie|melissa mel|allison allie"
)
_FORMS: dict[str, set[str]] = {}
for _family in _SHORT_FORMS.split("|"):
    _full, *_shorts = _family.split()
    for _short in _shorts:
        _FORMS.setdefault(_short, set()).add(_full)

_CAPITAL = r"[^\W\d_a-zß-öø-ÿ][\w'&-]*\.?"
_PARTICLE = "|".join(sorted(_PARTICLES))
_NAME = re.compile(
    rf"(?P<address>[\w.+'-]{{1,64}}@[\w-]{{1,63}}(?:\.[\w-]{{1,63}}){{1,5}})"
    rf"|(?P<name>(?<![\w.@]){_CAPITAL}(?:\s(?:(?:{_PARTICLE}|of|and the|the|&|for)\s){{0,2}}{_CAPITAL}){{0,5}})"
)
_NO_NAMES = (
    "the a an it he she they i we you this that these those there here yes no not and but or so as at by for from "
    "in of on to with according his her their our my your its who what when where which if then also both neither "
    "either all none is was were are project team office department room meeting mail email message subject based "
    "after before while since because although though however unfortunately sorry answer final per re fw fwd "
    "regarding about only just today tomorrow yesterday ceo cfo cto coo cio vp svp evp hr it director manager "
    "president chairman chairwoman counsel head lead finance legal sales marketing support procurement accounting "
    "operations engineering assistant board"
)
_NOT_NAMES = frozenset(_NO_NAMES.split()) | set(MONTHS) | set(WEEKDAYS)
_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)?")
_NEEDS_LAST = re.compile(
    r"\b(?:full name|last name|surname|family name|both names|first and last|email|e-mail|address)\b", re.I
)
_FUNCTION = re.compile(
    r"\s*\([^()]{0,80}\)|,\s(?:the|a|an|our|my|his|her|their|who|from|of|at|in)\b.*\Z|\s-\s.*\Z", re.DOTALL
)


@dataclass(frozen=True, slots=True)
class Name:
    """A name as its parts in lower case, titles and endings such as "Jr." or "Inc." left out."""

    parts: tuple[str, ...]


def read_name(text: str) -> Name:
    """Return the parts of a text that is a name: "Whitfield, Ms. Dana (CFO)" is whitfield, dana."""
    bare = _FUNCTION.sub("", text)
    if "@" in bare:
        bare = bare.partition("@")[0]
        bare = re.sub(r"[._+\d-]", " ", bare)
    parts = [word.lower().removesuffix("'s").removesuffix("'") for word in _WORD.findall(bare)]
    kept = [
        part
        for part in parts
        if part not in TITLES and part not in SUFFIXES and part not in _PARTICLES and part not in ("the", "and", "of")
    ]
    return Name(tuple(kept or parts))


def find_names(text: str, right: Sequence[Name] = (), question: str = "") -> list[Mention[Name]]:
    """Return the names of a text, in order: words with capitals, addresses, and the right name's own words.

    Names that the question itself says are left out: they are what is asked about.
    """
    asked = set(read_name(question).parts)
    wanted = {part for name in right for part in name.parts}
    found: list[Mention[Name]] = []
    for match in islice(_NAME.finditer(text), MOST_MENTIONS):
        mention = _read(match, asked - wanted)
        if mention is not None:
            found.append(mention)
    found = _turned(text, found)
    found += _lower_case(text, right, found)
    return sorted(found, key=lambda mention: mention.start)


def _read(match: re.Match[str], asked: set[str]) -> Mention[Name] | None:
    start, end = match.span()
    if match["address"]:
        name = read_name(match["address"])
        return Mention(name, start, end) if name.parts else None
    words = list(_WORD.finditer(match["name"]))
    while words and _is_no_name(words[0][0]):
        words = words[1:]
    while words and words[-1][0].lower() in _NOT_NAMES:
        words = words[:-1]
    if not words:
        return None
    begin, stop = start + words[0].start(), start + words[-1].end()
    name = read_name(match["name"][words[0].start() : words[-1].end()])
    rest = tuple(part for part in name.parts if part not in asked)
    if not rest or all(part.isdigit() for part in rest):
        return None
    return Mention(name, begin, stop)


def _is_no_name(word: str) -> bool:
    return word.lower().partition("'")[0] in _NOT_NAMES or word in _PARTICLES


def _turned(text: str, found: list[Mention[Name]]) -> list[Mention[Name]]:
    """Join "Whitfield, Dana" where it stands alone."""
    if len(found) == 2 and text[: found[0].start].strip() == "" and text[found[1].end :].strip(" .") == "":
        a, b = found
        if text[a.end : b.start].strip() == "," and len(a.value.parts) == 1 and len(b.value.parts) <= 2:
            return [Mention(Name((*b.value.parts, *a.value.parts)), a.start, b.end)]
    return found


def _lower_case(text: str, right: Sequence[Name], found: list[Mention[Name]]) -> list[Mention[Name]]:
    """Return the right names' words where they stand without capitals, those that touch as one name."""
    wanted = {part for name in right for part in name.parts if len(part) > 1}
    more: list[Mention[Name]] = []
    for word in islice(_WORD.finditer(text), 2_000):
        part = word[0].lower().removesuffix("'s")
        if part not in wanted or any(word.start() < m.end and m.start < word.end() for m in found):
            continue
        if more and text[more[-1].end : word.start()].strip(" ,.") == "":
            more[-1] = Mention(Name((*more[-1].value.parts, part)), more[-1].start, word.end())
        else:
            more.append(Mention(Name((part,)), word.start(), word.end()))
    return more[:MOST_MENTIONS]


def relate_names(right: Name, given: Name, question: str = "") -> Relation:  # noqa: PLR0911 (one return a rule)
    """Compare a right name with a given one.

    A part of the name is the same name where the question does not ask for all of it; without a question that cannot
    be told.
    """
    unmatched_right = list(right.parts)
    unmatched_given: list[str] = []
    by_initial = 0
    for part in given.parts:
        twin = next((other for other in unmatched_right if _same_part(other, part)), None)
        if twin is None:
            unmatched_given.append(part)
        else:
            unmatched_right.remove(twin)
            by_initial += len(part) == 1 or len(twin) == 1
    matched = len(right.parts) - len(unmatched_right)
    if not matched:
        return "maybe" if _is_initials(right, given) else "other"
    if not unmatched_right:
        return "maybe" if by_initial == matched and by_initial else "same"
    if all(len(part) == 1 for part in unmatched_right) and matched > by_initial and not unmatched_given:
        return "same"
    if unmatched_given:
        return _relate_overlap(unmatched_right, unmatched_given, matched, by_initial)
    if matched == by_initial:
        return "maybe"
    middle_only = len(right.parts) > 2 and matched >= 2 and right.parts[-1] not in unmatched_right
    if middle_only:
        return "same"
    return "same" if question and not _NEEDS_LAST.search(question) else "maybe"


def _relate_overlap(right: list[str], given: list[str], matched: int, by_initial: int) -> Relation:
    if any(_near(a, b) for a in right for b in given):
        return "maybe"
    return "other" if matched > by_initial or len(given) > 1 else "maybe" if matched > 1 else "other"


def _near(a: str, b: str) -> bool:
    """Whether one letter was mistyped."""
    if abs(len(a) - len(b)) > 1 or min(len(a), len(b)) < 5:
        return False
    common = 0
    while common < min(len(a), len(b)) and a[common] == b[common]:
        common += 1
    swapped = a[common : common + 2] == b[common : common + 2][::-1] and a[common + 2 :] == b[common + 2 :]
    return (
        swapped or a[common + 1 :] == b[common + 1 :] or a[common + 1 :] == b[common:] or a[common:] == b[common + 1 :]
    )


def _same_part(right: str, given: str) -> bool:
    if right == given or (1 in (len(right), len(given)) and right[0] == given[0]):
        return True
    families = {right, *_FORMS.get(right, ())} & {given, *_FORMS.get(given, ())}
    return bool(families)


def _is_initials(right: Name, given: Name) -> bool:
    return len(given.parts) == 1 and given.parts[0] == "".join(part[0] for part in right.parts)
