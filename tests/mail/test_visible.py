from mailgym.mail.visible import visible


def test_what_a_terminal_would_obey_is_shown() -> None:
    assert visible("red \x1b[31m\x07 end\tof\r\nline\x7f") == "red ␛[31m␇ end\tof\nline␡"
    assert visible("a\rb") == "a␍b"
    assert visible("\x9b2J \u202eback\u2066 \u2028") == "<U+009B>2J <U+202E>back<U+2066> <U+2028>"


def test_what_nobody_would_see_is_shown() -> None:
    assert visible("\ud800 a\U000e0049\U000e0067") == "<U+D800> a<U+E0049><U+E0067>"


def test_other_text_stays_as_it_is() -> None:
    assert visible("größer 日本 👩‍👧 <b>\n\tend") == "größer 日本 👩‍👧 <b>\n\tend"
