"""Writes three simulated companies into one store: for training, for validation and for testing."""

import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from mailgym.core.errors import ConfigError
from mailgym.corpora.question import Question, write_questions
from mailgym.corpora.simulate.company import Company, Inbox, simulate_company
from mailgym.corpora.simulate.raw import write_mail
from mailgym.mail.mailbox import Mailbox
from mailgym.mail.store import MailboxWriter

SPLITS = ("train", "validation", "test")
WORST_FACTS_RANK = 3
MAILS_PER_DAY = 2
Progress = Callable[[str, int, int], None]


@dataclass(frozen=True, slots=True)
class Size:
    """How large the companies are.

    Attributes:
        people: People in each company.
        days: Days of mail.
        mails_per_owner: Mails in a mailbox, about.
        owners: Mailboxes by split.
        questions: Questions by split, shared out evenly over the mailboxes.
    """

    people: int
    days: int
    mails_per_owner: int
    owners: dict[str, int]
    questions: dict[str, int]

    @classmethod
    def demo(cls) -> "Size":
        """Return what ``mailgym demo`` uses."""
        return cls(
            people=24,
            days=420,
            mails_per_owner=MAILS_PER_DAY * 420,
            owners={"train": 4, "validation": 4, "test": 8},
            questions={"train": 768, "validation": 64, "test": 240},
        )

    @classmethod
    def of(cls, people: int, days: int) -> "Size":
        """Return a size with other numbers of people and days; mail and questions grow with the days."""
        demo = cls.demo()
        scale = days / demo.days
        questions = {split: max(1, round(count * scale)) for split, count in demo.questions.items()}
        return replace(
            demo, people=people, days=days, mails_per_owner=round(demo.mails_per_owner * scale), questions=questions
        )


@dataclass(frozen=True, slots=True)
class StoreSummary:
    """What a store holds.

    Attributes:
        mails: Mails by mailbox file.
        questions: Questions by split.
    """

    store: Path
    mails: dict[str, int]
    questions: dict[str, int]


def write_store(store: Path, seed: int, size: Size, progress: Progress | None = None) -> StoreSummary:
    """Write three companies with their questions into a new store.

    A question is kept only if the search by its facts finds its mail among the first three. The store is written
    beside its place and moved there when it is whole: an error or a kill leaves nothing in its place.

    Args:
        store: A folder that is not there yet, or is empty.
        seed: Decides all three companies.
        size: How large they are.
        progress: Called with the mailbox's file name, how many are written, and how many there will be.

    Raises:
        ConfigError: The store holds something already, or the companies are too small for that many questions.
    """
    if store.exists() and not store.is_dir():
        raise ConfigError(f"{store} is a file: choose another folder with --store")
    if store.exists() and any(store.iterdir()):
        raise ConfigError(f"{store} is not empty: choose another folder with --store, or remove it first")
    place = store.resolve()
    part = place.with_name(f".{place.name}.part")
    shutil.rmtree(part, ignore_errors=True)
    part.mkdir(parents=True)
    try:
        summary = _write_companies(part, seed, size, progress)
        part.replace(place)
    finally:
        shutil.rmtree(part, ignore_errors=True)
    return replace(summary, store=store)


def _write_companies(store: Path, seed: int, size: Size, progress: Progress | None) -> StoreSummary:
    mails: dict[str, int] = {}
    questions: list[Question] = []
    total = sum(size.owners[split] for split in SPLITS)
    for split in SPLITS:
        company = simulate_company(seed, split, size.people, size.owners[split], size.days, size.mails_per_owner)
        for index, inbox in enumerate(company.inboxes):
            write_inbox(store, inbox)
            share = (size.questions[split] + index) // len(company.inboxes)
            questions += choose_questions(store, company, inbox, share)
            mails[inbox.file_name] = len(inbox.mails)
            if progress is not None:
                progress(inbox.file_name, len(mails), total)
    write_questions(store, questions)
    counts = {split: sum(question.split == split for question in questions) for split in SPLITS}
    return StoreSummary(store, mails, counts)


def write_inbox(store: Path, inbox: Inbox) -> Path:
    """Write one owner's mail as a mailbox file, and return its path."""
    path = store / inbox.file_name
    owner = inbox.owner
    with MailboxWriter(path, path.stem, [owner.address], owner.name) as writer:
        for mail in inbox.mails:
            writer.add(write_mail(mail), "Sent" if mail.sender == owner else "Inbox")
    return path


def choose_questions(store: Path, company: Company, inbox: Inbox, count: int) -> Iterator[Question]:
    """Yield the first ``count`` questions of a mailbox whose facts find their mail.

    Raises:
        ConfigError: There are not that many.
    """
    kept = 0
    for question in company.questions:
        if kept == count:
            return
        if question.mailbox != inbox.file_name:
            continue
        with Mailbox.open(store / question.mailbox, as_of=question.asked_on) as mailbox:
            is_findable = search_rank(mailbox, question, question.facts) <= WORST_FACTS_RANK
        if is_findable:
            kept += 1
            yield question
    if kept < count:
        raise ConfigError(
            f"{inbox.file_name} has {kept} questions, not {count}: ask for fewer questions or for more --days"
        )


def search_rank(mailbox: Mailbox, question: Question, arguments: dict[str, Any]) -> float:
    """Return the rank (1 is best) of a question's mail among the ten that a search finds; infinite if it is not there.

    Args:
        mailbox: The question's mailbox as of the day on which it is asked.
        question: The question.
        arguments: Search arguments in the tool's names: keywords, from_addr, to_addr, sent_after, sent_before.
    """
    hits = mailbox.search(
        arguments.get("keywords"),
        from_=arguments.get("from_addr"),
        to=arguments.get("to_addr"),
        after=arguments.get("sent_after"),
        before=arguments.get("sent_before"),
        limit=10,
    )
    ranks = [rank for rank, hit in enumerate(hits, 1) if hit.message_id in question.message_ids]
    return ranks[0] if ranks else float("inf")
