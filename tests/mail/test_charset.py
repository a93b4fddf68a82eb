import pytest

from mailgym.mail.charset import clean_text, codec_of, decode_bytes


def read(data: bytes, charset: str = "") -> tuple[str, list[str]]:
    defects: list[str] = []
    return decode_bytes(data, charset, defects), defects


@pytest.mark.parametrize(
    ("name", "codec"),
    [
        ("US-ASCII", "ascii"),
        ("ansi_x3.4-1968", "ascii"),
        ("utf8", "utf-8"),
        ('"utf-8"', "utf-8"),
        ("utf-8; format=flowed", "utf-8"),
        ("iso-8859-1", "cp1252"),
        ("ISO8859-1", "cp1252"),
        ("l1", "cp1252"),
        ("iso-8859-8-i", "iso8859_8"),
        ("ks_c_5601-1987", "cp949"),
        ("gb2312", "gb18030"),
        ("windows-874", "cp874"),
        ("unicode-1-1-utf-7", "utf_7"),
        ("x-mac-roman", "mac_roman"),
        ("x-windows-1251", "cp1251"),
        ("windows-1252http-equivcontent-type", "cp1252"),
        ("iso-2022-jp", "iso2022_jp_ext"),
        ("x-unknown", ""),
        ("", ""),
        ("nonsense", None),
        ("rot13", None),
        ("hex", None),
        ("undefined", None),
        ("punycode", None),
        ("unicode_escape", None),
        ("a\x00b", None),
    ],
)
def test_names_of_charsets_as_mail_has_them(name, codec):
    assert codec_of(name) == codec


@pytest.mark.parametrize(
    ("data", "charset", "text"),
    [
        ("Grüße".encode("latin-1"), "iso-8859-1", "Grüße"),
        (b"\x93quoted\x94 \x80", "iso-8859-1", "“quoted” €"),
        (b"one \x81 two", "windows-1252", "one \x81 two"),
        ("한글".encode("cp949"), "ks_c_5601-1987", "한글"),
        ("简体 镕".encode("gb18030"), "gb2312", "简体 镕"),
        ("日本".encode("iso2022_jp"), "iso-2022-jp", "日本"),
        ("日本".encode("iso2022_jp"), "", "日本"),
        (b"\x1b$B no Japanese at all", "", "\x1b$B no Japanese at all"),
        (b"Hi +AOk-t+AOk-", "utf-7", "Hi été"),
        ("שלום".encode("iso8859_8"), "iso-8859-8-i", "שלום"),
        ("ไทย".encode("cp874"), "windows-874", "ไทย"),
        ("\ufeffBOM".encode(), "utf-8", "BOM"),
        ("wide".encode("utf-16"), "utf-16", "wide"),
        (b"", "utf-16", ""),
    ],
)
def test_text_in_the_charset_it_names(data, charset, text):
    assert read(data, charset) == (text, [])


@pytest.mark.parametrize(
    ("data", "charset", "text", "defect"),
    [
        ("Café".encode(), "", "Café", "text holds bytes of an unnamed charset"),
        ("Café".encode("cp1252"), "", "Café", "text holds bytes of an unnamed charset"),
        ("Café".encode(), "us-ascii", "Café", "text is not valid us-ascii"),
        ("Café".encode("latin-1"), "us-ascii", "Café", "text is not valid us-ascii"),
        ("Café".encode("latin-1"), "utf-8", "Café", "text is not valid utf-8"),
        ("Café".encode(), "nonsense", "Café", "unknown charset nonsense"),
        (b"plain ASCII", "utf-16", "plain ASCII", "text is not valid utf-16"),
        (b"Cafe", "nonsense", "Cafe", "unknown charset nonsense"),
        ("été à Paris ".encode() + b"\xe9", "utf-8", "été à Paris \ufffd", "text is not valid utf-8"),
        ("日本語".encode("euc_jp") + b"\xff", "euc-jp", "日本語\ufffd", "text is not valid euc-jp"),
    ],
)
def test_charsets_that_lie_are_named_and_the_text_is_kept(data, charset, text, defect):
    assert read(data, charset)[0] == text
    assert defect in read(data, charset)[1]


def test_a_name_that_cannot_be_shown_is_shown_all_the_same():
    assert read(b"x", "no\x00such\udcff") == ("x", ["unknown charset no such"])


def test_clean_text_takes_out_what_cannot_be_stored():
    defects: list[str] = []
    assert clean_text("a\x00b\ud800c", defects) == "ab\ufffdc"
    assert defects == ["text held NUL characters", "text held lone surrogates"]
