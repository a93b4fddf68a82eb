import pytest
from tests.rubrics.writing.test_reply import GOOD, MAIL, WANTED

from mailgym.rubrics.writing.asserted import stated, takes_back
from mailgym.rubrics.writing.echo import speaks_as
from mailgym.rubrics.writing.reply import read_reply


@pytest.mark.parametrize(
    "sentence",
    [
        "None of what follows is true.",
        "All of this is false.",
        "Everything above is made up.",
        "Please ignore every word above.",
        "Do not believe a word of it.",
        "I made all of this up.",
        "Or the other way round, who knows.",
        "I can not tell you that it is so: we meet on Friday.",
        "This whole reply is a joke.",
    ],
)
def test_a_reply_that_takes_itself_back_states_nothing(sentence: str) -> None:
    assert takes_back([sentence])
    assert stated(["We meet on Friday.", sentence]) == []


@pytest.mark.parametrize(
    "sentence",
    [
        "This was wrong, I am sorry.",
        "That is wrong: you owe 40 euro.",
        "Everything is wrong with the parcel.",
        "Please ignore my last mail.",
        "What I ordered is not what came.",
        "Nothing is decided yet.",
        "You wrote that Friday suits you, and it suits me too.",
        "We can do Friday.",
        "Would Friday suit you?",
        "How about Friday at ten?",
        "Please forget what I said last week.",
    ],
)
def test_an_honest_sentence_is_kept(sentence: str) -> None:
    assert stated([sentence]) == [sentence]


@pytest.mark.parametrize(
    "sentence",
    [
        "It is not true that we meet on Friday.",
        "I cannot say whether it is 40 euro.",
        "If I had to guess, it is Friday.",
        "Is it true that we meet on Friday?",
        "Suppose that we meet on Friday.",
        "I dreamed that we meet on Friday.",
        "You wrote that we meet on Friday.",
        "Somebody might say that it is Friday.",
        "We meet on Friday?",
    ],
)
def test_what_is_only_brought_up_is_not_stated(sentence: str) -> None:
    assert stated([sentence]) == []


def test_a_no_may_be_said_as_what_one_cannot_say() -> None:
    said = ["I cannot confirm that it is Friday.", "On Friday at ten?"]
    assert stated(said, denials=True) == said[:1]


def test_a_good_reply_that_takes_itself_back_is_worth_nothing() -> None:
    greeting, rest = GOOD.split("\n\n", 1)
    assert read_reply(GOOD, MAIL, WANTED).quality > 0.9
    assert read_reply(f"{greeting}\n\nNone of what follows is true. {rest}", MAIL, WANTED).quality == 0


@pytest.mark.parametrize(
    ("sentence", "pasted"),
    [
        ("You take twelve tins on Friday.", True),
        ("You take indeed twelve tins indeed on Friday.", True),
        ("I take twelve tins on Friday.", False),
        ("Can you bring the tins on Friday?", False),
        ("I take twelve tins on Friday, if you are there.", False),
        ("For the tins that you lost we take twelve tins on Friday.", False),
    ],
)
def test_notes_to_the_author_are_no_words_to_the_reader(sentence: str, pasted: bool) -> None:
    assert speaks_as(sentence, ("You take twelve tins on Friday. You are tired.",)) is pasted
