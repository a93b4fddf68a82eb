import json
from datetime import date
from pathlib import Path

import pytest
from tests.corpora.questions.shop import answers, model_of, write_box

from mailgym.core.episode import Failure
from mailgym.corpora.questions.check import Claim, check_claims
from mailgym.corpora.questions.item import DISAGREEMENT, KEPT, NOT_ANSWERABLE, UNDECIDED, Item
from mailgym.corpora.questions.meter import Metered
from mailgym.llm.base import ChatRequest
from mailgym.mail.mailbox import Mailbox
from mailgym.rubrics.answers import match_answer

UNSURE_QUESTION, UNSURE_RIGHT, UNSURE_GIVEN = "What did Dana promise?", "to send the plans", "she mails the drawings"


def check(tmp_path: Path, question: str, answer: str, given: str | Failure, verdict: str | Failure = "") -> Item:
    """Check one question about the first offer; ``given`` is the second answer, ``verdict`` what the judge says."""
    asked: list[ChatRequest] = []

    def say(request: ChatRequest) -> str | Failure:
        asked.append(request)
        return given if answers(request) else verdict

    with Mailbox.open(write_box(tmp_path, "maya", 1)) as mailbox:
        item = Item(question, answer, ("offer-0@x",), 0.9, date(2024, 2, 3))
        claim = Claim(item, "Maya Lind <maya@ember.example>", (mailbox.read("offer-0@x"),))
    (checked,) = check_claims([claim], Metered(model_of(say)), 4000, 100, 0)
    assert "kiln 0 costs 100 euro" in asked[0].messages[1].content
    assert answer not in asked[0].messages[1].content.split("</mail_data>")[1], "the answer is not shown"
    return checked


def test_a_second_answer_that_says_the_same_keeps_the_question(tmp_path: Path) -> None:
    assert check(tmp_path, "How much is the kiln?", "100 euro", "EUR 100").fate == KEPT


def test_another_answer_drops_it_and_is_noted(tmp_path: Path) -> None:
    item = check(tmp_path, "How much is the kiln?", "100 euro", "120 euro")
    assert item.fate == DISAGREEMENT
    assert item.note.startswith("120 euro (")


@pytest.mark.parametrize("given", ["I don't know", "I don’t know.", "The mails do not say."])
def test_mails_that_do_not_answer_drop_it(tmp_path: Path, given: str) -> None:
    assert check(tmp_path, "How much is the kiln?", "100 euro", given).fate == NOT_ANSWERABLE


def test_an_empty_answer_is_no_agreement(tmp_path: Path) -> None:
    assert check(tmp_path, "How much is the kiln?", "100 euro", " \n").fate == UNDECIDED


def test_a_failed_call_is_no_verdict(tmp_path: Path) -> None:
    item = check(tmp_path, "How much is the kiln?", "100 euro", Failure("model", "too late"))
    assert (item.fate, item.note) == ("", "too late")


def test_the_matcher_is_unsure_of_the_case_that_the_judge_gets() -> None:
    assert match_answer(UNSURE_GIVEN, UNSURE_RIGHT, "", UNSURE_QUESTION).verdict == "unsure"


@pytest.mark.parametrize(("is_right", "fate"), [(True, KEPT), (False, DISAGREEMENT)])
def test_where_the_matcher_is_unsure_the_judge_decides(tmp_path: Path, is_right: bool, fate: str) -> None:
    said = json.dumps({"is_right": is_right, "reason": "compared"})
    item = check(tmp_path, UNSURE_QUESTION, UNSURE_RIGHT, UNSURE_GIVEN, said)
    assert item.fate == fate
    if not is_right:
        assert item.note == f"{UNSURE_GIVEN} (compared)"


def test_what_the_judge_cannot_tell_is_dropped_as_undecided(tmp_path: Path) -> None:
    assert check(tmp_path, UNSURE_QUESTION, UNSURE_RIGHT, UNSURE_GIVEN, "hard to say").fate == UNDECIDED


def test_a_judge_whose_call_failed_is_no_verdict(tmp_path: Path) -> None:
    assert check(tmp_path, UNSURE_QUESTION, UNSURE_RIGHT, UNSURE_GIVEN, Failure("model", "down")).fate == ""
