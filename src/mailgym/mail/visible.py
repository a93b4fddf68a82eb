"""Shows what hides in a text of mail: nothing in it is obeyed by a terminal, and its reader sees all of it."""

import re

# C0 and C1 controls but for tab and newline, what turns the direction of text or ends a line unseen, halves of
# characters, and the tag characters, which spell out ASCII that nobody sees and models read.
_HIDDEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff\U000e0000-\U000e007f]"
)
_FIRST_PICTURE, _DELETE_PICTURE = 0x2400, "\u2421"


def visible(text: str) -> str:
    """Return a text with every character in it shown that a terminal would obey, or that hides what it says.

    ESC becomes ␛ and the other old controls their pictures too; newer controls, marks that turn the direction of text,
    tag characters, and halves of characters become ``<U+202E>``. Line ends are newlines.
    """
    return _HIDDEN.sub(_picture, text.replace("\r\n", "\n"))


def _picture(found: re.Match[str]) -> str:
    code = ord(found[0])
    if code < 0x20:
        return chr(_FIRST_PICTURE + code)
    return _DELETE_PICTURE if code == 0x7F else f"<U+{code:04X}>"
