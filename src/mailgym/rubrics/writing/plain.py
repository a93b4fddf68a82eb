"""A text as its reader sees it: invisible characters gone, look-alike letters as the letters they look like."""

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache

MOST_CHARACTERS = 12_000
"""What is read of a text; what is written beyond it is only known to be there."""

_LOOK_ALIKES = {
    "a": "аαɑ", "b": "ь", "c": "сϲ", "d": "ԁ", "e": "еε", "h": "һ", "i": "іιı", "j": "јϳ", "k": "кκ", "m": "м",
    "n": "п", "o": "оοօ", "p": "рρ", "q": "ԛ", "s": "ѕ", "t": "тτ", "u": "υ", "v": "ѵν", "w": "ԝ", "x": "хχ", "y": "уγ",
    "A": "АΑ", "B": "ВΒ", "C": "СϹ", "E": "ЕΕ", "H": "НΗ", "I": "ІΙ", "J": "Ј", "K": "КΚ", "M": "МΜ", "N": "Ν",
    "O": "ОΟ", "P": "РΡ", "S": "Ѕ", "T": "ТΤ", "X": "ХΧ", "Y": "УΥ", "Z": "Ζ",
}  # fmt: skip
_PLAIN_OF = {ord(letter): plain for plain, row in _LOOK_ALIKES.items() for letter in row}
_SAME = str.maketrans(
    {
        "‘": "'", "’": "'", "‛": "'", "`": "'", "´": "'", "“": '"', "”": '"', "„": '"', "‐": "-", "‑": "-", "‒": "-",
        "–": "-", "−": "-", "—": " - ", "―": " - ", "…": "...", "\xa0": " ", "\u202f": " ", "\u2009": " ",
    }
)  # fmt: skip
_FILLERS = "\u115f\u1160\u3164\uffa0\u034f"
_MIXED = re.compile(r"\w+")
_ENDS = re.compile(r"\r\n?|[\x0b\x0c\x85\u2028\u2029]")


@dataclass(frozen=True, slots=True)
class Plain:
    r"""A text to read.

    Attributes:
        text: What a reader sees, with plain quotes and dashes, lines ending in ``\n``.
        disguised: Share of its words that hid invisible characters, or mixed letters of several scripts: 0 to 1.
        is_cut: Whether there was more than is read.
    """

    text: str
    disguised: float
    is_cut: bool


@lru_cache(maxsize=256)
def plain(text: str, most_characters: int = MOST_CHARACTERS) -> Plain:
    """Return a text as its reader sees it; it takes time linear in what is read, whatever the text's length."""
    text = text.strip()
    is_cut = len(text) > most_characters
    text = _ENDS.sub("\n", text[:most_characters])
    if text.isascii():
        shown = "".join(c for c in text if c >= " " or c in "\n\t")
        return Plain(shown.strip(), _share(text.count("\0"), shown), is_cut)
    hidden = 0
    letters: list[str] = []
    for number, letter in enumerate(text):
        if _is_invisible(letter):
            hidden += letters[-1:] != [] and letters[-1][-1:].isalpha() and text[number + 1 : number + 2].isalpha()
        else:
            letters.append(letter)
    composed = unicodedata.normalize("NFKC", "".join(letters).translate(_SAME)).translate(_SAME)
    mixed = sum(_mixes_scripts(word[0]) for word in _MIXED.finditer(composed))
    return Plain(composed.translate(_PLAIN_OF).strip(), _share(hidden + mixed, composed), is_cut)


def _share(odd: int, text: str) -> float:
    return min(1.0, odd / max(1, len(text.split())))


def _is_invisible(letter: str) -> bool:
    return letter in _FILLERS or (
        letter not in "\n\t" and unicodedata.category(letter) in ("Cc", "Cf", "Cn", "Co", "Cs")
    )


def _mixes_scripts(word: str) -> bool:
    return any(ord(letter) in _PLAIN_OF for letter in word) and any("a" <= letter.lower() <= "z" for letter in word)
