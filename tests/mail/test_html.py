import inscriptis.html_engine
import pytest
from tests.timing import computed_soon

from mailgym.mail.html import html_to_text, named_charset, strip_enriched, strip_tags


def read(html: str) -> tuple[str, list[str]]:
    defects: list[str] = []
    return html_to_text(html, defects), defects


def test_markup_the_renderer_trips_over_is_stripped_with_a_defect(monkeypatch):
    def fail(*_):
        raise ValueError("no")

    monkeypatch.setattr(inscriptis.html_engine.Inscriptis, "get_text", fail)
    text, defects = read("<style>p{}</style><p>a &lt; b</p>")
    assert text == "a < b"
    assert defects == ["HTML could not be rendered (ValueError): tags were stripped"]


def test_a_page_is_laid_out_in_lines():
    html = (
        "<h1>Prices</h1><p>One &amp; <b>tw</b>o,<br>three</p><ul><li>a<li>b</ul><table><tr><th>Gas<td>3.20</tr></table>"
    )
    text, defects = read(html)
    assert text.split("\n") == ["Prices", "", "One & two,", "three", "", "  * a", "  * b", "Gas 3.20"]
    assert defects == []


def test_what_is_hidden_is_left_out():
    html = (
        "<html><head><title>no1</title><style>no2</style></head><body>"
        '<div style="display:none;max-height:0">no3</div><span style="font-size:0px">no4</span>'
        '<p style="mso-hide:all">no5</p><p hidden>no6</p><script>no7</script><!-- no8 --><svg><text>no9</text></svg>'
        '<img src="https://track.example/p.gif" width=1 height=1 alt="no10">'
        '<p style="font-size:0.9em;max-height:0.5em">shown</p> tail</body></html>'
    )
    assert read(html)[0].split() == ["shown", "tail"]


def test_what_stands_behind_the_page_is_kept():
    assert read("<html><body><p>page</p></body></html>\n<p>footer of the list")[0].split() == [
        "page",
        "footer",
        "of",
        "the",
        "list",
    ]


def test_a_comment_or_title_that_is_never_closed_hides_nothing():
    assert read("<p>one<!--#odd>two</p><!-- no --><p>three<!-- four")[0].split() == ["one", "three", "four"]
    assert read("<p>one</p><!-- no --><p>two<!--#odd>three</p>")[0].split() == ["one", "twothree"]
    assert read("<html><head><title><body><p>one</p>")[0] == "one"
    assert strip_tags("<head><title><p>one</p><!-->two<!-- no -->three").split() == ["one", "twothree"]


def test_links_show_their_text_alone():
    assert read('<p>See <a href="https://track.example/?u=123456">the plan</a>.</p>')[0] == "See the plan."


def test_padding_of_previews_is_left_out_and_joined_letters_are_not():
    assert read("<p>Hi&#847;&zwnj;&nbsp;&#847;&zwnj;&nbsp;&#847; there می\u200cخواهم 👩\u200d💻</p>")[0].split() == [
        "Hi",
        "there",
        "می\u200cخواهم",
        "👩\u200d💻",
    ]


def test_cited_blocks_are_quoted():
    html = (
        "<p>Yes.</p><div>On Mon, Bob wrote:<blockquote type=cite><p>Shall I?</p>"
        '<blockquote class="gmail_quote">What?</blockquote></blockquote></div><blockquote>set in</blockquote>'
    )
    lines = [line for line in read(html)[0].split("\n") if line.strip("> ")]
    assert lines == ["Yes.", "On Mon, Bob wrote:", "> Shall I?", ">> What?", "set in"]
    assert read('<blockquote style="border-left:1px solid">old</blockquote>new')[0].split("\n") == ["> old", "new"]


def test_pictures_speak_where_there_is_no_text():
    assert read('<img alt="Summer sale"><img alt=""><img alt="Summer sale"><img>')[0] == "Summer sale"


@pytest.mark.parametrize("html", ["", " \n ", "<!-- only a comment -->", "<style>p{}</style>", "<?xml version='1.0'?>"])
def test_what_shows_nothing_is_empty(html):
    assert read(html) == ("", [])


def test_an_xml_declaration_is_no_obstacle():
    assert read('<?xml version="1.0" encoding="utf-8"?><p>hello</p>') == ("hello", [])


@pytest.mark.parametrize("opening", ["<div>", "<b>", "<table><tr><td>", "<ul><li>", "<blockquote type=cite>"])
def test_what_is_nested_too_deep_keeps_its_text(opening):
    text, defects = read(opening * 3_000 + "innermost")
    assert text == "innermost"
    assert defects == ["HTML is nested too deep to be rendered: tags were stripped"]


@pytest.mark.parametrize(
    "html",
    [
        "<p>words and <b>more</b></p>\n" * 60_000,
        "<table><tr><td>" * 80 + "words of a cell " * 20_000,
        "<table><tr><td>" + "a " * 20_000 + "<td>b" + "<tr><td>a<td>b" * 5_000,
        "<!--" * 100_000,
        "<" * 300_000,
        "<script>" * 50_000,
        "<ul>" * 200 + "<li>a" * 9_000,
        "<p style='padding-left:99999999px;margin-top:9999em'>a</p>" * 100,
        "<a " + "b=c " * 200_000 + ">",
        "&" * 500_000,
    ],
    ids=[
        "large",
        "nested tables",
        "wide column",
        "comments",
        "marks",
        "scripts",
        "lists",
        "styles",
        "attributes",
        "entities",
    ],
)
def test_no_page_takes_long_or_grows(html):
    text, _ = computed_soon(lambda: read(html), 1.0)
    assert len(text) <= 30 * len(html)


def test_a_page_too_large_to_render_is_stripped_with_a_defect():
    text, defects = read("<p>one <b>tw</b>o</p>" * 10_000)
    assert text.startswith("one two\n\none two")
    assert defects == ["HTML is too large to be rendered: tags were stripped"]


def test_strip_tags_leaves_out_what_is_hidden():
    text = strip_tags(
        "<head><title>t</title></head>one<script>if (a<b) x()</script> two<br>three<!-- no --><td>four<td>five"
        " 2 < 3 &lt;six&gt;<!-- seven<style>never closed"
    )
    assert text == "one two\nthree four five 2 < 3 <six> seven"


def test_the_charset_a_page_names_is_found():
    assert named_charset(b'<meta http-equiv="Content-Type" content="text/html; charset=koi8-r">') == "koi8-r"
    assert named_charset(b"<meta charset='gb2312'>") == "gb2312"
    assert named_charset(b"<p>charset=no</p>") == ""


def test_enriched_text_loses_its_commands():
    text = "<bold>Now</bold> <color><param>red</param>is</color> the << time"
    assert strip_enriched(text) == "Now is the < time"
