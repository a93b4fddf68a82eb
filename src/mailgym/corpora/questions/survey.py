"""Looks over a store: which mailboxes questions can be made of, in which split each is, and which mails are shown."""

from collections.abc import Callable, Iterable
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Self

from mailgym.core.errors import SourceError, UserError
from mailgym.core.seeds import derive_seed, stream
from mailgym.corpora.question import QUESTIONS_FILE, Question, read_questions
from mailgym.corpora.questions.options import BY_MAILBOX, Options
from mailgym.corpora.questions.sample import Batch, Sample, choose_batches
from mailgym.mail.mailbox import Mailbox
from mailgym.mail.schema import MAILBOX_SUFFIX

TEST_SHARE, VALIDATION_SHARE = 0.2, 0.1
LEAST_WITH_VALIDATION = 3
Looked = Callable[[int, int], None]
"""Called with the number of mailboxes looked over, and of all."""


@dataclass(slots=True)
class Survey:
    """A store, looked over. A context manager: it holds the mailboxes open.

    Attributes:
        mailboxes: Mailboxes with an owner, by file name.
        samples: What was chosen of each.
        splits: The split of each.
        batches: All batches, in the order in which they are made: a part of them is spread over all mailboxes too.
        without_owner: Mailboxes that say not whose they are; no question can be asked there.
    """

    mailboxes: dict[str, Mailbox]
    samples: dict[str, Sample]
    splits: dict[str, str]
    batches: list[Batch]
    without_owner: list[str] = field(default_factory=list)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for mailbox in self.mailboxes.values():
            mailbox.close()

    @property
    def mails(self) -> int:
        """Mails that are shown."""
        return sum(sample.mails for sample in self.samples.values())

    @property
    def left_out(self) -> dict[str, int]:
        """Mails that could not be chosen, by reason."""
        reasons: dict[str, int] = {}
        for sample in self.samples.values():
            for reason, count in sample.left_out.items():
                reasons[reason] = reasons.get(reason, 0) + count
        return reasons


def existing_questions(store: Path) -> list[Question]:
    """Return the questions that a store has already.

    Raises:
        SourceError: Its file of questions cannot be read.
    """
    return read_questions(store) if (store / QUESTIONS_FILE).exists() else []


def open_mailboxes(store: Path) -> tuple[dict[str, Mailbox], list[str]]:
    """Open a store's mailboxes by file name; returns those with an owner, and the names of those without.

    Raises:
        UserError: There is no store, or no mailbox in it.
        StoreError: A mailbox is damaged.
    """
    if not store.is_dir():
        raise UserError(f"there is no store {store}: import mail into it with  mailgym mail import --store {store}")
    paths = sorted(path for path in store.glob(f"*{MAILBOX_SUFFIX}") if not path.name.startswith("."))
    if not paths:
        raise UserError(f"{store} holds no mailbox: import mail with  mailgym mail import SOURCE --store {store}")
    with ExitStack() as opened:
        mailboxes = {path.name: opened.enter_context(Mailbox.open(path)) for path in paths}
        opened.pop_all()
    without = [name for name, mailbox in mailboxes.items() if not mailbox.owner_addresses]
    for name in without:
        mailboxes.pop(name).close()
    return mailboxes, without


def survey(store: Path, options: Options, looked: Looked | None = None) -> Survey:
    """Look over a store.

    Args:
        store: The folder of mailboxes.
        options: How questions are made.
        looked: Called after each mailbox.

    Raises:
        UserError: There is no store, no mailbox, or none with an owner.
        StoreError: A mailbox is damaged.
        SourceError: The store's questions cannot be read, or no mail can be asked about.
    """
    mailboxes, without = open_mailboxes(store)
    if not mailboxes:
        raise UserError(f"no mailbox in {store} says whose it is: import them again with --owner ADDRESS")
    splits = assign_splits(mailboxes, existing_questions(store), options)
    samples = {}
    for number, (name, mailbox) in enumerate(mailboxes.items(), 1):
        samples[name] = choose_batches(mailbox, options.mails_per_box, options.batch, options.seed)
        if looked is not None:
            looked(number, len(mailboxes))
    batches = [batch for sample in samples.values() for batch in sample.batches]
    stream(options.seed, "questions", "order").shuffle(batches)
    if not batches:
        raise SourceError(f"no mail in {store} has a date and enough text to ask about: import more mail")
    return Survey(mailboxes, samples, splits, batches, without)


def assign_splits(names: Iterable[str], existing: Iterable[Question], options: Options) -> dict[str, str]:
    """Say in which split the questions of each mailbox are.

    By mailbox, one that has questions of a single split keeps it. The others are shared out so that of all mailboxes
    one in five is for testing (at least one) and one in ten, of three or more, for validation (at least one); a single
    one is for testing. A run that goes on shares out as the first did.
    """
    names = list(names)
    if options.split != BY_MAILBOX:
        return dict.fromkeys(names, options.split)
    known: dict[str, set[str]] = {}
    for question in existing:
        known.setdefault(question.mailbox, set()).add(question.split)
    splits = {name: next(iter(known[name])) for name in names if len(known.get(name, ())) == 1}
    wanted = {
        "test": max(1, round(TEST_SHARE * len(names))),
        "validation": max(1, round(VALIDATION_SHARE * len(names))) if len(names) >= LEAST_WITH_VALIDATION else 0,
    }
    missing = {split: count - list(splits.values()).count(split) for split, count in wanted.items()}
    rest = sorted(set(names) - splits.keys(), key=lambda name: derive_seed(options.seed, "questions", "split", name))
    for name in rest:
        splits[name] = next((split for split, count in missing.items() if count > 0), "train")
        if splits[name] in missing:
            missing[splits[name]] -= 1
    return splits
