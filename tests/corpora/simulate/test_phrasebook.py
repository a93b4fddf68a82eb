import re
from collections.abc import Iterator
from itertools import combinations

import pytest

from mailgym.core.errors import ConfigError
from mailgym.corpora.simulate.ask import fill
from mailgym.corpora.simulate.matters import STAGES
from mailgym.corpora.simulate.phrasebook import PHRASEBOOKS, Phrasebook, phrasebook
from mailgym.corpora.simulate.phrasebook.book import names, pairs

PAIRS = list(combinations(PHRASEBOOKS.values(), 2))
MAIL_SLOTS = {"topic", "detail", "day", "old_day", "time", "amount", "number", "person", "count"}
QUESTION_SLOTS = {"who", "to", "topic", "detail", "when"}


def slots_of(text: str) -> set[str]:
    return set(re.findall(r"\{(\w+)\}", text))


def mail_templates(book: Phrasebook) -> Iterator[str]:
    for script in book.scripts:
        yield from script.subjects
        yield from script.replies
        for bodies in script.stages:
            yield from bodies
    for bulk in book.bulk:
        yield from bulk.subjects
        yield from bulk.bodies
    yield from (line for line in (*book.greetings, *book.closers, *book.farewells) if line)


def question_templates(book: Phrasebook) -> list[str]:
    return [question for script in book.scripts for question in script.questions] + list(book.sent_questions)


def topics(book: Phrasebook) -> set[str]:
    return {topic.lower() for group in book.topics.values() for topic in group}


def test_each_split_has_its_book() -> None:
    assert set(PHRASEBOOKS) == {"train", "validation", "test"}
    assert all(phrasebook(split).split == split for split in PHRASEBOOKS)
    with pytest.raises(ConfigError, match="train, validation, test"):
        phrasebook("dev")


@pytest.mark.parametrize(("one", "other"), PAIRS, ids=lambda book: book.split)
def test_books_share_no_name_and_no_template(one: Phrasebook, other: Phrasebook) -> None:
    assert one.company != other.company
    assert set(one.first_names).isdisjoint(other.first_names)
    assert set(one.last_names).isdisjoint(other.last_names)
    assert set(one.roles).isdisjoint(other.roles)
    assert topics(one).isdisjoint(topics(other))
    assert set(mail_templates(one)).isdisjoint(mail_templates(other))
    assert set(question_templates(one)).isdisjoint(question_templates(other))
    assert {bulk.address for bulk in one.bulk}.isdisjoint(bulk.address for bulk in other.bulk)
    details = {script.kind: set(script.details) for script in one.scripts}
    assert all(details[script.kind].isdisjoint(script.details) for script in other.scripts)


@pytest.mark.parametrize("book", PHRASEBOOKS.values(), ids=lambda book: book.split)
def test_a_book_is_whole(book: Phrasebook) -> None:
    assert len(question_templates(book)) >= {"train": 20, "validation": 8, "test": 12}[book.split]
    assert {script.kind for script in book.scripts} == set(STAGES)
    assert len(set(question_templates(book))) == len(question_templates(book))
    assert len(set(book.first_names)) == len(book.first_names)
    assert len(set(book.last_names)) == len(book.last_names)
    assert {bulk.kind for bulk in book.bulk} == {"newsletter", "notification", "spam", "injection"}
    for script in book.scripts:
        assert all(group in book.topics for group in script.groups)
        assert len(script.stages) == 3
        assert all("{topic}" in subject for subject in script.subjects), "each mail of a matter names its topic"
        for body in (*script.subjects, *script.replies, *(body for stage in script.stages for body in stage)):
            assert slots_of(body) <= MAIL_SLOTS
        for question in script.questions:
            assert slots_of(question) <= QUESTION_SLOTS - {"to"}
            assert {"who", "topic", "when"} <= slots_of(question)
    assert all({"to", "topic", "when"} <= slots_of(question) for question in book.sent_questions)


@pytest.mark.parametrize("book", PHRASEBOOKS.values(), ids=lambda book: book.split)
def test_paraphrases_are_words_that_no_mail_of_the_kind_uses(book: Phrasebook) -> None:
    for script in book.scripts:
        text = " ".join((*script.subjects, *script.replies, *(body for s in script.stages for body in s))).lower()
        for detail, paraphrase in script.details.items():
            assert paraphrase.lower() not in text
            assert detail.lower() not in paraphrase.lower()


@pytest.mark.parametrize("book", PHRASEBOOKS.values(), ids=lambda book: book.split)
def test_questions_are_plain_ascii_sentences_with_and_without_their_optional_parts(book: Phrasebook) -> None:
    given = {"who": "Ann Lee", "to": "Ann Lee", "topic": "Acme", "detail": "ink", "when": "in May"}
    for question in question_templates(book):
        least = {slot: given[slot] for slot in slots_of(re.sub(r"\[.*?\]", "", question))}
        for slots in (given, least):
            text = fill(question, slots)
            assert text.isascii()
            assert text[-1] in ".?"
            assert not re.search(r"[\[\]{}]|  |\s[.,?]", text), text


def test_fill_leaves_out_parts_whose_slots_are_missing() -> None:
    template = "What did {who} say[ on {detail}][ {when}]?"
    assert fill(template, {"who": "Ann"}) == "What did Ann say?"
    assert fill(template, {"who": "Ann", "when": "in May"}) == "What did Ann say in May?"


def test_names_and_pairs_are_read_from_text() -> None:
    assert names("Alpha Beta,\n   Gamma") == ("Alpha Beta", "Gamma")
    assert pairs("toner = printer\n ink, key = opener") == {"toner": "printer ink", "key": "opener"}
