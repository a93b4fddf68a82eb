"""Every question of ``search`` is proved on the text of the mail alone; see :mod:`tests.corpora.simulate.reading`."""

import random
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import pytest

from mailgym.corpora.question import Question, read_questions
from mailgym.corpora.simulate import Size, write_store
from mailgym.corpora.simulate.difficulty import all_words
from mailgym.corpora.simulate.find_out import KINDS, UNANSWERABLE
from mailgym.corpora.simulate.knowing import search_rank, searches_needed
from mailgym.mail.mailbox import Mailbox
from tests.corpora.simulate.reading import TYPED, Reader, own_words

SPLITS = ("train", "validation", "test")
SIZE = Size(
    people=24,
    days=180,
    mails_per_owner=200,
    owners={"train": 1, "validation": 1, "test": 1},
    questions={"train": 5, "validation": 5, "test": 5},
    affair_mails_per_owner=900,
    searches={"train": 200, "validation": 120, "test": 160},
)


@dataclass(frozen=True)
class Played:
    """One split's mailbox with its questions of ``search``."""

    mailbox: Mailbox
    reader: Reader
    questions: list[Question]

    @property
    def answerable(self) -> list[Question]:
        return [question for question in self.questions if question.kind != UNANSWERABLE]


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("simulated") / "store"
    write_store(place, 21, SIZE)
    return place


@pytest.fixture(scope="module", params=SPLITS)
def played(request: pytest.FixtureRequest, store: Path) -> Played:
    questions = [q for q in read_questions(store) if q.answer is not None and q.split == request.param]
    mailbox = Mailbox.open(store / questions[0].mailbox)
    return Played(mailbox, Reader(request.param, mailbox), questions)


def test_each_answerable_question_follows_from_the_text_up_to_its_day(played: Played) -> None:
    for question in played.answerable:
        answer, ids = played.reader.answer(question)
        assert (answer, ids) == (question.answer, set(question.message_ids)), question


def test_the_named_mails_alone_hold_the_answer(played: Played) -> None:
    for question in played.answerable:
        assert played.reader.answer(question, question.message_ids)[0] == question.answer, question


def test_nothing_in_the_mailbox_answers_an_unanswerable_question(played: Played) -> None:
    unanswerable = [question for question in played.questions if question.kind == UNANSWERABLE]
    assert len(unanswerable) >= 10
    for question in unanswerable:
        assert played.reader.answer(question) == (None, set()), question
        assert (question.answer, question.answer_type, question.message_ids) == ("I don't know", "unknown", ())
