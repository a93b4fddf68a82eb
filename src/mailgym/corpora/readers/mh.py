"""MH folders: one file a mail, called by its number, and a file of sequences that tells unread from read."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from mailgym.corpora.readers.marks import in_order, sort_keywords

SEQUENCES_FILE = ".mh_sequences"
_FLAGS = {
    "replied": "answered",
    "answered": "answered",
    "flagged": "flagged",
    "ticked": "flagged",
    "tick": "flagged",
    "forwarded": "forwarded",
    "deleted": "deleted",
}
_UNSEEN = "unseen"
_SILENT = frozenset({"cur", "pseq", _UNSEEN})
_RANGE = re.compile(r"(\d+)(?:-(\d+))?")


@dataclass(frozen=True, slots=True)
class Sequences:
    """What a folder's sequences say.

    Attributes:
        ranges: First and last numbers, by sequence name.
    """

    ranges: Mapping[str, tuple[tuple[int, int], ...]]

    def marks(self, number: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Return the flags and labels of the mail with this number.

        What is not in ``unseen`` is seen; ``replied`` and ``flagged`` are flags; any other sequence is a label.
        """
        names = {name for name, ranges in self.ranges.items() if any(low <= number <= high for low, high in ranges)}
        flags = {_FLAGS[name] for name in names if name in _FLAGS}
        if _UNSEEN not in names:
            flags.add("seen")
        others = [name for name in self.ranges if name in names and name not in _FLAGS and name not in _SILENT]
        keyword_flags, labels = sort_keywords(others)
        return in_order(flags | keyword_flags), labels


def read_sequences(content: bytes) -> Sequences:
    """Read a ``.mh_sequences`` file: lines such as ``unseen: 1-3 7``; a line that is none is passed over."""
    ranges = {}
    for line in content.decode("utf-8", "replace").splitlines():
        name, colon, numbers = line.partition(":")
        if colon and name.strip():
            found = _RANGE.findall(numbers)
            ranges[name.strip().lower()] = tuple((int(low), int(high or low)) for low, high in found)
    return Sequences(ranges)
