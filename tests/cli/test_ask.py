from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from tests.cli.conftest import raw_mail, write_mailbox

from mailgym.agents.chat import ChatAgent
from mailgym.cli import choose
from mailgym.core.episode import Failure
from mailgym.llm.scripted import ScriptedModel

DENVER = raw_mail(
    "fl-1@e.example",
    "Tue, 4 Mar 2025 09:00:00 +0000",
    "Dana Whitfield <dana@ember.example>",
    "Your flight to Denver",
    "Hello Maya,\n\nYour flight to Denver leaves on Friday 14 March at 7:45 am.\n\nDana",
)
EVIL = raw_mail(
    "evil@e.example", "Wed, 5 Mar 2025 09:00:00 +0000", "Eve <eve@x.example>", "Red \x1b[31m", "Text \x1b[0m."
)
QUESTION = "When does my flight to Denver leave?"
DAY = ("--as-of", "2025-03-10")
SEARCH = '{"name": "search_emails", "arguments": {"keywords": ["flight", "Denver"], "from_addr": "dana"}}'
READ = '{"name": "read_email", "arguments": {"message_id": "fl-1@e.example"}}'


def answer(text: str, *sources: str) -> str:
    cited = ", ".join(f'"{source}"' for source in sources)
    return f'{{"name": "return_final_answer", "arguments": {{"answer": "{text}", "sources": [{cited}]}}}}'


@pytest.fixture
def denver(tmp_path: Path) -> Path:
    """A store with one mailbox, in which a flight is booked."""
    store = tmp_path / "mail"
    store.mkdir()
    write_mailbox(store / "maya.mailbox", "maya@ember.example", [("inbox", (), DENVER), ("inbox", (), EVIL)])
    return store


@pytest.fixture
def model_says(monkeypatch: pytest.MonkeyPatch) -> Callable[..., list[Any]]:
    """Let ``--model`` open a model that follows a script; returns the requests that it gets."""

    def say(*script: str | Failure) -> list[Any]:
        model = ScriptedModel(script)

        def open_agent(name: str, spec: Any, turns: int, how: choose.How) -> ChatAgent:
            assert spec.id == "search"
            return ChatAgent(model, spec.prompt(turns), name=name)

        monkeypatch.setattr(choose, "model_agent", open_agent)
        return model.requests

    return say


def test_without_a_model_rules_find_the_answer_and_the_sentence(mailgym: Any, denver: Path) -> None:
    result = mailgym("ask", QUESTION, "--store", denver, *DAY)
    assert result.code == 0
    assert result.out.splitlines()[0] == "Friday 14 March at 7:45 am"
    assert result.out.splitlines()[1:] == [
        "",
        "2025-03-04  Dana Whitfield  Your flight to Denver",
        "  “Your flight to Denver leaves on Friday 14 March at 7:45 am.”",
        "  id fl-1@e.example",
    ]
    assert result.err.startswith("search ")
    assert "read 2025-03-04, Dana Whitfield <dana@ember.example>: Your flight to Denver\n" in result.err


def test_before_the_mail_came_it_does_not_know(mailgym: Any, denver: Path) -> None:
    result = mailgym("ask", QUESTION, "--mailbox", denver / "maya.mailbox", "--as-of", "2025-03-01")
    assert result.code == 0
    assert result.out.startswith("I don't know: nothing that was found in maya says so.\n")
    assert "Denver" not in result.out


def test_a_model_is_asked_and_its_steps_are_shown(mailgym: Any, denver: Path, model_says: Any) -> None:
    requests = model_says(SEARCH, "hm", READ, answer("on Friday at 7:45", "fl-1@e.example"))
    result = mailgym("ask", QUESTION, "--store", denver, "--model", "openai:any", *DAY)
    assert result.code == 0
    assert result.out.splitlines()[0] == "on Friday at 7:45"
    said = result.err.splitlines()
    assert said[0] == "search flight, Denver; from dana: 1 message"
    assert said[1].startswith("not done: No tool call could be read")
    assert said[2].startswith("read 2025-03-04, Dana")
    assert len(said) == 3
    assert "<mail_data>" in requests[-1].messages[-1].content


def test_several_calls_of_one_turn_are_told_one_by_one(mailgym: Any, denver: Path, model_says: Any) -> None:
    model_says(f"{SEARCH}\n{READ}", answer("7:45", "fl-1@e.example"))
    result = mailgym("ask", QUESTION, "--store", denver, "--model", "local", *DAY)
    assert [line.split()[0] for line in result.err.splitlines()] == ["search", "read"]


