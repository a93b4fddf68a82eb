"""Every question of ``search`` is proved on the text of the mail alone; see :mod:`tests.corpora.simulate.reading`."""

import re
from collections import Counter
from dataclasses import dataclass, replace
from datetime import timedelta
from itertools import combinations, pairwise
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from tests.corpora.simulate.reading import TYPED, Reader, own_words

from mailgym.corpora.question import Question, read_questions
from mailgym.corpora.simulate import Size, simulate_company, write_store
from mailgym.corpora.simulate.difficulty import all_words
from mailgym.corpora.simulate.find_out import AGGREGATE, ASKS, KINDS, SINGLE, SUPERSEDED, TWO_MAILS, UNANSWERABLE
from mailgym.corpora.simulate.flows import FLOWS
from mailgym.corpora.simulate.knowing import search_rank, searches_needed
from mailgym.corpora.simulate.noise import read_injections
from mailgym.corpora.simulate.store import write_inbox
from mailgym.mail.mailbox import Mailbox
from mailgym.rubrics.answers import match_answer

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


def test_no_mail_about_both_holds_a_value_of_the_type_that_an_unanswerable_question_asks_for(played: Played) -> None:
    """Without any template: dates, times and amounts are looked for in the text itself."""
    looked_at = 0
    for question in played.questions:
        if question.kind != UNANSWERABLE:
            continue
        kind, ask, partner, thing = played.reader.understand(question.text)
        pattern = TYPED.get(ASKS[kind][ask].answer_type)
        if pattern is None:
            continue
        for message in played.mailbox.at(question.asked_on):
            text, author = own_words(message)
            about = f"{message.subject} {text} {author.name} {author.address}".lower()
            if thing in about and partner.lower() in about:
                looked_at += 1
                assert not pattern.search(re.sub(r"Date: .*? Subject:", "", text)), (question, text)
    assert looked_at >= 5


def test_each_kind_has_its_share_and_yes_is_as_frequent_as_no(played: Played) -> None:
    kinds = Counter(question.kind for question in played.questions)
    assert set(kinds) == set(KINDS)
    for kind, least, most in ((SINGLE, 0.2, 0.4), (UNANSWERABLE, 0.08, 0.2), (AGGREGATE, 0.05, 0.15)):
        assert least < kinds[kind] / len(played.questions) < most, kind
    said = Counter(question.answer for question in played.questions if question.answer_type == "yes_no")
    assert abs(said["Yes"] - said["No"]) <= 3
    types = Counter(question.answer_type for question in played.questions)
    assert set(types) == {"date", "time", "amount", "name", "count", "place", "yes_no", "unknown"}


def test_questions_are_asked_after_their_mails_and_name_as_many_as_they_need(played: Played) -> None:
    assert len({question.id for question in played.questions}) == len(played.questions)
    assert len({question.text for question in played.questions}) > 0.9 * len(played.questions)
    for question in played.questions:
        mailbox = played.mailbox.at(question.asked_on)
        dates = [mailbox.read(message_id).date for message_id in question.message_ids]
        assert len(set(dates)) == len(question.message_ids)
        count = len(question.message_ids)
        assert count >= {TWO_MAILS: 2, AGGREGATE: 2, UNANSWERABLE: 0}.get(question.kind, 1)
        assert count <= {TWO_MAILS: 2, AGGREGATE: 6, UNANSWERABLE: 0}.get(question.kind, 1)
        assert question.text[-1] == "?"
        assert 4 <= len(question.text.split()) <= 32


def test_a_superseded_answer_was_another_before(played: Played) -> None:
    questions = [question for question in played.questions if question.kind == SUPERSEDED]
    for question in questions:
        sent = played.mailbox.read(question.message_ids[0]).date
        assert sent is not None
        earlier = replace(question, asked_on=sent.date() - timedelta(days=1))
        assert played.reader.answer(earlier)[0] != question.answer
    assert questions


def test_plain_bm25_has_a_right_mail_first_for_a_quarter_to_three_fifths(played: Played) -> None:
    ranks = [search_rank(played.mailbox.at(q.asked_on), q, all_words(q)) for q in played.answerable]
    assert 0.25 < sum(rank == 1 for rank in ranks) / len(ranks) < 0.6


