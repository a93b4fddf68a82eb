"""Renders HTML mail to text: no scripts, no styles, nothing hidden, nothing fetched.

Layout is left out on purpose: mail sets its columns by tables within tables, which a text cannot show, and which
would make a renderer that aligns them write a hundred times what it read. A row of cells is one line; a cited
blockquote is quoted by ``> `` as in plain text; of links their text is kept, not their target.
"""

import re
from html import unescape
from typing import Any

MOST_TAGS = 20_000
MOST_CHARS = 2_000_000
MOST_META_BYTES = 4_000
MOST_LIST_DEPTH = 8
_DECLARATION = re.compile(r"^\s*<\?xml[^>]*\?>", re.IGNORECASE)
_SKIPPED = frozenset(("script", "style", "title", "template", "svg", "object", "applet"))
_END_OF_PAGE = re.compile(r"</(?:html|body)\s*>", re.IGNORECASE)
_TITLE = re.compile(r"<title[^<>]*>", re.IGNORECASE)
_TITLE_END = re.compile(r"</title", re.IGNORECASE)
_OPEN_COMMENT = re.compile(r"<!--(?:[#\w-]{0,40}>)?")
_LAYOUT = frozenset(("table", "tr", "tbody", "thead", "tfoot"))
_SKIPPED_TAG = re.compile(rf"<({'|'.join(sorted(_SKIPPED))})(?![a-zA-Z0-9-])[^<>]*>|<!--", re.IGNORECASE)
_BLOCK_TAG = re.compile(
    r"<(?=[a-z/])/?(?:address|article|blockquote|br|caption|center|dd|div|dl|dt|fieldset|figure|footer|form|h[1-6]|header|hr|li|"
    r"main|nav|ol|option|p|pre|section|table|tr|ul)(?![a-zA-Z0-9-])[^<>]*>",
    re.IGNORECASE,
)
_CELL_TAG = re.compile(r"<t[dh](?![a-zA-Z0-9-])[^<>]*>", re.IGNORECASE)
_ANY_TAG = re.compile(r"</?[a-zA-Z!?][^<>]*>")
_SPACES = re.compile(r"[^\S\n]{2,}|[^\S\n ]")
_HIDING_STYLE = re.compile(
    r"display\s*:\s*none|visibility\s*:\s*hidden|mso-hide\s*:\s*all|(?:^|;)\s*(?:max-height|font-size)\s*:\s*0(?![.\d])",
    re.IGNORECASE,
)
_QUOTE_CLASS = re.compile(r"quote|cite", re.IGNORECASE)
_META_CHARSET = re.compile(rb"<meta[^>]{0,200}charset\s*=\s*[\"']?\s*([A-Za-z0-9_.:-]{1,60})", re.IGNORECASE)
_ENRICHED_COMMAND = re.compile(r"<<|<(/?)([A-Za-z0-9-]{1,60})>")
_BEGIN_QUOTE, _END_QUOTE = "\ue200", "\ue201"
_MARKS = re.compile(f"[{_BEGIN_QUOTE}{_END_QUOTE}]")
_INVISIBLE = "\u00ad\u034f\u061c\u180e\u200b\u200c\u200d\u200e\u200f\u2060\ufeff"
_PADDING = re.compile(rf"[{_INVISIBLE}](?:[ \u00a0\u2000-\u200a\u202f]*[{_INVISIBLE}])+")
_NEWLINES = re.compile(r"\n{3,}")


class _TooDeepError(Exception):
    """The parser gave up on elements nested too deep, and would leave out what is in them."""


def html_to_text(html: str, defects: list[str]) -> str:
    """Render HTML as a reader would see it in a text terminal.

    What is too large to render in well under a second, nested too deep, or not readable for the renderer is
    stripped of its tags, with a defect; it never raises.
    """
    if not html or html.isspace():
        return ""
    if html.count("<") > MOST_TAGS or len(html) > MOST_CHARS:
        defects.append("HTML is too large to be rendered: tags were stripped")
        return strip_tags(html)
    try:
        return _render(html)
    except _TooDeepError:
        defects.append("HTML is nested too deep to be rendered: tags were stripped")
    except Exception as error:  # the renderer meets arbitrary markup, and the text must be kept whatever it does
        defects.append(f"HTML could not be rendered ({type(error).__name__}): tags were stripped")
    return strip_tags(html)


