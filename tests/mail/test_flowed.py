import pytest

from mailgym.mail.flowed import unflow


@pytest.mark.parametrize(
    ("text", "is_space_deleted", "expected"),
    [
        ("one \ntwo\nthree", False, "one two\nthree"),
        ("one \ntwo", True, "onetwo"),
        ("fixed\nlines", False, "fixed\nlines"),
        ("> quoted \n> on\nmine", False, "> quoted on\nmine"),
        (">> deep \n> less \nmine", False, ">> deep \n> less \nmine"),
        (" >not a quote\n From here", False, ">not a quote\nFrom here"),
        ("text \n-- \nDana", False, "text \n-- \nDana"),
        ("> text \n> -- \n> Dana", False, "> text \n> -- \n> Dana"),
        ("ends soft ", False, "ends soft "),
        ("ends soft ", True, "ends soft"),
        ("", False, ""),
    ],
)
def test_paragraphs_are_put_together(text, is_space_deleted, expected):
    assert unflow(text, is_space_deleted) == expected
