"""Tells what an author wrote for this message from what they quoted, forwarded, or always sign with."""

import re
from dataclasses import dataclass

_QUOTED_LINE = re.compile(r"^\s{0,3}(?:>|\|\s?>)")
_DIVIDER = re.compile(
    r"^\s*(?:-{2,}|_{2,})\s*(?:original message|forwarded|begin forwarded|"
    r"urspr.ngliche nachricht|message d'origine)",
    re.IGNORECASE,
)
_BEGIN_FORWARD = re.compile(r"^\s*begin forwarded message\s*:?\s*$", re.IGNORECASE)
_ATTRIBUTION = re.compile(
    r"^\s*(?:on\b.{4,240}\bwrote|am\b.{4,240}\bschrieb.{0,100}|"
    r"le\b.{4,240}\ba écrit|el\b.{4,240}\bescribió)\s*:\s*$",
    re.IGNORECASE,
)
_ATTRIBUTION_START = re.compile(r"^\s*(?:on|am|le|el)\b.{4,200}$", re.IGNORECASE)
_HEADER_FROM = re.compile(r"^\s*\*?(?:from|von|de)\s?:\*?\s*\S", re.IGNORECASE)
_HEADER_OTHER = re.compile(r"^\s*\*?(?:sent|date|gesendet|datum|envoyé)\s?:\*?\s*\S", re.IGNORECASE)
_HEADER_TO = re.compile(r"^\s*to\s?:", re.IGNORECASE)
_HEADER_SUBJECT = re.compile(r"^\s*subject\s?:", re.IGNORECASE)
_HEADER_CC = re.compile(r"^\s*cc\s?:", re.IGNORECASE)
_HAS_TIME = re.compile(r"\d{1,2}[/.-]\d{1,2}[/.-]\d{2,4}|\d{1,2}:\d{2}")
MAX_SIGNATURE_LINES = 15
MAX_HEADER_LINES = 12


@dataclass(frozen=True, slots=True)
class Split:
    """A message's text, told apart: ``new_text`` and the rest (quoted, forwarded, signature)."""

    new_text: str
    quoted_text: str


def split_quotes(text: str) -> Split:
    """Split a message's text into what is new in it and what is not.

    It knows lines that begin with ``>``, attributions (``On … wrote:``), dividers (``-----Original
    Message-----``, ``---- Forwarded by``), header blocks as Outlook (``From: … Sent: …``) and Lotus Notes
    (name and date, then ``To:``, ``cc:``, ``Subject:``) put them above an older message, and the signature
    after ``-- ``. Everything below a divider or header block is quoted; below an attribution only if no ``>``
    lines follow it.
    """
    lines = text.split("\n")
    cut = _first_cut(lines)
    new: list[str] = []
    quoted: list[str] = []
    index = 0
    while index < cut:
        taken = _attribution_lines(lines, index)
        if taken:
            quoted.extend(lines[index : index + taken])
            index += taken
            continue
        (quoted if _QUOTED_LINE.match(lines[index]) else new).append(lines[index])
        index += 1
    new, signature = _split_signature(new)
    quoted += signature + lines[cut:]
    return Split("\n".join(new).strip(), "\n".join(quoted).strip())


def _first_cut(lines: list[str]) -> int:
    """Return the index of the first line below which all is quoted, or the number of lines."""
    for index, line in enumerate(lines):
        if not line or line.isspace():
            continue
        if _DIVIDER.match(line) or _BEGIN_FORWARD.match(line):
            return index
        if _HEADER_FROM.match(line) and any(_HEADER_OTHER.match(after) for after in lines[index + 1 : index + 4]):
            return index
        if _HEADER_TO.match(line):
            start = _notes_block(lines, index)
            if start is not None:
                return start
        taken = _attribution_lines(lines, index)
        if taken and not _quote_follows(lines, index + taken):
            return index
    return len(lines)


def _notes_block(lines: list[str], index: int) -> int | None:
    """Return where a Lotus Notes header block whose ``To:`` is at ``index`` begins, None if this is none."""
    following = lines[index + 1 : index + MAX_HEADER_LINES]
    has_subject = any(_HEADER_SUBJECT.match(line) for line in following)
    has_cc = any(_HEADER_CC.match(line) for line in following)
    start = index
    while start > 0 and index - start < 4 and lines[start - 1].strip():
        start -= 1
    has_time = any(_HAS_TIME.search(line) for line in lines[start:index])
    return start if has_subject and (has_cc or has_time) else None


def _attribution_lines(lines: list[str], index: int) -> int:
    """Return how many lines an attribution at ``index`` takes: 0 if there is none."""
    line = lines[index]
    if not _ATTRIBUTION_START.match(line):
        return 0
    if _ATTRIBUTION.match(line):
        return 1
    if index + 1 < len(lines) and _ATTRIBUTION.match(f"{line} {lines[index + 1].strip()}"):
        return 2
    return 0


def _quote_follows(lines: list[str], index: int) -> bool:
    following = [line for line in lines[index : index + 4] if line.strip()]
    return bool(following) and _QUOTED_LINE.match(following[0]) is not None


def _split_signature(lines: list[str]) -> tuple[list[str], list[str]]:
    for index in range(max(0, len(lines) - MAX_SIGNATURE_LINES - 1), len(lines)):
        if lines[index] in ("-- ", "--"):
            return lines[:index], lines[index:]
    return lines, []
