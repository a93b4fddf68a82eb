"""Writes three simulated companies into one store: for training, for validation and for testing."""

import shutil
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from mailgym.core.errors import ConfigError
from mailgym.corpora.question import Question, write_questions
from mailgym.corpora.simulate.affairs import LEAST_PEOPLE
from mailgym.corpora.simulate.company import Inbox, simulate_company
from mailgym.corpora.simulate.knowing import MOST_SEARCHES, search_rank, searches_needed
from mailgym.corpora.simulate.noise import Injection, write_injections
from mailgym.corpora.simulate.raw import write_mail
from mailgym.mail.mailbox import Mailbox
from mailgym.mail.prepare import RawMessage
from mailgym.mail.store import MailboxWriter

SPLITS = ("train", "validation", "test")
WORST_FACTS_RANK = 3
MAILS_PER_DAY = 2
AFFAIR_MAILS_PER_DAY_AND_PERSON = 0.125
MAILS_PER_SEARCH = {"train": 5, "validation": 18, "test": 9}
"""Mails about affairs to one question of ``search`` about them, in free sizes."""
Progress = Callable[[str, int, int], None]


@dataclass(frozen=True, slots=True)
class Size:
    """How large the companies are.

    Attributes:
        people: People in each company.
        days: Days of mail.
        mails_per_owner: Mails in a mailbox, about.
        owners: Mailboxes by split.
        questions: Questions of ``find`` by split, shared out evenly over the mailboxes.
        affair_mails_per_owner: Mails about affairs in a mailbox, bulk mail among them included, about.
        searches: Questions of ``search`` by split, shared out likewise; they are about affairs.
    """

    people: int
    days: int
    mails_per_owner: int
    owners: dict[str, int]
    questions: dict[str, int]
    affair_mails_per_owner: int = 0
    searches: dict[str, int] = field(default_factory=dict)

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
    def small(cls) -> "Size":
        """Return a corpus of ``search`` that is written in seconds: five mailboxes of 1,500 mails."""
        return cls(
            people=24,
            days=150,
            mails_per_owner=300,
            owners={"train": 2, "validation": 1, "test": 2},
            questions={"train": 60, "validation": 20, "test": 40},
            affair_mails_per_owner=1_200,
            searches={"train": 400, "validation": 100, "test": 300},
        )

    @classmethod
    def full(cls) -> "Size":
        """Return the embedded corpus of ``search``: mailboxes as large as ART-E's, thousands of questions."""
        return cls(
            people=40,
            days=300,
            mails_per_owner=1_400,
            owners={"train": 8, "validation": 2, "test": 4},
            questions={"train": 768, "validation": 64, "test": 240},
            affair_mails_per_owner=4_000,
            searches={"train": 4_000, "validation": 500, "test": 1_000},
        )

    @classmethod
    def of(cls, people: int, days: int) -> "Size":
        """Return a size with other numbers of people and days.

        Mail and questions grow with the days; mail about affairs and questions of ``search`` with the people too. With
        fewer than 16 people too few have no mailbox for affairs, and there are only questions of ``find``.
        """
        demo = cls.demo()
        scale = days / demo.days
        is_large = people - max(demo.owners.values()) >= LEAST_PEOPLE
        affair_mails = round(AFFAIR_MAILS_PER_DAY_AND_PERSON * days * people) if is_large else 0
        return replace(
            demo,
            people=people,
            days=days,
            mails_per_owner=round(demo.mails_per_owner * scale),
            questions=_scaled(demo.questions, scale),
            affair_mails_per_owner=affair_mails,
            searches={split: demo.owners[split] * affair_mails // mails for split, mails in MAILS_PER_SEARCH.items()},
        )


SIZES: dict[str, Callable[[], Size]] = {"demo": Size.demo, "small": Size.small, "full": Size.full}
"""The sizes that have a name."""


def _scaled(questions: dict[str, int], scale: float) -> dict[str, int]:
    return {split: max(1, round(count * scale)) for split, count in questions.items()}


@dataclass(frozen=True, slots=True)
class StoreSummary:
    """What a store holds.

    Attributes:
        mails: Mails by mailbox file.
        questions: Questions of ``find`` by split.
        searches: Questions of ``search`` by split.
    """

    store: Path
    mails: dict[str, int]
    questions: dict[str, int]
    searches: dict[str, int] = field(default_factory=dict)


def write_store(store: Path, seed: int, size: Size, progress: Progress | None = None) -> StoreSummary:
    """Write three companies with their questions into a new store.

    A question of ``find`` is kept only if the search by its facts finds its mail among the first three, one of
    ``search`` only if somebody who knows its facts finds all its mails within ten searches. The store is written
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
        raise ConfigError(f"{store} is not empty: choose another folder with --store")
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
    searches: list[Question] = []
    injections: list[Injection] = []
    total = sum(size.owners[split] for split in SPLITS)
    for split in SPLITS:
        company = simulate_company(
            seed,
            split,
            size.people,
            size.owners[split],
            size.days,
            size.mails_per_owner,
            size.affair_mails_per_owner,
        )
        wanted, wanted_searches = size.questions[split], size.searches.get(split, 0)
        for index, inbox in enumerate(company.inboxes):
            write_inbox(store, inbox)
            count = len(company.inboxes)
            questions += choose_questions(store, inbox, company.questions(inbox), (wanted + index) // count)
            searches += choose_questions(store, inbox, company.searches(inbox), (wanted_searches + index) // count)
            injections += inbox.injections
            mails[inbox.file_name] = len(inbox.mails)
            if progress is not None:
                progress(inbox.file_name, len(mails), total)
    write_questions(store, [*questions, *searches])
    write_injections(store, injections)
    return StoreSummary(store, mails, _by_split(questions), _by_split(searches))


def _by_split(questions: Sequence[Question]) -> dict[str, int]:
    return {split: sum(question.split == split for question in questions) for split in SPLITS}


def write_inbox(store: Path, inbox: Inbox) -> Path:
    """Write one owner's mail as a mailbox file, and return its path."""
    path = store / inbox.file_name
    owner = inbox.owner
    with MailboxWriter(path, path.stem, [owner.address], owner.name) as writer:
        writer.add_many(
            RawMessage(write_mail(mail), "Sent" if mail.sender == owner else "Inbox") for mail in inbox.mails
        )
    return path


def choose_questions(store: Path, inbox: Inbox, questions: Iterable[Question], count: int) -> Iterator[Question]:
    """Yield the first ``count`` questions of a mailbox that somebody who knows their facts can answer.

    Raises:
        ConfigError: There are not that many.
    """
    kept = 0
    with Mailbox.open(store / inbox.file_name) as mailbox:
        for question in questions:
            if kept == count:
                return
            if _is_findable(mailbox.at(question.asked_on), question):
                kept += 1
                yield question
    if kept < count:
        raise ConfigError(
            f"{inbox.file_name} has {kept} questions, not {count}: ask for fewer questions or for more --days"
        )


def _is_findable(mailbox: Mailbox, question: Question) -> bool:
    if question.answer is None:
        return search_rank(mailbox, question, question.facts) <= WORST_FACTS_RANK
    return not question.message_ids or searches_needed(mailbox, question) <= MOST_SEARCHES
