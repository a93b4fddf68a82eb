import pytest

from mailgym.core.errors import ConfigError
from mailgym.corpora.questions.options import Options


def test_the_defaults_are_art_es() -> None:
    options = Options()
    assert (options.mails_per_box, options.batch, options.min_realistic) == (1000, 20, 0.7)


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"batch": 0}, "batch must be at least 1"),
        ({"mails_per_box": 0, "max_chars": -1}, "mails_per_box and max_chars"),
        ({"min_realistic": 1.2}, "from 0 to 1"),
        ({"min_realistic": float("nan")}, "from 0 to 1"),
        ({"split": "dev"}, "train, validation, test, by-mailbox"),
    ],
)
def test_wrong_values_are_refused_with_what_would_be_right(wrong: dict[str, object], said: str) -> None:
    with pytest.raises(ConfigError, match=said):
        Options(**wrong)  # type: ignore[arg-type]
