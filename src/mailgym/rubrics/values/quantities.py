"""Quantities: numbers, money and measures, with their unit, as answers write them."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Literal

from mailgym.rubrics.values.mention import MOST_MENTIONS, Mention, Relation
from mailgym.rubrics.values.number_words import NUMBER_WORDS, SCALES, read_number_words
from mailgym.rubrics.values.units import CODES, CURRENCY_WORDS, DOLLARS, SCALE_SIGNS, SECONDS, SYMBOLS, UNITS
from mailgym.rubrics.values.wording import stem

Bound = Literal["", "about", "above", "below"]

_SCALE = "|".join(sorted(SCALE_SIGNS, key=len, reverse=True))
_MONEY_WORD = "|".join(sorted(map(re.escape, [*CURRENCY_WORDS, *CODES, "€", "£", r"$"]), key=len, reverse=True))
_SYMBOL = "|".join(sorted(map(re.escape, [*SYMBOLS, *CODES]), key=len, reverse=True))
_UNIT_WORD = "|".join(sorted((re.escape(unit) for unit in UNITS), key=len, reverse=True))
_DIGITS = (
    r"\d{1,3}(?:[,'\ ]\d{3}){1,6}(?!\d)(?:\.\d{1,12})?|\d{1,3}(?:\.\d{3}){1,6}(?!\d),\d{1,2}"
    r"|\d{1,3}(?:\.\d{3}){2,6}(?![\d.])|\d{1,18}(?:[.,]\d{1,12})?|\.\d{1,12}"
)
_QUANTITY = re.compile(
    rf"""
    (?<![\w.,$€£-])(?:(?P<symbol>{_SYMBOL})\s?)?(?P<sign>[-+](?=[\d.$€£]))?(?:(?P<symbol_2>{_SYMBOL})\s?)?
    (?:(?P<a>(?:half\ |(?:a\ |three\ )quarters?\ of\ )?an?
            (?=\s(?:minute|hour|day|week|month|year|decade|fortnight)\b))
        |(?P<digits>{_DIGITS})(?:[\s-]?(?P<scale>{_SCALE})(?![a-z]))?|(?P<words>{NUMBER_WORDS}))
    (?:[\s-]?(?P<money>{_MONEY_WORD})(?![a-z])|[\s-]?(?P<unit>{_UNIT_WORD})s?(?![a-z])(?P<half>\ and\ a\ half\b)?)?
    (?:\s?(?:/|\bper\b|\ban?(?=\ (?:day|week|month|year|hour|unit|piece|head|person)\b)|\beach\b)
        \s?(?P<per>[a-z]{{1,12}})?)?
    (?!\w)
    """,
    re.IGNORECASE | re.VERBOSE,
)
_AND = re.compile(r"\s*(?:,|and|, and|&)?\s*", re.IGNORECASE)
_OTHER_COUNTS = re.compile(
    r"\b(?:(?P<one>once|a single|only one|just one|exactly one)|(?P<two>twice|a couple|a pair)|(?P<three>thrice)"
    r"|(?P<zero>none|nobody|no one|nil|zero|never))\b"
    r"|(?P<no>\bno\b)(?= (?:open |other |new |further |such |unpaid )?[a-z]+s\b)",
    re.IGNORECASE,
)
_ORDINAL_TAIL = re.compile(r"(?:st|nd|rd|th)\b", re.IGNORECASE)
_ABOUT = re.compile(
    r"(?:\b(?:about|approximately|approx\.?|around|roughly|nearly|almost|some|circa|ca\.?)|~)\s*(?:of )?\Z", re.I
)
_ABOVE = re.compile(
    r"(?:\b(?:more than|over|above|at least|exceed(?:s|ing|ed)?|greater than|no less than|upwards of)|(?<!-)>=?)\s*\Z",
    re.I,
)
_BELOW = re.compile(
    r"(?:\b(?:less than|fewer than|under|below|at most|up to|no more than|not more than|maximum of)|<=?)\s*\Z", re.I
)
_LABEL = re.compile(
    r"(?:#|\b(?:no\.|number|num|nr\.?|invoice|order|po|p\.o\.|ticket|case|room|flight|gate|ext\.?|extension|version|v|rev|page|pages"
    r"|chapter|section|item|option|step|phase|building|suite|floor|unit|account|contract|ref\.?|reference|id|message|mail"
    r"|e-?mail|source|line|seat|row|terminal|track|platform|exhibit|question|q|fy|level|lot|batch|article|clause))"
    r"\s*(?:no\.?|number|id|#)?\s*[:#]?\s*[a-z]{0,3}-?\Z",
    re.IGNORECASE,
)
_OUT_OF = re.compile(
    r"\b(?:out of|(?<!instead )(?<!place )(?<!lieu )(?<!ahead )of)(?: the| our| all| a total of)?\s*\Z", re.IGNORECASE
)
_NOT_A_COUNT = re.compile(
    r"\b(?:the|this|that|which|no|each|every|any|another|either|next|last|first|some)\s*\Z", re.IGNORECASE
)
_NOUN = re.compile(
    r"[\s-]+(?:(?:more|new|open|different|other|separate|total|of|the|our|unpaid|extra)\s+){0,2}([a-z]{3,})",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number with what it counts.

    Attributes:
        values: Its possible readings, the likeliest first ("1.200" is 1.2 or 1200).
        currency: ``$`` where the kind of dollar is not said, a code, or empty.
        unit: The unit's dimension (a key such as ``time``), or empty; ``values`` are in its base unit.
        noun: The stem of the word that follows, empty where none does.
        per: The stem of what it is for each of, empty where nothing is said.
        bound: Whether it is exact (empty), about that much, or a limit.
        step: The size of the last digit written, for rounding.
        written: The readings as they are written, before the unit.
        scaled: Whether a word such as million, or "about", shows that it is round.
    """

    values: tuple[Fraction, ...]
    currency: str = ""
    unit: str = ""
    noun: str = ""
    per: str = ""
    bound: Bound = ""
    step: Fraction = Fraction(1)
    scaled: bool = False
    written: tuple[Fraction, ...] = ()


