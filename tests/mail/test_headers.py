import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.timing import computed_soon

from mailgym.mail.headers import decode_words, printable, read_date, read_display_name, read_ids, unescape_8bit


def decoded(value: str) -> tuple[str, list[str]]:
    defects: list[str] = []
    return decode_words(value, defects), defects


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("plain", "plain"),
        ("=?utf-8?q?Caf=C3=A9_menu?=", "Café menu"),
        ("=?ISO-8859-1?Q?a?= =?ISO-8859-1?Q?b?=", "ab"),
        ("=?ISO-8859-1?Q?a?= b =?ISO-8859-1?Q?c?=", "a b c"),
        ("=?utf-8?B?4oI=?= =?utf-8?B?rA==?=", "€"),
        ("=?utf-8?Q?=E2?=\t=?utf-8?q?=82=AC?=", "€"),
        ("=?utf-8?q?=C3=A9?= =?iso-8859-1?q?=E9?=", "éé"),
        ("=?utf-8?q?=C3=A9?==?utf-8?q?=C3=A9?=", "éé"),
        ("=?iso-2022-jp?b?GyRCRnwbKEI=?= =?iso-2022-jp?b?GyRCS1wbKEI=?=", "日本"),
        ("=?utf-8*en?q?lang?=", "lang"),
        ("=?utf-8?q?with spaces in?=", "with spaces in"),
        ("=?utf-8?q?really??=", "really?"),
        ("=?utf-8?q?what?ever?=", "what?ever"),
        ("=?utf-8?q?never closed", "never closed"),
        ("=?utf-8?q?never closed?", "never closed"),
        ("=?utf-8?b?w6k?=", "é"),
        ("=?utf-8?b?w6k=w6k=?=", "éé"),
        ('"=?utf-8?q?=C3=A9?="', '"é"'),
        ("a=?utf-8?q?=C3=A9?=b", "aéb"),
        ("=?iso-8859-1?q?Jürgen?=", "Jürgen"),
        ("=?utf-8?q?Jürgen?=", "Jürgen"),
        ("=?x-unknown?q?abc?=", "abc"),
        ("=?utf-8?x?abc?=", "=?utf-8?x?abc?="),
        ("=?", "=?"),
        ("2 =? 3", "2 =? 3"),
        ("=?utf-8?q?a=0Ab?=", "a b"),
    ],
)
def test_encoded_words_wherever_they_are_split(value, text):
    assert decoded(value) == (text, [])


@pytest.mark.parametrize(
    ("value", "text", "defect"),
    [
        ("=?nosuch?q?abc?=", "abc", "unknown charset nosuch"),
        ("=?utf-8?b?a?=", "a", "encoded word is not valid base64"),
        ("=?utf-8?b?YWJjZ?=", "abc", "encoded word is not valid base64"),
        ("=?utf-8?q?=E9?=", "é", "text is not valid utf-8"),
    ],
)
def test_damaged_words_are_named(value, text, defect):
    assert decoded(value) == (text, [defect])


@given(st.text(max_size=60))
def test_no_value_breaks_it(value):
    decoded(value)[0].encode("utf-8")
    read_ids(value)
    read_display_name(value, [])


@pytest.mark.parametrize("piece", ["=?", "=?a?q?", "=?a?q? ", "?=", "=?a?q?=?=", "<", "=?a*", "?= =?"])
def test_words_without_end_take_no_long_time(piece):
    computed_soon(lambda: decoded(piece * 20_000), 1.0)
    computed_soon(lambda: read_ids(piece * 20_000), 1.0)


def test_printable_is_one_line_without_control_characters():
    assert printable("a\x00b\r\n c\x85d\u2028e \udcff") == "a b c d e \ufffd"


@pytest.mark.parametrize(
    ("value", "charset", "text", "defects"),
    [
        ("plain", "", "plain", []),
        ("schön", "", "schön", []),
        ("sch\udcf6n", "", "schön", ["header holds bytes of an unnamed charset"]),
        ("\udcc4\udce3\udcba\udcc3", "gb2312", "你好", ["header holds bytes of an unnamed charset"]),
        ("sch\udcf6n", "utf-8", "schön", ["header holds bytes of an unnamed charset"]),
        ("\udcff", "euc-jp", "ÿ", ["header holds bytes of an unnamed charset"]),
        ("\ud800", "", "\ufffd", ["text held lone surrogates"]),
    ],
)
def test_bytes_that_name_no_charset_are_read_in_that_of_the_text(value, charset, text, defects):
    found: list[str] = []
    assert unescape_8bit(value, charset, found) == text
    assert found == defects


@pytest.mark.parametrize(
    ("value", "ids"),
    [
        ("<a@x.example>", ("a@x.example",)),
        ("<a@x.example> <b@x.example>\t<a@x.example>", ("a@x.example", "b@x.example")),
        ("<a@x.example><b@x.example>", ("a@x.example", "b@x.example")),
        ("<a @x.\t example>", ("a@x.example",)),
        ("a@x.example", ("a@x.example",)),
        ("a@x.example, b@x.example", ("a@x.example", "b@x.example")),
        ("message of Monday <a@x.example>", ("a@x.example",)),
        ("no id", ("noid",)),
        ("<>", ()),
        ("", ()),
    ],
)
def test_message_ids(value, ids):
    assert read_ids(value) == ids


def test_names_of_a_directory_are_put_in_their_order():
    assert read_display_name("Allen, Phillip K. </O=X/CN=PALLEN>", []) == "Phillip K. Allen"
    assert read_display_name("Phillip K Allen", []) == "Phillip K Allen"
    assert read_display_name("=?utf-8?q?M=C3=BCller=2C_Ann?= <x>", []) == "Ann Müller"
    assert read_display_name("a, b, c", []) == "a, b, c"
    assert read_display_name("news@x.example", []) == ""


def test_what_is_wrong_with_a_date_is_named():
    defects: list[str] = []
    assert read_date("so\x00on", defects) is None
    assert defects == ["date could not be read: 'so on'"]
