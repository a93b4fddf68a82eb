import inscriptis

from mailgym.mail.html import html_to_text, strip_tags


def test_markup_the_renderer_trips_over_is_stripped_with_a_defect(monkeypatch):
    def fail(*_):
        raise ValueError("no")

    monkeypatch.setattr(inscriptis, "get_text", fail)
    defects = []
    assert html_to_text("<style>p{}</style><p>a &lt; b</p>", defects).split() == ["a", "<", "b"]
    assert defects == ["HTML could not be rendered (ValueError): tags were stripped"]


def test_strip_tags_leaves_out_what_is_hidden():
    text = strip_tags("<head><title>t</title></head>one<script>if (a<b) x()</script> two<br>three<style>never closed")
    assert text.split() == ["one", "two", "three"]


def test_an_xml_declaration_is_no_obstacle():
    assert html_to_text('<?xml version="1.0" encoding="utf-8"?><p>hello</p>', []).strip() == "hello"
