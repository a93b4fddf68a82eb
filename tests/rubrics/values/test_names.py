import pytest

from mailgym.rubrics.values.names import find_names, read_name, relate_names


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("Dana Whitfield", ("dana", "whitfield")),
        ("Ms. Dana M. Whitfield, Jr.", ("dana", "m", "whitfield")),
        ("Whitfield, Dana (CFO)", ("whitfield", "dana")),
        ("Dana Whitfield, the CFO", ("dana", "whitfield")),
        ("dana.whitfield@ember.example", ("dana", "whitfield")),
        ("Acme Corp.", ("acme",)),
        ("Ludwig van Beethoven", ("ludwig", "beethoven")),
        ("Dr.", ("dr",)),
    ],
)
def test_names_are_read_without_titles_and_endings(text: str, parts: tuple[str, ...]) -> None:
    assert read_name(text).parts == parts


@pytest.mark.parametrize(
    ("text", "question", "names"),
    [
        ("It was Dana Whitfield from Ember.", "", ["dana whitfield", "ember"]),
        ("Tom met Dana", "Whom did Tom meet?", ["dana"]),
        ("On Monday the CFO said no", "", []),
        ("According to Dana, yes", "", ["dana"]),
        ("It's Dana", "", ["dana"]),
        ("mail dana@ember.example", "", ["dana"]),
        ("Whitfield, Dana", "", ["dana whitfield"]),
        ("Ludwig van der Rohe", "", ["ludwig rohe"]),
        ("Room 4", "", []),
    ],
)
def test_names_are_found(text: str, question: str, names: list[str]) -> None:
    assert [" ".join(mention.value.parts) for mention in find_names(text, (), question)] == names


def test_the_right_name_is_found_in_lower_case() -> None:
    (mention,) = find_names("it was dana whitfield again", [read_name("Dana Whitfield")])
    assert mention.value.parts == ("dana", "whitfield")


WHO = "Who approved it?"


@pytest.mark.parametrize(
    ("given", "question", "relation"),
    [
        ("Dana Whitfield", "", "same"),
        ("Whitfield, Dana", "", "same"),
        ("D. Whitfield", "", "same"),
        ("Dana W.", "", "same"),
        ("Dana Marie Whitfield", "", "same"),
        ("Dana", WHO, "same"),
        ("Whitfield", WHO, "same"),
        ("Dana", "", "maybe"),
        ("Dana", "What is the full name of the one who approved it?", "maybe"),
        ("D. W.", WHO, "maybe"),
        ("DW", WHO, "maybe"),
        ("D.", WHO, "maybe"),
        ("Dana Whitfeild", WHO, "maybe"),
        ("Dana Whitfild", WHO, "maybe"),
        ("Dana Whitfields", WHO, "maybe"),
        ("Dana Miller", WHO, "other"),
        ("Tom Whitfield", WHO, "other"),
        ("Tom", WHO, "other"),
        ("D. Miller", WHO, "other"),
    ],
)
def test_names_compared(given: str, question: str, relation: str) -> None:
    assert relate_names(read_name("Dana Whitfield"), read_name(given), question) == relation


@pytest.mark.parametrize(
    ("right", "given", "relation"),
    [
        ("Robert Ross", "Bob Ross", "same"),
        ("Bob Ross", "Robert Ross", "same"),
        ("Robert Ross", "Bill Ross", "other"),
        ("John Paul Jones", "John Jones", "same"),
        ("J. Ross", "James Ross", "same"),
        ("Acme", "Acme Corporation", "same"),
    ],
)
def test_short_forms_and_initials_on_either_side(right: str, given: str, relation: str) -> None:
    assert relate_names(read_name(right), read_name(given), WHO) == relation
