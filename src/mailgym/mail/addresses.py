"""Splits address headers into names and addresses (RFC 5322, 3.4 and 4.4; RFC 6532), in time linear in their length.

It takes what real mail has: unquoted commas in names, unclosed quotes and brackets, semicolons between
addresses, groups, obsolete routes, names after addresses. Encoded words are left as they are, and count as words.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

_SPECIAL = re.compile(r"[\"()<>;:\\=\[\]']")
_ENCODED = r"=\?[^?\s]{1,120}\?[bBqQ]\?[^?<>]*\?="
_TOKEN = re.compile(
    rf'({_ENCODED})|"((?:[^"\\]|\\.)*+)"|<([^<>]*)>|([,;:])|(\s+)|(\()|((?:(?!=\?)[^\s"(<>,;:])+|.)', re.DOTALL
)
_TOKEN_WITHOUT_QUOTES = re.compile(
    rf"({_ENCODED})|((?!))|<([^<>]*)>|([,;:])|(\s+)|(\()|((?:(?!=\?)[^\s(<>,;:])+|.)", re.DOTALL
)
_MARK = re.compile(r'\\.|["()]', re.DOTALL)
_PAIR = re.compile(r"\\(.)", re.DOTALL)
_LOOSE_AT = re.compile(r"\s*@\s*")


def split_addresses(value: str) -> tuple[tuple[str, str], ...]:
    """Split an address header into (name, address) pairs, in order.

    Either of the two may be empty, not both. A group gives its members; a group without members its name.
    """
    if not _SPECIAL.search(value):  # a bare list: the same result by the short way
        words = [item.split() for item in value.split(",")]
        if all(len(item) == 1 and "@" in item[0].strip("@") for item in words if item):
            return tuple(("", item[0]) for item in words if item)
    return split_fully(value)


def split_fully(value: str) -> tuple[tuple[str, str], ...]:
    """Do what :func:`split_addresses` does, without its short way and its memory."""
    return tuple(pair for pair in _merged(_items(value)) if pair != ("", ""))


@dataclass(slots=True)
class _Item:
    """One address as it is read, up to the comma or semicolon behind it.

    ``pieces`` are of words, each with whether a new word begins with it.
    """

    pieces: list[tuple[bool, str]] = field(default_factory=list)
    comments: list[str] = field(default_factory=list)
    angle: str | None = None
    is_quoted: bool = False
    was_space: bool = True
    has_at: bool = False
    ended_by_comma: bool = False

    def add(self, piece: str) -> None:
        self.pieces.append((self.was_space, piece))
        self.was_space = False
        self.has_at = self.has_at or "@" in piece

    @property
    def words(self) -> list[str]:
        words: list[list[str]] = []
        for is_new, piece in self.pieces:
            if is_new or not words:
                words.append([])
            words[-1].append(piece)
        return ["".join(pieces) for pieces in words]

    @property
    def is_empty(self) -> bool:
        return not self.pieces and self.angle is None

    def pair(self) -> tuple[str, str]:
        comment = " ".join(self.comments)
        words = self.words
        text = " ".join(words)
        if self.angle is not None:
            address = _bare(self.angle)
            if not address and self.has_at and len(words) == 1:
                return comment, _bare(text)
            return text or (comment if address else ""), address
        if not self.has_at:
            return text, ""
        if not self.is_quoted:
            words = _LOOSE_AT.sub("@", text).split(" ")
        at = next(index for index, word in enumerate(words) if "@" in word)
        return " ".join(words[:at] + words[at + 1 :]) or comment, _bare(words[at])


def _bare(address: str) -> str:
    """Take off what may stand around an address: white space, an obsolete route, ``mailto:``, brackets, quotes."""
    address = " ".join(address.split())
    if " " in address:
        local, at, domain = address.rpartition("@")
        address = f"{local.strip()}{at}{''.join(domain.split())}"
    if address.startswith("@") and ":" in address:
        address = address.rpartition(":")[2].strip()
    if address[:7].lower() == "mailto:":
        address = address[7:]
    if len(address) > 2 and address[0] == address[-1] == "'":
        address = address[1:-1]
    if address.endswith("]") and "[" not in address[1:]:
        address = address.strip("[]")
    return address.strip(",;")


def _items(value: str) -> list[_Item]:
    value = value.rstrip()
    closing = _closing_parentheses(value) if "(" in value else {}
    last_semicolon = value.rfind(";")
    items = _Items()
    tokens, position = _TOKEN, 0
    while token := tokens.match(value, position):
        position = token.end()
        encoded, quoted, angle, separator, space, parenthesis, word = token.groups()
        item = items.current
        if space or angle is not None:
            item.was_space = True
            if angle is not None and not (item.angle or "").strip():
                item.angle = angle
        elif quoted is not None:
            item.add(_quoted(quoted, value, position))
            item.is_quoted = True
        elif parenthesis:
            position = _comment(item, value, token.start(), closing)
        elif separator == ":":
            items.begin_group(position <= last_semicolon or position == len(value))
        elif separator:
            items.separate(separator)
        elif word == '"':  # it is never closed, nor is any behind it
            tokens = _TOKEN_WITHOUT_QUOTES
        elif word not in ("<", ">"):
            item.add(encoded or word)
    items.end()
    return items.done


@dataclass(slots=True)
class _Items:
    """What was read so far, and the group in which it stands."""

    done: list[_Item] = field(default_factory=list)
    current: _Item = field(default_factory=_Item)
    group: str = ""
    is_group_empty: bool = False

    def begin_group(self, has_end: bool) -> None:
        """Take a colon: what stands before it is a group's name, if a semicolon or nothing is to come."""
        item = self.current
        if has_end and item.pieces and item.angle is None and not item.has_at:
            self.group, self.is_group_empty, self.current = " ".join(item.words), True, _Item()
        else:
            item.add(":")

    def separate(self, separator: str) -> None:
        item = self.current
        self.is_group_empty = self.is_group_empty and item.is_empty
        if separator == ";":
            self.end()
        else:
            item.ended_by_comma = True
            self.done.append(item)
        self.current = _Item()

    def end(self) -> None:
        """End a group, or all of it; a group without members gives its name."""
        if self.group and self.is_group_empty and self.current.is_empty:
            self.current.pieces = [(True, self.group)]
        self.group = ""
        self.done.append(self.current)


