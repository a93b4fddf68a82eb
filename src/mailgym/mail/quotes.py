"""Tells what an author wrote for this message from what they quoted, forwarded, or always sign with."""

import re
from dataclasses import dataclass
from itertools import compress

from mailgym.mail import quote_words as words

_MARKS = frozenset(">|:-_=*")
_QUOTED_LINE = re.compile(r"[ \t\xa0]{0,8}>")
_CITED = re.compile(r"[A-Z][\w.]{0,9}>")
_SIGNATURE_MARKS = ("-- ", "--", "-- \r", "--\r")
_INVERTED = bytes.maketrans(b"\0\1", b"\1\0")
MAX_INDENT = 8
MAX_FIELD_CHARS = 20
MAX_SIGNATURE_LINES = 15
MAX_MARKED_SIGNATURE_LINES = 40
MAX_FOOTER_LINES = 15
MAX_FOOTERS = 6
MAX_CLOSE_LOOKS = 5_000
MAX_HEADER_LINES = 12
MAX_PGP_LINES = 120
MAX_ATTRIBUTION_CHARS = 300


@dataclass(frozen=True, slots=True)
class Split:
    """A message's text, told apart: ``new_text`` and the rest (quoted, forwarded, signature)."""

    new_text: str
    quoted_text: str


def split_quotes(text: str) -> Split:
    """Split a message's text into what is new in it and what is not, line by line; no line is lost.

    It knows lines quoted with ``>``, ``Name>``, ``|`` and ``:``, attributions (``On … wrote:``), dividers
    (``-----Original Message-----``, ``---- Forwarded by``), header blocks as Outlook (``From: … Sent: …``) and Lotus
    Notes (name and date, then ``To:``, ``cc:``, ``Subject:``) put them above an older message, all of these in some
    fifteen languages; the signature after ``-- ``, the line that a telephone adds, and footers of mailing lists.
    Everything below a divider or header block is quoted; below an attribution only if no quoted lines follow it. What
    it cannot know: old text that bears no mark at all, and answers written into old text that bears none.
    """
    lines = text.split("\n")
    reader = _Reader(text.replace("：", ":").split("\n") if "：" in text else lines)
    reader.read()
    reader.read_tail()
    quoted = reader.quoted
    first = quoted.find(1)
    if first < 0:
        return Split(text.strip(), "")
    if 0 not in quoted[first:]:
        above = "\n".join(lines[:first])
        return Split(above.strip(), text[len(above) :].strip())
    new = compress(lines, quoted.translate(_INVERTED))
    return Split("\n".join(new).strip(), "\n".join(compress(lines, quoted)).strip())


