"""An answer's text without its formatting, and its words."""

import re
import unicodedata
from dataclasses import dataclass
from datetime import date

MOST_CHARACTERS = 2_000

_SAME_CHARACTERS = str.maketrans(
    {
        "‘": "'", "’": "'", "‛": "'", "`": "'", "´": "'", "“": '"', "”": '"', "„": '"', "«": '"', "»": '"',
        "‐": "-", "‑": "-", "‒": "-", "–": "-", "—": " - ", "―": " - ", "−": "-", "⁄": "/", "→": " -> ", "⇒": " -> ",
        "\u200b": "", "\u200c": "", "\u200d": "", "\u2060": "", "\ufeff": "", "\u00ad": "",
    }
)  # fmt: skip
_FRACTIONS = {"½": ".5", "¼": ".25", "¾": ".75"}
_MARKUP = re.compile(r"\*{1,3}|(?<!\w)_{1,3}|_{1,3}(?!\w)|'{3}|~~|^[ \t]*(?:#{1,6}|>|[-+•·])[ \t]+", re.MULTILINE)
_REFERENCES = re.compile(r"<[^<>\s@]{1,200}@[^<>\s]{1,200}>|\[\d{1,3}\]")
_LEAD = re.compile(
    r"\A\s*(?:(?:the |my )?(?:final |short )?answer(?: to (?:the|your) question)?(?: is| would be)?\s*[:\-]"
    r"|answer is\b|a:)\s*",
    re.IGNORECASE,
)
_ABBREVIATION = re.compile(r"(?:(?<![A-Za-z])[A-Za-z]|\b(?:inc|ltd|co|corp|jr|sr|st|ave|rd|etc))\.\Z", re.IGNORECASE)
_WRAPPING = "\"' \t\n"
_WORD = re.compile(r"[^\W_]+(?:['.&-][^\W_]+)*")

_STOP_WORDS = (
    "a an the of to in on at is was are were be been being it its that this these those for and with by from as will"
    " would has have had he she they we i you his her their our my your him them us me do does did so then there here"
    " which who whom what when where how am"
)
STOP_WORDS = frozenset(_STOP_WORDS.split())


@dataclass(frozen=True, slots=True)
class Texts:
    """What is compared, cleaned.

    Attributes:
        given: The given answer.
        right: The right one.
        question: What was asked; may be empty.
        today: The day on which it was asked, None where it is not known.
    """

    given: str
    right: str
    question: str = ""
    today: date | None = None


def clean(text: str) -> str:
    """Return the text without markup, references to mails, wrapping quotes and look-alike characters.

    Lines stay lines; runs of blanks become one. Letters keep their case.
    """
    for sign, decimals in _FRACTIONS.items():
        if sign in text:
            text = re.sub(rf"(?<=\d)\s?{sign}", decimals, text).replace(sign, "0" + decimals)
    text = unicodedata.normalize("NFKC", text.translate(_SAME_CHARACTERS)).translate(_SAME_CHARACTERS)
    text = _MARKUP.sub("", _REFERENCES.sub(" ", text))
    lines = (" ".join(line.split()) for line in text.splitlines())
    text = "\n".join(line for line in lines if line)
    text = _LEAD.sub("", text, count=1)
    return _unwrapped(text)


def _unwrapped(text: str) -> str:
    """Take away wrapping quotes and brackets, and the full stop at the end, for as long as there are any."""
    for _ in range(8):
        before = text
        text = text.strip(_WRAPPING).rstrip("!,;: \n")
        tail = text[-12:]
        if tail.endswith("..") or (tail.endswith(".") and not _ABBREVIATION.search(tail)):
            text = text.rstrip(".")
        if len(text) > 1 and (text[0], text[-1]) in {("(", ")"), ("[", "]")} and not set(text[1:-1]) & set("()[]"):
            text = text[1:-1]
        if text == before:
            break
    return text


def words(text: str) -> list[str]:
    """Return the words in lower case, their order kept."""
    return [word.lower() for word in _WORD.findall(text)]


def stem(word: str) -> str:
    """Return the word without a plural or possessive ending: enough to compare short answers."""
    word = word.removesuffix("'s")
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    if len(word) > 4 and word.endswith(("ches", "shes", "sses", "xes")):
        return word[:-2]
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word


def content_words(text: str) -> list[str]:
    """Return the stems of the words that carry meaning, their order kept."""
    return [stem(word) for word in words(text) if word not in STOP_WORDS]


def folded(text: str) -> str:
    """Return what is left of a text when case, punctuation, articles and accents do not count."""
    bare = "".join(c for c in unicodedata.normalize("NFKD", text.casefold()) if not unicodedata.combining(c))
    kept = re.findall(r"[^\W_]+|[$€£¥%+-](?=\d)|(?<=\d)[.:/-](?=\d)|%", bare)
    return " ".join(word for word in kept if word not in ("a", "an", "the"))