def find_quantities(text: str, masked: str = "") -> list[Mention[Quantity]]:
    """Return the quantities of a text, in order.

    Args:
        text: The cleaned text.
        masked: The same text with blanks where dates and times stand; empty where none shall be left out.
    """
    source = masked or text
    found: list[Mention[Quantity]] = []
    for match in _QUANTITY.finditer(source):
        mention = _read(source, match)
        if mention is not None:
            found.append(mention)
        if len(found) >= MOST_MENTIONS:
            return found
    found = _compound(source, found)
    taken = [(mention.start, mention.end) for mention in found]
    found += [m for m in _other_counts(source) if not any(m.start < end and start < m.end for start, end in taken)]
    return sorted(found, key=lambda mention: mention.start)[:MOST_MENTIONS]


def _compound(text: str, found: list[Mention[Quantity]]) -> list[Mention[Quantity]]:
    """Add up "1 hour and 30 minutes"."""
    out: list[Mention[Quantity]] = []
    for mention in found:
        before = out[-1] if out else None
        fits = before and before.value.unit == mention.value.unit in ("time", "months", "length", "weight")
        if (
            before
            and fits
            and mention.value.step < before.value.step
            and _AND.fullmatch(text[before.end : mention.start])
        ):
            total = before.value.values[0] + mention.value.values[0]
            out[-1] = replace(
                before, value=replace(before.value, values=(total,), step=mention.value.step), end=mention.end
            )
        else:
            out.append(mention)
    return out


def _read(text: str, match: re.Match[str]) -> Mention[Quantity] | None:
    values, step = _value_of(match)
    if not values or _ORDINAL_TAIL.match(text, match.end("digits") if match["digits"] else match.end()):
        return None
    before = text[max(0, match.start() - 40) : match.start()]
    if match["words"] and match["words"].lower() == "one" and _NOT_A_COUNT.search(before) and not match["unit"]:
        return None
    if match["words"] and match["words"].lower() == "one" and text[match.end() : match.end() + 4].lower() == " of ":
        return None
    scale = match["scale"] or ""
    scaled = scale.lower() in SCALE_SIGNS or any(word in SCALES for word in (match["words"] or "").lower().split())
    currency, values, step = _currency_of(match, values, step)
    written = values
    unit, values, step = _unit_of(match, values, step)
    noun = _NOUN.match(text, match.end())
    quantity = Quantity(
        values,
        currency,
        unit,
        stem(noun[1].lower()) if noun else "",
        stem((match["per"] or "").lower()),
        _bound_of(before),
        step,
        scaled or bool(_ABOUT.search(before)),
        written,
    )
    mention = Mention(quantity, match.start(), match.end())
    if not currency and not unit and (_LABEL.search(before) or _OUT_OF.search(before)):
        return mention.at("beside")
    return mention


def _value_of(match: re.Match[str]) -> tuple[tuple[Fraction, ...], Fraction]:
    if match["a"]:
        parts = {"half": Fraction(1, 2), "a quarter": Fraction(1, 4), "three quarters": Fraction(3, 4)}
        part = next((value for words, value in parts.items() if match["a"].lower().startswith(words)), Fraction(1))
        return (part,), Fraction(1)
    if match["words"]:
        value = read_number_words(match["words"])
        return ((value,), Fraction(1)) if value is not None else ((), Fraction(1))
    factor = Fraction(SCALE_SIGNS.get((match["scale"] or "").lower(), 1)) * (-1 if match["sign"] == "-" else 1)
    readings = [Fraction(reading) * factor for reading in _digit_readings(match["digits"])]
    decimals = len(_digit_readings(match["digits"])[0].partition(".")[2])
    return tuple(dict.fromkeys(readings)), abs(factor) / 10**decimals


