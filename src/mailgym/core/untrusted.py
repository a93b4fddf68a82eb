"""Marks text that others wrote as data, for a language model to read; nothing inside can look like the mark's end.

Whoever writes a mail may try to leave the marked part: with the mark itself, with letters that look the same (other
scripts, full width, any case), with invisible characters in between, or with what models take for the border of a chat
turn. All of these are broken here, the one place for every prompt, tool and server.

What it does not do: judge what the text says. A mail that asks the model for something still asks for it; the mark says
only that it is mail.
"""

import re
import unicodedata
from functools import lru_cache
from itertools import pairwise

MARK = "mail_data"

_LOOKS_LIKE = {
    letter: plain
    for plain, letters in {
        "<": "‹〈⟨ᐸ˂❮❬⧼≺﹤＜",
        ">": "›〉⟩ᐳ˃❯❭⧽≻﹥＞",
        "/": "⁄∕⧸⟋╱／",
        "_": "‿⁀ˍ﹍﹎﹏＿‐‑‒–—―−",
        "|": "∣ǀ❘｜│¦",
        "a": "аɑαᴀ",
        "d": "ԁɗᴅ",
        "i": "іıιɪ",
        "l": "ӏⅼʟ",
        "m": "мⅿᴍ",
        "t": "тτᴛ",
    }.items()
    for letter in letters
}
_OPENS = r"(?:<|&lt;?|&#0*60;?|&#x0*3c;?)"
_TURN_BORDER = re.compile(
    r"<(?=\s*\|[^|<>\n]{1,40}\|\s*>)"
    r"|<(?=/?(?:s|bos|eos|pad|unk|start_of_turn|end_of_turn|tool_call|tool_response|think)>)"
    r"|\[(?=/?(?:INST|SYS|AVAILABLE_TOOLS|TOOL_CALLS|TOOL_RESULTS)\])"
    r"|<(?=<\s*/?SYS\s*>>)",
    re.IGNORECASE,
)


def as_data(text: str, mark: str = MARK) -> str:
    """Return a text between ``<mark>`` and ``</mark>``, with every look-alike inside broken.

    Args:
        text: What others wrote, line breaks and all.
        mark: The mark's name: lower case letters and underscores. Look-alikes of :data:`MARK` are broken as well
            whatever the mark is.
    """
    return f"<{mark}>\n{neutralise(text, mark)}\n</{mark}>"


def neutralise(text: str, mark: str = MARK) -> str:
    """Return a text in which nothing looks like a mark, or like the border of a chat turn; the rest stays as it is.

    A broken mark keeps its letters with a dash (``</ mail-data``), and a broken border gets a blank
    (``< |im_end|>``), so that a person still reads what was there. It takes time linear in the text.
    """
    for name in dict.fromkeys((MARK, mark)):
        text = _break_marks(text, name)
    return _break_borders(text)


def _break_marks(text: str, mark: str) -> str:
    folded, places = _fold(text)
    pieces, done = [], 0
    for match in _pattern(mark).finditer(folded):
        start, end = places[match.start()], places[match.end() - 1] + 1
        pieces += [text[done:start], f"<{match[1]} {mark.replace('_', '-')}"]
        done = end
    return "".join([*pieces, text[done:]]) if pieces else text


def _break_borders(text: str) -> str:
    folded, places = _fold(text, case=False)
    starts = [places[match.start()] for match in _TURN_BORDER.finditer(folded)]
    if not starts:
        return text
    cuts = [0, *(start + 1 for start in starts), len(text)]
    return " ".join(text[a:b] for a, b in pairwise(cuts))


@lru_cache(maxsize=16)
def _pattern(mark: str) -> re.Pattern[str]:
    words = r"[-_\s]*".join(map(re.escape, mark.split("_")))
    return re.compile(rf"{_OPENS}\s*(/?)\s*{words}")


def _fold(text: str, case: bool = True) -> tuple[str, "range | list[int]"]:
    """Return the text as it looks, and for each of its characters where in the text it comes from."""
    if text.isascii() and not _ODD_ASCII.search(text):
        return (text.lower() if case else text), range(len(text))
    letters: list[str] = []
    places: list[int] = []
    for place, letter in enumerate(text):
        plain = _plain(letter)
        letters.append(plain.lower() if case else plain)
        places += [place] * len(letters[-1])
    return "".join(letters), places


_ODD_ASCII = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")


@lru_cache(maxsize=65_536)
def _plain(letter: str) -> str:
    """Return what a character looks like: nothing for one that cannot be seen, ASCII for the mark's look-alikes."""
    if letter in "\t\n\r":
        return letter
    seen = []
    for part in unicodedata.normalize("NFKD", letter):
        if unicodedata.category(part) in ("Cc", "Cf", "Mn", "Me", "Cn", "Co") or part in "\u115f\u1160\u3164\uffa0":
            continue
        seen.append(_LOOKS_LIKE.get(part, part if part.isascii() else _LOOKS_LIKE.get(part.lower(), part)))
    return "".join(seen)