def _quoted(content: str, value: str, end: int) -> str:
    """Return what a quoted string means: as the local part of an address it keeps its quotes."""
    text = _PAIR.sub(r"\1", content)
    return f'"{text}"' if value[end : end + 1] == "@" and text else text


def _comment(item: _Item, value: str, start: int, closing: dict[int, int]) -> int:
    """Take in a comment, or a parenthesis that opens none; return where to go on."""
    end = closing.get(start)
    if end is None:
        item.add("(")
        return start + 1
    text = " ".join(_PAIR.sub(r"\1", value[start + 1 : end]).split())
    if text:
        item.comments.append(text)
    item.was_space = True
    return end + 1


def _closing_parentheses(value: str) -> dict[int, int]:
    """Return where the comment that begins at each parenthesis ends, for outermost comments outside quotes."""
    open_at: list[int] = []
    closing: dict[int, int] = {}
    is_quoted = False
    for mark in _MARK.finditer(value):
        if mark[0] == '"':
            is_quoted = not is_quoted and not open_at
        elif mark[0] == "(" and not is_quoted:
            open_at.append(mark.start())
        elif mark[0] == ")" and open_at:
            closing[open_at.pop()] = mark.start()
    return closing


def _merged(items: Iterable[_Item]) -> Iterator[tuple[str, str]]:
    """Yield the pairs; ``Ray, Bob <b@x>``, whose name should have been quoted, is one."""
    before: _Item | None = None
    for item in items:
        if before is not None:
            is_cut = before.ended_by_comma and before.pieces and before.angle is None and not before.has_at
            if is_cut and item.angle is not None and item.pieces and not item.is_quoted:
                item.pieces = [*before.pieces, (False, ","), (True, item.pieces[0][1]), *item.pieces[1:]]
            else:
                yield before.pair()
        before = item
    if before is not None:
        yield before.pair()
