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


_META_CHARSET = re.compile(rb"<meta[^>]{0,200}charset\s*=\s*[\"']?\s*([A-Za-z0-9_.:-]{1,60})", re.IGNORECASE)
_ENRICHED_COMMAND = re.compile(r"<<|<(/?)([A-Za-z0-9-]{1,60})>")
MOST_META_BYTES = 4_000


def named_charset(html: bytes) -> str:
    """Return the charset that an HTML page says it has, empty for none."""
    found = _META_CHARSET.search(html, 0, MOST_META_BYTES)
    return found[1].decode("ascii") if found else ""


def strip_enriched(text: str) -> str:
    """Leave out the commands of enriched text (RFC 1896), and the parameters that stand in them."""
    pieces: list[str] = []
    end, is_parameter = 0, False
    for command in _ENRICHED_COMMAND.finditer(text):
        if not is_parameter:
            pieces.append(text[end : command.start()])
        end = command.end()
        if command[0] == "<<":
            pieces.append("<")
        elif command[2].lower() == "param":
            is_parameter = not command[1]
    return "".join([*pieces, text[end:]])