def _digit_readings(digits: str) -> list[str]:
    bare = digits.replace("'", "").replace(" ", "")
    if "," in bare and "." in bare:
        return [
            bare.replace(",", "") if bare.rindex(".") > bare.rindex(",") else bare.replace(".", "").replace(",", ".")
        ]
    if bare.count(",") > 1 or re.fullmatch(r"\d{1,3}(?:,\d{3})+", bare):
        return [bare.replace(",", "")]
    if re.fullmatch(r"[1-9]\d{0,2}\.\d{3}", bare):
        return [bare, bare.replace(".", "")]
    if re.fullmatch(r"\d{1,3}(?:\.\d{3}){2,}", bare):
        return [bare.replace(".", "")]
    return [bare.replace(",", ".")]


def _currency_of(
    match: re.Match[str], values: tuple[Fraction, ...], step: Fraction
) -> tuple[str, tuple[Fraction, ...], Fraction]:
    symbol = (match["symbol"] or match["symbol_2"] or "").lower()
    word = (match["money"] or "").lower()
    currency = SYMBOLS.get(symbol, symbol.upper())
    named = CURRENCY_WORDS.get(word) or SYMBOLS.get(word) or word.upper()
    if named == "cents":
        return "$", tuple(value / 100 for value in values), step / 100
    return (named if currency in ("", "$") and named else currency), values, step


def _unit_of(
    match: re.Match[str], values: tuple[Fraction, ...], step: Fraction
) -> tuple[str, tuple[Fraction, ...], Fraction]:
    if not match["unit"]:
        return "", values, step
    name = match["unit"].lower()
    dimension, size = UNITS[name]
    half = Fraction(1, 2) if match["half"] else Fraction(0)
    return dimension, tuple((value + half) * size for value in values), step * size


def _bound_of(before: str) -> Bound:
    if _ABOVE.search(before):
        return "above"
    if _BELOW.search(before):
        return "below"
    return "about" if _ABOUT.search(before) else ""


def _other_counts(text: str) -> Iterator[Mention[Quantity]]:
    numbers = {"one": 1, "two": 2, "three": 3, "zero": 0, "no": 0}
    for match in _OTHER_COUNTS.finditer(text):
        number = next(numbers[name] for name, found in match.groupdict().items() if found)
        if number == 0 and re.match(r"\s*,", text[match.end() : match.end() + 2]):
            continue
        yield Mention(Quantity((Fraction(number),)), match.start(), match.end())


def relate_quantities(right: Quantity, given: Quantity, noun: str = "") -> Relation:
    """Compare a right quantity with a given one.

    Args:
        right: The right one.
        given: The given one.
        noun: The stem of what the question counts ("how many invoices"); a given quantity of another noun or unit
            says nothing about it.
    """
    right = _in_unit(right, noun)
    if right.unit and noun in UNITS and UNITS[noun][0] == right.unit:
        given = _in_unit(given, noun)
    if given.currency and not right.currency:
        return "maybe" if not right.unit and _equal(right, given) else "none"
    if right.currency and given.currency and not _same_currency(right.currency, given.currency):
        return "other"
    if right.per and given.per and right.per != given.per:
        return "other"
    return _relate_values(right, given) if right.unit == given.unit else _relate_units(right, given)


def _in_unit(quantity: Quantity, noun: str) -> Quantity:
    """Return a bare number in the unit that the question names, if it names one."""
    if quantity.unit or quantity.currency or noun not in UNITS:
        return quantity
    dimension, size = UNITS[noun]
    values = tuple(value * size for value in quantity.values)
    return replace(quantity, values=values, unit=dimension, step=quantity.step * size)


def _relate_units(right: Quantity, given: Quantity) -> Relation:
    """Compare quantities of which one has no unit, or each has another."""
    same_number = bool(set(right.written) & set(given.written))
    if right.currency or not right.unit:
        return "maybe" if same_number and not right.currency else "none"
    if not given.unit:
        return ("maybe" if given.noun else "same") if same_number else "other"
    if {right.unit, given.unit} <= set(SECONDS):
        days = [SECONDS[value.unit] * value.values[0] / 86400 for value in (right, given)]
        return "maybe" if min(days) * 3 >= max(days) * 2 else "other"
    return "none"


def _relate_values(right: Quantity, given: Quantity) -> Relation:
    if _equal(right, given):
        return (
            "same"
            if right.bound == given.bound
            or "about" in (right.bound, given.bound)
            or not {right.bound, given.bound} & {"above", "below"}
            else "maybe"
        )
    exact, close = right.values[0], given.values[0]
    if right.scaled and right.step > 0 and abs(exact - close) * 2 <= right.step and given.step < right.step:
        return "same"
    if (
        given.step > 0
        and abs(exact - close) * 2 <= given.step
        and (given.scaled or given.bound)
        and given.step * 5 <= abs(exact)
    ):
        return "maybe"
    if given.bound in ("above", "below") or (given.bound == "about" and abs(exact - close) * 10 <= abs(exact)):
        return "maybe" if _within(exact, close, given.bound) else "other"
    return "other"


def _within(exact: Fraction, limit: Fraction, bound: Bound) -> bool:
    return bound == "about" or (exact > limit if bound == "above" else exact < limit)


def _equal(right: Quantity, given: Quantity) -> bool:
    return bool(set(right.values) & set(given.values))


def _same_currency(right: str, given: str) -> bool:
    return right == given or ("$" in (right, given) and {right, given} <= DOLLARS)
