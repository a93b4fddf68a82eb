"""Makes inboxes from books: which mails, for whom, in which order, and how they are ranked right."""

import random
from collections.abc import Sequence
from datetime import date

from mailgym.core.seeds import stream
from mailgym.envs.triage.books import Book, MailTemplate, read_books
from mailgym.envs.triage.letters import Letter, write_letter
from mailgym.envs.triage.schema import FORMS, SIZES, Form
from mailgym.envs.triage.tasks import Label, Mail, Pair, TriageKey, TriageTask

GENERATOR_SEED = 20261130
FIRST_DAYS = (date(2026, 3, 3), date(2026, 6, 2), date(2026, 9, 8), date(2026, 12, 1))
LEAST_CATEGORIES, LEAST_ACTIONS, LEAST_RANKS = 3, 3, 4
OPENED_AT = "09:00"
FIRST_MINUTE, LAST_MINUTE = 6 * 60 + 5, 8 * 60 + 57


def make_inboxes(split: str, n: int) -> tuple[Pair, ...]:
    """Return ``n`` inboxes of a split: its books and the three forms in turn; always the same."""
    books = read_books(split)
    pairs = []
    for number in range(n):
        form = FORMS[number % len(FORMS)]
        book = books[number // len(FORMS) % len(books)]
        pairs.append(make_inbox(book, form, f"{split}-{form.removeprefix('email-')}-{number:03}", split))
    return tuple(pairs)


def make_inbox(book: Book, form: Form, task_id: str, split: str) -> Pair:
    """Return one inbox of a book with its key; it depends on the task's id alone."""
    draws = stream(GENERATOR_SEED, "triage", split, task_id)
    owner = draws.choice(book.owners)
    letters = [write_letter(book, template, owner, draws) for template in _some(book, SIZES[form], draws)]
    day = draws.choice(FIRST_DAYS)
    minutes = sorted(draws.sample(range(FIRST_MINUTE, LAST_MINUTE), len(letters)))
    ranks = rank_letters(letters)
    mails, labels = [], []
    for number, (letter, minute, rank) in enumerate(zip(letters, minutes, ranks, strict=True), 1):
        email_id = f"e{number}"
        received = f"{day.isoformat()} {minute // 60:02}:{minute % 60:02}"
        mails.append(Mail(email_id, letter.sender_name, letter.sender_address, letter.subject, received, letter.text))
        template = letter.template
        labels.append(
            Label(
                email_id,
                template.category,
                rank,
                template.action,
                template.keywords,
                template.asks,
                letter.draft,
            )
        )
    now = f"{day:%A} {day.isoformat()} {OPENED_AT}"
    address = f"{owner.lower().replace(' ', '.')}@{book.domain}"
    task = TriageTask(task_id, form, owner, address, now, tuple(mails))
    return task, TriageKey(task_id, f"triage/{split}/{book.id}", address, form, tuple(labels))


def rank_letters(letters: Sequence[Letter]) -> list[int]:
    """Return each letter's rank: one more than how many are to be handled before it, so that equals share a rank."""
    return [1 + sum(other.hours < letter.hours for other in letters) for letter in letters]


def _some(book: Book, n: int, draws: random.Random) -> list[MailTemplate]:
    """Draw ``n`` templates, again until there are enough different categories, actions and times among them."""
    while True:
        some = draws.sample(book.mails, n)
        categories = {template.category for template in some}
        actions = {template.action for template in some}
        times = {
            template.due if template.category not in ("newsletter", "spam") else template.category for template in some
        }
        if len(categories) >= LEAST_CATEGORIES and len(actions) >= LEAST_ACTIONS and len(times) >= LEAST_RANKS:
            return some