def _render(html: str) -> str:
    from inscriptis.html_engine import Inscriptis
    from inscriptis.model.config import ParserConfig
    from lxml.etree import ParserError
    from lxml.html import HTMLParser, document_fromstring

    parser = HTMLParser(remove_comments=True, remove_pis=True)
    try:
        tree = document_fromstring(_cleaned(html), parser=parser)
    except ParserError:  # nothing but comments
        return ""
    if any(entry.type_name == "ERR_RESOURCE_LIMIT" for entry in parser.error_log):
        raise _TooDeepError
    _simplify(tree)
    text = _quoted(str(Inscriptis(tree, ParserConfig(css=_profile())).get_text()))
    if not text.strip():
        text = "\n".join(dict.fromkeys(alt for image in tree.iter("img") if (alt := (image.get("alt") or "").strip())))
    return text


def _cleaned(html: str) -> str:
    """Take out our marks, and what would end or hide all the rest of the page for the parser.

    That is the end of the page (lists put their footer behind it), a comment and a title that are never closed.
    """
    html = _MARKS.sub("", _END_OF_PAGE.sub("", _DECLARATION.sub("", html)))
    last_end = html.rfind("-->") + 1
    if html.find("<!--", last_end) >= 0:
        html = html[:last_end] + _OPEN_COMMENT.sub("", html[last_end:])
    return html if _TITLE_END.search(html) else _TITLE.sub("", html)


def _profile() -> Any:
    from inscriptis.css_profiles import CSS_PROFILES

    return CSS_PROFILES["strict"]


def _simplify(tree: Any) -> None:
    """Take out what is hidden and what is layout; mark where quotes begin and end."""
    from lxml.html import Element

    hidden = []
    depths: dict[Any, int] = {}
    for element in tree.iter():
        name = element.tag if isinstance(element.tag, str) else ""
        depths[element] = depths.get(element.getparent(), 0) + (name in ("ul", "ol"))
        style = element.attrib.pop("style", "")
        if name in _SKIPPED or "hidden" in element.attrib or (style and _HIDING_STYLE.search(style)):
            hidden.append(element)
        elif name in ("td", "th"):
            element.tag = "span"
            element.tail = "  " + (element.tail or "").strip()
        elif name in _LAYOUT or (name in ("ul", "ol") and depths[element] > MOST_LIST_DEPTH):
            element.tag = "div"
        elif name == "blockquote":
            is_quote = element.get("type") == "cite" or _QUOTE_CLASS.search(element.get("class", ""))
            if is_quote or "border-left" in style:
                _mark(element, Element)
            element.tag = "div"
    for element in hidden:
        if element.getparent() is not None:
            element.drop_tree()


def _mark(element: Any, make: Any) -> None:
    begin, end = make("div"), make("div")
    begin.text, begin.tail, element.text = _BEGIN_QUOTE, element.text, None
    end.text = _END_QUOTE
    element.insert(0, begin)
    element.append(end)


def _quoted(text: str) -> str:
    """Put the marks of quotes before the lines of marked blocks; take out padding and surplus empty lines."""
    if any(character in text for character in _INVISIBLE):
        text = _PADDING.sub(" ", text)
    text = _NEWLINES.sub("\n\n", "\n".join([line.rstrip() for line in text.replace("\u00a0", " ").split("\n")]))
    if _BEGIN_QUOTE not in text:
        return text.strip("\n")
    lines: list[str] = []
    depth = 0
    for line in text.strip("\n").split("\n"):
        content = _MARKS.sub("", line)
        depth += line.count(_BEGIN_QUOTE)
        if content == line or content.strip():
            lines.append(f"{'>' * min(depth, 20)} {content.strip()}".rstrip() if depth > 0 else content)
        depth -= line.count(_END_QUOTE)
    return "\n".join(lines)


def strip_tags(html: str) -> str:
    """Leave out tags, comments, and what stands in scripts, styles and the title; entities become characters."""
    html = _cleaned(html)
    pieces: list[str] = []
    position, lower = 0, html.lower()
    while opening := _SKIPPED_TAG.search(html, position):
        pieces.append(html[position : opening.start()])
        position = opening.end()
        if opening[1]:
            end = lower.find(f"</{opening[1].lower()}", position)
            position = end if end >= 0 else len(html)
        else:
            position = lower.find("-->", position - 2) + 3
    pieces.append(html[position:])
    text = _CELL_TAG.sub(" ", _BLOCK_TAG.sub("\n", "".join(pieces)))
    text = _SPACES.sub(" ", unescape(_ANY_TAG.sub("", text)))
    return _NEWLINES.sub("\n\n", text.replace(" \n", "\n").replace("\n ", "\n")).strip()


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
