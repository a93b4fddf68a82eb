from mailgym.mail.snippet import make_snippet

LONG = "filler words here " * 30 + "the storage budget is due in June " + "more of the rest " * 30


def test_a_short_text_is_shown_whole_on_one_line():
    assert make_snippet("one\n two  three", ["two"]) == "one two three"


def test_the_stretch_with_most_words_is_shown():
    text = "budget alone. " + LONG
    snippet = make_snippet(text, ["budget", "storage", "june"])
    assert "storage budget is due in June" in snippet
    assert snippet.startswith("… ")
    assert snippet.endswith(" …")
    assert len(snippet) <= 164


def test_without_a_match_the_beginning_is_shown():
    assert make_snippet(LONG, ["zebra"]).startswith("filler words here")
    assert make_snippet(LONG, []).startswith("filler")


def test_stems_and_odd_words_are_safe():
    assert "storage" in make_snippet(LONG, ["storages", "(", "*"])
    assert make_snippet("x" * 500, ["x"]) == "x" * 160 + " …"
