"""Actions as the prompts would have a model write them."""

import pytest

from mailgym.envs.search.prompt import AnswerPrompt, SearchPrompt

SEARCH = {
    "name": "search_emails",
    "arguments": {"keywords": ["Zürich", 'a "quote"'], "sent_after": "2025-03-01", "from_addr": "Dana Whitfield"},
}
READ = {"name": "read_email", "arguments": {"message_id": "m1@x.example"}}
END = {"name": "return_final_answer", "arguments": {"answer": "", "sources": ["m1@x.example"]}}


def test_a_search_of_the_one_turn_form_is_its_bare_arguments_people_first():
    text = SearchPrompt(1).write(SEARCH)
    expected = '{"from_addr": "Dana Whitfield", "keywords": ["Zürich", "a \\"quote\\""], "sent_after": "2025-03-01"}'
    assert text == expected
    assert SearchPrompt(1).write(END).startswith('{"name": "return_final_answer"')


@pytest.mark.parametrize("prompt", [SearchPrompt(1), SearchPrompt(5), AnswerPrompt(5)], ids=["1", "5", "answer"])
@pytest.mark.parametrize("action", [SEARCH, READ, END, {"name": "search_emails", "arguments": {}}])
def test_what_is_written_is_read_back(prompt, action):
    assert prompt.parse(prompt.write(action)) == action


def test_several_calls_stand_one_a_line_and_are_read_back():
    several = {"calls": [SEARCH, READ]}
    text = AnswerPrompt(5).write(several)
    assert text.count("\n") == 1
    assert AnswerPrompt(5).parse(text) == several
