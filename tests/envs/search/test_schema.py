import pytest
from pydantic import ValidationError

from mailgym.envs.calls import say_what_is_wrong
from mailgym.envs.search.schema import (
    MAX_KEYWORDS,
    ReadEmail,
    ReturnFinalAnswer,
    SearchEmails,
    tools,
)


def test_a_full_search_is_taken() -> None:
    search = SearchEmails.model_validate(
        {
            "keywords": ["a"],
            "from_addr": "Dana",
            "to_addr": None,
            "sent_after": "",
            "sent_before": " ",
            "max_results": 3,
        }
    )
    assert (search.from_addr, search.to_addr, search.sent_after, search.sent_before) == ("Dana", None, None, None)
    assert search.max_results == 3
    assert SearchEmails.model_validate({"keywords": []}).max_results == 10


@pytest.mark.parametrize(
    "arguments",
    [
        {},
        {"keywords": "budget"},  # a string is no list
        {"keywords": [1]},
        {"keywords": ["a"], "from_addr": ["Dana"]},
        {"keywords": ["a"], "max_results": "3"},
        {"keywords": ["a"], "max_results": 3.0},
        {"keywords": ["a"], "max_results": True},
        {"keywords": ["a"], "max_results": 0},
        {"keywords": ["a"], "max_results": 11},
        {"keywords": ["a"], "owner": "someone else"},
        {"keywords": ["a"] * (MAX_KEYWORDS + 1)},
        {"keywords": ["a" * 201]},
        {"keywords": ["\ud800"]},
    ],
)
def test_wrong_searches_are_refused(arguments: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        SearchEmails.model_validate(arguments)


def test_wrong_reads_and_answers_are_refused() -> None:
    for wrong in ({}, {"message_id": ""}, {"message_id": 3}):
        with pytest.raises(ValidationError):
            ReadEmail.model_validate(wrong)
    for wrong in ({"answer": "x"}, {"answer": "x", "sources": "a"}, {"answer": None, "sources": []}):
        with pytest.raises(ValidationError):
            ReturnFinalAnswer.model_validate(wrong)


def test_what_is_wrong_is_said_on_one_line() -> None:
    with pytest.raises(ValidationError) as caught:
        SearchEmails.model_validate({"keywords": "budget", "subject": "x"})
    text = say_what_is_wrong(caught.value, "search_emails", list(SearchEmails.model_fields))
    assert "keywords: Input should be a valid list" in text
    assert "subject" in text
    assert "Its arguments are: keywords, from_addr, to_addr, sent_after, sent_before, max_results." in text
    assert "\n" not in text


def test_one_turn_has_nothing_to_read() -> None:
    assert list(tools(1)) == ["search_emails", "return_final_answer"]
    assert list(tools(2)) == ["search_emails", "read_email", "return_final_answer"]


def test_a_name_that_a_model_made_up_is_shown_short_and_on_one_line() -> None:
    with pytest.raises(ValidationError) as caught:
        SearchEmails.model_validate({"keywords": [], "a\n" + "k" * 20_000: 1})
    text = say_what_is_wrong(caught.value, "search_emails", list(SearchEmails.model_fields))
    assert "a kkk" in text
    assert "\n" not in text
    assert len(text) < 300
