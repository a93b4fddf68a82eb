"""Renders HTML mail to text: no scripts, no styles, nothing fetched."""

import re
from html import unescape

_TAG = re.compile(r"<(/?)([a-zA-Z!?][a-zA-Z0-9]*)[^<>]{0,5000}>")
_DECLARATION = re.compile(r"^\s*<\?xml[^>]*\?>", re.IGNORECASE)
_HIDDEN = frozenset({"script", "style", "head", "title"})


def html_to_text(html: str, defects: list[str]) -> str:
    """Render HTML as a reader would see it in a text terminal.

    What the renderer cannot read is stripped of its tags, with a defect; it never raises.
    """
    if not html.strip():
        return ""
    from inscriptis import get_text
    from inscriptis.css_profiles import CSS_PROFILES
    from inscriptis.model.config import ParserConfig

    try:
        return str(get_text(_DECLARATION.sub("", html), ParserConfig(css=CSS_PROFILES["strict"])))
    except Exception as error:  # the renderer meets arbitrary markup, and the text must be kept whatever it does
        defects.append(f"HTML could not be rendered ({type(error).__name__}): tags were stripped")
        return strip_tags(html)


def strip_tags(html: str) -> str:
    """Leave out the tags, and what stands in scripts, styles and the head; entities become characters."""
    pieces: list[str] = []
    end, hidden_by = 0, ""
    for tag in _TAG.finditer(html):
        name, is_closing = tag[2].lower(), bool(tag[1])
        if not hidden_by:
            pieces.append(html[end : tag.start()])
            hidden_by = name if name in _HIDDEN and not is_closing else ""
        elif is_closing and name == hidden_by:
            hidden_by = ""
        end = tag.end()
    if not hidden_by:
        pieces.append(html[end:])
    return unescape(" ".join(piece for piece in pieces if piece))