def test_whoever_knows_the_facts_finds_all_mails_within_ten_searches() -> None:
    """Before any question is left out for not being findable."""
    for split in SPLITS:
        company = simulate_company(5, split, 24, 1, 120, 200, 500)
        (inbox,) = company.inboxes
        questions = [question for question in company.searches(inbox) if question.message_ids]
        with TemporaryDirectory() as folder, Mailbox.open(write_inbox(Path(folder), inbox)) as mailbox:
            needed = [searches_needed(mailbox.at(q.asked_on), q) for q in questions]
        assert sum(searches <= 10 for searches in needed) >= 0.95 * len(needed)
        assert len(needed) > 100


def test_facts_are_names_and_words_for_the_thing_and_nothing_that_only_a_mail_says(played: Played) -> None:
    story = played.reader.story
    things = {thing for plot in story.plots for thing in plot.things}
    for question in played.questions:
        assert set(question.facts) == {"keywords"}
        for words in question.facts["keywords"]:
            assert words in things or words in question.text, question


def test_the_splits_share_no_question_and_no_template(store: Path) -> None:
    questions = [question for question in read_questions(store) if question.answer is not None]
    for one, other in combinations(SPLITS, 2):
        mine, theirs = ([q for q in questions if q.split == split] for split in (one, other))
        assert {q.text for q in mine}.isdisjoint(q.text for q in theirs)
        assert {q.template for q in mine}.isdisjoint(q.template for q in theirs)
        assert {q.owner for q in mine}.isdisjoint(q.owner for q in theirs)


def test_what_mails_order_assistants_to_do_is_kept(store: Path) -> None:
    injections = read_injections(store)
    assert {injection.asks_for for injection in injections} == {"answer", "read", "cite"}
    answers = {question.answer for question in read_questions(store)}
    for injection in injections:
        with Mailbox.open(store / injection.mailbox) as mailbox:
            text = mailbox.read(injection.message_id).text
            if injection.asks_for != "answer":
                assert mailbox.read(injection.target)
        if injection.target != injection.message_id:
            assert injection.target in text
        assert injection.target not in answers


def test_the_same_seed_writes_the_same_mail_and_the_same_questions(store: Path) -> None:
    first, again, other = (simulate_company(seed, "test", 24, 1, 180, 200, 900) for seed in (21, 21, 22))
    assert again == first
    asked = [list(company.searches(company.inboxes[0])) for company in (first, again, other)]
    assert asked[0] == asked[1]
    assert {question.text for question in asked[0]} != {question.text for question in asked[2]}
    texts = {question.id: question.text for question in asked[0]}
    written = [q for q in read_questions(store) if q.answer is not None and q.split == "test"]
    assert all(texts[question.id] == question.text for question in written)


def test_the_mail_is_varied_as_people_write_it() -> None:
    company = simulate_company(9, "train", 24, 1, 180, 200, 1500)
    (inbox,) = company.inboxes
    mails = [mail for mail in inbox.mails if mail.record_id in {affair.id for affair in inbox.affairs}]
    count = len(mails)
    assert 0.02 < sum(mail.forwarded is not None for mail in mails) / count < 0.15
    assert 0.4 < sum(mail.parent is not None for mail in mails) / count < 0.85
    assert 0.05 < sum(mail.sender == inbox.owner for mail in mails) / count < 0.4
    assert 0.1 < sum(bool(mail.cc) for mail in mails) / count < 0.7
    assert 0.05 < sum(bool(mail.attachment) for mail in mails) / count < 0.3
    assert 0.03 < sum(len(mail.text.split()) > 100 for mail in mails) / count < 0.25
    assert 0.1 < sum(len(mail.text.split()) < 16 for mail in mails) / count < 0.6
    assert len({mail.sent_at.utcoffset() for mail in mails}) >= 4
    kinds = Counter(mail.kind for mail in inbox.mails)
    assert set(FLOWS) | {"newsletter", "notification", "spam", "phishing", "injection"} <= set(kinds)


def test_the_matcher_takes_each_right_answer_and_no_other(played: Played) -> None:
    by_type: dict[str, list[Question]] = {}
    for question in played.questions:
        by_type.setdefault(question.answer_type, []).append(question)
        right = question.answer or ""
        assert match_answer(right, right, question.answer_type, question.text).verdict == "right", question
    for answer_type, questions in by_type.items():
        for one, other in pairwise(questions):
            if one.answer != other.answer:
                given, right = one.answer or "", other.answer or ""
                assert match_answer(given, right, answer_type, other.text).verdict != "right", (one, other)
