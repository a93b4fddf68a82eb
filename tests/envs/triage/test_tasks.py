import random
from collections import Counter
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest

from mailgym.core.errors import UserError
from mailgym.envs.triage.books import Book, MailTemplate, choose, read_books
from mailgym.envs.triage.inboxes import make_inbox, rank_letters
from mailgym.envs.triage.letters import ALTERNATIVES, AT, BY, write_letter
from mailgym.envs.triage.rubric import response_quality
from mailgym.envs.triage.rubric.hardened import draft_quality
from mailgym.envs.triage.schema import CATEGORIES, FORMS, MAIL_ACTIONS, SIZES
from mailgym.envs.triage.tasks import Label, Mail, load_tasks, pairs_of, secrets

GENERATED = ("train", "validation", "test")
BOOKS = [(split, book) for split in GENERATED for book in read_books(split)]


def test_every_split_has_its_episodes_of_every_form() -> None:
    assert {split: len(pairs_of(split)) for split in GENERATED} == {"train": 480, "validation": 120, "test": 240}
    for split in GENERATED:
        forms = Counter(task.form for task, _ in pairs_of(split))
        assert set(forms) == set(FORMS)
        assert len(set(forms.values())) == 1
        for task, key in pairs_of(split):
            assert len(task.mails) == len(key.labels) == SIZES[task.form]
            assert [mail.email_id for mail in task.mails] == [label.email_id for label in key.labels]
            assert key.kind == task.form
            assert [mail.received for mail in task.mails] == sorted(mail.received for mail in task.mails)


def test_no_two_splits_share_a_book_a_person_a_company_or_a_text() -> None:
    seen: dict[str, str] = {}
    for split, book in BOOKS:
        people = {*book.owners, *book.people, *book.friends, *(client[0] for client in book.clients)}
        companies = {book.company, book.domain, *(client[1] for client in book.clients)}
        texts = {template.text for template in book.mails} | {template.subject for template in book.mails}
        senders = {template.sender for template in book.mails} - {"colleague", "client", "friend"}
        for item in people | companies | texts | senders | set(book.quotes) | {book.id}:
            assert seen.setdefault(item, split) == split
    templates = [{key.template for _, key in pairs_of(split)} for split in (*GENERATED, "bank")]
    assert sum(map(len, templates)) == len(set.union(*templates))


def test_a_split_is_always_the_same_and_the_seed_chooses_from_it() -> None:
    book = read_books("test")[0]
    task, key = make_inbox(book, "email-classify", "test-classify-000", "test")
    assert (task, key) == pairs_of("test")[0]
    some = load_tasks(Path("x"), "test", n=10, seed=1)
    assert some.task_ids == load_tasks(Path("y"), "test", n=10, seed=1).task_ids
    assert some.task_ids != load_tasks(Path("x"), "test", n=10, seed=2).task_ids
    assert all((some.tasks[name], some.keys[name]) in pairs_of("test") for name in some.task_ids)


def test_a_split_that_there_is_not_is_refused() -> None:
    with pytest.raises(UserError, match="test, validation, train, bank"):
        load_tasks(Path("x"), "dev")
    with pytest.raises(UserError, match="at least 1"):
        load_tasks(Path("x"), "bank", n=0)


def test_the_bank_has_the_documents_three_tasks() -> None:
    bank = load_tasks(Path("x"), "bank")
    assert bank.task_ids == FORMS
    first = bank.keys["email-classify"].labels[0]
    assert (first.email_id, first.category, first.rank, first.action) == ("e1", "spam", 5, "delete")
    for name in FORMS:
        labels = bank.keys[name].labels
        assert sorted(label.rank for label in labels) == list(range(1, SIZES[name] + 1))
        assert all(label.draft and label.keywords for label in labels if label.needs_draft)
    assert {label.category for label in bank.keys["email-triage-full"].labels} == set(CATEGORIES)