class _Reader:
    """Marks the quoted lines of one text, from its first line on."""

    __slots__ = ("has_rules", "lines", "looks_left", "quoted")

    def __init__(self, lines: list[str]) -> None:
        self.lines = lines
        self.quoted = bytearray(len(lines))
        self.has_rules = False
        self.looks_left = MAX_CLOSE_LOOKS

    def read(self) -> None:
        """Look at every line that begins with a mark or holds a colon; the others say nothing by themselves."""
        resume, count = 0, len(self.lines)
        for line, padded in enumerate(self.lines):
            if line < resume:
                if resume == count:
                    break
                continue
            text = padded.strip()
            if not text:
                continue
            if text[0] in _MARKS:
                resume = self._marked(line, text)
            elif ":" in text and self.looks_left:
                if text[-1] in ":*":
                    resume = self._colon(line, text)
                elif text.find(":", 0, MAX_FIELD_CHARS) > 0:
                    resume = self._field(line)
                elif " To: " in text and words.NOTES_ON_ONE_LINE.match(text):
                    resume = self._cut(line)
            elif ">" in text and (cited := _CITED.match(text)):
                resume = self._run(line, cited[0])

    def _marked(self, line: int, text: str) -> int:
        """Read a line that begins with a mark; return the line where to go on."""
        mark = text[0]
        if mark == ">":
            if self.lines[line].find(">") > MAX_INDENT:
                return line
            if not line or not self.quoted[line - 1]:
                self._mark_attribution_above(line)
            self.quoted[line] = 1
            return line
        if mark in "|:":
            return self._run(line, mark) if text[1:2] in ("", " ", ">") else line
        if text[1:2] == mark:
            resume = self._divider(line, text)
            self.has_rules = self.has_rules or resume == line
            return resume
        return self._field(line) if mark == "*" else line

    def _mark(self, start: int, end: int) -> int:
        """Mark lines as quoted; return the line after them."""
        self.quoted[start:end] = b"\1" * (end - start)
        return end

    def _cut(self, start: int) -> int:
        """Mark all from a line on as quoted, and a rule drawn above it too."""
        above = self._above(start)
        if above is not None and words.RULE.match(self.lines[above]):
            start = above
        return self._mark(start, len(self.lines))

    def _above(self, line: int, blanks: int = 2) -> int | None:
        """Return the nearest line above that is neither blank nor quoted, over so many blank lines at most."""
        for index in range(line - 1, max(-1, line - 2 - blanks), -1):
            if self.quoted[index]:
                return None
            if self.lines[index].strip():
                return index
        return None

    def _below(self, line: int, count: int) -> list[int]:
        """Return the next lines that are not blank, so many at most."""
        found: list[int] = []
        for index in range(line, min(len(self.lines), line + 4 * count)):
            if self.lines[index].strip():
                found.append(index)
                if len(found) == count:
                    break
        return found

    def _is_quote(self, line: int) -> bool:
        return _QUOTED_LINE.match(self.lines[line]) is not None

    def _colon(self, line: int, text: str) -> int:
        """Read a line that ends in a colon: an attribution, or the beginning of a forwarded message."""
        self.looks_left -= 1
        if words.BEGIN_FORWARDED.match(text):
            return self._cut(line)
        taken, is_sure = self._attribution(line)
        if taken and any(self._is_quote(index) for index in self._below(line + 1, 3)):
            return self._mark(line - taken + 1, line + 1)
        if is_sure:
            return self._cut(line - taken + 1)
        return line if taken else self._field(line)

    def _attribution(self, line: int) -> tuple[int, bool]:
        """Return how many lines an attribution that ends here takes, 0 if there is none, and whether it is sure."""
        joined = self.lines[line].strip()
        text = joined
        if len(text) > MAX_ATTRIBUTION_CHARS:
            return 0, False
        for taken in (1, 2, 3):
            if words.ATTRIBUTION_START.match(joined) and words.is_attribution(joined):
                is_dated = words.DATE_LIKE.search(joined) is not None or words.ADDRESS.search(joined) is not None
                if taken == 1 or is_dated:
                    return taken, is_dated
            index = line - taken
            above = self.lines[index].strip() if index >= 0 and not self.quoted[index] else ""
            joined = f"{above} {joined}"
            if not above or len(joined) > MAX_ATTRIBUTION_CHARS or above[-1] in ".!?":
                break
        if "@" in text and words.is_attribution(text) and words.ADDRESS.search(text):
            return (2 if text[0] in "<([" and self._above(line, blanks=0) is not None else 1), True
        return 0, False

    def _mark_attribution_above(self, line: int) -> None:
        """Mark what introduces the quoted lines that begin here, even if it would be none without them."""
        above = self._above(line, blanks=1)
        if above is None:
            return
        text = self.lines[above].strip()
        if not text.endswith((":", ":*")):
            if words.BRACKETED_NAME.match(text):
                self._mark(above, above + 1)
            return
        if len(text) > MAX_ATTRIBUTION_CHARS:
            return
        taken, _ = self._attribution(above)
        is_one = (
            words.mentions_writing(text)
            or words.ADDRESS.search(text)
            or (words.ATTRIBUTION_START.match(text) and any(map(str.isdigit, text)))
        )
        if taken or is_one:
            self._mark(above + 1 - max(taken, 1), above + 1)

    def _divider(self, line: int, text: str) -> int:
        """Read a line that begins with a rule, which may set off an older message."""
        title = text.lstrip("-_=* ").lower()
        if title.startswith(words.ORIGINAL):
            after = self._header_end(line + 1)
            below = self._below(after, 1)
            if after > line + 1 and below and self._is_quote(below[0]):
                return self._mark(line, after)
            return self._cut(line)
        if title.startswith(words.FORWARDED):
            end = self._find(words.END_OF_FORWARDED, line + 1, len(self.lines))
            return self._cut(line) if end is None else self._mark(line, end + 1)
        if title.startswith(words.PGP_SIGNATURE) and self.looks_left:
            self.looks_left -= 1
            end = self._find(words.END_OF_PGP, line + 1, line + MAX_PGP_LINES)
            return line if end is None else self._mark(line, end + 1)
        return line

    def _find(self, pattern: re.Pattern[str], start: int, end: int) -> int | None:
        """Return the first of some lines that begins as a pattern says, None if none does."""
        for line in range(start, min(end, len(self.lines))):
            if pattern.match(self.lines[line]):
                return line
        return None

    def _field(self, line: int) -> int:
        """Read a line such as ``From: …``, which may begin the header of an older message."""
        word = self._field_word(line)
        if not word or not self.looks_left:
            return line
        self.looks_left -= 1
        if word in words.FROM_FIELDS:
            return self._header(line)
        if word in words.TO_FIELDS:
            start = self._notes_start(line)
            if start is not None:
                return self._cut(start)
        return line

    def _header(self, line: int) -> int:
        """Read the header that may begin with, or hold, the author's field on a line."""
        start = line
        while start > 0 and line - start < MAX_HEADER_LINES and not self.quoted[start - 1]:
            if not self._field_word(start - 1):
                break
            start -= 1
        below = [self._field_word(index) for index in range(start, min(line + MAX_HEADER_LINES, len(self.lines)))]
        near = below[: line - start + 4]
        has_subject = not words.SUBJECT_FIELDS.isdisjoint(below)
        has_to = not words.TO_FIELDS.isdisjoint(below)
        is_one = not words.SENT_FIELDS.isdisjoint(near) or (
            has_subject and (has_to or not words.DATE_FIELDS.isdisjoint(near))
        )
        return self._cut(start) if is_one else line

    def _field_word(self, line: int) -> str:
        """Return the name of the header field on a line, in lower case; empty if there is none that mail has."""
        text = self.lines[line].lstrip("* \t\xa0")
        word = text[: max(0, text.find(":", 0, MAX_FIELD_CHARS))].rstrip("* \t\xa0").lower()
        return word if word in words.ALL_FIELDS else ""

    def _header_end(self, line: int) -> int:
        """Return the line after the header fields that begin here, blank lines above them allowed."""
        below = self._below(line, 1)
        end = below[0] if below else line
        if end >= len(self.lines) or not self._field_word(end):
            return line
        while end < len(self.lines) and self.lines[end].strip() and not self._is_quote(end):
            end += 1
            if end - line > MAX_HEADER_LINES:
                return line
        return end

    def _notes_start(self, line: int) -> int | None:
        """Return where a Lotus Notes header whose ``To:`` is here begins, None if this is none."""
        below = {self._field_word(index) for index in range(line + 1, min(line + MAX_HEADER_LINES, len(self.lines)))}
        if words.SUBJECT_FIELDS.isdisjoint(below):
            return None
        index = line
        for _ in range(4):
            above = self._above(index, blanks=3)
            if above is None:
                break
            index = above
            text = self.lines[index]
            if words.NOTES_DATE.search(text) and len(text) < 200:
                return self._name_above(index) if words.NOTES_DATE_ALONE.match(text) else index
            if not words.NOTES_BETWEEN.match(text):
                break
        return line if not words.COPY_FIELDS.isdisjoint(below) else None

    def _name_above(self, line: int) -> int:
        """Return the line of the name above a date, or the date's own line."""
        above = self._above(line, blanks=0)
        is_name = (
            above is not None and len(self.lines[above].strip()) <= 80 and self.lines[above].strip()[-1] not in ".?!,"
        )
        return above if above is not None and is_name else line

    def _run(self, line: int, mark: str) -> int:
        """Read lines that begin with a mark which quotes only if several do: ``Dana> ``, ``| ``, ``: ``."""
        end = line
        while end < len(self.lines) and self.lines[end].lstrip().startswith(mark):
            end += 1
        above = self._above(line, blanks=1)
        is_introduced = above is not None and self.lines[above].rstrip().endswith(":")
        if mark in ("|", ":"):
            is_table = any(text.rstrip().endswith("|") for text in self.lines[line:end])
            is_quote = is_introduced or (mark == "|" and end - line >= 3)
            is_quote = is_quote and not is_table and end - line >= 2
        else:
            is_quote = end - line >= 2
        if is_quote:
            self._mark_attribution_above(line)
            self._mark(line, end)
        return end

    def read_tail(self) -> None:
        """Mark the signature and the footers at the end of the new text."""
        line, tries = len(self.lines), 0
        while line and tries < MAX_FOOTERS:
            line -= 1
            text = "" if self.quoted[line] else self.lines[line].strip()
            if text:
                if words.is_mobile_line(text) or words.is_footer_line(text):
                    self.quoted[line] = 1
                    continue
                if not self.has_rules:
                    return
                tries += 1
                kept = [index for index in range(line + 1) if not self.quoted[index]]
                start = self._tail_start(kept)
                if start == len(kept):
                    return
                for index in kept[start:]:
                    self.quoted[index] = 1

    def _tail_start(self, kept: list[int]) -> int:
        """Return from which of the kept lines on there is only signature or footer; their number if there is none."""
        lines, count = self.lines, len(kept)
        for position in range(max(0, count - MAX_MARKED_SIGNATURE_LINES - 1), count):
            text = lines[kept[position]]
            if text in _SIGNATURE_MARKS and (text[2:3] == " " or count - position <= MAX_SIGNATURE_LINES + 1):
                return position
        first = max(0, count - MAX_FOOTER_LINES)
        for position in range(count - 1, first - 1, -1):
            if words.RULE.match(lines[kept[position]]):
                below = "\n".join(lines[line] for line in kept[position:]).lower()
                if any(sign in below for sign in words.FOOTER_SIGNS):
                    return position
        return count
