"""Quantities: numbers, money and measures, with their unit, as answers write them."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from mailgym.rubrics.values.mention import MOST_MENTIONS, Mention, Relation
from mailgym.rubrics.values.number_words import NUMBER_WORDS, SCALES, read_number_words
from mailgym.rubrics.values.wording import stem

Bound = Literal["", "about", "above", "below"]

_SYMBOLS = {
    "us$": "USD",
    "u.s.$": "USD",
    "ca$": "CAD",
    "c$": "CAD",
    "a$": "AUD",
    "au$": "AUD",
    "$": "$",
    "€": "EUR",
    "£": "GBP",
    "¥": "JPY",
    "₹": "INR",
    "chf": "CHF",
}
_CURRENCY_WORDS = {
    "dollars": "$",
    "dollar": "$",
    "bucks": "$",
    "us dollars": "USD",
    "u.s. dollars": "USD",
    "canadian dollars": "CAD",
    "euros": "EUR",
    "euro": "EUR",
    "pounds sterling": "GBP",
    "pounds": "GBP",
    "pound": "GBP",
    "quid": "GBP",
    "yen": "JPY",
    "rupees": "INR",
    "swiss francs": "CHF",
    "francs": "CHF",
    "cents": "cents",
    "cent": "cents",
    "¢": "cents",
}
_CODES = "usd eur gbp jpy cad aud chf inr sek nok dkk mxn brl cny nzd".split()
_DOLLARS = {"$", "USD", "CAD", "AUD", "NZD"}
_SCALE_SIGNS = {
    "k": 1000,
    "m": 10**6,
    "mm": 10**6,
    "mn": 10**6,
    "mil": 10**6,
    "mio": 10**6,
    "b": 10**9,
    "bn": 10**9,
    "bln": 10**9,
    "tn": 10**12,
    "thousands": 1000,
    "millions": 10**6,
    "billions": 10**9,
    "hundred": 100,
    "dozen": 12,
    "grand": 1000,
    "thousand": 1000,
    "million": 10**6,
    "billion": 10**9,
    "trillion": 10**12,
}
_UNITS: dict[str, tuple[str, Fraction]] = {}
for _dimension, _table in {
    "time": {
        "second sec s": 1,
        "minute min": 60,
        "hour hr h": 3600,
        "day": 86400,
        "week wk": 604800,
        "fortnight": 1209600,
    },
    "months": {"month mo": 1, "quarter": 3, "year yr": 12, "decade": 120},
    "work": {"business.day working.day workday": 1},
    "share": {"% percent pct percentage.point percentage pp": 1, "basis.point bp bps": Fraction(1, 100)},
    "length": {"mm": 1, "cm": 10, "meter metre": 1000, "km kilometer kilometre": 10**6, "mile mi": 1609344},
    "weight": {"gram g": 1, "kg kilo kilogram": 1000, "lb lbs": Fraction(45359237, 100000), "ton tonne": 10**6},
    "bytes": {"kb": 1, "mb": 1000, "gb": 10**6, "tb": 10**9},
    "power": {"kw kilowatt": 1, "mw megawatt": 1000, "gw gigawatt": 10**6},
    "energy": {"kwh": 1, "mwh": 1000, "gwh": 10**6},
    "heat": {"mmbtu": 1},
    "temperature": {"degree °f °c": 1},
}.items():
    for _names, _size in _table.items():
        _UNITS.update({name.replace(".", " "): (_dimension, Fraction(_size)) for name in _names.split()})

_SCALE = "|".join(sorted(_SCALE_SIGNS, key=len, reverse=True))
_MONEY_WORD = "|".join(sorted(map(re.escape, [*_CURRENCY_WORDS, *_CODES, "€", "£", r"$"]), key=len, reverse=True))
_SYMBOL = "|".join(sorted(map(re.escape, [*_SYMBOLS, *_CODES]), key=len, reverse=True))
_UNIT_WORD = "|".join(sorted((re.escape(unit) for unit in _UNITS), key=len, reverse=True))
_DIGITS = r"\d{1,3}(?:[,' ]\d{3}){1,6}(?!\d)(?:\.\d{1,12})?|\d{1,3}(?:\.\d{3}){1,6}(?!\d),\d{1,2}|\d{1,18}(?:[.,]\d{1,12})?|\.\d{1,12}"
_QUANTITY = re.compile(
    rf"(?<![\w.,$€£-])(?:(?P<symbol>{_SYMBOL})\s?)?(?P<sign>[-+](?=[\d.$€£]))?(?:(?P<symbol_2>{_SYMBOL})\s?)?"
    rf"(?:(?P<digits>{_DIGITS})(?:[\s-]?(?P<scale>{_SCALE})(?![a-z]))?|(?P<words>{NUMBER_WORDS}))"
    rf"(?:[\s-]?(?P<money>{_MONEY_WORD})(?![a-z])|[\s-]?(?P<unit>{_UNIT_WORD})s?(?![a-z]))?"
    rf"(?:\s?(?:/|\bper\b|\ba(?:n)?(?= (?:day|week|month|year|hour|unit|piece|head|person)\b)|\beach\b)\s?(?P<per>[a-z]{{1,12}})?)?"
    rf"(?!\w)",
    re.IGNORECASE,
)
_OTHER_COUNTS = re.compile(
    r"\b(?:(?P<one>once|a single|only one|just one|exactly one)|(?P<two>twice|a couple|a pair)|(?P<three>thrice)"
    r"|(?P<zero>none|nobody|no one|nil|zero|never|no (?=(?:\w+ ){0,3}?\w+s\b)(?!longer|doubt|later|earlier|more than|less than)))\b"
    r"|(?P<no>\bno\b)(?= (?:open |other |new |further |such |unpaid )?[a-z]+s\b)",
    re.IGNORECASE,
)
_ORDINAL_TAIL = re.compile(r"(?:st|nd|rd|th)\b", re.IGNORECASE)
_ABOUT = re.compile(
    r"(?:\b(?:about|approximately|approx\.?|around|roughly|nearly|almost|some|circa|ca\.?)|~)\s*(?:of )?\Z", re.I
)
_ABOVE = re.compile(
    r"(?:\b(?:more than|over|above|at least|exceed(?:s|ing|ed)?|greater than|no less than|upwards of|minimum of)|>=?)\s*\Z",
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
_OUT_OF = re.compile(r"\b(?:out of|of)(?: the| our| all| a total of)?\s*\Z", re.IGNORECASE)
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
    taken = [(mention.start, mention.end) for mention in found]
    found += [m for m in _other_counts(source) if not any(m.start < end and start < m.end for start, end in taken)]
    return sorted(found, key=lambda mention: mention.start)[:MOST_MENTIONS]


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
    scaled = scale.lower() in _SCALE_SIGNS or any(word in SCALES for word in (match["words"] or "").lower().split())
    currency, values, step = _currency_of(match, values, step)
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
    )
    mention = Mention(quantity, match.start(), match.end())
    if not currency and not unit and (_LABEL.search(before) or _OUT_OF.search(before)):
        return mention.at("beside")
    return mention


def _value_of(match: re.Match[str]) -> tuple[tuple[Fraction, ...], Fraction]:
    if match["words"]:
        value = read_number_words(match["words"])
        return ((value,), Fraction(1)) if value is not None else ((), Fraction(1))
    factor = Fraction(_SCALE_SIGNS.get((match["scale"] or "").lower(), 1)) * (-1 if match["sign"] == "-" else 1)
    readings = [Fraction(reading) * factor for reading in _digit_readings(match["digits"])]
    decimals = len(_digit_readings(match["digits"])[0].partition(".")[2])
    return tuple(dict.fromkeys(readings)), abs(factor) / 10**decimals


def _digit_readings(digits: str) -> list[str]:
    bare = digits.replace("'", "").replace(" ", "")
    if "," in bare and "." in bare:
        return [
            bare.replace(",", "") if bare.rindex(".") > bare.rindex(",") else bare.replace(".", "").replace(",", ".")
        ]
    if re.fullmatch(r"\d{1,3}(?:,\d{3})+", bare):
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
    currency = _SYMBOLS.get(symbol, symbol.upper())
    named = _CURRENCY_WORDS.get(word) or _SYMBOLS.get(word) or word.upper()
    if named == "cents":
        return "$", tuple(value / 100 for value in values), step / 100
    return (named if currency in ("", "$") and named else currency), values, step


def _unit_of(
    match: re.Match[str], values: tuple[Fraction, ...], step: Fraction
) -> tuple[str, tuple[Fraction, ...], Fraction]:
    if not match["unit"]:
        return "", values, step
    name = match["unit"].lower()
    dimension, size = _UNITS[name]
    return dimension, tuple(value * size for value in values), step * size


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
    if given.currency and not right.currency:
        return "none" if right.unit or not _equal(right, given) else "maybe"
    if right.currency and given.currency and not _same_currency(right.currency, given.currency):
        return "other"
    unit = right.unit or (_UNITS[noun][0] if noun in _UNITS else "")
    if given.unit and unit != given.unit:
        return _relate_other_units(right, given, unit)
    factor = Fraction(1)
    if right.unit and not given.unit and not given.currency and noun in _UNITS and _UNITS[noun][0] == right.unit:
        factor = _UNITS[noun][1]
    if given.unit and not right.unit and unit:
        right = Quantity(
            tuple(v * _UNITS[noun][1] for v in right.values),
            "",
            unit,
            bound=right.bound,
            scaled=right.scaled,
            step=right.step * _UNITS[noun][1],
        )
    if right.per and given.per and right.per != given.per:
        return "other"
    return _relate_values(
        right,
        Quantity(
            tuple(v * factor for v in given.values), bound=given.bound, step=given.step * factor, scaled=given.scaled
        ),
    )


def _relate_other_units(right: Quantity, given: Quantity, unit: str) -> Relation:
    if {unit, given.unit} == {"time", "months"} or {unit, given.unit} == {"time", "work"}:
        return "maybe"
    if not unit and not right.currency:
        return "maybe" if _equal(right, given) else "none"
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
    return right == given or ("$" in (right, given) and {right, given} <= _DOLLARS)