@pytest.mark.parametrize(("split", "book"), BOOKS, ids=[book.id for _, book in BOOKS])
def test_a_book_is_labelled_with_care(split: str, book: Book) -> None:
    assert len(book.mails) >= max(SIZES.values())
    assert {template.category for template in book.mails} == set(CATEGORIES)
    assert {template.action for template in book.mails} == set(MAIL_ACTIONS)
    for template in book.mails:
        if template.category == "urgent":
            assert template.due in ("now", "hour")
        elif template.category in ("work", "personal"):
            assert template.due not in ("now", "hour")
        has_slot = "{by}" in template.text + template.subject or "{at}" in template.text + template.subject
        if template.category not in ("spam", "newsletter"):
            assert has_slot == (template.due not in ("now", "none")), template.subject
        assert bool(template.reply) == (template.action == "respond"), template.subject
        assert bool(template.keywords) == (template.action == "respond"), template.subject
        assert (template.category == "spam") <= (template.action == "delete")
    assert "\t" not in split


@pytest.mark.parametrize(("split", "book"), BOOKS, ids=[book.id for _, book in BOOKS])
def test_every_draft_of_a_book_does_under_both_profiles(split: str, book: Book) -> None:
    for number, template in enumerate(template for template in book.mails if template.reply):
        owner = book.owners[number % len(book.owners)]
        letter = write_letter(book, template, owner, random.Random(number))
        mail = Mail("e1", letter.sender_name, letter.sender_address, letter.subject, "", letter.text)
        label = Label("e1", template.category, 1, template.action, template.keywords, template.asks, letter.draft)
        assert draft_quality(letter.draft, mail, owner, label) > 0.9, template.subject
        assert response_quality(letter.draft, template.keywords) > 0.99, template.subject
    assert split in GENERATED


def test_no_slot_and_no_choice_is_left_open() -> None:
    for split in GENERATED:
        for task, key in pairs_of(split):
            for mail in task.mails:
                shown = mail.text + mail.subject
                assert not set("{}") & set(shown)
                assert ALTERNATIVES.search(shown) is None
                assert "@" in mail.sender
            assert not any(set("{}[]") & set(label.draft) for label in key.labels)


def test_ranks_follow_from_when_a_mail_must_be_handled() -> None:
    book = read_books("train")[0]
    dues = ("now", "hour", "today", "tomorrow", "week", "next_week", "month")
    base = MailTemplate("work", "flag", "now", "colleague", "s", "It must be done {by}.")
    letters = [write_letter(book, replace(base, due=due), book.owners[0], random.Random(3)) for due in dues]
    undated = [
        write_letter(book, replace(base, category=category, due="none", text="x"), book.owners[0], random.Random(3))
        for category in ("work", "personal", "newsletter", "spam")
    ]
    early_spam = write_letter(book, replace(base, category="spam", due="hour"), book.owners[0], random.Random(3))
    assert rank_letters([*letters, *undated]) == list(range(1, 12))
    assert rank_letters([early_spam, undated[3], letters[0]]) == [2, 2, 1]


def test_times_of_one_sort_come_before_those_of_the_next() -> None:
    for table in (AT, BY):
        for sooner, later in pairwise(table.values()):
            assert max(hours for _, hours in sooner) < min(hours for _, hours in later)


def test_the_most_frequent_category_is_a_small_share() -> None:
    for split in GENERATED:
        found = Counter(label.category for _, key in pairs_of(split) for label in key.labels)
        assert max(found.values()) / sum(found.values()) < 0.3


def test_the_order_of_the_inbox_tells_nothing_of_the_ranks() -> None:
    early, late = [], []
    for _, key in pairs_of("train"):
        ranks = [label.rank / len(key.labels) for label in key.labels]
        half = len(ranks) // 2
        early += ranks[:half]
        late += ranks[-half:]
    assert abs(sum(early) / len(early) - sum(late) / len(late)) < 0.03


def test_secrets_are_template_and_drafts() -> None:
    task, key = pairs_of("bank")[2]
    assert key.template in secrets(key)
    assert all(draft not in mail.text for draft in secrets(key) for mail in task.mails)


def test_data_with_an_unknown_label_is_refused() -> None:
    with pytest.raises(ValueError, match="'junk' is none of"):
        choose("junk", CATEGORIES)
