from collections.abc import Sequence
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from mailgym.core.episode import Action, Decision, Failure, MalformedAction, Step, Turn
from mailgym.core.errors import StoreError
from mailgym.rollout.ask import Reply, ask

JUNE = date(2025, 6, 1)
QUESTION = "How much is Dana's Harbour bill for toner in April?"


class Player:
    """Plays actions in their order, and keeps what it was shown."""

    name = "player"

    def __init__(self, *script: Action | Decision) -> None:
        """Take the actions, or whole decisions."""
        self.script = script
        self.turns: list[Turn] = []

    def act(self, turns: Sequence[Turn]) -> list[Decision]:
        """Play the next action."""
        (turn,) = turns
        self.turns.append(turn)
        chosen = self.script[len(turn.steps)]
        return [chosen if isinstance(chosen, Decision) else Decision(chosen)]


def search(*keywords: str) -> Action:
    return {"name": "search_emails", "arguments": {"keywords": list(keywords)}}


def answer(text: str, *sources: str) -> Action:
    return {"name": "return_final_answer", "arguments": {"answer": text, "sources": list(sources)}}


def asked(store: Path, *script: Action | Decision, turns: int = 10, as_of: date = JUNE, **how: Any) -> Reply:
    return ask(QUESTION, store / "maya-lind.mailbox", Player(*script), asked_on=as_of, turns=turns, **how)


def test_the_agent_is_asked_as_in_the_environment_and_its_steps_are_told_as_they_happen(small_store: Path) -> None:
    told: list[Step] = []
    player = Player(search("toner"), answer("420 euro", "bill-april@x.example"))
    mailbox = small_store / "maya-lind.mailbox"
    reply = ask(QUESTION, mailbox, player, asked_on=JUNE, turns=10, on_step=told.append)
    first, second = player.turns
    assert first.observation["question"] == QUESTION
    assert first.observation["owner_name"] == "Maya Lind"
    assert (first.observation["today"], first.observation["turns_left"]) == ("2025-06-01", 10)
    assert len(second.observation["results"]) == 3, "the mail of 10 June does not exist yet"
    assert first.seed != second.seed
    assert tuple(told) == reply.steps
    assert len(told) == 2


def test_an_answer_comes_with_its_mails_and_the_sentence_that_says_so(small_store: Path) -> None:
    reply = asked(small_store, answer("420 euro", "<bill-april@x.example>", "sync@x.example", "bill-april@x.example"))
    assert (reply.answer, reply.is_known, reply.stop_reason) == ("420 euro", True, "answered")
    april, sync = reply.sources
    assert april.message_id == "bill-april@x.example"
    assert (april.from_.name, april.subject) == ("Dana Whitfield", "Harbour invoice")
    assert april.date is not None
    assert april.date.date() == date(2025, 4, 4)
    assert april.sentence == "Invoice for toner, 420 euro, is attached."
    assert sync.message_id == "sync@x.example"
    assert reply.missing_sources == ()


def test_what_is_cited_and_is_not_there_yet_or_at_all_is_told_apart(small_store: Path) -> None:
    reply = asked(small_store, answer("420 euro", "made-up@x.example", "late@x.example", "bill-april@x.example"))
    assert [source.message_id for source in reply.sources] == ["bill-april@x.example"]
    assert reply.missing_sources == ("made-up@x.example", "late@x.example")


@pytest.mark.parametrize("text", ["I don't know", "The mails do not say.", "", "  "])
def test_not_knowing_in_any_form_is_an_answer_that_is_not_known(small_store: Path, text: str) -> None:
    reply = asked(small_store, answer(text))
    assert (reply.is_known, reply.stop_reason, reply.answer) == (False, "answered", text.strip())


def test_a_bad_call_can_be_mended_and_costs_a_turn(small_store: Path) -> None:
    reply = asked(small_store, MalformedAction("hm", "there is no JSON object in it"), search(), answer("420 euro"))
    assert [step.result.observation["kind"] for step in reply.steps if step.result] == ["error", "error", "end"]
    assert reply.answer == "420 euro"


def test_turns_that_are_used_up_give_no_answer(small_store: Path) -> None:
    reply = asked(small_store, search("toner"), search("bill"), turns=2)
    assert (reply.answer, reply.is_known, reply.stop_reason) == ("", False, "out_of_turns")
    assert len(reply.steps) == 2


@pytest.mark.parametrize("decision", [Decision(None, failure=Failure("model", "no key")), Decision(None)])
def test_a_model_that_fails_is_a_failure_and_no_answer(small_store: Path, decision: Decision) -> None:
    reply = asked(small_store, search("toner"), decision)
    assert reply.stop_reason == "failed"
    assert reply.failure is not None
    assert reply.failure.boundary == "model"
    assert (reply.answer, reply.sources, reply.is_known) == ("", (), False)


def test_a_mailbox_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(StoreError):
        asked(tmp_path)