def test_as_json_it_has_all_of_it_and_nothing_else(mailgym: Any, denver: Path, model_says: Any) -> None:
    model_says("hm", answer("7:45", "fl-1@e.example", "no@x"))
    data = mailgym("ask", QUESTION, "--store", denver, "--model", "local", "--json", *DAY).data
    assert data == {
        "question": QUESTION,
        "mailbox": "maya",
        "asked_on": "2025-03-10",
        "agent": "local",
        "answer": "7:45",
        "is_known": True,
        "sources": [
            {
                "message_id": "fl-1@e.example",
                "date": "2025-03-04T09:00:00+00:00",
                "from": {"name": "Dana Whitfield", "address": "dana@ember.example"},
                "subject": "Your flight to Denver",
                "sentence": "Your flight to Denver leaves on Friday 14 March at 7:45 am.",
            }
        ],
        "missing_sources": ["no@x"],
        "stop_reason": "answered",
        "failure": None,
        "steps": [
            {"malformed": "there is no JSON object in it"},
            {
                "name": "return_final_answer",
                "arguments": {"answer": "7:45", "sources": ["fl-1@e.example", "no@x"]},
            },
        ],
    }


def test_an_answer_without_mail_behind_it_is_warned_of(mailgym: Any, denver: Path, model_says: Any) -> None:
    model_says(answer("on Monday"))
    result = mailgym("ask", QUESTION, "--store", denver, "--model", "local", *DAY)
    assert result.out == "on Monday\n\nno message was cited for it: do not rely on it\n"
    model_says(answer("on Monday", "made-up@x"))
    result = mailgym("ask", QUESTION, "--store", denver, "--model", "local", *DAY)
    assert "cited, but not in the mailbox: made-up@x" in result.out


def test_not_knowing_in_its_own_words_is_shown_with_them(mailgym: Any, denver: Path, model_says: Any) -> None:
    model_says(answer("I could not find any mail about it.", "fl-1@e.example"))
    lines = mailgym("ask", QUESTION, "--store", denver, "--model", "local", *DAY).out.splitlines()
    assert lines[0] == "I don't know: nothing that was found in maya says so."
    assert lines[1] == "I could not find any mail about it."
    model_says(answer("I don't know."))
    result = mailgym("ask", QUESTION, "--store", denver, "--model", "local", *DAY)
    assert result.out == "I don't know: nothing that was found in maya says so.\n"


def test_what_a_mail_or_a_model_writes_is_not_obeyed_by_the_terminal(
    mailgym: Any, denver: Path, model_says: Any
) -> None:
    read = '{"name": "read_email", "arguments": {"message_id": "evil@e.example"}}'
    model_says(read, answer("\\u001b[2Jgone", "evil@e.example", "x\\u001b@x"))
    result = mailgym("ask", QUESTION, "--store", denver, "--model", "local", *DAY)
    assert result.code == 0
    assert "\x1b" not in result.out + result.err
    assert result.out.startswith("␛[2Jgone")


def test_no_answer_is_exit_code_1_and_says_why(mailgym: Any, denver: Path, model_says: Any) -> None:
    model_says(SEARCH)
    result = mailgym("ask", QUESTION, "--store", denver, "--model", "local", "--turns", "1", *DAY)
    assert (result.code, result.out) == (1, "")
    assert "no answer: the 1 turns are used up" in result.err
    model_says(Failure("model", "no key"))
    result = mailgym("ask", QUESTION, "--store", denver, "--model", "local", *DAY)
    assert (result.code, result.out) == (1, "")
    assert "failed (model): no key" in result.err


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ((" ",), "the question is empty"),
        ((QUESTION, "--as-of", "soon"), "--as-of is 'soon': write a day such as 2001-05-14"),
        ((QUESTION, "--mailbox", "nobody"), "is no mailbox in"),
        ((QUESTION, "--turns", "0"), "an episode has at least one"),
    ],
)
def test_a_wrong_call_is_one_line_that_says_what_to_do(
    mailgym: Any, denver: Path, arguments: tuple[str, ...], says: str
) -> None:
    result = mailgym("ask", *arguments, "--store", denver)
    assert result.code == 2
    assert says in result.err
    assert result.err.count("\n") == 1


def test_of_several_mailboxes_one_must_be_named(mailgym: Any, two_store: Path) -> None:
    result = mailgym("ask", QUESTION, "--store", two_store)
    assert result.code == 2
    assert "has 2 mailboxes (maya, tom): name one with --mailbox NAME" in result.err


def test_without_a_day_it_is_asked_today(mailgym: Any, denver: Path) -> None:
    before = datetime.now(UTC).date().isoformat()
    asked_on = mailgym("ask", QUESTION, "--store", denver, "--json").data["asked_on"]
    assert before <= asked_on <= datetime.now(UTC).date().isoformat()
