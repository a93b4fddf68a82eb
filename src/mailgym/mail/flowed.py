"""Puts the paragraphs of format=flowed text back together (RFC 3676)."""

import re

_QUOTES = re.compile(r">*")
SIGNATURE = "-- "


def unflow(text: str, is_space_deleted: bool) -> str:
    """Join the lines that a sender broke only to keep them short; quote marks stay, one ``>`` a level.

    Args:
        text: Text with LF lines.
        is_space_deleted: DelSp=yes: the space that marks a soft break is no part of the text.
    """
    lines: list[str] = []
    paragraph, depth_before = "", -1
    for line in text.split("\n"):
        marks = _QUOTES.match(line)
        depth = marks.end() if marks else 0
        content = line[depth:].removeprefix(" ")
        if depth_before >= 0 and (depth != depth_before or content == SIGNATURE):
            lines.append(_line(paragraph, depth_before))
            depth_before = -1
        paragraph = content if depth_before < 0 else paragraph + content
        if content.endswith(" ") and content != SIGNATURE:
            paragraph = paragraph[:-1] if is_space_deleted else paragraph
            depth_before = depth
        else:
            lines.append(_line(paragraph, depth))
            depth_before = -1
    if depth_before >= 0:
        lines.append(_line(paragraph, depth_before))
    return "\n".join(lines)


def _line(paragraph: str, depth: int) -> str:
    return f"{'>' * depth} {paragraph}" if depth else paragraph
