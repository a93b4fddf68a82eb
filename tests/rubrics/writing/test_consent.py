import pytest

from mailgym.rubrics.writing.consent import says_yes_or_no


@pytest.mark.parametrize(
    "text",
    [
        "Yes, please.",
        "Here is everything: yes, he may swim.",
        "Thursday works for me.",
        "That's fine with us.",
        "I'd be more than happy to join.",
        "We'll gladly take part, and I can bring the cake.",
        "Approved.",
        "No problem, go ahead.",
        "Count us in, both of us.",
        "I'm coming on my own.",
        "Your leave is approved.",
        "Sure thing.",
    ],
)
def test_yes_in_many_words(text: str) -> None:
    assert says_yes_or_no([text]) == "yes"


@pytest.mark.parametrize(
    "text",
    [
        "No, thanks.",
        "I can't make it on Friday.",
        "Unfortunately the room is taken.",
        "I have to say no this time.",
        "We are not able to pay that back.",
        "I'm afraid that isn't possible.",
        "We must decline your offer.",
        "He may not swim.",
        "We don't do such things here.",
    ],
)
def test_no_in_many_words(text: str) -> None:
    assert says_yes_or_no([text]) == "no"


@pytest.mark.parametrize(
    "text", ["Thank you for your message.", "Could you come on Friday?", "I am happy to hear that.", "I can't wait!"]
)
def test_what_says_neither(text: str) -> None:
    assert says_yes_or_no([text]) == ""


def test_the_first_sentence_that_tells_decides() -> None:
    assert says_yes_or_no(["What a pity.", "We can't pay it back.", "You can join the spring course."]) == "no"
    assert says_yes_or_no(["I'd love to.", "A title I can't give you yet."]) == "yes"
    assert says_yes_or_no(["Unfortunately I can't, but Ann will be there and that works."]) == "no"
    assert says_yes_or_no(["It works for us, though we won't stay."]) == "yes"


def test_a_denial_by_the_way_is_no_refusal() -> None:
    assert says_yes_or_no(["I can't believe it's three years.", "I'd love to come."]) == "yes"
    assert says_yes_or_no(["We haven't met for long.", "Count me in."]) == "yes"


def test_yes_and_no_are_both() -> None:
    assert says_yes_or_no(["Yes, of course.", "No, sorry."]) == "both"
