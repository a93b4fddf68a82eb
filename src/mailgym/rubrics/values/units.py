"""Signs and words of currencies, scales and measures."""

from fractions import Fraction

SYMBOLS = {
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
CURRENCY_WORDS = {
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
_CODE_WORDS = "usd eur gbp jpy cad aud chf inr sek nok dkk mxn brl cny nzd"
CODES = _CODE_WORDS.split()
DOLLARS = {"$", "USD", "CAD", "AUD", "NZD"}
SCALE_SIGNS = {
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
_TABLES: dict[str, dict[str, int | Fraction]] = {
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
}
UNITS: dict[str, tuple[str, Fraction]] = {}
for _dimension, _table in _TABLES.items():
    for _names, _size in _table.items():
        UNITS.update({name.replace(".", " "): (_dimension, Fraction(_size)) for name in _names.split()})

SECONDS = {"time": 1, "months": 86400 * 30, "work": 86400}
